#!/usr/bin/env python3
"""False alarms on clean text, of vaa and of the rules that people use, on the same pieces: false_alarms.py FOLDER [CORPUS…] [--peers] [--hits FILE] [--json FILE]

FOLDER holds what corpora.py builds. `--peers` compiles peer_rules.cpp and adds its rules, their recall on the labelled cases, and the ratio of the sums; the exit code is then 1 where vaa has not
ten times fewer false alarms than the best of them that finds half of the loops, at an equal or better recall.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import vaa

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parents[1] / "tests/golden/vectors/quality_cases.jsonl"
NOT_CLEAN = {"lm_loops", "lm_t07"}  # loops; and samples of which a hundredth do loop: shown, in no sum
NO_FILES = {"alpaca_all", "alpaca_strong"}  # answers of models: where they are, only when named
LOOPS = {"repetition_loop", "counter_loop", "low_diversity", "single_token_collapse"}


def upper(k: int, n: int, level: float = 0.95) -> float:
    """The one-sided Clopper-Pearson limit of k in n: the rate at which k or fewer have the probability 1 − level."""
    if k >= n:
        return 1.0
    choose = [math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1) for i in range(k + 1)]
    low, high = k / n, 1.0
    for _ in range(60):
        p = (low + high) / 2
        below = math.fsum(math.exp(c + i * math.log(p) + (n - i) * math.log1p(-p)) for i, c in enumerate(choose))
        low, high = (p, high) if below > 1 - level else (low, p)
    return high


def corpora(folder: pathlib.Path, names):
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem in names or not names and path.stem not in NO_FILES:
            yield path


def judged(path: pathlib.Path):
    """(sample line of vaa) of every record of a file."""
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
        vaa.check(path, samples_path=out.name)
        with open(out.name, encoding="utf-8", errors="surrogateescape") as lines:
            for line in lines:
                yield json.loads(line)


def piece_of(line: dict) -> tuple:
    """A piece is judged once or twice (finished, cut, not recorded) and counts once."""
    return line["dataset"], re.sub(r"/(cut|unrecorded)$", "", line["id"])


def count(path: pathlib.Path, hits=None) -> dict:
    """What vaa says of a corpus: pieces with a finding in any of their records, by flag and severity."""
    found, size = collections.defaultdict(set), 0
    for line in judged(path):
        found[piece_of(line)].update((f["flag"], f["severity"]) for f in line["findings"] if f["severity"] != "info")
        size += line["output_bytes"]
        for finding in line["findings"] if hits else ():
            if finding["severity"] != "info":
                hits.write(json.dumps({"corpus": path.stem, "dataset": line["dataset"], "id": line["id"], **finding}, ensure_ascii=False) + "\n")
    flags = collections.Counter(f"{flag}/{severity}" for flags in found.values() for flag, severity in flags)
    return {"pieces": len(found), "bytes": size, "flags": flags, "any": sum(map(bool, found.values())),
            "any_fail": sum(any(severity == "fail" for _, severity in flags) for flags in found.values()),
            "loops_fail": sum(any(flag in LOOPS and severity == "fail" for flag, severity in flags) for flags in found.values()),
            "loops": sum(any(flag in LOOPS for flag, _ in flags) for flags in found.values())}


def peers_program(folder: pathlib.Path) -> pathlib.Path:
    program, source = folder / "packages/peer_rules", HERE / "peer_rules.cpp"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(["c++", "-std=c++20", "-O2", str(source), "-lz", "-o", str(program)], check=True)
    return program


def peer_lines(program: pathlib.Path, texts):
    """A string of 0 and 1 for each text, in the order of the rules."""
    with tempfile.TemporaryFile() as frames, tempfile.TemporaryFile() as lines:
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            frames.write(len(data).to_bytes(8, "little") + data)
        frames.seek(0)
        subprocess.run([str(program)], stdin=frames, stdout=lines, check=True)
        lines.seek(0)
        return lines.read().decode().split()


def text_of(record: dict) -> str:
    return record["output"].get("reasoning", "") + record["output"]["text"]


def peer_counts(program, path) -> dict:
    """rule → pieces on which it fires; kept beside the corpus, for the rules do not change from run to run."""
    kept = path.parent / "packages" / f"{path.stem}.peers.json"
    if not kept.exists() or kept.stat().st_mtime < max(path.stat().st_mtime, program.stat().st_mtime):
        names = subprocess.run([str(program), "--names"], check=True, stdout=subprocess.PIPE).stdout.decode().split()
        with open(path, encoding="utf-8") as lines:
            pieces, texts = zip(*((piece_of(item), text_of(item)) for item in map(json.loads, lines)))
        fired = peer_lines(program, texts)
        kept.write_text(json.dumps({name: len({piece for piece, line in zip(pieces, fired) if line[i] == "1"}) for i, name in enumerate(names)}))
    return json.loads(kept.read_text())


def cases():
    """(prompt, text, finish reason) of the labelled loops."""
    with open(CASES, encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            text = case["text"]
            if isinstance(text, dict):
                gen = text["gen"]
                text = gen["prefix"] + gen["unit"] * gen["times"] + gen["suffix"]
            if case["class"] == "loop" and case.get("level", "core") == "core":
                yield case.get("prompt"), text, case.get("finish_reason")


def recall(program) -> dict:
    """Share of the labelled loops that are found."""
    loops = list(cases())
    names = subprocess.run([str(program), "--names"], check=True, stdout=subprocess.PIPE).stdout.decode().split()
    fired = peer_lines(program, (text for _, text, _ in loops))
    found = {name: sum(line[i] == "1" for line in fired) for i, name in enumerate(names)}
    ours = [vaa.check_text(text, prompt, finish_reason=finish).findings for prompt, text, finish in loops]
    found["vaa, fail"] = sum(any(f.flag in LOOPS and f.severity == "fail" for f in findings) for findings in ours)
    found["vaa, fail and warn"] = sum(any(f.flag in LOOPS and f.severity != "info" for f in findings) for findings in ours)
    return {name: value / len(loops) for name, value in found.items()}


def percent(k: int, n: int) -> str:
    return f"{k:,} (≤ {100 * upper(k, n):.2g} %)"


def table(head, rows) -> None:
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)


def compare(results: dict, peers: dict, program) -> bool:
    """The tables beside the peers, by kind of text, and whether the gate holds."""
    names = list(next(iter(peers.values())))
    counts = {name: {"pieces": r["pieces"], "vaa, fail": r["loops_fail"], "vaa, fail and warn": r["loops"], **peers[name]} for name, r in results.items()}
    kinds = collections.defaultdict(collections.Counter)
    for name, values in counts.items():
        kinds[name if name in NOT_CLEAN else name.split("_")[0]].update(values)
    table(["kind of text", *next(iter(counts.values()))], [[kind, *(f"{n:,}" for n in values.values())] for kind, values in kinds.items()])
    sums = sum((values for kind, values in kinds.items() if kind not in NOT_CLEAN), collections.Counter())
    total = sums["pieces"]
    found = recall(program)
    table(["rule", f"false alarms on {total:,} pieces", "recall of the labelled loops"], [[rule, percent(sums[rule], total), f"{100 * found[rule]:.1f} %"] for rule in found])
    able = [rule for rule in names if found[rule] >= 0.5]  # a rule that finds one loop in eight is quiet because it sees little
    best = min(able, key=lambda rule: sums[rule])
    ratio = sums[best] / (sums["vaa, fail"] or upper(0, total) * total)
    holds = ratio >= 10 and found["vaa, fail"] >= found[best]
    print(f"best of those that find half of the loops: {best}, {sums[best]} false alarms; vaa {sums['vaa, fail']}: {ratio:.1f} times fewer, recall {found['vaa, fail']:.3f} against {found[best]:.3f}: {'holds' if holds else 'FAILS'}")
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("corpus", nargs="*")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--hits", type=argparse.FileType("w", encoding="utf-8", errors="surrogateescape"), help="write every finding of severity fail or warn there")
    parser.add_argument("--json", type=pathlib.Path, help="write the counts there")
    arguments = parser.parse_args()
    results = {path.stem: count(path, arguments.hits) for path in corpora(arguments.folder, arguments.corpus)}
    table(["corpus", "pieces", "MB", "repetition_loop, fail", "any fail", "any fail or warn", "which"],
          [[name, f"{r['pieces']:,}", f"{r['bytes'] / 1e6:.1f}", percent(r["flags"]["repetition_loop/fail"], r["pieces"]), percent(r["any_fail"], r["pieces"]), percent(r["any"], r["pieces"]),
            ", ".join(f"{key} {n}" for key, n in sorted(r["flags"].items()))] for name, r in results.items()])
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))
    if not arguments.peers:
        return 0
    program = peers_program(arguments.folder)
    return 0 if compare(results, {path.stem: peer_counts(program, path) for path in corpora(arguments.folder, arguments.corpus)}, program) else 1


if __name__ == "__main__":
    sys.exit(main())
