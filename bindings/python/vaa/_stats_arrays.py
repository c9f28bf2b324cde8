"""The arrays that vaa.stats takes: lists or numpy arrays of any layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Hashable, Mapping, Sequence, Union

if TYPE_CHECKING:
    import numpy

Reals = Union[Sequence[float], "numpy.ndarray[Any, Any]"]
Wholes = Union[Sequence[int], "numpy.ndarray[Any, Any]"]
Flags = Union[Sequence[bool], Sequence[int], "numpy.ndarray[Any, Any]"]
Labels = Union[Sequence[Hashable], "numpy.ndarray[Any, Any]"]
Top = Union[Mapping[int, float], tuple[Wholes, Reals]]


def array_of(values: Any, name: str, kinds: str, dtype: str, must: str) -> "numpy.ndarray[Any, Any]":
    import numpy

    array = numpy.asarray(values)
    if array.size and array.dtype.kind not in kinds:
        raise TypeError(f"{name}: has elements of type {array.dtype}, must be {must}")
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and dtype == "int64" and array.size and array.max() > 2**63 - 1:
        raise OverflowError(f"{name}: holds {array.max()}, must be below 2^63")
    return numpy.asarray(array, dtype=dtype, order="C")


def reals(values: Reals, name: str) -> "numpy.ndarray[Any, Any]":
    return array_of(values, name, "biuf", "float64", "numbers")


def wholes(values: Wholes, name: str) -> "numpy.ndarray[Any, Any]":
    return array_of(values, name, "biu", "int64", "whole numbers")


def zeros_and_ones(values: Flags, name: str) -> "numpy.ndarray[Any, Any]":
    flags = array_of(values, name, "biu", "int64", "bools, or 0 and 1")
    wrong = (flags != 0) & (flags != 1)
    if wrong.any():
        raise ValueError(f"{name}[{wrong.argmax()}]: is {flags[wrong][0]}, must be 0 or 1")
    return flags.astype("uint8")


def labels(values: Labels) -> "numpy.ndarray[Any, Any]":
    """Numbers for labels of any kind, equal ones for equal ones."""
    import numpy

    if isinstance(values, numpy.ndarray) and values.dtype.kind in "biu":
        return wholes(values, "labels")
    numbers: dict[Hashable, int] = {}
    return numpy.array([numbers.setdefault(value, len(numbers)) for value in values], dtype="int64")


def top_of(top: Top, name: str) -> tuple["numpy.ndarray[Any, Any]", "numpy.ndarray[Any, Any]"]:
    ids, logprobs = (list(top.keys()), list(top.values())) if isinstance(top, Mapping) else top
    return wholes(ids, f"{name} ids"), reals(logprobs, f"{name} logprobs")
