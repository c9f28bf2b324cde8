"""What a check concludes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional

from . import _cvaa
from ._border import Path, load, option_json, path_bytes, text_of

if TYPE_CHECKING:
    import numpy

VERDICTS = ("pass", "fail", "not_checked", "undecided")

_EVIDENCE = frozenset((
    "onset_byte", "length_bytes", "onset_char", "length_chars", "onset_token", "length_tokens", "period_bytes", "period_chars", "period_tokens", "count",
    "measure", "threshold", "excerpt", "reason",
))


class _Row(Mapping[str, Any]):
    """A JSON object whose members are attributes too."""

    __slots__ = ("_data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no {name}; it has {', '.join(self._data)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self._data)!r})"

    def __reduce__(self) -> Any:
        return type(self), (dict(self._data),)


class Finding(_Row):
    """One flag on one sample: flag, severity ("fail", "warn", "info"), confidence ("certain", "suspected"), part ("text", "reasoning", "sample"), and the
    evidence: onset, length and period in bytes, chars (code points) and tokens, count, excerpt, reason. Evidence that does not apply is None.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        return self._data.get(name) if name in _EVIDENCE else super().__getattr__(name)


class Explanation(_Row):
    """What stands behind a flag, in one language: name, kind, severity, ceiling, title, summary, rule (what is tested), calibration (what it was measured on),
    traps, causes (seen in engines), next (the run to make)."""

    __slots__ = ()


class SampleResult(_Row):
    """What was found on one sample: id, repeat, dataset, request_failed, correct, … of docs/sample-result.schema.json, and as below."""

    __slots__ = ()

    @property
    def flags(self) -> set[str]:
        """Names of the flags with a finding of severity fail or warn."""
        return set(self._data["flags"])

    @property
    def unknown(self) -> set[str]:
        """Names of the flags that could not be tested, for want of input."""
        return set(self._data["unknown"])

    @property
    def findings(self) -> list[Finding]:
        """All findings, of every severity."""
        return [Finding(one) for one in self._data["findings"]]


class Report:
    """The verdict on a run, and what it rests on. Never changes; shared by threads."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._samples: Optional[list[SampleResult]] = None

    @property
    def exit_code(self) -> int:
        """0 passes, 1 fails, 2 could not be checked, 3 undecided."""
        return _cvaa.vaa_report_verdict(self._handle)

    @property
    def verdict(self) -> str:
        """"pass", "fail", "not_checked" (nothing could be judged) or "undecided" (the report says how many more samples are needed)."""
        return VERDICTS[self.exit_code]

    @property
    def samples(self) -> list[SampleResult]:
        """One result a sample, in input order, the first max_rows (an option of the check) of them."""
        if self._samples is None:
            lines = _cvaa.vaa_report_samples(self._handle)
            if isinstance(lines, bytes):
                lines = lines.decode("utf-8", "surrogatepass")
            self._samples = [SampleResult(load(line)) for line in lines.split("\n") if line]
        return self._samples

    def render(self, **options: Any) -> str:
        """The report in words. format: "json", "text", "markdown", "noise" (the profile that a comparison measured); lang: "en", "zh"; color: bool; width: columns."""
        return text_of(_cvaa.vaa_report_render(self._handle, option_json(options)))

    def to_json(self) -> str:
        """The JSON document (docs/report.schema.json)."""
        return self.render(format="json")

    def to_dict(self) -> dict[str, Any]:
        """The JSON document as a dict."""
        return load(self.to_json())

    def to_markdown(self, lang: str = "en") -> str:
        return self.render(format="markdown", lang=lang)

    def to_text(self, lang: str = "en", color: bool = False, width: int = 100) -> str:
        return self.render(format="text", lang=lang, color=color, width=width)

    def write(self, path: Path, **options: Any) -> None:
        """render() into a file, which holds all of it or what it held before. Raises Error (VAA_ERROR_IO)."""
        _cvaa.vaa_report_write(self._handle, path_bytes(path), option_json(options))

    def number(self, pointer: str) -> float:
        """A number of the document by JSON pointer, such as "/counts/samples"; true and false are 1 and 0. Raises Error where there is none."""
        return _cvaa.vaa_report_number(self._handle, pointer)

    def column(self, table: str, name: str) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
        """A numeric column of a table: a read-only array of float64 without a copy, which keeps the report; null is NaN. Raises Error that names what there is."""
        import numpy

        return numpy.asarray(_cvaa.vaa_report_column(self._handle, table, name))

    def __repr__(self) -> str:
        return f"<vaa.Report {self.verdict}>"

    def __str__(self) -> str:
        return self.to_text()
