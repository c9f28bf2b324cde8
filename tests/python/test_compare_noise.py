"""What --save-noise writes: of the schema, the same report by --noise as by --aa, refused where it is of other runs."""
import json

import pytest

import vaa
from conftest import ROOT
from test_command import run
from token_runs import HEADER, Case, answer, compared, families, files, parsed, write, write_all

SCHEMA = json.loads((ROOT / "docs" / "noise.schema.json").read_text(encoding="utf-8"))


def without_lists(run):
    header, *records = parsed(run)
    for record in records:
        del record["output"]["logprobs"], record["output"]["top_logprobs"]
    return [header, *records]


def small(name, **size):
    family = families()[name]
    return family.write(Case(0, 31, **{**family.size, **size}))


CASES = {
    "lists": lambda: small("noise 1.3 x A/A, version", prompts=24, length=128),
    "ids alone": lambda: {role: lines and without_lists(lines) for role, lines in small("noise 1.3 x A/A, version", prompts=24, length=128).items()},
    "identical": lambda: small("A/A to the bit", prompts=12, length=64),
    "rungs": lambda: small("ladder, bug from 4,096", prompts=64),
    "forced": lambda: small("forced, noise 1.3 x A/A", prompts=6, length=256),
    "sampled with one seed": lambda: small("T = 0.6, one seed", prompts=12, length=64),
    "one token": lambda: {role: [HEADER, answer(0, ids=[7])] for role in ("reference", "aa", "target")},
    "an empty answer": lambda: {role: [HEADER, answer(0, ids=[]), answer(1)] for role in ("reference", "aa", "target")},
}


@pytest.mark.parametrize("name", CASES)
def test_a_noise_file_is_of_the_schema_and_stands_for_the_run_that_it_measured(name, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    paths, noise = write_all(tmp_path, CASES[name]()), tmp_path / "noise.json"
    both = ("compare", paths["reference"], paths["target"], "--format", "json")
    code, by_run, err = run(*both, "--aa", paths["aa"], "--save-noise", noise)
    assert err == "" and not list(tmp_path.glob("*.part"))
    jsonschema.validate(json.loads(noise.read_text(encoding="utf-8")), SCHEMA)
    by_file_code, by_file, err = run(*both, "--noise", noise)
    assert err == "" and by_file_code == code and json.loads(by_file) == json.loads(by_run)


def test_noise_of_other_runs_is_refused_by_what_differs(tmp_path):
    case = Case(0, 32, prompts=8, length=64)
    runs = files(*[case.answers() for _ in range(3)])
    paths, noise = write_all(tmp_path, runs), tmp_path / "noise.json"
    assert run("compare", paths["reference"], paths["target"], "--aa", paths["aa"], "--save-noise", noise)[0] in (0, 3)
    header, *records = parsed(runs["reference"])
    for member, value, words in (("model", {"name": "other"}, "model is made-1b in the noise file, other in the reference"), ("engine", {"name": "made", "version": "2"}, "engine is made 1 in the noise file, made 2"),
                                 ("hardware", "other", "hardware is made in the noise file, other"), ("logprobs_mode", "processed_logprobs", "logprobs_mode is raw_logprobs in the noise file, processed_logprobs")):
        write(paths["reference"], [{**header, member: value}, *records])
        code, out, _ = run("compare", paths["reference"], paths["target"], "--noise", noise, "--lang", "en")
        assert code == 2 and words in " ".join(out.split()), out
    for record in records:
        record["output"]["top_logprobs"] = [tokens[:3] for tokens in record["output"]["top_logprobs"]]
    write(paths["reference"], [header, *records])
    code, out, _ = run("compare", paths["reference"], paths["target"], "--noise", noise, "--lang", "en")
    assert code == 2 and "list_size is 5 logprobs a token in the noise file, 3 in the runs" in " ".join(out.split())


def test_a_noise_file_that_was_changed_is_refused_by_its_member(tmp_path):
    case = Case(0, 32, prompts=8, length=64)
    paths, noise = write_all(tmp_path, files(*[case.answers() for _ in range(3)])), tmp_path / "noise.json"
    run("compare", paths["reference"], paths["target"], "--aa", paths["aa"], "--save-noise", noise)
    whole = json.loads(noise.read_text())
    for change, words in (({"schema": "vaa.noise/2"}, "noise: schema"), ({"pairs": -1}, "noise: pairs: is -1"), ({"tau": "large"}, "noise: tau"), ({"more": 1}, 'noise: "more": no member'),
                          ({"suspects": {"k": 3, "n": 2, "design": 1}}, "noise: suspects")):
        noise.write_text(json.dumps({**whole, **change}))
        code, out, err = run("compare", paths["reference"], paths["target"], "--noise", noise)
        assert code == 2 and out == "" and words in err, (change, err)
    for text in ("", "{", "[1]", "\x00", "{\"schema\": \"vaa.noise/1\"}"):
        noise.write_text(text)
        code, out, err = run("compare", paths["reference"], paths["target"], "--noise", noise)
        assert code == 2 and out == "" and "noise" in err, (text, err)


def test_what_measures_no_noise_writes_no_file(tmp_path):
    texts = [{"schema": "vaa.record/1", "id": str(i), "output": {"text": f"It is {i}."}} for i in range(4)]
    paths = write_all(tmp_path, {"reference": texts, "aa": texts, "target": texts})
    code, _, err = run("compare", paths["reference"], paths["target"], "--aa", paths["aa"], "--save-noise", tmp_path / "noise.json")
    assert code == 2 and "do not both record token ids" in err and not (tmp_path / "noise.json").exists()
    code, _, err = run("compare", paths["reference"], paths["target"], "--save-noise", tmp_path / "noise.json")
    assert code == 2 and "--aa RUN" in err
    with pytest.raises(vaa.Error, match="noise"):
        compared(paths, noise="{}", aa=None)
