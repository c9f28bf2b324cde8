"""vaa.stats against scipy and statsmodels on thousands of random inputs; skipped where they are not installed. A peer's own accuracy sets the tolerance: the last digits are held
against mpmath and exact fractions by tests/unit/stats."""

import itertools
import math
import random

import numpy as np
import pytest

from vaa import stats

scipy = pytest.importorskip("scipy")
pytest.importorskip("statsmodels")
import scipy.optimize  # noqa: E402
import scipy.special  # noqa: E402
import scipy.stats as st  # noqa: E402
from scipy.spatial.distance import jensenshannon  # noqa: E402
from statsmodels.duration.survfunc import SurvfuncRight, survdiff  # noqa: E402
from statsmodels.regression.linear_model import OLS  # noqa: E402
from statsmodels.stats.contingency_tables import mcnemar  # noqa: E402
from statsmodels.stats.multitest import multipletests  # noqa: E402
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint  # noqa: E402
from statsmodels.stats.weightstats import ttost_paired  # noqa: E402


@pytest.fixture
def draw():
    return random.Random(20261130)


def near(got, want, rel=1e-9, absolute=1e-13):
    got, want = np.asarray(got, float), np.asarray(want, float)
    assert np.allclose(got, want, rtol=rel, atol=absolute, equal_nan=True), (got, want)


def log_uniform(draw, low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def some_rate(draw, most=10**5):
    n = int(log_uniform(draw, 1, most))
    return draw.choice([0, n, draw.randint(0, n), min(n, int(log_uniform(draw, 1, n + 1)))]), n


def test_intervals_of_a_rate(draw):
    for _ in range(3000):
        k, n = some_rate(draw)
        confidence = draw.choice([0.95, 0.9, 0.99, draw.uniform(0.01, 0.999)])
        near(stats.wilson(k, n, confidence), proportion_confint(k, n, 1 - confidence, "wilson"), 1e-7, 1e-12)
        near(stats.clopper_pearson(k, n, confidence), proportion_confint(k, n, 1 - confidence, "beta"), 1e-7)
        lower = st.beta.ppf(1 - confidence, k, n - k + 1) if k else 0
        upper = st.beta.isf(1 - confidence, k + 1, n - k) if k < n else 1
        near(stats.rate_limits(k, n, confidence), (lower, upper), 1e-7)


def test_differences_of_rates(draw):
    for _ in range(2000):
        (k1, n1), (k2, n2) = some_rate(draw), some_rate(draw)
        confidence = draw.choice([0.95, 0.9, 0.99])
        peer = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff", alpha=1 - confidence)
        near(stats.rate_difference(k1, n1, k2, n2, confidence), (k1 / n1 - k2 / n2, *peer), 1e-9, 1e-9)


def test_fisher(draw):
    for _ in range(2000):
        size = draw.choice([5, 30, 300])
        cells = [draw.randint(0, size) for _ in range(4)]
        want = [st.fisher_exact(np.reshape(cells, (2, 2)), alternative)[1] for alternative in ("two-sided", "greater", "less")]
        near(stats.fisher(*cells), want, 1e-7, 1e-250)


def test_mcnemar(draw):
    for _ in range(2000):
        size = draw.choice([10, 200, 10**4])
        b, c = draw.randint(0, size), draw.randint(0, size)
        if b + c == 0:
            continue
        got = stats.mcnemar(b, c)
        near(got.p_exact, 1 if b == c else mcnemar([[0, b], [c, 0]], exact=True).pvalue, 1e-8, 1e-300)
        near(got.p_mid, 1 if b == c else 2 * st.binom.cdf(min(b, c), b + c, 0.5) - st.binom.pmf(min(b, c), b + c, 0.5), 1e-8, 1e-300)
        near(got.p_greater, st.binom.sf(b - 1, b + c, 0.5), 1e-8, 1e-300)
        near(got.chi2, 0 if b == c else mcnemar([[0, b], [c, 0]], exact=False, correction=True).statistic)
        low, high = proportion_confint(b, b + c, 0.05, "beta")
        odds = stats.mcnemar_odds_ratio(b, c)
        near(odds.low, low / (1 - low), 1e-8)
        assert high == 1 and odds.high == math.inf or math.isclose(odds.high, high / (1 - high), rel_tol=1e-7)


def test_paired_differences(draw):
    """Newcombe's method 10, written once more; the standard error as scipy has it for the differences."""
    for _ in range(2000):
        a, b, c, d = (draw.choice([0, draw.randint(0, 6), draw.randint(0, 500)]) for _ in range(4))
        n = a + b + c + d
        if n < 2:
            continue
        got = stats.paired_difference(a, b, c, d)
        (l1, u1), (l2, u2) = (proportion_confint(k, n, 0.05, "wilson") for k in (a + b, a + c))
        p1, p2 = (a + b) / n, (a + c) / n
        product, cross = (a + b) * (c + d) * (a + c) * (b + d), a * d - b * c
        phi = 0 if product == 0 else (cross - n / 2 if cross > n / 2 else 0 if cross >= 0 else cross) / math.sqrt(product)
        reach = [math.sqrt(max(0, x * x - 2 * phi * x * y + y * y)) for x, y in ((p1 - l1, u2 - p2), (u1 - p1, p2 - l2))]
        near(got[:4], (p1 - p2, p1 - p2 - reach[0], p1 - p2 + reach[1], phi), 1e-9, 1e-9)
        near(got.standard_error, st.sem([0] * (a + d) + [1] * b + [-1] * c), 1e-9, 1e-12)


def test_means(draw):
    for _ in range(1500):
        n = draw.choice([2, 5, 40, 200])
        reference = [draw.choice([0.0, 1.0, draw.random()]) for _ in range(n)]
        target = [draw.choice([0.0, 1.0, draw.random(), r]) for r in reference]
        clusters = [draw.randint(0, max(1, n // 4)) for _ in range(n)]
        near(stats.mean(reference), (np.mean(reference), st.sem(reference)))
        near(stats.root_mean_square(reference).mean, np.sqrt(np.mean(np.square(reference))))
        residuals = np.array(reference) - np.mean(reference)
        same = np.equal.outer(clusters, clusters) & ~np.eye(n, dtype=bool)
        variance = st.sem(reference) ** 2 + (np.outer(residuals, residuals) * same).sum() / n**2
        near(stats.mean(reference, clusters).standard_error, math.sqrt(max(0, variance)), 1e-7, 1e-9)
        differences = np.array(target) - np.array(reference)
        if np.ptp(differences) < 1e-12:
            continue
        got, peer = stats.paired_mean(reference, target), st.ttest_rel(target, reference)
        near((got.difference, got.t, got.p_t, got.df), (differences.mean(), peer.statistic, peer.pvalue, peer.df), 1e-8, 1e-12)
        near((got.low, got.high), peer.confidence_interval(0.95), 1e-8, 1e-12)
        near(got.p_z, 2 * st.norm.sf(abs(peer.statistic)), 1e-8)
        if np.ptp(reference) > 0 and np.ptp(target) > 0:
            near(got.correlation, np.corrcoef(reference, target)[0, 1], 1e-8, 1e-12)
        margin = draw.uniform(0.01, 0.5)
        p, lower, upper = ttost_paired(np.array(target), np.array(reference), -margin, margin)
        same_within = stats.equivalence(differences, margin)
        near((same_within.p, same_within.p_lower, same_within.p_upper), (p, lower[1], upper[1]), 1e-7, 1e-15)


def test_clustered_errors_beside_those_of_a_regression(draw):
    """statsmodels' cluster covariance of a mean has divisor n for the squares, Miller's formula n - 1."""
    for _ in range(300):
        n = draw.choice([10, 60])
        values, clusters = np.array([draw.random() for _ in range(n)]), np.array([draw.randint(0, n // 3) for _ in range(n)])
        fit = OLS(values, np.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
        squares = np.square(values - values.mean()).sum()
        near(stats.mean(values, clusters).standard_error, math.sqrt(fit.bse[0] ** 2 + squares / n / (n - 1) - squares / n**2), 1e-9)


def test_lists(draw):
    for i in range(1000):
        p = [draw.choice([draw.random(), log_uniform(draw, 1e-9, 1), 0.5]) for _ in range(draw.randint(1, 50))]
        order = np.argsort(p)
        near(stats.holm(p)[order], np.minimum(1, np.maximum.accumulate(np.array(p)[order] * np.arange(len(p), 0, -1))), 1e-12)
        if i % 20 == 0:  # 50 ms each
            near(stats.holm(p), multipletests(p, method="holm")[1], 1e-12)
        near(stats.benjamini_hochberg(p), multipletests(p, method="fdr_bh")[1], 1e-12)
        values, shares = [draw.gauss(0, 5) for _ in range(draw.randint(1, 60))], [draw.random() for _ in range(4)]
        near(stats.quantiles(values, shares), np.quantile(values, shares), 1e-12)
        counts = [draw.choice([draw.randint(0, 4), draw.randint(0, 40)]) for _ in range(draw.randint(2, 30))]
        if sum(counts):
            index = np.var(counts, ddof=1) / np.mean(counts)
            near(stats.dispersion(counts), (index, st.chi2.sf((len(counts) - 1) * index, len(counts) - 1)), 1e-8, 1e-300)


def test_spearman(draw):
    for _ in range(2000):
        n = draw.choice([3, 5, 30, 200])
        x = [draw.choice([draw.randint(0, 4), draw.gauss(0, 3)]) for _ in range(n)]
        y = [v * draw.choice([-1, 0, 1]) + draw.gauss(0, draw.choice([0.01, 3])) for v in x]
        if len(set(x)) < 2 or len(set(y)) < 2:
            continue
        got, peer = stats.spearman(x, y), st.spearmanr(x, y)
        near(got.rho, peer.statistic, 1e-9, 1e-12)
        if abs(got.rho) < 1 - 1e-9:
            near(got.p, peer.pvalue, 1e-6, 1e-300)


def group(draw, late):
    n = draw.randint(2, 60)
    exits = np.array([draw.randint(1, draw.choice([4, 30, 1000])) for _ in range(n)], float)
    entries = np.array([draw.randint(0, int(e) - 1) if late else -1 for e in exits], float)
    return exits, np.array([draw.random() < 0.6 for _ in range(n)]), entries


def test_survival(draw):
    for i in range(1500):
        late = i % 2 == 1
        (exits, events, entries), (exits2, events2, entries2) = group(draw, late), group(draw, late)
        got = stats.kaplan_meier(exits, events, entries if late else None)
        if events.any():
            with np.errstate(all="ignore"):
                peer = SurvfuncRight(exits, events, entry=entries if late else None)
            keep = np.isin(peer.surv_times, got.time)
            near(got.survival, peer.surv_prob[keep])
            near(got.at_risk, peer.n_risk[keep])
            alive = got.survival > 0
            near(got.standard_error[alive], peer.surv_prob_se[keep][alive])
            assert np.isnan(got.standard_error[~alive]).all()
        times, both = np.concatenate([exits, exits2]), np.concatenate([events, events2])
        if not both.any():
            continue
        test = stats.log_rank(exits, events, exits2, events2, *((entries, entries2) if late else (None, None)))
        if test.variance > 1e-9:
            with np.errstate(all="ignore"):
                chi2, p = survdiff(times, both.astype(int), np.repeat([0, 1], [len(exits), len(exits2)]), entry=np.concatenate([entries, entries2]) if late else None)
            near((test.chi2, test.p), (chi2, p), 1e-7)


def test_flips(draw):
    checked = 0
    for _ in range(1200):
        n, noise = draw.randint(2, 80), log_uniform(draw, 0.05, 2)
        gaps = np.array([draw.expovariate(1) for _ in range(n)])
        flips = np.array([draw.gauss(0, noise) > g for g in gaps])
        sigma = log_uniform(draw, 0.05, 2)
        hazards = st.norm.sf(gaps / sigma)
        expected, variance = hazards.sum(), (hazards * (1 - hazards)).sum()
        z = (flips.sum() - expected) / math.sqrt(variance)
        got = stats.flip_test(gaps, flips, sigma)
        near(got, (expected, variance, z, st.norm.sf(z), 2 * st.norm.sf(abs(z))), 1e-8)
        near(stats.hazard_test(hazards, int(flips.sum())), got, 1e-8)

        def lack(log_sigma):
            x = gaps / math.exp(log_sigma)
            return -(st.norm.logsf(x[flips]).sum() + st.norm.logcdf(x[~flips]).sum())

        likelihood = stats.flip_sigma_test(gaps, flips, sigma)
        near(likelihood.log_likelihood, -lack(math.log(sigma)), 1e-9)
        near(likelihood.p, st.chi2.sf(likelihood.chi2, 1), 1e-8)
        best = stats.flip_sigma(gaps, flips)
        if 1e-3 < best.sigma < 1e3:
            peer = scipy.optimize.minimize_scalar(lack, bounds=(math.log(best.sigma) - 3, math.log(best.sigma) + 3), method="bounded", options={"xatol": 1e-10})
            near(math.log(best.sigma), peer.x, 0, 1e-6)
            near(likelihood.most, -peer.fun, 1e-9)
            for end in (best.low, best.high):
                if 0 < end < math.inf:
                    near(2 * (lack(math.log(end)) + likelihood.most), st.chi2.isf(0.05, 1), 1e-8)
            checked += 1
    assert checked > 600


def test_poisson(draw):
    for _ in range(3000):
        mean = log_uniform(draw, 1e-3, 1e4)
        k = max(0, round(draw.gauss(mean, 4 * math.sqrt(mean) + 1)))
        near(stats.poisson(k, mean), (st.poisson.sf(k - 1, mean), st.poisson.cdf(k, mean)), 1e-7, 1e-300)


def test_distances(draw):
    rng = np.random.default_rng(7)
    for _ in range(2000):
        size = draw.choice([2, 5, 50])
        reference = rng.normal(0, draw.choice([1, 5]), size)
        target = reference + rng.normal(0, draw.choice([0.05, 1]), size)
        p, q = scipy.special.softmax(reference), scipy.special.softmax(target)
        want = (st.entropy(p, q), st.entropy(q, p), jensenshannon(p, q) ** 2, np.abs(p - q).sum() / 2, np.sqrt(p * q).sum(), math.sqrt(max(0, 1 - np.sqrt(p * q).sum())))
        for got in (stats.distances(p, q), stats.distances_of_logits(reference, target)):
            near(got[:5], want[:5], 1e-6, 1e-12)
            near(got.hellinger, want[5], 1e-4, 1e-7)
        logp, logq = scipy.special.log_softmax(reference), scipy.special.log_softmax(target)
        r = logq - logp
        near(stats.kl_estimates(logp, logq), (r.mean(), (r**2).mean() / 2, (np.exp(-r) - 1 + r).mean(), np.abs(r).mean(), np.abs(r).max(), np.exp(np.abs(r)).mean()), 1e-7, 1e-12)
        k = draw.randint(1, size)
        tops = [np.argsort(-side, kind="stable")[:k] for side in (p, q)]
        common = np.intersect1d(*tops)
        rest = [max(0.0, 1 - side[common].sum()) for side in (p, q)]
        bound = stats.kl_from_top_k((tops[0], logp[tops[0]]), (tops[1], logq[tops[1]]))
        if rest[1] > 1e-6:
            near(bound.kl_at_least, (p[common] * np.log(p[common] / q[common])).sum() + (rest[0] * math.log(rest[0] / rest[1]) if rest[0] > 0 else 0), 1e-7, 1e-10)
        near((bound.common, bound.reference_mass, bound.target_mass), (len(common), p[common].sum(), q[common].sum()))


def log_e(k, n, p):
    return scipy.special.betaln(k + 0.5, n - k + 0.5) - math.log(math.pi) - k * np.log(p) - (n - k) * np.log1p(-p)


def test_sequences(draw):
    for _ in range(2000):
        k, n = some_rate(draw, 3000)
        p0 = draw.choice([draw.uniform(0.01, 0.99), log_uniform(draw, 1e-4, 0.5)])
        got, e = stats.e_value(k, n, p0), log_e(k, n, p0)
        if e < 600:
            near(got.e, math.exp(e), 1e-8, 0)
            above = st.beta.sf(p0, k + 0.5, n - k + 0.5) / st.beta.sf(p0, 0.5, 0.5)
            if above > 1e-200:
                near(math.log(got.e_above), e + math.log(above), 1e-8, 1e-7)
        low, high = stats.confidence_sequence(k, n)
        for end in (low, high):
            if 0 < end < 1:
                near(log_e(k, n, end), math.log(20), 1e-7)
        p1 = draw.uniform(min(0.99, 1.5 * p0), 1)
        if p0 < p1 < 0.999:
            near(stats.sprt(k, n, p0, p1).log_ratio, st.binom.logpmf(k, n, p1) - st.binom.logpmf(k, n, p0), 1e-7, 1e-7)


def test_two_samples_by_brute_force(draw):
    for _ in range(150):
        alphabet, lengths = draw.randint(1, 4), draw.randint(1, 5)
        sides = [{prompt: [[draw.randint(0, alphabet) for _ in range(lengths)] for _ in range(draw.randint(2, 3))] for prompt in range(2)} for _ in range(2)]

        def kernel_means(first, second):
            def mean(pairs):
                return np.mean([np.mean(np.equal(a, b)) for a, b in pairs])
            within = [mean([pair for answers in side.values() for pair in itertools.combinations(answers, 2)]) for side in (first, second)]
            return sum(within) - 2 * mean([pair for prompt in first for pair in itertools.product(first[prompt], second[prompt])])

        observed = kernel_means(*sides)
        splits = []
        for prompt in range(2):
            pool, size = sides[0][prompt] + sides[1][prompt], len(sides[0][prompt])
            splits.append([([pool[i] for i in chosen], [pool[i] for i in range(len(pool)) if i not in chosen]) for chosen in itertools.combinations(range(len(pool)), size)])
        stats_of = [kernel_means({0: one[0], 1: two[0]}, {0: one[1], 1: two[1]}) for one, two in itertools.product(*splits)]
        got = stats.mmd(*sides)
        near((got.mmd2, got.splits, got.at_least), (observed, len(stats_of), sum(s >= observed - 1e-12 for s in stats_of)), 1e-9, 1e-12)


def test_needs(draw):
    for _ in range(2000):
        alpha, beta, sides = draw.choice([0.05, 0.01]), draw.choice([0.2, 0.1]), draw.choice([1, 2])
        z_alpha, z_beta = st.norm.isf(alpha / sides), st.norm.isf(beta)
        z = z_alpha + z_beta

        def whole(need):
            return max(1, math.ceil(need * (1 - 1e-12)))

        rate = log_uniform(draw, 1e-5, 0.9)
        near(stats.clean_runs_needed(rate, alpha)[:2], (whole(math.log(alpha) / math.log1p(-rate)), whole(-math.log(alpha) / rate)), 0, 0)
        p1, p2 = draw.random(), draw.random()
        middle = (p1 + p2) / 2
        spread = z_alpha * math.sqrt(2 * middle * (1 - middle)) + z_beta * math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
        assert stats.group_size_needed(p1, p2, alpha, beta, sides) == whole((spread / (p1 - p2)) ** 2)
        low, high = sorted((p1, p2))
        above = (st.norm.isf(alpha) * math.sqrt(low * (1 - low)) + z_beta * math.sqrt(high * (1 - high))) / (high - low)
        assert stats.samples_needed_above(high, low, alpha, beta) == whole(above**2)
        sigma, n, share, effect = log_uniform(draw, 0.01, 100), draw.randint(1, 10**5), draw.random(), draw.uniform(0.001, 0.5)
        near(stats.unpaired_detectable(sigma, n, alpha, beta, sides), (z_alpha * sigma * math.sqrt(2 / n), z * sigma * math.sqrt(2 / n)), 1e-9)
        near(stats.paired_detectable(share, n, alpha, beta, sides), z * math.sqrt(share / n), 1e-9)
        assert stats.pairs_needed(share, effect, alpha, beta, sides) == whole(z**2 * share / effect**2)
        within, repeats = draw.random(), draw.randint(1, 9)
        assert stats.questions_needed(share, effect, within_a=within, repeats_a=repeats, alpha=alpha, beta=beta, sides=sides) == whole(z**2 * (share + within / repeats) / effect**2)
        allowed = (effect / z) ** 2 - 1e-5
        assert stats.repeats_needed(within, n, 1e-5, effect, alpha, beta, sides) == (whole(within / n / allowed) if allowed > 0 else 0)
