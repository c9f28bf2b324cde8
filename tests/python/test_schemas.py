"""The written schemas hold for every report and every line that the stored inputs give."""
import json

import pytest
from conftest import GOLDEN, ROOT, need

import vaa

INPUTS = sorted([p for p in (GOLDEN / "samples").iterdir() if p.suffix != ".md"] + [p / "run" for p in (ROOT / "examples" / "data").iterdir()])


def validator(name):
    jsonschema = need(pytest.importorskip("jsonschema"), "jsonschema")
    schema = json.loads((ROOT / "docs" / name).read_text(encoding="utf-8"))
    return jsonschema.validators.validator_for(schema)(schema)


def test_reports_and_sample_lines_are_of_their_schemas():
    report_schema, line_schema = validator("report.schema.json"), validator("sample-result.schema.json")
    read = 0
    for path in INPUTS:
        try:
            report = vaa.check(str(path))
        except vaa.Error:
            continue
        read += 1
        document = json.loads(report.to_json())
        assert not list(report_schema.iter_errors(document)), path
        for sample in report.samples:
            assert not list(line_schema.iter_errors(dict(sample))), path
        assert document["counts"]["samples"] == len(report.samples)
    assert read > 40


def test_the_schemas_refuse_what_is_wrong():
    report = json.loads(vaa.check(str(ROOT / "examples" / "data" / "aisbench_low_score" / "run")).to_json())
    schema = validator("report.schema.json")
    for key in ("schema", "verdict", "counts", "checks"):
        broken = {k: v for k, v in report.items() if k != key}
        assert list(schema.iter_errors(broken)), key
    report["verdict"]["code"] = 7
    assert list(schema.iter_errors(report))
