"""`vaa check` from file to report beside the same checks in plain Python, on the same AISBench lines.

    python tests/bench/plain_checks.py LINES.jsonl [--mb 16] [--threads 1]

Plain Python means: json, re, and the algorithms of docs/detectors.md written for reading: a run tracker over 8-grams, the Z function over the last 16 KiB, a pass over the
characters. Its share of the file is read first (--mb), then vaa reads the same bytes; both print what they found, and the ratio.
"""
import argparse
import json
import os
import re
import tempfile
import time
import unicodedata

TAIL = 16384
PERIOD = 4096
SPECIAL = re.compile(r"<\|[^<>|]{1,64}\|>|<｜[^<>｜]{1,64}｜>|<(?:start|end)_of_turn>|<unused\d+>|\[PAD\]|<pad>|<PAD>|<unk>|\[UNK\]|\[INST\]")
OPEN, CLOSE = re.compile(r"<(?:think|thinking|mm:think|seed:think)>|\[THINK\]"), re.compile(r"</(?:think|thinking|mm:think|seed:think)>|\[/THINK\]")
BOXED = re.compile(r"\\boxed\{([^{}]*)\}")


def worded(unit):
    letters = sum(c.isalpha() for c in unit)
    return letters * 5 >= len(unit)


def z_function(s):
    n = len(s)
    z = [0] * n
    left = right = 0
    for i in range(1, n):
        k = min(right - i, z[i - left]) if i < right else 0
        while i + k < n and s[k] == s[i + k]:
            k += 1
        z[i] = k
        if i + k > right:
            left, right = i, i + k
    return z


def tail_loop(data):
    """(cover, period) of the longest periodic suffix."""
    tail = data.rstrip()[-TAIL:][::-1]
    z = z_function(tail)
    best = (0, 0)
    for p in range(1, min(PERIOD, len(tail))):
        cover = p + z[p]
        if cover > best[0] and cover >= 2 * p:
            best = (cover, p)
    return best


def inner_loops(data):
    """Runs of copies anywhere: (onset, cover, period)."""
    table = {}
    period = start = 0
    for i in range(len(data)):
        if period and data[i] != data[i - period]:
            if i - start >= 64 and i - start >= 3 * period:
                yield start - period, i - start + period, period
            period = 0
        gram = data[i - 7:i + 1]
        last = table.get(gram)
        if not period and last is not None and i - last <= PERIOD:
            period, start = i - last, i
        table[gram] = i
    if period and len(data) - start >= 64 and len(data) - start >= 3 * period:
        yield start - period, len(data) - start + period, period


def check(row):
    flags = set()
    text = row["prediction"]
    reasoning, _, answer = text.rpartition("</think>")
    for part in (reasoning, answer):
        data = part.encode("utf-8", "surrogatepass")
        cover, period = tail_loop(data) if data else (0, 0)
        if period:
            unit, count = data[len(data) - period:], cover / period
            if worded(unit.decode("utf-8", "replace")) and count >= 4 and cover >= 100:
                flags.add("repetition_loop")
        for onset, cover, period in inner_loops(data):
            count = cover / period
            if (count >= 10 and cover >= 600) or (count >= 4 and cover >= 1500):
                flags.add("repetition_loop")
        for c in part:
            if c < " " and c not in "\t\n\r" or c == "\x7f":
                flags.add("control_char")
            elif c == "\ufffd":
                flags.add("replacement_char")
            elif c >= "\x80" and unicodedata.category(c) == "Cs":
                flags.add("invalid_unicode")
    if not answer.strip():
        flags.add("empty")
    if OPEN.search(text) and not CLOSE.search(text):
        flags.add("think_unclosed")
    if SPECIAL.search(answer):
        flags.add("special_token_leak")
    if "\\boxed" in str(row["origin_prompt"]) and not BOXED.search(answer):
        flags.add("no_final_answer")
    return flags


def plain(path, limit):
    counts, samples, done = {}, 0, 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            done += len(line.encode())
            samples += 1
            for flag in check(json.loads(line)):
                counts[flag] = counts.get(flag, 0) + 1
            if done >= limit:
                break
    return samples, done, counts


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("lines")
    options.add_argument("--mb", type=float, default=16)
    options.add_argument("--threads", type=int, default=1)
    arguments = options.parse_args()
    import vaa

    start = time.perf_counter()
    samples, done, counts = plain(arguments.lines, arguments.mb * 2**20)
    python_s = time.perf_counter() - start
    print(f"plain Python   {done / python_s / 1e6:9.2f} MB/s   {samples} samples   {counts}")

    with tempfile.TemporaryDirectory() as folder:
        same = os.path.join(folder, "lines.jsonl")
        with open(arguments.lines, "rb") as source, open(same, "wb") as target:
            target.write(source.read(done))
        best = 1e9
        for _ in range(3):
            start = time.perf_counter()
            report = vaa.check(same, threads=arguments.threads)
            report.to_text()
            best = min(best, time.perf_counter() - start)
        print(f"vaa check      {done / best / 1e6:9.2f} MB/s   {int(report.number('/counts/samples'))} samples   {arguments.threads} threads")
    print(f"ratio          {python_s / best:9.1f}")


if __name__ == "__main__":
    main()
