"""Peak memory of `vaa check` on a stream through a named pipe: lines up to 1 MB, any length of stream, nothing on disk.

    python tests/bench/memory.py [--gb 20] [--line 1000000]

Prints the peak resident size, the bytes a sample above 200 MB that this is, and the speed. The bound is 200 MB + 64 bytes a sample.
"""
import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--gb", type=float, default=20)
    options.add_argument("--line", type=int, default=1_000_000)
    options.add_argument("--threads", type=int, default=2)
    arguments = options.parse_args()
    source = random.Random(7)
    words = [w + " " for w in "the jar holds nine red marbles and each of them is counted once before Lena adds five blue ones which gives a total of so many that we check".split()]
    # A few hundred bodies of 1 KB to the longest line; each line gets an id of its own.
    bodies = []
    for _ in range(200):
        size = int(10 ** source.uniform(3, len(str(arguments.line)) - 1))
        bodies.append(json.dumps("".join(source.choices(words, k=min(size, arguments.line) // 5))))
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "lines.jsonl")
        os.mkfifo(pipe)
        command = [sys.executable, "-m", "vaa", "check", pipe, "--threads", str(arguments.threads), "--format", "json", "--out", os.path.join(folder, "report.json")]
        process = subprocess.Popen(command)
        sent = [0, 0]

        def feed():
            with open(pipe, "wb", buffering=1 << 20) as out:
                while sent[0] < arguments.gb * 1e9:
                    line = b'{"data_abbr":"made","id":%d,"success":true,"uuid":"%032x","origin_prompt":"q","prediction":%s}\n' % (sent[1], sent[1], source.choice(bodies).encode())
                    out.write(line)
                    sent[0] += len(line)
                    sent[1] += 1

        feeder = threading.Thread(target=feed)
        start = time.perf_counter()
        feeder.start()
        feeder.join()
        process.wait()
        took = time.perf_counter() - start
        with open(os.path.join(folder, "report.json"), "rb") as file:
            samples = json.load(file)["counts"]["samples"]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    bound = 200e6 + 64 * samples
    print(f"{sent[0] / 1e9:.2f} GB, {samples} of {sent[1]} samples, peak {peak / 1e6:.0f} MB, bound {bound / 1e6:.0f} MB, {sent[0] / took / 1e6:.0f} MB/s")
    return 0 if peak <= bound and samples == sent[1] else 1


if __name__ == "__main__":
    sys.exit(main())
