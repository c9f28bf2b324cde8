"""Runs of the simulated engines of tests/calibration as record files, for tests of `vaa compare`."""
import json
import math
import sys

import vaa
from conftest import ROOT

sys.path.insert(0, str(ROOT / "tests" / "calibration"))
from token_families import Case, families, files, lines, swing  # noqa: E402, F401

HEADER = {"schema": "vaa.run/1"}


def parsed(run):
    """The header and the records of a run's lines."""
    return [json.loads(line) for line in run]


def write(path, run):
    """run: lines as text or bytes, or objects."""
    def bytes_of(line):
        text = line if isinstance(line, (str, bytes)) else json.dumps(line)
        text = text if isinstance(text, bytes) else text.encode()
        return text if text.endswith(b"\n") else text + b"\n"

    path.write_bytes(b"".join(map(bytes_of, run)))
    return path


def write_all(folder, runs):
    """Paths by role."""
    return {role: write(folder / f"{role}.jsonl", run) for role, run in runs.items() if run is not None}


def compared(paths, **options):
    """(exit code, the comparison's part of the document, the document)"""
    again = {role: paths[role] for role in ("aa", "aa_target") if role in paths}
    report = vaa.compare(paths["reference"], paths["target"], **{**again, **options})
    document = report.to_dict()
    return report.exit_code, document["comparison"], document


def step(comparison, name):
    return next(s for s in comparison["steps"] if s["name"] == name)


def token_numbers(comparison):
    """What the steps of tokens measured."""
    return {s["name"]: {key: s[key] for key in ("status", "effect", "interval", "p", "p_beyond", "n")} for s in comparison["steps"] if s["family"] == "tokens"}


def said(document):
    """All words of the sections, in English, on one line."""
    out = []
    for section in document["sections"]:
        out += [line["text"]["en"] for line in section["lines"]]
        out += [" | ".join(cell["en"] for cell in row["cells"]) for row in section.get("rows") or ()]
    return " \n".join(out)


def answer(number, ids=(10, 11, 12), gap=1.0, prompt=None, **more):
    """A greedy answer whose positions list their id and the id above it, `gap` nats apart; the two hold all but a hundredth."""
    first = round(-0.010 - math.log1p(math.exp(-gap)), 6)
    output = {"token_ids": list(ids), "logprobs": [first] * len(ids), "top_logprobs": [[[i, first], [i + 1, first - gap]] for i in ids], "ids_provenance": "engine", "ids_include_stop": True}
    record = {"schema": "vaa.record/1", "id": str(number), "dataset": "made", "repeat": 0, "prompt": {"token_ids": prompt or [1, 100 + number]}, "finish_reason": "stop", "sampling": {"temperature": 0.0},
              "output": output}
    return {**record, **more}
