"""The kinds of sampling.json that the audit covers: laws of known faults, invariants of rows, acceptance metrics."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

from . import stats
from ._reject import Audit, row_shapes, step_law

Input = Mapping[str, Any]
Fields = dict[str, Any]


def _marginal(v: Input, fault: str, q: Optional[Sequence[float]], **more: Any) -> Fields:
    law = step_law(v["p"], q, fault=fault, **more)
    marginal = law.emitted.tolist()
    return {"accept": law.accept, "marginal": marginal, "total_variation": stats.distances(v["p"], marginal).tv}


def _aliased_restore(v: Input) -> Fields:
    return {**_marginal(v, "aliased_restore", None, draft=v["draft_token_id"]), "accept_correct": step_law(v["p"], draft=v["draft_token_id"]).accept}


def _reused_u(v: Input) -> Fields:
    right, wrong = (step_law(v["p"], draft=v["draft_token_id"], fault=fault).recovered.tolist() for fault in ("", "reused_u_inverse_cdf"))
    return {"recovered": wrong, "recovered_correct": right, **_marginal(v, "reused_u_inverse_cdf", None, draft=v["draft_token_id"])}


def _residual_row0(v: Input) -> Fields:
    at = v["rejected_at"]
    right, wrong = (step_law(v["p"], draft=v["drafts"], at=at, fault=fault).recovered.tolist() for fault in ("", "residual_row0"))
    return {"recovered": wrong, "recovered_correct": right, "p_recovered_equals_draft": wrong[v["drafts"][at]]}


def _shared_noise(v: Input) -> Fields:
    """Token 0, the draft, and the rest as one token."""
    p = [v["w0"], v["p_draft"], v["w_rest"]]
    right, wrong = (float(step_law(p, draft=1, fault=fault).recovered[0]) for fault in ("", "shared_noise_token0"))
    return {"token0_given_reject": wrong, "token0_given_reject_correct": right}


def _row_invariants(v: Input) -> Fields:
    shapes = row_shapes([v["drafts"]] * len(v["rows"]), v["rows"], v["vocab"])
    return {"verdict": [f"ok:{accepted}" if shape == "right" else shape for shape, accepted in shapes]}


def _metrics(v: Input) -> Fields:
    """Rows of drafts 1, 2, 3 …, of which so many come out and one token more."""
    audit = Audit()
    audit.begin_steps(1000)
    drafts = [list(range(1, n + 1)) for n in v["num_draft"]]
    audit.push_steps(range(len(drafts)), [1.0] * len(drafts), drafts, [row[:n] + [999] for row, n in zip(drafts, v["accepted"])])
    rank = audit.report().to_dict()["reject"]["steps"]["ranks"][0]
    places = rank["places"]
    return {**{name: rank[name] for name in ("acceptance_rate", "mean_acceptance_length", "emitted")}, "per_position": [place["of_drafts"] for place in places],
            "conditional_ratio": [place["of_place_before"] for place in places], "conditional_exposed": [place["of_reached"] for place in places], "per_position_exposed": [place["of_drafted"] for place in places]}


def _acceptance_z(v: Input) -> Fields:
    """One-hot drafts, one a row."""
    audit = Audit()
    audit.begin_steps(1000, draft_probs="one_hot")
    rows = range(len(v["a"]))
    audit.push_steps(rows, [1.0] * len(rows), [[1]] * len(rows), [[1, 2] if i < v["accepted_total"] else [2] for i in rows], p=[[a] for a in v["a"]])
    found = next(f for f in audit.report().to_dict()["reject"]["findings"] if f["check"] == "acceptance")
    return {"expected": found["due"], "variance": found["variance"], "z": found["z"]}


KINDS: dict[str, Callable[[Input], Optional[Fields]]] = {
    "bug_aliased_restore": _aliased_restore, "bug_always_accept": lambda v: _marginal(v, "always_accept", v["q"]), "bug_greedy_draft_soft_q": lambda v: _marginal(v, "greedy_draft_soft_q", v["q"]),
    "bug_filtered_draft_raw_q": lambda v: _marginal(v, "filtered_draft_raw_q", v["q_raw"], draft_law=v["q_sampled"]), "bug_recover_from_target": lambda v: _marginal(v, "recover_from_target", v["q"]),
    "bug_shared_noise_token0": _shared_noise, "bug_reused_u_inverse_cdf": _reused_u, "bug_residual_row0": _residual_row0, "row_invariants": _row_invariants, "metrics": _metrics, "acceptance_z": _acceptance_z,
}
