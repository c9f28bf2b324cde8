"""A made engine that verifies drafts, right by the contract of several engines or with one fault: seeded noise, races, inverse sums and uniforms as the engine has them, never the laws that the audit knows.

    rows = Engine("vllm_v1", fault="aliased_restore").steps(1000, seed=1)
    push(audit, rows, evidence="rows")

    python tests/calibration/spec_engine.py examples/spec_decode    writes the examples
"""
from __future__ import annotations

import gzip
import pathlib
import re
import sys
from typing import Any, NamedTuple, Optional

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]

VOCAB, DRAFTS, TEMPERATURE = 64, 3, 0.6
# What engines do where they differ: which comparison accepts, how the token in place of a rejected draft is drawn.
POLICIES = {"vllm_v1": ("ge", "race"), "vllm_ascend_v1": ("ge32", "race"), "vllm_v2": ("log", "gumbel"), "flashinfer": ("gt", "sum"), "sglang_chain": ("gt", "sum"), "hf": ("ge", "sum")}
EVIDENCE = ("ids", "drafts", "p", "rows", "noise")
NOISE = {"race": "race", "gumbel": "gumbel", "sum": "uniform"}


class Steps(NamedTuple):
    """Rows of verify steps; p and q are what a sound engine would have judged with."""

    drafts: np.ndarray       # [rows, DRAFTS]; -1: padding
    ids: "list[list[int]]"
    target: np.ndarray       # [rows, DRAFTS + 1, V]
    draft_law: np.ndarray    # [rows, DRAFTS, V]
    temperature: np.ndarray
    one_hot: bool
    rule: str
    uniforms: np.ndarray
    noise: np.ndarray        # of the tokens in place of rejected drafts: [rows, V], or one number a row


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def top_k(p: np.ndarray, k: int) -> np.ndarray:
    cut = np.where(p >= np.sort(p, -1)[..., -k][..., None], p, 0)
    return cut / cut.sum(-1, keepdims=True)


def by_sum(weights: np.ndarray, u: np.ndarray) -> np.ndarray:
    """Inverse of the cumulative sum, one row each."""
    sums = np.cumsum(weights, -1)
    return np.minimum((sums <= (u * sums[..., -1])[..., None]).sum(-1), weights.shape[-1] - 1)


class Engine:
    """policy: one of POLICIES, "block" (Sun et al.) or "exact_match"; drafts have no law where one_hot, else they are drawn from it; fault: one of FAULTS."""

    def __init__(self, policy: str = "vllm_v1", *, one_hot: bool = True, fault: Optional[str] = None, vocab: int = VOCAB, share: float = 1.0) -> None:
        self.policy, self.one_hot, self.fault, self.vocab, self.share = policy, one_hot, fault, vocab, share
        self.accept, self.recover = POLICIES.get(policy, ("ge", "race"))

    def header(self) -> "dict[str, Any]":
        rule = self.policy if self.policy in ("block", "exact_match", "entropy") else "token"
        return {"vocab_size": self.vocab, "draft_probs": "one_hot" if self.one_hot else "recorded", "policy": self.policy if self.policy in POLICIES else "vllm_v1", "rule": rule, "noise": NOISE[self.recover]}

    def is_(self, *faults: str) -> bool:
        return self.fault in faults

    def steps(self, rows: int, seed: int, greedy: float = 0.0, contexts: int = 0) -> Steps:
        """contexts: of so many the rows are, again and again; 0: each row has its own."""
        rng = np.random.default_rng(seed)
        logits = 2 * rng.standard_normal((contexts or rows, DRAFTS + 1, self.vocab))
        guess = logits[:, :DRAFTS] + rng.standard_normal((contexts or rows, DRAFTS, self.vocab))
        if contexts:
            which = rng.integers(contexts, size=rows)
            logits, guess = logits[which], guess[which]
        target, law = top_k(softmax(logits / TEMPERATURE), 20), softmax(guess / TEMPERATURE)
        noise = rng.gumbel(size=law.shape)
        with np.errstate(divide="ignore"):
            drafts = guess.argmax(-1) if self.one_hot or self.is_("greedy_draft") else (np.log(top_k(law, 10) if self.is_("cut_draft") else law) + noise).argmax(-1)
        if self.is_("padded_draft"):
            drafts[rng.random(rows) < 0.05, -1] = -1
        temperature = np.where(rng.random(rows) < greedy, 0.0, TEMPERATURE)
        seen = self.seen(target, logits)
        u = rng.random((rows, DRAFTS))
        if self.accept == "gt":
            u = 1 - u  # (0, 1]
        if self.is_("same_uniforms"):
            u[:] = np.random.default_rng(7).random(DRAFTS)
        taken = self.taken(seen, law, drafts, u, rng)
        ids = self.rows_of(taken, seen, law, drafts, u, noise, rng)
        self.greedy_rows(temperature, target, drafts, ids)
        return Steps(drafts, ids, target, law, temperature, self.one_hot, self.header()["rule"], u, self.noise)

    def seen(self, target: np.ndarray, logits: np.ndarray) -> np.ndarray:
        """The target's rows as the engine judges with them."""
        if self.is_("double_softmax"):
            return softmax(target)
        if self.is_("ignored_temperature"):
            return top_k(softmax(logits), 20)
        if self.is_("no_cut"):
            return softmax(logits / TEMPERATURE)
        if self.is_("next_row"):
            return np.concatenate([target[:, 1:], target[:, -1:]], 1)
        if self.is_("other_request"):
            return np.roll(target, 1, axis=0)
        return target

    def ratios(self, p: np.ndarray, law: np.ndarray, drafts: np.ndarray) -> np.ndarray:
        at = np.maximum(drafts, 0)[..., None]
        mine = np.take_along_axis(p[:, :DRAFTS], at, -1)[..., 0]
        q = 1.0 if self.one_hot or self.is_("ignored_law") else np.take_along_axis(law, at, -1)[..., 0]
        return mine / q

    def taken(self, p: np.ndarray, law: np.ndarray, drafts: np.ndarray, u: np.ndarray, rng: Any) -> np.ndarray:
        """How many drafts of each row are accepted."""
        ratio = self.ratios(p, law, drafts)
        if self.policy == "block" and not self.is_("product_rule"):
            return self.block(p, law, ratio, u)
        if self.is_("product_rule"):
            held = np.cumprod(u, 1) <= np.cumprod(np.minimum(ratio, 1), 1)
            return np.where(held.any(1), DRAFTS - held[:, ::-1].argmax(1), 0)
        if self.policy == "exact_match":
            drawn = by_sum(p[:, :DRAFTS], rng.random(u.shape))
            held = drawn == drafts
        elif self.accept == "log":
            with np.errstate(divide="ignore"):
                held = np.log(ratio) > np.log(np.maximum(u, 2.0**-31))
        elif self.accept == "gt":
            held = ratio > u
        else:
            held = ratio >= (u.astype(np.float32) if self.accept == "ge32" else u)
        if self.policy == "entropy" or self.is_("entropy_rule"):
            rows = p[:, :DRAFTS]
            entropy = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(-1)
            held = ratio / np.minimum(np.exp(-0.4 * entropy), 0.95) >= u
        held &= drafts >= 0
        held = self.wrongly_held(held, p, drafts, ratio, u, rng)
        return np.where(held.all(1), DRAFTS, (~held).argmax(1))

    def wrongly_held(self, held: np.ndarray, p: np.ndarray, drafts: np.ndarray, ratio: np.ndarray, u: np.ndarray, rng: Any) -> np.ndarray:
        hit = rng.random(len(held)) < self.share
        if self.is_("aliased_restore"):
            held[hit] = False
        if self.is_("uniform_zero"):
            held[hit] = True
        if self.is_("padded_draft"):
            held[drafts < 0] = True
        if self.is_("greedy_verify"):
            held = drafts == p[:, :DRAFTS].argmax(-1)
        if self.is_("inverted_test"):
            held = ratio < u
        if self.is_("shared_uniform"):
            held = ratio >= u[:, :1]
        return held

    def block(self, p: np.ndarray, law: np.ndarray, ratio: np.ndarray, u: np.ndarray) -> np.ndarray:
        path, self.path, last = np.ones(len(u)), [np.ones(len(u))], np.zeros(len(u), int)
        q = law if not self.one_hot else None
        for i in range(DRAFTS):
            path = np.minimum(path * ratio[:, i], 1)
            self.path.append(path)
            h = path
            if i + 1 < DRAFTS:
                assert q is not None
                rest = np.maximum(path[:, None] * p[:, i + 1] - q[:, i + 1], 0).sum(-1)
                h = np.where(rest + 1 - path == 0, 1, rest / np.maximum(rest + 1 - path, 1e-300))
            last = np.where(u[:, i] <= h, i + 1, last)
        return last

    def residual(self, p: np.ndarray, law: np.ndarray, drafts: np.ndarray, taken: np.ndarray) -> np.ndarray:
        """Of each row that of the first rejected place; of rows without one of their last place."""
        rows, at = np.arange(len(p)), np.minimum(taken, DRAFTS - 1)
        if self.is_("residual_row0"):
            at = at * 0
        mine = p[rows, at].copy()
        if self.is_("recover_from_target"):
            return mine
        if self.one_hot or self.is_("recover_without_draft", "ignored_law") or self.policy == "exact_match":
            mine[rows, np.maximum(drafts[rows, at], 0)] = 0
            return mine
        path = np.choose(np.minimum(taken, DRAFTS), self.path)[:, None] if self.policy == "block" and not self.is_("product_rule") else 1.0
        return np.maximum(path * mine - law[rows, at], 0)

    def recovered(self, weights: np.ndarray, taken: np.ndarray, u: np.ndarray, noise: np.ndarray, rng: Any) -> np.ndarray:
        rows, at = np.arange(len(weights)), np.minimum(taken, DRAFTS - 1)
        rejecting = u[rows, at]
        exponential, uniform = -np.log(rng.random(weights.shape)), rng.random(len(weights))
        self.noise = {"race": exponential, "gumbel": -np.log(exponential), "sum": uniform[:, None]}[self.recover]
        if self.is_("reused_uniform"):
            return by_sum(weights, rejecting)
        if self.is_("token0"):
            return np.zeros(len(weights), int)
        if self.is_("shared_noise"):
            exponential[:, 0] = -np.log(rejecting)
        if self.is_("draft_noise"):
            exponential = np.exp(-noise[rows, at])
        if self.is_("last_tile"):
            weights = np.concatenate([weights[:, :4096], np.roll(weights[:, 4096:], 1, -1)], -1)
        return by_sum(weights, uniform) if self.recover == "sum" else (weights / exponential).argmax(-1)

    def rows_of(self, taken: np.ndarray, p: np.ndarray, law: np.ndarray, drafts: np.ndarray, u: np.ndarray, noise: np.ndarray, rng: Any) -> "list[list[int]]":
        other = self.recovered(self.residual(p, law, drafts, taken), taken, u, noise, rng)
        last = p[:, DRAFTS - 1] if self.is_("bonus_of_last_draft") else p[:, DRAFTS]
        bonus = last.argmax(-1) if self.is_("greedy_verify") else by_sum(last, rng.random(len(p)))
        if self.is_("greedy_verify"):
            other = p[np.arange(len(p)), np.minimum(taken, DRAFTS - 1)].argmax(-1)
        if self.is_("out_of_vocabulary"):
            other = np.where(rng.random(len(p)) < 0.01, self.vocab + 5, other)
        out = []
        for row, count, recovered, following in zip(drafts.tolist(), taken.tolist(), other.tolist(), bonus.tolist()):
            out.append(row[:count] + [recovered if count < DRAFTS else following])
            if self.is_("goes_on") and count == 0 and recovered % 8 == 0:
                out[-1] += row[1:2]
        return out

    def greedy_rows(self, temperature: np.ndarray, target: np.ndarray, drafts: np.ndarray, ids: "list[list[int]]") -> None:
        """At temperature 0 the argmax, up to the first draft that is not it."""
        if self.is_("greedy_sentinel"):
            return
        for row in np.flatnonzero(temperature == 0):
            best = target[row].argmax(-1)
            same = drafts[row] == best[:DRAFTS]
            count = DRAFTS if same.all() else int((~same).argmax())
            ids[row] = drafts[row][:count].tolist() + [int(best[count])]


# Each fault: the engine that has it, and where it was.
FAULTS = {
    "aliased_restore": (dict(policy="vllm_ascend_v1"), "vllm-ascend#1632"), "uniform_zero": (dict(policy="vllm_v2"), "vllm-ascend#13470"), "greedy_draft": (dict(policy="hf", one_hot=False), "transformers#32867"),
    "cut_draft": (dict(policy="hf", one_hot=False), "transformers#47932"), "recover_from_target": (dict(policy="hf", one_hot=False), "B05"), "recover_without_draft": (dict(policy="hf", one_hot=False), "EAGLE#20"),
    "shared_noise": (dict(policy="vllm_v2"), "vllm-ascend V2, A2"), "reused_uniform": (dict(policy="flashinfer"), "flashinfer#424"), "residual_row0": (dict(policy="flashinfer"), "flashinfer#425"),
    "greedy_verify": (dict(policy="sglang_chain"), "sglang#32495"), "double_softmax": (dict(policy="vllm_ascend_v1"), "vllm-ascend#6685"), "ignored_temperature": (dict(policy="vllm_v1"), "vllm#9834"),
    "next_row": (dict(policy="vllm_v1"), "TensorRT-LLM#15098"), "other_request": (dict(policy="vllm_v1"), "vllm#14645"), "product_rule": (dict(policy="vllm_ascend_v1"), "vllm-ascend#9772"),
    "entropy_rule": (dict(policy="vllm_ascend_v1"), "vllm-ascend#9772"), "padded_draft": (dict(policy="vllm_ascend_v1"), "vllm-ascend#10043"), "greedy_sentinel": (dict(policy="vllm_ascend_v1"), "vllm-ascend#5417"),
    "bonus_of_last_draft": (dict(policy="vllm_ascend_v1"), "vllm-ascend#11458"), "token0": (dict(policy="vllm_v1"), "flashinfer#2456"), "last_tile": (dict(policy="vllm_ascend_v1", vocab=4160), "vllm-ascend#4673"),
    "out_of_vocabulary": (dict(policy="vllm_v1"), "vllm#44744"), "same_uniforms": (dict(policy="vllm_v1"), "vllm-metal#50"), "shared_uniform": (dict(policy="vllm_v1"), "–"), "draft_noise": (dict(policy="vllm_v2", one_hot=False), "vllm#54282"),
    "inverted_test": (dict(policy="vllm_v1"), "–"), "no_cut": (dict(policy="vllm_v1"), "vllm#31982"), "goes_on": (dict(policy="vllm_v1"), "–"), "ignored_law": (dict(policy="vllm_v1", one_hot=False), "vllm#40149"),
}


def engine_of(fault: str) -> Engine:
    return Engine(fault=fault, **FAULTS[fault][0])


def sound_engines() -> "dict[str, Engine]":
    out = {f"{policy}, {'one-hot' if one_hot else 'drafts with a law'}": Engine(policy, one_hot=one_hot) for policy in POLICIES for one_hot in (True, False)}
    out["block, drafts with a law"] = Engine("block", one_hot=False)
    out["exact match, drafts with a law"] = Engine("exact_match", one_hot=False)
    out["entropy rule, declared"] = Engine("entropy")
    return out


def push(audit: Any, steps: Steps, evidence: str = "rows", first: int = 0) -> None:
    """The steps with so much of what is known of them, from ids alone to all probabilities."""
    level, count = EVIDENCE.index(evidence), len(steps.ids)
    drafts: Any = steps.drafts if level >= 1 else [[]] * count
    at = np.maximum(steps.drafts, 0)[..., None]
    p = np.take_along_axis(steps.target[:, :DRAFTS], at, -1)[..., 0] if level >= 2 else None
    q = np.take_along_axis(steps.draft_law, at, -1)[..., 0] if level >= 2 and not steps.one_hot else None
    ids = steps.ids if level >= 1 else [[x] for row in steps.ids for x in row]
    rows = len(ids)
    audit.push_steps(np.arange(first, first + rows), np.repeat(steps.temperature, [len(row) for row in steps.ids]) if level == 0 else steps.temperature, drafts if level >= 1 else [[]] * rows, ids, p=p, q=q,
                     argmax=steps.target[:, :DRAFTS].argmax(-1) if level >= 1 else None)
    for row in range(count) if level >= 3 else ():
        known = dict(uniforms=steps.uniforms[row], noise=steps.noise[row]) if level >= 4 else {}
        audit.push_rows(row, steps.target[row], None if steps.one_hot else steps.draft_law[row], **known)


def page_writer() -> Any:
    """The writer of docs/reject-dump.md."""
    page = (ROOT / "docs" / "reject-dump.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", page, re.S)
    assert found is not None
    names: "dict[str, Any]" = {}
    exec(found.group(1), names)
    return names["Steps"]


def write_dump(path: pathlib.Path, made: Engine, rows: int, seed: int = 1, batch: int = 64, greedy: float = 0.0, contexts: int = 0, **header: Any) -> None:
    """What a probe keeps by default of so many rows."""
    steps = made.steps(rows, seed, greedy, contexts)
    at = np.maximum(steps.drafts, 0)[..., None]
    p = np.take_along_axis(steps.target[:, :DRAFTS], at, -1)[..., 0].astype(np.float32)
    file = page_writer()(path, **{**made.header(), **header})
    for first in range(0, rows, batch):
        part = slice(first, first + batch)
        requests = list(range(first, min(rows, first + batch)))
        file.step(requests, [100] * len(requests), steps.temperature[part].tolist(), steps.drafts[part].tolist(), steps.ids[part], p[part].tolist(), None, steps.target[part, :DRAFTS].argmax(-1).tolist())
    file.file.close()


def write_examples(folder: pathlib.Path) -> None:
    """The sampler of vllm-ascend before #1632, and after."""
    for name, made, rows in (("faulty", engine_of("aliased_restore"), 2000), ("fixed", Engine("vllm_ascend_v1"), 10000)):
        path = folder / name / "steps.vaasteps"
        write_dump(path, made, rows, greedy=0.1, contexts=60, engine="vllm-ascend", method="mtp")
        with open(path, "rb") as plain, open(f"{path}.gz", "wb") as packed, gzip.GzipFile("", "wb", 9, packed, 0) as out:
            out.write(plain.read())
        path.unlink()


if __name__ == "__main__":
    write_examples(pathlib.Path(sys.argv[1]))
