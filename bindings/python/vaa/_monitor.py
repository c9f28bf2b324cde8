"""Stops a loop while it streams."""

from __future__ import annotations

import threading
from typing import Any, Optional, Sequence, Union

from . import _cvaa
from ._border import Text, load, option_json, text_of
from ._check import _described
from ._report import Finding
from ._vocab import Vocab


class Monitor:
    """Takes the token ids or the text of one answer in chunks and says after each whether it repeats itself for good (docs/monitor.md).

        monitor = vaa.Monitor()
        for chunk in stream:
            if monitor.push(chunk) == Monitor.LOOP:
                stream.close()

    vocab: tells words from rules and numbers in ids; prompt: a repetition that it asks for, or holds itself, is no loop; counters: also loops whose numbers change
    (text only). min_count, min_cover, long_cover, symbols_cover, max_period: how much is a loop, in bytes or tokens. A second thread that calls waits for the first.
    """

    NOTHING = 0
    SUSPECTED = 1  #: the end repeats: a loop if the limit cut the answer now
    LOOP = 2  #: stop it; stays until reset()

    def __init__(self, *, vocab: Optional[Vocab] = None, prompt: Optional[Text] = None, min_count: Optional[int] = None, min_cover: Optional[int] = None,
                 long_cover: Optional[int] = None, symbols_cover: Optional[int] = None, max_period: Optional[int] = None, counters: Optional[bool] = None,
                 **options: Any) -> None:
        if prompt is not None and not isinstance(prompt, str):
            prompt = bytes(prompt).decode("utf-8", "replace")
        options.update(prompt=prompt, min_count=min_count, min_cover=min_cover, long_cover=long_cover, symbols_cover=symbols_cover, max_period=max_period,
                       counters=counters)
        self._vocab = vocab  # the monitor borrows it
        self._handle = _cvaa.vaa_monitor_new(option_json(options), vocab._handle if vocab else None)
        self._state = 0
        self._lock = threading.Lock()

    def push(self, chunk: Union[str, bytes, bytearray, Sequence[int]]) -> int:
        """The state after the next piece: text (str or bytes, cut anywhere) or token ids (numpy array, other buffer of integers, list). Raises Error where ids and text mix."""
        call = _cvaa.vaa_monitor_push_text if isinstance(chunk, (str, bytes, bytearray)) else _cvaa.vaa_monitor_push_ids
        with self._lock:
            self._state = call(self._handle, chunk)
            return self._state

    @property
    def state(self) -> int:
        """NOTHING, SUSPECTED or LOOP."""
        return self._state

    @property
    def finding(self) -> Optional[Finding]:
        """The loop: onset, length so far, unit and copies, in tokens or in bytes and characters; None in state NOTHING."""
        with self._lock:
            found, _ = _cvaa.vaa_monitor_findings(self._handle)
        return _described(found[0]) if found else None

    def report(self) -> dict[str, Any]:
        """State, how much came, and the finding in words with the beginning of its unit."""
        with self._lock:
            return load(text_of(_cvaa.vaa_monitor_report(self._handle)))

    def reset(self) -> None:
        """Ready for another stream."""
        with self._lock:
            _cvaa.vaa_monitor_reset(self._handle)
            self._state = 0
