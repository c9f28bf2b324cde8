"""The verifier: each policy's contract in plain numpy beside it, laws by enumeration and by simulation, layouts, and bad input."""

import json
import math
import subprocess
import sys
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vaa
from conftest import GOLDEN, ROOT
from vaa._verifier_vectors import KINDS

V = 13
CHAINS = ("vllm_v1", "vllm_v2", "vllm_ascend_v1", "flashinfer", "sglang_chain")
NAN = float("nan")


def law_of(r, size=V, zeros=0.3):
    """A row of float32 on a grid of 1/4096, so that sums are exact and ties and zeros are common."""
    weights = numpy.where(r.random(size) < zeros, 0, r.random(size) ** 4)
    counts = numpy.floor(weights / max(weights.sum(), 1e-9) * 4096)
    counts[r.integers(size)] += 4096 - counts.sum()
    return (counts / 4096).astype(numpy.float32)


def contract(policy, drafts, p, q, uniforms, noise, bonus_noise, greedy, bonus):
    """One request by sampling.md 1.1 to 1.5, in float64: ids, accepted. noise(j): the numbers of row j. Without a bonus id the bonus token is drawn from the row behind the last draft."""
    at_equality = policy in ("vllm_v1", "vllm_ascend_v1")
    ids = []
    for j, d in enumerate(drafts):
        row = p[j].astype(numpy.float64)
        if greedy:
            best = int(numpy.argmax(row))
            ids.append(best)
            if best != d:
                return ids, j
            continue
        other = q[j].astype(numpy.float64) if q is not None else numpy.eye(V)[d] if d >= 0 else numpy.zeros(V)
        if d < 0:
            accepted = False
        elif at_equality:
            accepted = other[d] > 0 and row[d] >= uniforms[j] * other[d]
        else:
            u = max(uniforms[j], 2.0**-31) if policy == "vllm_v2" else uniforms[j]
            accepted = u * other[d] < row[d]
        if accepted:
            ids.append(d)
            continue
        return [*ids, draw(policy, numpy.maximum(row - other, 0), noise(j))], j
    return [*ids, bonus if bonus is not None else int(numpy.argmax(p[-1])) if greedy else draw(policy, p[-1].astype(numpy.float64), bonus_noise)], len(drafts)


def draw(policy, weights, noise):
    if policy in ("vllm_v1", "vllm_ascend_v1"):
        return int(numpy.argmax(weights / noise.astype(numpy.float64)))
    if policy == "vllm_v2":
        with numpy.errstate(divide="ignore"):
            return int(numpy.argmax(numpy.log(weights) + noise.astype(numpy.float64)))
    mass = numpy.cumsum(weights)
    return int(numpy.argmax(mass > float(noise[0]) * mass[-1]))


def made_batch(policy, seed, requests=6, most=4):
    """Ragged requests, some without drafts, some greedy; padded drafts where the policy knows them."""
    r = numpy.random.default_rng(seed)
    counts = r.integers(0, most + 1, requests)
    with_bonus, padded = policy != "vllm_v1" and policy != "vllm_ascend_v1", policy in ("flashinfer", "sglang_chain")
    rows = [[law_of(r) for _ in range((most if padded else n) + with_bonus)] for n in counts]
    laws = [[law_of(r) for _ in range(most if padded else n)] for n in counts]
    drafts = [[int(r.choice(V, p=law)) for law in one] for one in laws]
    if not padded:
        drafts = [[-1 if r.random() < 0.1 else d for d in one] for one in drafts]
    greedy = [not padded and r.random() < 0.25 for _ in counts]
    uniforms = [(r.integers(0, 65, len(one)) / 64).tolist() for one in laws]
    size = 1 if padded else V
    total = sum(len(one) for one in rows)
    units = total if policy == "vllm_v2" else requests
    noise = (r.random((units, size)) if padded else r.gumbel(size=(units, size)) if policy == "vllm_v2" else r.exponential(size=(units, size))).astype(numpy.float32)
    bonus = None if with_bonus else r.integers(0, V, requests).tolist()
    return counts, drafts, rows, laws, greedy, uniforms, noise, bonus, padded


@pytest.mark.parametrize("policy", CHAINS)
@pytest.mark.parametrize("one_hot", [True, False])
def test_a_policy_does_what_its_contract_says_in_plain_numpy(policy, one_hot):
    seen = set()
    for seed in range(150):
        counts, drafts, rows, laws, greedy, uniforms, noise, bonus, padded = made_batch(policy, seed)
        verifier = vaa.Verifier({"base": policy, "empty_residual": "token_0"}, input="probs", threads=1 + seed % 3)
        stacked = [row for one in rows for row in one]
        q = None if one_hot else numpy.array([law for one in laws for law in one], numpy.float32).reshape(-1, V)
        options = {"temperature": [0.0 if g else 1.0 for g in greedy]} if not padded else None
        given_drafts = numpy.array(drafts).reshape(len(counts), -1) if padded else sum(drafts, [])
        out = verifier.run(given_drafts, numpy.array(stacked, numpy.float32).reshape(-1, V), num_drafts=counts, draft_probs=q, uniforms=sum(uniforms, []), noise=noise, bonus=bonus, params=options)
        first = 0
        for i, n in enumerate(counts):
            noise_of = (lambda j: noise[first + j]) if policy == "vllm_v2" else (lambda j: noise[i])
            p = rows[i][:n + 1] if bonus is None else rows[i][:n]
            ids, accepted = contract(policy, drafts[i][:n], p, None if one_hot else laws[i], uniforms[i], noise_of, noise_of(n), greedy[i], None if bonus is None else bonus[i])
            assert out.ids[i].tolist() == ids + [-1] * (out.ids.shape[1] - len(ids)), (seed, i)
            assert out.accepted[i] == accepted
            seen.update(place & 15 for place in out.places[i].tolist())
            assert [place & 15 for place in out.places[i].tolist()][:accepted] == [1] * accepted
            first += len(rows[i])
        for row, words in zip(out.ids.tolist(), out.reasons()):
            assert len(words) == sum(token != -1 for token in row)
    assert seen >= {0, 1, 2, 3}


def test_threads_and_forms_of_counts_change_no_bit():
    counts, drafts, rows, laws, greedy, uniforms, noise, bonus, _ = made_batch("vllm_v1", 5, 40)
    target, q, flat = numpy.array([row for one in rows for row in one]), numpy.array([law for one in laws for law in one]), sum(drafts, [])
    more = {"draft_probs": q, "uniforms": sum(uniforms, []), "noise": noise, "bonus": bonus}
    one = vaa.Verifier("vllm_v1", input="probs").run(drafts, target, **more)
    ends = numpy.cumsum(counts)
    for options, shape in (({"threads": 7}, {"num_drafts": counts}), ({"threads": 2}, {"cu": ends}), ({}, {"cu0": numpy.concatenate([[0], ends])}), ({"check": "read"}, {"cu": ends})):
        other = vaa.Verifier("vllm_v1", input="probs", **options).run(flat, target, **shape, **more)
        assert all(numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f") for a, b in zip(one, other))


def test_logits_go_through_the_policys_sampler():
    r = numpy.random.default_rng(2)
    logits = r.normal(0, 2, (6, 40)).astype(numpy.float32)
    options = {"temperature": 0.6, "top_k": 7, "top_p": 0.9}
    p = vaa.Sampler("vllm_v1", **options).probs(logits)
    drafts, uniforms, noise, bonus = [[1, 2, 3], [4, 5], [6]], r.random(6), r.exponential(size=(3, 40)), [0, 1, 2]
    drafts = [[int(numpy.argsort(-p[i])[k % 3]) for k, i in enumerate(range(3 * j % 6, 3 * j % 6 + len(one)))] for j, one in enumerate(drafts)]
    of_logits = vaa.Verifier("vllm_v1", **options).run(drafts, logits, uniforms=uniforms, noise=noise, bonus=bonus)
    of_probs = vaa.Verifier("vllm_v1", input="probs").run(drafts, p, uniforms=uniforms, noise=noise, bonus=bonus)
    assert of_logits.ids.tolist() == of_probs.ids.tolist() and of_logits.places.tolist() == of_probs.places.tolist()
    numpy.testing.assert_allclose(of_logits.margins, of_probs.margins, rtol=1e-5)
    # entropy verify takes H of the row before the pipeline
    entropy = {"base": "vllm_ascend_v1", "method": "entropy", "sampler": {"base": "vllm_v1"}}
    lossy = vaa.Verifier(entropy, **options).run([[int(p[0].argmax())]], logits[:1], uniforms=[0.5], noise=noise[:1])
    raw = numpy.exp(logits[0].astype(float)) / numpy.exp(logits[0].astype(float)).sum()
    factor = min(math.exp(0.4 * (raw * numpy.log(raw)).sum()), 0.95)
    assert lossy.margins[0, 0] == pytest.approx(math.log(p[0].max() / factor / 0.5), abs=1e-9)
    # a row of a verify step counts the drafts before it: banned by a penalty, the second draft is no longer the likeliest
    row = numpy.array([[3.0, 2.9, 0.0]] * 2, numpy.float32)
    greedy = vaa.Verifier("vllm_v1", temperature=0, frequency_penalty=1.0).run([[0, 1]], row, output=[[], [0]], bonus=[2])
    assert greedy.ids.tolist() == [[0, 1, 2]]


def rows_of(draw_row, count):
    return numpy.array([draw_row() for _ in range(count)])


@st.composite
def steps(data):
    size, count = data(st.integers(2, 6)), data(st.integers(1, 4))
    weights = lambda: numpy.array([data(st.sampled_from([0.0, 0.01, 0.2, 1.0, 3.0])) for _ in range(size)]) + numpy.eye(size)[data(st.integers(0, size - 1))]
    share = lambda w: w / w.sum()
    return rows_of(lambda: share(weights()), count + 1), rows_of(lambda: share(weights()), count)


LOSSLESS = [*CHAINS, {"base": "vllm_v2", "method": "block"}, {"base": "vllm_v1", "method": "exact_match"}]


def joint_law(verifier, p, q, one_hot):
    """The law of all tokens of a step, rows independent of what was put out, short rows continued by the target; by enumeration of the drafts."""
    size, count = p.shape[1], len(q)
    out = numpy.zeros([size] * count)
    rest = lambda at: [] if at >= count else [p[k] for k in range(at, count)]
    for drafts in numpy.ndindex(*[size] * count):
        weight = math.prod(q[j][d] for j, d in enumerate(drafts))
        if weight == 0:
            continue
        law = verifier.law(drafts, p, None if one_hot else q)
        assert law.lengths.sum() == pytest.approx(1, abs=1e-12)
        assert (law.emitted >= 0).all()
        for length, share in enumerate(law.lengths):
            if share == 0:
                continue
            parts = [numpy.eye(size)[d] for d in drafts[:length]] + ([law.recovered[length]] if length < count else [])
            product = numpy.array(weight * share)
            for part in (parts + rest(len(parts)))[:count]:
                product = numpy.multiply.outer(product, part)
            out += product
    return out


@settings(max_examples=60, deadline=None)
@given(steps(), st.sampled_from(LOSSLESS), st.booleans())
def test_every_lossless_policy_puts_out_the_targets_law(step, policy, one_hot):
    p, q = step
    if p.shape[1] ** len(q) > 300:
        return
    verifier = vaa.Verifier({**(policy if isinstance(policy, dict) else {"base": policy}), "empty_residual": "target", "noise": "position"}, input="probs")
    want = numpy.array(1.0)
    for row in p[:len(q)]:
        want = numpy.multiply.outer(want, row)
    numpy.testing.assert_allclose(joint_law(verifier, p, q, one_hot), want, atol=1e-12)
    first = verifier.marginal(p[0], q[0], one_hot=one_hot)
    numpy.testing.assert_allclose(first.law, p[0], atol=1e-12)
    alpha = (p[0] * q[0]).sum() if one_hot or "exact_match" in str(policy) else numpy.minimum(p[0], q[0]).sum()
    assert first.acceptance == pytest.approx(alpha, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(steps(), st.sampled_from(["with", "without"]), st.integers(1, 3))
def test_several_drafts_of_a_position_put_out_the_targets_law(step, replacement, candidates):
    p, q = step
    if p.shape[1] ** candidates > 220 or (replacement == "without" and numpy.count_nonzero(q[0]) < candidates):
        return
    policy = {"base": "vllm_v1", "method": "multi_draft", "replacement": replacement, "empty_residual": "target"}
    got = vaa.Verifier(policy, input="probs", layout="flat_with_bonus").marginal(p[0], q[0], candidates=candidates)
    numpy.testing.assert_allclose(got.law, p[0], atol=1e-9)
    assert got.acceptance >= numpy.minimum(p[0], q[0]).sum() - 1e-9


def chi_square_p(counts, law):
    """Upper tail of Pearson's statistic, cells of few expected counts taken together; by the recurrence of the incomplete gamma function."""
    assert counts[law == 0].sum() == 0
    expected = counts.sum() * law
    few = expected < 5
    seen, want = [*counts[~few], counts[few].sum()], [*expected[~few], expected[few].sum()]
    cells = [(o, e) for o, e in zip(seen, want) if e > 0]
    x, dof = sum((o - e) ** 2 / e for o, e in cells) / 2, len(cells) - 1
    if dof < 1:
        return 1.0
    a, tail = (1.0, math.exp(-x)) if dof % 2 == 0 else (0.5, math.erfc(math.sqrt(x)))
    while a < dof / 2:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1)) if x > 0 else 0.0
        a += 1
    return tail


SIMULATED = [*CHAINS, {"base": "vllm_v2", "method": "block"}, {"base": "vllm_v2", "method": "exact_match"}]


def simulated(policy, r, p, q, count, one_hot, repeats):
    """Drafts of q, uniforms and noise as the engine draws them, many steps of the same rows in one batch: ids [repeats, count + 1]."""
    base = policy if isinstance(policy, str) else policy["base"]
    drafts = numpy.stack([r.choice(p.shape[1], repeats, p=q[j].astype(numpy.float64) / q[j].sum(dtype=numpy.float64)) for j in range(count)], 1)
    flat = base in ("vllm_v1", "vllm_ascend_v1")
    units = repeats * (count + 1) if base == "vllm_v2" else repeats
    noise = r.gumbel(size=(units, p.shape[1])) if base == "vllm_v2" else r.exponential(size=(units, p.shape[1])) if flat else r.random(units).astype(numpy.float32)
    target = numpy.tile(p[:count] if flat else p, (repeats, 1))
    return vaa.Verifier(policy, input="probs", threads=2).run(drafts, target, draft_probs=None if one_hot else numpy.tile(q, (repeats, 1)), uniforms=r.random((repeats, count)), noise=noise)


@pytest.mark.parametrize("one_hot", [True, False])
@pytest.mark.parametrize("policy", SIMULATED)
def test_simulated_steps_put_out_the_targets_law_and_lengths(policy, one_hot):
    r = numpy.random.default_rng(17)
    ps = []
    for _ in range(6):
        p, q = numpy.stack([law_of(r, 7) for _ in range(3)]), numpy.stack([law_of(r, 7, 0.1) for _ in range(2)])
        out = simulated({"empty_residual": "token_0", **({"base": policy} if isinstance(policy, str) else policy)}, r, p, q, 2, one_hot, 4000)
        ps.append(chi_square_p(numpy.bincount(out.ids[:, 0], minlength=7), p[0].astype(numpy.float64)))
        longer = out.ids[:, 1][out.accepted >= 1]
        if len(longer) > 200:
            ps.append(chi_square_p(numpy.bincount(longer, minlength=7), p[1].astype(numpy.float64)))
    assert min(ps) > 1e-4 and numpy.mean(ps) > 0.25, ps  # of 12 at most: false alarm below 0.0012; small ones are rare


def test_the_product_rule_puts_out_its_own_wrong_law():
    # sampling.md D06: all accepted 0.655 instead of 0.125, the first token is the draft in 0.763 instead of 0.5
    policy, repeats = {"base": "vllm_ascend_v1", "method": "block_product"}, 40_000
    rows = numpy.array([[0.5, 0.5]] * 3)
    law = vaa.Verifier(policy, input="probs").law([0, 0, 0], rows)
    assert law.lengths[-1] == pytest.approx(0.655, abs=5e-4) and law.emitted[0, 0] == pytest.approx(0.763, abs=5e-4)
    r = numpy.random.default_rng(3)
    out = vaa.Verifier(policy, input="probs").run(numpy.zeros((repeats, 3), int), numpy.tile(rows, (repeats, 1)), uniforms=r.random((repeats, 3)), noise=r.exponential(size=(repeats, 2)))
    assert chi_square_p(numpy.bincount(out.accepted, minlength=4), law.lengths) > 1e-4


def test_a_tree_takes_the_first_sibling_that_reaches_the_coin():
    r = numpy.random.default_rng(4)
    parents, drafts, size = [-1, -1, 0, 0, 2], [0, 2, 1, 3, 2], 5
    rows = numpy.stack([law_of(r, size, 0) for _ in range(6)])
    verifier = vaa.Verifier("sglang_tree", input="probs", layout="flat_with_bonus")
    law = verifier.law(drafts, rows, parents=parents)
    repeats = 20_000
    coins, last = r.random((repeats, 6)), r.random(repeats)
    out = verifier.run(numpy.tile(drafts, (repeats, 1)), numpy.tile(rows, (repeats, 1)), uniforms=coins, noise=last, parents=parents * repeats)
    for coin, u, ids in zip(coins[:500], last[:500], out.ids[:500].tolist()):
        row, want = 0, []
        while row is not None:
            children, mass, taken = [k for k, parent in enumerate(parents) if parent + 1 == row], 0.0, None
            for child in children:
                mass += float(rows[row][drafts[child]])
                if coin[row] <= mass:
                    taken = child
                    break
            if taken is None:
                rest = rows[row].astype(numpy.float64)
                rest[[drafts[child] for child in children]] = 0
                mass = numpy.cumsum(rest)
                want.append(int(numpy.argmax(mass > float(numpy.float32(u)) * mass[-1])))
                row = None
            else:
                want.append(drafts[taken])
                row = taken + 1
        assert ids == want + [-1] * (6 - len(want))
    assert chi_square_p(numpy.bincount(out.ids[:, 0], minlength=size), rows[0].astype(numpy.float64)) > 1e-4
    assert chi_square_p(numpy.bincount(out.accepted, minlength=6), law.lengths) > 1e-4
    numpy.testing.assert_allclose(law.emitted[0], rows[0], atol=1e-12)


def test_uniforms_and_noise_come_from_the_requests_generator_in_the_engines_order():
    verifier, rng, plain = vaa.Verifier("vllm_v1"), vaa.Rng("torch_cpu", 7), vaa.Rng("torch_cpu", 7)
    noise = verifier.draw(rng, 3, 50)
    assert numpy.array_equal(noise.bonus, plain.exponential(50).values) and numpy.array_equal(noise.uniforms, plain.uniform(3, "float64")) and numpy.array_equal(noise.recovered, plain.exponential(50).values)
    ascend = vaa.Verifier("vllm_ascend_v1")
    idle = ascend.draw(rng, 0, 50)
    assert idle.uniforms is None and idle.recovered is None and numpy.array_equal(idle.bonus, plain.exponential(50).values)
    plain.exponential(50)  # thrown away
    assert numpy.array_equal(verifier.draw(rng, 0, 50, speculative=False).bonus, plain.exponential(50).values)
    without = verifier.draw(rng, 3, 50, speculative=False)  # a batch without drafts draws none of their numbers
    assert without.uniforms is None and without.recovered is None and numpy.array_equal(without.bonus, plain.exponential(50).values)
    with pytest.raises(ValueError, match="drafts, vocabulary: are -1 and 50"):
        verifier.draw(rng, -1, 50)
    with pytest.raises(vaa.Error, match="policy vllm_v2: draws is unknown, and a step is to be drawn from a generator: read which numbers") as fault:
        vaa.Verifier("vllm_v2").draw(rng, 3, 50)
    assert fault.value.name == "VAA_ERROR_UNSUPPORTED"


def test_what_was_not_given_is_not_known():
    verifier = vaa.Verifier("vllm_v1", input="probs")
    p, q = [[0.25, 0.75], [0.5, 0.5]], [[0.5, 0.5], [1.0, 0.0]]
    assert verifier.run([[0, 0]], p, uniforms=[0.1, 0.9]).ids.tolist() == [[0, -2, -1]]                      # no noise
    assert verifier.run([[1]], p[:1], uniforms=[0.1]).ids.tolist() == [[1, -2]]                                # no bonus id
    out = verifier.run([[0, 0]], p, draft_probs=[0.5, 1.0], uniforms=[0.4, 0.9], noise=[[1, 1]])              # q of the drafts alone
    assert out.ids.tolist() == [[0, -2, -1]] and out.reasons() == [["accepted", "rejected"]]
    numpy.testing.assert_allclose(out.margins[0, :2], [math.log(0.5 / 0.4), math.log(0.5 / 0.9)], rtol=1e-12)


def test_boundaries_and_violations_are_marked():
    verifier = vaa.Verifier("vllm_v1", input="probs")
    run = lambda p, u, d=0, **more: verifier.run([[d]], [p], uniforms=[u], noise=[[1] * len(p)], bonus=[0], **more)
    assert run([0.5, 0.5], 0.5).reasons() == [["accepted, boundary", "bonus"]] and run([0.5, 0.5], 0.5).margins[0, 0] == 0
    assert run([0.5, 0.5], 0.5000001).reasons()[0][0] == "rejected, boundary"
    assert run([0.5, 0.25, 0.25], 0.9).reasons() == [["rejected, boundary"]]    # two recovered tokens have the same score
    assert run([0.5, 0.375, 0.125], 0.9).reasons() == [["rejected"]]
    assert run([0.0, 1.0], 0.0).reasons() == [["accepted, boundary, support violation", "bonus"]]
    gone = run([0.5, 0.5, 0.0], 0.5, 2, draft_probs=[[0.5, 0.5, 0.0]])
    assert gone.reasons() == [["rejected, empty residual, boundary"]] or gone.reasons() == [["rejected, empty residual"]]
    assert gone.ids.tolist() == [[0, -1]]


def test_rounding_is_that_of_float32_arithmetic():
    r = numpy.random.default_rng(6)
    rows, q = numpy.stack([law_of(r) for _ in range(4000)]), numpy.stack([law_of(r, V, 0) for _ in range(4000)])
    drafts = numpy.array([r.choice(V, p=row) for row in q.astype(numpy.float64)])
    p_d, q_d = rows[range(4000), drafts], q[range(4000), drafts]
    ratio = p_d / q_d  # of float32
    uniforms = numpy.clip(ratio.astype(numpy.float64) * (1 + r.integers(-4, 5, 4000) * 2.0**-26), 0, 1)
    run = lambda policy, how: vaa.Verifier(policy, input="probs", layout="flat", rounding=how).run(drafts[:, None], rows, draft_probs=q, uniforms=uniforms).accepted
    single = uniforms.astype(numpy.float32)
    assert numpy.array_equal(run("vllm_v1", "fp32"), ratio >= uniforms)
    assert numpy.array_equal(run("vllm_ascend_v1", "fp32"), ratio >= single)
    assert numpy.array_equal(run("flashinfer", "fp32"), single * q_d < p_d)
    exact = [Fraction(float(p)) >= Fraction(float(u)) * Fraction(float(k)) for p, u, k in zip(p_d, uniforms, q_d)]
    assert run("vllm_v1", "exact").astype(bool).tolist() == exact
    assert 100 < (run("vllm_v1", "fp32") != exact).sum() + (run("flashinfer", "fp32") != exact).sum()


@pytest.mark.parametrize("policy", [{"base": "vllm_ascend_v1", "method": "entropy"}, {"base": "vllm_v1", "method": "typical"}, {"base": "sglang_tree", "layout": "flat_with_bonus", "accept_threshold": 0.7, "single_threshold": 0.4}])
def test_lossy_methods_put_out_their_declared_law(policy):
    r = numpy.random.default_rng(8)
    verifier = vaa.Verifier(policy, input="probs", threads=2)
    tree, repeats, lossy = policy["base"] == "sglang_tree", 8000, 0
    for _ in range(6):
        p = numpy.stack([law_of(r, 6, 0.2) for _ in range(2)])
        drafts = r.permutation(6)[:2] if tree else [int(r.choice(6, p=p[0].astype(numpy.float64)))]
        rows = numpy.stack([p[0], p[1], p[1]]) if tree else p[:1]
        parents = [-1, -1] if tree else None
        law = verifier.law(drafts, rows, parents=parents)
        many = numpy.tile(drafts, (repeats, 1))
        noise = r.random(repeats) if tree else r.exponential(size=(repeats, 6))
        out = verifier.run(many, numpy.tile(rows, (repeats, 1)), uniforms=None if policy.get("method") == "typical" else r.random((repeats, len(rows))), noise=noise, parents=parents and parents * repeats)
        assert chi_square_p(numpy.bincount(out.ids[:, 0], minlength=6), law.emitted[0]) > 1e-4
        assert chi_square_p(numpy.bincount(out.accepted, minlength=len(law.lengths)), law.lengths) > 1e-4
        lossy += abs(law.emitted[0] - p[0]).sum() > 0.02
    assert lossy  # else this would be a test of the token rule


def test_batches_of_nothing():
    verifier = vaa.Verifier("vllm_v1", input="probs")
    none = verifier.run([], [])
    assert none.ids.shape == (0, 1) and none.reasons() == []
    idle = verifier.run([[], []], numpy.empty((0, 5)), bonus=[3, 4])
    assert idle.ids.tolist() == [[3], [4]] and idle.accepted.tolist() == [0, 0] and idle.reasons() == [["bonus"], ["bonus"]]
    for method in ("token", "block", "block_product", "exact_match", "typical", "entropy"):
        mixed = vaa.Verifier({"base": "vllm_v1", "method": method, "noise": "position"}, input="probs").run([[], [0], []], [[1.0, 0.0]], uniforms=[0.5], noise=[[1, 1]], bonus=[1, 1, 0])
        assert mixed.ids.tolist() == [[1, -1], [0, 1], [0, -1]], method
    assert vaa.emitted_rows(numpy.empty((0, 3), int), 5) == [] and vaa.draft_layout([]).target_rows.tolist() == []
    assert [row.tolist() for row in vaa.emitted_rows(idle.ids, 5)] == [[3], [4]]


def test_an_engines_precision_decides_where_rounding_does():
    # vllm-ascend casts u to float32: 1 - 2^-30 becomes 1, which no p below 1 reaches
    u, p = 1 - 2.0**-30, [1 - 2.0**-24, 2.0**-24]
    for policy, exact, single in (("vllm_v1", 0, 0), ("vllm_ascend_v1", 0, 0)):
        assert [int(vaa.Verifier(policy, input="probs", rounding=how).run([[0]], [p], uniforms=[u]).accepted[0]) for how in ("exact", "fp32")] == [exact, single]
    p, u = [0.5, 0.5], 0.5 + 2.0**-40
    assert [int(vaa.Verifier(policy, input="probs", rounding="fp32").run([[0]], [p], uniforms=[u]).accepted[0]) for policy in ("vllm_v1", "vllm_ascend_v1")] == [0, 1]
    assert int(vaa.Verifier("vllm_ascend_v1", input="probs").run([[0]], [p], uniforms=[u]).accepted[0]) == 0


def test_the_sign_is_exact_where_a_product_is_smaller_than_any_double():
    verifier = vaa.Verifier("vllm_v1", input="probs")
    out = verifier.run([[1]], [[1.0, 0.0]], draft_probs=[[1.0, 1e-38]], uniforms=[1e-300], noise=[[1, 1]])
    assert out.accepted.tolist() == [0] and out.margins[0, 0] == -math.inf   # u q = 1e-338 > p = 0
    least = float(numpy.finfo(numpy.float32).smallest_subnormal)
    out = verifier.run([[1], [1]], [[1.0, least]] * 2, draft_probs=[[1.0, 2 * least]] * 2, uniforms=[0.5, 0.5 + 2.0**-53], noise=[[1, 1]] * 2, bonus=[0, 0])
    assert out.accepted.tolist() == [1, 0]


GOOD = {"drafts": [1, 2, 0], "target": [[0.25, 0.5, 0.25]] * 3, "cu": [2, 3], "uniforms": [0.5, 0.5, 0.5], "noise": [[1, 1, 1]] * 2, "bonus": [0, 1]}
FAULTS = [
    ({"cu": [2, 1, 3]}, "cu_num_draft_tokens[1]: falls from 2 to 1, must not fall"),
    ({"cu": [-1, 3]}, "cu_num_draft_tokens[0]: falls from 0 to -1, must not fall"),
    ({"cu": [2, 4]}, "drafts: has 3, must have 4, as cu_num_draft_tokens ends"),
    ({"cu": None, "cu0": [1, 2, 3]}, "cu_num_draft_tokens[0]: is 1, must be 0 by the option cu"),
    ({"drafts": [1, 3, 0]}, "request 0, position 1: draft 3 is outside the vocabulary of 3, and not -1"),
    ({"drafts": [1, 2, -2]}, "request 1, position 0: draft -2 is outside the vocabulary of 3, and not -1"),
    ({"target": [[0.25, 0.5, 0.25]] * 4}, "target: rows: has 4, must have 3, one for each draft"),
    ({"target": [[0.25, 0.5, 0.25], [0.25, NAN, 0.25], [0.25, 0.5, 0.25]]}, "request 0, position 1: target probability of id 1 is NaN, must be 0 to 1"),
    ({"target": [[0.25, 0.5, 0.25], [0.25, 0.5, 0.25], [-0.25, 1.0, 0.25]]}, "request 1, position 0: target probability of id 0 is -0.25, must be 0 to 1"),
    ({"target": [[0.25, 0.5, 0.25], [0.25, 0.5, 0.25], [0.25, 0.5, 0.2]]}, "request 1, position 0: the target probabilities add up to 0.95"),
    ({"draft_probs": [[0.25, 0.5, 0.25]] * 2}, "draft_probs: rows: has 2, must have 3, one for each draft"),
    ({"draft_probs": [[0.25, 0.5]] * 3}, "draft_probs: columns: has 2, must have 3, by the option draft_probs"),
    ({"draft_probs": [[0.25, 0.5, 0.25], [0.5, 0.5, 0.5], [0.25, 0.5, 0.25]]}, "request 0, position 1: the draft probabilities add up to 1.5, must be 1 within 1e-05"),
    ({"draft_probs": [0.25, 0.5, -0.5], "uniforms": [1.0, 1.0, 1.0], "target": [[1.0, 0.0, 0.0]] * 3}, "request 1, position 0: draft probability is -0.5, must be 0 to 1"),
    ({"draft_probs": [0.25, 1.5, 0.25]}, "request 0, position 1: draft probability is 1.5, must be 0 to 1"),
    ({"uniforms": [0.5, 0.5]}, "uniforms: has 2, must have 3, one for each draft"),
    ({"uniforms": [0.5, 0.5, 1.5]}, "request 1, position 0: uniform is 1.5, must be 0 to 1"),
    ({"uniforms": [0.5, NAN, 0.5]}, "request 0, position 1: uniform is NaN, must be 0 to 1"),
    ({"uniforms": None}, "request 0, position 0: uniforms: none are given, and the draft is tested with one"),
    ({"noise": [[1, 1, 1]] * 3}, "noise: rows: has 3, must have 2, one for each request"),
    ({"noise": [[1, 1]] * 2}, "noise: columns: has 2, must have 3, by the policy's recovery"),
    ({"noise": [[1, 1, 1], [1, -1, 1]]}, "noise[1]: is -1, must be at least 0 and finite"),
    ({"noise": [[1, 1, 1], [1, float("inf"), 1]]}, "noise[1]: is infinity, must be at least 0 and finite"),
    ({"noise": [[1, NAN, 1], [1, 1, 1]], "uniforms": [0.0, 0.0, 1.0]}, "request 0: noise[1]: is NaN, must be at least 0 and finite"),
    ({"bonus": [0, 3]}, "request 1: bonus 3 is outside the vocabulary of 3, and not -2 (not known)"),
    ({"bonus": [0]}, "bonus: has 1, must have 2, one for each request"),
    ({"parents": [-1, 0, 0]}, "parents: are given, and method token takes a chain of drafts"),
    ({"params": {"temperature": [1.0, -1.0]}}, "row 1: temperature: is -1, must be at least 0"),
    ({"output": [1]}, "history: is given, and rows are probabilities, which no penalty changes"),
]


@pytest.mark.parametrize("call, message", [
    (lambda: vaa.Verifier("vllm_v1", input="probs").run([[0.7]], [[1.0, 0.0]], uniforms=[0.5]), "drafts: has elements of float64"),
    (lambda: vaa.Verifier("vllm_v1", input="probs").run([0], [[1.0, 0.0]], num_drafts=[1.9], uniforms=[0.5]), "num_drafts: has elements of float64"),
    (lambda: vaa.Verifier("vllm_v1", input="probs").run([0], [[1.0, 0.0]], cu0=[], uniforms=[0.5]), "cu0: is empty"),
    (lambda: vaa.Verifier("vllm_v1", input="probs").run([0], [[1.0, 0.0]], num_drafts=[2**62], uniforms=[0.5]), "drafts: has 1, must have 4611686018427387904"),
    (lambda: vaa.emitted_rows([[1.7, 2.0]], 10), "rows: has elements of float64"),
    (lambda: vaa.emitted_rows(numpy.array([[2**32 + 1]]), 10), r"rows\[0\]: is 4294967297"),
    (lambda: vaa.draft_layout([1.7]), "num_drafts: has elements of float64"),
    (lambda: vaa.draft_layout([2**62] * 3), r"num_drafts\[0\]: is 4611686018427387904"),
], ids=range(8))
def test_no_number_is_rounded_or_cut_to_an_id_or_a_count(call, message):
    with pytest.raises((vaa.Error, TypeError, ValueError, OverflowError), match=message):
        call()


@pytest.mark.parametrize("change, message", FAULTS, ids=[message for _, message in FAULTS])
def test_bad_input_is_named(change, message):
    verifier = vaa.Verifier("vllm_v1", input="probs")
    assert verifier.run(**GOOD).ids.shape == (2, 3)
    with pytest.raises(vaa.Error) as fault:
        verifier.run(**{**GOOD, **change})
    assert message in fault.value.message and fault.value.name == "VAA_ERROR_ARGUMENT", fault.value.message
    assert verifier.run(**GOOD).accepted.tolist() == [1, 0]  # it goes on


@pytest.mark.parametrize("policy, options, name, message", [
    ("vllm_v3", {}, "VAA_ERROR_NOT_FOUND", "policy: \"vllm_v3\" is not known; did you mean vllm_v"),
    ({"base": "vllm_v1", "method": "tokens"}, {}, "VAA_ERROR_OPTION", "method: \"tokens\" is not known; did you mean token?"),
    ({"base": "vllm_v1", "accept": "le"}, {}, "VAA_ERROR_OPTION", "accept: \"le\""),
    ({"method": "token"}, {"input": "probs"}, "VAA_ERROR_UNSUPPORTED", "policy custom: layout is unknown, and the option layout is not given"),
    ({"method": "token"}, {"layout": "flat"}, "VAA_ERROR_OPTION", "policy custom has no sampler, and rows are logits"),
    ("vllm_v1", {"min_p": 0.1}, "VAA_ERROR_OPTION", "min_p: is 0.1, but engine vllm_v1 has no stage min_p"),
    ("vllm_v1", {"thread": 2}, "VAA_ERROR_OPTION", "thread: no such option; did you mean threads?"),
])
def test_policies_and_options_are_checked(policy, options, name, message):
    with pytest.raises(vaa.Error) as fault:
        vaa.Verifier(policy, **options)
    assert fault.value.name == name and message in fault.value.message, fault.value.message


@pytest.mark.parametrize("policy, call, rule", [
    ("vllm_v2", lambda v: v.run([[2]], [[0.5, 0.5, 0.0]] * 2, draft_probs=[[0.5, 0.5, 0.0]], uniforms=[0.5], noise=[[0.0] * 3] * 2), "empty_residual"),
    ("flashinfer", lambda v: v.run([[-1]], [[0.5, 0.5]] * 2, uniforms=[0.5]), "padded_draft"),
    ("flashinfer", lambda v: v.law([2], [[0.5, 0.5, 0.0]], [[0.5, 0.5, 0.0]]), "empty_residual"),
])
def test_what_nobody_has_established_is_refused_with_the_way_to_measure_it(policy, call, rule):
    with pytest.raises(vaa.Error, match=f"policy {policy}: {rule} is unknown, and .*; then give the policy") as fault:
        call(vaa.Verifier(policy, input="probs"))
    assert fault.value.name == "VAA_ERROR_UNSUPPORTED"


def test_a_policy_is_data_and_gives_itself_again():
    for name in vaa.policies():
        rules = vaa.Verifier(name, input="probs").policy
        assert vaa.Verifier(rules, input="probs").policy == rules


def test_read_alone_looks_at_what_it_needs():
    rows = [[0.5, 0.5], [NAN, 0.5]]
    with pytest.raises(vaa.Error, match="request 0, position 1: target probability of id 0 is NaN"):
        vaa.Verifier("vllm_v1", input="probs").run([[0, 0]], rows, uniforms=[0.9, 0.5])
    lazy = vaa.Verifier("vllm_v1", input="probs", check="read")
    assert lazy.run([[0, 0]], rows, uniforms=[0.9, 0.5]).accepted.tolist() == [0]
    with pytest.raises(vaa.Error, match="request 0, position 1: target probability of id 0 is NaN"):
        lazy.run([[0, 0]], rows, uniforms=[0.1, 0.5])
    with pytest.raises(vaa.Error, match="request 0, position 0: the target probabilities add up to 0.9"):
        lazy.run([[0]], [[0.5, 0.4]], uniforms=[0.9], noise=[[1, 1]])


def test_the_table_of_the_documentation_is_the_data():
    lines = (ROOT / "docs" / "verifier.md").read_text(encoding="utf-8").split("\n")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head = next(i for i, row in enumerate(cells) if row[1:] == vaa.policies())
    rules = {name: vaa.Verifier(name, input="probs").policy for name in vaa.policies()}
    names = [name for name, value in rules["vllm_v1"].items() if name not in ("name", "title", "note", "sampler") and (isinstance(value, str) or name == "uniform_floor")]
    shown = lambda value: value if isinstance(value, str) else f"{value:g}"
    assert cells[head + 1:head + 1 + len(names)] == [[rule, *(shown(rules[policy][rule]) for policy in rules)] for rule in names]


def test_all_vectors_of_the_verifier_pass():
    path = GOLDEN / "vectors" / "sampling.json"
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert not any(f"unknown: kind {kind}:" in done.stdout for kind in KINDS), done.stdout


def test_a_vector_that_is_off_is_noticed(tmp_path):
    document = json.loads((GOLDEN / "vectors" / "sampling.json").read_text(encoding="utf-8"))
    mine = [vector for vector in document["vectors"] if vector["kind"] in KINDS]
    changed = []
    for vector in mine:
        for name, value in vector["expect"].items():
            if name != "tol":
                changed.append({**vector, "id": f"{vector['id']}.{name}", "expect": {**vector["expect"], name: off(value)}})
    (tmp_path / "changed.json").write_text(json.dumps({**document, "vectors": changed}), encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(tmp_path / "changed.json")], capture_output=True, text=True)
    assert f"0 passed, {len(changed)} failed, 0 unknown" in done.stdout, done.stdout


def off(value):
    """The value with its last leaf changed."""
    if isinstance(value, dict):
        return {**value, list(value)[-1]: off(value[list(value)[-1]])} if value else {"0": 1}
    if isinstance(value, list):
        return [*value[:-1], off(value[-1])] if value else [1]
    if isinstance(value, str):
        try:
            return str(Fraction(value) + Fraction(1, 97))
        except ValueError:
            return value + "?"
    return not value if isinstance(value, bool) else value + (1 if isinstance(value, int) else 0.001)
