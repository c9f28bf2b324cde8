"""Lays the Go module out as a module proxy of files: go_proxy.py MODULE_FOLDER PROXY_FOLDER VERSION."""

import json
import pathlib
import re
import sys
import zipfile

source, proxy, version = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
module = re.search(r"^module (\S+)", (source / "go.mod").read_text(), re.M).group(1)
folder = proxy / module / "@v"
folder.mkdir(parents=True)
(folder / "list").write_text(version + "\n")
(folder / f"{version}.info").write_text(json.dumps({"Version": version, "Time": "2026-01-01T00:00:00Z"}))
(folder / f"{version}.mod").write_text((source / "go.mod").read_text())
with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(source.rglob("*")):
        if path.is_file():
            archive.write(path, f"{module}@{version}/{path.relative_to(source)}")
