"""Samples from files and run folders."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from . import _cvaa
from ._border import Path, interruptible, load, option_json, path_bytes, text_of
from ._sample import Sample


class Records:
    """An input: a file, or a run folder read as a whole. It has no position: each `for sample in records` is one pass, in input order.

    format: a name of vaa.formats(), instead of finding it by content. text_field, id_field, prompt_field, finish_reason_field, gold_field: paths such as
    "choices.0.text", for JSONL of no known format. max_line: bytes, the longest line that is read. Raises Error: VAA_ERROR_NOT_FOUND, VAA_ERROR_IO,
    VAA_ERROR_FORMAT, VAA_ERROR_UNSUPPORTED (a known file of a kind that is not read, named), VAA_ERROR_OPTION.
    """

    def __init__(self, path: Path, *, format: Optional[str] = None, text_field: Optional[str] = None, id_field: Optional[str] = None,
                 prompt_field: Optional[str] = None, finish_reason_field: Optional[str] = None, gold_field: Optional[str] = None,
                 max_line: Optional[int] = None, **options: Any) -> None:
        options.update(format=format, text_field=text_field, id_field=id_field, prompt_field=prompt_field, finish_reason_field=finish_reason_field,
                       gold_field=gold_field, max_line=max_line)
        words = option_json(options)
        self._handle = interruptible(lambda: _cvaa.vaa_records_open(path_bytes(path), words))
        self.problems: dict[str, Any] = {"count": 0, "lines": []}
        """What the last pass could not read: {"count", "lines": [{"file", "line", "message"}]}, the first 100."""

    @property
    def format(self) -> str:
        """The name of the format."""
        return _cvaa.vaa_records_format(self._handle)

    @property
    def run(self) -> dict[str, Any]:
        """The run header (vaa.run/1)."""
        return load(_cvaa.vaa_records_run(self._handle) or "{}")

    def __iter__(self) -> Iterator[Sample]:
        cursor = _cvaa.vaa_cursor_new(self._handle)
        owner = self  # the cursor reads from these records
        try:
            while True:
                sample = Sample()
                if not _cvaa.vaa_cursor_next(cursor, sample._handle):
                    return
                yield sample
        finally:
            owner.problems = load(text_of(_cvaa.vaa_cursor_problems(cursor)))
