"""Rungs of a ladder through `vaa compare`: they pair by what was cut where, count by their positions, and the report says which way through the model they went."""
import random

import pytest

from token_runs import Case, compared, families, parsed, said, step, write_all


def rungs(name, number=0):
    family = families()[name]
    return {role: parsed(run) for role, run in family.write(Case(number, 41, **family.size)).items()}


def table(document, name):
    """{column: values}"""
    return {column["name"]: column["values"] for column in next(t for t in document["tables"] if t["name"] == name)["columns"]}


@pytest.fixture(scope="module")
def noise():
    return rungs("ladder, noise 1.0 x A/A")


def test_rungs_pair_and_are_counted_by_position(noise, tmp_path):
    code, comparison, document = compared(write_all(tmp_path, noise))
    assert code in (0, 3) and comparison["pairing"]["shared"] == 64 and comparison["noise"]["pairs"] == 64
    words = said(document)
    assert "ladder rungs: the first token is prefill of that many ids, the others decode; 64 pairs, positions 1,024" in words
    assert "answers that went on by themselves: prefill of the prompt" not in words and "teacher forced" not in words
    # 16 answers are cut at each of 1,024, 2,048, 4,160 and 8,192, and go on for at most 32 tokens: a power of two each
    position = next(s for s in document["sections"] if s["heading"]["en"].lower().find("position") >= 0 and s["columns"])
    rows = [[cell["en"] for cell in row["cells"]] for row in position["rows"]]
    assert [row[0].split(" – ")[0] for row in rows] == ["1,024", "2,048", "4,096", "8,192"] and [row[1] for row in rows] == ["16"] * 4
    assert all(int(row[2].replace(",", "")) <= 16 * 32 for row in rows)
    assert step(comparison, "prefill")["n"] == 64


def test_a_fault_from_a_position_on_is_placed_between_the_rungs(tmp_path):
    code, comparison, document = compared(write_all(tmp_path, rungs("ladder, bug from 4,096")))
    position = step(comparison, "position")
    assert code == 1 and "position_dependent_drift" in comparison["kinds"] and position["status"] == "fail"
    assert "it begins at position" in position["words"]["en"] and "4,096, a common limit" in position["words"]["en"]


def test_a_number_of_the_header_is_named_before_a_common_limit(tmp_path):
    runs = rungs("ladder, bug from 4,096")
    runs["target"][0]["model"]["rope_scaling"] = {"factor": 4, "original_max_position_embeddings": 4096}
    _, comparison, _ = compared(write_all(tmp_path, runs))
    assert "4,096, model.rope_scaling.original_max_position_embeddings, lies in it" in step(comparison, "position")["words"]["en"]


def test_the_report_says_which_rungs_were_chunked_and_which_came_from_the_cache(noise, tmp_path):
    runs = {role: [dict(record) for record in run] for role, run in noise.items()}
    runs["target"][0] = {**runs["target"][0], "engine": {"name": "made", "version": "1", "launch": {"max_num_batched_tokens": 2048}}}
    for i, record in enumerate(runs["target"][1:]):
        record["usage"] = {"cached_tokens": 512 if i % 4 == 0 else 0}
    _, _, document = compared(write_all(tmp_path, runs))
    words = said(document)
    assert "chunked prefill of the target: 32 pairs with a prompt longer than engine.launch.max_num_batched_tokens 2,048" in words and "chunked prefill of the reference" not in words
    assert "prefix cache of the target: tokens of 16 of 64 prompts were cached" in words and "prefix cache of the reference: not recorded" in words


def test_rungs_of_two_servers_in_one_file_are_held_server_by_server(noise, tmp_path):
    """As `vaa ladder --url A --url B` writes them, as they arrive: the second server goes on with other texts."""
    other = rungs("ladder, noise 1.0 x A/A", 1)

    def both(seed):
        records = []
        for server, run in enumerate((noise["reference"], other["reference"])):
            records += [{**record, "extra": {"rung": {**record["extra"]["rung"], "server": server}}} for record in run[1:]]
        random.Random(seed).shuffle(records)
        return [noise["reference"][0], *records]

    code, comparison, document = compared(write_all(tmp_path, {"reference": both(1), "target": both(2)}))
    assert code == 0 and comparison["verdict"] == "identical"
    assert comparison["pairing"]["target"]["duplicates"] == 64 and "64 samples of the target give a repeat of a question again" in said(document)


def test_a_cut_that_one_side_lacks_has_no_partner(noise, tmp_path):
    code, comparison, document = compared(write_all(tmp_path, {**noise, "target": noise["target"][:49]}))  # none at 8,192
    assert code == 3 and comparison["pairing"]["shared"] == 48 and comparison["pairing"]["only_reference"] == 16
    assert "16 questions in the reference only, left out: made/0@8192" in said(document)
