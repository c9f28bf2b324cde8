"""Would two setups sample alike."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Mapping, Optional, Union

from . import _cvaa
from ._border import Path, load, text_of
from ._records import Records
from ._report import Report

Setup = dict[str, Any]
_MOST = 1 << 20  # bytes of a file that may be a setup or a script; runs are larger, or of another form


def setup(of: Union[Path, Mapping[str, Any]], *, engine: Optional[str] = None, entry: Optional[str] = None, generation_config: Union[Path, Mapping[str, Any], None] = None,
          request: Union[Path, Mapping[str, Any], None] = None, sampler: Optional[str] = None) -> Setup:
    """What is known of how an engine is run, as a vaa.setup/1 object (docs/align.md).

    of: such an object, its file, a shell script that starts an engine (read, never run), or a run. The others say what `of` does not, or say it better; generation_config: that file, its
    folder, or what it holds; request: a body, or its file. Raises Error and OSError.
    """
    out = dict(of) if isinstance(of, Mapping) else _setup_of_path(os.fspath(of))
    given = {"engine": engine, "entry": entry, "generation_config": _object(generation_config, "generation_config.json"), "request": _object(request), "sampler": sampler}
    for name, value in given.items():
        if value is not None:
            out[name] = {**out.get(name, {}), **value} if name == "request" else value
    return out


def _object(of: Union[Path, Mapping[str, Any], None], name: str = "") -> Optional[Setup]:
    if of is None or isinstance(of, Mapping):
        return None if of is None else dict(of)
    path = pathlib.Path(of)
    path = path / name if path.is_dir() and name else path
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as fault:
        raise ValueError(f"{path}: is no JSON: {fault}") from None
    if not isinstance(held, dict):
        raise ValueError(f"{path}: is no JSON object")
    return held


def _setup_of_path(path: str) -> Setup:
    if os.path.isfile(path) and os.path.getsize(path) <= _MOST:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        try:
            held = json.loads(text)
        except (ValueError, RecursionError):
            held = None
        if isinstance(held, dict) and held.get("schema", "vaa.setup/1") == "vaa.setup/1" and "engine" in held:
            return {"name": path, **held}
        if text.startswith("#!") or path.endswith((".sh", ".bash")):
            return {"name": path, **load(text_of(_cvaa.vaa_setup_of_script(text)))}
    records = Records(path)
    return {"name": path, **load(text_of(_cvaa.vaa_setup_of_records(records._handle)))}


def align(reference: Union[Path, Mapping[str, Any]], target: Union[Path, Mapping[str, Any]]) -> Report:
    """The report on two setups, each as setup() takes them: pass where no difference changes the law of answers, fail where one does, undecided where what could is not known."""
    return Report(_cvaa.vaa_align(json.dumps(setup(reference)), json.dumps(setup(target))))


def effective_parameters(of: Union[Path, Mapping[str, Any]]) -> dict[str, Any]:
    """What an engine really uses: {field: {"value", "from"}}; value None: not known, and `from` says what is missing; "asked": what the engine changed."""
    fields = load(text_of(_cvaa.vaa_effective_parameters(json.dumps(setup(of)))))["fields"]
    return {field.pop("name"): field for field in fields}
