"""Arrays of files: .npy and .safetensors, mapped into memory and never unpickled; ids also as JSON or as plain numbers."""

from __future__ import annotations

import json
import os
import struct
from typing import TYPE_CHECKING, Any, Optional

from ._border import Path

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

SUFFIXES = (".npy", ".safetensors")
_MOST_HEADER = 100_000_000  # bytes, what the format allows
_MOST_TEXT = 1 << 30
# BF16 is the upper half of a float32.
_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1", "U8": "|u1", "U16": "<u2", "U32": "<u4", "U64": "<u8"}


def is_array_file(path: Path) -> bool:
    """By its name."""
    return os.fsdecode(path).endswith(SUFFIXES)


def open_array(path: Path, tensor: Optional[str] = None) -> "tuple[Array, bool]":
    """The array of a file, mapped, and whether its numbers are bfloat16 (as uint16). tensor: which one of a .safetensors, needed where it holds several. Raises ValueError and OSError."""
    name = os.fsdecode(path)
    if name.endswith(".npy"):
        return _open_npy(name), False
    return _open_safetensors(name, tensor)


def _open_npy(name: str) -> "Array":
    import numpy

    with open(name, "rb") as file:
        first = file.read(6)
    if first != b"\x93NUMPY":
        raise ValueError(f"{name}: is {'empty' if not first else 'no .npy file: it begins otherwise'}")
    try:
        array = numpy.load(name, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError, OverflowError) as fault:
        raise ValueError(f"{name}: is no whole .npy file: {' '.join(str(fault).split())}") from None
    if not isinstance(array, numpy.ndarray) or array.dtype.kind not in "fiu":
        raise ValueError(f"{name}: holds {getattr(array, 'dtype', type(array).__name__)}, must be an array of float or whole numbers")
    return array


def _header(name: str) -> "tuple[dict[str, Any], int, int]":
    """The header of a .safetensors, where its data begins, and how much there is."""
    size = os.path.getsize(name)
    with open(name, "rb") as file:
        first = file.read(8)
        if len(first) < 8:
            raise ValueError(f"{name}: is cut: has {len(first)} bytes, a .safetensors begins with 8 that say how long its header is")
        length = struct.unpack("<Q", first)[0]
        if length > min(size - 8, _MOST_HEADER):
            raise ValueError(f"{name}: is cut: its header has {length} bytes, and {size - 8} follow")
        try:
            header = json.loads(file.read(length))
        except (ValueError, RecursionError) as fault:
            raise ValueError(f"{name}: its header is no JSON: {fault}") from None
    if not isinstance(header, dict):
        raise ValueError(f"{name}: its header is no JSON object")
    header.pop("__metadata__", None)
    return header, 8 + length, size - 8 - length


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


def _open_safetensors(name: str, tensor: Optional[str]) -> "tuple[Array, bool]":
    import numpy

    header, begin, size = _header(name)
    known = ", ".join(sorted(header)[:20]) + (", …" if len(header) > 20 else "")
    if tensor is None:
        if len(header) != 1:
            raise ValueError(f"{name}: holds {len(header)} tensors, say which: {known}")
        tensor = next(iter(header))
    if tensor not in header:
        raise ValueError(f"{name}: has no tensor {tensor!r}; there are {known or 'none'}")
    one = header[tensor]
    what = f"{name}: tensor {tensor!r}"
    if not isinstance(one, dict) or not isinstance(one.get("dtype"), str) or not isinstance(one.get("shape"), list) or not isinstance(one.get("data_offsets"), list):
        raise ValueError(f"{what}: lacks dtype, shape or data_offsets")
    if one["dtype"] not in _TYPES:
        raise ValueError(f"{what}: is of {one['dtype'][:20]!r}, must be one of {', '.join(_TYPES)}")
    if not all(map(_whole, one["shape"])) or len(one["data_offsets"]) != 2 or not all(map(_whole, one["data_offsets"])):
        raise ValueError(f"{what}: shape and data_offsets must be whole numbers of at least 0, two of the latter")
    dtype, need = numpy.dtype(_TYPES[one["dtype"]]), 1
    for extent in one["shape"]:
        need *= extent
    first, last = one["data_offsets"]
    if last < first or last - first != need * dtype.itemsize:
        raise ValueError(f"{what}: its offsets {first} to {last} do not hold {need} numbers of {dtype.itemsize} bytes")
    if last > size:
        raise ValueError(f"{what}: is cut: it ends at byte {last}, and there are {size}")
    if need == 0:
        return numpy.empty(one["shape"], dtype), one["dtype"] == "BF16"
    return numpy.memmap(name, dtype, "r", begin + first, tuple(one["shape"])), one["dtype"] == "BF16"


def float_rows(array: "Array", bfloat16: bool) -> "Array":
    """Numbers of such an array as float32."""
    import numpy

    if bfloat16:
        return (array.astype(numpy.uint32) << numpy.uint32(16)).view(numpy.float32)
    return numpy.ascontiguousarray(array, numpy.float32)


def read_ids(path: Path, tensor: Optional[str] = None) -> "Array":
    """Token ids of a file: an array of whole numbers (.npy, .safetensors), a JSON list, or numbers divided by white space and commas."""
    import numpy

    name = os.fsdecode(path)
    if is_array_file(path):
        ids, bfloat16 = open_array(path, tensor)
        if bfloat16 or ids.dtype.kind not in "iu" or ids.ndim > 2 or (ids.ndim == 2 and 1 not in ids.shape):
            raise ValueError(f"{name}: is {ids.ndim}-D of {'bfloat16' if bfloat16 else ids.dtype}, ids are one list of whole numbers")
        return numpy.array(ids).reshape(-1)
    if os.path.getsize(name) > _MOST_TEXT:
        raise ValueError(f"{name}: is larger than 1 GiB, which no list of ids is")
    with open(name, encoding="utf-8", errors="replace") as file:
        text = file.read()
    try:
        held = json.loads(text) if text.lstrip().startswith("[") else [int(word) for word in text.replace(",", " ").split()]
    except (ValueError, RecursionError):
        raise ValueError(f"{name}: is no list of ids: neither JSON nor whole numbers") from None
    for place, one in enumerate(held):
        if not isinstance(one, int) or isinstance(one, bool) or not 0 <= one < 1 << 31:
            raise ValueError(f"{name}: ids[{place}] is {str(one)[:40]}, must be a whole number of 0 to 2147483647")
    return numpy.array(held, numpy.int32)
