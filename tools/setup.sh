# Sourced by examples/quickstart.sh and tests/run.sh: what vaa needs on this machine, and how it is installed.
#   need GROUP…     installs the Debian packages of the groups (build, test) that are missing, saying which
#   list_packages   prints the names of the packages for apt and for dnf systems
#   make_venv       makes .venv with the build tools of the Python package
#   install_python  builds the wheel and installs it into .venv, if anything it is made from has changed

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="$root/.venv"

packages_build="g++ cmake ninja-build pkg-config ccache libzstd-dev zlib1g-dev libcjson-dev libcurl4-openssl-dev python3 python3-venv python3-dev"
packages_test="catch2 libicu-dev libsimdjson-dev swig golang-go"
packages_build_dnf="gcc-c++ cmake ninja-build pkgconf-pkg-config ccache libzstd-devel zlib-devel cjson-devel libcurl-devel python3 python3-devel"
packages_test_dnf="catch2-devel libicu-devel simdjson-devel swig golang"

say() { printf '\033[1m==\033[0m %s\n' "$*"; }
[ -t 1 ] || say() { printf '== %s\n' "$*"; }
die() { printf 'error: %s\n' "$*" >&2; exit 2; }

list_packages() {
  printf 'apt, build:  %s\napt, tests:  %s\ndnf, build:  %s\ndnf, tests:  %s\n' "$packages_build" "$packages_test" "$packages_build_dnf" "$packages_test_dnf"
}

go_is_new_enough() { command -v go >/dev/null && [ "$(go env GOVERSION 2>/dev/null | sed -E 's/^go1\.([0-9]+).*/\1/')" -ge 21 ] 2>/dev/null; }

# A tool that stands on the PATH need not come from a package: a newer Go or CMake of the user's own is left alone.
provided() {
  case "$1" in
    golang-go) go_is_new_enough ;;
    cmake) command -v cmake >/dev/null && cmake --version | head -1 | awk '{split($3, v, "."); exit !(v[1] > 3 || v[2] >= 22)}' ;;
    ninja-build) command -v ninja >/dev/null ;;
    python3) command -v python3 >/dev/null ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    python3-dev) [ -f "$(python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])' 2>/dev/null)/Python.h" ] ;;
    g++) command -v g++ >/dev/null ;;
    ccache | swig) command -v "$1" >/dev/null ;;
    *) return 1 ;;
  esac
}

need() {
  local group missing=() name
  for group in "$@"; do
    local list="packages_$group"
    for name in ${!list}; do
      provided "$name" && continue
      dpkg-query -W -f='${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
    done
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "this machine has no apt-get; install the packages that 'bash examples/quickstart.sh --list' prints, then run this again"
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "missing packages: ${missing[*]}; install them as root, then run this again"
    sudo=(sudo)
  fi
  say "installing ${missing[*]}"
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq update
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y install --no-install-recommends "${missing[@]}" >/dev/null
}

make_venv() {
  [ -x "$venv/bin/python" ] || { say "making .venv"; python3 -m venv "$venv"; }
  "$venv/bin/python" -c 'import scikit_build_core, numpy' 2>/dev/null || {
    say "installing the build tools of the Python package into .venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check "scikit-build-core>=0.10" "numpy>=1.24"
  }
}

install_python() {
  local stamp="$venv/.vaa-installed" newer
  if [ -f "$stamp" ]; then
    newer=$(cd "$root" && find include lib bindings cmake CMakeLists.txt pyproject.toml -newer "$stamp" -type f ! -name '*.pyc' -print -quit)
    [ -z "$newer" ] && return 0
  fi
  say "building the Python package"
  touch "$stamp.begun"  # what changes while it is built is newer
  # The compiler's name and -Werror as in the release preset: the compiler cache then has all of it.
  CC="${CC:-cc}" CXX="${CXX:-c++}" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall \
    --config-settings cmake.define.VAA_WERROR=ON "$root"
  mv "$stamp.begun" "$stamp"
}
