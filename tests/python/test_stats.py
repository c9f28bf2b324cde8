"""vaa.stats: what has to hold for any input, intervals by exact enumeration, the vectors, and bad input. Against scipy and statsmodels: test_stats_peers.py."""

import json
import math

import numpy as np
import pytest

import vaa
from conftest import GOLDEN, need

pytest.importorskip("hypothesis")
from hypothesis import assume, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from vaa import conformance, stats  # noqa: E402

INF, NAN = math.inf, math.nan
examples = settings(deadline=None, max_examples=200)
confidences = st.sampled_from([0.5, 0.9, 0.95, 0.99]) | st.floats(0.01, 0.999)
count = st.integers(0, 60) | st.integers(0, 10**6) | st.integers(0, 2**50)
small = st.integers(0, 40)
scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(-100, 100), min_size=2, max_size=40)
shares = st.lists(st.floats(1e-6, 1), min_size=2, max_size=30)


@st.composite
def rates(draw):
    n = draw(count.filter(bool))
    return draw(st.integers(0, n)), n


def close(a, b, rel=1e-11, abs=1e-300):
    return a == b or math.isclose(a, b, rel_tol=rel, abs_tol=abs) or (math.isnan(a) and math.isnan(b))


# ---- a rate ----


@examples
@given(rates(), confidences)
def test_intervals_of_a_rate_hold_it_and_are_mirrored(rate, confidence):
    k, n = rate
    for interval in (stats.wilson, stats.clopper_pearson, stats.confidence_sequence):
        low, high = interval(k, n, confidence)
        assert 0 <= low <= k / n <= high <= 1 or close(low, k / n) or close(high, k / n)
        assert (low == 0) == (k == 0) and (high == 1) == (k == n)
        other = interval(n - k, n, confidence)
        assert close(low, 1 - other.high, abs=1e-13) and close(high, 1 - other.low, abs=1e-13)
        wider = interval(k, n, (1 + confidence) / 2)
        assert wider.low <= low and high <= wider.high
    limits = stats.rate_limits(k, n, confidence)
    two_sided = stats.clopper_pearson(k, n, 1 - 2 * (1 - confidence)) if confidence > 0.5 else None
    if two_sided and 0 < 1 - 2 * (1 - confidence) < 1:
        assert close(limits.lower, two_sided.low, 1e-9) and close(limits.upper, two_sided.high, 1e-9)


@examples
@given(rates(), confidences)
def test_intervals_of_a_rate_rise_with_the_hits(rate, confidence):
    k, n = rate
    assume(k < n <= 10**6)
    for interval in (stats.wilson, stats.clopper_pearson, stats.confidence_sequence):
        one, more = interval(k, n, confidence), interval(k + 1, n, confidence)
        assert one.low < more.low and one.high < more.high or more.high == 1 or one.low == 0


def coverage(interval, n, p):
    held = [low <= p <= high for low, high in (interval(k, n) for k in range(n + 1))]
    return math.fsum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if held[k])


@pytest.mark.parametrize("n", [1, 5, 12, 30])
def test_coverage_of_a_rate_by_enumeration(n):
    grid = [i / 400 for i in range(1, 400)]
    exact = {k: stats.clopper_pearson(k, n) for k in range(n + 1)}
    anytime = {k: stats.confidence_sequence(k, n) for k in range(n + 1)}
    shown = {k: stats.wilson(k, n) for k in range(n + 1)}
    limits = {k: stats.rate_limits(k, n) for k in range(n + 1)}
    for p in grid:
        assert coverage(lambda k, n: exact[k], n, p) >= 0.95 - 1e-12
        assert coverage(lambda k, n: anytime[k], n, p) >= 0.95
        assert coverage(lambda k, n: (limits[k].lower, 1), n, p) >= 0.95 - 1e-12
        assert coverage(lambda k, n: (0, limits[k].upper), n, p) >= 0.95 - 1e-12
    mean = sum(coverage(lambda k, n: shown[k], n, p) for p in grid) / len(grid)
    assert 0.94 < mean < 0.975


@pytest.mark.parametrize("p11, p10, p01", [(0.5, 0.1, 0.1), (0.7, 0.15, 0.05), (0.2, 0.3, 0.1), (0.9, 0.05, 0.0)])
def test_coverage_of_a_paired_difference_by_enumeration(p11, p10, p01):
    n, p00 = 14, 1 - p11 - p10 - p01
    held = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            for c in range(n + 1 - a - b):
                d = n - a - b - c
                ways = math.factorial(n) // (math.factorial(a) * math.factorial(b) * math.factorial(c) * math.factorial(d))
                got = stats.paired_difference(a, b, c, d)
                if got.low <= p10 - p01 <= got.high:
                    held += ways * p11**a * p10**b * p01**c * p00**d
    assert held > 0.93


@examples
@given(st.floats(1e-4, 0.9), st.floats(1e-4, 0.5))
def test_clean_runs_are_the_least_that_suffice(rate, alpha):
    need = stats.clean_runs_needed(rate, alpha)
    log = math.log1p(-rate)
    assert need.exact * log <= math.log(alpha) + 1e-9 and (need.exact == 1 or (need.exact - 1) * log > math.log(alpha) - 1e-9)
    assert need.exact <= need.poisson <= need.anytime + need.poisson and need.exact <= need.anytime
    assert stats.e_value(0, need.anytime, rate).p <= alpha and (need.anytime == 1 or stats.e_value(0, need.anytime - 1, rate).p > alpha)
    assert close(stats.rate_limits(0, need.exact, 1 - alpha).upper, 1 - alpha ** (1 / need.exact), 1e-9)


def test_bursts_are_told_from_single_failures():
    assert stats.dispersion([3, 4, 2, 5, 3, 4, 1, 3]).p > 0.5
    bursts = stats.dispersion(np.array([0, 0, 12, 0, 0, 0, 15, 0], "uint8"))
    assert bursts.ratio > 9 and bursts.p < 1e-12


def test_counts_against_a_law():
    told = stats.pearson([40, 20, 40], [1 / 2, 1 / 3, 1 / 6])  # (40 - 50)^2 / 50 + (20 - 33.3)^2 / 33.3 + (40 - 16.7)^2 / 16.7
    assert (told.chi2, told.freedom) == (pytest.approx(40), 2) and told.p == pytest.approx(math.exp(-20))
    assert stats.pearson([3, 0], [1, 0]) == (0, 0, 1)
    assert stats.pearson([3, 1], [1, 0]) == (math.inf, 0, 0)
    assert stats.pearson([0, 0], [0.5, 0.5]) == (0, 1, 1)



# ---- two rates ----


@examples
@given(rates(), rates(), confidences)
def test_a_difference_changes_its_sign_with_the_groups(one, two, confidence):
    got, back = stats.rate_difference(*one, *two, confidence), stats.rate_difference(*two, *one, confidence)
    assert got.low <= got.difference <= got.high and -1 - 1e-12 <= got.low and got.high <= 1 + 1e-12
    assert close(got.difference, -back.difference, abs=1e-15) and close(got.low, -back.high, abs=1e-15) and close(got.high, -back.low, abs=1e-15)


@examples
@given(small, small, small, small)
def test_fisher_does_not_care_how_the_table_is_turned(a, b, c, d):
    one = stats.fisher(a, b, c, d)
    assert 0 <= one.p <= 1 and one.p_greater + one.p_less >= 1 - 1e-12
    for turned in ((c, d, a, b), (b, a, d, c), (a, c, b, d), (d, c, b, a)):
        assert close(stats.fisher(*turned).p, one.p)
    assert close(stats.fisher(c, d, a, b).p_less, one.p_greater) and close(stats.fisher(a, c, b, d).p_greater, one.p_greater)
    assert min(one.p_greater, one.p_less) <= one.p + 1e-12


@examples
@given(count, count)
def test_mcnemar_is_symmetric_and_mid_p_is_smaller(b, c):
    one, two = stats.mcnemar(b, c), stats.mcnemar(c, b)
    assert one._replace(p_greater=0) == two._replace(p_greater=0)
    assert 0 <= one.p_mid <= one.p_exact <= 1 and (b != c or one.p_exact == one.p_mid == 1)
    ratio, back = stats.mcnemar_odds_ratio(b, c), stats.mcnemar_odds_ratio(c, b)
    assert b == c == 0 or ratio.low <= ratio.ratio <= ratio.high
    assert close(ratio.low * back.high, 1) or 0 in (ratio.low, back.low)


@examples
@given(small, small, small, small, confidences)
def test_a_paired_difference_changes_its_sign_with_the_sides(a, b, c, d, confidence):
    assume(a + b + c + d > 0)
    got, back = stats.paired_difference(a, b, c, d, confidence), stats.paired_difference(a, c, b, d, confidence)
    assert got.low - 1e-12 <= got.difference <= got.high + 1e-12 and -1 - 1e-12 <= got.low and got.high <= 1 + 1e-12
    assert close(got.low, -back.high, abs=1e-14) and got.flips == back.flips and got.phi == back.phi
    assert got.standard_error == back.standard_error or math.isnan(got.standard_error)


# ---- means ----


@examples
@given(scores, st.randoms(use_true_random=False))
def test_a_mean_has_the_same_bits_in_any_order(values, random):
    labels = [random.choice("abc") for _ in values]
    items = list(zip(values, labels))
    plain, clustered, rms = stats.mean(values), stats.mean(values, labels), stats.root_mean_square(values)
    random.shuffle(items)
    again, names = [v for v, _ in items], [label for _, label in items]
    assert stats.mean(again) == plain and stats.mean(np.array(again), names) == clustered and stats.root_mean_square(again) == rms
    assert close(stats.mean(values, range(len(values))).standard_error, plain.standard_error, abs=1e-12)


@examples
@given(scores, st.data())
def test_paired_scores_and_their_equivalence(reference, data):
    target = data.draw(st.lists(st.floats(-100, 100), min_size=len(reference), max_size=len(reference)))
    got = stats.paired_mean(reference, target)
    assert 0 <= got.p_t <= 1 and 0 <= got.p_z <= got.p_t + 1e-12 and got.low <= got.difference <= got.high and got.df == len(reference) - 1
    back = stats.paired_mean(target, reference)
    assert got.difference == -back.difference and got.p_t == back.p_t and got.low == -back.high
    margin = data.draw(st.floats(0.01, 50))
    same = stats.equivalence(np.array(target) - np.array(reference), margin)
    assert same.p == max(same.p_lower, same.p_upper) and (same.p < 0.05) == (-margin < same.low and same.high < margin) or close(same.p, 0.05, 1e-6)


@examples
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_adjusted_p_values_keep_their_order_and_their_places(p, random):
    holm, bh = stats.holm(p), stats.benjamini_hochberg(p)
    assert (np.array(p) <= bh * (1 + 1e-15)).all() and (bh <= holm * (1 + 1e-15)).all() and (holm <= 1).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(holm[order]) >= 0).all() and (np.diff(bh[order]) >= 0).all()
    turned = list(range(len(p)))
    random.shuffle(turned)
    assert (stats.holm(np.array(p)[turned]) == holm[turned]).all() and (stats.benjamini_hochberg(np.array(p)[turned]) == bh[turned]).all()


@examples
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), min_size=3, max_size=40))
def test_rank_correlation_sees_ranks_alone(pairs):
    x, y = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    got = stats.spearman(x, y)
    assert got == stats.spearman(y, x) or math.isnan(got.rho) or close(got.p, stats.spearman(y, x).p, 1e-9)
    grown = stats.spearman([math.exp(v / 5) for v in x], [v**3 for v in y])
    assert grown == got or math.isnan(got.rho)
    mirrored = stats.spearman(x, [-v for v in y])
    assert math.isnan(got.rho) or (mirrored.rho == -got.rho and mirrored.p == got.p and -1 <= got.rho <= 1 and 0 <= got.p <= 1)


# ---- survival and flips ----

subjects = st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(1, 12)), min_size=1, max_size=40)


@examples
@given(subjects, subjects)
def test_survival_falls_from_one_and_log_rank_is_symmetric(first, second):
    exits, events = [e for e, _, _ in first], [d for _, d, _ in first]
    curve = stats.kaplan_meier(exits, events)
    assert (np.diff(np.concatenate(([1.0], curve.survival))) < 0).all() and (curve.survival >= 0).all() and (np.diff(curve.at_risk) < 0).all()
    assert curve.events.sum() == sum(events) and (curve.hazard >= -np.log(np.maximum(curve.survival, 1e-300)) * 0).all()
    shifted = stats.kaplan_meier(np.array(exits) + 7, events, entries=[6 - late for _, _, late in first])  # all enter before the first exit
    assert (shifted.survival == curve.survival).all() and (shifted.time == curve.time + 7).all()
    # Late entries count from their entry on alone.
    entries = [e - late for e, _, late in first]
    late = stats.kaplan_meier(exits, events, entries)
    for t, n in zip(late.time, late.at_risk):
        assert n == sum(a < t <= e for a, e in zip(entries, exits))
    other = ([e for e, _, _ in second], [d for _, d, _ in second])
    one, two = stats.log_rank(exits, events, *other), stats.log_rank(*other, exits, events)
    assert close(one.chi2, two.chi2, 1e-9, 1e-12) and 0 <= one.p <= 1 and close(one.variance, two.variance, 1e-12, 1e-13)
    assert close(one.observed + two.observed, one.expected + two.expected, 1e-12)
    truncated = stats.log_rank(exits, events, *other, [-1] * len(exits), [-1] * len(other[0]))
    assert truncated == one
    if max(exits) > 0:
        mean = stats.restricted_mean(exits, events, max(exits))
        assert 0 <= mean.mean <= max(exits) and mean.standard_error >= 0


@examples
@given(st.lists(st.tuples(st.floats(1e-20, 10) | st.sampled_from([0.0, 0.125]), st.booleans()), min_size=1, max_size=40), st.floats(0.01, 3))
def test_flips_are_judged_alike_in_any_order_and_unit(tokens, sigma):
    gaps, flips = [g for g, _ in tokens], [f for _, f in tokens]
    test = stats.flip_test(gaps, flips, sigma)
    hazards = stats.hazard_test([0.5 * math.erfc(g / sigma / math.sqrt(2)) for g in gaps], sum(flips))
    assert close(test.expected, hazards.expected, 1e-12) and close(test.variance, hazards.variance, 1e-12) and 0 <= test.p_upper <= 1 and 0 <= test.p <= 1
    assert stats.flip_test(gaps[::-1], flips[::-1], sigma) == test
    noise, likelihood = stats.flip_sigma(gaps, flips), stats.flip_sigma_test(gaps, flips, sigma)
    assert likelihood.most >= likelihood.log_likelihood - 1e-12 * abs(likelihood.most) and likelihood.chi2 >= 0 and 0 <= likelihood.p <= 1
    if math.isnan(noise.sigma):
        assert not any(gaps)
        return
    assert noise.low <= noise.sigma <= noise.high
    inside = noise.low * (1 + 1e-9) < sigma < noise.high * (1 - 1e-9)
    outside = sigma < noise.low * (1 - 1e-9) or sigma > noise.high * (1 + 1e-9)
    assert not inside or likelihood.p >= 0.05 - 1e-6
    assert not outside or likelihood.p <= 0.05 + 1e-6
    if max(gaps) > 1e-3:
        scaled = stats.flip_sigma([4 * g for g in gaps], flips)
        assert close(scaled.sigma, 4 * noise.sigma, 1e-9) and close(scaled.high, 4 * noise.high, 1e-9)


# ---- distributions ----


@examples
@given(shares, st.data())
def test_distances_and_the_inequalities_between_them(p, data):
    q = data.draw(st.lists(st.floats(1e-6, 1), min_size=len(p), max_size=len(p)))
    p, q = np.array(p) / sum(p), np.array(q) / sum(q)
    got, back = stats.distances(p, q), stats.distances(q, p)
    assert all(close(a, b, 1e-12) for a, b in zip(got, back._replace(kl_pq=back.kl_qp, kl_qp=back.kl_pq)))
    assert 0 <= got.js <= math.log(2) + 1e-12 and 0 <= got.tv <= 1 + 1e-12 and got.kl_pq >= 0
    assert got.tv**2 <= got.kl_pq / 2 + 1e-10 and got.hellinger**2 <= got.tv + 1e-10 and got.tv <= math.sqrt(2) * got.hellinger + 1e-10
    assert close(got.bhattacharyya, 1 - got.hellinger**2, 1e-10)
    assert max(stats.distances(p, p)[:4]) == 0
    of_logits = stats.distances_of_logits(np.log(p) + 3, np.log(q) - 200)
    assert all(close(a, b, 1e-7, 1e-9) for a, b in zip(of_logits, got))
    k = data.draw(st.integers(1, len(p)))
    top = [{int(i): math.log(side[i]) for i in np.argsort(-side, kind="stable")[:k]} for side in (p, q)]
    bound = stats.kl_from_top_k(*top)
    assert bound.kl_at_least <= got.kl_pq + 1e-9 and bound.common == len(top[0].keys() & top[1].keys())
    if k == len(p):
        assert close(bound.kl_at_least, got.kl_pq, 1e-6, 1e-9)


@examples
@given(st.lists(st.tuples(st.floats(-30, 0), st.floats(-30, 0)), min_size=1, max_size=40))
def test_estimates_from_chosen_tokens(pairs):
    reference, target = [a for a, _ in pairs], [b for _, b in pairs]
    got = stats.kl_estimates(reference, target)
    assert got.k3 >= 0 and got.k2 >= 0 and got.mean_difference <= got.most_difference and abs(got.k1) <= got.mean_difference + 1e-12
    assert 1 <= got.mean_factor <= math.exp(got.most_difference) * (1 + 1e-12)
    assert stats.kl_estimates(target, reference).k1 == -got.k1 or got.k1 == 0


# ---- sequences and samples ----


@examples
@given(st.integers(1, 3000), st.data())
def test_evidence_grows_away_from_the_rate(n, data):
    k, p0 = data.draw(st.integers(0, n)), data.draw(st.floats(1e-3, 0.999))
    got = stats.e_value(k, n, p0)
    assert got.e > 0 and 0 <= got.p <= 1 and got.e_above >= 0 and 0 <= got.p_above <= 1
    assert got.p == 1 or close(got.p, 1 / got.e)
    low, high = stats.confidence_sequence(k, n, 0.95)
    inside = low < p0 < high
    assert inside == (got.e < 20) or close(got.e, 20, 1e-6)
    if k < n:
        assert stats.e_value(k + 1, n, p0).e_above >= got.e_above * (1 - 1e-12)


@examples
@given(st.integers(0, 2000), st.data())
def test_walds_test_counts_the_clean_runs_that_are_left(n, data):
    k, p0 = data.draw(st.integers(0, min(n, 3))), data.draw(st.floats(1e-4, 0.05))
    p1 = data.draw(st.floats(1.5 * p0, 0.5))
    got = stats.sprt(k, n, p0, p1)
    assert got.decision == ("low" if got.log_ratio <= got.low else "high" if got.log_ratio >= got.high else "go_on")
    if got.decision == "go_on":
        assert stats.sprt(k, n + got.clean_runs, p0, p1).log_ratio <= got.low + 1e-9
        assert got.clean_runs == 1 or stats.sprt(k, n + got.clean_runs - 1, p0, p1).decision == "go_on"
    else:
        assert got.clean_runs == 0


answers = st.dictionaries(st.sampled_from(["a", 2, ("x", 1)]), st.tuples(*[st.lists(st.lists(st.integers(0, 2), max_size=4), min_size=2, max_size=3)] * 2), min_size=1, max_size=2)


@settings(deadline=None, max_examples=60)
@given(answers, st.integers(0, 3))
def test_two_samples_of_answers(prompts, seed):
    reference, target = ({prompt: sides[i] for prompt, sides in prompts.items()} for i in (0, 1))
    got, back = stats.mmd(reference, target), stats.mmd(target, reference)
    assert got.exact and got.p == got.at_least / got.splits and 0 < got.p <= 1
    assert close(got.mmd2, back.mmd2, 1e-12, 1e-12) and got.p == back.p
    drawn = stats.mmd(reference, target, permutations=4, seed=seed)
    assert drawn.splits == 5 and not drawn.exact and drawn.mmd2 == got.mmd2 and drawn.p >= 0.2
    turned = {prompt: [np.array(ids, "int32") for ids in reversed(side)] for prompt, side in reversed(list(target.items()))}
    assert stats.mmd(reference, turned).p == got.p


# ---- needs ----


@examples
@given(st.floats(0.001, 0.5), st.floats(0.001, 0.3), st.sampled_from([0.01, 0.05]), st.sampled_from([0.1, 0.2]), st.sampled_from([1, 2]))
def test_needs_are_the_least_that_find_the_effect(discordance, effect, alpha, beta, sides):
    n = stats.pairs_needed(discordance, effect, alpha, beta, sides)
    assert stats.paired_detectable(discordance, n, alpha, beta, sides) <= effect * (1 + 1e-12)
    assert n == 1 or stats.paired_detectable(discordance, n - 1, alpha, beta, sides) > effect * (1 - 1e-12)
    got = stats.unpaired_detectable(1, n, alpha, beta, sides)
    assert 0 < got.threshold < got.detectable
    assert stats.questions_needed(discordance, effect, alpha=alpha, beta=beta, sides=sides) == n
    repeats = stats.repeats_needed(discordance, 1, 0, effect, alpha, beta, sides)
    assert repeats == n and stats.repeats_needed(discordance, 1, effect**2, effect, alpha, beta, sides) == 0
    assert stats.group_size_needed(0.2, 0.2 + effect, alpha, beta, sides) > stats.group_size_needed(0.2, 0.2 + 2 * effect, alpha, beta, sides) - 1
    assert stats.samples_needed_above(0.2 + effect, 0.2, alpha, beta) <= stats.group_size_needed(0.2, 0.2 + effect, alpha, beta, 1)


# ---- bad input ----

ONE, TWO = [0.5], [0.5, 0.25]
BAD = [
    (lambda: stats.wilson(-1, 3), "wilson: k is -1, must be at least 0"),
    (lambda: stats.wilson(4, 3), "wilson: k is 4, must be at most 3"),
    (lambda: stats.clopper_pearson(1, -3), "clopper_pearson: n is -3, must be at least 0"),
    (lambda: stats.clopper_pearson(1, 3, NAN), "clopper_pearson: confidence is nan, must be above 0 and below 1"),
    (lambda: stats.rate_limits(1, 2**53 + 1), "rate_lower_limit: n is 9007199254740993, must be at most 9007199254740992"),
    (lambda: stats.rule_of_three(0), "rule_of_three: n is 0, must be at least 1"),
    (lambda: stats.pearson([1, 2], [0.5]), "pearson: the size of probs is 1, must be at least 2"),
    (lambda: stats.pearson([1, 2], [0.5, 0.4]), "pearson: the sum of probs is 0.9"),
    (lambda: stats.pearson([1, -2], [0.5, 0.5]), "pearson: observed[1] is -2, must be at least 0"),
    (lambda: stats.dispersion([]), "dispersion: the size of counts is 0, must be at least 2"),
    (lambda: stats.rate_difference(1, 2, 3, 2), "rate_difference: k2 is 3, must be at most 2"),
    (lambda: stats.fisher(1, 2, -3, 2), "fisher_exact: c is -3, must be at least 0"),
    (lambda: stats.mcnemar(-1, 2), "b is -1, must be at least 0"),
    (lambda: stats.mcnemar_odds_ratio(1, 2, 0), "mcnemar_odds_ratio: confidence is 0, must be above 0 and below 1"),
    (lambda: stats.paired_difference(1, 2, 3, -4), "paired_difference: d is -4, must be at least 0"),
    (lambda: stats.mean([]), "mean: the size of values is 0, must be at least 1"),
    (lambda: stats.mean([1, NAN]), "mean_of: values[1] is nan, must be at most 1e+140 in size"),
    (lambda: stats.mean(TWO, [1]), "mean_clustered: the size of clusters is 1, must be at least 2"),
    (lambda: stats.root_mean_square([INF]), "root_mean_square: values[0] is inf, must be at most 1e+70 in size"),
    (lambda: stats.paired_mean(TWO, ONE), "paired_mean: the size of target is 1, must be at least 2"),
    (lambda: stats.equivalence(TWO, -1), "equivalence: margin is -1, must be above 0 and finite"),
    (lambda: stats.equivalence(ONE, 1), "equivalence: the size of differences is 1, must be at least 2"),
    (lambda: stats.quantiles(TWO, [2]), "quantiles: shares[0] is 2, must be in [0, 1]"),
    (lambda: stats.spearman([], []), "spearman: the size of x is 0, must be at least 1"),
    (lambda: stats.holm([]), "holm: the size of p is 0, must be at least 1"),
    (lambda: stats.holm([0.5, -0.1]), "holm: p[1] is -0.1, must be in [0, 1]"),
    (lambda: stats.benjamini_hochberg([NAN]), "benjamini_hochberg: p[0] is nan, must be in [0, 1]"),
    (lambda: stats.kaplan_meier([], []), "kaplan_meier: the size of exits is 0, must be at least 1"),
    (lambda: stats.kaplan_meier([3], [True], [3]), "kaplan_meier: entries[0] is 3, must be below 3 and finite"),
    (lambda: stats.kaplan_meier([3, INF], [1, 0]), "kaplan_meier: exits[1] is inf, must be at most 1e+140 in size"),
    (lambda: stats.restricted_mean([3], [0], 4), "restricted_mean: horizon is 4, must be at most 3 and finite"),
    (lambda: stats.restricted_mean([-3], [1], 4), "restricted_mean: the least of exits is -3, must be at least 0 and finite"),
    (lambda: stats.log_rank([3], [1], [], []), "log_rank: second group: the size of exits is 0, must be at least 1"),
    (lambda: stats.hazard_test([0.5, -0.5], 1), "hazard_test: hazards[1] is -0.5, must be in [0, 1]"),
    (lambda: stats.hazard_test([0.5], 2), "hazard_test: observed is 2, must be at most 1"),
    (lambda: stats.flip_test([NAN], [1], 1), "flip_test: gaps[0] is nan, must be at least 0 and finite"),
    (lambda: stats.flip_test([1], [1], NAN), "flip_test: sigma is nan, must be above 0 and finite"),
    (lambda: stats.flip_sigma([1], [1], 2), "flip_sigma: confidence is 2, must be above 0 and below 1"),
    (lambda: stats.flip_sigma_test([], [], 1), "flip_sigma_test: the size of gaps is 0, must be at least 1"),
    (lambda: stats.poisson(-1, 2), "poisson: k is -1, must be at least 0"),
    (lambda: stats.poisson(1, NAN), "mean is nan, must be at least 0 and finite"),
    (lambda: stats.distances([0.5, 0.5], [0.5, 0.4]), "distances: the sum of q is 0.9, must be at least 0.99999 and finite"),
    (lambda: stats.distances([], []), "distances: the size of p is 0, must be at least 1"),
    (lambda: stats.distances_of_logits([1, INF], [1, 2]), "distances_of_logits: reference[1] is inf, must be finite, or -inf for a probability of 0"),
    (lambda: stats.kl_from_top_k({1: 0.5}, {1: -1}), "kl_from_top_k: reference_logprobs[0] is 0.5, must be at most 0 and finite"),
    (lambda: stats.kl_from_top_k(([1, 1], [-1, -2]), {1: -1}), "kl_from_top_k: the count of id 1 in reference_ids is 2, must be at most 1"),
    (lambda: stats.kl_estimates([-1], [NAN]), "kl_estimates: target_logprobs[0] is nan, must be at most 0 and finite"),
    (lambda: stats.swing({1: -1}, 1, {2: -1}, 3, 0.1), "swing: target_token is 3, must be among target_ids once, is there 0 times"),
    (lambda: stats.sprt(0, 1, 0.5, 0.1), "sprt: p0 is 0.5, must be below 0.1 and finite"),
    (lambda: stats.e_value(2, 1, 0.5), "e_value: k is 2, must be at most 1"),
    (lambda: stats.confidence_sequence(0, -1), "confidence_sequence: n is -1, must be at least 0"),
    (lambda: stats.mmd({1: [[1]]}, {1: [[1], [2]]}), "mmd_test: the number of pairs within reference is 0, must be at least 1"),
    (lambda: stats.mmd({1: [[1], [2]]}, {1: [[1], [2]]}, permutations=0), "mmd_test: permutations is 0, must be at least 1"),
    (lambda: stats.clean_runs_needed(1), "clean_runs_needed: rate is 1, must be above 0 and below 1"),
    (lambda: stats.samples_needed_above(0.1, 0.2), "samples_needed_above: rate must be above ceiling"),
    (lambda: stats.group_size_needed(0.1, 0.1), "group_size_needed: p1 and p2 are the same"),
    (lambda: stats.unpaired_detectable(1, 5, sides=3), "unpaired_detectable: sides is 3, must be at most 2"),
    (lambda: stats.paired_detectable(1.5, 5), "paired_detectable: discordance is 1.5, must be in [0, 1]"),
    (lambda: stats.pairs_needed(0.5, 0), "pairs_needed: effect is 0, must be above 0 and finite"),
    (lambda: stats.questions_needed(-1, 0.1), "questions_needed: between is -1, must be at least 0 and finite"),
    (lambda: stats.repeats_needed(1, 0, 0, 0.1), "repeats_needed: questions is 0, must be at least 1"),
]


@pytest.mark.parametrize("call, words", BAD, ids=[words.split(",")[0] for _, words in BAD])
def test_bad_input_is_named(call, words):
    with pytest.raises(vaa.Error) as caught:
        call()
    assert caught.value.name == "VAA_ERROR_ARGUMENT" and words in caught.value.message


def test_every_function_has_its_bad_input():
    named = {words for call, _ in BAD for words in call.__code__.co_names}
    assert {name for name in stats.__all__ if name[0].islower()} <= named


@pytest.mark.parametrize("call, fault, words", [
    (lambda: stats.mean(["1"]), TypeError, "values: has elements of type <U1, must be numbers"),
    (lambda: stats.mean([1, None]), TypeError, "values: has elements of type object"),
    (lambda: stats.mean([[1.0, 2.0]]), ValueError, "values: has 2 dimensions"),
    (lambda: stats.mean([1j]), TypeError, "values: has elements of type complex128"),
    (lambda: stats.kaplan_meier([1, 2], [1, 2]), ValueError, "events[1]: is 2, must be 0 or 1"),
    (lambda: stats.kaplan_meier([1, 2], [1.0, 0.0]), TypeError, "events: has elements of type float64"),
    (lambda: stats.log_rank([1], [1], [1], [1], [0]), TypeError, "must be given for both or for none"),
    (lambda: stats.wilson(1.5, 3), TypeError, "k: is float, must be an int"),
    (lambda: stats.wilson(1, 2**64), OverflowError, "n: is 18446744073709551616"),
    (lambda: stats.dispersion(np.array([2**63], "uint64")), OverflowError, "must be below 2^63"),
    (lambda: stats.dispersion([1.5]), TypeError, "counts: has elements of type float64, must be whole numbers"),
    (lambda: stats.mmd({1: [[1], [2]]}, {2: [[1], [2]]}), ValueError, "target: has no answer to prompt 1"),
    (lambda: stats.kl_from_top_k({2**31: -1.0}, {1: -1.0}), OverflowError, "must fit in 32 bits"),
])
def test_wrong_types_are_named(call, fault, words):
    with pytest.raises(fault) as caught:
        call()
    assert words in str(caught.value)


def test_arrays_of_any_layout_are_taken():
    rows = np.arange(12, dtype="float32").reshape(3, 4)
    assert stats.mean(rows[:, 1]) == stats.mean([1, 5, 9]) == stats.mean(np.array([1, 5, 9], "uint8")) == stats.mean((1, 5, 9))
    assert stats.mean([True, False]) == stats.mean([1, 0]) and stats.mean(np.array([1, 2, 3], ">f8")) == stats.mean([1, 2, 3])
    assert stats.holm(np.array([0.01, 0.04, 0.03])[::-1]).tolist() == stats.holm([0.03, 0.04, 0.01]).tolist()
    assert stats.kaplan_meier(range(3), np.array([True, False, True])).at_risk.tolist() == [3, 1]


# ---- the vectors ----


@pytest.fixture(scope="module")
def vectors():
    path = GOLDEN / "vectors" / "verification.json"
    need(path.exists(), "tests/golden/vectors/verification.json")
    document = json.loads(path.read_text())
    return [vector for vector in document["vectors"] if vector["group"] not in ("diff", "rng", "difr")]


def leaves(value, path=()):
    if isinstance(value, dict):
        for name, item in value.items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path, value


def with_leaf(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_leaf(copy[path[0]], path[1:], new)
    return copy


def judged(vector):
    score = conformance.Score()
    conformance.judge_vector(vector, score)
    return score.passed, score.failed, sum(score.unknown.values())


def test_the_vectors_pass_and_every_changed_value_fails(vectors, capsys):
    assert len(vectors) >= 40
    for vector in vectors:
        assert judged(vector) == (1, 0, 0), vector["id"]
        for path, value in leaves(vector["expected"]):
            if path[0] in vector.get("informational", ()):
                continue
            if isinstance(value, bool):
                new = not value
            elif isinstance(value, str):
                new = 1.5 if value == "inf" else value + "x"
            elif isinstance(value, int):
                new = value + 1
            else:
                new = value * (1 + 1e-5) + 1e-9
            assert judged({**vector, "expected": with_leaf(vector["expected"], path, new)}) == (0, 1, 0), (vector["id"], path)
        gone = {**vector["expected"], "another": 1}
        assert judged({**vector, "expected": gone}) == (0, 1, 0)
    capsys.readouterr()


def test_inputs_of_another_shape_are_unknown():
    assert judged({"id": "x", "group": "sequential", "inputs": {"p0": 0.001, "p1": 0.01}, "expected": {"n": 249}}) == (0, 0, 1)
    assert judged({"id": "x", "group": "distribution", "inputs": {"p": [1], "q": [1], "k": 1}, "expected": {"kl": 0}}) == (0, 0, 1)
