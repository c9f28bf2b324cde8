"""Short answers drawn again and again by an engine with speculation and by the same engine without: the law of each token is known, and so is what a wrong rejection sampler makes of it."""
import json

import numpy as np

import made_records
from made_model import halves, mixed, noise

TOKENS = 8
TEMPERATURE = 0.8
DRAFTED = 0.6   # share of the texts that a draft token stands after; never the first token, which prefill draws
PROPER = 0.7    # of them those whose draft is the likeliest token; the others have the second


def softmax(logits, temperature):
    x = (logits - logits.max(axis=-1, keepdims=True)).astype(float) / temperature
    p = np.exp(x)
    return p / p.sum(axis=-1, keepdims=True)


def without(p, draft):
    rest = p.copy()
    np.put_along_axis(rest, draft[:, None], 0.0, -1)
    return rest / rest.sum(axis=-1, keepdims=True)


def at(p, draft):
    return np.take_along_axis(p, draft[:, None], -1)


def one_hot(p, draft):
    out = np.zeros_like(p)
    np.put_along_axis(out, draft[:, None], 1.0, -1)
    return out


# What is emitted where a token was drafted, of the logits and of p, their law at the temperature that was asked; docs of the faults: sampling.md.
EMITS = {
    "right": lambda logits, p, draft: p,
    "p(d) restored as 0": lambda logits, p, draft: without(p, draft),                       # vllm-ascend#1632
    "every draft accepted": lambda logits, p, draft: one_hot(p, draft),                     # vllm-ascend#13470
    "recovered from p": lambda logits, p, draft: (one_hot(p, draft) + 1 - at(p, draft)) * p,  # what was rejected may come again
    "verified by argmax": lambda logits, p, draft: one_hot(p, logits.argmax(axis=-1)),      # sglang#32495
    "verified at temperature 1": lambda logits, p, draft: softmax(logits, 1.0),             # vLLM V0#9834
    "q of a hotter draft": lambda logits, p, draft: 0.95 * p + 0.05 * one_hot(p, draft),    # accepted a little too often: HF#47932
    "1 % token 0": lambda logits, p, draft: p,                                              # drawn() puts it in: no token of the model's
}


def drawn(case, repeats, emits, sigma=0.0):
    """[answers, tokens] ids, and of the same places the model's ids and logits."""
    keys = np.repeat(case.keys, repeats)
    ids, listed, logits_of = [], [], []
    for t in range(TOKENS):
        logits, names, at = (x[:, 0] for x in case.model.logits(keys[:, None]))
        computed = logits + (noise(case.draw, logits[:, None].shape, sigma)[:, 0] if sigma else 0)
        p = softmax(computed, TEMPERATURE)
        kind, other = halves(mixed(at + np.uint64(999)))
        draft = np.where(other < PROPER, 0, 1)
        drafts = (kind < DRAFTED) & (t > 0)
        law = np.where(drafts[:, None], EMITS[emits](computed, p, draft), p)
        law = law / law.sum(axis=-1, keepdims=True)
        choice = (case.draw.random(len(keys))[:, None] > law.cumsum(axis=-1)).sum(axis=-1).clip(max=p.shape[1] - 1)
        chosen = np.take_along_axis(names, choice[:, None], -1)[:, 0]
        if emits == "1 % token 0":
            chosen = np.where(drafts & (case.draw.random(len(keys)) < 0.01 / DRAFTED), 0, chosen)
        ids.append(chosen), listed.append(names), logits_of.append(logits)
        keys = mixed(keys ^ mixed(np.uint64(t * 64) + choice.astype(np.uint64) + np.uint64(1)))
    return np.stack(ids, 1), np.stack(listed, 1), np.stack(logits_of, 1)


def header(drafts):
    engine = {"generation_tokens": 1000, "spec": {"drafts": drafts, "draft_tokens": drafts, "accepted_tokens": drafts // 2}}
    counters = {"servers": [{"endpoint": "http://127.0.0.1:8000", "counted": {"engines": [engine]}, "proves": {"speculation": {"drafted": drafts > 0}}}]}
    return made_records.header(counters=counters)


def lines(case, repeats, emits, speculates, lists, sigma=0.0):
    ids, listed, logits = drawn(case, repeats, emits, sigma)
    kept = case.model.listed
    yield header(5000 if speculates else 0)
    for i, row in enumerate(ids):
        record = {"schema": "vaa.record/1", "id": str(i // repeats), "repeat": i % repeats, "dataset": "made", "prompt": {"token_ids": made_records.prompt_ids(i // repeats)}, "finish_reason": "length",
                  "sampling": {"temperature": TEMPERATURE, "top_p": 1, "top_k": 0, "min_p": 0, "max_tokens": TOKENS, "logprobs_mode": "raw_logprobs"}, "output": {"token_ids": row.tolist(), "ids_provenance": "engine"}}
        if lists:
            logprobs = case.model.logprobs(logits[i])
            places = [list(zip(listed[i, t].tolist(), np.round(logprobs[t].astype(float), 6).tolist())) for t in range(TOKENS)]
            chosen = [(token, dict(place)[token]) for place, token in zip(places, row.tolist())]
            record["output"] |= {"logprobs": [logprob for _, logprob in chosen], "top_logprobs": [[own, *(e for e in place[:kept] if e != own)] for own, place in zip(chosen, places)]}
        yield json.dumps(record) + "\n"


def write(case, emits="right", repeats=32, sigma=0.0, lists=True):
    """The files of a comparison: plain decoding, with lists of the likeliest tokens, and what speculates, without."""
    return {"reference": list(lines(case, repeats, "right", False, lists)), "target": list(lines(case, repeats, emits, True, False, sigma))}
