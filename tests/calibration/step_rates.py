"""How many verify steps show a planted fault, by evidence, and how often sound engines are called faulty: the tables of docs/reject.md.

    python tests/calibration/step_rates.py --runs 40
"""
from __future__ import annotations

import argparse
import math
import sys
from typing import Optional

import vaa
from spec_engine import EVIDENCE, FAULTS, VOCAB, Engine, engine_of, push, sound_engines

LADDER = (50, 100, 200, 400, 800, 1600, 3200, 6400, 12800)
DETECTED = 0.9  # of the runs
SHOWN = {"ids": "ids", "drafts": "+ drafts, argmax", "p": "+ p(d), q(d)", "rows": "+ rows", "noise": "+ uniforms, noise"}


def failures(engine: Engine, seed: int, most: int) -> "dict[str, tuple[int, set[str]]]":
    """Of each evidence after how many rows the audit fails, and by which checks. All see the same steps."""
    audits = {}
    for level in EVIDENCE:
        audits[level] = vaa.Audit()
        audits[level].begin_steps(**engine.header())
    out: "dict[str, tuple[int, set[str]]]" = {}
    done = 0
    for rows in (rows for rows in LADDER if rows <= most):
        steps = engine.steps(rows - done, 1000 * seed + done, greedy=0.1)
        for level in [level for level in EVIDENCE if level not in out]:
            push(audits[level], steps, level, first=done)
            failed = {f["check"] for f in audits[level].report().to_dict()["reject"]["findings"] if f["status"] == "fail"}
            if failed:
                out[level] = (rows, failed)
        done = rows
    return out


def needed(outcomes: "list[tuple[int, set[str]]]", runs: int) -> "tuple[Optional[int], str]":
    """Rows after which nine of ten runs have failed, and the checks that most of them have failed by."""
    counts, at = sorted(rows for rows, _ in outcomes), math.ceil(DETECTED * runs)
    checks = [check for _, failed in outcomes for check in failed]
    common = sorted({check for check in checks if 2 * checks.count(check) >= len(counts)}, key=lambda check: (-checks.count(check), check))
    return (counts[at - 1] if len(counts) >= at else None), ", ".join(f"`{check}`" for check in common[:2])


def detection_table(runs: int, most: int) -> None:
    print(f"| fault | engine | where | {' | '.join(SHOWN[level] for level in EVIDENCE)} | fails by |\n|---|---|---|{'---:|' * len(EVIDENCE)}---|")
    for fault, (kind, where) in FAULTS.items():
        engine = engine_of(fault)
        of_runs = [failures(engine, seed, most * VOCAB // max(VOCAB, engine.vocab // 16)) for seed in range(1, runs + 1)]
        cells, by = [], ""
        for level in EVIDENCE:
            rows, checks = needed([one[level] for one in of_runs if level in one], runs)
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
