"""The wrappers that are committed are those that SWIG 4.1.0 writes, and hold in Go too."""

import os
import re
import shutil
import subprocess

from conftest import ROOT, need, pkg_config, swig

WRAPPERS = ("python/cvaa_wrap.c", "go/internal/cvaa/cvaa.go", "go/internal/cvaa/vaa_wrap.c", "python/capture_wrap.c", "go/internal/ccapture/ccapture.go",
            "go/internal/ccapture/ccapture_wrap.c")


def test_the_committed_wrappers_are_up_to_date(tmp_path):
    swig()
    subprocess.run(["sh", str(ROOT / "bindings" / "generate.sh"), str(tmp_path)], check=True)
    for name in WRAPPERS:
        assert (tmp_path / name).read_bytes() == (ROOT / "bindings" / name).read_bytes(), f"bindings/{name}: run bindings/generate.sh"


def test_every_public_function_is_wrapped():
    """No function of the headers is lost on the way; errors and _free are made into exceptions and classes in Python."""
    bindings = ROOT / "bindings"
    for module, wrapped in (("cvaa", lambda header: header != "capture.h"), ("capture", lambda header: header == "capture.h")):
        headers = "".join(path.read_text() for path in (ROOT / "include" / "vaa").glob("*.h") if wrapped(path.name))
        names = re.findall(r"VAA_API [^;(]*?(vaa_\w+)\(", headers)
        assert len(names) > (60 if module == "cvaa" else 7)
        python = (bindings / "python" / f"{module}_wrap.c").read_text()
        package = module if module == "cvaa" else "ccapture"
        go = (bindings / "go" / "internal" / package / f"{package}.go").read_text()
        for name in names:
            if not name.startswith("vaa_error_"):
                assert name + "(" in python, name
            assert "func " + "".join(part.capitalize() for part in name.split("_")) + "(" in go, name


def test_the_interface_files_name_no_function():
    headers = "".join(path.read_text() for path in (ROOT / "include" / "vaa").glob("*.h"))
    names = set(re.findall(r"VAA_API [^;(]*?(vaa_\w+)\(", headers))
    for path in (ROOT / "bindings").rglob("*.i"):
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        assert not names & set(re.findall(r"\bvaa_\w+", code)), path


def test_the_go_typemaps(tmp_path):
    swig()
    need(shutil.which("go"), "go")
    libraries = [flag[2:] for flag in pkg_config("--libs-only-L", "vaa")]
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join([*libraries, os.environ.get("LD_LIBRARY_PATH", "")]))
    subprocess.run(["sh", str(ROOT / "tests" / "probe" / "go.sh"), str(tmp_path)], check=True, env=environment)
