"""How many verify steps show a planted fault, by evidence, and how often sound engines are called faulty: the tables of docs/reject.md.

    python tests/calibration/step_rates.py --runs 40
"""
from __future__ import annotations

import argparse
import math
import sys
from typing import Any, Iterator, Optional

import vaa
from spec_engine import EVIDENCE, FAULTS, VOCAB, Engine, engine_of, push, sound_engines

LADDER = (50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
DETECTED = 0.9  # of the runs
SHOWN = {"ids": "ids", "drafts": "+ drafts, argmax", "p": "+ p(d), q(d)", "rows": "+ rows", "noise": "+ uniforms, noise"}


def reports(engine: Engine, evidence: str, seed: int, most: int) -> "Iterator[tuple[int, dict[str, Any]]]":
    """The report after each rung of the ladder."""
    audit = vaa.Audit()
    audit.begin_steps(**engine.header())
    done = 0
    for rows in (rows for rows in LADDER if rows <= most):
        push(audit, engine.steps(rows - done, 1000 * seed + done, greedy=0.1), evidence, first=done)
        done = rows
        yield rows, audit.report().to_dict()["reject"]


def first_failure(engine: Engine, evidence: str, seed: int, most: int) -> "tuple[Optional[int], set[str], str]":
    """After how many rows the audit fails, by which checks, and which fault it names then."""
    for rows, report in reports(engine, evidence, seed, most):
        failed = [f for f in report["findings"] if f["status"] == "fail"]
        if failed:
            return rows, {f["check"] for f in failed}, next((f["words"]["en"] for f in failed if f["check"] == "known_fault"), "")
    return None, set(), ""


def needed(engine: Engine, evidence: str, runs: int, most: int) -> "tuple[Optional[int], str]":
    """Rows after which nine of ten runs have failed, and the checks that most of them have failed by."""
    outcomes = [first_failure(engine, evidence, seed, most) for seed in range(1, runs + 1)]
    counts = sorted(rows for rows, _, _ in outcomes if rows is not None)
    at = math.ceil(DETECTED * runs)
    checks = [check for _, failed, _ in outcomes for check in failed]
    common = sorted({check for check in checks if 2 * checks.count(check) >= len(counts) > 0}, key=checks.count, reverse=True)
    return (counts[at - 1] if len(counts) >= at else None), ", ".join(f"`{check}`" for check in common[:2])


def detection_table(runs: int, most: int) -> None:
    print(f"| fault | engine | where | {' | '.join(SHOWN[level] for level in EVIDENCE)} | fails by |\n|---|---|---|{'---:|' * len(EVIDENCE)}---|")
    for fault, (kind, where) in FAULTS.items():
        cells, by = [], ""
        for level in EVIDENCE:
            engine = engine_of(fault)
            rows, checks = needed(engine, level, runs, most * VOCAB // max(VOCAB, engine.vocab // 4))
            cells.append("–" if rows is None else f"{rows:,}")
            by = by or (checks if rows is not None else "")
        print(f"| `{fault}` | {kind['policy']}{'' if kind.get('one_hot', True) else ', q'} | {where} | {' | '.join(cells)} | {by or '–'} |", flush=True)


def alarm_table(runs: int, rows: int) -> None:
    print("\n| sound engine | reports | fail | undecided | pass |\n|---|---:|---:|---:|---:|")
    total = 0
    for name, engine in sound_engines().items():
        verdicts: "list[str]" = []
        for seed in range(1, runs + 1):
            audit = vaa.Audit()
            audit.begin_steps(**engine.header())
            push(audit, engine.steps(rows, seed, greedy=0.1), "noise")
            verdicts.append(audit.report().verdict)
        failed = verdicts.count("fail")
        rate = vaa.stats.wilson(failed, runs)
        print(f"| {name} | {runs} | {100 * failed / runs:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f}) | {verdicts.count('undecided')} | {verdicts.count('pass')} |", flush=True)
        total += failed
    reports_made = runs * len(sound_engines())
    rate = vaa.stats.wilson(total, reports_made)
    print(f"| all | {reports_made} | {100 * total / reports_made:.2f} % ({100 * rate.low:.2f} to {100 * rate.high:.2f}) | | |")


def main() -> int:
    """Prints both tables, row by row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=40, help="of each fault and evidence; of sound engines five times as many")
    parser.add_argument("--most", type=int, default=LADDER[-1], help="rows that a fault may take")
    parser.add_argument("--rows", type=int, default=2000, help="of a sound engine's report")
    parser.add_argument("--only", choices=("faults", "sound"))
    args = parser.parse_args()
    if args.only != "sound":
        detection_table(args.runs, args.most)
    if args.only != "faults":
        alarm_table(5 * args.runs, args.rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
