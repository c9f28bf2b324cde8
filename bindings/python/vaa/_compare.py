"""Two runs, one verdict."""

from __future__ import annotations

import functools
import threading
from typing import Any, Callable, Optional, Sequence

from . import _cvaa
from ._border import Path, Task, interruptible, option_json
from ._check import Checker
from ._records import Records
from ._report import Report
from ._sample import Sample
from ._vocab import Vocab


class Comparison:
    """Two runs that are pushed sample by sample, and the verdict on them. A second thread that calls waits for the first. Options: those of compare() but threads."""

    def __init__(self, checker: Optional[Checker] = None, *, change: Optional[str] = None, primary: Optional[str] = None, baseline: Optional[str] = None, text: Optional[bool] = None,
                 **options: Any) -> None:
        options.update(change=change, primary=primary, baseline=baseline, text=text)
        self._checker = checker or Checker()  # the comparison borrows it
        self._handle = _cvaa.vaa_comparison_new(self._checker._handle, option_json(options))
        self._lock = threading.Lock()

    def push_reference(self, sample: Sample) -> None:
        self._push(_cvaa.VAA_SIDE_REFERENCE, sample)

    def push_target(self, sample: Sample) -> None:
        self._push(_cvaa.VAA_SIDE_TARGET, sample)

    def push_reference_again(self, sample: Sample) -> None:
        """Of the reference's second run: option reference_again."""
        self._push(_cvaa.VAA_SIDE_REFERENCE_AGAIN, sample)

    def push_target_again(self, sample: Sample) -> None:
        """Of the target's second run: option target_again."""
        self._push(_cvaa.VAA_SIDE_TARGET_AGAIN, sample)

    def _push(self, side: int, sample: Sample) -> None:
        with self._lock, sample._lock:
            _cvaa.vaa_comparison_push(self._handle, side, sample._handle)

    def report(self) -> Report:
        with self._lock:
            return Report(_cvaa.vaa_comparison_report(self._handle))


def compare_records(old: Records, new: Records, *, aa: Optional[Records] = None, aa_target: Optional[Records] = None, checker: Optional[Checker] = None, task: Optional[Task] = None,
                    progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """compare() of inputs that are open."""
    checker, task = checker or Checker(), task or Task()
    again, target_again = (run and run._handle for run in (aa, aa_target))
    return Report(interruptible(functools.partial(_cvaa.vaa_compare_records, checker._handle, old._handle, new._handle, again, target_again, option_json(options), task._handle), task, progress))


def compare(old: Path, new: Path, *, aa: Optional[Path] = None, aa_target: Optional[Path] = None, noise: Optional[str] = None, format: Optional[str] = None, text_field: Optional[str] = None, id_field: Optional[str] = None, prompt_field: Optional[str] = None,
            finish_reason_field: Optional[str] = None, gold_field: Optional[str] = None, max_line: Optional[int] = None, flags: Optional[Sequence[str]] = None,
            vocab: Optional[Vocab] = None, change: Optional[str] = None, primary: Optional[str] = None, baseline: Optional[str] = None, text: Optional[bool] = None,
            threads: Optional[int] = None, task: Optional[Task] = None, progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Is the run `new` worse than `old`, the same, or is it noise?

    change: what was changed on purpose, which picks the margins: none, schedule, parallel, version (default), hardware, quant, spec. primary: score (default where it is recorded), tokens, flags or law (docs/compare.md).
    aa, aa_target: second runs of old and of new, so that the engines' own noise is known; noise: the text of a profile that was saved, instead of aa. baseline: "k/n" broken answers before a fix. text: False leaves every text out. format … max_line: those of vaa.Records, for both; flags, vocab: those of vaa.Checker.
    Report.exit_code: 0 equivalent or no difference found, 1 worse, 2 not comparable, 3 undecided. Raises Error where an input cannot be read or an option is wrong.

        >>> print(vaa.compare("old_run", "new_run").to_text())
    """
    reading = dict(format=format, text_field=text_field, id_field=id_field, prompt_field=prompt_field, finish_reason_field=finish_reason_field, gold_field=gold_field, max_line=max_line)
    options.update(change=change, primary=primary, baseline=baseline, text=text, threads=threads, noise=noise)
    old_again, new_again = (run and Records(run, **reading) for run in (aa, aa_target))
    return compare_records(Records(old, **reading), Records(new, **reading), aa=old_again, aa_target=new_again, checker=Checker(vocab=vocab, flags=flags), task=task, progress=progress, **options)
