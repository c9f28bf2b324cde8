"""What `vaa compare` says of runs whose numbers cannot be, or that cannot be compared: each finding or error by name, and what is good is compared all the same."""
import math

import pytest

import vaa
from test_command import run
from token_runs import HEADER, answer, compared, said, step, write, write_all

N = 30


def runs(change=lambda records: None, n=N):
    """Reference and target of the same answers; `change` is made to the target's records."""
    reference, target = ([answer(i, ids=[10 + 2 * i, 11 + 2 * i, 12 + 2 * i, 13 + 2 * i]) for i in range(n)] for _ in range(2))
    change(target)
    return {"reference": [HEADER, *reference], "target": [HEADER, *target]}


def set_output(number, name, index, value):
    def change(records):
        records[number]["output"][name][index] = value
    return change


def drop(number, name):
    return lambda records: records[number]["output"][name].pop()


@pytest.mark.parametrize("change, row, where", [
    (set_output(3, "logprobs", 2, None), "logprobs that are NaN, or minus infinity of a chosen token | 0 | 1", "made/3, output 2: logprob NaN"),
    (set_output(3, "logprobs", 2, 0.5), "logprobs above 0 | 0 | 1", "made/3, output 2: logprob 0.5"),
    (set_output(3, "logprobs", 2, -math.inf), "logprobs that are NaN, or minus infinity of a chosen token | 0 | 1", "made/3, output 2: logprob"),
    (set_output(4, "token_ids", 1, -5), "ids outside the vocabulary | 0 | 1", "made/4, output 1: id -5"),
    (set_output(5, "top_logprobs", 0, [[20, -0.001], [21, -0.002]]), "positions whose listed probabilities add to over 1.001 | 0 | 1", "made/5, output 0: listed probabilities add to 1.99"),
    (set_output(5, "top_logprobs", 0, [[20, -0.5], [21, -3], [22, -1.5]]), "lists out of order, or with an id twice | 0 | 1", "made/5, output 0: a list is not in falling order"),
    (set_output(5, "top_logprobs", 0, [[20, -0.5], [21, -3], [21, -4]]), "lists out of order, or with an id twice | 0 | 1", "made/5, output 0: a list names an id twice"),
    (drop(6, "logprobs"), "answers whose logprobs or lists are not one an id | 0 | 1", "made/6: 3 output logprobs for 4 ids"),
    (drop(6, "top_logprobs"), "answers whose logprobs or lists are not one an id | 0 | 1", "made/6: lists of 3 output positions for 4 ids"),
])
def test_a_number_that_cannot_be_is_named_and_left_out(change, row, where, tmp_path):
    code, comparison, document = compared(write_all(tmp_path, runs(change)))
    words = said(document)
    assert row in words and f"first of the target: {where}" in words, words
    assert "are left out: some kinds of the target alone" in step(comparison, "validity")["words"]["en"] or "not one an id" in row
    assert comparison["pairing"]["shared"] == N and comparison["verdict"] in ("no_difference_found", "undecided")


def test_the_same_faults_on_both_sides_are_no_finding_of_the_target(tmp_path):
    both = runs(set_output(3, "logprobs", 2, 0.5))
    code, comparison, document = compared(write_all(tmp_path, {**both, "reference": both["target"]}))
    assert "logprobs above 0 | 1 | 1" in said(document) and "target alone" not in step(comparison, "validity")["words"]["en"]


def test_good_numbers_are_said_to_be_good(tmp_path):
    code, comparison, _ = compared(write_all(tmp_path, runs()))
    assert code == 0 and comparison["verdict"] == "identical" and step(comparison, "validity")["words"]["en"] == "every id and logprob of both sides is one that can be"


@pytest.mark.parametrize("empty", ["reference", "target"])
@pytest.mark.parametrize("what", [[], [HEADER]], ids=["no bytes", "a header alone"])
def test_an_empty_run_is_no_comparison(empty, what, tmp_path):
    paths = write_all(tmp_path, {**runs(), empty: what})
    code, out, err = run("compare", paths["reference"], paths["target"], "--lang", "en")
    assert code == 2 and (f"the {empty} has no samples" in " ".join(out.split()) or f"{empty}.jsonl" in err), (out, err)


def test_the_same_file_twice_is_no_comparison(tmp_path):
    paths = write_all(tmp_path, runs())
    link = tmp_path / "link.jsonl"
    link.symlink_to(paths["reference"])
    for other in (paths["reference"], link):
        report = vaa.compare(paths["reference"], other, aa=paths["target"])
        assert report.exit_code == 2 and "the same file" in report.to_dict()["verdict"]["reason"]


def without(*names):
    def change(records):
        for record in records:
            for name in names:
                record["output"].pop(name)
            record["output"]["text"] = "It is well."
    return change


@pytest.mark.parametrize("both", [True, False], ids=["both", "the target"])
@pytest.mark.parametrize("names, limit", [(("token_ids", "logprobs", "top_logprobs"), "no token ids on both sides"), (("logprobs", "top_logprobs"), None)], ids=["no ids", "no logprobs"])
def test_runs_without_ids_or_logprobs_say_so_and_pass_nothing_by_tokens(names, limit, both, tmp_path):
    lacking = runs(without(*names))
    code, comparison, document = compared(write_all(tmp_path, {**lacking, "reference": lacking["target"]} if both else lacking))
    if limit:
        assert limit in said(document) and all(step(comparison, name)["status"] == "not_applicable" for name in ("flips", "prefill", "first_divergence", "drift", "position"))
        report = vaa.compare(tmp_path / "reference.jsonl", tmp_path / "target.jsonl", primary="tokens")
        assert report.exit_code == 2 and "no token ids" in report.to_dict()["verdict"]["reason"]
    else:
        assert step(comparison, "drift")["status"] == "not_applicable" and step(comparison, "flips")["status"] in ("not_applicable", "shown")
        assert code == 0 and comparison["verdict"] == "identical"  # every id is the same, and what both record
        changed = runs(without(*names), 30)
        for record in changed["target"][1:]:
            record["output"]["token_ids"][1] += 5
        write_all(tmp_path, changed)
        code, comparison, _ = compared({role: tmp_path / f"{role}.jsonl" for role in ("reference", "target")})
        assert comparison["verdict"] not in ("identical", "equivalent") and step(comparison, "first_divergence")["p_beyond"] is None


def test_other_tokenizers_are_other_prompts_and_no_comparison(tmp_path):
    def other(records):
        for record in records:
            record["prompt"]["token_ids"] = [2, *(id + 5000 for id in record["prompt"]["token_ids"])]
    code, comparison, document = compared(write_all(tmp_path, runs(other)))
    assert code == 2 and comparison["kinds"] == ["input_mismatch"] or "prompts of 30 of 30 shared questions differ" in document["verdict"]["reason"]


def test_ids_that_were_encoded_again_are_counted(tmp_path):
    def again(records):
        for record in records[:7]:
            record["output"]["ids_provenance"] = "reencoded"
    _, _, document = compared(write_all(tmp_path, runs(again)))
    assert "answers whose ids were made from their text: they need not be those that the model wrote | 0 | 7" in said(document)


def test_a_truncated_answer_is_no_pass_and_a_confident_flip_is_suspect(tmp_path):
    """vLLM's check_logprobs_close walks zip(a, b): an answer of one right token passes there, and so does a flip against 7 nats where always_check_logprobs is asked for."""
    def cut(records):
        for record in records:
            for name in ("token_ids", "logprobs", "top_logprobs"):
                del record["output"][name][1:]
    code, comparison, _ = compared(write_all(tmp_path, runs(cut)))
    assert code == 1 and "early_end" in comparison["kinds"]

    def flip(records):
        for record in records:
            output = record["output"]
            first, second = output["top_logprobs"][2]
            output["token_ids"][2] = second[0]
            output["top_logprobs"][2] = [[second[0], first[1]], [first[0], first[1] - 6]]
    code, comparison, _ = compared(write_all(tmp_path, runs(flip)))
    assert code == 1 and step(comparison, "first_divergence")["effect"] == 1  # 1 nat for it, 6 against: a swing of 7


def test_long_prompts_are_compared_and_ids_of_a_list_count_not_its_ranks(tmp_path):
    """SGLang's runner compares lists by rank, without their ids, and prompts of over 100 tokens not at all."""
    def long(records):
        for record in records:
            record["prompt"]["token_ids"] = [1, *range(100, 900)]

    def exchanged(records):
        long(records)
        for record in records:
            output = record["output"]
            for top in output["top_logprobs"]:
                top[0][0], top[1][0] = top[1][0], top[0][0]
            output["token_ids"][0] = output["top_logprobs"][0][0][0]
    both = runs(exchanged)
    long(both["reference"][1:])
    code, comparison, _ = compared(write_all(tmp_path, both))
    # every first token differs where its gap was 1 nat on both sides: a swing of 2
    assert code == 1 and comparison["kinds"][0] == "prefill_mismatch" and step(comparison, "prefill")["effect"] == 1


def test_a_list_that_lost_the_chosen_tokens_keeps_its_tail_in_the_mean(tmp_path):
    """token-difr averages finite margins alone, so that the worst tokens vanish from its mean."""
    both = {"reference": [HEADER, *(answer(i, gap=0.3 + 0.1 * i) for i in range(N))], "target": [HEADER, *(answer(i, gap=0.3 + 0.1 * i) for i in range(N))]}
    kl = 0
    for i in (3, 12, 24):
        output, gap = both["target"][1 + i]["output"], 0.3 + 0.1 * i
        first = output["logprobs"][2]
        output["logprobs"][2], output["top_logprobs"][2] = -6.0, [[12, -6.0], [9000, -0.01]]
        rest = 1 - math.exp(first)  # of the reference outside the one common id: its second and the tail
        kl += math.exp(first) * (first + 6) + rest * math.log(rest / (1 - math.exp(-6)))
    _, comparison, _ = compared(write_all(tmp_path, both))
    assert step(comparison, "drift")["effect"] == pytest.approx(kl / (3 * N), rel=1e-5) and step(comparison, "drift")["effect"] > 0.05


def test_processed_logprobs_of_the_same_ids_are_not_identical(tmp_path):
    """Both say the same ids; the target's logprobs are those of a temperature of 0.6."""
    reference, target = ([answer(i, ids=range(10, 18), gap=(0.3 + 0.1 * i) / temperature) for i in range(N)] for temperature in (1, 0.6))
    code, comparison, document = compared(write_all(tmp_path, {"reference": [HEADER, *reference], "target": [HEADER, *target]}))
    assert code == 3 and "processed with a temperature" in step(comparison, "logprob_mode")["words"]["en"]
    for records, mode in ((reference, "raw_logprobs"), (target, "processed_logprobs")):
        for record in records:
            record["logprobs_mode"] = mode
    code, comparison, document = compared(write_all(tmp_path, {"reference": [HEADER, *reference], "target": [HEADER, *reference[:20], *target[20:]]}))
    assert comparison["verdict"] not in ("identical", "equivalent")
