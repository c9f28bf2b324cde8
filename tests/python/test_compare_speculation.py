"""With speculation and without, from the outside: questions asked again and again of both, compared."""
import json

import asking
import pytest

import vaa


def asked(folder, name, url, *more, repeat=16):
    """The file of 24 questions, each asked `repeat` times for eight sampled tokens."""
    requests = asking.write_requests(folder / "requests.jsonl", 24, temperature=0.8, max_tokens=8)
    out = folder / name
    done = asking.vaa("ask", requests, "--url", url, "--repeat", repeat, "--out", out, "--force", *more)
    assert out.exists(), done.stderr
    return out, done


def steps(report):
    return {step["name"]: step for step in report.to_dict()["comparison"]["steps"]}


def test_right_speculation_passes_and_is_proven_to_have_run(serve, tmp_path, capture):
    plain, _ = asked(tmp_path, "plain.jsonl", serve().url, "--top-logprobs", 20)
    spec, done = asked(tmp_path, "spec.jsonl", serve(spec=3, start_seed=1).url, "--for", "spec")
    assert done.returncode == 0, done.stderr
    report = vaa.compare(plain, spec, change="spec")
    said = steps(report)
    assert report.exit_code in (0, 3), report.to_text()
    assert said["opening_law"]["status"] in ("pass", "undecided") and said["opening_temperature"]["status"] in ("pass", "undecided"), report.to_text()
    low, high = said["opening_temperature"]["interval"]
    assert low < 0 < high and said["opening_temperature"]["n"] > 1000
    assert "target: speculation ran: " in said["speculation"]["words"]["en"]
    assert report.to_dict()["comparison"]["primary"] == "law"
    assert "no token ids on both sides" not in report.to_text(lang="en")  # it is seeds that they lack
    same = vaa.compare(plain, asked(tmp_path, "same.jsonl", serve(spec=3).url, "--for", "spec")[0], change="spec")
    assert same.exit_code == 3 and "more alike than two of one side" in " ".join(same.to_text(lang="en").split())


def test_greedy_answers_need_no_logprobs_of_the_side_that_speculates(serve, tmp_path, capture):
    requests = asking.write_requests(tmp_path / "requests.jsonl", 24, temperature=0, max_tokens=40)
    for name, options, more in (("plain", {}, ("--for", "compare")), ("again", {}, ("--for", "compare")), ("spec", {"spec": 3}, ("--for", "spec"))):
        assert asking.vaa("ask", requests, "--url", serve(**options).url, "--out", tmp_path / f"{name}.jsonl", *more).returncode == 0
    report = vaa.compare(tmp_path / "plain.jsonl", tmp_path / "spec.jsonl", change="spec", aa=tmp_path / "again.jsonl")
    assert report.to_dict()["comparison"]["verdict"] == "identical", report.to_text()
    assert "logprobs that both record" not in report.to_text(lang="en")  # one side has none


def test_plain_decoding_on_both_sides_is_not_compared_as_speculation(serve, tmp_path, capture):
    plain, _ = asked(tmp_path, "plain.jsonl", serve().url, repeat=2)
    idle, done = asked(tmp_path, "idle.jsonl", serve(spec=3, drafts=False).url, "--for", "spec", repeat=2)
    assert done.returncode == 3
    report = vaa.compare(plain, idle, change="spec")
    assert report.exit_code == 2 and "speculation ran on neither side" in report.to_text()


def test_without_counters_speculation_is_not_taken_for_proven(serve, tmp_path, capture):
    cold = ("--temperature", 0.1)
    plain, _ = asked(tmp_path, "plain.jsonl", serve().url, *cold)
    unseen, _ = asked(tmp_path, "unseen.jsonl", serve(spec=3, start_seed=1, metrics=False).url, "--for", "spec", *cold)
    report = vaa.compare(plain, unseen, change="spec")
    assert report.exit_code == 3 and "nothing shows that speculation ran" in report.to_text(), report.to_text()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_wrong_law_is_told_in_both_languages(tmp_path, lang):
    import numpy as np

    draw = np.random.default_rng(3)
    for name, chance in (("plain", 0.5), ("spec", 0.85)):
        with open(tmp_path / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for i in range(40 * 24):
                ids = [7 if draw.random() < 0.5 else 8, *np.where(draw.random(7) < chance, 7, 8).tolist()]
                record = {"schema": "vaa.record/1", "id": str(i // 24), "repeat": i % 24, "sampling": {"temperature": 0.6}, "output": {"text": "so it goes on", "token_ids": ids}}
                file.write(json.dumps(record | ({"spec": {"draft_tokens": 6, "steps": 3}} if name == "spec" else {})) + "\n")
    report = vaa.compare(tmp_path / "plain.jsonl", tmp_path / "spec.jsonl", change="spec")
    assert report.exit_code == 1
    text = report.to_text(lang=lang)
    assert ("speculation_changes_law" in text) and ("it begins where drafts are verified" if lang == "en" else "差异始于草稿的验证") in text.replace("\n      ", "" if lang == "zh" else " "), text
