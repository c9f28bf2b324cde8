"""The kinds of sampling.json that the sampler covers: from a vector's input to the fields that it expects."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Mapping, Optional

from ._align import effective_parameters
from ._rng import Rng
from ._sampler import Engine, Sampler
from ._stats_runs import pearson

Input = Mapping[str, Any]
Fields = dict[str, Any]


def plain(value: Any) -> Any:
    """Rationals, which stand as text, as floats."""
    if isinstance(value, str):
        try:
            return float(Fraction(value))
        except ValueError:
            return value
    if isinstance(value, list):
        return [plain(x) for x in value]
    return {name: plain(x) for name, x in value.items()} if isinstance(value, dict) else value


def expected(vector: Mapping[str, Any]) -> dict[str, Any]:
    """The vector in the form of the others: what is expected, and the tolerance of its floats."""
    fields = dict(vector["expect"])
    tolerance = fields.pop("tol", 1e-12)
    return {**vector, "expected": plain(fields), "tol": {"*": {"abs": tolerance}}}


def _kept(engine: str, probs: list[float], **options: Any) -> list[int]:
    return Sampler(engine, input="probs", **options).kept(probs)[0].tolist()


def _logits(engine: str, v: Input, **options: Any) -> list[float]:
    """All logits after the stages."""
    logits = v["logits"]
    rows = [logits] * len(logits)
    return Sampler(engine, **options).logprobs(rows, list(range(len(logits))), "processed_logits", prompt=v.get("prompt"), output=v.get("output")).values.tolist()


def _penalties(v: Input) -> Fields:
    options = {f"{name}_penalty": v[name] for name in ("repetition", "frequency", "presence")}
    ours = {"vllm": _logits("vllm_v1", v, **options), "llama_cpp": _logits("llama_cpp", v, **options)}
    greedy = {engine: Sampler(engine, greedy=True, **options).kept(v["logits"], prompt=v["prompt"], output=v["output"])[0] for engine in ("vllm_v1", "llama_cpp")}
    return {**ours, "vllm_argmax": int(greedy["vllm_v1"][0]), "llama_cpp_argmax": int(greedy["llama_cpp"][0])}


def _row_penalties(v: Input) -> Fields:
    drafts = v["drafts"]
    return {"rows": [_logits("vllm_v1", {"logits": [0.0] * v["vocab"], "output": v["output"] + drafts[:j]}, frequency_penalty=v["frequency"]) for j in range(len(drafts) + 1)]}


def _temperatures(v: Input) -> Fields:
    def resolved(engine: str) -> list[Any]:
        return ["greedy" if t.greedy else t.temperature for t in map(Engine(engine).temperature, v["temperatures"])]

    return {"vllm": resolved("vllm_v1"), "sglang": resolved("sglang")}


def _top_k_ties(v: Input) -> Fields:
    threshold, exact = (Sampler(engine, top_k=v["k"]).kept(v["logits"])[0].tolist() for engine in ("vllm_v1", "llama_cpp"))
    return {"threshold": threshold, "exact_k_size": len(exact)}


def _top_p_boundary(v: Input) -> Fields:
    return {"mass_before_lt_p": _kept("vllm_v1", v["probs"], top_p=v["top_p"]), "mass_before_le_p": _kept("sglang_torch", v["probs"], top_p=v["top_p"])}


def _top_k_then_top_p(v: Input) -> Fields:
    both = {"top_k": v["top_k"], "top_p": v["top_p"]}
    return {"sequential": _kept("hf", v["probs"], **both), "joint": _kept("sglang", v["probs"], **both)}


def _min_p_order(v: Input) -> Fields:
    both = {"min_p": v["min_p"], "top_p": v["top_p"]}
    return {"min_p_first": _kept("vllm_v1", v["probs"], **both), "top_p_first": _kept("hf", v["probs"], **both)}


def _temperature_order(v: Input) -> Fields:
    both = {"temperature": v["temperature"], "top_p": v["top_p"]}
    law = Sampler("vllm_v1", input="probs", temperature=v["temperature"]).probs(v["probs"])
    return {"temperature_first": _kept("vllm_v1", v["probs"], **both), "temperature_last": _kept("llama_cpp", v["probs"], **both), "probs_t": law.tolist()}


def _race(v: Input) -> Fields:
    return {"tokens": Sampler("vllm_v1", input="probs").draw([v["p"]] * len(v["noise"]), v["noise"]).tolist()}


def _logprobs_modes(v: Input) -> Fields:
    logits = [math.log(p) for p in v["probs"]]
    sampler = Sampler("vllm_v1", temperature=v["temperature"], top_k=v["top_k"])
    return {name: float(sampler.logprobs(logits, v["token"], f"{name}_logprobs").values[0]) for name in ("raw", "processed")}


def _generation_config(v: Input) -> Fields:
    def triples(engine: str, **setup: Any) -> list[Any]:
        out: list[Any] = []
        for config in v["cases"]:
            fields = effective_parameters({"engine": engine, "generation_config": config, **setup})
            value = {name: fields[name]["value"] for name in ("greedy", "temperature", "top_k", "top_p")}
            out.append("greedy" if value.pop("greedy") else [0 if x == "off" else x for x in value.values()])
        return out

    return {"vllm_auto": triples("vllm", entry="chat"), "vllm_neutral": triples("vllm", entry="chat", launch="vllm serve m --generation-config vllm"), "hf4": triples("hf")}


def _argmax(v: Input) -> Fields:
    return {"argmax": int(Sampler("vllm_v1", greedy=True).kept(v["logits"])[0][0])}


def _hash_endpoint(v: Input) -> Fields:
    u = v["hash"] / (2**32 - 1)
    old, now = (float(Rng("sglang", 0, variant=variant).gumbel_of([u]).values[0]) for variant in ("unclamped", "clamped"))
    midpoint = Rng("vllm_cpu", 0).gumbel_of([(v["hash"] + 0.5) / 2**32])
    return {"old_is_infinite": math.isinf(old), "clamped_gumbel": now, "midpoint_gumbel": float(midpoint.values[0])}


def _gumbel_caps(v: Input) -> Optional[Fields]:
    if v["eps"] != 1e-20:  # the one that engines have
        return None

    def noise(variant: str, u: float) -> float:
        return float(Rng("vllm_v2", 0, variant=variant).gumbel_of([u]).values[0])

    return {"eps_form_at_1": noise("vllm_ascend", 1), "cap_below_1": noise("float32", 1 - 2**-24), "cap_log1p_2_31": noise("log1p", 2**-31)}


def _pearson(v: Input) -> Fields:
    told = pearson([int(n) for n in v["observed"]], v["p"])
    return {"chi2": round(told.chi2, 12), "dof": told.freedom}  # thirds are no doubles: whole to the 1e-12 of computed floats


KINDS: dict[str, Callable[[Input], Optional[Fields]]] = {
    "penalties": _penalties, "spec_row_penalties": _row_penalties, "temperature_resolution": _temperatures, "top_k_ties": _top_k_ties, "top_p_boundary": _top_p_boundary,
    "top_k_then_top_p": _top_k_then_top_p, "min_p_order": _min_p_order, "temperature_order": _temperature_order, "race": _race, "logprobs_modes": _logprobs_modes,
    "generation_config": _generation_config, "greedy_argmax_tie": _argmax, "hash_uniform_endpoint": _hash_endpoint, "gumbel_caps": _gumbel_caps, "pearson": _pearson,
}
