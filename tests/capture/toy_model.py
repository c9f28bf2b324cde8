"""A language model that is a hash: logits of the next id from every id before it and their absolute positions.

Peaked, with some near ties; the same on every machine. Faults and benign differences of numerics are options, so a test
knows the right answer: two models with equal options give equal ids, and a fault from position P changes nothing before P.
Greedy costs some microseconds an id; logprobs, noise and sampling some tens.
"""
import dataclasses
import math
from typing import Optional

import toy_vocab as vocab

MASK = (1 << 64) - 1
HEAD = 32                                        # candidates with logits of their own; the others follow in a fixed fall
FALL = [0.5 + 0.01 * k for k in range(vocab.SIZE - HEAD)]
TAIL_MASS = sum(math.exp(-fall) for fall in FALL)
PREFILL, DECODE = "prefill", "decode"


def mix(x):
    """The finalizer of splitmix64."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def unit(x):
    """A number in [0, 1) from a key."""
    return (mix(x) >> 11) / (1 << 53)


@dataclasses.dataclass
class Options:
    """What kind of model, and what is wrong with it. Positions are 0-based and count the prompt: the id at position p is
    predicted from the ids at 0 … p-1. The first id of an answer comes out of prefill, all later ones out of decode."""
    seed: int = 0                       # other weights
    eos_rate: float = 1 / 96            # share of contexts whose likeliest id is the end
    near_ties: float = 0.06             # share of contexts whose two likeliest ids are at most 4/256 apart
    noise: float = 0.0                  # each logit of a request moves by at most this: flips near ties
    noise_seed: int = 0                 # other noise
    noise_from: int = 1                 # only for requests that begin when at least so many are running
    fault_from: Optional[int] = None    # ids at this position and later are predicted wrongly …
    fault_path: str = "both"            # … by prefill, decode or both …
    fault_rate: float = 1.0             # … in this share of contexts
    window: Optional[int] = None        # ids older than this many are not seen
    loop_rate: float = 0.0              # share of requests whose answer falls into a loop after 24 ids

    def __post_init__(self):
        if self.fault_path not in ("both", PREFILL, DECODE):
            raise ValueError(f"fault_path: {self.fault_path!r} is none of both, prefill, decode")


@dataclasses.dataclass
class Sampling:
    """How a request wants its ids chosen. Temperature 0 is greedy."""
    temperature: float = 0.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0
    key: int = 0                        # of the random numbers

    def choose(self, ids, logits, step):
        """One of ids, whose logits fall."""
        if self.temperature <= 0:
            return ids[0]
        weights = [math.exp((logit - logits[0]) / self.temperature) for logit in logits[:self.top_k if self.top_k > 0 else None]]
        total, kept = sum(weights), 0
        kept_mass = 0.0
        for weight in weights:
            if kept and (kept_mass >= self.top_p * total or weight < self.min_p * weights[0]):
                break
            kept, kept_mass = kept + 1, kept_mass + weight
        left = unit(self.key ^ mix(step)) * kept_mass
        for token, weight in zip(ids[:kept], weights):
            left -= weight
            if left < 0:
                return token
        return ids[kept - 1]


@dataclasses.dataclass
class Distribution:
    """The next id: candidates from the likeliest on, their logits, and the logarithm of the sum of all exponentials."""
    ids: list
    logits: list
    log_sum: float

    def top(self, count):
        """[(id, logprob)] of the likeliest."""
        ids, logits = (self.ids, self.logits) if count <= HEAD else self.whole()
        return [(token, logit - self.log_sum) for token, logit in zip(ids[:count], logits)]

    def whole(self):
        """All ids, likeliest first, and their logits."""
        head = set(self.ids)
        floor = min(self.logits)
        return self.ids + [i for i in range(vocab.SIZE - 1, -1, -1) if i not in head], self.logits + [floor - fall for fall in FALL]

    def of(self, token):
        """(logprob, rank from 1) of any id."""
        ids, logits = (self.ids, self.logits) if token in self.ids else self.whole()
        place = ids.index(token)
        return logits[place] - self.log_sum, place + 1


class Sequence:
    """Ids and what the model sees of them: `sums[p]` is the sum of the hashes of the first p ids at their places."""

    def __init__(self, seed, ids=()):
        self.key = mix(seed)
        self.ids, self.sums = [], [0]
        for token in ids:
            self.append(token)

    def append(self, token):
        self.sums.append((self.sums[-1] + mix(self.key ^ (len(self.ids) * 1024 + token))) & MASK)
        self.ids.append(token)


class Model:
    """Pure: what it says depends on its options, the ids, the path, and the key of a request's noise."""

    def __init__(self, options=None):
        self.options = options or Options()

    def sequence(self, ids):
        return Sequence(self.options.seed, ids)

    def context(self, sequence, path, place=None):
        """(hash of what is seen before `place`, whether the fault is at work there)."""
        options = self.options
        place = len(sequence.ids) if place is None else place
        seen = sequence.sums[place] - sequence.sums[max(0, place - options.window) if options.window else 0]
        context = mix(seen & MASK)
        wrong = (options.fault_from is not None and place >= options.fault_from and options.fault_path in ("both", path)
                 and (options.fault_rate >= 1 or unit(context ^ 5) < options.fault_rate))
        return (mix(context ^ 0xBAD), True) if wrong else (context, False)

    def likeliest(self, sequence, path):
        """The greedy id where there is no noise: the first of `next`, found without the rest."""
        context, wrong = self.context(sequence, path)
        forced = None if wrong or not sequence.ids else vocab.FOLLOW.get(sequence.ids[-1])
        if forced is not None:
            return forced
        return vocab.EOS if self._ends(context) else vocab.FIRST_PIECE + (context & 255)

    def next(self, sequence, path, noise_key=None, place=None):
        """The Distribution after sequence.ids[:place]."""
        context, wrong = self.context(sequence, path, place)
        place = len(sequence.ids) if place is None else place
        forced = None if wrong or not place else vocab.FOLLOW.get(sequence.ids[place - 1])
        first, step = context & 255, (context >> 8 & 127) * 2 + 1
        ids = [vocab.FIRST_PIECE + (first + step * rank & 255) for rank in range(HEAD)]
        gap = self._gap(context)
        if forced is not None:
            ids, gap = [forced] + ids[:-1], 9.0
        elif self._ends(context):
            ids = [vocab.EOS] + ids[:-1]
        logits, bits = [20.0 + (context >> 52 & 15) / 4], mix(context)
        for rank in range(1, HEAD):
            logits.append(logits[-1] - (gap if rank == 1 else 0.15 + (bits >> 2 * rank - 4 & 3) / 4))
        if self.options.noise and noise_key is not None:
            logits = [logit + self.options.noise * (2 * unit(noise_key ^ context + rank) - 1) for rank, logit in enumerate(logits)]
            order = sorted(range(HEAD), key=lambda rank: -logits[rank])
            ids, logits = [ids[rank] for rank in order], [logits[rank] for rank in order]
        top, floor = logits[0], logits[-1]
        log_sum = top + math.log(sum(math.exp(logit - top) for logit in logits) + math.exp(floor - top) * TAIL_MASS)
        return Distribution(ids, logits, log_sum)

    def _ends(self, context):
        return (context >> 26 & 0xFFFF) < self.options.eos_rate * 0x10000

    def _gap(self, context):
        """Between the two likeliest: at most 4/256 in near ties, else 0.4 to 5.5."""
        draw = context >> 15 & 1023
        return (1 + draw % 4) / 256 if draw < self.options.near_ties * 1024 else 0.4 + (draw & 511) / 100
