"""Two greedy runs with top-k logprobs, compared: peak memory, time, and bytes a compared position. Usage: compare_memory.py [ANSWERS [TOKENS [TOP]]], default 1000 8192 20 (some 5 GB of files)."""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time


DISTINCT = 50


def output(number, tokens, top, noise):
    draw = random.Random(number)
    ids = [draw.randrange(1000, 100000) for _ in range(tokens)]
    lists, chosen = [], []
    for token in ids:
        first = -0.3 - 0.3 * draw.random() - 0.01 * noise.random()
        chosen.append(round(first, 5))
        lists.append([[token, chosen[-1]]] + [[token + 1 + k, round(first - 3.2 - 0.4 * k, 5)] for k in range(top - 1)])
    return {"text": f"answer {number}", "token_ids": ids, "logprobs": chosen, "top_logprobs": lists, "ids_include_stop": False}


def write(path, answers, tokens, top, seed, order):
    """Answer q has the same ids in both runs; `seed` moves the logprobs a little. DISTINCT outputs are made and stand under several questions each."""
    noise, made = random.Random(seed), {}
    with open(path, "w", encoding="ascii") as out:
        for q in order:
            which = q % DISTINCT
            if which not in made:
                made[which] = json.dumps(output(which, tokens, top, noise), separators=(",", ":"))
            record = {"schema": "vaa.record/1", "id": str(q), "repeat": 0, "dataset": "made", "prompt": {"token_ids": [1, 2, q + 3]}, "finish_reason": "stop", "sampling": {"temperature": 0}}
            out.write(json.dumps(record, separators=(",", ":"))[:-1] + ',"output":' + made[which] + "}\n")


def main():
    answers, tokens, top = (int(v) for v in (sys.argv[1:] + ["1000", "8192", "20"][len(sys.argv) - 1:])[:3])
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("old.jsonl", "new.jsonl")]
        shuffled = list(range(answers))
        random.Random(3).shuffle(shuffled)
        for order, what in ((list(range(answers)), "same order"), (shuffled, "other order")):
            write(paths[0], answers, tokens, top, 1, range(answers))
            write(paths[1], answers, tokens, top, 2, order)
            start = time.monotonic()
            code = subprocess.run([sys.executable, "-m", "vaa", "compare", *paths, "--quiet"], stdout=subprocess.DEVNULL).returncode
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            size = sum(map(os.path.getsize, paths)) / 1e6
            print(f"{what}: {answers} x {tokens} x top-{top}, {size:.0f} MB of files: exit code {code}, {time.monotonic() - start:.1f} s, peak {peak:.0f} MB, {peak * 2**20 / answers / tokens:.0f} B a position")


if __name__ == "__main__":
    main()
