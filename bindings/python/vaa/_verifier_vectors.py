"""The kinds of sampling.json that the verifier covers: from a vector's input to the fields that it expects."""

from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Mapping, Optional

from ._verifier import Law, Verifier, draft_layout, emitted_rows, flashinfer_counters

Input = Mapping[str, Any]
Fields = dict[str, Any]

# vLLM V1's rules, and with them the test of FlashInfer, SGLang and vLLM V2.
_RULES = {"ge": "vllm_v1", "gt": {"base": "vllm_v1", "accept": "gt", "zero_q": "accept"}}
_SUPPORT_VIOLATION = 64


def _probs(policy: Any, **options: Any) -> Verifier:
    return Verifier(policy, input="probs", **options)


def _hot(place: int, size: int) -> list[float]:
    return [float(x == place) for x in range(size)]


def _mean(law: Any) -> float:
    return float(sum(k * share for k, share in enumerate(law)))


def _chain(v: Input) -> Fields:
    counts, temperature = v["num_draft_tokens"], v.get("temperature", [1.0] * len(v["num_draft_tokens"]))
    ends = list(itertools.accumulate(counts))
    target = [list(row) if row else [] for row in v["p"]]
    for end, n, t in zip(ends, counts, temperature):
        for row in range(end - n, end) if t == 0 else ():
            logits = v["greedy_logits"][str(row)]
            target[row] = _hot(logits.index(max(logits)), v["vocab"])
    q = v["q"] and [row or _hot(draft, v["vocab"]) for row, draft in zip(v["q"], v["draft_token_ids"])]  # of greedy rows nothing need be given
    noise = [row or [1.0] * v["vocab"] for row in v["race_noise"]]
    uniforms = [0.0 if u is None else u for u in v["uniforms"]]
    out = _probs(_RULES[v["rule"]]).run(v["draft_token_ids"], target, num_drafts=counts, draft_probs=q, uniforms=uniforms, noise=noise, bonus=v["bonus"], params={"temperature": temperature})
    greedy = [t == 0 for t in temperature]
    stopped = {str(end - n + a): int(out.ids[r, a]) for r, (end, n, a) in enumerate(zip(ends, counts, out.accepted.tolist())) if a < n and not greedy[r]}
    violations = [[r, j] for r, row in enumerate(out.places.tolist()) for j, place in enumerate(row) if place & _SUPPORT_VIOLATION and place & 15 == 1]
    return {"output": out.ids.tolist(), "accepted": out.accepted.tolist(), "recovered": stopped, "support_violation": violations, "cu_num_draft_tokens": ends, "max_spec_len": max(counts)}


def _degenerate_residual(v: Input) -> Fields:
    def accepted(policy: Any) -> bool:
        return bool(_probs(policy).run([[v["draft_token_id"]]], [v["p"]], draft_probs=[v["q"]], uniforms=[v["u"]]).accepted[0])

    def recovered(q: Any) -> int:  # by a padded draft, which is rejected whatever u is
        return int(_probs("vllm_v1").run([[-1]], [v["p"]], draft_probs=q, uniforms=[0.0], noise=[v["race_noise"]]).ids[0, 0])

    return {**{f"accept_{rule}": accepted(policy) for rule, policy in _RULES.items()}, "residual_mass": 1 - _probs("vllm_v1").marginal(v["p"], v["q"]).acceptance,
            "argmax_of_zeros": recovered([v["q"]]), "fallback_to_target": recovered(None)}


def _greedy_chain(v: Input) -> Fields:
    size = 1 + max(v["draft_token_ids"] + v["target_argmax"] + [v["bonus"]])
    out = _probs("vllm_v1", temperature=0).run([v["draft_token_ids"]], [_hot(t, size) for t in v["target_argmax"]], bonus=[v["bonus"]])
    return {"output": out.ids[0].tolist(), "accepted": int(out.accepted[0])}


def _parse_output(v: Input) -> Fields:
    return {"rows": [row.tolist() for row in emitted_rows(v["raw"], v["vocab"])]}


def _index_layout(v: Input) -> Fields:
    layout = draft_layout(v["num_draft_tokens"])
    fields = {name: getattr(layout, name).tolist() for name in layout._fields}
    return {**fields, "draft_id_at_row_plus_1": (layout.target_rows + 1).tolist(), "cu_num_logits_v2": [0] + fields["cu_num_sampled_tokens"]}


def _one_step(v: Input) -> Fields:
    verifier = _probs("vllm_v1")
    marginal = verifier.marginal(v["p"], v["q"])
    rejected = next(d for d, (p, q) in enumerate(zip(v["p"], v["q"])) if p < q)
    return {"alpha": marginal.acceptance, "total_variation": 1 - marginal.acceptance, "residual": verifier.law([rejected], [v["p"]], [v["q"]]).recovered[0].tolist(), "marginal": marginal.law.tolist()}


def _iid_chain(v: Input) -> Fields:
    lengths = _probs("vllm_v1").law([0] * v["gamma"], [[v["alpha"], 1 - v["alpha"]]] * v["gamma"]).lengths
    return {"law": lengths.tolist(), "expected_accepted": _mean(lengths), "expected_tokens": 1 + _mean(lengths)}


def _joint(policy: Any, size: int, gamma: int, p: Callable[[str], list[float]], q: Callable[[str], list[float]]) -> tuple[Fields, list[float], dict[str, Law]]:
    """The law of the first gamma tokens, of the accepted length, and of each path of drafts; rows that come short are continued with the target's own law."""
    verifier = _probs(policy)
    joint = {"".join(map(str, path)): 0.0 for path in itertools.product(range(size), repeat=gamma)}
    tau, laws = [0.0] * (gamma + 1), {}

    def complete(prefix: str, weight: float) -> None:
        if len(prefix) == gamma:
            joint[prefix] += weight
            return
        for token, share in enumerate(p(prefix)):
            complete(prefix + str(token), weight * share)

    for path in joint:
        weight = math.prod(q(path[:j])[int(path[j])] for j in range(gamma))
        laws[path] = law = verifier.law(list(map(int, path)), [p(path[:j]) for j in range(gamma)], [q(path[:j]) for j in range(gamma)])
        for length, share in enumerate(law.lengths.tolist()):
            tau[length] += weight * share
            for token, recovered in enumerate([1.0] if length == gamma else law.recovered[length].tolist()):
                complete(path if length == gamma else path[:length] + str(token), weight * share * recovered)
    return joint, tau, laws


def _joint_token(v: Input) -> Fields:
    joint, tau, _ = _joint("vllm_v1", v["vocab"], v["gamma"], lambda prefix: v["p"][prefix], lambda prefix: v["q"][prefix])
    return {"joint": joint, "tau": tau, "expected_tokens": 1 + _mean(tau)}


def _block(v: Input) -> Fields:
    joint, tau, laws = _joint({"base": "vllm_v2", "method": "block"}, v["vocab"], v["gamma"], lambda _: v["p"], lambda _: v["q"])
    _, of_tokens, _ = _joint("vllm_v1", v["vocab"], v["gamma"], lambda _: v["p"], lambda _: v["q"])
    paths = {path: law.acceptance.tolist() for path, law in laws.items()}
    first = {path[0]: h[:1] for path, h in paths.items()}
    return {"h": {**first, **paths}, "tau": tau, "expected_accepted": _mean(tau), "expected_accepted_token_rule": _mean(of_tokens), "joint": joint}


def _block_one_hot(v: Input) -> Fields:
    rows, drafts = [[p, 1 - p] for p in v["p_draft"]], [0] * len(v["p_draft"])
    law, of_tokens = (_probs(policy).law(drafts, rows) for policy in ({"base": "vllm_v2", "method": "block"}, "vllm_v2"))
    return {"h": law.acceptance.tolist(), "tau": law.lengths.tolist(), "expected_accepted": _mean(law.lengths), "expected_accepted_token_rule": _mean(of_tokens.lengths)}


def _joint_uniform_block(v: Input) -> Fields:
    rows, drafts = [[p, 1 - p] for p in v["p_draft"]], [0] * len(v["p_draft"])
    law, right = (_probs(policy).law(drafts, rows) for policy in ({"base": "vllm_ascend_v1", "method": "block_product"}, "vllm_ascend_v1"))
    return {"accept_all": float(law.lengths[-1]), "accept_all_correct": float(right.lengths[-1]), "first_token_is_draft": float(law.emitted[0, 0]), "first_token_is_draft_correct": float(right.emitted[0, 0])}


def _multi_draft(v: Input) -> Fields:
    policy = {"base": "vllm_v1", "method": "multi_draft", "replacement": "with" if v["replacement"] else "without"}
    marginal = Verifier(policy, input="probs", layout="flat_with_bonus").marginal(v["p"], v["q"], candidates=v["k"])
    return {"accept": marginal.acceptance, "marginal": marginal.law.tolist()}


def _target_only_siblings(v: Input) -> Fields:
    verifier, siblings = _probs("sglang_tree", layout="flat_with_bonus", rounding="fp32"), v["siblings"]  # coins and masses of float32, as the engine has them
    rows, parents = [v["p"]] * (len(siblings) + 1), [-1] * len(siblings)
    picked = [verifier.run([siblings], rows, uniforms=[coin] * len(rows), parents=parents) for coin in v["coins"]]
    law = verifier.law(siblings, rows, parents=parents)
    return {"choice": [int(out.ids[0, 0]) if out.accepted[0] else "residual" for out in picked], "accept": float(1 - law.lengths[0]), "residual": law.recovered[0].tolist(), "marginal": law.emitted[0].tolist()}


def _typical(v: Input) -> Fields:
    likeliest = v["p"].index(max(v["p"]))

    def threshold(epsilon: float) -> float:
        policy = {"base": "vllm_v1", "method": "typical", "typical_epsilon": epsilon, "typical_delta": v["delta"]}
        return float(v["p"][likeliest] / math.exp(_probs(policy).run([[likeliest]], [v["p"]]).margins[0, 0]))

    verifier = _probs({"base": "vllm_v1", "method": "typical", "typical_epsilon": v["eps"], "typical_delta": v["delta"]})
    accepted = [d for d in range(len(v["p"])) if verifier.law([d], [v["p"]]).acceptance[0] == 1]
    return {"entropy": math.log(v["delta"] / threshold(1)), "threshold": threshold(v["eps"]), "accepted_tokens": accepted}


def _entropy_scaled_u(v: Input) -> Fields:
    verifier, draft = _probs({"base": "vllm_ascend_v1", "method": "entropy", "entropy_alpha": v["alpha"], "entropy_cap": v["cap"]}), v["draft_token_id"]
    law = verifier.law([draft], [v["p"]])
    margin = verifier.run([[draft]], [v["p"]], uniforms=[1.0]).margins[0, 0]
    return {"threshold": float(v["p"][draft] / math.exp(margin)), "accept": float(law.acceptance[0]), "marginal": law.emitted[0].tolist()}


def _rng_draws_v1(v: Input) -> Fields:
    def draws(policy: str) -> list[list[dict[str, Any]]]:
        return [_probs(policy).draws(step["n_draft"], v["vocab"], speculative=step["spec_batch"]) for step in v["steps"]]

    def counts(steps: list[list[dict[str, Any]]]) -> list[int]:
        return [sum(draw["count"] for draw in step) for step in steps]

    words = [[f"uniform_f64*{draw['count']}" if draw["of"] == "uniforms" else f"exp*{draw['count']} {draw['of']}" for draw in step] for step in draws("vllm_v1")]
    return {"draws": words, "counts": counts(draws("vllm_v1")), "counts_vllm_ascend": counts(draws("vllm_ascend_v1"))}


def _flashinfer_counters(v: Input) -> Fields:
    emitted, accepted = flashinfer_counters(v["a"])
    return {"emitted": emitted, "accepted": accepted, "sum_of_a": math.fsum(v["a"])}


KINDS: dict[str, Callable[[Input], Optional[Fields]]] = {
    "chain": _chain, "degenerate_residual": _degenerate_residual, "greedy_chain": _greedy_chain, "parse_output": _parse_output, "index_layout": _index_layout, "one_step": _one_step,
    "iid_chain": _iid_chain, "joint_token": _joint_token, "block": _block, "block_one_hot": _block_one_hot, "joint_uniform_block": _joint_uniform_block, "multi_draft": _multi_draft,
    "target_only_siblings": _target_only_siblings, "typical": _typical, "entropy_scaled_u": _entropy_scaled_u, "rng_draws_v1": _rng_draws_v1, "flashinfer_counters": _flashinfer_counters,
}
