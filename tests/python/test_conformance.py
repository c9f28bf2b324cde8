"""The runner of vector files: it counts, it names what it does not know, and it fails when a value is changed."""

import json
import subprocess
import sys

import pytest

import vaa

LOOP = {"gen": {"prefix": "A word before. ", "unit": "and so it goes on ", "times": 60, "suffix": ""}}
CASES = [
    {"case": "loop", "class": "loop", "prompt": "Say it.", "text": LOOP, "finish_reason": "length", "must_flag": ["repetition_loop", "truncated"],
     "must_not_flag": ["empty"], "expect": {"onset_chars_about": 15, "period_chars": 18}},
    {"case": "empty", "class": "empty", "prompt": "Say it.", "text": "", "finish_reason": "stop", "must_flag": ["empty"], "must_not_flag": ["repetition_loop"]},
    {"case": "surrogate", "class": "garble", "prompt": "Say it.", "text": "so \ud83d it \u0000 is", "finish_reason": "stop", "must_flag": ["invalid_unicode", "control_char"],
     "must_not_flag": []},
    {"case": "clean", "class": "clean", "prompt": "Say it.", "text": "All is well here.", "finish_reason": "stop", "must_flag": [], "must_not_flag": ["empty"]},
]


def run(tmp_path, cases, *arguments, name="cases.jsonl"):
    """(exit code, lines of the output)."""
    path = tmp_path / name
    path.write_text("".join(json.dumps(case) + "\n" for case in cases) if isinstance(cases, list) else cases)
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(path), *arguments], capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines() + done.stderr.splitlines()


def changed(index, **values):
    cases = [dict(case) for case in CASES]
    cases[index].update(values)
    return cases


def test_all_is_well(tmp_path):
    assert run(tmp_path, CASES) == (0, ["4 passed, 0 failed, 0 unknown"])
    assert run(tmp_path, CASES, "--strict") == (0, ["4 passed, 0 failed, 0 unknown"])


@pytest.mark.parametrize("cases, words", [
    (changed(0, must_flag=["think_unclosed"]), "loop: not found: think_unclosed"),
    (changed(0, must_not_flag=["repetition_loop"]), "loop: found: repetition_loop"),
    (changed(0, expect={"onset_chars_about": 15, "period_chars": 19}), "no loop of period 19"),
    (changed(0, expect={"onset_chars_about": 900, "period_chars": 18}), "from about 900"),
    (changed(0, text="It is well."), "repetition_loop"),
    (changed(0, finish_reason="stop"), "truncated"),
    (changed(1, text="x"), "empty: not found: empty"),
    (changed(2, text="so it is"), "not found: control_char, invalid_unicode"),
    (changed(3, text=LOOP), "clean: found: premature_stop, repetition_loop"),
])
def test_a_changed_value_fails(tmp_path, cases, words):
    code, lines = run(tmp_path, cases)
    assert code == 1 and lines[-1] == "3 passed, 1 failed, 0 unknown"
    assert lines[0].startswith("failed: ") and words in lines[0]


def test_a_stretch_case_may_miss_and_must_not_find(tmp_path):
    assert run(tmp_path, changed(0, must_flag=["think_unclosed"], expect=None, level="stretch")) == (0, ["4 passed, 0 failed, 0 unknown", "missed, as level stretch may be: 1"])
    assert run(tmp_path, changed(0, must_not_flag=["repetition_loop"], level="stretch"))[0] == 1


def test_unknown_flags_are_named_and_the_rest_is_judged(tmp_path):
    cases = changed(0, must_flag=["repetition_loop", "time_travel"])
    assert run(tmp_path, cases) == (0, ["4 passed, 0 failed, 1 unknown", "unknown: flag time_travel: 1"])
    assert run(tmp_path, cases, "--strict")[0] == 1
    assert run(tmp_path, changed(1, must_flag=["time_travel"], must_not_flag=["empty"]))[0] == 1
    assert run(tmp_path, changed(1, must_flag=["time_travel"], must_not_flag=[])) == (0, ["3 passed, 0 failed, 1 unknown", "unknown: flag time_travel: 1"])


def test_info_counts_for_must_flag_and_not_for_must_not(tmp_path):
    assert run(tmp_path, changed(0, must_flag=["repetition_loop"], must_not_flag=["truncated"]))[0] == 0


@pytest.mark.parametrize("document, unknown", [
    ({"vectors": [{"id": 1, "kind": "chain"}, {"id": 2, "kind": "chain"}, {"id": 3, "kind": "race"}]}, ["unknown: kind chain: 2", "unknown: kind race: 1"]),
    ({"conventions": {}, "vectors": [{"id": 1, "group": "stats"}]}, ["unknown: group stats: 1"]),
    ({"vectors": [{"id": 1, "generator": "philox"}]}, ["unknown: generator philox: 1"]),
    ({"tol": {}, "deepseek_r1": {}, "variants": [{}, {}]}, ["unknown: kind rope: 3"]),
])
def test_kinds_that_are_not_known_are_named(tmp_path, document, unknown):
    count = sum(int(line.rsplit(" ", 1)[1]) for line in unknown)
    lines = [f"0 passed, 0 failed, {count} unknown", *unknown]
    assert run(tmp_path, json.dumps(document, indent=1), name="vectors.json") == (0, lines)
    assert run(tmp_path, json.dumps(document), "--strict", name="vectors.json") == (1, lines)


@pytest.mark.parametrize("text", ["", "no json\n", "[1, 2]", '{"other": 1}', '"x"'])
def test_a_file_of_no_known_shape_is_refused(tmp_path, text):
    code, lines = run(tmp_path, text)
    assert code == 2 and lines[0] == "0 passed, 0 failed, 0 unknown" and "no shape" in lines[1]
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(tmp_path / "nothing")], capture_output=True, text=True)
    assert done.returncode == 2 and "nothing" in done.stderr


def test_a_folder_is_its_vector_files(tmp_path):
    folder = tmp_path / "vectors"
    folder.mkdir()
    code = subprocess.run([sys.executable, "-m", "vaa.conformance", str(folder)], capture_output=True, text=True)
    assert code.returncode == 2 and code.stderr == f"vaa: {folder}: is a folder without .json and .jsonl files\n"
    (folder / "README.md").write_text("no vectors")
    (folder / "a.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES))
    (folder / "b.json").write_text(json.dumps({"vectors": [{"id": 1, "kind": "chain"}]}))
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(folder)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "4 passed, 0 failed, 1 unknown\nunknown: kind chain: 1\n")


def test_a_broken_case_fails(tmp_path):
    good = json.dumps(CASES[1])
    code, lines = run(tmp_path, f'{good}\n{{"must_flag": []}}\n{{broken\n')
    assert code == 1 and lines[-1] == "1 passed, 2 failed, 0 unknown"


def test_the_judged_texts(tmp_path):
    """The stored cases of the golden file, all of level core, for the flags that there are."""
    from conftest import GOLDEN, need

    path = GOLDEN / "vectors" / "quality_cases.jsonl"
    need(path.exists(), "tests/golden/vectors/quality_cases.jsonl")
    done = subprocess.run([sys.executable, "-m", "vaa.conformance", str(path)], capture_output=True, text=True)
    summary = next(line for line in done.stdout.splitlines() if " passed, " in line)
    assert done.returncode == 0 and " 0 failed, " in summary, done.stdout[-3000:]
    assert int(summary.split()[0]) > 80
    assert len(vaa.flags()) > 10
