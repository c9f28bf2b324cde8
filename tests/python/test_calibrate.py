"""vaa sampler: a sampler whose law is known, built right and built wrong; its estimates against an independent program; bad input."""
import json
import math
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, need, pkg_config
from test_command import run
from test_docs import blocks_of, run_block
from test_schemas import validator

import vaa

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
from made_sampler import Asked, Built, record_lines  # noqa: E402


def judged(tmp_path, asked, built=Built(), seed=1, options=None, **made):
    path = tmp_path / "run.jsonl"
    made.setdefault("vocabulary", 300)
    path.write_text("\n".join(record_lines(np.random.default_rng(seed), asked, built, **made)) + "\n")
    return vaa.calibrate(path, **(options or {}))


def kinds(report):
    return {check["kind"] for group in report.to_dict()["sampler"]["groups"] for check in group["checks"] if check["status"] == "fail"}


def check_of(report, name, group=0):
    return next(check for check in report.to_dict()["sampler"]["groups"][group]["checks"] if check["name"] == name)


@pytest.mark.parametrize("asked, built", [
    (Asked(0.3), Built()), (Asked(0.6), Built(logits="bfloat16")), (Asked(1.0), Built(softmax="float32")), (Asked(0.6, top_p=0.9), Built()), (Asked(1.0, top_k=20), Built()),
    (Asked(1.0, min_p=0.05), Built()), (Asked(0.6, top_p=0.9), Built(processed=True)), (Asked(0.0), Built(logits="bfloat16", last_of_ties=True))])
def test_a_sampler_that_draws_what_was_asked_raises_no_alarm(tmp_path, asked, built):
    report = judged(tmp_path, asked, built)
    assert report.exit_code in (0, 3) and kinds(report) == set()


@pytest.mark.parametrize("asked, built, kind", [
    (Asked(0.6), Built(temperature=1.0), "temperature_ignored"), (Asked(0.6), Built(temperature=0.36), "temperature_twice"), (Asked(0.6), Built(temperature=1e-6), "greedy_instead"),
    (Asked(0.6), Built(temperature=0.8), "temperature_off"), (Asked(0.6), Built(processed=True, temperature=0.36), "temperature_twice"), (Asked(1.0, top_k=10), Built(more_k=1), "illegal_tokens"),
    (Asked(0.6, top_p=0.8), Built(top_p_unsorted=True), "illegal_tokens"), (Asked(1.0), Built(tail=4), "tail_drawn_too_often"), (Asked(0.6), Built(replaced=0, share=0.02), "single_token"),
    (Asked(0.6), Built(replaced=299, share=0.02), "single_token"), (Asked(0.0), Built(noise=0.5), "not_greedy")])
def test_a_fault_is_called_by_its_name(tmp_path, asked, built, kind):
    report = judged(tmp_path, asked, built, options=dict(vocab_size=300))
    assert report.exit_code == 1 and kind in kinds(report), report.to_text()


@pytest.mark.parametrize("seeds, kind", [("kept", None), ("stuck", "seed_stuck"), ("ignored", "seed_ignored")])
def test_seeds(tmp_path, seeds, kind):
    report = judged(tmp_path, Asked(0.6), Built(seeds=seeds), answers=12, tokens=40, repeats=4, seeded=True)
    assert kinds(report) == ({kind} if kind else set())


def test_lists_of_an_engine_that_scored_the_ids(tmp_path):
    lines = record_lines(np.random.default_rng(4), Asked(0.6), Built(temperature=1.0), vocabulary=300)
    run_lines, scored_lines = [], []
    for line in lines[1:]:
        record = json.loads(line)
        output = record.pop("output")
        record["sampling"].pop("logprobs_mode")
        run_lines.append(json.dumps({**record, "output": {"token_ids": output["token_ids"]}}))
        scored_lines.append(json.dumps({"schema": "vaa.record/1", "id": "score-" + record["id"], "forced": {"of": record["id"], "from": 2}, "sampling": {"temperature": 0},
                                        "prompt": {"token_ids": [1, 2, *output["token_ids"]], "top_logprobs": [[], [], *output["top_logprobs"]]}}))
    path, scored = tmp_path / "run.jsonl", tmp_path / "scored" / "run.jsonl"
    scored.parent.mkdir()
    path.write_text("\n".join(run_lines) + "\n")
    scored.write_text("\n".join(scored_lines) + "\n")
    report = vaa.calibrate(path, scored=scored)
    assert kinds(report) == {"temperature_ignored"} and report.to_dict()["sampler"]["scored"]
    assert vaa.calibrate(path, scored=scored, temperature=1.0).exit_code in (0, 3)
    assert vaa.calibrate(path).exit_code == 2


def test_min_p_after_the_temperature_where_the_engine_has_it_before(tmp_path):
    report = judged(tmp_path, Asked(1.5, min_p=0.05), Built(), options=dict(engine="llama_cpp"))
    assert "illegal_tokens" in kinds(report)
    assert "illegal_tokens" not in kinds(judged(tmp_path, Asked(1.5, min_p=0.05), Built(), options=dict(engine="vllm_v1")))


def test_the_temperature_and_its_interval_are_those_of_another_program(tmp_path):
    optimize, stats = pytest.importorskip("scipy.optimize"), pytest.importorskip("scipy.stats")
    report = judged(tmp_path, Asked(0.6), answers=12, tokens=60)
    data = check_of(report, "temperature")["data"]
    answers = []
    for line in (tmp_path / "run.jsonl").read_text().splitlines()[1:]:
        output = json.loads(line)["output"]
        rows = []
        for token, listed in zip(output["token_ids"], output["top_logprobs"]):
            top = sorted(listed, key=lambda one: (-one[1], one[0]))[:20]
            ids = [one[0] for one in top]
            if token in ids:
                rows.append((np.array([one[1] for one in top]), ids.index(token)))
        answers.append(rows)

    def score_and_likelihood(temperature):
        likelihood, scores, information = 0.0, [], 0.0
        for rows in answers:
            own = 0.0
            for logprobs, chosen in rows:
                scaled = logprobs / temperature
                law = np.exp(scaled - scaled.max())
                law /= law.sum()
                likelihood += math.log(law[chosen])
                mean = law @ logprobs
                own += logprobs[chosen] - mean
                information += law @ (logprobs - mean) ** 2
            scores.append(own)
        return likelihood, np.array(scores), information

    best = optimize.minimize_scalar(lambda t: -score_and_likelihood(t)[0], bounds=(0.1, 3), method="bounded", options={"xatol": 1e-10}).x
    likelihood, scores, information = score_and_likelihood(best)
    n = len(answers)
    inflation = max(1.0, (scores ** 2).sum() * n / (n - 1) / information)
    drop = stats.t.ppf(0.975, n - 1) ** 2 * inflation / 2
    edges = [optimize.brentq(lambda t: likelihood - score_and_likelihood(t)[0] - drop, *between) for between in ((0.1, best), (best, 3))]
    assert data["temperature"] == pytest.approx(best, rel=1e-5)
    assert data["interval"] == pytest.approx(edges, rel=1e-4)
    assert data["inflation"] == pytest.approx(inflation, rel=1e-4)
    assert data["answers"] == n and data["positions"] == sum(map(len, answers))


def test_temperatures_of_one_run_are_groups_of_their_own(tmp_path):
    draw = np.random.default_rng(3)
    lines = record_lines(draw, Asked(0.3)) + record_lines(draw, Asked(0.6), Built(temperature=1.0), declared=Asked(0.6))[1:]
    path = tmp_path / "two.jsonl"
    path.write_text("\n".join(lines) + "\n")
    report = vaa.calibrate(path)
    assert [group["temperature"] for group in report.to_dict()["sampler"]["groups"]] == [0.3, 0.6]
    assert check_of(report, "temperature", 0)["status"] == "pass" and check_of(report, "temperature", 1)["kind"] == "temperature_ignored"


def test_what_is_not_recorded_is_not_called(tmp_path):
    unknown = judged(tmp_path, Asked(0.6), Built(temperature=1.0), mode=False)
    assert unknown.exit_code == 3 and "--logprobs raw" in unknown.to_text()
    assert kinds(vaa.calibrate(tmp_path / "run.jsonl", logprobs="raw")) == {"temperature_ignored"}


def test_a_penalty_of_the_models_file_leaves_answers_out(tmp_path):
    path = tmp_path / "run.jsonl"
    lines = record_lines(np.random.default_rng(1), Asked(0.6), vocabulary=300, answers=3)
    header = {"schema": "vaa.run/1", "engine": {"name": "vllm"}, "sampling_defaults": {"source": "generation_config.json", "repetition_penalty": 1.05}}
    path.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    report = vaa.calibrate(path)
    assert report.exit_code == 2 and report.to_dict()["sampler"]["left_out"]["penalised"] == 3
    assert report.to_dict()["sampler"]["engine"] == "vllm_v1"


def test_the_command_in_both_languages_and_forms(tmp_path):
    judged(tmp_path, Asked(0.6), Built(temperature=1.0))
    path = tmp_path / "run.jsonl"
    code, out, err = run("sampler", path)
    assert (code, err) == (1, "") and "the temperature is ignored: asked 0.60, behaves like" in out
    assert "温度被忽略" in run("sampler", path, "--lang", "zh")[1]
    assert run("sampler", path, "--format", "markdown")[1].startswith("#")
    document = json.loads(run("sampler", path, "--format", "json")[1])
    assert document["kind"] == "sampler" and [e.message for e in validator("report.schema.json").iter_errors(document)] == []
    assert run("sampler", path, "--temperature", "1")[0] in (0, 3)
    code, _, err = run("sampler", path, "--temperature", "-1")
    assert code == 2 and "temperature: -1.0 is out of range" in err
    assert run("sampler", tmp_path / "none.jsonl")[0] == 2


def test_a_run_of_nothing_that_can_be_judged_is_not_judged(tmp_path):
    path = tmp_path / "run.jsonl"
    record = {"schema": "vaa.record/1", "id": "1", "output": {"text": "well"}, "sampling": {"temperature": 0.6}}
    for lines in ([], [json.dumps(record)], [json.dumps({**record, "sampling": {"temperature": -1}, "output": {"token_ids": [1], "top_logprobs": [[[1, -0.1]]]}})]):
        path.write_text("".join(line + "\n" for line in ['{"schema": "vaa.run/1"}', *lines]))
        report = vaa.calibrate(path)
        assert report.exit_code == 2
    assert "temperature is -1" in report.to_text()


def test_lists_that_cannot_be_are_counted(tmp_path):
    path = tmp_path / "run.jsonl"
    lists = [[[1, 0.5], [2, -1]], [[1, -0.5], [1, -1]], [[1, -0.1], [2, -0.1]], [[1, -0.2], [2, -2.0]]]
    path.write_text(json.dumps({"schema": "vaa.record/1", "id": "1", "output": {"token_ids": [1, 1, 1, 1], "top_logprobs": lists}, "sampling": {"temperature": 1}}) + "\n")
    report = vaa.calibrate(path)
    assert report.exit_code == 3 or report.exit_code == 2
    assert report.to_dict()["sampler"]["left_out"]["positions"] == 3 and "logprob 0.5" in report.to_text()


def test_the_page_runs(tmp_path):
    out = "".join(run_block("docs/sampler-calibration.md", block, tmp_path) for block in blocks_of("docs/sampler-calibration.md"))
    assert "behaves like 1.44" in out


def test_the_c_example_builds_and_counts_what_is_forbidden(tmp_path):
    program = tmp_path / "calibrate"
    flags = pkg_config("--cflags", "--libs", "vaa")
    subprocess.run([need(shutil.which("cc"), "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples" / "calibrate.c", *flags, "-o", program], check=True)
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(record_lines(np.random.default_rng(5), Asked(1.0, top_k=10), Built(more_k=4), vocabulary=300)) + "\n")
    done = subprocess.run([program, path], capture_output=True, text=True)
    told = vaa.calibrate(path)
    illegal = check_of(told, "illegal_tokens")["data"]["illegal"]
    assert illegal > 0 and done.returncode == told.exit_code == 1
    assert done.stdout.splitlines()[:2] == ["answers of the first group: 30", f"tokens that were forbidden: {illegal}"]
    assert subprocess.run([program, path, '{"top_k": 14}'], capture_output=True, text=True).stdout.splitlines()[1] == "tokens that were forbidden: 0"
    lost = subprocess.run([program, tmp_path / "none.jsonl"], capture_output=True, text=True)
    assert lost.returncode == 2 and "none.jsonl" in lost.stderr
