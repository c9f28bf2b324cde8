"""Questions of accuracy work and the statistic that answers each: python examples/evidence.py"""
from vaa import stats

print("1. The same 1,319 questions, old engine against new: 1,200 right twice, 17 only old, 4 only new, 98 never")
pairs, test = stats.paired_difference(1200, 17, 4, 98), stats.mcnemar(17, 4)
print(f"   old - new {100 * pairs.difference:.2f} points, 95 % interval {100 * pairs.low:.2f} to {100 * pairs.high:.2f}, p {test.p_exact:.4f}: shown to be real")

print("2. 0 of 200 bad answers on one engine, 5 of 200 on the other")
print(f"   p {stats.fisher(0, 200, 5, 195).p:.3f}: not shown; the second rate is {stats.wilson(5, 200).low:.3f} to {stats.wilson(5, 200).high:.3f}")

print("3. A fault of 9 in 1,000 was fixed. How many clean runs say so?")
need = stats.clean_runs_needed(0.009)
print(f"   {need.exact} in one go, {need.anytime} if one looks after each; after 500: e {stats.e_value(0, 500, 0.009).e:.2f}, p {stats.e_value(0, 500, 0.009).p:.2f}")

print("4. Scores of 12 questions on 4 texts")
scores, text = [1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0], ["a"] * 3 + ["b"] * 3 + ["c"] * 3 + ["d"] * 3
print(f"   {stats.mean(scores).mean:.2f}, standard error {stats.mean(scores).standard_error:.3f} as if independent, {stats.mean(scores, text).standard_error:.3f} by text")

print("5. First divergence of ten greedy answers: the reference from itself, and the target from it (256: never)")
own, new = [12, 35, 47, 60, 88, 120, 256, 256, 256, 256], [3, 5, 9, 14, 22, 40, 41, 77, 130, 256]
parted = [[index < 256 for index in side] for side in (own, new)]
print(f"   half have parted by token {stats.kaplan_meier(own, parted[0]).median:.0f} and {stats.kaplan_meier(new, parted[1]).median:.0f}, log-rank p {stats.log_rank(own, parted[0], new, parted[1]).p:.3f}")

print("6. Is that noise of 0.15 nats, as the reference has against itself?")
gaps, flips = [3.0, 0.02, 0.5, 2.0, 0.05, 6.0, 6.0, 6.0, 0.4, 0.1], [0, 1, 0, 0, 1, 0, 0, 0, 0, 0]
noise = stats.flip_sigma(gaps, flips)
print(f"   {sum(flips)} flips, {stats.flip_test(gaps, flips, 0.15).expected:.2f} expected, p {stats.flip_test(gaps, flips, 0.15).p_upper:.2f}; sigma {noise.sigma:.2f}, 95 % interval {noise.low:.2f} to {noise.high:.1f}")

print("7. The token where they part: bug or near tie?")
swing = stats.swing({10: -0.70, 11: -0.72, 12: -4.0}, 10, {11: -0.69, 10: -0.73, 12: -4.1}, 11, tau=0.25)
print(f"   swing {swing.swing:.2f} nats: {swing.kind}")
