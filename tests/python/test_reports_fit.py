"""Reports for people fit the terminal: no line of a stored run is wider than asked for, in either language."""
import unicodedata

import pytest
from conftest import ROOT

import vaa

RUNS = sorted(p / "run" for p in (ROOT / "examples" / "data").iterdir())


def columns(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.parent.name)
def test_no_line_is_wider_than_the_terminal(run):
    report = vaa.check(str(run))
    flags = {check["name"] for check in report.to_dict()["checks"] if check["found"]}
    for width in (60, 80, 100):
        for lang in ("en", "zh"):
            text = report.to_text(lang=lang, width=width)
            for line in text.splitlines():
                assert columns(line) <= width or line.startswith("    $ "), (width, lang, line)
                assert not line.endswith(("（", "《", "「")), line
            assert all(flag in text for flag in flags)
