"""A language model made of hashes, and engines that compute it with noise: the same text has the same next token everywhere, and after another token the text goes on differently.

A position's logits are a function of the text so far, which is a 64-bit key. Gaps between the two likeliest ids: three of four are 2 + Exp(4) nats, the others Exp(1) (verification by simulation uses the same law);
the ids below follow at Exp(0.7) each, and all ids that are not listed hold as much as four of the last one.
"""
import dataclasses

import numpy as np

VOCABULARY = 32000
STOP = 2             # ends an answer; from half of the longest length on, one position in an eighth of it
SURE = 0.75          # share of positions with the larger gaps
TAIL = np.float32(np.log(4.0))
SWING = 0.05         # standard deviation of the change of a gap between two runs of one engine, nats


def mixed(x):
    """splitmix64's finaliser: 64-bit keys that look independent."""
    with np.errstate(over="ignore"):  # modulo 2^64
        x = np.asarray(x, np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def share(bits):
    """Uniform in (0, 1) of 32 bits."""
    return (bits.astype(np.float32) + np.float32(0.5)) * np.float32(2**-32) * np.float32(0.9999999)


def halves(x):
    return share(x >> np.uint64(32)), share(x & np.uint64(0xFFFFFFFF))


def normal(x):
    """Standard normal numbers of 64-bit keys (Box and Muller)."""
    a, b = halves(x)
    return np.sqrt(-2 * np.log(a)) * np.cos(np.float32(2 * np.pi) * b)


def bfloat16(x):
    """The nearest bfloat16, ties to even, as float32."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) & np.uint32(0xFFFF0000)).view(np.float32)


@dataclasses.dataclass
class Answers:
    """Answers of one run: (answers, positions) arrays; lists are (answers, positions, ids), falling, the chosen id first. A logprob is natural."""
    ids: np.ndarray
    logprobs: np.ndarray
    list_ids: np.ndarray
    list_logprobs: np.ndarray
    lengths: np.ndarray   # positions of each answer that count
    stopped: np.ndarray   # bool: ended by itself


class Model:
    """`listed`: ids that a record lists a position; two more are computed, so that an id can be outside of a list."""

    def __init__(self, seed, listed=5):
        self.seed, self.listed, self.computed = np.uint64(seed), listed, listed + 2

    def prompts(self, n, what=0):
        """Keys of n prompts."""
        return mixed(np.arange(n, dtype=np.uint64) + mixed(self.seed ^ mixed(what)))

    def logits(self, keys):
        """Of texts `keys` (answers, positions): logits and ids (answers, positions, computed), the likeliest first, and a hash a position."""
        steps = np.arange(keys.shape[1], dtype=np.uint64)
        at = mixed(keys ^ mixed(steps))
        sub = mixed(at[..., None] + np.arange(1, self.computed + 1, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95))
        kind, gap = halves(at)
        gap = np.where(kind < SURE, 2 - 4 * np.log(gap), -np.log(gap))
        down, level = halves(sub)
        logits = np.empty(sub.shape, np.float32)
        logits[..., 0] = 17 + 6 * level[..., 0]
        logits[..., 1] = logits[..., 0] - gap
        logits[..., 2:] = logits[..., 1:2] - np.cumsum(np.float32(-0.7) * np.log(down[..., 2:]), axis=-1)
        # Slot k's id is k modulo the number of slots, shifted by the position: no id stands twice.
        slots = np.uint64(self.computed)
        ids = (sub >> np.uint64(20)) % np.uint64(VOCABULARY // self.computed - 1) * slots + slots + (np.arange(self.computed, dtype=np.uint64) + at[..., None]) % slots
        ids = ids.astype(np.int64)
        half = keys.shape[1] // 2
        ids[..., 0][(steps >= half) & (mixed(at) % np.uint64(max(1, half // 4)) == 0)] = STOP
        return logits, ids, at

    def engine(self, logits, noise, bf16):
        out = logits if noise is None else logits + noise
        return bfloat16(out) if bf16 else out

    def logprobs(self, logits, scale=1.0, renormalised=False):
        """log softmax over all ids; scale: what an engine divides by the temperature before it reports; renormalised: over the listed ids alone."""
        x = logits * np.float32(scale)
        top = x.max(axis=-1, keepdims=True)
        kept = np.sort(x, axis=-1)[..., -self.listed :] if renormalised else np.concatenate([x, x.min(axis=-1, keepdims=True) + TAIL], axis=-1)
        return x - top - np.log(np.exp(kept - top).sum(axis=-1, keepdims=True))

    def luck(self, at, stream):
        """Gumbel noise of positions `at`: the same for one text and stream."""
        return -np.log(-np.log(halves(mixed(at[..., None] + np.arange(stream, stream + self.computed, dtype=np.uint64)))[0].astype(np.float64)))

    def answer(self, keys, noise=None, *, bf16=False, temperature=0.0, other_seed=None, wrong=0.0, scale=1.0, renormalised=False):
        """Answers to `keys` (answers,) or (answers, positions), `noise` (answers, positions, computed) added to the logits. wrong: standard deviation of an error that is the text's own, as wrong weights have it.
        other_seed: bool, of which answers the numbers drawn are others."""
        if keys.ndim == 1:
            keys = np.repeat(keys[:, None], noise.shape[1], axis=1)
        keys = keys.copy()
        n, length = keys.shape
        logits, ids, chosen = np.empty((n, length, self.computed), np.float32), np.empty((n, length, self.computed), np.int64), np.zeros((n, length), np.int64)
        rows, start = np.arange(n), np.zeros(n, np.int64)
        steps = np.arange(length)
        while rows.size:
            exact, names, at = self.logits(keys[rows])
            if wrong:
                exact = exact + np.float32(wrong) * normal(mixed(at[..., None] + np.arange(101, 101 + self.computed, dtype=np.uint64)))
            computed = self.engine(exact, None if noise is None else noise[rows], bf16)
            score = computed.astype(np.float64) - names * 1e-12  # of exactly equal ones the lowest id
            usual = np.zeros(names.shape[:2], np.int64)
            if temperature:
                luck = self.luck(at, 201)
                drawn = luck if other_seed is None else np.where(other_seed[rows][:, None, None], self.luck(at, 301), luck)
                score += temperature * drawn
                usual = (exact + temperature * luck).argmax(axis=-1)
            choice = score.argmax(axis=-1)
            take = steps[None, :] >= start[:, None]
            logits[rows], ids[rows] = np.where(take[..., None], computed, logits[rows]), np.where(take[..., None], names, ids[rows])
            chosen[rows] = np.where(take, choice, chosen[rows])
            other = take & (choice != usual)
            first = np.where(other.any(axis=1), other.argmax(axis=1), length)
            parted = np.flatnonzero(first < length - 1)
            for i in parted:  # another token: the text goes on under another key
                row, t = rows[i], first[i]
                keys[row, t + 1 :] = mixed(keys[row, t] ^ mixed(np.uint64(t * self.computed + choice[i, t] + 1)))
            rows, start = rows[parted], first[parted] + 1
        return self.listing(logits, ids, chosen, scale, renormalised)

    def forced(self, keys, noise, **more):
        """What an engine says of the texts that it did not write: the ids are the likeliest by the model itself."""
        logits, ids, _ = self.logits(np.repeat(keys[:, None], noise.shape[1], axis=1))
        out = self.listing(self.engine(logits, noise, more.get("bf16", False)), ids, np.zeros(noise.shape[:2], np.int64), 1.0, False)
        out.lengths[:], out.stopped[:] = noise.shape[1], False
        return out

    def listing(self, logits, ids, chosen, scale, renormalised):
        logprobs = self.logprobs(logits, scale, renormalised)
        first = np.take_along_axis(ids, chosen[..., None], -1)[..., 0]
        chosen_logprob = np.take_along_axis(logprobs, chosen[..., None], -1)[..., 0]
        rank = -logprobs.astype(np.float64) + ids * 1e-12
        np.put_along_axis(rank, chosen[..., None], -np.inf, -1)  # the chosen one first
        order = np.argsort(rank, axis=-1)[..., : self.listed]
        ends = first == STOP
        lengths = np.where(ends.any(axis=1), ends.argmax(axis=1) + 1, ids.shape[1])
        return Answers(first, chosen_logprob, np.take_along_axis(ids, order, -1), np.take_along_axis(logprobs, order, -1), lengths, ends.any(axis=1))


def noise(draw, shape, ratio=1.0, clustered=False):
    """Noise of one run's logits: two runs of `ratio` 1 change a gap by SWING, one of ratio 1 against one of `ratio` by ratio x SWING. clustered: each answer has its own size, and the noise of neighbouring positions is alike."""
    z = draw.standard_normal(shape, np.float32)
    if clustered:
        for t in range(1, shape[1]):
            z[:, t] = np.float32(0.9) * z[:, t - 1] + np.float32(np.sqrt(1 - 0.81)) * z[:, t]
        size = draw.standard_normal((shape[0], 1, 1), np.float32)
        z *= np.exp(np.float32(0.4) * size - np.float32(0.16))
    return z * np.float32(SWING / 2 * np.sqrt(2 * ratio**2 - 1))
