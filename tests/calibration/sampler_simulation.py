"""How often vaa sampler sees a fault, by how many tokens, and how often it calls one where there is none: runs of a made engine (made_sampler.py) as record files.

    python tests/calibration/sampler_simulation.py [--runs 200] [--seed 1]

Prints the tables of docs/sampler-calibration.md. A run has 10 answers of 100 tokens (12 where seeds are looked at); a fault is given 1, 2, 4, … times that until it is called in 8 of 10 runs."""
import argparse
import os
import tempfile

import numpy as np

import vaa
from made_sampler import Asked, Built, record_lines

VOCABULARY = 300
ANSWERS, TOKENS = 10, 100
MOST = 16  # times ANSWERS

BENIGN = {
    "T 0.3": (Asked(0.3), Built()),
    "T 0.6, float32 sums in another order": (Asked(0.6), Built(softmax="float32")),
    "T 1, bfloat16 logits": (Asked(1.0), Built(logits="bfloat16")),
    "T 0.6, top-p 0.9": (Asked(0.6, top_p=0.9), Built()),
    "T 1, top-k 20": (Asked(1.0, top_k=20), Built()),
    "T 1, min-p 0.05": (Asked(1.0, min_p=0.05), Built()),
    "T 0.6, top-p 0.9, top-k 20, bfloat16 logits": (Asked(0.6, top_p=0.9, top_k=20), Built(logits="bfloat16")),
    "T 0.6, top-p 0.9, processed logprobs": (Asked(0.6, top_p=0.9), Built(processed=True)),
    "T 0, bfloat16 logits, ties by the last id": (Asked(0.0), Built(logits="bfloat16", last_of_ties=True)),
    "T 0.6, four repeats by two seeds": (Asked(0.6), Built(), dict(answers=3, repeats=4, seeded=True)),
    "the same, logits of each repeat 0.05 off": (Asked(0.6), Built(batch_noise=0.05), dict(answers=3, repeats=4, seeded=True)),
    "the same, 0.2 off, tokens race": (Asked(0.6), Built(batch_noise=0.2, race=True), dict(answers=3, repeats=4, seeded=True)),
    "T 0.6, one seed for all prompts": (Asked(0.6), Built(seeds="one")),
    "T 1, top-p 0.9, one seed for all prompts, tokens race": (Asked(1.0, top_p=0.9), Built(seeds="one", race=True)),
}
FAULTS = {
    "temperature ignored (0.6 asked)": (Asked(0.6), Built(temperature=1.0)),
    "temperature twice (0.6 asked)": (Asked(0.6), Built(temperature=0.36)),
    "temperature 0.8 (0.6 asked)": (Asked(0.6), Built(temperature=0.8)),
    "always the likeliest (0.6 asked)": (Asked(0.6), Built(temperature=1e-6)),
    "temperature twice, processed logprobs": (Asked(0.6), Built(temperature=0.36, processed=True)),
    "top-k one too many (10 asked)": (Asked(1.0, top_k=10), Built(more_k=1)),
    "top-k one too few (10 asked)": (Asked(1.0, top_k=10), Built(more_k=-1)),
    "top-p over unsorted probabilities (0.9)": (Asked(0.6, top_p=0.9), Built(top_p_unsorted=True)),
    "min-p before the temperature (1.5, 0.05)": (Asked(1.5, min_p=0.05), Built(temperature_last=True), {}, dict(engine="vllm_v1")),
    "min-p after the temperature (1.5, 0.05)": (Asked(1.5, min_p=0.05), Built(), {}, dict(engine="llama_cpp")),
    "last 2 % of the mass twice as often": (Asked(1.0), Built(tail=2)),
    "last 2 % of the mass never": (Asked(1.0), Built(tail=0)),
    "token 0 for 1 % of tokens": (Asked(0.6), Built(replaced=0, share=0.01)),
    "the last id for 1 % of tokens": (Asked(0.6), Built(replaced=VOCABULARY - 1, share=0.01)),
    "noise of 0.5 on greedy logits": (Asked(0.0), Built(noise=0.5)),
    "seed stuck": (Asked(0.6), Built(seeds="stuck"), dict(answers=3, repeats=4, seeded=True)),
    "seed ignored": (Asked(0.6), Built(seeds="ignored"), dict(answers=3, repeats=4, seeded=True)),
    "seed ignored, logits of each repeat 0.05 off": (Asked(0.6), Built(seeds="ignored", batch_noise=0.05), dict(answers=3, repeats=4, seeded=True)),
    "softmax in float16 (0.6, top-p 0.9)": (Asked(0.6, top_p=0.9), Built(softmax="float16")),
}
NUMBERS = {name: number for table in (BENIGN, FAULTS) for number, name in enumerate(table)}  # seeds of a row stay when others are left out


def verdict_of(case, draw, times, path):
    asked, built, made, options = (*case, {}, {})[:4]
    made = {"answers": ANSWERS, "tokens": TOKENS, **made}
    made["answers"] *= times
    with open(path, "w") as file:
        file.write("\n".join(record_lines(draw, asked, built, vocabulary=VOCABULARY, **made)) + "\n")
    report = vaa.calibrate(path, vocab_size=VOCABULARY, **options)
    failed = [check for group in report.to_dict()["sampler"]["groups"] for check in group["checks"] if check["status"] == "fail"]
    return report.exit_code, sorted(check["kind"] for check in failed), made["answers"] * TOKENS * made.get("repeats", 1)


def share(k, n):
    low, high = vaa.stats.clopper_pearson(k, n)
    return f"{k}/{n} ({100 * low:.1f} to {100 * high:.1f} %)"


def benign_table(runs, seed, path):
    """Round by round, so that what is stopped early has the same number of runs of each."""
    codes = {name: [] for name in BENIGN}
    for run in range(runs):
        for name, case in BENIGN.items():
            codes[name].append(verdict_of(case, np.random.default_rng([seed, NUMBERS[name], run]), 1, path)[:2])
        if run % 10 == 9 or run + 1 == runs:
            show_benign(codes)


def show_benign(codes):
    print("| engine | alarms (95 %) | passes | undecided |\n|---|---|---|---|")
    for name, told in [*codes.items(), ("all", sum(codes.values(), []))]:
        seen = [code for code, _ in told]
        kinds = sorted({kind for _, called in told for kind in called})
        print(f"| {name} | {share(seen.count(1), len(seen))}{' ' + ', '.join(kinds) if kinds else ''} | {seen.count(0)} | {seen.count(3)} |")
    print(flush=True)


def fault_table(runs, seed, path):
    print("| fault | tokens | called (95 %) | as |\n|---|---|---|---|")
    for name, case in FAULTS.items():
        times, called = 1, []
        while True:
            told = [verdict_of(case, np.random.default_rng([seed, 1000 + NUMBERS[name], times, run]), times, path) for run in range(runs)]
            called = [kinds for code, kinds, _ in told if code == 1]
            if len(called) >= 0.8 * runs or times == MOST:
                break
            times *= 2
        kinds = [kind for one in called for kind in one]
        ranked = sorted(set(kinds), key=lambda kind: -kinds.count(kind))[:2]
        print(f"| {name} | {told[0][2]:,} | {share(len(called), runs)} | {', '.join(ranked) or '-'} |", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--fault-runs", type=int, default=20)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="rows whose names hold this")
    given = options.parse_args()
    for table in (BENIGN, FAULTS):
        for name in [name for name in table if given.only not in name]:
            del table[name]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.jsonl")
        fault_table(given.fault_runs, given.seed, path)
        print()
        benign_table(given.runs, given.seed, path)


if __name__ == "__main__":
    main()
