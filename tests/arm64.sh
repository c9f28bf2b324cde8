#!/usr/bin/env bash
# Cross-builds for aarch64 with Debian's arm64 packages and runs every C++ test once under qemu-user. Counts and times: docs/aarch64.md.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../tools/setup.sh"
cd "$root"
need build test
packages="crossbuild-essential-arm64 qemu-user libzstd-dev:arm64 zlib1g-dev:arm64 libcjson-dev:arm64 libcurl4-openssl-dev:arm64 libicu-dev:arm64"
if ! dpkg --print-foreign-architectures | grep -qx arm64 || ! dpkg-query -W $packages >/dev/null 2>&1; then
  say "installing $packages"
  sudo=$([ "$(id -u)" -eq 0 ] || echo sudo)
  $sudo dpkg --add-architecture arm64
  $sudo apt-get -o DPkg::Lock::Timeout=300 -qq update
  $sudo apt-get -o DPkg::Lock::Timeout=300 -qq -y install --no-install-recommends $packages >/dev/null
fi
export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
cmake --preset arm64
began=$SECONDS
cmake --build build/arm64 -j "$(nproc)"
say "built in $((SECONDS - began)) s; tests under qemu-user"
began=$SECONDS
ctest --test-dir build/arm64 --output-on-failure -j "$(nproc)"
say "tested in $((SECONDS - began)) s"
