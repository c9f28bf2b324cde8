"""How often the monitor would have stopped a stream of clean text: the table of docs/monitor.md.

    python tests/calibration/monitor_stops.py [--counters] [--show N] CORPUS.jsonl…

Each record of a corpus (vaa.record/1; tests/calibration/corpora.py makes them) is pushed whole, with its prompt where one is recorded. Prints records, megabytes and stops of each corpus, and with --show what the
first N stops repeat.
"""
import argparse
import json
import pathlib

import vaa


def stopped(record, counters):
    """The monitor's report where it stops the record, else None; and the bytes of the record's text."""
    text = (record.get("output") or {}).get("text") or ""
    monitor = vaa.Monitor(prompt=(record.get("prompt") or {}).get("text"), counters=counters)
    data = text.encode("utf-8", "surrogatepass")
    return (monitor.report() if monitor.push(data) == vaa.Monitor.LOOP else None), len(data)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpora", nargs="+", type=pathlib.Path)
    parser.add_argument("--counters", action="store_true")
    parser.add_argument("--show", type=int, default=0)
    args = parser.parse_args()
    print(f"{'corpus':32} {'records':>9} {'MB':>7} {'stops':>7}")
    for path in args.corpora:
        records = size = 0
        stops = []
        with path.open("rb") as lines:
            for line in lines:
                record = json.loads(line)
                report, bytes_of_it = stopped(record, args.counters)
                records += 1
                size += bytes_of_it
                if report:
                    stops.append((record.get("id"), report["finding"]))
        print(f"{path.stem:32} {records:9,} {size / 1e6:7.1f} {len(stops):7,}")
        for name, finding in stops[:args.show]:
            print(f"    {name}: {finding['flag']}, {finding['count']} times {finding.get('excerpt', '')!r}")


if __name__ == "__main__":
    main()
