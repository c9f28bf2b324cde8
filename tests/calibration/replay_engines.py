"""Engines in plain numpy for replays: vLLM V1's sampler in float32 over torch's CPU stream, sound in several ways of rounding or with one planted fault.

The stream is numpy's MT19937, whose words are torch's; the sampler is written from docs/sampler.md alone. Nothing of vaa is used here."""
import dataclasses
import typing

import numpy

F = numpy.float32
VOCABULARY = 600
PARAMS = {"temperature": 0.7, "top_k": 40, "top_p": 0.95, "min_p": 0.02}
PENALTIES = {"repetition_penalty": 1.15, "frequency_penalty": 0.3, "presence_penalty": 0.2}


class Stream:
    """Exponentials of float32 as torch's CPU generator draws them: 53 bits of two words, the first on top."""

    def __init__(self, seed):
        self.source = numpy.random.RandomState(seed & 0xFFFFFFFF)

    def uniform(self, n):
        words = self.source.randint(0, 2**32, 2 * n, dtype=numpy.uint32).astype(numpy.uint64)
        return ((words[0::2] << numpy.uint64(32) | words[1::2]) & numpy.uint64(2**53 - 1)).astype(float) * 2.0**-53

    def exponential(self, n):
        return -numpy.log1p(-self.uniform(n))


def bf16(x):
    """To the nearest bfloat16, of equals the even one."""
    bits = numpy.ascontiguousarray(x, F).view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(numpy.uint32).view(F)


def made_logits(rows, seed, grid=False):
    """Rows like those of a model: a broad floor, some candidates, now and then one that is nearly certain. grid: on a grid of 1/8, so that the largest often tie."""
    r = numpy.random.default_rng(seed)
    z = r.normal(0, 1.5, (rows, VOCABULARY))
    heads = numpy.argsort(r.random((rows, VOCABULARY)), axis=1)[:, :12]
    numpy.put_along_axis(z, heads, numpy.take_along_axis(z, heads, 1) + r.uniform(2, 7, (rows, 12)), 1)
    z[numpy.arange(rows), heads[:, 0]] += numpy.where(r.random(rows) < 0.4, 6, 0)
    return (numpy.round(z * 8) / 8 if grid else z).astype(F)


@dataclasses.dataclass
class Fault:
    """What an engine does otherwise; nothing: it is sound."""

    name: str = ""
    number: typing.Any = F            # type of softmax and race
    reverse: bool = False             # sums run from the other end
    see: typing.Callable = staticmethod(lambda z: z)  # the logits that the engine has
    seed: int = 0                     # added
    skip: int = 0                     # draws before the first
    restart: bool = False             # the stream begins anew at every step
    params: typing.Callable = staticmethod(lambda p: p)
    min_p_first: bool = False
    unsorted_p: bool = False
    shards: int = 1                   # top-k within each part of the vocabulary
    forget: bool = False              # penalties see no output
    no_prompt: bool = False           # penalties see no prompt
    raw_argmax: bool = False
    last_tie: bool = False
    noise: typing.Callable = staticmethod(lambda u: -numpy.log1p(-u))
    multiply: bool = False
    stale: bool = False               # the row before
    by_rank: bool = False             # noise goes by rank


FAULTS = [
    Fault("seed_wrong", seed=1), Fault("seed_at_every_step", restart=True), Fault("stream_one_ahead", skip=1), Fault("top_k_one_more", params=lambda p: {**p, "top_k": p["top_k"] + 1}),
    Fault("top_p_unsorted", unsorted_p=True), Fault("min_p_before_temperature", min_p_first=True), Fault("penalties_lost", forget=True),
    Fault("penalties_twice", params=lambda p: {**p, "repetition_penalty": p["repetition_penalty"]**2, "frequency_penalty": 2 * p["frequency_penalty"], "presence_penalty": 2 * p["presence_penalty"]}),
    Fault("prompt_not_penalised", no_prompt=True), Fault("temperature_ignored", params=lambda p: {**p, "temperature": 1.0}),
    Fault("temperature_twice", params=lambda p: {**p, "temperature": p["temperature"]**2}), Fault("top_k_of_each_tp_rank", shards=2), Fault("greedy_on_raw_logits", raw_argmax=True),
    Fault("ties_to_the_last", last_tie=True), Fault("noise_of_1_minus_u", noise=lambda u: -numpy.log(numpy.maximum(u, 1e-300))), Fault("race_multiplies", multiply=True),
    Fault("logits_of_the_row_before", stale=True), Fault("noise_by_rank", by_rank=True), Fault("softmax_in_float16", number=numpy.float16),
]
SOUND = {
    "float32": (Fault(), {}), "float32_sums_reversed": (Fault(reverse=True), {}), "float64": (Fault(number=float), {}),
    "logits_in_bfloat16": (Fault(see=bf16), {"logits_precision": "bf16"}), "softmax_in_float16_declared": (Fault(number=numpy.float16), {"precision": "fp16"}),
    "logits_off_by_0.01": (Fault(see=lambda z: z + (numpy.sin(numpy.arange(len(z)) * 12.9898 + float(z.sum()) * 78.233) * 0.01).astype(F)), {"tolerance": 0.01}),
}


def settings(fault, sound_name=""):
    """Parameters of a run of this engine: penalties where it is about them, greedy where it is about ties."""
    if fault.name == "ties_to_the_last":
        return {"temperature": 0.0}
    if fault.name.startswith("top_k"):
        return {"temperature": 0.9, "top_k": 8}
    return {**PARAMS, **PENALTIES} if "penal" in fault.name or fault.name == "greedy_on_raw_logits" or sound_name.endswith("reversed") else dict(PARAMS)


def softmax(z, fault):
    z = z.astype(fault.number)
    w = numpy.exp(z - z.max())
    return w / (w[::-1].sum(dtype=fault.number) if fault.reverse else w.sum(dtype=fault.number))


def keep_k(z, k, fault):
    if not 0 < k < len(z):
        return z
    if fault.shards > 1:
        return numpy.concatenate([keep_k(part, k, Fault()) for part in numpy.split(z, fault.shards)])
    return numpy.where(z < numpy.sort(z)[-k], F(-numpy.inf), z)


def keep_p(z, p, fault):
    if p >= 1:
        return z
    order = numpy.arange(len(z)) if fault.unsorted_p else numpy.argsort(z, kind="stable")
    drop = numpy.cumsum(softmax(z[order], fault)) <= fault.number(1 - p)
    drop[-1] = False
    out = z.copy()
    out[order[drop]] = -numpy.inf
    return out


def keep_min_p(z, least):
    w = numpy.exp(z - z.max())
    return numpy.where(w < F(least), F(-numpy.inf), z)


def penalised(z, p, prompt, output):
    if "repetition_penalty" not in p:
        return z
    count = numpy.bincount(output, minlength=len(z))[:len(z)] if len(output) else numpy.zeros(len(z), int)
    seen = count > 0
    seen[prompt] = True
    z = numpy.where(seen, numpy.where(z > 0, z / F(p["repetition_penalty"]), z * F(p["repetition_penalty"])), z)
    z = z - F(p["frequency_penalty"]) * count.astype(F)
    return z - F(p["presence_penalty"]) * (count > 0)


def pick(raw, p, noise, prompt, output, fault):
    z = penalised(raw, p, [] if fault.no_prompt else prompt, [] if fault.forget else output)
    if fault.raw_argmax:
        return int(numpy.argmax(raw))
    if p["temperature"] == 0:
        return len(z) - 1 - int(numpy.argmax(z[::-1])) if fault.last_tie else int(numpy.argmax(z))
    if fault.min_p_first:
        z = keep_min_p(z, p.get("min_p", 0))
    z = z / F(p["temperature"])
    if not fault.min_p_first:
        z = keep_min_p(z, p.get("min_p", 0))
    z = keep_p(keep_k(z, p["top_k"], fault), p.get("top_p", 1), fault)
    law, e = softmax(z, fault), noise
    if fault.by_rank:
        order = numpy.argsort(-law, kind="stable")
        return int(order[numpy.argmax(law[order] / e)])
    with numpy.errstate(divide="ignore", over="ignore"):
        return int(numpy.argmax(law * e if fault.multiply else law / e))


def run(logits, params, seed, prompt, fault):
    """The tokens that this engine puts out for rows of logits."""
    p, stream, output = fault.params(params), Stream(seed + fault.seed), []
    for _ in range(fault.skip):
        stream.exponential(VOCABULARY)
    before = logits[0]
    for row in logits:
        if fault.restart:
            stream = Stream(seed + fault.seed)
        noise = fault.noise(stream.uniform(VOCABULARY)).astype(F)
        output.append(pick(fault.see(before if fault.stale else row), p, noise, prompt, output, fault))
        before = row
    return output
