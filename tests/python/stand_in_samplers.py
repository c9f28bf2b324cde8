"""Rejection samplers in numpy that are called as vLLM V1's and vLLM-Ascend's are: `module(engine)` gives one to put into sys.modules, right or with a fault."""
import types

import numpy as np

VOCABULARY = 16


class Metadata:
    """What the engines call sampling_metadata."""

    def __init__(self, temperature, generators=None):
        self.temperature = np.asarray(temperature, np.float32)
        self.all_greedy, self.all_random = bool((self.temperature == 0).all()), bool((self.temperature != 0).all())
        self.generators = generators or {}


def softmax(logits):
    p = np.exp(logits - logits.max(axis=-1, keepdims=True), dtype=np.float32)
    return p / p.sum(axis=-1, keepdims=True)


def recovered(p, q, draft):
    """The law after a rejection; q None: the draft is certain."""
    rest = np.maximum(p - q, 0) if q is not None else np.where(np.arange(len(p)) == draft, 0, p)
    return rest / rest.sum() if rest.sum() > 0 else np.eye(len(p))[0]


def verify(draft_token_ids, num_draft_tokens, max_spec_len, draft_probs, logits, bonus_token_ids, sampling_metadata, draw, lost):
    """lost: the probability of the draft token is 0 where it is compared (vllm-ascend#1632)."""
    out = np.full((len(num_draft_tokens), max_spec_len + 1), -1, np.int32)
    at = 0
    for row, count in enumerate(num_draft_tokens):
        greedy = sampling_metadata.temperature[row] == 0
        for place in range(count + 1):
            if place == count:
                out[row, place] = bonus_token_ids[row, 0]
                break
            draft, p = int(draft_token_ids[at + place]), softmax(logits[at + place])
            q = draft_probs[at + place] if draft_probs is not None else None
            if greedy:
                out[row, place] = p.argmax()
                if p.argmax() != draft:
                    break
                continue
            judged = 0 if draft < 0 or lost else p[draft] / (q[draft] if q is not None else 1)
            if judged >= draw.random():
                out[row, place] = draft
                continue
            law = recovered(p, q, draft)
            out[row, place] = draw.choice(len(p), p=law / law.sum())
            break
        at += count
    return out


def module(engine, seed=1, lost=False):
    """A module with rejection_sample of that engine's signature."""
    out = types.ModuleType({"vllm_v1": "vllm.v1.sample.rejection_sampler", "vllm_ascend_v1": "vllm_ascend.sample.rejection_sampler"}[engine])
    draw = np.random.default_rng(seed)
    if engine == "vllm_v1":
        def rejection_sample(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits, bonus_token_ids, sampling_metadata, synthetic_mode=False, synthetic_conditional_rates=None,
                             use_fp64_gumbel=False):
            return verify(draft_token_ids, num_draft_tokens, max_spec_len, draft_probs, target_logits, bonus_token_ids, sampling_metadata, draw, lost)
    else:
        def rejection_sample(draft_token_ids, num_draft_tokens, max_spec_len, cu_num_draft_tokens, draft_probs, target_logits_or_tuple, bonus_token_ids, sampling_metadata, synthetic_mode=False, synthetic_conditional_rates=None,
                             ori_target_logits=None):
            logits, ids = target_logits_or_tuple if isinstance(target_logits_or_tuple, tuple) else (target_logits_or_tuple, None)
            if ids is not None:  # candidates of all ranks
                whole = np.full((len(logits), VOCABULARY), -np.inf, np.float32)
                np.put_along_axis(whole, ids, logits, -1)
                logits = whole
            return verify(draft_token_ids, num_draft_tokens, max_spec_len, draft_probs, logits, bonus_token_ids, sampling_metadata, draw, lost)
    out.rejection_sample = rejection_sample
    return out


def batch(draw, requests=8, one_hot=True, temperature=0.7, padded=False):
    """Arguments of one step: drafts are tokens of the draft law, or likely ones; the last request is greedy, one has no drafts."""
    counts = [int(n) for n in draw.integers(1, 4, requests)]
    counts[1] = 0
    n = sum(counts)
    logits = (draw.standard_normal((n, VOCABULARY)) * 2).astype(np.float32)
    q = None if one_hot else softmax((logits + draw.standard_normal(logits.shape)).astype(np.float32))
    drafts = np.asarray([draw.choice(VOCABULARY, p=(q[i] / q[i].sum())) if q is not None else draw.choice(np.argsort(-logits[i])[:2]) for i in range(n)], np.int32)
    if padded:
        drafts[-1] = -1
    t = np.full(requests, temperature, np.float32)
    t[-1] = 0
    bonus = draw.integers(0, VOCABULARY, (requests, 1)).astype(np.int32)
    return [drafts, counts, 3, np.cumsum(counts).astype(np.int32), q, logits, bonus, Metadata(t)]
