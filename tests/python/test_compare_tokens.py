"""`vaa compare` over runs with token ids and logprobs whose law is known: samples given twice, answers and prompts exchanged, broken lines, missing questions, the switches of the command."""
import json
import random

import pytest

import vaa
from test_command import run
from token_runs import HEADER, Case, answer, compared, families, files, parsed, said, step, swing, token_numbers, write, write_all


@pytest.fixture(scope="module")
def clean():
    """Lines by role: a target whose noise is that of the reference against itself."""
    case = Case(0, 21)
    return files(*[case.answers() for _ in range(4)])


@pytest.fixture(scope="module")
def wrong():
    return families()["wrong weights, KL 0.01"].write(Case(0, 22))


def exchanged(run, pairs, part):
    """The run with `part` of records 2k and 2k + 1 exchanged, of the first `pairs` pairs."""
    records = parsed(run)
    for k in range(pairs):
        a, b = records[1 + 2 * k], records[2 + 2 * k]
        a[part], b[part] = b[part], a[part]
    return records


def test_the_report_is_the_same_to_the_byte_for_any_number_of_threads(clean, wrong, tmp_path):
    for name, runs in (("clean", clean), ("wrong", wrong)):
        (tmp_path / name).mkdir()
        paths = write_all(tmp_path / name, runs)
        again = {role: paths[role] for role in ("aa", "aa_target") if role in paths}
        reports = {vaa.compare(paths["reference"], paths["target"], threads=threads, **again).to_json() for threads in (1, 2, 7)}
        assert len(reports) == 1


def test_the_report_is_the_same_to_the_byte_for_any_order_of_the_sides(clean, tmp_path):
    samples = {role: list(vaa.Records(path)) for role, path in write_all(tmp_path, clean).items()}
    roles = list(samples)
    one_by_one = [(role, i) for role in roles for i in range(64)]
    side_by_side = [(role, i) for i in range(64) for role in roles]
    late_reference = [(role, i) for role in reversed(roles) for i in range(64)]
    reports = []
    for order in (one_by_one, side_by_side, late_reference):
        comparison = vaa.Comparison(reference_again=True, target_again=True)
        push = dict(reference=comparison.push_reference, aa=comparison.push_reference_again, target=comparison.push_target, aa_target=comparison.push_target_again)
        for role, i in order:
            push[role](samples[role][i])
        reports.append(comparison.report().to_json())
    assert reports[0] == reports[1] == reports[2]


def test_an_answer_given_forty_times_counts_once_and_is_named(clean, wrong, tmp_path):
    for name, runs in (("clean", clean), ("wrong", wrong)):
        (tmp_path / name).mkdir()
        paths = write_all(tmp_path / name, runs)
        code, once, _ = compared(paths)
        write(paths["target"], [*runs["target"], *[runs["target"][8]] * 40])
        again, comparison, document = compared(paths)
        assert again == code and token_numbers(comparison) == token_numbers(once)
        assert comparison["pairing"]["target"]["duplicates"] == 40 and comparison["pairing"]["reference"]["duplicates"] == 0
        assert "40 samples of the target are copies of another" in said(document) and "made/7" in said(document)
        write(paths["reference"], [*runs["reference"], *[runs["reference"][8]] * 40])
        assert compared(paths)[0] in (code, 3)  # 41 of 104 pairs are of one question: its weight may leave open what was settled


def test_runs_that_are_given_twice_are_no_more_questions(clean, wrong, tmp_path):
    for name, runs, expected in (("clean", clean, (0, 3)), ("wrong", wrong, (1,))):
        (tmp_path / name).mkdir()
        paths = write_all(tmp_path / name, {role: run and [*run, *run[1:]] for role, run in runs.items()})
        code, comparison, _ = compared(paths)
        assert code in expected and comparison["pairing"]["target"]["duplicates"] == 64
        assert step(comparison, "flips")["n"] == 64


def test_answers_that_were_exchanged_are_suspect_from_their_first_token(clean, tmp_path):
    paths = write_all(tmp_path, {**clean, "target": exchanged(clean["target"], 8, "output")})
    code, comparison, _ = compared(paths)
    prefill = step(comparison, "prefill")
    # 16 of 64 by other texts; a token outside a list of five bounds the swing, which need not reach tau
    assert code == 1 and comparison["kinds"][0] == "prefill_mismatch" and 14 / 64 <= prefill["effect"] <= 17 / 64
    write(paths["target"], exchanged(clean["target"], 1, "output"))
    code, comparison, document = compared(paths)
    assert comparison["verdict"] not in ("identical", "equivalent") and step(comparison, "prefill")["effect"] == pytest.approx(2 / 64)
    assert "suspect 2 / 64" in step(comparison, "prefill")["words"]["en"]


def test_prompts_that_were_exchanged_end_their_pairs(clean, tmp_path):
    paths = write_all(tmp_path, {**clean, "target": exchanged(clean["target"], 2, "prompt")})
    code, comparison, document = compared(paths)
    assert code != 1 and step(comparison, "prefill")["n"] == 60 and step(comparison, "prompts")["effect"] == pytest.approx(4 / 64)
    assert "4 of 64 pairs" in step(comparison, "prompts")["words"]["en"]
    write(paths["target"], exchanged(clean["target"], 4, "prompt"))  # 8 of 64 are over a tenth
    code, comparison, document = compared(paths)
    assert code == 2 and comparison["kinds"] == ["input_mismatch"] and "8 of 64" in document["verdict"]["reason"]


BROKEN = ['{"schema": "vaa.record/1", "id": "1", "output": {"token_ids": [1, 2', b'{"id": "\xff\xfe", "output": \x00\x1b[2J}',
          '{"schema": "vaa.record/1", "id": "3", "dataset": "made", "output": {"token_ids": "many", "logprobs": {}}}']


@pytest.mark.parametrize("worse", [False, True])
def test_a_hundredth_of_broken_lines_costs_those_lines_alone(worse, tmp_path):
    case = Case(4, 23, prompts=400, length=128)
    runs = files(case.answers(), case.answers(), swing(case, share=0.1) if worse else case.answers())
    whole, _, _ = compared(write_all(tmp_path, runs))
    assert (whole == 1) == worse
    lost = random.Random(5).sample(range(1, 401), 4)
    paths = write_all(tmp_path, {**runs, "target": [BROKEN[i % 3] if i in lost else line for i, line in enumerate(runs["target"])]})
    code, comparison, document = compared(paths)
    assert code == whole and comparison["pairing"]["target"]["problems"] == 4 and comparison["pairing"]["shared"] == comparison["pairing"]["only_reference"] * 99 == 396
    assert "4 problems while reading the target" in said(document)
    out = " ".join(run("check", paths["target"], "--lang", "en")[1].split())
    assert all(f"target.jsonl:{i + 1}" in out or f"line {i + 1}" in out for i in lost), out


@pytest.mark.parametrize("short", ["target", "reference"])
def test_half_of_the_questions_on_one_side_never_pass(clean, wrong, short, tmp_path):
    paths = write_all(tmp_path, {**clean, short: clean[short][:33]})
    code, comparison, document = compared(paths)
    assert code == 3 and comparison["pairing"]["shared"] == 32 and "50" in document["verdict"]["reason"] and "what is missing may be what died" in document["verdict"]["reason"]
    paths = write_all(tmp_path, {**wrong, short: wrong[short][:33]})
    assert compared(paths)[0] == 1  # what is there is worse all the same


def test_the_target_against_itself_through_the_command(tmp_path):
    paths = write_all(tmp_path, families()["target differs from itself"].write(Case(1, 240)))
    held = ("compare", paths["reference"], paths["target"], "--aa", paths["aa"], "--lang", "en")
    code, out, err = run(*held, "--aa-target", paths["aa_target"], "--format", "json")
    comparison = json.loads(out)["comparison"]
    assert code == 1 and err == "" and comparison["kinds"][0] == "batch_or_schedule_dependent"
    low, high = step(comparison, "target_noise")["interval"]
    assert step(comparison, "target_noise")["n"] == 64 and low < 7**0.5 < high  # 95 % of such intervals hold it: a run of ratio r has 2 r^2 - 1 times the variance of the reference's own
    code, out, _ = run(*held, "--format", "json")
    assert step(json.loads(out)["comparison"], "target_noise")["status"] == "not_applicable"
    code, _, err = run("compare", paths["reference"], paths["target"], "--aa-target", tmp_path / "nowhere")
    assert code == 2 and "nowhere" in err


def test_a_vocabulary_tells_ids_outside_it_and_other_tokens_of_the_same_bytes(tmp_path):
    words = [f"w{i}" for i in range(97)] + ["a", "b", "ab"]
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"type": "BPE", "vocab": {word: i for i, word in enumerate(words)}, "merges": []}}))
    old = [answer(i, prompt=[1, i, 97, 98]) for i in range(12)]
    new = [answer(i, prompt=[1, i, 97, 98]) for i in range(12)]
    new[3]["output"]["token_ids"][2] = 250
    new[5]["prompt"]["token_ids"] = [1, 5, 99]
    paths = write_all(tmp_path, {"reference": [HEADER, *old], "target": [HEADER, *new]})
    code, out, err = run("compare", paths["reference"], paths["target"], "--vocab", tmp_path / "tokenizer.json", "--format", "json")
    document = json.loads(out)
    assert err == "" and code in (0, 3)
    assert "first of the target: made/3, output 2: id 250" in said(document) and "ids outside the vocabulary | 0 | 1" in said(document)
    assert "the same bytes in other tokens in 1 of 12 pairs" in step(document["comparison"], "prompts")["words"]["en"]
    _, out, _ = run("compare", paths["reference"], paths["target"], "--format", "json")
    document = json.loads(out)
    assert "id 250" not in said(document) and "other ids in 1 of 12 pairs" in step(document["comparison"], "prompts")["words"]["en"]
    code, _, err = run("compare", paths["reference"], paths["target"], "--vocab", paths["reference"])
    assert code == 2 and "reference.jsonl" in err
