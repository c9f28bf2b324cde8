"""How often `vaa compare` is right: families of two runs whose law is known, written as record files, compared and deleted.

    python tests/calibration/compare_simulation.py [--runs 400] [--seed 1] [FAMILY…]

A family is a target's law; the reference's is healthy: each question has its own chance to be right and its own length, answers are drawn anew, one in 400 loops. Printed for each: runs,
verdicts, and of every gate the share of runs in which its own p (before Holm) says "beyond the margin", with the exact 95 % limits.
"""
import argparse
import json
import math
import pathlib
import random
import tempfile

import vaa

from verdict_tally import Tally, row

WORDS = ("shelf", "river", "number", "garden", "window", "letter", "market", "signal", "bridge", "paper", "engine", "valley", "ticket", "anchor", "carpet", "branch")
HEALTHY_LOOPS = 1 / 400


class Family:
    """How the target differs: points of score, share of broken answers, ratio of lengths, share that is cut, share that answers another question; questions and repeats."""

    def __init__(self, same, drop=0.0, broken=0.0, ratio=1.0, cut=0.0, crossed=0.0, questions=200, repeats=1):
        self.same, self.drop, self.broken, self.ratio, self.cut, self.crossed, self.questions, self.repeats = same, drop, broken, ratio, cut, crossed, questions, repeats


FAMILIES = {
    "same law, 200 x 1": Family(True),
    "same law, 200 x 4": Family(True, repeats=4),
    "same law, 1,319 x 1": Family(True, questions=1319),
    "1 % broken, 1,319 x 1": Family(False, broken=0.01, questions=1319),
    "5 % broken, 200 x 1": Family(False, broken=0.05),
    "5 % broken, 1,319 x 1": Family(False, broken=0.05, questions=1319),
    "10 % cut, 200 x 1": Family(False, cut=0.1),
    "5 % answers of other questions, 200 x 1": Family(False, crossed=0.05),
    "answers 30 % longer, 200 x 1": Family(False, ratio=1.3),
    "3 points worse, 200 x 1": Family(False, drop=0.03),
    "3 points worse, 200 x 4": Family(False, drop=0.03, repeats=4),
    "3 points worse, 1,319 x 1": Family(False, drop=0.03, questions=1319),
    "5 points worse, 200 x 4": Family(False, drop=0.05, repeats=4),
    "5 points worse, 1,319 x 1": Family(False, drop=0.05, questions=1319),
}


def text_of(draw, words):
    out = []
    for i in range(max(1, round(words / 8))):
        out.append(f"{draw.choice(WORDS).capitalize()} {draw.randrange(10**5)} goes with {draw.choice(WORDS)} {draw.randrange(10**5)} to the {draw.choice(WORDS)}.")
    return " ".join(out)


def write_run(path, draw, questions, family):
    """`family` None: the reference."""
    with open(path, "w", encoding="utf-8") as file:
        for i, (chance, words) in enumerate(questions):
            for repeat in range(family.repeats if family else questions.repeats):
                length = words * math.exp(draw.gauss(0, 0.35)) * (family.ratio if family else 1)
                right = draw.random() < chance - (family.drop if family else 0)
                text, finish = text_of(draw, length), "stop"
                if draw.random() < HEALTHY_LOOPS + (family.broken if family else 0):
                    text, right = text + " and so on it goes," * 30, False
                elif family and draw.random() < family.cut:
                    text, right, finish = text[: len(text) // 2], False, "length"
                elif family and draw.random() < family.crossed:
                    right = False
                record = {"schema": "vaa.record/1", "id": str(i), "repeat": repeat, "dataset": "made", "output": {"text": text}, "finish_reason": finish, "sampling": {"temperature": 0.6},
                          "score": {"metric": "accuracy", "correct": right}}
                file.write(json.dumps(record) + "\n")


class Questions(list):
    repeats = 1


def drawn_questions(draw, family):
    """Chances as those of a model near 80 %: most questions are nearly always right, few nearly never."""
    out = Questions((min(0.99, max(family.drop, draw.betavariate(2.4, 0.6))), 60 * math.exp(draw.gauss(0, 0.5))) for _ in range(family.questions))
    out.repeats = family.repeats
    return out


def simulate(family, runs, seed):
    tally = Tally()
    for number in range(runs):
        draw = random.Random(f"{seed}/{number}")
        questions = drawn_questions(draw, family)
        with tempfile.TemporaryDirectory() as folder:
            old, new = pathlib.Path(folder) / "old.jsonl", pathlib.Path(folder) / "new.jsonl"
            write_run(old, draw, questions, None)
            write_run(new, draw, questions, family)
            tally.add(vaa.compare(old, new).to_dict()["comparison"])
    return tally


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    args = parser.parse_args()
    print("| target | runs | worse | 95 % limits | undecided | passes | score: p < 5 % | score beyond | flags beyond | lengths beyond |\n|---|---|---|---|---|---|---|---|---|---|")
    for name in args.families or FAMILIES:
        tally = simulate(FAMILIES[name], args.runs, args.seed)
        beyond = [tally.share(tally.beyond, step) for step in ("score", "flags", "lengths")]
        print(row([name, *tally.cells(), tally.share(tally.differs, "score"), *beyond]), flush=True)


if __name__ == "__main__":
    main()
