#!/bin/bash
# Makes the runs of examples/data again with the real tools, from nothing.
#
#   [DATA=examples/data] bash tests/realtools/make.sh [WORK [NAME…]]
#
# WORK (default /tmp/eval) gets two virtual environments, the data and the tools' output; the tools write its path into
# their files, so keep it neutral. NAME: one or more of the runs in runs.py (default: all). DATA: where the runs go.
#
# No part of the normal tests: it needs a network for pip, about 8 GB in WORK (one tool wants torch), port 8000 of the
# loopback, and about ten minutes. Times, random ids, folder names and the order of repeats differ from
# run to run; texts do not.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${1:-/tmp/eval}
shift || true
mkdir -p "$work"

install() {     # install NAME REQUIREMENT…: a virtual environment of its own, once
    local folder=$work/$1
    shift
    [ -e "$folder/done" ] && return
    python3 -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet "$@"
    touch "$folder/done"
}

install venv-lm "lm_eval[api]==0.4.13"
# The tool wants numpy below 2 but does not say that newer pyarrow wants numpy 2.
install venv-ais "ais-bench-benchmark==3.1.20260630" "numpy<2" "pyarrow<21"

PYTHONDONTWRITEBYTECODE=1 python3 "$here/runs.py" "$work" "${DATA:-$here/../../examples/data}" "$@"
