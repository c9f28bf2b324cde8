"""Writes evidence_reference.json: what the functions of lib/stats for survival, flips, distances, sequences and samples of answers must give, from exact fractions
and by mpmath at 60 digits, checked here against scipy and lifelines. Needs mpmath, scipy, statsmodels and lifelines; a second run writes the same file.

    python make_evidence_reference.py > evidence_reference.json
"""
import itertools
import json
import math
import random
from fractions import Fraction

import mpmath as mp
import numpy as np
import scipy.stats as st
from lifelines import KaplanMeierFitter
from lifelines.statistics import logrank_test
from lifelines.utils import restricted_mean_survival_time

from make_stats_reference import near, normal_quantile, normal_tail, student_tail

mp.mp.dps = 60
draw = random.Random(20261130)
CASES = {}


def log_uniform(low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def add(name, **case):
    def plain(x):
        if isinstance(x, dict):
            return {k: plain(v) for k, v in x.items()}
        if isinstance(x, (list, tuple)):
            return [plain(v) for v in x]
        if isinstance(x, (bool, int)) or x is None:
            return x
        x = float(x)
        return x if math.isfinite(x) else None if math.isnan(x) else "inf" if x > 0 else "-inf"
    CASES.setdefault(name, []).append(plain(case))


def mpf(x):
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


# --- survival -----------------------------------------------------------------------------------------------------------------------------------------------

def curve(entries, exits, events):
    survival, greenwood, hazard, rows = Fraction(1), Fraction(0), Fraction(0), []
    for t in sorted({x for x, e in zip(exits, events) if e}):
        n = sum(1 for a, x in zip(entries, exits) if a < t <= x)
        d = sum(1 for x, e in zip(exits, events) if e and x == t)
        survival *= 1 - Fraction(d, n)
        hazard += Fraction(d, n)
        if n > d:
            greenwood += Fraction(d, n * (n - d))
        error = mpf(survival) * mp.sqrt(mpf(greenwood)) if survival else mp.nan
        rows.append((t, n, d, survival, error, hazard))
    return rows


def area(rows, start, horizon):
    """Under the curve over [start, horizon]."""
    total, at, level = Fraction(0), start, Fraction(1)
    for t, _, _, survival, _, _ in rows:
        if t <= start:
            level = survival
        elif t < horizon:
            total += level * (t - at)
            at, level = t, survival
    return total + level * (horizon - at)


def group(size, late):
    exits = [draw.randint(0 if not late else 1, draw.choice([5, 40, 1000])) for _ in range(size)]
    entries = [draw.randint(0, x - 1) if late else -1 for x in exits]
    events = [int(draw.random() < 0.6) for _ in range(size)]
    return entries, exits, events


def survival_cases():
    for i in range(60):
        late = i % 3 == 0
        first, second = group(draw.randint(1, 25), late), group(draw.randint(1, 25), late)
        rows = curve(*first)
        median = next((t for t, *_, s, _, _ in [(r[0], r[1], r[2], r[3], r[4], r[5]) for r in rows] if s <= Fraction(1, 2)), math.inf)
        horizon = max(1, draw.randint(0, max(first[1])))
        mean = area(rows, 0, horizon)
        variance = sum((area(rows, t, horizon) ** 2 * Fraction(d, n * (n - d)) for t, n, d, s, _, _ in rows if s and t < horizon), Fraction(0))
        observed, expected, spread = sum(first[2]), Fraction(0), Fraction(0)
        for t in sorted({x for g in (first, second) for x, e in zip(g[1], g[2]) if e}):
            n1, n2 = (sum(1 for a, x in zip(g[0], g[1]) if a < t <= x) for g in (first, second))
            d = sum(1 for g in (first, second) for x, e in zip(g[1], g[2]) if e and x == t)
            n = n1 + n2
            expected += Fraction(d * n1, n)
            if n > 1:
                spread += Fraction(d * n1 * n2 * (n - d), n * n * (n - 1))
        chi2 = (observed - expected) ** 2 / spread if spread else Fraction(0)
        p = 2 * normal_tail(mp.sqrt(mpf(chi2)))
        if not late:
            fitted = KaplanMeierFitter().fit([x + 1 for x in first[1]], first[2])
            for t, *_, s, _, _ in [(r[0], 0, 0, r[3], 0, 0) for r in rows]:
                near(fitted.survival_function_at_times(t + 1).iloc[0], mpf(s), 1e-9, ("km", first))
            if spread:
                near(logrank_test(first[1], second[1], first[2], second[2]).p_value, p, 1e-7, ("logrank", first, second))
            fitted = KaplanMeierFitter().fit(first[1], first[2])
            if 0 not in first[1]:
                near(restricted_mean_survival_time(fitted, horizon), mpf(mean), 1e-9, ("rmst", first, horizon))
        add("survival", late=late, entries1=first[0], exits1=first[1], events1=first[2], entries2=second[0], exits2=second[1], events2=second[2],
            rows=[[t, n, d, s, e, h] for t, n, d, s, e, h in rows], median=median, horizon=horizon, mean=mean, mean_error=mp.sqrt(mpf(variance)),
            observed=observed, expected=expected, variance=spread, chi2=chi2, p=p)


# --- flips --------------------------------------------------------------------------------------------------------------------------------------------------

def flip_likelihood(gaps, flips, u):
    return sum(mp.log(normal_tail(g * u if f else -g * u)) for g, f in zip(gaps, flips))


def flip_slope(gaps, flips, u):
    return sum((-g if f else g) * mp.npdf(g * u) / normal_tail(g * u if f else -g * u) for g, f in zip(gaps, flips))


def flip_cases():
    while len(CASES.get("flips", [])) < 40:
        size, noise = draw.randint(2, 40), log_uniform(0.02, 2)
        gaps = [draw.choice([0.0, 0.125, 0.25]) if draw.random() < 0.1 else draw.expovariate(1) if draw.random() < 0.5 else 2 + draw.expovariate(0.5) for _ in range(size)]
        flips = [int(draw.gauss(0, noise) > g or (g == 0 and draw.random() < 0.5)) for g in gaps]
        if sum(g for g, f in zip(gaps, flips) if f) == 0 or sum(g for g, f in zip(gaps, flips) if f) >= sum(g for g, f in zip(gaps, flips) if not f):
            continue
        sigma = noise * draw.choice([1, 1, 0.5, 2])
        hazards = [normal_tail(mp.mpf(g) / mp.mpf(sigma)) for g in gaps]
        expected, variance = sum(hazards), sum(h * (1 - h) for h in hazards)
        z = (sum(flips) - expected) / mp.sqrt(variance)
        low, high = mp.mpf(1), mp.mpf(1)
        while flip_slope(gaps, flips, low) < 0:
            low /= 2
        while flip_slope(gaps, flips, high) > 0:
            high *= 2
        best = mp.findroot(lambda u: flip_slope(gaps, flips, u), (low, high), solver="anderson", tol=1e-45) if low != high else low
        most = flip_likelihood(gaps, flips, best)
        level = most - normal_quantile(mp.mpf(1 - 0.95) / 2) ** 2 / 2

        def edge(factor):
            far = best
            while flip_likelihood(gaps, flips, far) >= level:
                far *= factor
                if far < 1e-40:
                    return mp.mpf(0)
            return mp.findroot(lambda u: flip_likelihood(gaps, flips, u) - level, tuple(sorted((far, far / factor))), solver="anderson", tol=1e-45)

        upper, lower = edge(mp.mpf(2)), edge(mp.mpf(1) / 2)
        at = flip_likelihood(gaps, flips, 1 / mp.mpf(sigma))
        chi2 = 2 * (most - at)
        add("flips", gaps=gaps, flips=flips, sigma=sigma, expected=expected, variance=variance, z=z, p_upper=normal_tail(z), p=2 * normal_tail(abs(z)), best=1 / best,
            low=1 / upper, high=mp.inf if lower == 0 else 1 / lower, log_likelihood=at, most=most, chi2=chi2, p_sigma=2 * normal_tail(mp.sqrt(chi2)))


# --- distributions ------------------------------------------------------------------------------------------------------------------------------------------

def distances(p, q):
    def kl(a, b):
        return sum((x * mp.log(x / y) if y else mp.inf) - x + y if x else y for x, y in zip(a, b))
    middle = [(x + y) / 2 for x, y in zip(p, q)]
    js = (sum(x * mp.log(x / m) for x, m in zip(p, middle) if x) + sum(y * mp.log(y / m) for y, m in zip(q, middle) if y)) / 2
    return {"kl_pq": kl(p, q), "kl_qp": kl(q, p), "js": js, "tv": sum(abs(x - y) for x, y in zip(p, q)) / 2, "bhattacharyya": sum(mp.sqrt(x * y) for x, y in zip(p, q)),
            "hellinger": mp.sqrt(sum((mp.sqrt(x) - mp.sqrt(y)) ** 2 for x, y in zip(p, q)) / 2)}


def softmax(logits):
    top = max(logits)
    powers = [mp.exp(mp.mpf(x) - mp.mpf(top)) if x > -math.inf else mp.mpf(0) for x in logits]
    return [x / sum(powers) for x in powers]


def distribution_cases():
    for i in range(48):
        size = draw.choice([2, 3, 10, 40])
        p = np.array([draw.expovariate(1) ** draw.choice([1, 4]) for _ in range(size)])
        q = p * np.array([math.exp(draw.gauss(0, s)) for s in [draw.choice([1e-9, 1e-6, 1e-3, 0.1, 2])] for _ in range(size)])
        if i % 4 == 0 and size > 3:
            p[0] = q[0] = q[1] = 0
            if i % 8 == 0:
                p[2] = 0
        p, q = (p / p.sum()).tolist(), (q / q.sum()).tolist()
        expected = distances([mp.mpf(x) for x in p], [mp.mpf(x) for x in q])
        near(st.entropy(p, q), expected["kl_pq"], 1e-5 if expected["kl_pq"] > 1e-9 else 1e9, "entropy")
        add("distances", p=p, q=q, **expected)
    for i in range(40):
        size = draw.choice([2, 5, 30])
        scale = draw.choice([1e-8, 1e-4, 0.1, 3])
        reference = [draw.gauss(0, 8) + draw.choice([0, 0, 1000]) * (i % 3 == 0) for _ in range(size)]
        target = [x + draw.gauss(0, scale) + (i % 2) * 100 for x in reference]
        p, q = softmax(reference), softmax(target)
        exact = distances(p, q)
        add("logits", reference=reference, target=target, **exact)
    for i in range(40):
        size, k = draw.choice([6, 20]), 5
        reference = [draw.gauss(0, 3) for _ in range(size)]
        target = [x + draw.gauss(0, draw.choice([1e-3, 0.1, 1])) for x in reference]
        p, q = softmax(reference), softmax(target)
        ids = [100 * i + 7 for i in range(size)]
        lists = []
        for side in (p, q):
            order = sorted(range(size), key=lambda j: -side[j])[:k]
            lists.append({ids[j]: float(mp.log(side[j])) for j in order})
        first, second = lists
        common = sorted(set(first) & set(second))
        mass = [sum(mp.exp(mp.mpf(side[j])) for j in common) for side in lists]
        rest = [1 - m for m in mass]
        kl = sum(mp.exp(mp.mpf(first[j])) * (mp.mpf(first[j]) - mp.mpf(second[j])) for j in common) + rest[0] * mp.log(rest[0] / max(rest[1], mp.mpf("1e-6")))
        whole = distances(p, q)["kl_pq"]
        assert kl <= whole + 1e-12
        add("top_k", reference_ids=list(first), reference_logprobs=list(first.values()), target_ids=list(second), target_logprobs=list(second.values()), kl=kl,
            common=len(common), reference_mass=mass[0], target_mass=mass[1])
        r = [(-draw.expovariate(1), 0) for _ in range(size)]
        r = [(a, min(0.0, a + draw.gauss(0, draw.choice([1e-9, 0.01, 1])))) for a, _ in r]
        d = [mp.mpf(b) - mp.mpf(a) for a, b in r]
        add("estimates", reference=[a for a, _ in r], target=[b for _, b in r], k1=sum(d) / size, k2=sum(x * x for x in d) / 2 / size,
            k3=sum(mp.expm1(-x) + x for x in d) / size, mean_difference=sum(abs(x) for x in d) / size, most_difference=max(abs(x) for x in d),
            mean_factor=sum(mp.exp(abs(x)) for x in d) / size)


# --- ranks, lists -------------------------------------------------------------------------------------------------------------------------------------------

def list_cases():
    for i in range(60):
        size = draw.choice([3, 4, 10, 30, 100])
        x = [float(draw.randint(0, draw.choice([3, 20, 10**6]))) for _ in range(size)]
        y = [v * draw.choice([-1, 1, 1]) + draw.gauss(0, draw.choice([1e-3, 5, 1e5])) for v in x]
        ranks = [[Fraction(2 * sum(w < v for w in side) + sum(w == v for w in side) + 1, 2) for v in side] for side in (x, y)]
        a, b = ([r - Fraction(size + 1, 2) for r in side] for side in ranks)
        aa, bb, ab = (sum(u * v for u, v in zip(s, t)) for s, t in ((a, a), (b, b), (a, b)))
        if aa == 0 or bb == 0 or ab * ab == aa * bb:
            continue
        rho = mpf(ab) / mp.sqrt(mpf(aa * bb))
        t = rho * mp.sqrt((size - 2) * mpf(aa * bb) / mpf(aa * bb - ab * ab))
        p = 2 * student_tail(abs(t), size - 2)
        near(st.spearmanr(x, y).statistic, rho, 1e-9, "spearman")
        if p > 1e-290:
            near(st.spearmanr(x, y).pvalue, p, 1e-6, "spearman")
            add("spearman", x=x, y=y, rho=rho, t=t, p=p)
    for _ in range(60):
        most, burst = draw.choice([3, 10, 10**4]), draw.choice([1, 1, 2, 5])
        counts = [burst * (most + draw.randint(-1, 1) * int(most ** 0.5)) * (burst == 1 or draw.random() < 0.5) for _ in range(draw.randint(2, 40))]
        mean = Fraction(sum(counts), len(counts))
        if mean == 0:
            continue
        square = sum((c - mean) ** 2 for c in counts)
        with mp.workdps(80):
            p = mp.gammainc(mp.mpf(len(counts) - 1) / 2, mpf(square / mean) / 2, regularized=True)
        if p > 1e-280:
            near(st.chi2.sf(float(square / mean), len(counts) - 1), p, 1e-8, "chi2")
            add("dispersion", counts=counts, index=square / (len(counts) - 1) / mean, p=p)
    for _ in range(40):
        values = [draw.gauss(0, 10) for _ in range(draw.choice([1, 2, 7, 100]))]
        shares = [0.0, 0.5, 0.9, 0.99, 1.0, draw.random()]
        exact = []
        for s in shares:
            place = Fraction(s) * (len(values) - 1)
            ordered = sorted(map(Fraction, values))
            below = math.floor(place)
            exact.append(ordered[below] + (ordered[min(below + 1, len(values) - 1)] - ordered[below]) * (place - below))
        for ours, peer in zip(exact, np.quantile(values, shares)):
            assert abs(float(ours) - peer) < 1e-12
        squares = [Fraction(v) ** 2 for v in values]
        mean = sum(squares) / len(values)
        error = mp.sqrt(mpf(sum((q - mean) ** 2 for q in squares) / (len(values) - 1) / len(values))) / (2 * mp.sqrt(mpf(mean))) if len(values) > 1 else mp.nan
        add("quantiles", values=values, shares=shares, quantiles=exact, rms=mp.sqrt(mpf(mean)), rms_error=error)


# --- sequences ----------------------------------------------------------------------------------------------------------------------------------------------

def log_e(k, n, p):
    return mp.loggamma(k + mp.mpf("0.5")) + mp.loggamma(n - k + mp.mpf("0.5")) - mp.loggamma(n + 1) - mp.log(mp.pi) - k * mp.log(p) - (n - k) * mp.log1p(-p)


def beta_upper(a, b, x):
    """P(Beta(a, b) > x) by the series that converges, with digits to spare."""
    with mp.workdps(120):
        return 1 - mp.betainc(a, b, 0, x, regularized=True) if x < a / (a + b) else mp.betainc(b, a, 0, 1 - x, regularized=True)


def sequence_cases():
    while len(CASES.get("e_value", [])) < 120:
        i = len(CASES.get("e_value", []))
        n = int(log_uniform(1, [30, 3000, 10**6][i % 3]))
        p0 = draw.choice([0.5, draw.random(), log_uniform(1e-5, 0.5)])
        k = min(n, max(0, round(n * p0 + draw.choice([0, 1, 4]) * draw.uniform(-1, 1) * (math.sqrt(n * p0 * (1 - p0)) + 1))))
        p = mp.mpf(p0)
        e = mp.exp(log_e(k, n, p))
        half = mp.mpf("0.5")
        if n <= 3000:
            above = beta_upper(k + half, n - k + half, p) / beta_upper(half, half, p)
            if above < mp.mpf(10) ** -80:
                continue
        else:
            sd = mp.sqrt(n * p * (1 - p)) / n
            peak = max(p, mp.mpf(k + half) / (n + 1))
            edges = [p] + [x for x in (peak - 8 * sd, peak, peak + 8 * sd, peak + 30 * sd) if p < x < 1] + [mp.mpf(1)]
            with mp.workdps(40):
                mass = mp.quad(lambda x: mp.exp((k - half) * mp.log(x / p) + (n - k - half) * (mp.log1p(-x) - mp.log1p(-p))), sorted(edges[:-1]) + [min(mp.mpf(1), edges[-2] + 60 * sd)])
                above = mass / mp.sqrt(p * (1 - p)) / mp.pi / beta_upper(half, half, p) / e
        confidence = draw.choice([0.95, 0.99, 0.9])
        level, share = -mp.log(1 - mp.mpf(confidence)), mp.mpf(k) / n
        low, high = mp.mpf(0), mp.mpf(1)

        def root(inner, outer):
            for _ in range(220):
                middle = (inner + outer) / 2
                if log_e(k, n, middle) < level:
                    inner = middle
                else:
                    outer = middle
            return inner

        if k > 0:
            low = root(share, mp.mpf(0) + mp.mpf(10) ** -40)
        if k < n:
            high = root(share, 1 - mp.mpf(10) ** -40)
        add("e_value", k=k, n=n, p0=p0, e=e, p=min(mp.mpf(1), 1 / e), e_above=e * above, p_above=min(mp.mpf(1), 1 / (e * above)), confidence=confidence, low=low, high=high)
    for _ in range(60):
        rate, alpha = log_uniform(1e-4, 0.5), draw.choice([0.05, 0.01])
        n = next(n for n in itertools.count(max(1, int(-math.log(alpha) / rate) - 1)) if log_e(0, n, mp.mpf(rate)) >= -mp.log(mp.mpf(alpha))) if rate > 0.005 else None
        if n is not None:
            assert all(log_e(0, m, mp.mpf(rate)) < -mp.log(mp.mpf(alpha)) for m in range(1, n))
            add("clean_runs_anytime", rate=rate, alpha=alpha, n=n)
        p0, p1 = sorted((log_uniform(1e-4, 0.5), log_uniform(1e-4, 0.5)))
        a, b = draw.choice([0.05, 0.01]), draw.choice([0.1, 0.2])
        count = draw.randint(0, 400)
        k = min(count, draw.choice([0, 0, 1, 5]))
        q0, q1 = mp.mpf(p0), mp.mpf(p1)
        ratio = k * mp.log(q1 / q0) + (count - k) * (mp.log1p(-q1) - mp.log1p(-q0))
        lower, upper = mp.log(mp.mpf(b) / (1 - mp.mpf(a))), mp.log((1 - mp.mpf(b)) / mp.mpf(a))
        decision = 1 if ratio <= lower else 2 if ratio >= upper else 0
        add("sprt", k=k, n=count, p0=p0, p1=p1, alpha=a, beta=b, log_ratio=ratio, low=lower, high=upper, decision=decision,
            clean_runs=0 if decision else int(mp.ceil((lower - ratio) / (mp.log1p(-q1) - mp.log1p(-q0)))))


# --- samples of answers -------------------------------------------------------------------------------------------------------------------------------------

def mmd_cases():
    for _ in range(40):
        prompts = draw.sample(range(-5, 100), draw.randint(1, 3))
        length, alphabet = draw.randint(0, 6), draw.randint(2, 5)
        sides = ([], [])
        for prompt in prompts:
            for side, count in zip(sides, (draw.randint(1, 3), draw.randint(1, 3))):
                for _ in range(count):
                    side.append((prompt, [draw.randint(0, alphabet) for _ in range(max(0, length - draw.choice([0, 0, 1, 3])))]))
        if any(max(sum(1 for q, _ in side if q == p) for p in prompts) < 2 for side in sides):
            continue
        longest = max(1, max(len(ids) for side in sides for _, ids in side))
        padded = [(prompt, ids + [-1] * (longest - len(ids))) for side in sides for prompt, ids in side]

        def statistic(split):
            def mean(pairs):
                values = [Fraction(sum(a == b for a, b in zip(padded[i][1], padded[j][1])), longest) for i, j in pairs if padded[i][0] == padded[j][0]]
                return sum(values) / len(values)
            ones, twos = [i for i in range(len(padded)) if i in split], [i for i in range(len(padded)) if i not in split]
            return mean(itertools.combinations(ones, 2)) + mean(itertools.combinations(twos, 2)) - 2 * mean(itertools.product(ones, twos))

        observed = statistic(set(range(len(sides[0]))))
        choices = []
        for prompt in prompts:
            members = [i for i, (q, _) in enumerate(padded) if q == prompt]
            choices.append([set(c) for c in itertools.combinations(members, sum(1 for q, _ in sides[0] if q == prompt))])
        splits = [set().union(*parts) for parts in itertools.product(*choices)]
        at_least = sum(statistic(split) >= observed for split in splits)
        add("mmd", **{f"{name}_{what}": value for name, side in zip(("reference", "target"), sides)
                      for what, value in (("prompts", [q for q, _ in side]), ("lengths", [len(ids) for _, ids in side]), ("ids", [t for _, ids in side for t in ids]))},
            mmd2=observed, at_least=at_least, splits=len(splits))


def main():
    for part in (survival_cases, flip_cases, distribution_cases, list_cases, sequence_cases, mmd_cases):
        part()
    lines = []
    for name, rows in CASES.items():
        lines.append(f' "{name}": [\n' + ',\n'.join('  ' + json.dumps(row, separators=(',', ':')) for row in rows) + '\n ]')
    print('{\n' + ',\n'.join(lines) + '\n}')


if __name__ == '__main__':
    main()
