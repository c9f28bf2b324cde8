#!/usr/bin/env bash
# Installs the library and the Python package as users do, and builds consumers of them outside the source tree.
#   bash tests/install/run.sh [PART…]     headers pkg-config cmake go wheel; default: all
# Uses build/release where it is, or BUILD=folder.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(headers pkg-config cmake go wheel)
build=${BUILD:-$root/build/release}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
say() { printf '== install: %s\n' "$*"; }
missing() {  # a part that cannot run is skipped, and fails a strict run
  [ -z "${VAA_TESTS_STRICT:-}" ] || { echo "missing: $*" >&2; exit 1; }
  say "skipped: $* is missing"
}

if [ "${parts[*]}" != wheel ]; then
  [ -f "$build/CMakeCache.txt" ] || cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release >/dev/null
  cmake --build "$build" -j "$(nproc)" --target vaa vaa_static vaa_capture vaa_capture_static >/dev/null
  cmake --install "$build" --prefix "$work/first" --component library >/dev/null
  # An installed library may be moved.
  prefix="$work/prefix"
  mv "$work/first" "$prefix"
  libdir=$(dirname "$(find "$prefix" -name 'libvaa.a')")
  export PKG_CONFIG_PATH="$libdir/pkgconfig"
  export LD_LIBRARY_PATH="$libdir"
fi

part_headers() {
  local header
  for header in "$prefix"/include/vaa/*.h; do
    cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" -x c "$header"
    c++ -std=c++17 -pedantic -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" -x c++ "$header"
  done
  say "headers: $(ls "$prefix"/include/vaa/*.h | wc -l) alone in C99 and C++17"
}
part_pkg-config() {
  local package
  for package in vaa vaa-static; do
    # shellcheck disable=SC2046
    cc -std=c99 -pedantic -Wall -Wextra -Werror "$here/consumer/main.c" -o "$work/c-$package" $(pkg-config --cflags --libs "$package")
    # shellcheck disable=SC2046
    c++ -std=c++17 -Wall -Wextra -Werror "$here/consumer/main.cpp" -o "$work/cpp-$package" $(pkg-config --cflags --libs "$package")
    "$work/c-$package" && "$work/cpp-$package"
  done
  for package in vaa_capture vaa_capture-static; do
    # shellcheck disable=SC2046
    cc -std=c99 -pedantic -Wall -Wextra -Werror "$here/consumer/capture.c" -o "$work/c-$package" $(pkg-config --cflags --libs "$package")
    "$work/c-$package"
  done
  needs "$work/c-vaa_capture" libvaa_capture.so
  ! needs "$work/c-vaa_capture-static" libvaa
  needs "$work/c-vaa" libvaa.so
  ! needs "$work/c-vaa" libcurl
  ! needs "$work/c-vaa-static" libvaa.so
  # The shared library asks nothing of who links it.
  ! pkg-config --libs vaa | grep -q zstd
}
needs() { readelf -d "$1" | grep NEEDED | grep -q "$2"; }
part_cmake() {
  local part
  for part in shared static; do
    cmake -S "$here/consumer" -B "$work/cmake-$part" -DCMAKE_PREFIX_PATH="$prefix" -DPART=$part >/dev/null
    cmake --build "$work/cmake-$part" >/dev/null
    "$work/cmake-$part/consumer_c" && "$work/cmake-$part/consumer_cpp" && "$work/cmake-$part/consumer_capture"
  done
  ! needs "$work/cmake-static/consumer_c" libvaa.so
}
part_go() {
  command -v go >/dev/null || { missing go; return 0; }
  python3 "$here/go_proxy.py" "$root/bindings/go" "$work/proxy" v0.1.0
  mkdir "$work/gomod"
  cp "$here/consumer/main.go" "$work/gomod/"
  (
    cd "$work/gomod"
    export GOPROXY="file://$work/proxy" GONOSUMDB='*' GOFLAGS=-mod=mod GONOSUMCHECK=1 GOSUMDB=off GOMODCACHE="$work/modcache" GO111MODULE=on GOTOOLCHAIN=local
    go mod init example.org/consumer >/dev/null 2>&1
    go get github.com/vaa-eval/vaa-go@v0.1.0 >/dev/null 2>&1
    go build -o shared . && ./shared
    go build -tags vaa_static -o static . && ./static
    needs shared libvaa.so
    ! needs static libvaa.so
    go clean -modcache
  )
}
part_wheel() { bash "$here/wheel.sh" "$work/wheels"; }

for part in "${parts[@]}"; do
  declare -F "part_$part" >/dev/null || { echo "no part $part; parts are headers pkg-config cmake go wheel" >&2; exit 2; }
  "part_$part"
  say "$part: good"
done
