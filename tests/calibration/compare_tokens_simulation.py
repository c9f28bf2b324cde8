"""How often `vaa compare` is right about runs with token ids and logprobs: families of runs whose law is known, written as record files, compared and deleted.

    python tests/calibration/compare_tokens_simulation.py [--runs 400] [--seed 1] [--jobs 2] [FAMILY…]

Needs numpy. made_model.py has the model's law, token_families.py the families. Printed for each: runs, verdicts, what most of the failed ones were called. Then of each step of tokens the share of runs in which its own p
(before Holm) says that the runs differ, the share in which it says that they differ by more than the margin, and the median effect. The same arguments give the same runs, however many jobs.
"""
import argparse
import concurrent.futures
import pathlib
import tempfile
import zlib

import vaa

from token_families import Case, families
from verdict_tally import Tally, row

FAMILIES = families()


def compare(name, number, seed):
    """Run `number` of a family: the comparison's part of the document."""
    family = FAMILIES[name]
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for role, lines in family.write(Case(number, [seed, zlib.crc32(name.encode())], **family.size)).items():
            if lines:
                paths[role] = pathlib.Path(folder) / f"{role}.jsonl"
                paths[role].write_text("".join(lines), encoding="utf-8")
        again = {role: paths[role] for role in ("aa", "aa_target") if role in paths}
        return vaa.compare(paths["reference"], paths["target"], change=family.change, **again).to_dict()["comparison"]


def some(name, numbers, seed):
    return [compare(name, number, seed) for number in numbers]


def simulate(name, runs, seed, pool=None, jobs=1):
    """The tally of `runs` comparisons; with a pool of processes in parallel."""
    tally = Tally()
    parts = [some(name, range(runs), seed)] if pool is None else [f.result() for f in [pool.submit(some, name, range(i, runs, 4 * jobs), seed) for i in range(4 * jobs)]]
    for part in parts:
        for comparison in part:
            tally.add(comparison)
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    args = parser.parse_args()
    tallies = {}
    print("| target | runs | worse | 95 % limits | undecided | passes | not comparable | called |\n|---|---|---|---|---|---|---|---|")
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        for name in args.families or FAMILIES:
            tallies[name] = tally = simulate(name, args.runs, args.seed, pool, args.jobs)
            called = ", ".join(f"{kind} {n}" for kind, n in tally.kinds.most_common(3))
            print(row([name, *tally.cells(), str(tally.verdicts["not_comparable"]), called or "–"]), flush=True)
    steps = [step for step in dict.fromkeys(step for tally in tallies.values() for step in tally.families) if any(t.families.get(step) in ("tokens", "law") and t.effects[step] for t in tallies.values())]
    print("\n" + row(["target", *steps]) + "\n|" + "---|" * (len(steps) + 1))
    for name, tally in tallies.items():
        print(row([name, *(tally.step_cell(step) for step in steps)]))


if __name__ == "__main__":
    main()
