"""Checks of texts, samples and runs."""

from __future__ import annotations

import functools
import threading
from typing import Any, Callable, NamedTuple, Optional, Sequence, overload

from . import _cvaa
from ._border import Path, Task, Text, interruptible, load, option_json, text_of
from ._records import Records
from ._report import Explanation, Finding, Report, SampleResult
from ._sample import Sample
from ._vocab import Vocab

_SEVERITY = ("", "info", "warn", "fail")
_CONFIDENCE = ("", "suspected", "certain")
_PART = ("text", "reasoning", "sample")


@functools.lru_cache(maxsize=None)
def _flag_names() -> tuple[str, ...]:
    return tuple(_cvaa.vaa_flag_name(i) for i in range(_cvaa.vaa_flag_count()))


class Pushed(NamedTuple):
    """What was found on a pushed sample. Everything is made when it is asked for."""

    found: tuple[tuple[int, ...], ...]  # vaa_finding by vaa_finding
    unknown_bits: int

    @property
    def flags(self) -> set[str]:
        """Names of the flags with a finding of severity fail or warn."""
        names = _flag_names()
        return {names[f[0]] for f in self.found if f[1] >= _cvaa.VAA_WARN}

    @property
    def unknown(self) -> set[str]:
        """Names of the flags that could not be tested."""
        return {name for i, name in enumerate(_flag_names()) if self.unknown_bits >> i & 1}

    @property
    def findings(self) -> list[Finding]:
        """All findings, of every severity; without excerpts (Tally.result has them)."""
        return [_described(f) for f in self.found]


_NUMBERS = ("onset_byte", "length_bytes", "onset_char", "length_chars", "onset_token", "length_tokens", "period_bytes", "period_chars", "period_tokens",
            "count", "measure", "threshold")


def _described(f: tuple[int, ...]) -> Finding:
    words: dict[str, Any] = {"flag": _flag_names()[f[0]], "severity": _SEVERITY[f[1]], "confidence": _CONFIDENCE[f[2]], "part": _PART[f[3]]}
    words.update((name, number) for name, number in zip(_NUMBERS, f[4:]) if number >= 0)  # NaN is not
    return Finding(words)


class Checker:
    """The configured detectors; shared by threads. flags: names of vaa.flags() (default: all); max_excerpt: bytes of an excerpt, 0 to 4096."""

    def __init__(self, *, vocab: Optional[Vocab] = None, flags: Optional[Sequence[str]] = None, max_excerpt: Optional[int] = None, **options: Any) -> None:
        options.update(flags=flags, max_excerpt=max_excerpt)
        self._vocab = vocab  # the checker borrows it
        self._handle = _cvaa.vaa_checker_new(option_json(options), vocab._handle if vocab else None)

    def tally(self, **options: Any) -> "Tally":
        """A run in the making. Options: baseline ("k/n"), expect, fail_on, require, max_rows, text (bool)."""
        return Tally(self, **options)

    def check_sample(self, sample: Sample) -> SampleResult:
        """What is found on one sample."""
        tally = self.tally(max_rows=0)
        tally.push(sample)
        return tally.result(sample)

    def check_records(self, records: Records, *, task: Optional[Task] = None, progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
        """The report on all samples of an input, on `threads` threads. Options: those of tally(), threads, samples_path, samples_fd, export_path,
        export_flag, baseline_path. Ctrl-C ends it within 100 ms, and so does task.cancel(); no partial file is left. `progress` gets the task now and then.
        """
        task = task or Task()
        words = option_json(options)
        call = functools.partial(_cvaa.vaa_check_records, self._handle, records._handle, words, task._handle)
        return Report(interruptible(call, task, progress))


class Tally:
    """Samples that are pushed one by one, and the report on all of them. A second thread that calls waits for the first."""

    def __init__(self, checker: Checker, *, baseline: Optional[str] = None, expect: Optional[str] = None, fail_on: Optional[Sequence[str]] = None,
                 require: Optional[Sequence[str]] = None, max_rows: Optional[int] = None, text: Optional[bool] = None, **options: Any) -> None:
        options.update(baseline=baseline, expect=expect, fail_on=fail_on, require=require, max_rows=max_rows, text=text)
        self._checker = checker  # the tally borrows it
        self._handle = _cvaa.vaa_tally_new(checker._handle, option_json(options))
        self._lock = threading.Lock()

    def push(self, sample: Sample) -> Pushed:
        """What is found on the sample, which is counted. Linear in the sample."""
        with self._lock, sample._lock:
            found, unknown = _cvaa.vaa_tally_push(self._handle, sample._handle)
        return Pushed(found, unknown)

    def result(self, sample: Sample) -> SampleResult:
        """The last push in full, with excerpts; `sample` is what was pushed. Raises Error where none was."""
        with self._lock, sample._lock:
            return SampleResult(load(text_of(_cvaa.vaa_tally_line(self._handle, sample._handle))))

    def report(self) -> Report:
        with self._lock:
            return Report(_cvaa.vaa_tally_report(self._handle))


@functools.lru_cache(maxsize=64)
def _checker(options: str) -> Checker:
    return Checker(**load(options or "{}"))


def check_text(text: Optional[Text], prompt: Optional[Text] = None, token_ids: Optional[Sequence[int]] = None, finish_reason: Optional[str] = None,
               logprobs: Optional[Sequence[Optional[float]]] = None, *, reasoning: Optional[Text] = None, vocab: Optional[Vocab] = None,
               **options: Any) -> SampleResult:
    """Is this answer broken? .flags are the names of fail and warn findings, .unknown of what could not be tested, .findings all with their evidence.

    text, prompt, reasoning: str (lone surrogates too) or bytes; token_ids: those of the output; logprobs: of each of them, in nats, None where not known.
    None is "not recorded", which is not the same as an empty text. Options: those of vaa.Checker. Raises Error, TypeError, OverflowError.

        >>> vaa.check_text("yes " * 400, finish_reason="length").flags
        {'repetition_loop', …}
    """
    checker = _checker(option_json(options)) if vocab is None else Checker(vocab=vocab, **options)
    return checker.check_sample(Sample(text=text, prompt=prompt, token_ids=token_ids, finish_reason=finish_reason, logprobs=logprobs, reasoning=reasoning))


def check(path: Path, *, format: Optional[str] = None, text_field: Optional[str] = None, id_field: Optional[str] = None, prompt_field: Optional[str] = None,
          finish_reason_field: Optional[str] = None, gold_field: Optional[str] = None, max_line: Optional[int] = None,
          flags: Optional[Sequence[str]] = None, max_excerpt: Optional[int] = None, vocab: Optional[Vocab] = None, task: Optional[Task] = None,
          progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Which answers of a run are broken, how, and is it more than healthy engines show?

    path: a file or run folder. Options of vaa.Records (format … max_line), vaa.Checker (flags, max_excerpt, vocab) and Checker.check_records: threads, baseline,
    baseline_path, expect, fail_on, require, max_rows, text, samples_path, export_path, export_flag. Raises Error where the input cannot be read or an
    option is wrong.
    """
    records = Records(path, format=format, text_field=text_field, id_field=id_field, prompt_field=prompt_field, finish_reason_field=finish_reason_field,
                      gold_field=gold_field, max_line=max_line)
    return Checker(vocab=vocab, flags=flags, max_excerpt=max_excerpt).check_records(records, task=task, progress=progress, **options)


def flags() -> list[dict[str, Any]]:
    """The flags that vaa knows: name, severity, ceiling (the rate that healthy engines reach), title and summary in "en" and "zh"."""
    return load(text_of(_cvaa.vaa_flags()))


@overload
def explain(name: str, lang: str = ...) -> Explanation: ...


@overload
def explain(name: None = ..., lang: str = ...) -> list[Explanation]: ...


def explain(name: Optional[str] = None, lang: str = "en") -> Any:
    """What stands behind a flag, in "en" or "zh"; without a name: of all. Raises Error (VAA_ERROR_NOT_FOUND) that names the nearest flag.

        >>> print(vaa.explain("repetition_loop").causes)
    """
    document = load(text_of(_cvaa.vaa_explain(name or "", option_json({"lang": lang}))))
    return [Explanation(one) for one in document] if isinstance(document, list) else Explanation(document)
