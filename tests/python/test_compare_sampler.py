"""The step of vaa compare that holds draws against what was asked: each side by its own logprobs, and the sides against each other."""
import json
import sys

import numpy as np
import pytest
from conftest import ROOT

import vaa

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
from made_sampler import Asked, Built, record_lines  # noqa: E402


def run_of(folder, asked, built=Built(), seed=1, **made):
    folder.mkdir()
    path = folder / "run.jsonl"
    made = {"answers": 40, "tokens": 100, "vocabulary": 300, **made}
    path.write_text("\n".join(record_lines(np.random.default_rng(seed), asked, built, **made)) + "\n")
    return path


def compared(tmp_path, reference, target, **options):
    return vaa.compare(run_of(tmp_path / "old", *reference, seed=1), run_of(tmp_path / "new", *target, seed=2), **options)


def step_of(report):
    return next(step for step in report.to_dict()["comparison"]["steps"] if step["name"] == "sampler")


@pytest.mark.parametrize("asked, built", [
    (Asked(0.6), Built(temperature=1.0)), (Asked(0.6), Built(temperature=1e-6)), (Asked(0.6), Built(temperature=0.36, processed=True)), (Asked(0.6, top_p=0.8), Built(top_p_unsorted=True)),
    (Asked(0.0), Built(noise=1.0)), (Asked(1.0), Built(tail=8)), (Asked(0.6), Built(replaced=0, share=0.02))])
def test_a_fault_of_the_target_alone_is_a_mismatch(tmp_path, asked, built):
    report = compared(tmp_path, (asked, Built(processed=built.processed)), (asked, built))
    step = step_of(report)
    assert (step["status"], report.exit_code) == ("fail", 1), step["words"]["en"]
    assert "sampler_mismatch" in report.to_dict()["comparison"]["kinds"]


@pytest.mark.parametrize("asked, first, second", [
    (Asked(0.6), Built(), Built(logits="bfloat16")), (Asked(1.0), Built(), Built(softmax="float32", batch_noise=0.3)), (Asked(0.0), Built(), Built(noise=0.02)),
    (Asked(0.0), Built(), Built(logits="bfloat16", last_of_ties=True)), (Asked(0.6, top_p=0.9, top_k=20), Built(), Built(logits="bfloat16")), (Asked(0.6), Built(), Built(race=True))])
def test_noise_is_none(tmp_path, asked, first, second):
    step = step_of(compared(tmp_path, (asked, first), (asked, second)))
    assert step["status"] in ("pass", "undecided") and step["p"] > 0.05, step["words"]["en"]


def test_a_fault_of_both_sides_is_no_mismatch(tmp_path):
    step = step_of(compared(tmp_path, (Asked(0.6), Built(temperature=1.0)), (Asked(0.6), Built(temperature=1.0))))
    assert step["status"] == "undecided" and "in the same way" in step["words"]["en"]


def test_a_reference_that_is_off_makes_the_target_better(tmp_path):
    report = compared(tmp_path, (Asked(0.6), Built(temperature=1.0)), (Asked(0.6), Built()))
    step = step_of(report)
    assert step["status"] in ("pass", "undecided") and "sampler_mismatch" not in report.to_dict()["comparison"]["kinds"]


def test_sides_that_were_asked_for_other_temperatures_are_not_held_against_each_other(tmp_path):
    step = step_of(compared(tmp_path, (Asked(0.6), Built()), (Asked(1.0), Built())))
    assert step["status"] == "not_applicable" and "not asked alike" in step["words"]["en"]


def test_temperatures_that_nobody_recorded_are_compared(tmp_path):
    def forget(path):
        lines = path.read_text().splitlines()
        records = [json.loads(line) for line in lines[1:]]
        for record in records:
            del record["sampling"]["temperature"]
        path.write_text("\n".join([lines[0], *map(json.dumps, records)]) + "\n")
        return path

    old, new = (forget(run_of(tmp_path / name, Asked(0.6), built, seed=seed)) for name, built, seed in (("old", Built(), 1), ("new", Built(temperature=1.0), 2)))
    assert step_of(vaa.compare(old, new))["status"] == "fail"
    assert step_of(vaa.compare(old, forget(run_of(tmp_path / "again", Asked(0.6), Built(), seed=3))))["status"] == "undecided"


def test_without_lists_nothing_is_said(tmp_path):
    path = run_of(tmp_path / "old", Asked(0.6), answers=3, tokens=5)
    lines = path.read_text().splitlines()
    records = [json.loads(line) for line in lines[1:]]
    for record in records:
        del record["output"]["top_logprobs"]
    bare = tmp_path / "new.jsonl"
    bare.write_text("\n".join([lines[0], *map(json.dumps, records)]) + "\n")
    step = step_of(vaa.compare(path, bare))
    assert step["status"] == "not_applicable" and "no lists" in step["words"]["en"]


def test_the_defaults_of_the_engine_stand_where_requests_are_silent(tmp_path):
    def served(name, built, seed):
        path = run_of(tmp_path / name, Asked(0.6, top_p=0.9), built, seed=seed)
        records = [json.loads(line) for line in path.read_text().splitlines()[1:]]
        for record in records:
            for left_out in ("top_p", "top_k", "min_p"):
                del record["sampling"][left_out]
        header = {"schema": "vaa.run/1", "engine": {"name": "vllm", "version": "0.11.0"}, "sampling_defaults": {"top_p": 0.9, "top_k": 0, "min_p": 0, "source": "generation_config.json"}}
        path.write_text("\n".join(map(json.dumps, [header, *records])) + "\n")
        return path

    step = step_of(vaa.compare(served("old", Built(), 1), served("new", Built(top_p_unsorted=True), 2)))
    assert step["status"] == "fail" and "forbid" in step["words"]["en"]
