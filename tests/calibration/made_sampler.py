"""A sampler whose law is known: made logits, the steps of an engine with a place for each fault, and record files of what its API would say."""
import dataclasses
import json
from typing import Optional

import numpy as np

VOCABULARY = 1000
LISTED = 20


def bf16(values):
    """float32 with the 8 bits of a bfloat16's significand, rounded to nearest even."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def model_logits(draw, rows, vocabulary=VOCABULARY):
    """Rows of which some are sure and some are flat, as a language model's are: logits fall with the logarithm of the rank, by another slope at each position."""
    slope = np.exp(draw.normal(1.0, 0.5, rows))[:, None]
    ranked = -slope * np.log(np.arange(vocabulary) + 1.0 + draw.exponential(0.5, (rows, 1))) + 0.4 * draw.standard_normal((rows, vocabulary))
    return draw.permuted(ranked, axis=1).astype(np.float32)


@dataclasses.dataclass
class Asked:
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0


@dataclasses.dataclass
class Built:
    """How an engine is built: all as declared, unless a fault says otherwise."""
    temperature: Optional[float] = None      # what it divides by
    more_k: int = 0
    top_p_unsorted: bool = False
    temperature_last: bool = False           # after min-p and top-p
    logits: str = "float32"                  # bfloat16: rounded before all else
    softmax: str = "float64"                 # float16, float32
    noise: float = 0.0                       # standard deviation, on logits that a token is picked from
    tail: float = 1.0                        # draws in the last 2 % of the mass, over those due
    replaced: Optional[int] = None           # an id that takes the place of a share of the tokens
    share: float = 0.0
    last_of_ties: bool = False
    processed: bool = False                  # what the API reports: the law as it was asked
    seeds: str = "kept"                      # stuck, ignored, one (the same for all prompts)
    batch_noise: float = 0.0                 # standard deviation, on the logits of each repeat
    race: bool = False                       # tokens race by exponential noise; else one uniform number walks the masses


def softmax(logits, kind):
    if kind == "float16":
        weights = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float16))
        return (weights / weights.sum(axis=1, keepdims=True, dtype=np.float16)).astype(np.float64)
    if kind == "float32":  # another order of sums, too
        weights = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float32))
        return (weights / weights[:, ::-1].sum(axis=1, keepdims=True, dtype=np.float32)).astype(np.float64)
    weights = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def log_softmax(logits):
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def cut(logits, asked, built):
    """Logits with -infinity for what top-k, top-p and min-p leave out: min-p, then top-k, then top-p of what is left."""
    kept = np.ones(logits.shape, dtype=bool)
    if asked.min_p > 0:
        probs = softmax(logits, built.softmax)
        kept &= probs >= asked.min_p * probs.max(axis=1, keepdims=True)
    if asked.top_k > 0:
        kept &= logits >= -np.partition(-logits, asked.top_k + built.more_k - 1, axis=1)[:, asked.top_k + built.more_k - 1, None]
    if asked.top_p < 1:
        probs = softmax(np.where(kept, logits, -np.inf), built.softmax)
        order = np.broadcast_to(np.arange(logits.shape[1]), logits.shape) if built.top_p_unsorted else np.argsort(-probs, axis=1, kind="stable")
        ranked = np.take_along_axis(probs, order, axis=1)
        before = np.cumsum(ranked, axis=1, dtype=np.float16 if built.softmax == "float16" else np.float64) - ranked
        keep = before < asked.top_p
        keep[:, 0] = True
        nucleus = np.zeros_like(kept)
        np.put_along_axis(nucleus, order, keep, axis=1)
        kept &= nucleus
    return np.where(kept, logits, -np.inf)


def law_of(logits, asked, built):
    """The law that tokens are drawn from, as logits."""
    temperature = asked.temperature if built.temperature is None else built.temperature
    if asked.temperature == 0:
        return logits
    if built.temperature_last:
        return cut(logits.astype(np.float64), asked, built) / temperature
    return cut(logits.astype(np.float64) / temperature, asked, built)


def pick(draw, logits, asked, built):
    """The tokens of the rows."""
    if asked.temperature == 0:
        noisy = logits + built.noise * draw.standard_normal(logits.shape)
        return noisy.shape[1] - 1 - noisy[:, ::-1].argmax(axis=1) if built.last_of_ties else noisy.argmax(axis=1)
    probs = softmax(law_of(logits, asked, built), built.softmax)
    if built.race:
        return (probs / draw.exponential(size=probs.shape)).argmax(axis=1)
    order = np.argsort(-probs, axis=1, kind="stable")
    mass = np.cumsum(np.take_along_axis(probs, order, axis=1), axis=1)
    u = draw.random(len(logits))
    if built.tail != 1:
        u = np.where(draw.random(len(u)) < 0.02 * built.tail, 0.98 + 0.02 * draw.random(len(u)), 0.98 * draw.random(len(u)))
    rank = np.minimum((mass <= (u * mass[:, -1])[:, None]).sum(axis=1), (probs > 0).sum(axis=1) - 1)
    chosen = np.take_along_axis(order, rank[:, None], axis=1)[:, 0]
    if built.replaced is not None:
        chosen = np.where(draw.random(len(chosen)) < built.share, built.replaced, chosen)
    return chosen


def record_lines(draw, asked, built=Built(), answers=30, tokens=100, repeats=1, seeded=False, declared=None, mode=True, vocabulary=VOCABULARY):
    """The lines of a run: `answers` prompts with `repeats` each. seeded: repeats come in pairs of one seed. declared: what the records say, where it is not what the engine was asked."""
    lines, common = ['{"schema": "vaa.run/1"}'], draw.integers(2**31) if built.seeds == "one" else 0
    said = declared or asked
    for prompt in range(answers):
        logits = model_logits(draw, tokens, vocabulary)
        if built.logits == "bfloat16":
            logits = bf16(logits)
        model, stuck = logits, draw.integers(2**31)
        for repeat in range(repeats):
            logits = model + built.batch_noise * draw.standard_normal(model.shape).astype(np.float32) if built.batch_noise else model
            raw = log_softmax(logits)
            seed = repeat // 2 if seeded else repeat
            stream = {"kept": [stuck, seed], "stuck": [stuck], "ignored": [stuck, seed, repeat], "one": [common]}[built.seeds]
            chosen = pick(np.random.default_rng(stream), logits, asked, built)
            reported = log_softmax(law_of(logits, asked, Built())) if built.processed else raw
            top = np.argsort(-reported, axis=1, kind="stable")[:, :LISTED]
            values = np.maximum(np.round(np.take_along_axis(reported, np.column_stack([chosen, top]), axis=1), 6), -9999.0).tolist()
            lists = [[[ids[j], own[j]] for j in range(LISTED + 1) if j == 0 or ids[j] != ids[0]] for ids, own in zip(np.column_stack([chosen, top]).tolist(), values)]
            sampling = {"temperature": said.temperature, "top_p": said.top_p, "top_k": said.top_k, "min_p": said.min_p, "seed": 42 if built.seeds == "one" else 1000 * prompt + seed}
            if mode:
                sampling["logprobs_mode"] = "processed_logprobs" if built.processed else "raw_logprobs"
            lines.append(json.dumps({"schema": "vaa.record/1", "id": str(prompt), "repeat": repeat, "output": {"token_ids": [int(c) for c in chosen], "logprobs": [one[0][1] for one in lists], "top_logprobs": lists},
                                     "finish_reason": "length", "sampling": sampling}))
    return lines
