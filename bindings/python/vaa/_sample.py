"""One generation, field by field."""

from __future__ import annotations

import functools
import math
import threading
from typing import Any, Iterator, Mapping, MutableMapping, Optional, Sequence

from . import _cvaa
from ._border import Text, load, text_of

_SET = {1: _cvaa.vaa_sample_set_str, 2: _cvaa.vaa_sample_set_i64, 3: _cvaa.vaa_sample_set_f64, 4: _cvaa.vaa_sample_set_ids, 5: _cvaa.vaa_sample_set_f64s,
        6: _cvaa.vaa_sample_set_i64s}
_GET = {1: _cvaa.vaa_sample_str, 2: _cvaa.vaa_sample_i64, 3: _cvaa.vaa_sample_f64, 4: _cvaa.vaa_sample_ids, 5: _cvaa.vaa_sample_f64s,
        6: _cvaa.vaa_sample_i64s}
_ARRAYS = 4  # from here on a field holds an array


@functools.lru_cache(maxsize=None)
def field_number(name: str) -> int:
    """The number of a field such as "output.text". Raises Error (VAA_ERROR_NOT_FOUND) that names the fields that there are."""
    return _cvaa.vaa_field_find(name)


@functools.lru_cache(maxsize=None)
def field_names() -> tuple[str, ...]:
    """The names of all fields."""
    return tuple(name for number in range(100, 700) if (name := _cvaa.vaa_field_name(number)))


class Sample(MutableMapping[str, Any]):
    """One generation: a mapping from field names ("output.text", "finish_reason", "output.token_ids", …; vaa.Sample.fields()) to values.

    A field that was not set, or was set to None, is not recorded and not in the mapping; "" is an empty text. Text comes back as str, or as bytes where it
    is not UTF-8; arrays as numpy arrays of their own. Raises Error for a field that is none, TypeError, OverflowError and Error for a value that is not
    allowed. A second thread that calls waits for the first.
    """

    __slots__ = ("_handle", "_lock")

    def __init__(self, fields: Optional[Mapping[str, Any]] = None, *, text: Optional[Text] = None, prompt: Optional[Text] = None,
                 token_ids: Optional[Sequence[int]] = None, finish_reason: Optional[str] = None,
                 logprobs: Optional[Sequence[Optional[float]]] = None, reasoning: Optional[Text] = None, id: Optional[str] = None) -> None:
        self._handle = _cvaa.vaa_sample_new()
        self._lock = threading.Lock()
        for name, value in (fields or {}).items():
            self[name] = value
        for name, value in (("output.text", text), ("prompt.text", prompt), ("output.token_ids", token_ids), ("finish_reason", finish_reason),
                            ("output.logprobs", logprobs), ("output.reasoning", reasoning), ("id", id)):
            if value is not None:
                self[name] = value

    @staticmethod
    def fields() -> tuple[str, ...]:
        """The names of all fields."""
        return field_names()

    @classmethod
    def from_json(cls, record: Text) -> "Sample":
        """From a record line (vaa.record/1)."""
        sample = cls()
        _cvaa.vaa_sample_from_json(sample._handle, record)
        return sample

    def to_json(self) -> str:
        """As a record line (vaa.record/1), without line feed."""
        with self._lock:
            return text_of(_cvaa.vaa_sample_to_json(self._handle))

    def to_dict(self) -> dict[str, Any]:
        """As a record (vaa.record/1); what is not recorded is None or left out."""
        return load(self.to_json())

    def clear(self) -> None:
        """Makes every field not recorded, and keeps the memory."""
        with self._lock:
            _cvaa.vaa_sample_clear(self._handle)

    def __setitem__(self, name: str, value: Any) -> None:
        number = field_number(name)
        kind = number // 100
        if kind == 5 and isinstance(value, (list, tuple)) and None in value:
            value = [math.nan if x is None else x for x in value]
        with self._lock:
            if value is None:
                _cvaa.vaa_sample_unset(self._handle, number)
            else:
                _SET[kind](self._handle, number, value)

    def __getitem__(self, name: str) -> Any:
        number = field_number(name)
        with self._lock:
            if not _cvaa.vaa_sample_has(self._handle, number):
                raise KeyError(name)
            value = _GET[number // 100](self._handle, number)
            if number // 100 < _ARRAYS:
                return value
            import numpy

            return numpy.array(value)  # of its own: the sample may change

    def __delitem__(self, name: str) -> None:
        if name not in self:
            raise KeyError(name)
        self[name] = None

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            return _cvaa.vaa_sample_has(self._handle, field_number(name)) != 0
        except _cvaa.Error:
            return False

    def __iter__(self) -> Iterator[str]:
        return (name for name in field_names() if _cvaa.vaa_sample_has(self._handle, field_number(name)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<vaa.Sample {self.get('dataset')!r} {self.get('id')!r}>"
