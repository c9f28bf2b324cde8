"""Asks vLLM for CPU with ngram speculation and without: as it is, with what is wrong in it mended, and with a fault planted (planted/sitecustomize.py); the probe in all that speculate.

    python speculation.py WORK VAA

WORK is the folder that setup.sh made, VAA the command; vaa must be installed in WORK/vllm, so that its workers find the probe. Prints the commands and what they print, and ends with one line a check. Every engine is stopped.
"""
import json
import os
import pathlib
import shutil
import signal
import sys

import engines
import lag_model
from run import Session

PORT = 8340
REPEATS, TOKENS = 32, 8
VARIANTS = {"stock": "speculates", "mended": "speculates mended", "lost_draft": "speculates lost_draft"}


def questions(path, declaration):
    """Articles and their second halves, to be gone on with for a few tokens."""
    whole = [text for language in ("eng", "fra", "cmn_hans") for text in declaration[language]]
    texts = whole + [text[len(text) // 2 :] for text in whole]
    path.write_text("".join(json.dumps({"custom_id": f"q{i:03}", "method": "POST", "url": "/v1/completions", "body": {"model": "lag", "prompt": text, "max_tokens": TOKENS, "ignore_eos": True}}) + "\n" for i, text in enumerate(texts)), encoding="utf-8")


def ask(session, url, name, *more):
    """Sampled answers, and greedy ones of 64 tokens."""
    sampled, _ = session.vaa("ask", "questions.jsonl", "--url", url, "--repeat", REPEATS, "--temperature", 0.8, "--concurrency", 16, "--out", f"{name}.jsonl", "--force", *more)
    greedy, _ = session.vaa("ask", "questions.jsonl", "--url", url, "--temperature", 0, "--max-tokens", 64, "--concurrency", 16, "--out", f"{name}_greedy.jsonl", "--force", *more)
    return sampled == 0 and greedy == 0


def judge(session, name, right):
    code, said = session.vaa("compare", "plain.jsonl", f"{name}.jsonl", "--change", "spec")
    session.check(f"{name}: sampled answers are {'not called worse' if right else 'called worse, by their law'}", code in (0, 3) if right else code == 1 and "speculation_changes_law" in said)
    code, _ = session.vaa("compare", "plain_greedy.jsonl", f"{name}_greedy.jsonl", "--change", "spec", "--aa", "plain_again.jsonl")
    session.check(f"{name}: greedy answers are not called worse", code in (0, 3))
    code, said = session.vaa("reject", f"dump-{name}")
    session.check(f"{name}: its dump is {'not called wrong' if right else 'called wrong'}", code in (0, 3) if right else code == 1)


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    work, vaa = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    session = Session(work / "run/speculation", vaa)
    questions(session.folder / "questions.jsonl", json.loads((lag_model.ROOT / "tests/golden/udhr.json").read_text(encoding="utf-8")))
    with engines.running(work, "vllm", {PORT: ""}):
        url = f"http://127.0.0.1:{PORT}"
        session.check("plain: answers with lists", ask(session, url, "plain", "--top-logprobs", 20))
        session.vaa("ask", "questions.jsonl", "--url", url, "--temperature", 0, "--max-tokens", 64, "--concurrency", 1, "--top-logprobs", 20, "--out", "plain_again.jsonl", "--force")
    for number, (name, fault) in enumerate(VARIANTS.items()):
        shutil.rmtree(session.folder / f"dump-{name}", ignore_errors=True)
        os.environ["VAA_PROBE"] = str(session.folder / f"dump-{name}")
        with engines.running(work, "vllm", {PORT + 1 + number: fault}):
            session.check(f"{name}: answered by drafts", ask(session, f"http://127.0.0.1:{PORT + 1 + number}", name, "--for", "spec"))
        judge(session, name, name == "mended")
    for words, good in session.checks:
        print(f"{'ok' if good else 'FAILED':8}{words}")
    return 1 if not all(good for _, good in session.checks) else 0


if __name__ == "__main__":
    sys.exit(main())
