"""The demonstration of the first page: 50 questions asked and checked, and a planted fault found at its position."""

import os
import subprocess
import sys

from conftest import ROOT


def test_the_demonstration_finds_the_planted_fault(tmp_path):
    done = subprocess.run(["bash", str(ROOT / "examples" / "ask_demo.sh"), str(tmp_path)], capture_output=True, text=True, timeout=600, env=dict(os.environ, PYTHON=sys.executable, LANG="C"))
    assert done.returncode == 0, done.stderr + done.stdout
    assert "all 50 were answered" in done.stdout
    assert "50 samples, 50 answers" in done.stdout
    assert "FAIL  B parts from A from position 777 on" in done.stdout, done.stdout
    assert len((tmp_path / "new.jsonl").read_text().splitlines()) == 52  # the answers between two lines of the header
