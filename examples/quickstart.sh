#!/usr/bin/env bash
# From a fresh machine to a report: installs what is missing, builds a release, installs the Python package into .venv and checks a genuine evaluation run.
#   bash examples/quickstart.sh          do it
#   bash examples/quickstart.sh --list   print the names of the packages, for apt and for dnf systems
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/setup.sh"
case "${1:-}" in
  --list) list_packages; exit 0 ;;
  '') ;;
  *) die "usage: bash examples/quickstart.sh [--list]" ;;
esac
cd "$root"

need build
say "building the library"
cmake --preset release -DVAA_TESTS=OFF -B build/quickstart >/dev/null
cmake --build build/quickstart
make_venv
install_python

run="examples/data/aisbench_low_score/run"
say "vaa check $run"
set +e
"$venv/bin/vaa" check "$run"
code=$?
set -e
say "exit code $code: $(case $code in 0) echo the run passes ;; 1) echo the run fails, as it should: the server of this example breaks answers on purpose ;; *) echo the run could not be checked ;; esac)"
[ "$code" -eq 1 ]
