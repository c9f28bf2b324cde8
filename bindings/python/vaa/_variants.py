"""Several runs against one reference; what would settle a comparison."""

from __future__ import annotations

import functools
import os
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _cvaa
from ._border import Path, Task, interruptible, load, option_json, path_bytes
from ._check import Checker
from ._compare import compare_records
from ._records import Records
from ._report import Report
from ._vocab import Vocab


class Variants:
    """Reports of comparisons against one reference, and what they say together: which runs are worse when so many were looked at, which switch goes with the fault.

    reference: its name. matrix: which switches were on in which run, {"run": {"switch": True, …}, …} or the text of a JSON, CSV or TSV file. again: A/B/A, three reports are pushed: the change,
    the reference once more, the change against that.
    """

    def __init__(self, reference: str = "reference", *, matrix: Union[None, str, Mapping[str, Mapping[str, bool]]] = None, again: Optional[bool] = None) -> None:
        text = option_json(dict(matrix)) if isinstance(matrix, Mapping) else matrix
        self._handle = _cvaa.vaa_variants_new(option_json(dict(reference=reference, matrix=text, again=again)))

    def push(self, name: str, report: Report) -> None:
        _cvaa.vaa_variants_push(self._handle, name, report._handle)

    def report(self) -> Report:
        return Report(_cvaa.vaa_variants_report(self._handle))


def compare_variants(reference: Path, runs: Sequence[Path], *, matrix: Union[None, str, Mapping[str, Mapping[str, bool]]] = None, again: bool = False, format: Optional[str] = None,
                     text_field: Optional[str] = None, id_field: Optional[str] = None, prompt_field: Optional[str] = None, finish_reason_field: Optional[str] = None,
                     gold_field: Optional[str] = None, max_line: Optional[int] = None, flags: Optional[Sequence[str]] = None, vocab: Optional[Vocab] = None, task: Optional[Task] = None,
                     progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Each of `runs` against `reference`: one row each, Holm over all of them.

    matrix: which switches were on in which run: "switching X off removes it", an association. again: A/B/A, runs are the change and the reference run once more: is it the change, or drift in time?
    The other options are those of compare(). Report.exit_code: 2 where a run could not be compared, else 1 where one is worse, else 3 where one is undecided, else 0.

        >>> vaa.compare_variants("bf16", ["fp8", "fp8_nograph"], matrix="run,fp8,graph\\nbf16,0,1\\nfp8,1,1\\nfp8_nograph,1,0\\n").exit_code
    """
    names = [os.fsdecode(path) for path in runs]
    if again and len(names) != 2:
        raise ValueError(f"again: takes two runs, the change and the reference once more; {len(names)} are given")
    reading = dict(format=format, text_field=text_field, id_field=id_field, prompt_field=prompt_field, finish_reason_field=finish_reason_field, gold_field=gold_field, max_line=max_line)
    return variants_of(os.fsdecode(reference), names, lambda path: Records(path, **reading), Checker(vocab=vocab, flags=flags), matrix=matrix, again=again, task=task, progress=progress, **options)


def variants_of(reference: str, runs: Sequence[str], read: Callable[[str], Records], checker: Checker, *, matrix: Any, again: bool, shown: Callable[[str], str] = lambda path: path,
                task: Optional[Task] = None, progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """compare_variants() of inputs that `read` opens, under the names that `shown` gives them."""
    variants = Variants(shown(reference), matrix=matrix, again=again or None)
    inputs = {path: read(path) for path in (reference, *runs)}
    for path in runs:
        variants.push(shown(path), compare_records(inputs[reference], inputs[path], checker=checker, task=task, progress=progress, **options))
    if again:
        changed, once_more = runs
        variants.push(f"{shown(changed)} against {shown(once_more)}", compare_records(inputs[once_more], inputs[changed], checker=checker, task=task, progress=progress, **options))
    return variants.report()


def compare_asks(report: Report, reference: Records, out: Path, *, task: Optional[Task] = None) -> dict[str, Any]:
    """Writes the requests that would settle the comparison into `out`, a file that vaa.ask takes, and says what to run next: {"settles", "lines", "left_out", "steps", "missing"}. Nothing is
    written where there is nothing to ask."""
    task = task or Task()
    text = interruptible(functools.partial(_cvaa.vaa_compare_asks, report._handle, reference._handle, path_bytes(out), task._handle), task, None)
    plan: dict[str, Any] = load(_cvaa.vaa_text_str(text))
    return plan
