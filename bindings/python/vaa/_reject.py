"""Is speculative decoding right: the audit by counters."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Callable, Iterable, Optional, Union

from . import _cvaa
from ._border import Path, Task, Text, interruptible, option_json, path_bytes
from ._report import Report
from ._sample import Sample

_SPECULATION = {None: -1, False: 0, True: 1}


class Audit:
    """What is known of drafts: scrapes of /metrics, logs, answers. Push what there is, in any order and number, and ask for the report.

    floor: the share of drafts with something accepted below which it is none. margin: a fall of the acceptance rate that does not count. tokens_per_draft: the most that a draft has where drafts are
    not counted. configured: speculation is known to be configured. A second thread that calls waits for the first.
    """

    def __init__(self, *, floor: Optional[float] = None, margin: Optional[float] = None, tokens_per_draft: Optional[int] = None, configured: Optional[bool] = None, **options: Any) -> None:
        options.update(floor=floor, margin=margin, tokens_per_draft=tokens_per_draft, configured=configured)
        self._handle = _cvaa.vaa_audit_new(option_json(options))
        self._lock = threading.Lock()

    def push_file(self, path: Path, *, time_s: Optional[float] = None, server: Optional[str] = None, speculation: Optional[bool] = None, format: Optional[str] = None, task: Optional[Task] = None,
                  progress: Optional[Callable[[Task], None]] = None) -> None:
        """A file or folder, found by content: metrics pages, a log, records. time_s: when a page was scraped; server: its name; speculation: of records that do not say it themselves."""
        task = task or Task()
        words = option_json(dict(time_s=time_s, server=server, speculation=None if speculation is None else "on" if speculation else "off", format=format))
        with self._lock:
            interruptible(functools.partial(_cvaa.vaa_audit_push_file, self._handle, path_bytes(path), words, task._handle), task, progress)

    def push_page(self, page: Text, *, time_s: Optional[float] = None, server: str = "") -> None:
        """One page of a server; time_s: when it was scraped, Unix time; None: not known, pages are in the order of the calls. Raises Error where no line of it is a metric."""
        with self._lock:
            _cvaa.vaa_audit_push_page(self._handle, server, page, float("nan") if time_s is None else time_s)

    def push_log(self, text: Text, *, server: str = "", last: bool = False) -> None:
        """The next bytes of a server's log, cut anywhere; last: its end."""
        with self._lock:
            _cvaa.vaa_audit_push_log(self._handle, server, text, int(last))

    def push_sample(self, sample: Sample, *, speculation: Optional[bool] = None) -> None:
        """One answer. speculation: whether it was made with speculation, where the sample does not record it."""
        with self._lock, sample._lock:
            _cvaa.vaa_audit_push_sample(self._handle, sample._handle, _SPECULATION[speculation])

    def report(self) -> Report:
        """The report on all that was pushed."""
        with self._lock:
            return Report(_cvaa.vaa_audit_report(self._handle))


def reject(paths: Union[Path, Iterable[Path]], *, plain: Iterable[Path] = (), speculative: Iterable[Path] = (), server: Optional[str] = None, task: Optional[Task] = None,
           progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Is speculative decoding right, as far as counters tell?

    paths: files and folders, found by content: metrics pages, logs, records. plain, speculative: runs without and with speculation whose records do not say so. The other options are those of Audit.
    Raises Error where a path is no evidence, or cannot be read.

        >>> vaa.reject(["scrapes", "server.log"]).exit_code
    """
    audit = Audit(**options)
    several = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    for speculation, group in ((None, several), (False, plain), (True, speculative)):
        for path in group:
            audit.push_file(path, server=server, speculation=speculation, task=task, progress=progress)
    return audit.report()
