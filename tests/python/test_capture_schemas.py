"""The reports of commands that ask servers are of the written schema."""
import json

import asking
import pytest
from test_schemas import validator
from toy_model import Options


@pytest.fixture(scope="module")
def reports(tmp_path_factory, capture):
    """Kind: report, of one run asked, cut, bisected and asked again."""
    from server import Server
    folder, out = tmp_path_factory.mktemp("schemas"), {}

    def keep(kind, *arguments):
        path = folder / f"{kind}.json"
        done = asking.vaa(*arguments, "--out", folder / f"{kind}.jsonl", "--format", "json", "--report", path)
        assert path.exists(), done.stderr
        out[kind] = json.loads(path.read_text())

    with Server() as a, Server(model=Options(fault_from=90)) as b:
        keep("ask", "ask", asking.write_requests(folder / "requests.jsonl", 6, max_tokens=200), "--url", a.url)
        run = folder / "ask.jsonl"
        keep("ladder", "ladder", run, "--at", "50,120", "--url", a.url, "--url", b.url)
        keep("bisect", "ladder", run, "--bisect", "--url", a.url, "--url", b.url)
        keep("again", "ask", "--again", run, "--repeat", "2", "--url", a.url, "--url", b.url)
    return out


@pytest.mark.parametrize("kind", ["ask", "ladder", "bisect", "again"])
def test_a_report_is_of_its_schema(reports, kind):
    report, schema = reports[kind], validator("report.schema.json")
    assert report["kind"] == kind and [e.message for e in schema.iter_errors(report)] == []
    del report[kind][next(iter(report[kind]))]
    assert list(schema.iter_errors(report)), "a member that is missing goes unseen"
