"""How often the audit by counters is right: false alarms on healthy engines, detection of planted faults. The table of docs/reject.md.

    python tests/calibration/counter_rates.py [--runs 400] [--markdown]
"""
from __future__ import annotations

import argparse
import collections

from made_counters import Load, accepts_all, audit, falls_on, lower_on, no_fault, rejects_all, rejects_all_from

import vaa

# name, load, fault, the check that should fail ("" : none)
CASES = (
    ("healthy, 1 engine", Load(), no_fault, ""),
    ("healthy, 4 ranks", Load(engines=4), no_fault, ""),
    ("healthy, 4 ranks, requests of 2,000 drafts", Load(engines=4, request_drafts=2000), no_fault, ""),
    ("healthy, 8 ranks, 20 % accepted", Load(engines=8, rate=0.2), no_fault, ""),
    ("healthy, n-gram: 1 to 3 tokens, 30 %, 0.2 apart", Load(rate=0.3, spread=0.2, full_length=False), no_fault, ""),
    ("every draft rejected", Load(), rejects_all, "zero_acceptance"),
    ("every draft rejected from the middle on", Load(), rejects_all_from(30), "zero_stretch"),
    ("every draft rejected in the last 10 windows", Load(), rejects_all_from(50), "zero_stretch"),
    ("every draft accepted", Load(carry=1), accepts_all, "full_acceptance"),
    ("rank 2 of 4 falls by 0.3 at the first position", Load(engines=4), falls_on(2, 30, 0.3), "acceptance_decay"),
    ("rank 2 of 4 falls by 0.15", Load(engines=4), falls_on(2, 30, 0.15), "acceptance_decay"),
    ("rank 2 of 8 lower by 0.2 all the time", Load(engines=8), lower_on(2, 0.2), "rank_fall"),
)


def percent(k: int, n: int) -> str:
    interval = vaa.stats.wilson(k, n)
    return f"{100 * k / n:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=400)
    runs = parser.parse_args().runs
    print("| engines | runs | fail | by the check named | undecided | pass |\n|---|---:|---:|---|---:|---:|")
    for name, load, fault, check in CASES:
        verdicts: "collections.Counter[str]" = collections.Counter()
        named = 0
        for seed in range(runs):
            report = audit(load, seed, fault)
            verdicts[report["verdict"]["name"]] += 1
            named += any(f["status"] == "fail" and f["check"] == check for f in report["reject"]["findings"])
        found = f"`{check}` {percent(named, runs)}" if check else "–"
        print(f"| {name} | {runs} | {percent(verdicts['fail'], runs)} | {found} | {verdicts['undecided']} | {verdicts['pass']} |", flush=True)


if __name__ == "__main__":
    main()
