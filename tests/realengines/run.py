"""Asks real engines with the vaa command, and holds what it finds to what lag_model.py says must be found.

    python run.py WORK VAA [ENGINE…]

WORK is the folder that setup.sh made (venvs, llama.cpp, lag/), VAA the command, ENGINE a row of ENGINES below (default:
all). Prints the commands and what they print, keeps the records in WORK/run/ENGINE, and ends with one line a check; exit
code 1 where one fails. Every engine is stopped whatever happens.
"""
import json
import pathlib
import re
import signal
import subprocess
import sys

import engines
import lag_model

FIRST_PORT = 8300
TOKENS = 2600       # of the long answers: past position 2,048

# engine: (faults of further servers, seen from how many ids on). A window of 1,024 loses <|bos|>, on which the heads rest,
# after 1,025 ids; without rope_scaling the head of lag 2,048 is lost, which sees a token other than <|bos|> after 2,050.
ENGINES = {"llama-server": {"no_rope_scaling": 2050}, "vllm": {"no_rope_scaling": 2050, "short_window": 1025}, "llama-cpp-python": {}}
# llama-cpp-python serves one request at a time and takes no prompt of ids.
SLOTS = {"llama-server": 4, "vllm": 16, "llama-cpp-python": 1}


class Session:
    """Commands of one engine, in a folder of their own, and what was checked."""

    def __init__(self, folder, vaa):
        self.folder, self.vaa_path, self.checks = folder, vaa, []
        folder.mkdir(parents=True, exist_ok=True)

    def vaa(self, *arguments):
        print(f"\n$ vaa {' '.join(map(str, arguments))}", flush=True)
        done = subprocess.run([self.vaa_path, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, timeout=1800)
        print(done.stdout + done.stderr + f"exit code {done.returncode}", flush=True)
        return done.returncode, done.stdout

    def check(self, words, good):
        self.checks.append((words, bool(good)))

    def records(self, name):
        lines = (json.loads(line) for line in (self.folder / name).read_text(encoding="utf-8").splitlines())
        return {line["id"]: line for line in lines if line["schema"] == "vaa.record/1"}


def other_ids(model, records):
    """Recorded ids that are not the model's best (a near tie may fall either way), and recorded ids in all."""
    other = total = 0
    for record in records.values():
        prompt = record["prompt"]["token_ids"] or model.tokenizer.encode(record["prompt"]["text"]).ids
        output = record["output"]["token_ids"] or []
        if output:
            rows = model.logits(prompt + output[:-1], first=len(prompt) - 1)
            taken = rows[range(len(output)), output]
            rows[:, lag_model.EOS] = -1e9       # ignore_eos: one engine never takes it, another goes on
            other += int((rows.max(1) - taken > 0.01).sum())
            total += len(output)
    return other, total


def ask(session, url, engine):
    few = ("--concurrency", SLOTS[engine])
    session.vaa("ask", "--probe", "--url", url)
    for name, options in (("streamed", ()), ("whole", ("--no-stream",)), ("streamed_logprobs", ("--top-logprobs", 2)),
                          ("whole_logprobs", ("--no-stream", "--top-logprobs", 2))):
        code, _ = session.vaa("ask", "questions.jsonl", "--url", url, *few, *options, "--out", f"{name}.jsonl", "--force")
        session.check(f"{name}: 50 questions are answered", code == 0 and len(session.records(f"{name}.jsonl")) == 50)
    streamed, whole = session.records("streamed.jsonl"), session.records("whole.jsonl")
    other = [key for key in whole if streamed[key]["output"]["text"] != whole[key]["output"]["text"]]
    print(f"answers whose text is another where it is not streamed: {other}")
    if ENGINES[engine]:     # llama-cpp-python loses text of streams that are not UTF-8
        session.check("streamed and whole are the same texts", not other)
    session.vaa("check", "whole.jsonl")
    have = {name: sum(bool(r["output"]["token_ids"]) for r in session.records(f"{name}.jsonl").values()) for name in ("streamed", "whole")}
    print(f"answers with token ids: {have}")


def part(session, model, urls, faults):
    a, equal, *wrong = urls
    run = session.folder / "long_answers.jsonl"
    code, _ = session.vaa("ask", "long.jsonl", "--for", "compare", "--top-logprobs", 2, "--url", a, "--no-stream", "--out", run.name, "--force")
    other, total = other_ids(model, session.records(run.name))
    session.check(f"of {total} recorded ids {other} are not what the model says", code == 0 and total == 3 * TOKENS and other == 0)
    session.vaa("ladder", run.name, "--reencode", "--at", "512,1K,2K-64,2K+64", "--url", a, "--url", wrong[0], "--out", "ladder.jsonl", "--force")
    code, _ = session.vaa("ladder", run.name, "--reencode", "--bisect", "--url", a, "--url", equal, "--out", "equal.jsonl", "--force")
    session.check("two equal engines: no difference", code == 0)
    for url, (fault, ids) in zip(wrong, faults.items()):
        known = ("--config", "config.json") if fault == "no_rope_scaling" else ("--structure", "sliding_window=1024")
        code, said = session.vaa("ladder", run.name, "--reencode", "--bisect", "--url", a, "--url", url, *known, "--out", f"{fault}.jsonl", "--force")
        found = re.search(r"after \(([\d,]+), ([\d,]+)\] ids", said)
        low, high = (int(number.replace(",", "")) for number in found.groups()) if found else (0, 0)
        session.check(f"{fault}: wrong after ({low}, {high}] ids, which holds {ids}", code == 1 and low < ids <= high)
    session.vaa("ask", "--from", "whole.jsonl", "--bad", "any", "--again", "--repeat", 4, "--concurrency", "1,4", "--no-stream",
                "--url", a, "--url", wrong[0], "--out", "again.jsonl", "--force")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))     # the engines are stopped then, too
    work, vaa = pathlib.Path(sys.argv[1]).resolve(), str(pathlib.Path(sys.argv[2]).resolve())
    model = lag_model.LagModel(work / "lag")
    declaration = json.loads((lag_model.ROOT / "tests/golden/udhr.json").read_text(encoding="utf-8"))
    failed = 0
    for name in sys.argv[3:] or ENGINES:
        session, faults = Session(work / "run" / name, vaa), ENGINES[name]
        engines.questions(session.folder / "questions.jsonl", declaration)
        engines.long_answers(session.folder / "long.jsonl", declaration, TOKENS)
        (session.folder / "config.json").write_bytes((work / "lag/hf/config.json").read_bytes())
        first = FIRST_PORT + 10 * list(ENGINES).index(name)
        ports = range(first, first + 2 + len(faults))
        urls = [f"http://127.0.0.1:{port}" for port in ports]
        print(f"\n== {name}", flush=True)
        with engines.running(work, name, dict(zip(ports, ["", "", *faults]))):
            ask(session, urls[0], name)
            if faults:
                part(session, model, urls, faults)
        for words, good in session.checks:
            print(f"{'ok' if good else 'FAILED':6}  {name}: {words}")
            failed += not good
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
