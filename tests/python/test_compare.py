"""vaa compare: the command, the package, bad input, and a small simulation of fixed seed."""
import json
import random

import pytest

import vaa
from conftest import ROOT
from test_command import run

DATA = ROOT / "examples" / "data"
HEALTHY, LOW = DATA / "aisbench_gsm8k_healthy" / "run", DATA / "aisbench_low_score" / "run"


def record(i, text, correct=None, **more):
    score = {} if correct is None else {"score": {"metric": "accuracy", "correct": correct}}
    return {"schema": "vaa.record/1", "id": str(i), "dataset": "made", "prompt": {"text": f"question {i}"}, "output": {"text": text}, "finish_reason": "stop", **score, **more}


def write(path, records):
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records))
    return path


def answers(n, seed, scored=True):
    draw = random.Random(seed)
    return [record(i, f"Step {i} gives {draw.randrange(1000)}, and that is what was asked.", draw.random() < 0.8 if scored else None) for i in range(n)]


def compared(tmp_path, old, new, **options):
    report = vaa.compare(write(tmp_path / "old.jsonl", old), write(tmp_path / "new.jsonl", new), **options)
    return report, report.to_dict()


def step(document, name):
    return next(s for s in document["comparison"]["steps"] if s["name"] == name)


def test_two_genuine_runs_in_both_languages_and_all_forms(tmp_path):
    code, out, err = run("compare", HEALTHY, LOW, "--lang", "en")
    assert code == 1 and err == ""
    assert "worse: Score: 91.7 % -> 56.7 %" in " ".join(out.split()) and "newly wrong" in out
    code, out, _ = run("compare", HEALTHY, LOW, "--lang", "zh", "--format", "markdown")
    assert code == 1 and "变差" in out and "新答错" in out
    code, out, _ = run("compare", HEALTHY, LOW, "--format", "json")
    document = json.loads(out)
    assert code == 1 and document["kind"] == "compare" and document["comparison"]["verdict"] == "worse"
    code, out, err = run("compare", HEALTHY, LOW, "--out", tmp_path / "r.md", "--format", "markdown")
    assert code == 1 and out == "" and (tmp_path / "r.md").read_text().startswith("#")


def test_reports_are_of_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
    for text in (True, False):
        jsonschema.validate(vaa.compare(HEALTHY, LOW, text=text).to_dict(), schema)


def test_without_text_no_path_is_told():
    assert "examples" not in vaa.compare(HEALTHY, LOW, text=False).to_json()


def test_threads_do_not_change_the_answer():
    assert vaa.compare(HEALTHY, LOW, threads=1).to_json() == vaa.compare(HEALTHY, LOW, threads=5).to_json()


def test_usage_is_checked():
    for arguments, word in ((("compare", HEALTHY), "NEW"), (("compare", HEALTHY, LOW, "--change", "kernel"), "schedule"), (("compare", HEALTHY, LOW, "--baseline", "7"), "k/n"),
                            (("compare", HEALTHY, LOW, "--nosuch", "f"), "no such option"), (("compare", HEALTHY, LOW, "--noise", "nowhere"), "nowhere"), (("compare", HEALTHY, "nowhere"), "nowhere")):
        code, _, err = run(*arguments)
        assert code == 2 and word in err, arguments
    with pytest.raises(vaa.Error, match="margin"):
        vaa.compare(HEALTHY, LOW, margin=1)


def test_runs_without_scores_are_compared_by_their_flags(tmp_path):
    report, document = compared(tmp_path, answers(400, 1, False), answers(400, 2, False))
    assert document["comparison"]["primary"] == "flags" and report.exit_code in (0, 3)
    assert step(document, "score")["status"] == "not_applicable"


def test_an_empty_run_is_named(tmp_path):
    header = {"schema": "vaa.run/1"}
    code, out, err = run("compare", write(tmp_path / "a", answers(5, 1)), write(tmp_path / "b", [header]))
    assert code == 2 and ("no samples" in out or "b" in err)


def test_the_same_file_twice_is_said():
    for again in (HEALTHY, f"{HEALTHY}/", HEALTHY / ".." / "run"):
        code, out, _ = run("compare", HEALTHY, again, "--lang", "en")
        assert code == 2 and "the same file" in " ".join(out.split())


def test_a_copy_of_a_run_is_said(tmp_path):
    _, document = compared(tmp_path, answers(50, 1), answers(50, 1))
    assert document["comparison"]["pairing"]["same_output"] == 50


def test_one_side_missing_half_is_undecided_and_the_bias_is_named(tmp_path):
    report, document = compared(tmp_path, answers(2000, 1), answers(2000, 1)[:1000])
    assert report.exit_code == 3 and document["comparison"]["pairing"]["only_reference"] == 1000
    assert "what is missing may be what died" in document["verdict"]["reason"]


def test_other_tokenizers_are_compared_by_characters(tmp_path):
    old, new = answers(60, 1), answers(60, 1)
    for one, other in zip(old, new):
        one["usage"], other["usage"] = {"completion_tokens": 20}, {"completion_tokens": 35}
    _, document = compared(tmp_path, old, new)
    assert "characters" in step(document, "lengths")["words"]["en"] and step(document, "lengths")["effect"] == 0


def test_broken_lines_are_counted_and_the_rest_is_compared(tmp_path):
    new = answers(500, 2)
    for i in range(0, 500, 100):
        new[i] = '{"schema": "vaa.record/1", "id": '
    _, document = compared(tmp_path, answers(500, 1), new)
    assert document["comparison"]["pairing"]["target"]["problems"] == 5 and document["comparison"]["pairing"]["shared"] == 495


def test_other_limits_are_shown(tmp_path):
    old, new = answers(50, 1), answers(50, 2)
    for one, other in zip(old, new):
        one["sampling"], other["sampling"] = {"max_tokens": 49152, "temperature": 0.6}, {"max_tokens": 9500, "temperature": 0.6}
    _, document = compared(tmp_path, old, new)
    assert step(document, "configuration")["symptom"] == "other_limit" and "49152" in json.dumps(document["sections"])


def test_pushed_samples():
    comparison = vaa.Comparison(change="schedule")
    for i in range(30):
        comparison.push_reference(vaa.Sample(text=f"It is {i}.", id=str(i)))
        comparison.push_target(vaa.Sample(text=f"So it is {i}.", id=str(i)))
    assert comparison.report().to_dict()["comparison"]["pairing"]["shared"] == 30


def looping(text):
    return text + " and so on it goes," * 40


def test_a_tenth_of_loops_is_found_and_chance_is_not(tmp_path):
    """T = 0.6, text only: every question has its own chance to be right, answers and lengths are drawn anew."""
    draw = random.Random(11)
    chance = [draw.random() for _ in range(150)]

    def a_run(loops):
        out = []
        for i, c in enumerate(chance):
            text = f"Question {i}: " + " ".join(f"item {draw.randrange(10**6)} is moved" for _ in range(draw.randrange(3, 12))) + "."
            broken = draw.random() < loops
            out.append(record(i, looping(text) if broken else text, not broken and draw.random() < c))
        return out

    alarms = sum(compared(tmp_path, a_run(0), a_run(0))[0].exit_code == 1 for _ in range(15))
    found = sum(compared(tmp_path, a_run(0), a_run(0.1))[0].exit_code == 1 for _ in range(15))
    assert alarms <= 2 and found >= 13, (alarms, found)
