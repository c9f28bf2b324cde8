"""How soon `vaa replay` sees a planted fault, what it calls it, and how often it accuses a sound engine: engines of replay_engines.py, replayed row by row.

    python tests/calibration/replay_simulation.py [--runs 20] [--sound 100] [--rows 1600] [--seed 1] [--jobs 2] [NAME…]

Needs numpy. Faults: runs in which the replay fails or says "streams not aligned", half of these by how many rows (looked at each time the rows double), what it names most often. Sound engines:
the same share, which are false alarms, with its exact 95 % interval, and the rows within the band. The same arguments give the same runs."""
import argparse
import collections
import concurrent.futures
import statistics

import vaa

import replay_engines as engines

LOOKS = [25 * 2**i for i in range(12)]
PROMPT = list(range(0, engines.VOCABULARY, 3))


def alarmed(report):
    """What a report accuses the engine of; "" for nothing."""
    replay = report.to_dict()["replay"]
    if replay["streams"]["alignment"] == "not_aligned" and report.verdict in ("fail", "not_checked"):
        return replay["cause"] or "not aligned"
    return (replay["cause"] or ("ties" if replay["ties"]["otherwise"] else "departures")) if report.verdict == "fail" else ""


def replayed(fault, params, options, rows, seed, looks):
    """(rows until the first alarm or None, what it was at the end, the last report)."""
    logits = engines.made_logits(rows, seed, grid=fault.last_tie)
    tokens = engines.run(logits, params, seed, PROMPT, fault)
    replay = vaa.Replay("vllm_v1", generator="torch_cpu", seed=seed, **params, **options)
    replay.begin(PROMPT)
    first, done = None, 0
    for look in [*(n for n in looks if n < rows), rows]:
        replay.push(logits[done:look], tokens[done:look])
        done = look
        report = replay.report()
        if first is None and alarmed(report):
            first = look
    return first, alarmed(report), report


def fault_row(name, runs, rows, seed):
    fault = next(f for f in engines.FAULTS if f.name == name)
    results = [replayed(fault, engines.settings(fault), {}, rows, seed * 1000 + i, LOOKS)[:2] for i in range(runs)]
    seen = [first for first, at_end in results if at_end]
    named = collections.Counter(at_end for _, at_end in results if at_end)
    return name, len(seen), statistics.median(seen) if seen else None, named


def sound_row(name, runs, rows, seed):
    fault, options = engines.SOUND[name]
    alarms = within = departed = 0
    for i in range(runs):
        _, at_end, report = replayed(fault, engines.settings(fault, name), options, rows, seed * 100_000 + i, ())
        counts = report.to_dict()["replay"]
        alarms, within, departed = alarms + bool(at_end), within + counts["within"], departed + counts["departed"]
    return name, alarms, within, departed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, value in (("--runs", 20), ("--sound", 100), ("--rows", 1600), ("--seed", 1), ("--jobs", 1)):
        parser.add_argument(option, type=int, default=value)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    chosen = lambda names: [name for name in names if not args.names or name in args.names]
    with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
        faults = [pool.submit(fault_row, name, args.runs, args.rows, args.seed) for name in chosen(f.name for f in engines.FAULTS)]
        sound = [pool.submit(sound_row, name, args.sound, args.rows, args.seed) for name in chosen(engines.SOUND)]
        print("| planted fault | seen | half by rows | named |\n|---|---|---|---|")
        for job in faults:
            name, seen, half, named = job.result()
            print(f"| {name} | {seen} of {args.runs} | {'–' if half is None else int(half)} | {', '.join(f'{what} {n}' for what, n in named.most_common(3)) or '–'} |", flush=True)
        print("\n| sound engine | false alarms | 95 % interval | rows within the band | rows departed |\n|---|---|---|---|---|")
        for job in sound:
            name, alarms, within, departed = job.result()
            low, high = vaa.stats.clopper_pearson(alarms, args.sound)
            print(f"| {name} | {alarms} of {args.sound} | {100 * low:.1f} to {100 * high:.1f} % | {within} of {args.sound * args.rows} | {departed} |", flush=True)


if __name__ == "__main__":
    main()
