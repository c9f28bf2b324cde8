#!/usr/bin/env python3
"""What cross_talk says of published answers: cross_talk.py FILE

FILE holds vaa records with prompts, the answers of many models as datasets. Each dataset is one run, checked three times: with its own prompts, where everything found is a false alarm; with a few answers
exchanged in pairs; and with every answer under another prompt. Exit code 1: more than 1 false alarm in 10,000.
"""
import collections
import json
import pathlib
import sys
import tempfile

import vaa


def own(rows):
    """Their own."""
    return rows


def pairs(rows):
    """Every 32nd answer changes places with the one behind it."""
    rows = [dict(row) for row in rows]
    for i in range(0, len(rows) - 1, 64):
        rows[i]["output"], rows[i + 1]["output"] = rows[i + 1]["output"], rows[i]["output"]
    return rows


def moved(rows):
    """Every answer stands under the prompt 37 places on."""
    return [dict(row, prompt=rows[(i + 37) % len(rows)]["prompt"]) for i, row in enumerate(rows)]


def check(rows):
    """(answers found, answers that could be tested) of one run."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8", errors="surrogatepass") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
        file.flush()
        report = vaa.check(pathlib.Path(file.name), max_rows=0).to_dict()
    row = next(c for c in report["checks"] if c["name"] == "cross_talk")
    return row["k"], row["n"]


def main() -> int:
    runs = collections.defaultdict(list)
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            runs[row["dataset"]].append(row)
    false_alarms = tested = 0
    print("| prompts | found | of |\n|---|---:|---:|")
    for arrange in (own, pairs, moved):
        results = [check(arrange(rows)) for rows in runs.values()]
        k, n = sum(r[0] for r in results), sum(r[1] for r in results)
        print(f"| {arrange.__doc__} | {k:,} | {n:,} |")
        if arrange is own:
            false_alarms, tested = k, n
    return int(false_alarms * 10_000 > tested)


if __name__ == "__main__":
    sys.exit(main())
