"""Writes stats_reference.json: what the functions of lib/stats must give, by mpmath at 60 digits and more from exact sums, and checked here against scipy and
statsmodels. Needs mpmath, scipy and statsmodels; the numbers are drawn from one seed, so a second run writes the same file.

    python make_stats_reference.py > stats_reference.json
"""
import json
import math
import random
from fractions import Fraction

import mpmath as mp
import numpy as np
import scipy.stats as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint
from statsmodels.stats.weightstats import ttost_paired

mp.mp.dps = 80
draw = random.Random(20250101)
BITS = 320
CASES = {}


def log_uniform(low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def near(got, want, rel, what):
    """A second opinion, where the peer is good enough to have one."""
    got, want = float(got), float(want)
    if not math.isfinite(got) or abs(want) < 1e-250:
        return
    assert abs(got - want) <= rel * abs(want) + 1e-300, (what, got, want)


def add(name, arguments, expected):
    CASES.setdefault(name, []).append([*arguments, *[float(x) for x in expected]])


# --- tails as exact sums -------------------------------------------------------------------------------------------------------------------------------------

def ratio_sum(step):
    """1 + r0 + r0 r1 + ... for step(i) = (numerator, denominator) of r_i, in fixed point; ends at r_i = 0 or a term below 2^-250."""
    one = 1 << BITS
    term = total = one
    i = 0
    while term > one >> 250 or i < 2:
        top, bottom = step(i)
        if top <= 0:
            break
        term = term * top // bottom
        if term < total >> 250:
            break
        total += term
        i += 1
    return mp.mpf(total) / one


def log_factorial(n):
    return mp.loggamma(mp.mpf(n) + 1)


def binomial(k, n, p):
    """pmf, P(X <= k), P(X >= k) for p an mpf."""
    fixed = int(mp.floor(p * mp.mpf(2) ** BITS))
    other = (1 << BITS) - fixed
    pmf = mp.exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * mp.log(p) + (n - k) * mp.log(1 - p))

    if k > n * p:
        upper = pmf * ratio_sum(lambda i: ((n - k - i) * fixed, (k + i + 1) * other))
        return pmf, 1 - upper + pmf, upper
    lower = pmf * ratio_sum(lambda i: ((k - i) * other, (n - k + i + 1) * fixed))
    return pmf, lower, 1 - lower + pmf


def poisson(k, mean):
    pmf = mp.exp(k * mp.log(mean) - mean - log_factorial(k))
    top = int(mp.floor(mean * mp.mpf(2) ** BITS))
    if k > mean:
        upper = pmf * ratio_sum(lambda i: (top, (k + i + 1) << BITS))
        return pmf, 1 - upper + pmf, upper
    lower = pmf * ratio_sum(lambda i: ((k - i) << BITS, top))
    return pmf, lower, 1 - lower + pmf


def hypergeometric_log(a, row, other, column):
    total = row + other
    return (log_factorial(row) + log_factorial(other) + log_factorial(column) + log_factorial(total - column) - log_factorial(total)
            - log_factorial(a) - log_factorial(row - a) - log_factorial(column - a) - log_factorial(other - column + a))


def fisher(a, b, c, d):
    """Two-sided, P(A >= a), P(A <= a)."""
    row, other, column = a + b, c + d, a + c
    least, most = max(0, column - other), min(row, column)
    mode = (row + 1) * (column + 1) // (row + other + 2)

    def log_pmf(j):
        return hypergeometric_log(j, row, other, column)

    def up(j):
        if j > most:
            return mp.mpf(0)
        return mp.exp(log_pmf(j)) * ratio_sum(lambda i: ((row - j - i) * (column - j - i), (j + i + 1) * (other - column + j + i + 1)))

    def down(j):
        if j < least:
            return mp.mpf(0)
        return mp.exp(log_pmf(j)) * ratio_sum(lambda i: ((j - i) * (other - column + j - i), (row - j + i + 1) * (column - j + i + 1)))

    at_least = up(a) if a > mode else 1 - down(a - 1)
    at_most = down(a) if a < mode else 1 - up(a + 1)
    limit = log_pmf(a) + mp.mpf(10) ** -40

    def edge(inner, outer, step):  # the first value outward from inner that is not likelier than the table, one past outer where all are
        low, high = 0, abs(outer - inner) + 1
        while low < high:
            middle = (low + high) // 2
            if log_pmf(inner + step * middle) <= limit:
                high = middle
            else:
                low = middle + 1
        return inner + step * low

    high, low = edge(mode, most, 1), edge(mode, least, -1)
    two_sided = mp.mpf(1) if log_pmf(mode) <= limit else up(high) + down(low)
    return two_sided, at_least, at_most


def limit_of(k, n, tail, which):
    """p with P(X >= k) = tail (which = 'low') or P(X <= k) = tail ('high')."""
    if which == 'low' and k == 0:
        return mp.mpf(0)
    if which == 'high' and k == n:
        return mp.mpf(1)
    guess = st.beta.ppf(float(tail), k, n - k + 1) if which == 'low' else st.beta.isf(float(tail), k + 1, n - k)
    p = mp.mpf(float(guess))
    if not 0 < p < 1:
        p = mp.mpf(k + 1) / (n + 2)
    for _ in range(60):
        pmf, at_most, at_least = binomial(k, n, p)
        now = at_least if which == 'low' else at_most
        slope = pmf * k / p if which == 'low' else -pmf * (n - k) / (1 - p)
        step = mp.log(tail / now) * now / slope
        step = max(min(step, (1 - p) / 2), -p / 2)
        p += step
        if abs(step) < mp.mpf(10) ** -40 * p:
            return p
    raise AssertionError((k, n, tail, which))


def normal_tail(x):
    return mp.erfc(mp.mpf(x) / mp.sqrt(2)) / 2


def normal_quantile(p):
    p = mp.mpf(p)
    if p > 0.5:
        return -normal_quantile(1 - p)
    x = mp.mpf(float(st.norm.isf(float(p))))
    for _ in range(8):
        tail = normal_tail(x)
        x += mp.log(tail / p) * tail / mp.npdf(x)
    return -x


def student_tail(t, df):
    """Half of the incomplete beta function at x = df / (df + t^2), by the series from the end that is nearer."""
    t, df = mp.mpf(t), mp.mpf(df)
    if t < 0:
        return 1 - student_tail(-t, df)
    tiny = (df + 1) * mp.log1p(t * t / df)  # more bits than the tail is small
    with mp.workprec(300 + int(tiny)):
        a, b = df / 2, mp.mpf(1) / 2
        x, y = df / (df + t * t), t * t / (df + t * t)
        mass = mp.exp(a * mp.log(x) + b * mp.log(y) + mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b))

        def series(first, z):
            term = total = mp.mpf(1)
            i = 0
            while term > total * mp.eps:
                term *= z * (a + b + i) / (first + 1 + i)
                total += term
                i += 1
            return total / first

        lower = mass * series(a, x) if x < 0.7 else 1 - mass * series(b, y)
        return lower / 2


def student_quantile(p, df):
    p = mp.mpf(p)
    if p == 0.5:
        return mp.mpf(0)
    if p > 0.5:
        return -student_quantile(1 - p, df)
    t = mp.mpf(float(st.t.isf(float(p), float(df))))
    for _ in range(6):
        tail = student_tail(t, df)
        density = mp.exp(mp.loggamma((mp.mpf(df) + 1) / 2) - mp.loggamma(mp.mpf(df) / 2) - (mp.mpf(df) + 1) / 2 * mp.log1p(t * t / df)) / mp.sqrt(df * mp.pi)
        t += mp.log(tail / p) * tail / density
    return t


# --- cases ---------------------------------------------------------------------------------------------------------------------------------------------------

def draw_binomial(most):
    n = int(log_uniform(1, most))
    p = draw.choice([draw.random(), log_uniform(1e-9, 1), 0.5, 1 - log_uniform(1e-6, 1)])
    p = min(max(p, 1e-12), 1 - 1e-12)
    sd = math.sqrt(n * p * (1 - p)) + 1
    k = round(n * p + draw.choice([0, 1, 3, 10, 30]) * draw.uniform(-1, 1) * sd)
    return min(n, max(0, k)), n, p


def normal_cases():
    for i in range(300):
        x = draw.uniform(-3, 3) if i % 2 else draw.uniform(-37, 37)
        tail = normal_tail(x)
        near(st.norm.sf(x), tail, 1e-12, ('normal_tail', x))
        add('normal', [x], [tail, normal_tail(-x), 2 * normal_tail(abs(x))])
    for i in range(300):
        p = [draw.random(), log_uniform(1e-300, 0.5), 0.5 + draw.uniform(-1, 1) * log_uniform(1e-12, 0.4), 1 - log_uniform(1e-15, 0.5)][i % 4]
        x = normal_quantile(p)
        near(st.norm.ppf(p), x, 1e-9, ('normal_quantile', p))
        add('normal_quantile', [p], [x])


def student_cases():
    for i in range(300):
        df = [draw.randint(1, 30), draw.randint(1, 5000), log_uniform(1, 1e7), log_uniform(1, 10)][i % 4]
        t = draw.choice([draw.uniform(-4, 4), draw.uniform(0, 30), log_uniform(1e-6, 1e3)])
        if (df + 1) / 2 * math.log1p(t * t / df) > 650:
            t = t / 100
        tail = student_tail(t, df)
        near(st.t.sf(t, df), tail, 1e-8, ('student_tail', t, df))
        add('student_tail', [t, df], [tail])
    for i in range(200):
        df = [draw.randint(1, 30), draw.randint(1, 5000), log_uniform(1, 1e6)][i % 3]
        p = draw.choice([draw.random(), log_uniform(1e-12, 0.5), 0.025, 0.05])
        t = student_quantile(p, df)
        near(st.t.isf(p, df), t, 1e-7, ('student_quantile', p, df))
        add('student_upper_quantile', [p, df], [t])


def discrete_cases():
    for i in range(320):
        k, n, p = draw_binomial(1e6 if i < 300 else 1e11)
        pmf, at_most, at_least = binomial(k, n, mp.mpf(p))
        if n < 1e6:
            near(st.binom.cdf(k, n, p), at_most, 1e-8, ('binomial', k, n, p))
            near(st.binom.sf(k - 1, n, p), at_least, 1e-8, ('binomial', k, n, p))
        add('binomial', [k, n, p], [pmf, at_most, at_least])
    for i in range(320):
        mean = log_uniform(1e-6, 1e6) if i < 300 else log_uniform(1e6, 1e10)
        k = max(0, round(mean + draw.choice([0, 1, 3, 10, 30]) * draw.uniform(-1, 1) * (math.sqrt(mean) + 1)))
        pmf, at_most, at_least = poisson(k, mp.mpf(mean))
        if mean < 1e5:  # further up scipy is off by tens of percent in the far tail
            near(st.poisson.cdf(k, mean), at_most, 1e-7, ('poisson', k, mean))
            near(st.poisson.sf(k - 1, mean), at_least, 1e-7, ('poisson', k, mean))
        add('poisson', [k, mean], [pmf, at_most, at_least])


def wilson(k, n, confidence):
    z = -normal_quantile((1 - mp.mpf(confidence)) / 2)
    p = mp.mpf(k) / n
    root = z * mp.sqrt(p * (1 - p) / n + z * z / (4 * mp.mpf(n) ** 2))
    middle, scale = p + z * z / (2 * n), 1 + z * z / n
    return (middle - root) / scale, (middle + root) / scale


def interval_cases():
    for i in range(300):
        n = int(log_uniform(1, 1e5))
        k = draw.choice([0, n, min(n, 1), draw.randint(0, n), min(n, int(log_uniform(1, n + 1)))])
        confidence = draw.choice([0.95, 0.9, 0.99, 0.999999, draw.uniform(0.01, 0.999)])
        tail = 1 - mp.mpf(confidence)
        low, high = wilson(k, n, confidence)
        for peer, ours in zip(proportion_confint(k, n, 1 - confidence, 'wilson'), (low, high)):
            assert abs(peer - float(ours)) < 1e-9
        add('wilson', [k, n, confidence], [0 if k == 0 else low, 1 if k == n else high])
        exact = [limit_of(k, n, tail / 2, 'low'), limit_of(k, n, tail / 2, 'high')]
        for peer, ours in zip(proportion_confint(k, n, 1 - confidence, 'beta'), exact):
            near(peer, ours, 1e-7, ('clopper_pearson', k, n, confidence))
        add('clopper_pearson', [k, n, confidence], exact)
        add('rate_limits', [k, n, confidence], [limit_of(k, n, tail, 'low'), limit_of(k, n, tail, 'high')])
    for _ in range(300):
        n1, n2 = int(log_uniform(2, 1e5)), int(log_uniform(2, 1e5))
        k1, k2 = draw.randint(0, n1), draw.randint(0, n2)
        confidence = draw.choice([0.95, 0.9, 0.99])
        (low1, high1), (low2, high2) = wilson(k1, n1, confidence), wilson(k2, n2, confidence)
        p1, p2 = mp.mpf(k1) / n1, mp.mpf(k2) / n2
        ours = p1 - p2 - mp.sqrt((p1 - low1) ** 2 + (high2 - p2) ** 2), p1 - p2 + mp.sqrt((high1 - p1) ** 2 + (p2 - low2) ** 2)
        peer = confint_proportions_2indep(k1, n1, k2, n2, method='newcomb', compare='diff', alpha=1 - confidence)
        assert max(abs(float(a) - b) for a, b in zip(ours, peer)) < 1e-9
        add('rate_difference', [k1, n1, k2, n2, confidence], ours)


def paired_cases():
    for i in range(300):
        b, c = (draw.randint(0, 60), draw.randint(0, 60)) if i % 2 else (int(log_uniform(1, 1e6)), int(log_uniform(1, 1e6)))
        c = max(0, b + draw.randint(-3, 3)) if i % 5 == 0 else c
        n, less = b + c, min(b, c)
        half = mp.mpf(1) / 2
        pmf, at_most, _ = binomial(less, n, half) if n else (mp.mpf(1),) * 3
        exact = mp.mpf(1) if b == c else min(mp.mpf(1), 2 * at_most)
        middle = mp.mpf(1) if b == c else 2 * at_most - pmf
        greater = binomial(b, n, half)[2] if n else 1
        if n:
            near(mcnemar([[0, b], [c, 0]], exact=True).pvalue, exact, 1e-7, ('mcnemar', b, c))
            peer = mcnemar([[0, b], [c, 0]], exact=False, correction=True).statistic
            if b != c:
                near(peer, Fraction((abs(b - c) - 1) ** 2, n), 1e-12, ('chi2', b, c))
        chi2 = 0 if b == c else Fraction((abs(b - c) - 1) ** 2, n)
        add('mcnemar', [b, c], [exact, middle, greater, float(chi2)])
    for i in range(320):
        size = 30 if i % 3 == 0 else 3000 if i % 3 == 1 else 1e6
        row, other = int(log_uniform(1, size)), int(log_uniform(1, size))
        if i >= 300:
            row, other = int(log_uniform(1e8, 1e11)), int(log_uniform(1e8, 1e11))
        rate = draw.choice([draw.random(), log_uniform(1e-4, 1)])
        a = min(row, max(0, round(row * rate + draw.uniform(-4, 4) * math.sqrt(row * rate * (1 - rate)))))
        c = min(other, max(0, round(other * rate + draw.uniform(-4, 4) * math.sqrt(other * rate * (1 - rate)))))
        cells = [a, row - a, c, other - c]
        values = fisher(*cells)
        if sum(cells) < 1e5:
            table = np.array(cells).reshape(2, 2)
            for alternative, value in zip(('two-sided', 'greater', 'less'), values):
                near(st.fisher_exact(table, alternative)[1], value, 1e-6, (cells, alternative))
        add('fisher', cells, values)


def need_cases():
    for _ in range(300):
        rate, alpha = log_uniform(1e-6, 0.9), draw.choice([0.05, 0.01, log_uniform(1e-9, 0.5)])
        n = int(mp.ceil(mp.log(mp.mpf(alpha)) / mp.log1p(-mp.mpf(rate))))
        assert (1 - mp.mpf(rate)) ** n <= mp.mpf(alpha) < (1 - mp.mpf(rate)) ** (n - 1)
        add('clean_runs_needed', [rate, alpha], [n, mp.ceil(-mp.log(mp.mpf(alpha)) / mp.mpf(rate))])
    for _ in range(300):
        p1, p2 = draw.random(), draw.random()
        alpha, beta = draw.choice([0.05, 0.01, 0.1]), draw.choice([0.2, 0.1, 0.05])
        sides = draw.choice([1, 2])
        z_alpha, z_beta = -normal_quantile(mp.mpf(alpha) / sides), -normal_quantile(beta)
        q1, q2 = mp.mpf(p1), mp.mpf(p2)
        middle = (q1 + q2) / 2
        n = mp.ceil(((z_alpha * mp.sqrt(2 * middle * (1 - middle)) + z_beta * mp.sqrt(q1 * (1 - q1) + q2 * (1 - q2))) / (q1 - q2)) ** 2)
        low, high = min(q1, q2), max(q1, q2)
        above = ((-normal_quantile(alpha) * mp.sqrt(low * (1 - low)) + z_beta * mp.sqrt(high * (1 - high))) / (high - low)) ** 2
        add('group_size_needed', [p1, p2, alpha, beta, sides], [n, mp.ceil(above)])


def list_cases():
    for size in [1, 2, 3, 5, 10, 40, 100]:
        p = [draw.choice([draw.random(), log_uniform(1e-12, 1), 0.25, 1.0]) for _ in range(size)]
        bh, holm = (multipletests(p, method=m)[1].tolist() for m in ('fdr_bh', 'holm'))
        CASES.setdefault('multiplicity', []).append({'p': p, 'bh': bh, 'holm': holm})
    for size in [2, 3, 10, 60, 200]:
        reference = [draw.choice([0.0, 1.0, draw.random()]) for _ in range(size)]
        target = [draw.choice([0.0, 1.0, r, draw.random()]) for r in reference]
        cluster = [draw.randint(-3, size // 3) for _ in range(size)]
        difference = [t - r for r, t in zip(reference, target)]
        values = [mp.mpf(x) for x in difference]
        mean = sum(values) / size
        se2 = sum((x - mean) ** 2 for x in values) / (size - 1) / size
        pairs = sum((values[i] - mean) * (values[j] - mean) for i in range(size) for j in range(size) if i != j and cluster[i] == cluster[j])
        test = st.ttest_rel(target, reference)
        t = mean / mp.sqrt(se2)
        p_t = 2 * student_tail(abs(t), size - 1)
        near(test.pvalue, p_t, 1e-9, 'ttest_rel')
        quantile = student_quantile((1 - mp.mpf(0.95)) / 2, size - 1)
        margin = 0.125
        lower = student_tail((mean + margin) / mp.sqrt(se2), size - 1)
        upper = student_tail((margin - mean) / mp.sqrt(se2), size - 1)
        near(ttost_paired(np.array(target), np.array(reference), -margin, margin)[0], max(lower, upper), 1e-9, 'ttost_paired')
        x, y = [mp.mpf(v) for v in reference], [mp.mpf(v) for v in target]
        mx, my = sum(x) / size, sum(y) / size
        correlation = sum((a - mx) * (b - my) for a, b in zip(x, y)) / mp.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) \
            if len(set(reference)) > 1 and len(set(target)) > 1 else None
        CASES.setdefault('means', []).append({
            'reference': reference, 'target': target, 'cluster': cluster, 'margin': margin,
            'mean': float(mean), 'se': float(mp.sqrt(se2)), 'se_clustered': float(mp.sqrt(max(0, se2 + pairs / size ** 2))), 't': float(t), 'p_t': float(p_t),
            'p_z': float(2 * normal_tail(abs(t))), 'low': float(mean - quantile * mp.sqrt(se2)), 'high': float(mean + quantile * mp.sqrt(se2)),
            'correlation': None if correlation is None else float(correlation), 'p_lower': float(lower), 'p_upper': float(upper)})


def main():
    for part in (normal_cases, student_cases, discrete_cases, interval_cases, paired_cases, need_cases, list_cases):
        part()
    lines = []
    for name, rows in CASES.items():
        lines.append(f' "{name}": [\n' + ',\n'.join('  ' + json.dumps(row, separators=(',', ':')) for row in rows) + '\n ]')
    print('{\n' + ',\n'.join(lines) + '\n}')


if __name__ == '__main__':
    main()
