"""Replays: margins worked by hand, engines of tests/calibration/replay_engines.py sound and with planted faults, lists of logprobs, bad input."""

import math
import re
import shutil
import subprocess
import sys

import numpy
import pytest

import vaa
from conftest import ROOT, need, pkg_config

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
import replay_engines as engines  # noqa: E402
import replay_simulation as simulation  # noqa: E402

SAME, WITHIN, DEPARTED, UNKNOWN = range(4)
Z = [2.0, 1.0, 0.5, -1.0]


def one(engine, logits, token, noise=None, prompt=(), **options):
    """What becomes of one row, as a dict of numbers."""
    replay = vaa.Replay(engine, **options)
    replay.begin(prompt)
    return {name: float(values[0]) for name, values in replay.push([logits], [token], None if noise is None else [noise])._asdict().items()}


def test_a_greedy_margin_is_the_gap_of_the_logits_behind_the_penalties():
    row = one("vllm_v1", Z, 1, temperature=0)
    assert (row["state"], row["token"], row["rank"], row["margin"], row["difr"]) == (DEPARTED, 0, 2, 1.0, 1.0)
    row = one("vllm_v1", Z, 1, temperature=0, prompt=[0], repetition_penalty=4.0)  # 2 / 4
    assert (row["state"], row["token"], row["rank"]) == (SAME, 1, 1)
    row = one("vllm_v1", Z, 2, temperature=0, prompt=[0], repetition_penalty=4.0)
    assert (row["state"], row["margin"], row["rank"]) == (DEPARTED, 0.5, 2)


def test_a_race_has_the_margin_of_log_p_less_log_e():
    e = [0.9, 0.25, 1.7, 0.4]
    row = one("vllm_v1", [3.0, 2.2, 1.0, 0.5], 0, noise=e, temperature=0.7)
    want = (2.2 - 3.0) / 0.7 - math.log(0.25) + math.log(0.9)
    assert row["token"] == 1 and row["state"] == DEPARTED and row["rank"] == 2
    assert row["margin"] == pytest.approx(want, rel=1e-6) and row["difr"] == pytest.approx(0.7 * want, rel=1e-6)
    assert 0 < row["band"] < 1e-5


def test_gumbel_noise_gives_the_same_margin_as_its_race():
    e = numpy.array([0.9, 0.25, 1.7, 0.4])
    race, gumbel = one("vllm_v1", Z, 2, noise=e, temperature=0.7), one("vllm_v2", Z, 2, noise=-numpy.log(e), temperature=0.7)
    assert gumbel["margin"] == pytest.approx(race["margin"], rel=1e-12) and gumbel["rank"] == race["rank"]


def test_a_token_that_was_taken_away_has_an_infinite_margin():
    row = one("vllm_v1", Z, 3, noise=[1, 1, 1, 1], top_k=2)
    assert (row["state"], row["rank"], row["margin"], row["difr"]) == (DEPARTED, 0, math.inf, math.inf)


def test_an_inverse_cdf_has_the_distance_in_u():
    law = [0.5, 0.25, 0.1875, 0.0625]
    row = one("llama_cpp", law, 2, noise=[0.6], input="probs", top_k=0)
    assert (row["token"], row["state"], row["rank"]) == (1, DEPARTED, 2)
    assert row["margin"] == pytest.approx(0.15) and math.isnan(row["difr"])  # u = 0.6, the stretch of token 2 begins at 0.75
    near = one("llama_cpp", law, 2, noise=[0.75 - 1e-8], input="probs", top_k=0)
    assert near["state"] == WITHIN and near["margin"] == pytest.approx(1e-8) and near["band"] > 1e-8
    assert one("llama_cpp", law, 2, noise=[0.8], input="probs", top_k=0)["state"] == SAME


def test_rounding_accounts_for_what_lies_within_it():
    close = [1.0, 1.0 + 2**-20, 0.0]
    assert one("vllm_v1", close, 0, temperature=0)["state"] == DEPARTED  # the logits are the engine's own, and nothing is computed of them
    assert one("vllm_v1", close, 0, temperature=0, logits_precision="bf16")["state"] == WITHIN
    assert one("vllm_v1", close, 0, temperature=0, tolerance=1e-5)["state"] == WITHIN
    assert one("vllm_v1", close, 2, temperature=0, logits_precision="bf16")["state"] == DEPARTED
    # A token just below the k-th, and one just behind the boundary of top-p.
    assert one("vllm_v1", [2.0, 1.0, 1.0 - 2**-20], 2, noise=[9, 9, 1e-3], top_k=2, logits_precision="bf16")["state"] == WITHIN
    assert one("vllm_v1", [2.0, 1.0, 1.0 - 2**-20], 2, noise=[9, 9, 1e-3], top_k=2)["state"] == DEPARTED
    p = numpy.log([0.5, 0.3, 0.2]).astype(numpy.float32)
    assert one("vllm_v1", p, 2, noise=[9, 9, 1e-3], top_p=0.8 - 1e-9)["state"] == WITHIN
    assert one("vllm_v1", p, 2, noise=[9, 9, 1e-3], top_p=0.79)["state"] == DEPARTED


def test_the_noise_of_a_generator_has_its_band():
    rng = vaa.Rng("torch_cuda", 7)
    e, band = rng.exponential(4)
    loser = int(numpy.argmin(numpy.array(Z) - numpy.log(e.astype(float))))
    row = one("vllm_v1", Z, loser, generator="torch_cuda", seed=7, precision="exact")
    token = int(row["token"])
    want = float(-numpy.log1p(-band[loser].astype(float) / e[loser]) - numpy.log1p(-band[token].astype(float) / e[token]))
    assert row["band"] == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("seed", [42, "0x2a", -1, 2**63, 2**64 - 1])
def test_seeds_are_exact_and_a_sequence_may_have_its_own(seed):
    logits = engines.made_logits(30, 5)
    number = int(seed, 0) if isinstance(seed, str) else seed % 2**64
    tokens = engines.run(logits, {"temperature": 1.0, "top_k": 0}, number, [], engines.Fault())
    at_once = vaa.Replay("vllm_v1", generator="torch_cpu", seed=seed)
    later = vaa.Replay("vllm_v1", generator="torch_cpu")
    later.begin(seed=seed)
    for replay in (at_once, later):
        assert (replay.push(logits, tokens).state == SAME).all()
    later.begin(seed=number + 1 if number + 1 < 2**64 else 0)
    assert (later.push(logits, tokens).state != SAME).any()


@pytest.mark.parametrize("fault, rows, names", [
    ("seed_wrong", 50, {"not aligned"}), ("seed_at_every_step", 50, {"first_noise"}), ("stream_one_ahead", 50, {"offset+1"}), ("top_k_one_more", 800, {"top_k_one_more"}),
    ("top_p_unsorted", 400, {"departures", "filters_lost"}), ("min_p_before_temperature", 400, {"min_p_moved"}), ("penalties_lost", 400, {"output_not_penalised"}), ("penalties_twice", 400, {"penalties_twice"}),
    ("prompt_not_penalised", 400, {"prompt_not_penalised"}), ("temperature_ignored", 200, {"temperature_ignored"}), ("temperature_twice", 400, {"temperature_twice"}),
    ("top_k_of_each_tp_rank", 200, {"departures", "filters_lost", "top_k_one_more"}), ("greedy_on_raw_logits", 200, {"raw_argmax"}), ("ties_to_the_last", 800, {"ties"}),
    ("noise_of_1_minus_u", 50, {"noise_complement"}), ("race_multiplies", 50, {"noise_inverted"}), ("logits_of_the_row_before", 50, {"not aligned"}), ("noise_by_rank", 50, {"not aligned"}),
])
def test_planted_faults_are_seen_and_named(fault, rows, names):
    planted = next(f for f in engines.FAULTS if f.name == fault)
    first, at_end, report = simulation.replayed(planted, engines.settings(planted), {}, rows, 11, simulation.LOOKS)
    assert first is not None and at_end in names, report.to_text()


@pytest.mark.parametrize("name", engines.SOUND)
def test_sound_engines_are_not_accused(name):
    fault, options = engines.SOUND[name]
    _, at_end, report = simulation.replayed(fault, engines.settings(fault, name), options, 650, 12, simulation.LOOKS)
    counts = report.to_dict()["replay"]
    assert at_end == "" and counts["departed"] == counts["illegal"] == 0 and report.verdict == "pass", report.to_text()


def test_the_streams_come_first_and_offsets_are_named():
    planted = next(f for f in engines.FAULTS if f.name == "stream_one_ahead")
    _, _, report = simulation.replayed(planted, engines.settings(planted), {}, 60, 3, ())
    assert (report.verdict, report.exit_code) == ("not_checked", 2)
    assert report.to_dict()["replay"]["streams"]["shift"] == 1
    text = report.to_text()
    assert "streams not aligned: aligned at offset +1" in text.splitlines()[0] and text.index("Are the streams aligned") < text.index("Rows")
    assert "在偏移 +1 处对齐" in report.to_text(lang="zh")


def test_every_generator_that_an_engine_may_draw_with_replays_itself():
    logits = engines.made_logits(40, 9)
    for engine, generator, options in (("vllm_v1", "torch_cuda", {}), ("vllm_v1", "npu_sim78", {}), ("hf", "torch_cpu_mkl", {}), ("vllm_v2", "vllm_v2", {"triton": "old"}),
                                       ("vllm_v2", "vllm_v2", {"variant": "vllm_ascend"}), ("llama_cpp", "llama_cpp", {}), ("vllm_v1", "torch_cuda", {"noise_type": "float64"})):
        rng_options = {k: v for k, v in options.items() if k != "noise_type"}
        rng, sampler = vaa.Rng(generator, 5, **rng_options), vaa.Sampler(engine, temperature=0.8)
        tokens = []
        for step, row in enumerate(logits):
            if generator == "vllm_v2":
                noise = rng.gumbel_row(2 + step, engines.VOCABULARY).values  # the position of the last id before the token
            elif generator == "llama_cpp":
                noise = rng.uniform(1, "float64")
            else:
                noise = rng.exponential(engines.VOCABULARY, options.get("noise_type", "float32")).values
            tokens.append(int(sampler.draw(row, noise)[0]))
        replay = vaa.Replay(engine, generator=generator, seed=5, temperature=0.8, **options)
        replay.begin([1, 2, 3])
        assert (replay.push(logits, tokens).state == SAME).all(), (engine, generator)


def llama_cpp(logits, seed, temperature):
    """llama.cpp's default chain in float32: top-k 40, top-p 0.95, min-p 0.05, temperature last, and a walk over the sorted candidates; its MT19937 is numpy's, the low word first."""
    source, tokens = numpy.random.RandomState(seed), []
    for z in logits:
        order = numpy.argsort(-z, kind="stable")[:40]
        law = numpy.exp(z[order] - z[order[0]])
        mass = numpy.cumsum(law / law.sum(dtype=numpy.float32), dtype=numpy.float32)
        order = order[:int(numpy.argmax(mass >= numpy.float32(0.95))) + 1]
        order = order[z[order] >= z[order[0]] + numpy.log(numpy.float32(0.05))]
        if len(order) > 1:  # one candidate draws nothing
            weights = numpy.exp((z[order] - z[order[0]]) / numpy.float32(temperature)).astype(float)
            low, high = source.randint(0, 2**32, 2, dtype=numpy.uint32).astype(float)
            order = order[numpy.argmax(numpy.cumsum(weights) >= (low + high * 2.0**32) * 2.0**-64 * weights.sum()):]
        tokens.append(int(order[0]))
    return tokens


def test_an_inverse_cdf_of_another_program_is_replayed_and_its_fault_named():
    logits = engines.made_logits(700, 3)
    for temperature, verdict, cause in ((0.6, "pass", None), (1.0, "fail", "temperature_ignored")):
        replay = vaa.Replay("llama_cpp", generator="llama_cpp", seed=9, temperature=0.6, top_k=40, top_p=0.95, min_p=0.05)
        replay.push(logits, llama_cpp(logits, 9, temperature))
        report = replay.report()
        assert (report.verdict, report.to_dict()["replay"]["cause"]) == (verdict, cause), report.to_text()


def test_another_transform_of_the_same_words_is_named():
    logits = engines.made_logits(40, 9)
    rng, sampler = vaa.Rng("vllm_v2", 5, variant="vllm_ascend"), vaa.Sampler("vllm_v2", temperature=0.8)
    tokens = [int(sampler.draw(row, rng.gumbel_row(step, engines.VOCABULARY).values)[0]) for step, row in enumerate(logits)]
    replay = vaa.Replay("vllm_v2", generator="vllm_v2", seed=5, temperature=0.8)
    replay.begin([1])
    replay.push(logits, tokens)
    assert replay.report().to_dict()["replay"]["cause"] in ("variant: vllm_ascend", "variant: float32")  # which differ in an epsilon


def listed(logits, k):
    """The k likeliest ids of each row and their raw logprobs."""
    z = logits.astype(float)
    logprobs = z - numpy.log(numpy.exp(z).sum(1, keepdims=True))
    ids = numpy.argsort(-logprobs, axis=1)[:, :k]
    return ids, numpy.take_along_axis(logprobs, ids, 1)


@pytest.mark.parametrize("params", [{"temperature": 0.0}, {"temperature": 0.7, "top_k": 20}, {"temperature": 0.7, "top_p": 0.9}, {"temperature": 0.9, "min_p": 0.05}, {"temperature": 1.0}])
def test_lists_of_logprobs_never_say_what_rows_of_logits_do_not(params):
    logits = engines.made_logits(120, 21)
    tokens = engines.run(logits, {"top_k": 0, **params}, 4, [], engines.Fault())
    wrong = [(token + 1) % engines.VOCABULARY if i % 5 == 0 else token for i, token in enumerate(tokens)]
    ids, logprobs = listed(logits, 40)
    for claimed in (tokens, wrong):
        whole = vaa.Replay("vllm_v1", generator="torch_cpu", seed=4, **params).push(logits, claimed)
        top = vaa.Replay("vllm_v1", generator="torch_cpu", seed=4, vocabulary=engines.VOCABULARY, **params).push_top(ids, logprobs, claimed)
        for a, b in zip(whole.state, top.state):
            assert b == UNKNOWN or a == b or {a, b} == {SAME, WITHIN}
        if params != {"temperature": 1.0}:
            assert (top.state != UNKNOWN).mean() > 0.95


def test_rows_without_noise_show_what_was_not_legal_alone():
    replay = vaa.Replay("vllm_v1", top_k=2)
    rows = replay.push([Z, Z, Z], [0, 1, 3])
    assert rows.state.tolist() == [UNKNOWN, UNKNOWN, DEPARTED] and numpy.isnan(rows.token).all() and rows.rank.tolist() == [1, 2, 0]


def test_what_is_pushed_at_once_or_row_by_row_is_the_same():
    logits = engines.made_logits(200, 8)
    planted = next(f for f in engines.FAULTS if f.name == "temperature_twice")
    tokens = engines.run(logits, engines.PARAMS, 8, [1], planted)
    at_once, by_rows = (vaa.Replay("vllm_v1", generator="torch_cpu", seed=8, **engines.PARAMS) for _ in range(2))
    for replay in (at_once, by_rows):
        replay.begin([1])
    at_once.push(logits, tokens)
    for row, token in zip(logits, tokens):
        by_rows.push([row], [token])
    assert at_once.report().to_json() == by_rows.report().to_json()


def test_the_report_keeps_the_rows_that_are_not_the_same():
    replay = vaa.Replay("vllm_v1", top_k=2, max_rows=2)
    replay.push([Z, Z, Z, Z], [0, 3, 1, 1], [[1, 1, 1, 1]] * 4)
    report = replay.report()
    columns = {name: report.column("rows", name).tolist() for name in ("step", "engine_token", "token", "state", "rank", "legal")}
    assert columns == {"step": [1, 2], "engine_token": [3, 1], "token": [0, 0], "state": [2, 2], "rank": [0, 2], "legal": [0, 1]}
    margins = report.column("rows", "margin")
    assert math.isnan(margins[0]) and margins[1] == 1
    counts = report.to_dict()["replay"]
    assert (counts["departed"], counts["illegal"], counts["first_departure"]) == (3, 1, {"sequence": 0, "step": 1, "position": 1})
    assert re.search(r"not legal at all +1 +25 %", report.to_text(lang="en")), report.to_text()
    assert counts["difr"]["mean"] == pytest.approx(0.375)  # 0, and three that are clipped at 0.5


def test_few_rows_are_undecided_and_say_how_many_would_do():
    replay = vaa.Replay("vllm_v1", temperature=0)
    replay.push([Z] * 20, [0] * 20)
    report = replay.report()
    assert (report.verdict, report.exit_code) == ("undecided", 3) and "598 rows would" in report.to_text()
    assert vaa.Replay("vllm_v1").report().verdict == "not_checked"


REPLAY = {"generator": "torch_cpu", "seed": 1}


@pytest.mark.parametrize("make, words", [
    (lambda: one("vllm_v1", [1, math.nan, 2], 0, **REPLAY), "row 0: logit of id 1 is NaN, must be finite"),
    (lambda: one("vllm_v1", [1, math.inf, 2], 0, **REPLAY), "row 0: logit of id 1 is \"inf\""),
    (lambda: one("vllm_v1", [-math.inf] * 3, 0, **REPLAY), "row 0: every logit is -infinity: no token is left"),
    (lambda: vaa.Replay("vllm_v1", top_p=0, **REPLAY), "top_p: is 0, must be above 0 and at most 1"),
    (lambda: vaa.Replay("vllm_v1", top_p=1.5, **REPLAY), "top_p: is 1.5, must be above 0 and at most 1"),
    (lambda: vaa.Replay("vllm_v1", temperature=-1, **REPLAY), "temperature: is -1, must be at least 0"),
    (lambda: one("vllm_v1", Z, 4, **REPLAY), "row 0: token 4 is outside the vocabulary of 4"),
    (lambda: one("vllm_v1", Z, -1, **REPLAY), "row 0: token -1 is outside the vocabulary of 4"),
    (lambda: one("vllm_v1", Z, 0, prompt=[7], **REPLAY), r"row 0: prompt\[0\]: id 7 is outside the vocabulary of 4"),
    (lambda: vaa.Replay("vllm_v1", generator="torch_cpu", seed=2**64), "seed: is \"18446744073709551616\", allowed are"),
    (lambda: vaa.Replay("vllm_v1", generator="torch_cpu", seed=-2**63 - 1), "seed: is"),
    (lambda: vaa.Replay("vllm_v9", **REPLAY), "engine: \"vllm_v9\" is not known.*known: hf, llama_cpp"),
    (lambda: vaa.Replay("vllm_v1", generator="torch_gpu", seed=1), "generator: \"torch_gpu\" is not known.*known are torch_cpu"),
    (lambda: vaa.Replay("vllm_v1", seed=1), "seed: is given without a generator"),
    (lambda: one("vllm_v1", Z, 0, generator="torch_cpu"), "seed: is not given, and generator torch_cpu begins with it"),
    (lambda: vaa.Replay("vllm_v1", generator="captured"), "captured noise comes with the rows"),
    (lambda: vaa.Replay("llama_cpp", generator="vllm_v2", seed=1), "vllm_v2 has no uniform_f64; those that do"),
    (lambda: vaa.Replay("vllm_v1", generator="llama_cpp", seed=1), "llama_cpp has no exponential_f32; those that do"),
    (lambda: one("vllm_v2", Z, 0, generator="vllm_v2", seed=1), "prompt: is empty, and generator vllm_v2 goes by the position behind it"),
    (lambda: one("vllm_v1", Z, 0, noise=[1, 1, 1]), "row 0: noise: has 3 numbers, must have 4"),
    (lambda: one("vllm_v1", Z, 0, noise=[1, -1, 1, 1]), r"row 0: noise\[1\]: is -1, must be at least 0 and finite"),
    (lambda: one("llama_cpp", Z, 0, noise=[1.0]), r"row 0: noise\[0\]: is 1, must be at least 0 and below 1"),
    (lambda: one("vllm_v1", Z, 0, noise=[1, 1, 1, 1], **REPLAY), "row 0: noise: is given beside"),
    (lambda: vaa.Replay("vllm_v1", precison="fp32"), "precison: no such option; did you mean precision"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4).push_top([[0, 1]], [[-1.0, 0.5]], [0]), r"logprobs\[1\]: is 0.5, must be at most 0"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4).push_top([[0, 1]], [[-1.0, math.nan]], [0]), r"logprobs\[1\]: is NaN, must be at most 0"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4).push_top([[0, 9]], [[-1.0, -2.0]], [0]), r"ids\[1\]: is 9, outside the vocabulary of 4"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4).push_top([[0, 0]], [[-1.0, -2.0]], [0]), "stands there twice"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4).push_top([[0, 1]], [[-0.1, -0.2]], [0]), "their probabilities add up to"),
    (lambda: vaa.Replay("vllm_v1").push_top([[0, 1]], [[-1.0, -2.0]], [0]), "vocabulary: is not given"),
    (lambda: vaa.Replay("vllm_v1", vocabulary=4, repetition_penalty=0.5).push_top([[0, 1]], [[-1.0, -2.0]], [0]), "may lift tokens that are not listed"),
    (lambda: vaa.difr_margins([1.0, 2.0], [1.0, 0.0], 1.0), r"exponentials\[1\]: is 0, must be above 0"),
    (lambda: vaa.difr_margins([1.0, math.nan], [1.0, 1.0], 1.0), r"logits\[1\]: is NaN"),
])
def test_bad_input_is_refused_by_name(make, words):
    with pytest.raises(vaa.Error, match=words):
        make()


def test_what_is_off_or_extreme_is_answered():
    assert one("vllm_v1", Z, 0, noise=[1, 1, 1, 1], top_k=9)["state"] == SAME  # k > V
    assert one("llama_cpp", Z, 0, noise=[0.5], temperature=1e-9)["state"] == SAME
    assert one("vllm_v1", Z, 0, noise=[1, 1, 1, 1], repetition_penalty=1.5)["state"] == SAME  # no history
    empty = vaa.Replay("vllm_v1").push(numpy.empty((0, 4), numpy.float32), numpy.empty(0, numpy.int32))
    assert len(empty.state) == 0


def test_a_refused_row_takes_those_before_it_and_no_more():
    replay = vaa.Replay("vllm_v1", temperature=0)
    with pytest.raises(vaa.Error, match="row 2: logit of id 0 is NaN"):
        replay.push([Z, Z, [math.nan] * 4, Z], [0, 0, 0, 0])
    assert replay.report().to_dict()["replay"]["rows"] == 2
    assert replay.push([Z], [0]).position.tolist() == [2]


def test_reports_are_of_their_schema():
    from test_schemas import validator

    planted = next(f for f in engines.FAULTS if f.name == "temperature_twice")
    schema = validator("report.schema.json")
    for report in (simulation.replayed(planted, engines.PARAMS, {}, 100, 1, ())[2], vaa.Replay("vllm_v1").report()):
        assert not list(schema.iter_errors(report.to_dict()))
        assert "# " in report.to_markdown() and report.to_text(lang="zh")


def test_the_c_example_builds_and_names_the_row_that_departs(tmp_path):
    program = tmp_path / "replay"
    flags = pkg_config("--cflags", "--libs", "vaa")
    subprocess.run([need(shutil.which("cc"), "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples" / "replay.c", *flags, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True)
    # By hand: 1 / 0.8 + log 2 against 2 / 0.8 - log 2; 1 / 0.8 - log 0.1 against 3 / 0.8; the third's token 0 is behind the two that top_k keeps.
    margins = (2 / 0.8 - math.log(2)) - (1 / 0.8 + math.log(2)), 3 / 0.8 - (1 / 0.8 - math.log(0.1))
    tokens = [0 if margins[0] > 0 else 1, 1 if margins[1] > 0 else 2]
    words = [f"row {i}: the engine's token {i + 1}, ours {token}, margin {max(margin, 0):.3f}: {'same' if token == i + 1 else 'departed'}" for i, (token, margin) in enumerate(zip(tokens, margins))]
    assert done.returncode == 1 and done.stdout.splitlines()[:3] == [*words, "row 2: the engine's token 0, ours 3, margin inf: departed"], done.stdout + done.stderr


def test_the_python_examples_run():
    import re

    block = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "replay.md").read_text(encoding="utf-8"), re.S).group(1)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "pass 0.0\n", done.stdout + done.stderr
