"""What must hold of a repaired wheel: wheel_contents.py WHEEL CMAKELISTS."""

import re
import subprocess
import sys
import tempfile
import zipfile
import pathlib

wheel, lists = sys.argv[1], pathlib.Path(sys.argv[2])
version = re.search(r"project\(vaa VERSION ([0-9.]+)", lists.read_text()).group(1)
assert f"vaa-{version}-" in wheel and "manylinux" in wheel, wheel
SYSTEM = re.compile(r"^(libc|libm|libpthread|libdl|librt|libresolv|libutil|libgcc_s|libstdc\+\+|libz|ld-linux[-\w]*)\.so(\.\d+)*$")  # what every manylinux system has

with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
    names = archive.namelist()
    archive.extractall(folder)
    libraries = [name for name in names if ".so" in pathlib.PurePath(name).name]
    carried = {pathlib.PurePath(name).name for name in libraries}
    for name in libraries:
        path = pathlib.Path(folder, name)
        needed = re.findall(r"NEEDED.*\[(.*?)\]", subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout)
        for need in needed:
            assert SYSTEM.match(need) or need in carried, f"{name} needs {need}"
        sections = subprocess.run(["readelf", "-S", "--wide", path], capture_output=True, text=True, check=True).stdout
        assert ".debug_info" not in sections and (".symtab" not in sections or "vaa.libs" in name), f"{name} is not stripped"
    for module in ("_cvaa", "_capture"):
        extension = next(name for name in libraries if module in name)
        symbols = subprocess.run(["nm", "-D", "--defined-only", pathlib.Path(folder, extension)], capture_output=True, text=True, check=True).stdout.split()
        assert [s for s in symbols[2::3]] == [f"PyInit_{module}"], symbols
    assert "libvaa" not in " ".join(carried)
    assert {"vaa/py.typed", "vaa/__init__.py", "vaa/cli.py"} <= set(names), names
    assert not [name for name in names if name.endswith((".c", ".h", ".i", ".cpp"))], names
    entry = next(name for name in names if name.endswith("entry_points.txt"))
    entries = archive.read(entry).decode()
    assert "vaa = vaa.cli:main" in entries and "vaa_probe = vaa.integrations.vllm:register" in entries, entries
    assert "vaa/integrations/vllm.py" in names, names
    print("carried:", ", ".join(sorted(carried)))
