"""vaa align: setups of files, scripts and runs, and what is said of two."""
import json

import pytest
from conftest import GOLDEN, ROOT
from test_command import run
from test_schemas import validator

import vaa

SETUPS = ROOT / "examples" / "setups"


def test_scripts_and_the_models_file():
    code, out, err = run("align", SETUPS / "vllm_serve.sh", SETUPS / "sglang_serve.sh", "--generation-config", SETUPS)
    assert (code, err) == (1, "") and "do not sample alike: temperature, top_k, top_p" in out
    code, out, _ = run("align", SETUPS / "vllm_serve.sh", SETUPS / "vllm_serve.sh")
    assert code == 3 and "not known on a side: greedy, temperature" in out


def test_one_side_has_its_own_words(tmp_path):
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"temperature": 0.6, "max_tokens": 100}))
    both = ["align", SETUPS / "vllm_serve.sh", SETUPS / "vllm_serve.sh", "--generation-config", SETUPS, "--request", request]
    assert run(*both)[0] == 0
    code, out, _ = run(*both, "--tgt-entry", "completions", "--tgt-engine", "sglang")
    assert code == 1 and "SGLang, completions" in out


def test_a_run_says_what_it_records():
    setup = vaa.setup(GOLDEN / "samples" / "vaa_records.jsonl")
    assert setup["engine"] == "vllm_ascend" and setup["launch"][:2] == ["vllm", "serve"]
    fields = vaa.effective_parameters(setup)
    assert set(fields) >= {"temperature", "top_k", "max_tokens"} and all({"value", "from"} <= set(field) for field in fields.values())


def test_the_document_is_of_its_schema():
    report = vaa.align({"engine": "vllm", "generation_config": None}, {"engine": "llama_cpp"})
    assert report.exit_code == 1
    assert [e.message for e in validator("report.schema.json").iter_errors(json.loads(report.to_json()))] == []


@pytest.mark.parametrize("given, words", [
    ("{", "cannot"), ('{"engine": "vlm"}', "did you mean vllm"), ('{"engine": "vllm", "oops": 1}', "oops: is not known"), ('#!/bin/sh\necho "nothing"\n', "no command starts an engine"),
    ('{"engine": "vllm", "request": 3}', "request: must be an object"), ('{"engine": "vllm", "launch": "vllm serve", "entry": "batch"}', "chat, completions, offline")])
def test_bad_setups_are_named(tmp_path, given, words):
    path = tmp_path / "setup.json"
    path.write_text(given)
    code, out, err = run("align", path, SETUPS / "vllm_serve.sh")
    assert code == 2 and out == "" and len(err.splitlines()) == 1, err
    assert words in err or given == "{", err
