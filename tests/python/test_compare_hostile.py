"""vaa compare given what no one should give it: the same run twice, files that are empty, torn or contradict themselves, outputs that are no plain files."""
import json
import os
import stat

import pytest

import vaa
from test_command import run
from test_compare import answers, record, write


def scored(i, ids, logprob=-0.25, **more):
    return record(i, f"It is {i}.", sampling={"temperature": 0}, **more) | {"output": {"text": f"It is {i}.", "token_ids": ids, "logprobs": [logprob] * len(ids)}}


def greedy(n, logprob=-0.25, part=()):
    return [scored(i, [10 * i + k + (1000 if i in part and k >= 20 else 0) for k in range(40)], logprob) for i in range(n)]


@pytest.fixture
def runs(tmp_path):
    for name, logprob, part in (("old", -0.25, ()), ("again", -0.251, (1, 2)), ("new", -0.252, (2, 3))):
        write(tmp_path / f"{name}.jsonl", greedy(40, logprob, part))
    return tmp_path


def test_a_run_as_its_own_second_run_is_refused_by_any_path(runs):
    link, hard = runs / "link.jsonl", runs / "hard.jsonl"
    link.symlink_to(runs / "old.jsonl")
    os.link(runs / "new.jsonl", hard)
    for option, path, role in (("--aa", runs / "old.jsonl", "reference"), ("--aa", link, "reference"), ("--aa", runs / "." / "new.jsonl", "target"), ("--aa-target", hard, "target"), ("--aa-target", link, "reference")):
        code, _, err = run("compare", runs / "old.jsonl", runs / "new.jsonl", option, path)
        assert code == 2 and f"{option}: is " in err and f"the same file as {role}: nothing was measured" in err, err
    with pytest.raises(vaa.Error, match="reference_again: is .*the same file as reference"):
        vaa.compare(runs / "old.jsonl", runs / "new.jsonl", aa=link)


def test_noise_is_written_as_other_outputs_are(runs):
    save = ("compare", runs / "old.jsonl", runs / "new.jsonl", "--aa", runs / "again.jsonl", "--save-noise")
    plain, link = runs / "noise.json", runs / "link.json"
    run(*save, plain)
    assert json.loads(plain.read_text())["schema"] == "vaa.noise/1" and not list(runs.glob("*.part*"))
    link.symlink_to(plain)
    plain.write_text("old")
    run(*save, link)
    assert link.is_symlink() and json.loads(plain.read_text())["pairs"] == 40
    run(*save, "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    code, out, _ = run(*save, "/dev/stdout", "--format", "json")
    assert out.startswith('{"schema": "vaa.noise/1"')
    code, _, err = run(*save, runs)
    assert code == 2 and "it is a folder" in err
    report = vaa.compare(runs / "old.jsonl", runs / "new.jsonl")
    with pytest.raises(vaa.Error, match="format: is noise, and the report has none"):
        report.render(format="noise")


def test_noise_that_is_none_is_refused_with_file_key_value_and_what_is_allowed(runs):
    noise = runs / "noise.json"
    run("compare", runs / "old.jsonl", runs / "new.jsonl", "--aa", runs / "again.jsonl", "--save-noise", noise)
    good = noise.read_text()
    compare = ("compare", runs / "old.jsonl", runs / "new.jsonl", "--noise", noise)
    assert run(*compare)[0] != 2
    for text, words in (("", "is empty"), (" \n", "is empty"), (good.replace('"diverged": 2', '"diverged": 99'), "diverged: is 99, must be at most pairs, 40"), (good.replace('"pairs": 40', '"pairs": -40'), "pairs: is -40, must be at least 0"),
                        (good.replace('"identical": false', '"identical": true'), "must be 0 where identical is true"), (good[:50], "at byte")):
        assert text != good
        noise.write_text(text)
        code, _, err = run(*compare)
        assert code == 2 and f"{noise}: " in err and words in err, err
    noise.write_bytes(good.encode("utf-16"))
    assert "is UTF-16, must be UTF-8" in run(*compare)[2]
    with pytest.raises(vaa.Error, match="noise: is empty"):
        vaa.compare(runs / "old.jsonl", runs / "new.jsonl", noise="")


def test_a_matrix_that_is_none_is_refused_with_its_line(runs):
    matrix = runs / "matrix.csv"
    compare = ("compare", runs / "old.jsonl", runs / "new.jsonl", runs / "again.jsonl", "--matrix", matrix)
    head = b"run,graph\nold.jsonl,0\n"
    for text, words in ((b"", "is empty"), (head + b'"new.jsonl,1\nagain.jsonl,1\n', "line 3: a quotation mark is not closed"), (head + b"new.jsonl,1\x00\n", "line 3 holds a NUL byte"), (head.decode().encode("utf-16"), "is UTF-16"),
                        (head.decode().encode("utf-16-le"), "line 1 holds a NUL byte"), (head + b"new.jsonl,\xff\n", "line 3 is not UTF-8"), (head + b"new.jsonl\n", "line 3 has 1 values"), (b"run,graph,graph\n", 'line 1: switch "graph" stands there twice'),
                        (head + b"old.jsonl,1\n", 'line 3: run "old.jsonl" stands there twice, first in line 2')):
        matrix.write_bytes(text)
        code, _, err = run(*compare)
        assert code == 2 and f"{matrix}: " in err and words in err, err
    with pytest.raises(vaa.Error, match="matrix: is empty"):
        vaa.Variants(matrix="")


def test_ids_that_no_vocabulary_has_are_the_reason_why_nothing_is_left(runs):
    write(runs / "bad.jsonl", [scored(i, [3000000000]) for i in range(5)])
    code, out, _ = run("compare", runs / "old.jsonl", runs / "bad.jsonl", "--lang", "en")
    assert code == 2 and "the target has no samples: 5 problems while reading, first bad.jsonl, line 1: output.token_ids[0]: is no token id" in " ".join(out.split())


def test_runs_without_a_dataset_pair_whatever_their_files_are_called(tmp_path):
    def bare(seed):
        return [{k: v for k, v in r.items() if k != "dataset"} for r in answers(30, seed)]

    one, other = write(tmp_path / "one.jsonl", bare(1)), write(tmp_path / "other.jsonl", bare(2))
    assert vaa.compare(one, other).to_dict()["comparison"]["pairing"]["shared"] == 30
    for name in ("a", "b"):  # ids of two files of one folder are not the same questions
        (tmp_path / name).mkdir()
        for part in ("x", "y"):
            write(tmp_path / name / f"{part}.jsonl", bare(ord(part)))
    pairing = vaa.compare(tmp_path / "a", tmp_path / "b").to_dict()["comparison"]["pairing"]
    assert pairing["shared"] == 60 and pairing["one_each"]
    assert vaa.check(tmp_path / "a").to_dict()["counts"]["questions"] == 60


def test_a_target_line_that_stands_twice_counts_once(tmp_path):
    old, new = answers(30, 1), answers(30, 2)
    document = vaa.compare(write(tmp_path / "old.jsonl", old), write(tmp_path / "new.jsonl", new + new)).to_dict()
    target = document["comparison"]["pairing"]["target"]
    assert (target["samples"], target["copies"]) == (30, 30) and document["comparison"]["pairing"]["one_each"]


def test_impossible_logprobs_are_not_comparable(runs):
    write(runs / "bad.jsonl", greedy(40, 0.5))
    code, out, _ = run("compare", runs / "old.jsonl", runs / "bad.jsonl", "--lang", "en")
    assert code == 2 and "1,600 of 1,600 positions of the target (100 %)" in " ".join(out.split())
