"""Families of two runs with token ids and logprobs whose law is known: the reference, the reference again, the target, and where it is asked for the target again, each as lines of a record file."""
import dataclasses
import functools
import typing

import numpy as np

import made_records
import spec_runs
from made_model import Model, mixed, noise

WRONG_WEIGHTS = 0.295  # standard deviation of a logit's error at which the mean KL is 0.01 nats; test_compare_simulation.py measures it
BROKEN_RATIO = 5.0    # noise where a bug bites, times that of the reference against itself


class Case:
    """One comparison: a model, its prompts and a stream of random numbers."""

    def __init__(self, number, seed, prompts=64, length=512, listed=5):
        self.draw = np.random.default_rng([*np.atleast_1d(seed).tolist(), number])
        self.model = Model(self.draw.integers(2**62), listed)
        self.keys, self.length = self.model.prompts(prompts), length

    def noise(self, ratio=1.0, clustered=False):
        return noise(self.draw, (len(self.keys), self.length, self.model.computed), ratio, clustered)

    def answers(self, ratio=1.0, clustered=False, **engine):
        return self.model.answer(self.keys, self.noise(ratio, clustered), **engine)

    def some(self, share):
        """Indices of answers, each with that chance."""
        return np.flatnonzero(self.draw.random(len(self.keys)) < share)


def lines(answers, batch, **record):
    """A run's file. batch: what is varied between a run and its repetition."""
    return None if answers is None else [made_records.header(concurrency=batch), *made_records.answer_records(answers, **record)]


def files(reference, again, target, target_again=None, **record):
    return {"reference": lines(reference, 64, **record), "aa": lines(again, 1, **record), "target": lines(target, 64, **record), "aa_target": lines(target_again, 1, **record)}


def benign(case, ratio=1.0, aa=True, held=False, **engine):
    """held: the target is held against itself, too."""
    runs = [case.answers(**engine), case.answers(**engine) if aa else None, case.answers(ratio, **engine), case.answers(ratio, **engine) if held else None]
    more = {"temperature": engine["temperature"], "seed": 7} if engine.get("temperature") else {}
    return files(*runs, **more)


def identical_again(case, ratio=1.0, **engine):
    """An engine that repeats itself to the bit: the reference against itself measures nothing."""
    reference = case.answers(**engine)
    return files(reference, reference, case.answers(ratio, **engine))


def repeats_itself(case):
    """All runs to the bit."""
    reference = case.answers()
    return files(reference, reference, reference)


def scored(case):
    """Right or wrong by the text: another text is right by chance again."""
    runs = [case.answers() for _ in range(3)]
    chance = case.draw.beta(2.4, 0.6, len(case.keys))
    right = case.draw.random(len(case.keys)) < chance
    out = files(*runs)
    for name, answers in zip(("reference", "aa", "target"), runs):
        other = (answers.ids != runs[0].ids).any(axis=1)
        out[name] = lines(answers, 1 if name == "aa" else 64, correct=np.where(other, case.draw.random(len(right)) < chance, right))
    return out


def seed_ignored(case, share=1.0):
    """Sampled answers of one seed; of `share` of them the target draws other numbers."""
    engine = {"temperature": 0.6}
    other = np.isin(np.arange(len(case.keys)), case.some(share))
    return files(case.answers(**engine), case.answers(**engine), case.answers(**engine, other_seed=other), temperature=0.6, seed=7)


def faulty(case, fault, **record):
    """`fault(case)`: the target's answers."""
    return files(case.answers(), case.answers(), fault(case), **record)


def looping(case, share=0.01):
    answers = case.answers()
    for i in case.some(share):
        begin = case.draw.integers(8, 64)
        loop = answers.ids[i, :6].copy()
        n = case.length - begin
        answers.ids[i, begin:], answers.lengths[i], answers.stopped[i] = np.resize(loop, n), case.length, False
        answers.list_ids[i, begin:] = answers.ids[i, begin:, None] + np.arange(answers.list_ids.shape[2])
        answers.list_logprobs[i, begin:], answers.logprobs[i, begin:] = -0.01 - 5.0 * np.arange(answers.list_ids.shape[2]), -0.01
    return answers


def swing(case, share=0.02, nats=7.0):
    """One token of the first 32 is what the reference holds second, by a swing of that many nats (where the gap is smaller)."""
    more = case.noise()
    rows = case.some(share)
    more[rows, case.draw.integers(1, 32, len(rows)), 1] += nats
    return case.model.answer(case.keys, more)


def cross_talk(case, share=0.02):
    """An answer goes on as that of the next prompt does, from a position on."""
    keys = np.repeat(case.keys[:, None], case.length, axis=1)
    for i in case.some(share):
        keys[i, case.draw.integers(8, 64) :] = case.keys[i - 1]
    return case.model.answer(keys, case.noise())


def wrong_weights(case):
    return case.answers(wrong=WRONG_WEIGHTS)


def processed(case, temperature=0.0, **mode):
    """The target reports other logprobs of the same choices."""
    same = {"temperature": temperature, "seed": 7} if temperature else {}
    engine = {"temperature": temperature}
    return files(case.answers(**engine), case.answers(**engine), case.answers(**engine, **mode), **same)


def cut(case, limit=200):
    answers = case.answers()
    short = dataclasses.replace(answers, **{f.name: getattr(answers, f.name)[:, :limit] for f in dataclasses.fields(answers) if getattr(answers, f.name).ndim > 1})
    short.stopped[short.lengths > limit], short.lengths = False, np.minimum(short.lengths, limit)
    return short


def stopped_early(case, share=0.1):
    """Half the answer is missing, and the finish reason says stop."""
    answers = case.answers()
    rows = case.some(share)
    answers.lengths[rows], answers.stopped[rows] = answers.lengths[rows] // 2, True
    return answers


def other_text(case, share=0.05):
    """The ids are right; of some answers the text lacks its end."""
    out = files(case.answers(), case.answers(), None, text=True)
    return {**out, "target": lines(case.answers(), 64, text=True, clipped=set(case.some(share).tolist()))}


def bos_twice(case, share=1.0):
    rows = set(case.some(share).tolist()) or {0}
    out = files(case.answers(), case.answers(), None)
    keys = np.where([i in rows for i in range(len(case.keys))], mixed(case.keys), case.keys)
    target = case.model.answer(keys, case.noise())
    return {**out, "target": lines(target, 64, first_of=lambda i: [made_records.BOS] * (i in rows) + made_records.prompt_ids(i))}


def varying_target(case, ratio=2.0):
    """The target differs from itself, too."""
    return files(case.answers(), case.answers(), case.answers(ratio), case.answers(ratio))


RUNGS = np.repeat([1024, 2048, 4160, 8192], 16)  # cuts of 16 answers


def rungs(case, ratio=1.0, bug_from=None, bug=BROKEN_RATIO):
    """Continuations of 32 tokens; the target is noisier where a token stands at `bug_from` or later."""
    of = np.tile(np.arange(16), 4)

    def run(batch, target):
        z = case.noise(ratio if target else 1.0)
        if target and bug_from:
            past = RUNGS[:, None] + np.arange(case.length) >= bug_from
            z[past] = case.noise(bug)[past]
        return [made_records.header(concurrency=batch), *made_records.rung_records(case.model.answer(case.keys, z), RUNGS, of)]

    return {"reference": run(64, False), "aa": run(1, False), "target": run(64, True)}


def forced(case, ratio=1.0, bug_from=None, bug=BROKEN_RATIO):
    def run(batch, target):
        z = case.noise(ratio if target else 1.0)
        if target and bug_from:
            z[:, bug_from:] = case.noise(bug)[:, bug_from:]
        return [made_records.header(concurrency=batch), *made_records.forced_records(case.model.forced(case.keys, z))]

    return {"reference": run(64, False), "aa": run(1, False), "target": run(64, True)}


@dataclasses.dataclass
class Family:
    good: bool                  # "worse" is a false alarm
    write: typing.Callable      # of a Case: the files
    change: str = "version"
    size: dict = dataclasses.field(default_factory=dict)  # of the Case


def families():
    part = functools.partial
    many, rung, texts = {"prompts": 400, "length": 128}, {"length": 32}, {"prompts": 16, "length": 2048}
    table = {f"noise {r} x A/A, {change}": Family(True, part(benign, ratio=r), change) for r, change in ((1.0, "none"), (1.1, "none"), (1.0, "version"), (1.1, "version"), (1.3, "version"))}
    table |= {f"other hardware, noise {r} x A/A": Family(True, part(benign, ratio=r), "hardware") for r in (1.3, 1.5)}
    table |= {
        "all runs to the bit": Family(True, repeats_itself),
        "A/A to the bit": Family(True, identical_again),
        "A/A to the bit, bf16 logits": Family(True, part(identical_again, bf16=True)),
        "no A/A": Family(True, part(benign, aa=False)),
        "no A/A, bf16 logits": Family(True, part(benign, aa=False, bf16=True)),
        "bf16 logits, noise 1.0 x A/A": Family(True, part(benign, bf16=True)),
        "clustered noise 1.0 x A/A": Family(True, part(benign, clustered=True)),
        "clustered noise 1.3 x A/A": Family(True, part(benign, ratio=1.3, clustered=True)),
        "top-20 lists, noise 1.0 x A/A": Family(True, benign, size={"listed": 20}),
        "400 x 128 tokens, noise 1.0 x A/A": Family(True, benign, size=many),
        "400 x 128 tokens, noise 1.3 x A/A": Family(True, part(benign, ratio=1.3), size=many),
        "400 x 128 tokens, other hardware, noise 1.5 x A/A": Family(True, part(benign, ratio=1.5), "hardware", many),
        "target held against itself": Family(True, part(benign, held=True)),
        "scores by chance": Family(True, scored),
        "T = 0.6, one seed": Family(True, part(benign, temperature=0.6)),
        "T = 0.6, one seed, noise 1.3 x A/A": Family(True, part(benign, ratio=1.3, temperature=0.6)),
        "ladder, noise 1.0 x A/A": Family(True, rungs, size=rung),
        "ladder, noise 1.3 x A/A": Family(True, part(rungs, ratio=1.3), size=rung),
        "forced, noise 1.0 x A/A": Family(True, forced, size=texts),
        "forced, noise 1.3 x A/A": Family(True, part(forced, ratio=1.3), size=texts),
    }
    table |= {f"noise {r} x A/A, {change}": Family(False, part(benign, ratio=r), change) for r, change in ((1.5, "none"), (2.0, "none"), (2.0, "version"), (3.0, "version"), (3.0, "hardware"))}
    table |= {
        "ladder, bug from 4,096": Family(False, part(rungs, bug_from=4096), size=rung),
        "forced, bug from 1,024": Family(False, part(forced, bug_from=1024), size=texts),
        "1 % of answers loop": Family(False, part(faulty, fault=looping, text=True), size=many),
        "7 nats in 2 % of answers": Family(False, part(faulty, fault=swing), size=many),
        "cross-talk in 2 % of answers": Family(False, part(faulty, fault=cross_talk), size=many),
        "wrong weights, KL 0.01": Family(False, part(faulty, fault=wrong_weights)),
        "BOS twice": Family(False, bos_twice),
        "BOS twice in 5 % of prompts": Family(False, part(bos_twice, share=0.05)),
        "cut at 200 tokens": Family(False, part(faulty, fault=cut)),
        "10 % stop half-way": Family(False, part(faulty, fault=stopped_early)),
        "same ids, 5 % of the texts lack their end": Family(False, other_text, size=many),
        "T = 0.6, one seed, noise 3.0 x A/A": Family(False, part(benign, ratio=3.0, temperature=0.6)),
        "T = 0.6, seed ignored": Family(False, seed_ignored),
        "T = 0.6, seed ignored in half of the answers": Family(False, part(seed_ignored, share=0.5)),
        "T = 0.6, one seed, processed logprobs": Family(False, part(processed, temperature=0.6, scale=1 / 0.6)),
        "renormalised logprobs": Family(False, part(processed, renormalised=True)),
        "target differs from itself": Family(False, varying_target),
    }
    short = {"prompts": 64, "length": spec_runs.TOKENS, "listed": 20}
    table |= {f"speculation, {name}": Family(True, part(spec_runs.write, **how), "spec", {**short, **size}) for name, how, size in (
        ("right, 64 x 32", {}, {}), ("right, 64 x 8", {"repeats": 8}, {}), ("right, 8 x 128", {"repeats": 128}, {"prompts": 8}), ("right, 200 x 32", {}, {"prompts": 200}), ("right, logits off by A/A noise", {"sigma": 1.0}, {}))}
    table |= {f"speculation, {name}": Family(False, part(spec_runs.write, emits=name), "spec", short) for name in spec_runs.EMITS if name != "right"}
    return table
