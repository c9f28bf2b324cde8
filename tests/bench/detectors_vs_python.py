"""All detectors beside two rules of Python programs, on the same answers, in one process and on one core.

    python tests/bench/detectors_vs_python.py ENGLISH.jsonl CHINESE.jsonl [--mb 4]

The files are vaa records (docs_en.jsonl and docs_zh.jsonl of tests/calibration/corpora.py); their text is cut into answers of 1 to 8 KB and of 128 KB, about 32K tokens.
Peers: the share of repeated character 4-grams, in a line of plain Python, and datatrove's GopherRepetitionFilter, with words cut at blanks (Chinese: each character a word), which
is faster than its own word splitter, and limits that nothing reaches, so that it reads every text to the end as it does those that pass; without datatrove its columns stay
empty. vaa's time begins with the Python string too. Seconds are those of the thread's processor time.
"""
import argparse
import json
import random
import time

import vaa

LOOPS_AND_UNICODE = ["repetition_loop", "replacement_char", "control_char", "invalid_unicode"]


def read(path, size):
    """About `size` bytes of text, in the order of the file."""
    parts, total = [], 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["output"]["text"]
            parts.append(text)
            total += len(text.encode())
            if total >= size:
                break
    return "\n\n".join(parts)


def cut(text, low, high):
    """Answers of `low` to `high` bytes."""
    draw, out, at = random.Random(1), [], 0
    per_char = len(text.encode()) / len(text)
    while at < len(text):
        chars = int(draw.randint(low, high) / per_char)
        out.append(text[at:at + chars])
        at += chars
    return out


def four_grams(text):
    n = len(text) - 3
    return n > 0 and 1 - len({text[i:i + 4] for i in range(n)}) / n >= 0.35


def gopher(split):
    """datatrove's filter as a function of a text, None where it is not installed."""
    try:
        from datatrove.data import Document
        from datatrove.pipeline.filters import gopher_repetition_filter
    except ImportError:
        return None
    gopher_repetition_filter.split_into_words = lambda text, language: split(text)
    rule = gopher_repetition_filter.GopherRepetitionFilter(9, 9, 9, 9, tuple((n, 9) for n in (2, 3, 4)), tuple((n, 9) for n in range(5, 11)))
    return lambda text: rule.filter(Document(text=text, id=""))


def detectors(**options):
    tally = vaa.Checker(**options).tally(max_rows=0)
    return lambda text: tally.push(vaa.Sample(text=text, finish_reason="stop")).flags


def rate(judge, answers, rounds):
    """MB/s, the best of some rounds."""
    best = 1e9
    for _ in range(rounds):
        start = time.thread_time()
        for answer in answers:
            judge(answer)
        best = min(best, time.thread_time() - start)
    return sum(len(a.encode()) for a in answers) / best / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("english")
    parser.add_argument("chinese")
    parser.add_argument("--mb", type=float, default=4)
    options = parser.parse_args()
    print("| answers | vaa, all detectors, MB/s | loops and Unicode, MB/s | 4-gram rule, MB/s | ratio | Gopher rules, MB/s | ratio |\n|---|---:|---:|---:|---:|---:|---:|")
    for language, path, split in (("English", options.english, str.split), ("Chinese", options.chinese, list)):
        text = read(path, options.mb * 1e6)
        peer = gopher(split)
        for name, low, high in (("1 to 8 KB", 1 << 10, 8 << 10), ("128 KB", 1 << 17, 1 << 17)):
            answers = cut(text, low, high)
            ours = rate(detectors(), answers, 5)
            some = rate(detectors(flags=LOOPS_AND_UNICODE), answers, 5)
            grams = rate(four_grams, answers, 2)
            rules = rate(peer, answers, 1) if peer else float("nan")
            print(f"| {language}, {name} | {ours:.0f} | {some:.0f} | {grams:.1f} | {ours / grams:.1f} | {rules:.2f} | {ours / rules:.0f} |", flush=True)


if __name__ == "__main__":
    main()
