"""The progress bar of the command."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Optional

from ._border import Task


def _size(count: float) -> str:
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _bar(share: float) -> str:
    share = min(share, 1.0)
    full = int(share * 20)
    return f"[{'#' * full}{'.' * (20 - full)}] {share:4.0%}"


class Progress:
    """One line on the standard error, written over again and wiped at the end: bytes, share, samples, rate, time left."""

    def __init__(self, shown: bool) -> None:
        self.shown = shown
        self._start = time.monotonic()
        self._written = False

    def line(self, done: int, total: int, samples: int, seconds: float) -> str:
        rate = done / seconds if seconds > 0 else 0.0
        parts = [_size(done)]
        if total > 0:
            parts = [_bar(done / total), f"{_size(done)} of {_size(total)}"]
        parts += [f"{samples} samples", f"{_size(rate)}/s"]
        if total > done and rate > 0 and seconds > 1:
            parts.append(f"{_time((total - done) / rate)} left")
        return "  ".join(parts)

    def words(self, task: Task, seconds: float) -> str:
        return self.line(task.done, task.total, task.samples, seconds)

    def show(self, task: Task) -> None:
        words = self.words(task, time.monotonic() - self._start)
        sys.stderr.write(f"\r{words}\x1b[K")
        sys.stderr.flush()
        self._written = True

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        if self._written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class AskProgress(Progress):
    """The same for questions to servers: share, answers, failed ones, answers and tokens a second, time left."""

    def words(self, task: Task, seconds: float) -> str:
        answers, total, failed = task.samples, task.total, task.failed
        rate = answers / seconds if seconds > 0 else 0.0
        parts = [_bar(answers / total), f"{answers} of {total} answers"] if total > 0 else [f"{answers} answers"]
        parts += [f"{failed} failed"] if failed else []
        parts += [f"{rate:.1f}/s", f"{task.done / seconds if seconds > 0 else 0.0:.0f} tokens/s"]
        if total > answers > 0 and seconds > 1:
            parts.append(f"{_time((total - answers) / rate)} left")
        return "  ".join(parts)
