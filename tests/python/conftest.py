"""What the Python tests share. They use the installed package `vaa`; some need the installed library too (pkg-config vaa), SWIG 4.1.0, Go or a compiler.

A test that lacks something is skipped, and fails instead where VAA_TESTS_STRICT is set: so a run that should have everything cannot pass by skipping."""

import contextlib
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import sysconfig

import pytest

# A shell starts what runs in its background deaf to Ctrl-C, and children inherit that: here they shall hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, so that a failure tells of a change and not of luck; with VAA_EXPLORE=1 new ones are drawn.
if importlib.util.find_spec("hypothesis") and not os.environ.get("VAA_EXPLORE"):
    import hypothesis

    hypothesis.settings.register_profile("steady", derandomize=True)
    hypothesis.settings.load_profile("steady")

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(ROOT / "tests" / "capture"))


def need(there, what):
    """Skips the test, or fails it in a strict run, unless `there`."""
    if there:
        return there
    if os.environ.get("VAA_TESTS_STRICT"):
        pytest.fail(f"missing: {what}")
    pytest.skip(f"missing: {what}")


def swig():
    """The path of SWIG 4.1.0."""
    program = need(shutil.which(os.environ.get("SWIG", "swig")), "swig")
    version = subprocess.run([program, "-version"], capture_output=True, text=True, check=True).stdout
    if "SWIG Version 4.1.0" not in version:  # a developer's tool: another version elsewhere is no fault
        pytest.skip("the wrappers are made by SWIG 4.1.0")
    return program


def pkg_config(*arguments):
    """What pkg-config says, as a list."""
    program = need(shutil.which("pkg-config"), "pkg-config")
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    need(done.returncode == 0, f"pkg-config {' '.join(arguments)}")
    return done.stdout.split()


@pytest.fixture(scope="session")
def probe(tmp_path_factory):
    """tests/probe through the Python typemaps."""
    folder = tmp_path_factory.mktemp("probe")
    source = ROOT / "tests" / "probe"
    subprocess.run([swig(), "-python", "-builtin", "-threads", f"-I{ROOT}/include", f"-I{ROOT}/bindings", f"-I{source}", "-outdir", str(folder), "-o",
                    str(folder / "probe_wrap.c"), str(source / "probe.i")], check=True)
    need(shutil.which("cc"), "a C compiler")
    library = folder / ("_cprobe" + sysconfig.get_config_var("EXT_SUFFIX"))
    flags = pkg_config("--cflags", "--libs", "vaa")
    where = [f"-Wl,-rpath,{flag[2:]}" for flag in flags if flag.startswith("-L")]
    quiet = [f"-Wno-{name}" for name in ("unused-function", "cast-function-type", "deprecated-declarations", "missing-field-initializers")]  # SWIG's
    subprocess.run(["cc", "-std=c11", "-O1", "-g", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", *quiet, f"-I{sysconfig.get_paths()['include']}", f"-I{ROOT}/include", f"-I{ROOT}/bindings/python", f"-I{source}", str(folder / "probe_wrap.c"),
                    str(source / "probe.c"), "-o", str(library), *flags, *where], check=True)
    spec = importlib.util.spec_from_file_location("_cprobe", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def capture():
    """The package can ask servers: it was built with libcurl."""
    need(importlib.util.find_spec("vaa") and importlib.util.find_spec("vaa._capture"), "vaa._capture (a build with libcurl)")


@pytest.fixture
def serve():
    """serve(engine="vllm", script=[…], …) starts a scripted server (tests/capture/server.py) that runs until the test ends."""
    from server import Server
    with contextlib.ExitStack() as servers:
        yield lambda **options: servers.enter_context(Server(**options))


@pytest.fixture
def certificate(tmp_path):
    """certificate(name) gives the path of a PEM file: a key and its self-signed certificate."""
    import certificates
    need(shutil.which("openssl"), "openssl")
    return lambda name="127.0.0.1": certificates.self_signed(tmp_path, name)
