#!/usr/bin/env python3
"""The gates on real text, with an exit code: gates.py FOLDER [--strong ANSWERS.jsonl]

FOLDER holds udhr.jsonl and source_*.jsonl of corpora.py. ANSWERS: records of strong models' answers to ordinary requests (alpaca_eval's 42 models), which are not shipped with vaa.
"""
import argparse
import pathlib
import sys

from false_alarms import count

# (gate, files, what is counted, the most there may be: a number, or a share of the pieces)
GATES = [
    ("UDHR: loops", "udhr", ["repetition_loop", "counter_loop"], 0),
    ("UDHR: script soup", "udhr", ["script_soup"], 0),
    ("UDHR: word salad", "udhr", ["word_salad"], 0),
    ("UDHR: words of mixed script", "udhr", ["mixed_script_word"], 1),
    ("source: repetition_loop, fail", "source_*", ["repetition_loop/fail"], 0.0002),
    ("source: counter_loop", "source_*", ["counter_loop"], 0.002),
]
STRONG = [
    ("strong answers: loops", ["repetition_loop", "counter_loop"], 15),
    ("strong answers: any flag", ["any"], 0.005),
]
def counted(results, wanted) -> int:
    """Pieces with one of the flags, of severity fail or warn where none is named."""
    total = 0
    for result in results:
        if wanted == ["any"]:
            total += result["any"]
        total += sum(n for key, n in result["flags"].items() if key in wanted or key.split("/")[0] in wanted)
    return total


def judge(name, results, wanted, most) -> bool:
    n = sum(result["pieces"] for result in results)
    k = counted(results, wanted)
    share = isinstance(most, float)
    holds = n > 0 and (k / n <= most if share else k <= most)
    print(f"{'ok  ' if holds else 'FAIL'}  {name}: {k} of {n:,}" + (f" = {100 * k / n:.3f} %, at most {100 * most:g} %" if share and n else f", at most {most}"))
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--strong", type=pathlib.Path)
    arguments = parser.parse_args()
    results = {path.stem: count(path) for pattern in ("udhr", "source_*") for path in sorted(arguments.folder.glob(pattern + ".jsonl"))}
    all_hold = all([judge(name, [r for stem, r in results.items() if stem.startswith(files.rstrip("*"))], wanted, most) for name, files, wanted, most in GATES])
    if arguments.strong:
        strong = [count(arguments.strong)]
        all_hold &= all([judge(name, strong, wanted, most) for name, wanted, most in STRONG])
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
