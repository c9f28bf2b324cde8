"""vaa.stats of whole answers: rates, scores, many tests, runs that are watched, how many are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _cvaa
from ._stats_arrays import Labels, Reals, Wholes, labels, reals, wholes

if TYPE_CHECKING:
    import numpy

# ---- a rate: k of n ----


class Interval(NamedTuple):
    low: float
    high: float


class Limits(NamedTuple):
    lower: float
    upper: float


class Dispersion(NamedTuple):
    ratio: float
    p: float


class Goodness(NamedTuple):
    chi2: float
    freedom: int
    p: float


def wilson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """The interval of a rate k / n to show: all p with |k/n - p| <= z sqrt(p (1 - p) / n) (Wilson 1927). n = 0: [0, 1]."""
    return Interval(*_cvaa.vaa_stats_wilson(k, n, confidence))


def clopper_pearson(k: int, n: int, confidence: float = 0.95) -> Interval:
    """The exact interval of a rate, to guarantee: neither P(X >= k) nor P(X <= k) is below (1 - confidence) / 2 in it (Clopper and Pearson 1934). n = 0: [0, 1]."""
    return Interval(*_cvaa.vaa_stats_clopper_pearson(k, n, confidence))


def rate_limits(k: int, n: int, confidence: float = 0.95) -> Limits:
    """The one-sided forms of clopper_pearson: the rate is at least `lower`, and at most `upper`, each with this confidence. k = 0: upper = 1 - (1 - confidence)^(1/n)."""
    return Limits(*_cvaa.vaa_stats_rate_limits(k, n, confidence))


def rule_of_three(n: int) -> float:
    """3 / n: roughly the upper limit of 95 % after n runs without a failure."""
    return _cvaa.vaa_stats_rule_of_three(n)


def dispersion(counts: Wholes) -> Dispersion:
    """Whether failures, counted by window, replica or batch of equal size, come in bursts: ratio = variance (n - 1) / mean, 1 for independent ones (then an interval from
    independent runs is too narrow by about sqrt(ratio)); p of as much or more, (n - 1) ratio by chi-squared with n - 1 degrees of freedom (Fisher 1925)."""
    return Dispersion(*_cvaa.vaa_stats_dispersion(wholes(counts, "counts")))


def pearson(observed: Wholes, probs: Reals) -> Goodness:
    """Whether counts by class follow a law, probs of each adding to 1 within 1e-9 (Pearson 1900): chi2 = sum of (observed - expected)^2 / expected, inf where a class of probability 0 was met; freedom =
    classes of some probability, less one; p of as much or more, to be trusted from 5 expected a class on."""
    return Goodness(*_cvaa.vaa_stats_pearson(wholes(observed, "observed"), reals(probs, "probs")))


# ---- two rates ----


class RateDifference(NamedTuple):
    difference: float
    low: float
    high: float


class Fisher(NamedTuple):
    p: float
    p_greater: float
    p_less: float


class McNemar(NamedTuple):
    p_exact: float
    p_mid: float
    p_greater: float
    chi2: float


class OddsRatio(NamedTuple):
    ratio: float
    low: float
    high: float


class PairedDifference(NamedTuple):
    difference: float
    low: float
    high: float
    phi: float
    standard_error: float
    flips: float


def rate_difference(k1: int, n1: int, k2: int, n2: int, confidence: float = 0.95) -> RateDifference:
    """k1 / n1 - k2 / n2 of two independent groups, with the interval from Wilson's limits of each (Newcombe 1998, method 10 for independent proportions)."""
    return RateDifference(*_cvaa.vaa_stats_rate_difference(k1, n1, k2, n2, confidence))


def fisher(a: int, b: int, c: int, d: int) -> Fisher:
    """Fisher's exact test of two independent groups, a against b in one and c against d in the other: p sums the tables that are not likelier than this one, p_greater those
    with as large an a or larger, p_less those with as small a one or smaller."""
    return Fisher(*_cvaa.vaa_stats_fisher(a, b, c, d))


def mcnemar(b: int, c: int) -> McNemar:
    """McNemar's test on pairs, b right only the first time, c only the second. p_exact = 2 P(Bin(b + c, 1/2) <= min(b, c)), the gate; p_mid, less the probability of the
    observed table, to show; p_greater = P(Bin(b + c, 1/2) >= b), one-sided; chi2 = (|b - c| - 1)^2 / (b + c). b = c: p 1, chi2 0."""
    return McNemar(*_cvaa.vaa_stats_mcnemar(b, c))


def mcnemar_odds_ratio(b: int, c: int, confidence: float = 0.95) -> OddsRatio:
    """b / c, with the interval of clopper_pearson for b / (b + c) taken to odds. b = c = 0: nan; c = 0: inf."""
    return OddsRatio(*_cvaa.vaa_stats_mcnemar_odds_ratio(b, c, confidence))


def paired_difference(a: int, b: int, c: int, d: int, confidence: float = 0.95) -> PairedDifference:
    """The same items answered twice, a right both times, b only the first, c only the second, d never: difference = (b - c) / n, the first less the second, its interval (Newcombe
    1998, method 10 for paired data, with `phi` corrected for continuity), the standard error with divisor n - 1, flips = (b + c) / n."""
    return PairedDifference(*_cvaa.vaa_stats_paired_difference(a, b, c, d, confidence))


# ---- means of scores ----


class Mean(NamedTuple):
    mean: float
    standard_error: float


class PairedMean(NamedTuple):
    difference: float
    standard_error: float
    correlation: float
    t: float
    df: float
    p_t: float
    p_z: float
    low: float
    high: float


class Equivalence(NamedTuple):
    mean: float
    standard_error: float
    p: float
    p_lower: float
    p_upper: float
    low: float
    high: float


class RankCorrelation(NamedTuple):
    rho: float
    t: float
    p: float


def mean(values: Reals, clusters: Labels | None = None) -> Mean:
    """The mean of scores and its standard error, sqrt(variance / n) with divisor n - 1. With `clusters`, labels of any kind (the question of each answer, the text of each
    question), SE^2 + sum over pairs i != j of one cluster of (s_i - m)(s_j - m) / n^2, at least 0 (Miller, "Adding error bars to evals", 2024)."""
    if clusters is None:
        return Mean(*_cvaa.vaa_stats_mean(reals(values, "values")))
    return Mean(*_cvaa.vaa_stats_mean_clustered(reals(values, "values"), labels(clusters)))


def root_mean_square(values: Reals) -> Mean:
    """sqrt(mean x^2) and its standard error, that of the mean square over twice the root."""
    return Mean(*_cvaa.vaa_stats_root_mean_square(reals(values, "values")))


def paired_mean(reference: Reals, target: Reals, confidence: float = 0.95) -> PairedMean:
    """Two scores of the same items: the mean of target - reference, its standard error, the correlation of the two, t = difference / standard_error with df = n - 1, p by Student's t
    and by the normal distribution, the interval by t. With clusters: mean(target - reference, clusters)."""
    return PairedMean(*_cvaa.vaa_stats_paired_mean(reals(reference, "reference"), reals(target, "target"), confidence))


def equivalence(differences: Reals, margin: float) -> Equivalence:
    """Two one-sided t tests: equivalent within ±margin at 5 % where p < 0.05, which is where the interval of 90 %, low to high, lies inside it (Schuirmann 1987). p_lower is against
    "the mean is -margin or less", p_upper against "margin or more", p the larger one."""
    return Equivalence(*_cvaa.vaa_stats_equivalence(reals(differences, "differences"), margin))


def quantiles(values: Reals, shares: Reals) -> "numpy.ndarray[Any, Any]":
    """For each share the value at place share (n - 1) of the sorted list, with straight lines between (numpy's default)."""
    import numpy

    wanted = reals(shares, "shares")
    out = numpy.empty(wanted.size)
    _cvaa.vaa_stats_quantiles(reals(values, "values"), wanted, out)
    return out


def spearman(x: Reals, y: Reals) -> RankCorrelation:
    """The correlation of the ranks (Spearman 1904), ties sharing the mean of theirs; t = rho sqrt((n - 2) / (1 - rho^2)), p by Student's t with n - 2 degrees of freedom. Fewer than three
    pairs, or a side all equal: nan, nan, 1."""
    return RankCorrelation(*_cvaa.vaa_stats_spearman(reals(x, "x"), reals(y, "y")))


# ---- many tests ----


def holm(p: Reals) -> "numpy.ndarray[Any, Any]":
    """p values of one family adjusted so that the chance of any false rejection is bounded (Holm 1979), in the order of the input: for gates."""
    import numpy

    given = reals(p, "p")
    out = numpy.empty(given.size)
    _cvaa.vaa_stats_holm(given, out)
    return out


def benjamini_hochberg(p: Reals) -> "numpy.ndarray[Any, Any]":
    """p values of one family adjusted so that the share of false rejections is bounded (Benjamini and Hochberg 1995), in the order of the input: for lists to look at."""
    import numpy

    given = reals(p, "p")
    out = numpy.empty(given.size)
    _cvaa.vaa_stats_benjamini_hochberg(given, out)
    return out


# ---- while runs come ----


class Sprt(NamedTuple):
    log_ratio: float
    low: float
    high: float
    decision: str
    clean_runs: int


class EValue(NamedTuple):
    e: float
    p: float
    e_above: float
    p_above: float


def sprt(k: int, n: int, p0: float, p1: float, alpha: float = 0.05, beta: float = 0.1) -> Sprt:
    """Wald's sequential test (1945) of the failure rate p0 against p1 > p0: p0 is accepted ("low") where the log likelihood ratio is at most low = log(beta / (1 - alpha)), p1 ("high") where it
    is at least high = log((1 - beta) / alpha), else "go_on"; clean_runs more without a failure accept p0."""
    log_ratio, low, high, decision, clean_runs = _cvaa.vaa_stats_sprt(k, n, p0, p1, alpha, beta)
    return Sprt(log_ratio, low, high, ("go_on", "low", "high")[decision], clean_runs)


def e_value(k: int, n: int, p0: float) -> EValue:
    """The evidence against the rate p0, which holds whenever one looks: e = B(k + 1/2, n - k + 1/2) / B(1/2, 1/2) / (p0^k (1 - p0)^(n - k)); if the rate is p0 it reaches 1 / alpha with a chance of at most
    alpha, ever. p = min(1, 1 / e). e_above, p_above: against "p0 or less", the prior being cut to (p0, 1)."""
    return EValue(*_cvaa.vaa_stats_e_value(k, n, p0))


def confidence_sequence(k: int, n: int, confidence: float = 0.95) -> Interval:
    """All rates whose e is below 1 / (1 - confidence): at every n at once they hold the true one with this confidence. n = 0: [0, 1]."""
    return Interval(*_cvaa.vaa_stats_confidence_sequence(k, n, confidence))


# ---- how many are needed, and what can be seen with those there are ----


class CleanRuns(NamedTuple):
    exact: int
    poisson: int
    anytime: int


class Detectable(NamedTuple):
    threshold: float
    detectable: float


def clean_runs_needed(rate: float, alpha: float = 0.05) -> CleanRuns:
    """Runs without a failure that exclude `rate`: the least n with (1 - rate)^n <= alpha, which also show a fault of that rate but for a chance of alpha; -log(alpha) / rate (Poisson); and those after
    each of which one may look (by e_value)."""
    return CleanRuns(*_cvaa.vaa_stats_clean_runs_needed(rate, alpha))


def samples_needed_above(rate: float, ceiling: float, alpha: float = 0.05, beta: float = 0.2) -> int:
    """Runs for which a test against `ceiling` fires but for a chance of beta when the rate is `rate` > ceiling (normal approximation, as in all below)."""
    return _cvaa.vaa_stats_samples_needed_above(rate, ceiling, alpha, beta)


def group_size_needed(p1: float, p2: float, alpha: float = 0.05, beta: float = 0.2, sides: int = 2) -> int:
    """In each of two independent groups of rates p1 and p2."""
    return _cvaa.vaa_stats_group_size_needed(p1, p2, alpha, beta, sides)


def unpaired_detectable(sigma: float, n: int, alpha: float = 0.05, beta: float = 0.2, sides: int = 1) -> Detectable:
    """Means of two independent groups of n with standard deviation sigma: the difference at which the test fires, z_alpha sigma sqrt(2 / n), and the one that it finds but for a chance of beta,
    (z_alpha + z_beta) sigma sqrt(2 / n)."""
    return Detectable(*_cvaa.vaa_stats_unpaired_detectable(sigma, n, alpha, beta, sides))


def paired_detectable(discordance: float, n: int, alpha: float = 0.05, beta: float = 0.2, sides: int = 1) -> float:
    """n pairs of right and wrong of which a share `discordance` flips: the difference that is found, (z_alpha + z_beta) sqrt(discordance / n)."""
    return _cvaa.vaa_stats_paired_detectable(discordance, n, alpha, beta, sides)


def pairs_needed(discordance: float, effect: float, alpha: float = 0.05, beta: float = 0.2, sides: int = 1) -> int:
    """The pairs for a difference of `effect`, of which a share `discordance` flips."""
    return _cvaa.vaa_stats_pairs_needed(discordance, effect, alpha, beta, sides)


def questions_needed(between: float, effect: float, *, within_a: float = 0, within_b: float = 0, repeats_a: float = 1, repeats_b: float = 1, alpha: float = 0.05, beta: float = 0.2,
                     sides: int = 2) -> int:
    """Questions for a difference of `effect` of two models: (z_alpha + z_beta)^2 (between + within_a / repeats_a + within_b / repeats_b) / effect^2, of variances over questions of the difference
    of the mean scores and of one answer's score to a question (Miller 2024)."""
    return _cvaa.vaa_stats_questions_needed(between, within_a, within_b, repeats_a, repeats_b, effect, alpha, beta, sides)


def repeats_needed(within: float, questions: int, other_variance: float, effect: float, alpha: float = 0.05, beta: float = 0.2, sides: int = 2) -> int:
    """Repeats of `questions` questions until a mean whose answers vary by `within` (a variance) is told from another one of variance other_variance: the least r with
    (z_alpha + z_beta)^2 (within / (questions r) + other_variance) <= effect^2; 0 where no number suffices."""
    return _cvaa.vaa_stats_repeats_needed(within, questions, other_variance, effect, alpha, beta, sides)
