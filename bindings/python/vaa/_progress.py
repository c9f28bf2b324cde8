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
            share = min(done / total, 1.0)
            bar = int(share * 20)
            parts = [f"[{'#' * bar}{'.' * (20 - bar)}] {share:4.0%}", f"{_size(done)} of {_size(total)}"]
        parts += [f"{samples} samples", f"{_size(rate)}/s"]
        if total > done and rate > 0 and seconds > 1:
            parts.append(f"{_time((total - done) / rate)} left")
        return "  ".join(parts)

    def show(self, task: Task) -> None:
        words = self.line(task.done, task.total, task.samples, time.monotonic() - self._start)
        sys.stderr.write(f"\r{words}\x1b[K")
        sys.stderr.flush()
        self._written = True

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], fault: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        if self._written:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
