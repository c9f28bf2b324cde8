"""vaa.stats of tokens: when outputs part, how far their distributions are apart, answers as sequences of ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple

from . import _cvaa
from ._stats_arrays import Flags, Reals, Top, Wholes, reals, top_of, wholes, zeros_and_ones
from ._stats_runs import Mean

if TYPE_CHECKING:
    import numpy

# ---- time until an event: the first divergence ----


class SurvivalCurve(NamedTuple):
    """One element for each time with events; hazard is Nelson and Aalen's cumulative one."""

    time: "numpy.ndarray[Any, Any]"
    at_risk: "numpy.ndarray[Any, Any]"
    events: "numpy.ndarray[Any, Any]"
    survival: "numpy.ndarray[Any, Any]"
    standard_error: "numpy.ndarray[Any, Any]"
    hazard: "numpy.ndarray[Any, Any]"
    median: float


class LogRank(NamedTuple):
    observed: int
    expected: float
    variance: float
    chi2: float
    p: float


def kaplan_meier(exits: Reals, events: Flags, entries: Reals | None = None) -> SurvivalCurve:
    """The share that has had no event yet, S = product of (1 - events / at_risk) (Kaplan and Meier 1958), Greenwood's standard error S sqrt(sum of events / (at_risk (at_risk - events))),
    nan where S is 0, the cumulative hazard sum of events / at_risk; median is the first time with S <= 1/2, else inf.

    Subject i leaves at exits[i] (an index, a position, any time), with its event where events[i] is true and censored otherwise. With `entries` it is at risk at the times t with
    entries[i] < t <= exits[i] (left truncation: a request enters at its prompt's length)."""
    import numpy

    times, flags = reals(exits, "exits"), zeros_and_ones(events, "events")
    rows = numpy.empty((max(times.size, 1), 6))
    if entries is None:
        size, median = _cvaa.vaa_stats_kaplan_meier(times, flags, rows)
    else:
        size, median = _cvaa.vaa_stats_kaplan_meier_truncated(reals(entries, "entries"), times, flags, rows)
    columns = [rows[:size, i].copy() for i in range(6)]
    return SurvivalCurve(columns[0], columns[1].astype("int64"), columns[2].astype("int64"), *columns[3:], median)


def restricted_mean(exits: Reals, events: Flags, horizon: float) -> Mean:
    """The area under the curve of kaplan_meier over [0, horizon]: the mean time until the event or the horizon, whichever is first, and its standard error. The horizon is at most the
    last exit unless nobody survives."""
    return Mean(*_cvaa.vaa_stats_restricted_mean(reals(exits, "exits"), zeros_and_ones(events, "events"), horizon))


def log_rank(exits1: Reals, events1: Flags, exits2: Reals, events2: Flags, entries1: Reals | None = None, entries2: Reals | None = None) -> LogRank:
    """Whether two groups have the same curve (Mantel 1966): events of the first group, those expected if so, the hypergeometric variance, chi2 = (observed - expected)^2 / variance with
    one degree of freedom. Entries for both groups or for none, as in kaplan_meier."""
    first, second = (reals(exits1, "exits1"), zeros_and_ones(events1, "events1")), (reals(exits2, "exits2"), zeros_and_ones(events2, "events2"))
    if entries1 is None and entries2 is None:
        return LogRank(*_cvaa.vaa_stats_log_rank(*first, *second))
    if entries1 is None or entries2 is None:
        raise TypeError("entries: are given for one group, must be given for both or for none")
    return LogRank(*_cvaa.vaa_stats_log_rank_truncated(reals(entries1, "entries1"), *first, reals(entries2, "entries2"), *second))


# ---- divergences against benign noise: one element a token at risk ----


class HazardTest(NamedTuple):
    expected: float
    variance: float
    z: float
    p_upper: float
    p: float


class NoiseScale(NamedTuple):
    sigma: float
    low: float
    high: float


class SigmaTest(NamedTuple):
    log_likelihood: float
    most: float
    chi2: float
    p: float


class Poisson(NamedTuple):
    p_at_least: float
    p_at_most: float


def hazard_test(hazards: Reals, observed: int) -> HazardTest:
    """`observed` flips among tokens of which each flips with its own chance h: expected = sum h, variance = sum h (1 - h), z, P(Z >= z), P(|Z| >= |z|). One-sample survival in discrete time."""
    return HazardTest(*_cvaa.vaa_stats_hazard_test(reals(hazards, "hazards"), observed))


def flip_test(gaps: Reals, flips: Flags, sigma: float) -> HazardTest:
    """hazard_test with the reference's own gaps: gaps[i] >= 0 is its logprob of token i less that of the second one (nats), flips[i] whether the target chose another one; noise of scale
    sigma on the gap flips it with the chance h = P(N(0, 1) > gap / sigma)."""
    return HazardTest(*_cvaa.vaa_stats_flip_test(reals(gaps, "gaps"), zeros_and_ones(flips, "flips"), sigma))


def flip_sigma(gaps: Reals, flips: Flags, confidence: float = 0.95) -> NoiseScale:
    """The sigma under which the flips are likeliest (nats), and those that a likelihood ratio test does not reject. 0 where no gap above 0 flipped, inf where flips do not get rarer with
    the gap, nan where all gaps are 0."""
    return NoiseScale(*_cvaa.vaa_stats_flip_sigma(reals(gaps, "gaps"), zeros_and_ones(flips, "flips"), confidence))


def flip_sigma_test(gaps: Reals, flips: Flags, sigma: float) -> SigmaTest:
    """The log-likelihood of the flips at sigma and at the likeliest one; chi2, twice the difference, has one degree of freedom if sigma is right."""
    return SigmaTest(*_cvaa.vaa_stats_flip_sigma_test(reals(gaps, "gaps"), zeros_and_ones(flips, "flips"), sigma))


def poisson(k: int, mean: float) -> Poisson:
    """X ~ Poisson(mean): P(X >= k) and P(X <= k). For a bucket of positions whose expected number of flips is below 5."""
    return Poisson(*_cvaa.vaa_stats_poisson(k, mean))


# ---- distributions at one position; nats ----


class Distances(NamedTuple):
    kl_pq: float
    kl_qp: float
    js: float
    tv: float
    bhattacharyya: float
    hellinger: float


class TopKBound(NamedTuple):
    kl_at_least: float
    common: int
    reference_mass: float
    target_mass: float


class KlEstimates(NamedTuple):
    k1: float
    k2: float
    k3: float
    mean_difference: float
    most_difference: float
    mean_factor: float


class Swing(NamedTuple):
    reference_gap: float
    target_gap: float
    swing: float
    is_bound: bool
    kind: str


def distances(p: Reals, q: Reals) -> Distances:
    """KL(p || q) and KL(q || p), inf where the second is 0 and the first is not; Jensen and Shannon's divergence, at most log 2; total variation sum |p - q| / 2; Bhattacharyya's coefficient sum
    sqrt(p q); Hellinger's distance sqrt(1 - it). Probabilities, whose sums are within 1e-5 of 1 and are not normalised: KL is sum (p log(p / q) - p + q)."""
    return Distances(*_cvaa.vaa_stats_distances(reals(p, "p"), reals(q, "q")))


def distances_of_logits(reference: Reals, target: Reals) -> Distances:
    """distances of the softmax of logits, p being the reference's; -inf is a probability of 0."""
    return Distances(*_cvaa.vaa_stats_distances_of_logits(reals(reference, "reference"), reals(target, "target")))


def kl_from_top_k(reference: Top, target: Top) -> TopKBound:
    """A lower bound of KL(reference || target) from the likeliest tokens of each side, as {id: logprob} or (ids, logprobs): what is outside the common ids counts as one outcome (log-sum
    inequality). Also the number of common ids and their probability on each side: the bound is sharp where that is near 1."""
    return TopKBound(*_cvaa.vaa_stats_kl_from_top_k(*top_of(reference, "reference"), *top_of(target, "target")))


def kl_estimates(reference_logprobs: Reals, target_logprobs: Reals) -> KlEstimates:
    """From logprobs of chosen tokens, which were drawn from the target; r = target - reference: k1 = mean r, k2 = mean r^2 / 2, k3 = mean (exp(-r) - 1 + r) >= 0 all estimate
    KL(target || reference) (Schulman, "Approximating KL divergence", 2020); mean |r|, the largest |r|, mean exp |r|."""
    return KlEstimates(*_cvaa.vaa_stats_kl_estimates(reals(reference_logprobs, "reference_logprobs"), reals(target_logprobs, "target_logprobs")))


def swing(reference: Top, reference_token: int, target: Top, target_token: int, tau: float) -> Swing:
    """The first divergence of two greedy outputs, r against t: swing = [lp_ref(r) - lp_ref(t)] + [lp_tgt(t) - lp_tgt(r)] in nats; a token outside a list counts with that list's last
    logprob, and the swing is a lower bound. kind is "exact_tie" (0), "near_tie" (at most tau), "suspect" (above) or "undetermined" (a bound of at most tau)."""
    *numbers, is_bound, kind = _cvaa.vaa_stats_swing(*top_of(reference, "reference"), reference_token, *top_of(target, "target"), target_token, tau)
    return Swing(*numbers, bool(is_bound), ("exact_tie", "near_tie", "suspect", "undetermined")[kind])


# ---- two samples of answers ----


class TwoSample(NamedTuple):
    mmd2: float
    p: float
    at_least: int
    splits: int
    exact: bool


def mmd(reference: Mapping[Any, Iterable[Wholes]], target: Mapping[Any, Iterable[Wholes]], *, permutations: int = 9999, seed: int = 0) -> TwoSample:
    """Whether answers to the same prompts, {prompt: [token ids, …]} on each side, come from one distribution: the unbiased squared maximum mean discrepancy with the Hamming kernel over pairs of
    one prompt (Gretton and others 2012), and p by permutation within each prompt, over all splits where they are at most `permutations`, else (1 + b) / (1 + permutations). Every prompt has an answer
    on both sides, one has two in the reference and one in the target. Cost: pairs times answers' length, and pairs times splits."""
    import numpy

    numbers = {prompt: i for i, prompt in enumerate(dict.fromkeys([*reference, *target]))}
    for prompt in numbers:
        for name, side in (("reference", reference), ("target", target)):
            if prompt not in side:
                raise ValueError(f"{name}: has no answer to prompt {prompt!r}, must have one to every prompt")

    def flat(side: Mapping[Any, Iterable[Wholes]], name: str) -> list[Any]:
        answers = [(numbers[prompt], wholes(ids, f"{name}[{prompt!r}]")) for prompt, of_one in side.items() for ids in of_one]
        ids = [ids for _, ids in answers]
        return [[number for number, _ in answers], [len(x) for x in ids], numpy.concatenate(ids) if ids else []]

    *values, exact = _cvaa.vaa_stats_mmd(*flat(reference, "reference"), *flat(target, "target"), permutations, seed)
    return TwoSample(*values, bool(exact))
