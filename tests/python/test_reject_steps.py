"""Speculation step by step: made engines with and without faults, dumps by the page that describes them, the command."""
import gzip
import json
import re
import shutil
import subprocess
import sys

import numpy
import pytest

import vaa
from conftest import ROOT, need, pkg_config

sys.path.insert(0, str(ROOT / "tests" / "calibration"))

import spec_engine as made  # noqa: E402


def judged(engine, rows, evidence="rows", seed=1):
    audit = vaa.Audit()
    audit.begin_steps(**engine.header())
    made.push(audit, engine.steps(rows, seed, greedy=0.1), evidence)
    return audit.report()


def failed(report):
    return {f["check"] for f in report.to_dict()["reject"]["findings"] if f["status"] == "fail"}


def named(report):
    fault = next((f for f in report.to_dict()["reject"]["findings"] if f["check"] == "known_fault"), None)
    return fault["words"]["en"] if fault and fault["status"] == "fail" else ""


@pytest.mark.parametrize("name", sorted(made.sound_engines()))
def test_sound_engines_of_every_policy_raise_no_alarm(name):
    assert not failed(judged(made.sound_engines()[name], 2000))


@pytest.mark.parametrize("one_hot", [True, False])
def test_rows_of_one_request_without_positions_raise_no_alarm(one_hot):
    engine = made.Engine("vllm_v1", one_hot=one_hot)
    steps, audit = engine.steps(2000, 1), vaa.Audit()
    audit.begin_steps(**engine.header())
    at = numpy.maximum(steps.drafts, 0)[..., None]
    p = numpy.take_along_axis(steps.target[:, :made.DRAFTS], at, -1)[..., 0]
    q = None if one_hot else numpy.take_along_axis(steps.draft_law, at, -1)[..., 0]
    audit.push_steps([1] * 2000, steps.temperature, steps.drafts, steps.ids, p=p, q=q)
    for row in range(2000):
        audit.push_rows(row, steps.target[row], None if one_hot else steps.draft_law[row])
    assert not failed(audit.report())


def test_a_few_rows_without_anything_wrong_are_no_pass():
    audit = vaa.Audit()
    audit.begin_steps(8, draft_probs="one_hot")
    audit.push_steps([1], [0.0], [[3]], [[3, 2]])
    assert audit.report().verdict == "undecided"
    found = next(f for f in audit.report().to_dict()["reject"]["findings"] if f["check"] == "row_length")
    assert found["n_needed"] == 72  # so many without one leave at most 5 %, two-sided


def test_a_policy_that_is_not_known_is_said_with_those_that_are():
    audit = vaa.Audit()
    audit.begin_steps(8, draft_probs="one_hot", policy="vllm_v3")
    audit.push_steps([1], [0.6], [[3]], [[3, 2]], p=[[0.5]])
    text = " ".join(audit.report().to_text(lang="en").split())
    assert "policy vllm_v3 is not known" in text and "known: flashinfer, sglang_chain" in text
    assert "未知的策略 vllm_v3" in audit.report().to_text(lang="zh")


def test_steps_without_a_draft_are_no_evidence():
    audit = vaa.Audit()
    audit.begin_steps(8)
    audit.push_steps([1, 2], [0.6, 0.6], [[], []], [[1], [3]])
    report = audit.report()
    assert report.verdict == "not_checked" and report.exit_code == 2 and "no row of the steps has a draft" in report.to_text(lang="en")
    audit.push_steps([3], [0.6], [[]], [[99]])  # what is wrong is said all the same
    assert audit.report().verdict != "not_checked"


# What the least evidence shows in so many rows, and what rows with all probabilities name.
PLANTED = {
    "aliased_restore": ("p", "acceptance", 200, "B01"), "uniform_zero": ("p", "acceptance", 200, "B02"), "greedy_draft": ("rows", "draft_draws", 400, "B03"), "cut_draft": ("rows", "known_fault", 3000, "B04"),
    "recover_from_target": ("drafts", "row_length", 200, "B05"), "recover_without_draft": ("rows", "known_fault", 1000, "subtracted at the rejected draft alone"), "reused_uniform": ("rows", "recovered_law", 1000, "B07"),
    "residual_row0": ("drafts", "row_length", 1000, "B08"), "greedy_verify": ("p", "acceptance", 400, "held against the target's likeliest"), "double_softmax": ("p", "acceptance", 200, "taken for logits"),
    "ignored_temperature": ("p", "acceptance", 2000, "temperature 1"), "next_row": ("p", "acceptance", 200, "place after theirs"), "product_rule": ("p", "acceptance", 800, "D06"), "entropy_rule": ("p", "acceptance", 800, "D12"),
    "padded_draft": ("ids", "row_ids", 1000, ""), "greedy_sentinel": ("drafts", "greedy_argmax", 1000, ""), "bonus_of_last_draft": ("rows", "support", 1000, "row of the last draft"), "token0": ("drafts", "row_length", 1000, "token 0 stands in"),
    "out_of_vocabulary": ("ids", "row_ids", 2000, ""), "same_uniforms": ("p", "known_fault", 400, "same uniforms"), "shared_uniform": ("p", "known_fault", 400, "judged by one uniform"), "inverted_test": ("p", "acceptance", 200, "wrong way round"),
    "no_cut": ("rows", "support", 1000, ""), "goes_on": ("drafts", "row_length", 400, ""), "ignored_law": ("p", "acceptance", 1000, "as if they had none"),
}


@pytest.mark.parametrize("fault", sorted(PLANTED))
def test_a_planted_fault_is_found_by_the_evidence_that_shows_it_and_named_by_more(fault):
    evidence, check, rows, name = PLANTED[fault]
    assert check in failed(judged(made.engine_of(fault), rows, evidence))
    if name:
        assert name in named(judged(made.engine_of(fault), max(rows, 1000)))


def test_what_needs_more_evidence_is_not_seen_without_it_and_no_other_fault_is_called():
    for fault in ("reused_uniform", "bonus_of_last_draft", "recover_without_draft"):
        assert not failed(judged(made.engine_of(fault), 3000, "p"))


def test_a_fault_in_half_of_the_steps_is_named_with_its_share():
    report = judged(made.Engine("vllm_ascend_v1", fault="aliased_restore", share=0.5), 3000, "p")
    assert "B01" in named(report) and "in about 50 % of the steps" in named(report)
    assert "50% 的步骤" in report.to_text(lang="zh")


@pytest.mark.parametrize("name", sorted(name for name in made.sound_engines() if not name.startswith(("hf", "exact"))))
def test_steps_with_their_uniforms_and_noise_are_verified_again_to_the_id(name):
    report = judged(made.sound_engines()[name], 1000, "noise").to_dict()["reject"]
    replay = next(f for f in report["findings"] if f["check"] == "exact_replay")
    assert replay["status"] == "pass" and replay["effect"] == 0 and replay["n"] > 800


def test_exact_replay_names_the_first_step_that_differs():
    for fault in ("shared_noise", "draft_noise", "reused_uniform", "shared_uniform"):
        report = judged(made.engine_of(fault), 800, "noise")
        finding = next(f for f in report.to_dict()["reject"]["findings"] if f["check"] == "exact_replay")
        assert finding["status"] == "fail" and re.search(r"the first: request \d+ at position \d+, place \d: must be \d+, is \d+", finding["words"]["en"]), fault


def test_lossy_rules_pass_where_they_are_declared_and_fail_where_they_are_not():
    assert not failed(judged(made.Engine("entropy"), 3000))
    assert "acceptance" in failed(judged(made.engine_of("entropy_rule"), 3000))
    text = judged(made.Engine("entropy"), 500).to_text(lang="en")
    assert "lossy on purpose" in text


def test_reports_are_the_same_whatever_the_order_and_the_cuts_of_pushes():
    engine, steps = made.Engine("hf", one_hot=False), None
    steps = engine.steps(600, 3)
    documents = []
    for order in (range(0, 600, 600), range(0, 600, 50), range(550, -1, -50)):
        audit = vaa.Audit()
        audit.begin_steps(**engine.header())
        for first in order:
            last = first + (600 if order.step == 600 else 50)
            made.push(audit, steps._replace(drafts=steps.drafts[first:last], ids=steps.ids[first:last], target=steps.target[first:last], draft_law=steps.draft_law[first:last], temperature=steps.temperature[first:last]), first=first)
        documents.append(audit.report().to_json())
    assert documents[0] == documents[1] == documents[2]


def command(*words):
    done = subprocess.run([sys.executable, "-m", "vaa", "reject", "--lang", "en", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_the_command_names_the_sampler_that_lost_p_and_passes_the_one_that_did_not(tmp_path):
    made.write_dump(tmp_path / "faulty.vaasteps", made.engine_of("aliased_restore"), 2000, rank=1)
    made.write_dump(tmp_path / "sound.vaasteps", made.Engine("vllm_ascend_v1"), 16000)
    code, out, _ = command(tmp_path / "faulty.vaasteps")
    assert code == 1 and "consistent with B01" in out and "vllm-ascend#1632" in out and "without %: percentage points" in out
    code, out, _ = command(tmp_path / "sound.vaasteps")
    assert code == 0, out
    code, out, _ = command(tmp_path)  # a folder: both ranks
    assert code == 1 and "rank 1: consistent with B01" in out and "rank 0" in out


def test_a_dump_of_default_evidence_is_small_and_a_cut_one_is_read(tmp_path):
    path = tmp_path / "steps.vaasteps"
    made.write_dump(path, made.Engine("vllm_v1"), 4096)
    assert path.stat().st_size / 4096 < 70
    data = path.read_bytes()
    path.write_bytes(data[:-100])
    report = vaa.reject(path)
    steps = report.to_dict()["reject"]["steps"]
    assert steps["cut_files"] == 1 and steps["ranks"][0]["rows"] == 4096 - 64
    assert "end inside a record" in report.to_text(lang="en") and "记录中间结束" in report.to_text(lang="zh")


def test_a_file_that_comes_again_or_under_another_name_is_read_once(tmp_path):
    path, other = tmp_path / "steps.vaasteps", tmp_path / "copy" / "old.vaasteps.gz"
    made.write_dump(path, made.Engine("vllm_v1"), 512)
    made.write_dump(tmp_path / "rank1.vaasteps", made.Engine("vllm_v1"), 512, rank=1)
    other.parent.mkdir()
    other.write_bytes(gzip.compress(path.read_bytes()))
    report = vaa.reject([path, tmp_path, other])
    steps = report.to_dict()["reject"]["steps"]
    assert (steps["files"], steps["repeated_files"], [rank["rows"] for rank in steps["ranks"]]) == (2, 3, [512, 512])
    assert "3 files of steps begin as one that was read before" in report.to_text(lang="en") and "与已读文件的开头相同" in report.to_text(lang="zh")


def test_python_refuses_what_does_not_fit():
    audit = vaa.Audit()
    with pytest.raises(vaa.Error, match="vaa_audit_begin_steps"):
        audit.push_steps([1], [0.6], [[1]], [[1, 2]])
    with pytest.raises(vaa.Error, match="vocab"):
        audit.begin_steps(8, vocabulary=3)
    audit.begin_steps(8, draft_probs="one_hot")
    with pytest.raises(vaa.Error, match="row 0: draft id 9"):
        audit.push_steps([1], [0.6], [[9]], [[1, 2]])
    with pytest.raises(vaa.Error, match="row: is 0"):
        audit.push_rows(0, numpy.full((2, 8), 0.125))
    with pytest.raises(ValueError, match="p: must have one number for each draft of each row"):
        audit.push_steps([1, 2], [0.6, 0.6], [[1, 2], [3]], [[1, 2, 3], [3, 4]], p=[[0.5], [0.5, 0.5]])
    with pytest.raises(TypeError, match="drafts: has elements of float64"):
        audit.push_steps([1], [0.6], [[1.5]], [[1, 2]])
    with pytest.raises(ValueError, match="p: has 1 dimensions"):
        audit.push_rows(0, [0.125] * 8)
    audit.push_steps([1, 2], [0.6, 0.0], [[1], []], [[1, 2], [3]])
    assert audit.report().to_dict()["reject"]["steps"]["ranks"][0]["greedy_rows"] == 1


def test_lines_of_json_are_read_like_the_binary_form(tmp_path):
    path = tmp_path / "steps.jsonl"
    path.write_text('{"format":"vaa.steps/1","vocab_size":8,"draft_probs":"one_hot"}\n' + json.dumps({"request": 1, "temperature": 0.6, "drafts": [3, 5], "ids": [3, 2], "p": [0.75, 0.5]}) + "\n")
    assert vaa.reject(path).to_dict()["reject"]["steps"]["ranks"][0]["accepted"] == 1


def test_the_c_example_passes_a_sound_sampler_and_names_the_fault_of_another(tmp_path):
    program = tmp_path / "spec_steps"
    flags = pkg_config("--cflags", "--libs", "vaa")
    subprocess.run([need(shutil.which("cc"), "cc"), "-std=c99", "-Wall", "-Wextra", "-Werror", ROOT / "examples" / "spec_steps.c", *flags, "-o", program], check=True)
    sound = subprocess.run([program], capture_output=True, text=True)
    assert sound.returncode == 0 and "20,000 rows of verify steps" in sound.stdout, sound.stdout + sound.stderr
    faulty = subprocess.run([program, "faulty"], capture_output=True, text=True)
    assert faulty.returncode == 1 and "consistent with B01" in faulty.stdout


def test_the_examples_are_what_their_script_writes_and_name_the_sampler_that_lost_p(tmp_path):
    for name in ("faulty", "fixed"):
        (tmp_path / name).mkdir()
    made.write_examples(tmp_path)
    data = ROOT / "examples" / "spec_decode"
    for name in ("faulty", "fixed"):
        ours, theirs = (gzip.decompress((folder / name / "steps.vaasteps.gz").read_bytes()) for folder in (tmp_path, data))
        assert len(ours) == len(theirs) and ours[:200] == theirs[:200]
    faulty, fixed = (vaa.reject(data / name / "steps.vaasteps.gz") for name in ("faulty", "fixed"))
    assert faulty.verdict == "fail" and "B01" in named(faulty)
    assert fixed.verdict == "pass"


def test_folders_in_folders_are_read_and_hidden_ones_are_not(tmp_path):
    dump = ROOT / "examples" / "spec_decode" / "faulty" / "steps.vaasteps.gz"
    for folder in ("node1/rank0", ".old"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(dump, tmp_path / "node1" / "rank0" / "a.gz")
    (tmp_path / ".old" / "b").write_text("no evidence")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    ranks = vaa.reject(tmp_path).to_dict()["reject"]["steps"]["ranks"]
    assert [rank["rows"] for rank in ranks] == [2000]


def test_rows_whose_p_is_no_probability_lead_and_are_not_called_wrong_rows():
    audit = vaa.Audit()
    audit.begin_steps(100, draft_probs="one_hot", policy="vllm_v1")
    n = 400
    audit.push_steps(range(n), [0.8] * n, [[1, 2]] * n, [[1, 3, 4]] * n, p=[[float("nan"), 0.5]] * n)  # tokens after a rejection, by p that is none
    findings = audit.report().to_dict()["reject"]["findings"]
    assert findings[0]["check"] == "probabilities" and findings[0]["status"] == "fail"
    assert not any(f["check"] == "row_length" and f["status"] == "fail" for f in findings)


def test_a_dump_of_another_version_is_refused_as_one(tmp_path):
    path = tmp_path / "steps.jsonl"
    path.write_text('{"format":"vaa.steps/2","vocab_size":8}\n')
    with pytest.raises(vaa.Error, match='steps.jsonl: header: format: "vaa.steps/2" is not known'):
        vaa.reject(path)
