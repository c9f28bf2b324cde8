#!/usr/bin/env bash
# Every test in every language: release and ASan+UBSan whole, TSan for what runs on threads, Python, Go, consumers of the installed library.
#   bash tests/run.sh            all
#   bash tests/run.sh STAGE…     some: release asan tsan python go install
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/setup.sh"
cd "$root"
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(release asan tsan python go install)
jobs=$(nproc)
began=$SECONDS

need build test
built() {  # PRESET [TARGET…]
  local preset=$1; shift
  say "$preset: build"
  cmake --preset "$preset" >/dev/null
  cmake --build "build/$preset" -j "$jobs" "${@/#/--target=}"
}

stage_release() {
  built release
  say "release: tests"
  ctest --test-dir build/release --output-on-failure -j "$jobs"
}
stage_asan() {
  built asan
  say "asan: tests"
  UBSAN_OPTIONS=print_stacktrace=1 ctest --test-dir build/asan --output-on-failure -j "$jobs"
}
stage_tsan() {
  local name threaded
  mapfile -t threaded < <(grep -rl --include='*.cpp' '\[threads\]' tests/unit tests/capi | xargs -n 1 dirname | xargs -n 1 basename | sort -u)
  [ "${#threaded[@]}" -ge 2 ] || die "tsan: ${#threaded[@]} modules have tests tagged [threads], at least 2 should"
  built tsan "${threaded[@]/#/test_}"
  say "tsan: tests of what runs on threads"
  for name in "${threaded[@]}"; do "build/tsan/tests/test_$name" '[threads]'; done
}
# The library installed beside the build, where pkg-config and the loader find it.
installed_library() {
  [ -z "${prefix_ready:-}" ] || return 0
  say "install the library beside the build"
  [ -f build/release/build.ninja ] || cmake --preset release >/dev/null
  cmake --build build/release -j "$jobs" --target vaa vaa_static vaa_capture vaa_capture_static
  cmake --install build/release --prefix "$root/build/prefix" --component library >/dev/null
  local libdir
  libdir=$(dirname "$(find "$root/build/prefix" -name vaa.pc)")
  export PKG_CONFIG_PATH="$libdir:${PKG_CONFIG_PATH:-}" LD_LIBRARY_PATH="$(dirname "$libdir"):${LD_LIBRARY_PATH:-}"
  prefix_ready=1
}
stage_python() {
  installed_library
  make_venv
  install_python
  "$venv/bin/python" -c 'import hypothesis, jsonschema, pytest' 2>/dev/null || "$venv/bin/python" -m pip install --quiet --disable-pip-version-check hypothesis jsonschema pytest
  say "python: tests"
  VAA_TESTS_STRICT=1 "$venv/bin/python" -m pytest -q tests/python
}
stage_go() {
  go_is_new_enough || die "the Go module needs Go 1.21 or later, and this is $(go env GOVERSION 2>/dev/null || echo none); put a newer one on the PATH (https://go.dev/dl), or run the other stages by name"
  installed_library
  cd bindings/go
  say "go: vet"
  go vet ./...
  say "go: tests under the race detector"
  go test -race ./...
  say "go: tests with cgocheck2"
  GOEXPERIMENT=cgocheck2 go test ./...
  cd "$root"
}
stage_install() {
  say "install: consumers"
  bash tests/install/run.sh
}
for stage in "${stages[@]}"; do
  declare -F "stage_$stage" >/dev/null || die "no stage $stage; stages are release asan tsan python go install"
  "stage_$stage"
done
say "all of ${stages[*]} in $((SECONDS - began)) s"
