"""Does a sampler draw what was asked."""

from __future__ import annotations

import functools
import threading
from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import _cvaa
from ._border import Path, Task, interruptible, option_json
from ._records import Records
from ._report import Report
from ._sample import Sample


class Calibration:
    """Samples that are pushed one by one, and the verdict on their sampler. A second thread that calls waits for the first. Options: those of calibrate(), and scored: True where the lists are those of
    teacher-forced samples, pushed after the answers that they score."""

    def __init__(self, **options: Any) -> None:
        self._handle = _cvaa.vaa_calibration_new(_options(options))
        self._lock = threading.Lock()

    def push(self, sample: Sample) -> None:
        with self._lock, sample._lock:
            _cvaa.vaa_calibration_push(self._handle, sample._handle)

    def report(self) -> Report:
        with self._lock:
            return Report(_cvaa.vaa_calibration_report(self._handle))


def _options(options: Mapping[str, Any]) -> str:
    engine = options.get("engine")
    return option_json({**options, "engine": option_json(engine) if isinstance(engine, Mapping) else engine})


def calibrate_records(records: Records, *, scored: Optional[Records] = None, task: Optional[Task] = None, progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """calibrate() of inputs that are open."""
    task = task or Task()
    by = scored._handle if scored is not None else None
    return Report(interruptible(functools.partial(_cvaa.vaa_calibrate_records, records._handle, by, _options(options), task._handle), task, progress))


def calibrate(run: Union[Path, Iterable[Sample]], *, scored: Optional[Path] = None, temperature: Optional[float] = None, top_p: Optional[float] = None, top_k: Optional[int] = None,
              min_p: Optional[float] = None, logprobs: Optional[str] = None, engine: Union[None, str, Mapping[str, Any]] = None, vocab_size: Optional[int] = None, bos_id: Optional[int] = None,
              temperature_margin: Optional[float] = None, seed: Optional[int] = None, task: Optional[Task] = None, progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Does the sampler draw what was asked, by chosen tokens and listed logprobs alone?

    run: a run, or samples. scored: a run of teacher-forced samples of its answers (forced.of), from another engine. temperature, top_p, top_k, min_p: what was asked, whatever samples record.
    logprobs: auto (default), raw, processed. engine: the name or the rules of vaa.Engine. vocab_size, bos_id: ids whose excess is looked at beside token 0. temperature_margin: the share by which a
    temperature may be off, default 0.1. Report.exit_code: 0 all checks lie inside their margins, 1 one lies beyond, 2 nothing could be judged, 3 undecided.

        >>> print(vaa.calibrate("run", temperature=0.6).to_text())
    """
    options.update(temperature=temperature, top_p=top_p, top_k=top_k, min_p=min_p, logprobs=logprobs, engine=engine, vocab_size=vocab_size, bos_id=bos_id, temperature_margin=temperature_margin, seed=seed)
    if isinstance(run, (str, bytes)) or hasattr(run, "__fspath__"):
        return calibrate_records(Records(run), scored=None if scored is None else Records(scored), task=task, progress=progress, **options)
    if scored is not None:
        raise ValueError("scored: takes a run by its path; of samples use Calibration(scored=True)")
    calibration = Calibration(**options)
    for sample in run:
        calibration.push(sample)
    return calibration.report()
