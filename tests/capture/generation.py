"""One answer of the toy model, engine step by engine step: what a request asked for, and what comes out."""
import dataclasses
from typing import Optional

import toy_vocab as vocab
from toy_model import DECODE, PREFILL, Sampling, mix, unit

LOOP_AFTER, LOOP_LENGTH = 24, 6


@dataclasses.dataclass
class Wanted:
    """One choice of one request."""
    prompt: list
    max_tokens: int
    sampling: Sampling
    min_tokens: int = 0
    ignore_eos: bool = False
    stop_ids: tuple = ()
    logprobs: Optional[int] = None      # how many alternatives; None: no logprobs
    draft: int = 0                      # ids drafted a step; 0: plain decoding
    noise_key: Optional[int] = None
    loops: bool = False


@dataclasses.dataclass
class Step:
    """What one step of the engine gave. `logprobs`: an entry an id, (logprob, [(id, logprob)] of the likeliest), or None."""
    ids: list
    logprobs: Optional[list]
    accepted: Optional[int] = None      # of the drafted ids; None: nothing was drafted
    finish: Optional[str] = None
    stop_id: Optional[int] = None


def generate(model, wanted):
    """Yields Steps; the last one has a finish."""
    sequence = model.sequence(wanted.prompt)
    made, path = 0, PREFILL
    while True:
        accepted = _accepted(sequence, wanted.draft) if wanted.draft and path == DECODE else None
        step = Step([], None if wanted.logprobs is None else [], accepted)
        for _ in range(1 + (accepted or 0)):
            token, entry = _choose(model, sequence, wanted, made, path)
            sequence.append(token)
            made += 1
            step.ids.append(token)
            if entry is not None:
                step.logprobs.append(entry)
            if made > wanted.min_tokens and (token in wanted.stop_ids or token == vocab.EOS and not wanted.ignore_eos):
                step.finish, step.stop_id = "stop", None if token == vocab.EOS else token
            elif made >= wanted.max_tokens:
                step.finish = "length"
            if step.finish:
                break
        yield step
        if step.finish:
            return
        path = DECODE


def _choose(model, sequence, wanted, made, path):
    """(the next id, its entry of logprobs if asked for)."""
    barred = wanted.ignore_eos or made < wanted.min_tokens
    noisy = model.options.noise and wanted.noise_key is not None
    if wanted.logprobs is None and not noisy and wanted.sampling.temperature <= 0:
        token = model.likeliest(sequence, path)
        if token != vocab.EOS or not barred:
            return _looped(sequence, wanted, made, token), None
    found = model.next(sequence, path, wanted.noise_key)
    ids, logits = found.whole() if wanted.sampling.temperature > 0 else (found.ids, found.logits)
    if barred:
        allowed = [place for place, token in enumerate(ids) if token != vocab.EOS]
        ids, logits = [ids[place] for place in allowed], [logits[place] for place in allowed]
    token = _looped(sequence, wanted, made, wanted.sampling.choose(ids, logits, len(sequence.ids)))
    if wanted.logprobs is None:
        return token, None
    return token, (found.of(token)[0], found.top(wanted.logprobs))


def _looped(sequence, wanted, made, token):
    return sequence.ids[-LOOP_LENGTH] if wanted.loops and made >= LOOP_AFTER else token


def _accepted(sequence, draft):
    """How many of the drafted ids hold: each with probability 0.7 as long as those before it did."""
    key = sequence.sums[-1]
    for position in range(draft):
        if unit(key ^ mix(position + 77)) >= 0.7:
            return position
    return draft
