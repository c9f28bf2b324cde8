"""How a result is held against a vector's expected one: `tol` of verification.json and rng.json."""

from __future__ import annotations

import math
from typing import Any, Iterator, Mapping

Path = tuple[str, ...]


def mismatches(got: Mapping[str, Any], vector: Mapping[str, Any]) -> list[str]:
    """What of `expected` the result does not have, in words; empty where it has all. Fields that are named in `informational` need not be there."""
    tolerances = vector.get("tol", {})
    return [
        fault
        for name, want in vector["expected"].items()
        if name not in vector.get("informational", ())
        for fault in _differences(got[name] if name in got else _MISSING, want, (name,), name, tolerances)
    ]


_MISSING = object()


def _differences(got: Any, want: Any, path: Path, shown: str, tolerances: Mapping[str, Any]) -> Iterator[str]:
    """`path` is that of the field, without the indices that `shown` has."""
    if got is _MISSING:
        yield f"{shown} is missing"
    elif isinstance(want, dict):
        for name, value in want.items():
            found = got[name] if isinstance(got, Mapping) and name in got else _MISSING
            yield from _differences(found, value, (*path, name), f"{shown}.{name}", tolerances)
    elif isinstance(want, list):
        if not isinstance(got, (list, tuple)) or len(got) != len(want):
            yield f"{shown} is {got!r}, expected {len(want)} elements"
            return
        for i, (mine, value) in enumerate(zip(got, want)):
            yield from _differences(mine, value, path, f"{shown}[{i}]", tolerances)
    elif not _agree(got, want, _tolerance(path, tolerances)):
        yield f"{shown} is {got!r}, expected {want!r}"


def _tolerance(path: Path, tolerances: Mapping[str, Any]) -> Mapping[str, Any]:
    """The longest path that holds this one, else "*"."""
    for size in range(len(path), 0, -1):
        found = tolerances.get(".".join(path[:size]))
        if found is not None:
            return found
    return tolerances.get("*", {})


def _agree(got: Any, want: Any, tolerance: Mapping[str, Any]) -> bool:
    if want == "inf" or want == "-inf":
        return isinstance(got, (int, float)) and got == float(want)
    if not isinstance(want, float):  # null, booleans, whole numbers and text are exact
        return isinstance(got, bool) == isinstance(want, bool) and got == want
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return False
    distance = abs(got - want)
    return (
        got == want
        or distance <= tolerance.get("rel", -1) * abs(want)
        or distance <= tolerance.get("abs", -1)
        or distance <= tolerance.get("ulp", -1) * _spacing(want, tolerance.get("type", "f64"))
    )


def _spacing(value: float, kind: str) -> float:
    """From one number of this type to the next at `value`."""
    digits, least = (24, -149) if kind == "f32" else (53, -1074)
    return math.ldexp(1.0, max(math.frexp(value)[1] - digits, least))
