"""The sampler of an engine: vLLM V1's steps in plain numpy beside it, what must hold of any row, its vectors, and bad input."""

import json
import math
import re
import shutil
import subprocess
import sys
import threading

import numpy
import pytest

import vaa
from conftest import GOLDEN, ROOT, need, pkg_config

ROWS, VOCABULARY = 10_000, 61
TINY = 1e-12


def random_rows(rows, seed):
    """Logits on a grid of 1/4, so that most rows have ties at every boundary, and parameters of which each is off now and then."""
    r = numpy.random.default_rng(seed)
    on = lambda share: r.random(rows) < share
    params = {
        "temperature": r.choice([0.0, 0.005, 0.3, 0.6, 1.0, 1.7], rows), "top_k": numpy.where(on(0.7), r.integers(1, VOCABULARY + 9, rows), 0),
        "top_p": numpy.where(on(0.7), r.uniform(0.01, 1, rows), 1.0), "min_p": numpy.where(on(0.4), r.uniform(0, 0.3, rows), 0.0),
        "repetition_penalty": numpy.where(on(0.5), r.uniform(0.6, 2, rows), 1.0), "frequency_penalty": numpy.where(on(0.5), r.uniform(-1, 1, rows), 0.0),
        "presence_penalty": numpy.where(on(0.5), r.uniform(-1, 1, rows), 0.0),
    }
    logits = (r.normal(0, 2, (rows, VOCABULARY)) * 4).round() / 4
    logits[on(0.1)] = 0.5  # all the same
    said = [[r.integers(0, VOCABULARY, r.integers(0, 6)) for _ in range(rows)] for _ in range(2)]
    return logits.astype(numpy.float32), params, said[0], said[1], r.exponential(1, (rows, VOCABULARY))


def vllm_v1(logits, params, prompt, output, noise):
    """Kept tokens, law, and the token that the race picks, row by row, in float64 and with a sort, as the contract has them. Also how near a mass came to its boundary."""
    z = logits.astype(numpy.float64)
    kept, laws, picked, nearest = [], [], [], math.inf
    for row, first, second, e, *values in zip(z, prompt, output, noise, *params.values()):
        p = dict(zip(params, values))
        seen = numpy.zeros(VOCABULARY, bool)
        seen[numpy.concatenate([first, second])] = True
        count = numpy.bincount(second, minlength=VOCABULARY)
        row = numpy.where(seen, numpy.where(row > 0, row / p["repetition_penalty"], row * p["repetition_penalty"]), row)
        row = row - p["frequency_penalty"] * count
        row = row - p["presence_penalty"] * (count > 0)
        greedy = int(numpy.argmax(row))
        if p["temperature"] == 0:
            kept.append([greedy])
            laws.append(numpy.eye(VOCABULARY)[greedy])
            picked.append(greedy)
            continue
        row = row / max(p["temperature"], 0.01)
        weights = numpy.exp(row - row.max())
        row = numpy.where(weights < p["min_p"] * weights.max(), -numpy.inf, row)
        if 0 < p["top_k"] < VOCABULARY:
            row = numpy.where(row < numpy.sort(row)[-int(p["top_k"])], -numpy.inf, row)
        if p["top_p"] < 1:
            upwards = numpy.argsort(row, kind="stable")
            weights = numpy.exp(row[upwards] - row.max())
            mass = numpy.cumsum(weights) / weights.sum()
            nearest = min(nearest, numpy.abs(mass - (1 - p["top_p"])).min())
            drop = mass <= 1 - p["top_p"]
            drop[-1] = False
            row[upwards[drop]] = -numpy.inf
        law = numpy.exp(row - row.max())
        law /= law.sum()
        kept.append(numpy.flatnonzero(row > -numpy.inf).tolist())
        laws.append(law)
        picked.append(int(numpy.argmax(law / e)))
    return kept, numpy.array(laws), picked, nearest


def test_ten_thousand_rows_are_those_of_vllm_v1_step_by_step():
    logits, params, prompt, output, noise = random_rows(ROWS, 1)
    kept, laws, picked, nearest = vllm_v1(logits, params, prompt, output, noise)
    assert nearest > TINY  # no boundary is so near that the order of sums could decide
    sampler = vaa.Sampler("vllm_v1", threads=2)
    said = {"prompt": prompt, "output": output, "params": params}
    assert [ids.tolist() for ids in sampler.kept(logits, **said)] == kept
    numpy.testing.assert_allclose(sampler.probs(logits, **said), laws, rtol=1e-12, atol=1e-300)
    assert sampler.draw(logits, noise, **said).tolist() == picked
    assert sum(len(ids) != len(set(logits[r][ids])) for r, ids in enumerate(kept)) > ROWS / 3  # ties were there


@pytest.fixture(scope="module")
def rows():
    return random_rows(400, 2)


ENGINES = [name for name in vaa.engines() if name != "vllm_ascend"]  # whose operator is unknown


def allowed(engine, params):
    """Of the parameters those that the engine has, without what it refuses or nobody knows."""
    rules = vaa.Engine(engine).rules
    params = {name: value for name, value in params.items() if not name.endswith("penalty")}
    if rules["zero_temperature"] == "refused":
        params["temperature"] = numpy.maximum(params["temperature"], 0.005)
    return params


@pytest.mark.parametrize("engine", ENGINES)
def test_every_law_sums_to_1_over_the_kept_tokens(engine, rows):
    logits, params, _, _, _ = rows
    sampler, params = vaa.Sampler(engine), allowed(engine, params)
    law = sampler.probs(logits, params=params)
    numpy.testing.assert_allclose(law.sum(1), 1, rtol=1e-14)
    for row, ids in zip(law, sampler.kept(logits, params=params)):
        assert numpy.flatnonzero(row).tolist() == [i for i in ids if row[i] > 0] and len(ids) >= 1


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_are_independent_and_threads_change_no_bit(engine, rows):
    logits, params, _, _, _ = rows
    params = allowed(engine, params)
    law = vaa.Sampler(engine).probs(logits, params=params)
    for threads in (2, 3, 7):
        assert vaa.Sampler(engine, threads=threads).probs(logits, params=params).tobytes() == law.tobytes()
    one = vaa.Sampler(engine)
    for r in reversed(range(0, 400, 9)):
        assert one.probs(logits[r], params={name: value[r] for name, value in params.items()}).tobytes() == law[r].tobytes()


@pytest.mark.parametrize("engine", ENGINES)
def test_kept_sets_grow_with_k_and_with_p(engine, rows):
    logits = rows[0]
    sampler = vaa.Sampler(engine)
    for name, steps in (("top_k", [1, 2, 5, 17, 60, 61]), ("top_p", [1e-9, 0.1, 0.5, 0.9, 0.999, 1.0])):
        before = [set()] * len(logits)
        for value in steps:
            now = [set(ids.tolist()) for ids in sampler.kept(logits, params={name: value})]
            assert all(small <= large for small, large in zip(before, now)), (name, value)
            before = now
        assert all(len(ids) == VOCABULARY for ids in before)


@pytest.mark.parametrize("engine", ENGINES)
def test_another_order_of_ids_gives_the_same_law_where_nothing_ties(engine):
    r = numpy.random.default_rng(3)
    logits = r.normal(0, 2, (200, VOCABULARY)).astype(numpy.float32)
    order = r.permutation(VOCABULARY)
    params = {"top_k": 20, "top_p": 0.8, "min_p": 0.01}
    sampler = vaa.Sampler(engine)
    numpy.testing.assert_allclose(sampler.probs(logits[:, order], params=params), sampler.probs(logits, params=params)[:, order], rtol=1e-13)


@pytest.mark.parametrize("engine", [name for name in ENGINES if not name.startswith("vllm")])
def test_a_temperature_towards_0_leaves_the_argmax(engine):
    logits = numpy.random.default_rng(4).permutation(VOCABULARY).astype(numpy.float32)
    law = vaa.Sampler(engine, temperature=1e-9).probs(logits)
    assert law[logits.argmax()] == 1 and law.sum() == 1
    assert vaa.Engine("vllm_v1").temperature(1e-9) == (False, 0.01)


def test_a_large_row_has_the_law_of_a_sort():
    """Beyond 2,048 tokens top-p adds up buckets first: every tie rule, on a row with ties and on one without."""
    r = numpy.random.default_rng(5)
    for quantum, p in ((0, 0.3), (0, 0.97), (0.25, 0.5), (0.25, 0.9), (4, 0.7), (0, 0.999999)):
        z = r.normal(0, 2, 50_000)
        z = (z if quantum == 0 else (z / quantum).round() * quantum).astype(numpy.float32)
        weights = numpy.exp(z.astype(float) - float(z.max()))
        for ties, key in (("lower_ids", numpy.arange(len(z))), ("higher_ids", -numpy.arange(len(z))), ("all", None)):
            engine = vaa.Engine("vllm_v1", top_p_ties=ties)
            if key is None:
                levels, place, size = numpy.unique(-weights, return_inverse=True, return_counts=True)
                before = numpy.concatenate([[0], numpy.cumsum(-levels * size)[:-1]])
                want = numpy.flatnonzero((before < p * weights.sum())[place])
            else:
                order = numpy.lexsort((key, -weights))
                before = numpy.concatenate([[0], numpy.cumsum(weights[order])[:-1]])
                want = numpy.sort(order[before < p * weights.sum()])
            assert vaa.Sampler(engine, top_p=p).kept(z)[0].tolist() == want.tolist(), (quantum, p, ties)


def test_fp32_keeps_what_float32_steps_keep():
    """Temperature, top-k and top-p in numpy's float32: the sets are the same but where a mass is within a few float32 steps of its boundary, whose order of sums is the device's own."""
    r = numpy.random.default_rng(9)
    logits = ((r.normal(0, 2, (3000, VOCABULARY)) * 8).round() / 8).astype(numpy.float32)
    k, p, t = r.integers(1, VOCABULARY, 3000), r.uniform(0.05, 0.99, 3000), r.uniform(0.3, 1.5, 3000)
    got = vaa.Sampler("vllm_v1", rounding="fp32").kept(logits, params={"top_k": k, "top_p": p, "temperature": t})
    near = 0
    for row, ids, k1, p1, t1 in zip(logits, got, k, p, t):
        z = row / numpy.float32(t1)
        z = numpy.where(z < numpy.sort(z)[-k1], numpy.float32(-numpy.inf), z)
        upwards = numpy.argsort(z, kind="stable")
        weights = numpy.exp(z[upwards] - z.max())
        mass = numpy.cumsum(weights / weights.sum(), dtype=numpy.float32)
        drop = mass <= numpy.float32(1 - numpy.float32(p1))
        drop[-1] = False
        z[upwards[drop]] = -numpy.inf
        if ids.tolist() != numpy.flatnonzero(z > -numpy.inf).tolist():
            assert numpy.abs(mass - (1 - p1)).min() < 1e-6
            near += 1
    assert near < 3


@pytest.mark.parametrize("rounding", ["fp32", "bf16"])
def test_rounded_numbers_are_those_that_the_engine_can_hold(rounding, rows):
    logits = rows[0]
    exact, rounded = (vaa.Sampler("vllm_v1", temperature=0.6, rounding=how).probs(logits) for how in ("exact", rounding))
    kept = rounded.astype(numpy.float32)
    assert (kept == rounded).all()
    if rounding == "bf16":
        assert (kept.view(numpy.uint32) & 0xFFFF == 0).all()
    else:
        numpy.testing.assert_allclose(rounded, exact, rtol=2e-6)  # logits of up to 15 are within 2^-21 after the division


def test_raw_and_processed_logprobs_and_ranks():
    logits = numpy.log(numpy.array([0.5, 0.25, 0.125, 0.125], numpy.float32))
    sampler = vaa.Sampler("vllm_v1", temperature=0.5, top_k=2)
    got = {mode: [x.tolist()[0] for x in sampler.logprobs(logits, 1, mode)] for mode in ("raw_logprobs", "raw_logits", "processed_logprobs", "processed_logits")}
    assert got["raw_logprobs"] == [pytest.approx(math.log(0.25), abs=1e-7), 2] and got["raw_logits"] == [float(logits[1]), 2]
    assert got["processed_logprobs"] == [pytest.approx(math.log(1 / 5), abs=1e-7), 2] and got["processed_logits"] == [2 * float(logits[1]), 2]
    values, ranks = sampler.logprobs([logits] * 2, [2, 3], "processed_logprobs")
    assert values.tolist() == [-math.inf] * 2 and ranks.tolist() == [3, 3]
    assert sampler.logprobs([logits] * 2, [2, 3]).ranks.tolist() == [3, 3]  # equals share a rank


def test_processed_logprobs_of_a_greedy_row_are_those_of_the_engine():
    row = [1.0, 3.0, 2.0]
    softmax = [z - math.log(sum(map(math.exp, row))) for z in row]
    assert vaa.Sampler("vllm_v1", temperature=0, top_k=1).logprobs([row] * 3, [0, 1, 2], "processed_logprobs").values == pytest.approx(softmax)
    assert vaa.Sampler("llama_cpp", temperature=0).logprobs([row] * 2, [0, 1], "processed_logprobs").values.tolist() == [-math.inf, 0]
    with pytest.raises(vaa.Error, match="engine sglang: greedy_logprobs is unknown"):
        vaa.Sampler("sglang", temperature=0).logprobs(row, 0, "processed_logprobs")


def test_masks_biases_and_bad_words():
    row = [0.0, 1.0, 2.0, 3.0]
    sampler = vaa.Sampler("vllm_v1", logit_bias={0: 5}, allowed_ids=[0, 2, 3], bad_words=[[1, 3], [2]], stop_ids=[0], min_tokens=2)
    assert sampler.kept(row)[0].tolist() == [3]
    assert sampler.kept(row, output=[1, 2])[0].tolist() == [0, 3]
    assert sampler.kept(row, output=[2, 1])[0].tolist() == [0]
    assert sampler.kept(row, prompt=[1], output=[])[0].tolist() == [3]  # vLLM looks at the output alone
    assert sampler.probs(row, output=[1, 2])[0] == pytest.approx(1 / (1 + math.exp(3 - 5)))
    with pytest.raises(vaa.Error, match="row 0: .*leaves no token"):
        sampler.kept(row, output=[1])


def test_an_inverse_cdf_walks_by_probability():
    law = [0.125, 0.5, 0.25, 0.125]
    sampler = vaa.Sampler("llama_cpp", input="probs")
    assert sampler.draw([law] * 6, [0, 0.4999, 0.5, 0.75, 0.875, 1 - 2**-53]).tolist() == [1, 1, 2, 0, 3, 3]


def test_gumbel_noise_adds_to_processed_logits():
    noise = numpy.random.default_rng(6).gumbel(size=(500, 4))
    row = numpy.array([0.0, 1.0, 1.0, 2.0])
    assert vaa.Sampler("vllm_v2", temperature=0.5).draw([row] * 500, noise).tolist() == (2 * row + noise).argmax(1).tolist()
    assert set(vaa.Sampler("vllm_v2", top_k=1).draw([row] * 500, noise).tolist()) == {3}


V = [1.0, 2.0, 3.0]


@pytest.mark.parametrize("make, words", [
    (lambda: vaa.Sampler("vllm_v3"), "\"vllm_v3\" is not known; did you mean"),
    (lambda: vaa.Sampler("nothing"), "known: hf, llama_cpp, sglang, sglang_torch, vllm_ascend, vllm_ascend_torch, vllm_v1, vllm_v2"),
    (lambda: vaa.Engine("vllm_v1", top_k_ties="some"), "top_k_ties"),
    (lambda: vaa.Engine(order=["top_q"]), "order\\[0\\]: \"top_q\" is no stage; known: allowed_ids"),
    (lambda: vaa.Engine(order=["top_k", "top_k"]), "stands there twice"),
    (lambda: vaa.Sampler(vaa.Engine(order=["top_k", "penalties"])), "stage penalties stands behind top_k"),
    (lambda: vaa.Sampler("vllm_v1", temperature=-0.1), "temperature: is -0.1, must be at least 0"),
    (lambda: vaa.Sampler("vllm_v1", temperature=1e31), "temperature: is 1e\\+31, must be at least 0 and finite"),
    (lambda: vaa.Sampler("vllm_v1", top_p=0), "top_p: is 0, must be above 0 and at most 1"),
    (lambda: vaa.Sampler("vllm_v1", top_p=1.01), "top_p: is 1.01"),
    (lambda: vaa.Sampler("vllm_v1", top_k=-2), "top_k: is -2"),
    (lambda: vaa.Sampler("vllm_v1", top_k=2.5), "top_k: is 2.5, must be a whole number"),
    (lambda: vaa.Sampler("vllm_v1", min_p=1.5), "min_p: is 1.5"),
    (lambda: vaa.Sampler("vllm_v1", typical_p=0.5), "engine vllm_v1 has no stage typical_p"),
    (lambda: vaa.Sampler("hf", frequency_penalty=0.5).probs(V, output=[1]), "engine hf has none"),
    (lambda: vaa.Sampler("vllm_v1", repetition_penalty=0), "repetition_penalty: is 0"),
    (lambda: vaa.Sampler("vllm_v1", bad_words=[[]]), "bad_words\\[0\\]: is empty"),
    (lambda: vaa.Sampler("vllm_v1", allowed_ids=[]), "allowed_ids: is empty"),
    (lambda: vaa.Sampler("vllm_v1", allowed_ids=[-1]), "allowed_ids\\[0\\]"),
    (lambda: vaa.Sampler("vllm_v1", allowed_ids=[3]).probs(V), "row 0: allowed_ids: id 3 is outside the vocabulary of 3"),
    (lambda: vaa.Sampler("vllm_v1", threads=0), "threads"),
    (lambda: vaa.Sampler("vllm_v1", top_K=1), "top_K"),
    (lambda: vaa.Sampler("vllm_v1").probs([V, [1, math.nan, 0]]), "row 1: logit of id 1 is NaN"),
    (lambda: vaa.Sampler("vllm_v1").probs([1, math.inf, 0]), "row 0: logit of id 1 is "),
    (lambda: vaa.Sampler("vllm_v1").probs([-math.inf] * 3), "row 0: every logit is -infinity"),
    (lambda: vaa.Sampler("vllm_v1", input="probs").probs([0.5, 0.4]), "add up to 0.9"),
    (lambda: vaa.Sampler("vllm_v1", input="probs").probs([1.5, -0.5]), "probability of id 1 is -0.5"),
    (lambda: vaa.Sampler("vllm_v1").probs(V, params={"temperature": -1}), "row 0: temperature: is -1"),
    (lambda: vaa.Sampler("vllm_v1").probs([V, V], params={"top_p": [1, 0]}), "row 1: top_p: is 0"),
    (lambda: vaa.Sampler("vllm_v1").probs(V, output=[3]), "history\\[0\\]: id 3 is outside the vocabulary of 3"),
    (lambda: vaa.Sampler("vllm_v1").probs(V, prompt=[-1]), "history\\[0\\]: id -1"),
    (lambda: vaa.Sampler("vllm_v1").draw(V, [1, 1]), "noise: has 1 rows of 2, must have 1 of 3"),
    (lambda: vaa.Sampler("vllm_v1").draw(V, [1, -1, 1]), "row 0: noise\\[1\\]: is -1, must be at least 0"),
    (lambda: vaa.Sampler("vllm_v2").draw(V, [1, math.nan, 1]), "row 0: noise\\[1\\]: is NaN, must be finite"),
    (lambda: vaa.Sampler("llama_cpp").draw(V, [1.0]), "row 0: noise\\[0\\]: is 1, must be at least 0 and below 1"),
    (lambda: vaa.Sampler("vllm_v1").logprobs(V, 3), "row 0: token 3 is outside the vocabulary of 3"),
    (lambda: vaa.Sampler("vllm_v1").logprobs([V, V], 1), "tokens: has 1 ids"),
    (lambda: vaa.Sampler("hf", temperature=0).probs(V), "temperature: is 0, which engine hf refuses"),
])
def test_bad_input_is_refused_by_name(make, words):
    with pytest.raises(vaa.Error, match=words):
        make()


@pytest.mark.parametrize("make, rule", [
    (lambda: vaa.Sampler("vllm_ascend", top_k=2).probs([2, 1, 1, 0]), "top_k_ties"),
    (lambda: vaa.Sampler("vllm_ascend", top_k=2, top_p=0.5).probs(V), "top_k_top_p"),
    (lambda: vaa.Sampler("vllm_ascend", top_k=2, top_p=0.5, min_p=0.1).probs(V), "top_k_top_p_with_min_p"),
    (lambda: vaa.Sampler("sglang", repetition_penalty=1.1).probs(V, output=[1]), "repetition_arithmetic"),
    (lambda: vaa.Sampler("sglang").draw(V, V), "draw"),
    (lambda: vaa.Sampler(vaa.Engine(order=["top_p"]), top_p=0.5).probs(V), "top_p_boundary"),
    (lambda: vaa.Sampler(vaa.Engine(order=["temperature"]), temperature=0).probs(V), "zero_temperature"),
    (lambda: vaa.Sampler(vaa.Engine("vllm_v1", bad_words_scope="unknown"), bad_words=[[1, 2]]).probs(V, output=[1]), "bad_words_scope"),
])
def test_what_nobody_has_established_is_refused_with_how_to_measure_it(make, rule):
    with pytest.raises(vaa.Error, match=f": {rule} is unknown, and .*: (run|send|read|replay|ask|give) .*; then give the engine ") as fault:
        make()
    assert fault.value.name == "VAA_ERROR_UNSUPPORTED" or "UNSUPPORTED" in fault.value.name


def test_what_an_unknown_rule_does_not_touch_is_answered():
    assert vaa.Sampler("vllm_ascend", top_k=2).kept(V)[0].tolist() == [1, 2]  # nothing ties
    assert vaa.Sampler(vaa.Engine("vllm_ascend", top_k_ties="exact", top_k_top_p="joint"), top_k=2, top_p=0.9).kept([2, 1, 1, 0])[0].tolist() == [0, 1]


@pytest.mark.parametrize("params", [{"top_k": 4}, {"top_k": 0}, {"top_k": -1}, {"top_k": 2**31 - 1}, {"top_p": 1}, {}])
def test_what_is_off_keeps_all(params):
    assert vaa.Sampler("vllm_v1", **params).kept(V)[0].tolist() == [0, 1, 2]


def test_no_rows_and_no_history():
    sampler = vaa.Sampler("vllm_v1", repetition_penalty=2)
    assert sampler.probs(numpy.empty((0, 5), numpy.float32)).shape == (0, 5) and sampler.kept(numpy.empty((0, 5), numpy.float32)) == []
    assert sampler.probs(V).tolist() == sampler.probs(V, prompt=[], output=[]).tolist() == vaa.Sampler("vllm_v1").probs(V).tolist()


def test_a_failure_leaves_the_sampler_as_it_was():
    sampler = vaa.Sampler("vllm_v1", repetition_penalty=2.0, frequency_penalty=1.0)
    before = sampler.probs(V, output=[1, 1])
    for bad in ([1, math.nan, 2], [-math.inf] * 3):
        with pytest.raises(vaa.Error):
            sampler.probs(bad, output=[0, 2])
    assert (sampler.probs(V, output=[1, 1]) == before).all()


def test_an_engine_is_what_its_json_says():
    for name in vaa.engines():
        rules = vaa.Engine(name).rules
        assert rules["name"] == name
        assert vaa.Engine(**rules).rules == rules


def test_several_threads_may_call_one_sampler():
    logits, params, _, _, _ = random_rows(50, 8)
    sampler, got = vaa.Sampler("vllm_v1"), []
    want = sampler.probs(logits, params=params)
    workers = [threading.Thread(target=lambda: got.append((sampler.probs(logits, params=params) == want).all())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert got == [True] * 4


def test_the_table_of_the_documentation_is_the_data():
    lines = (ROOT / "docs" / "sampler.md").read_text(encoding="utf-8").split("\n")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    head = next(i for i, row in enumerate(cells) if row[1:] == vaa.engines())
    rules = {name: vaa.Engine(name).rules for name in vaa.engines()}
    names = [name for name in rules["hf"] if name not in ("name", "title", "note")]
    shown = lambda value: " → ".join(value) if isinstance(value, list) else str(value)
    assert cells[head + 1:head + 1 + len(names)] == [[rule, *(shown(rules[engine][rule]) for engine in rules)] for rule in names]


def test_the_example_of_the_documentation_runs():
    block = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "sampler.md").read_text(encoding="utf-8"), re.S).group(1)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True)
    assert done.returncode == 0 and "top_k_ties is unknown" in done.stdout, done.stderr


def test_the_c_example_builds_and_shows_two_engines(tmp_path):
    program = tmp_path / "sampler"
    flags = pkg_config("--cflags", "--libs", "vaa")
    subprocess.run([need(shutil.which("cc"), "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples" / "sampler.c", *flags, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True)
    # 0.4 / 2 against 0.3 / 0.5: by hand.
    assert (done.returncode, done.stdout) == (0, "vllm_v1 keeps 0, picks 0\nvllm_ascend_torch keeps 0 1, picks 1\n")


def test_vectors():
    """The sampler's kinds are all known and pass."""
    path = GOLDEN / "vectors" / "sampling.json"
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(path)], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and ", 0 failed, " in lines[0], done.stdout
    # S10, S13 and S14 are of generators: transforms at endpoints, and draws a step.
    ours = [v for v in json.loads(path.read_text())["vectors"] if v["id"].startswith("S") and v["id"] not in ("S10", "S13", "S14")]
    assert int(lines[0].split()[0]) >= len(ours) == 11
    assert not any(v["kind"] in line for v in ours for line in lines), done.stdout


@pytest.mark.parametrize("kind, field", [("penalties", "vllm"), ("top_k_ties", "threshold"), ("top_k_then_top_p", "joint"), ("temperature_resolution", "sglang"), ("race", "tokens")])
def test_a_changed_vector_fails(tmp_path, kind, field):
    document = json.loads((GOLDEN / "vectors" / "sampling.json").read_text())
    vector = next(v for v in document["vectors"] if v["kind"] == kind)
    vector["expect"][field] = vector["expect"][field][:-1] + [7]
    (tmp_path / "changed.json").write_text(json.dumps({"vectors": [vector]}))
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(tmp_path / "changed.json")], capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout.endswith("0 passed, 1 failed, 0 unknown\n")
