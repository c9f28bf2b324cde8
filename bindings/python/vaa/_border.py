"""The way to the C library: options as JSON, tasks, calls that Ctrl-C can end."""

from __future__ import annotations

import json
import os
import threading
import time
from typing import Any, Callable, Mapping, Optional, TypeVar, Union

from . import _cvaa

Error = _cvaa.Error
Text = Union[str, bytes, bytearray, memoryview]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Result = TypeVar("Result")

ABI_VERSION = 1
if _cvaa.vaa_abi_version() != ABI_VERSION:
    raise ImportError(f"vaa: the library has ABI {_cvaa.vaa_abi_version()}, the Python package needs {ABI_VERSION}: install both from one version")

__version__: str = _cvaa.vaa_version()


def option_json(options: Mapping[str, Any]) -> str:
    """The JSON of keyword options; those that are None are left out."""
    given = {key: value for key, value in options.items() if value is not None}
    if not given:
        return ""
    try:
        return json.dumps(given, default=_plain)
    except TypeError as fault:
        raise TypeError(f"options: {fault}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return value.tolist()
    raise TypeError(f"{value!r} is no number, text, bool or list")


def path_bytes(path: Path) -> bytes:
    """The bytes of a path, as the system knows it."""
    return os.fsencode(path)


def text_of(handle: Any) -> Any:
    """What a vaa_text holds."""
    return _cvaa.vaa_text_str(handle)


def load(text: Text) -> Any:
    """A JSON document of the library."""
    return json.loads(text if isinstance(text, str) else bytes(text).decode("utf-8", "surrogatepass"))


class Task:
    """Cancels a long call and tells how far it is. The only object of vaa that several threads may use at once."""

    library: Any = _cvaa  # whose calls it is for

    def __init__(self) -> None:
        self._handle = self.library.vaa_task_new()

    def cancel(self) -> None:
        """The call that was given this task raises Error (VAA_ERROR_CANCELLED) within 100 ms, also when it begins later."""
        self.library.vaa_task_cancel(self._handle)

    @property
    def cancelled(self) -> bool:
        return self.library.vaa_task_cancelled(self._handle) != 0

    @property
    def done(self) -> int:
        """Bytes of input that were read."""
        return self.library.vaa_task_done(self._handle)

    @property
    def total(self) -> int:
        """Bytes of input that there are; 0 where that is not known."""
        return self.library.vaa_task_total(self._handle)

    @property
    def samples(self) -> int:
        """Samples that were judged."""
        return self.library.vaa_task_samples(self._handle)

    @property
    def failed(self) -> int:
        """Of these the requests that got no answer, where the call asks for some."""
        return self.library.vaa_task_failed(self._handle)


TaskKind = TypeVar("TaskKind", bound=Task)


def interruptible(call: Callable[[], Result], task: Optional[TaskKind] = None, progress: Optional[Callable[[TaskKind], None]] = None) -> Result:
    """The result of `call`, which Ctrl-C can end: Python runs signal handlers in the main thread between its own instructions, so a long C call there is
    made in a second thread while the main one waits. `task` is cancelled when the wait is interrupted. `progress` gets the task every 100 ms.
    """
    if threading.current_thread() is not threading.main_thread() and progress is None:
        return call()
    outcome: list[Any] = []
    finished = threading.Event()

    def work() -> None:
        try:
            outcome.extend((True, call()))
        except BaseException as fault:  # carried to the caller
            outcome.extend((False, fault))
        finally:
            finished.set()

    worker = threading.Thread(target=work, name="vaa", daemon=True)
    try:
        worker.start()
        while not finished.wait(0.1 if progress else None):
            if progress and task:
                progress(task)
    except BaseException:
        if task:
            task.cancel()
            _let_finish(finished)
        raise
    good, value = outcome
    if good:
        return value
    try:
        raise value
    finally:
        del outcome[:], value  # no cycle of frames


def _let_finish(finished: threading.Event) -> None:
    """Waits until the cancelled call has taken its partial files away, a second at most. A second Ctrl-C does not cut that short."""
    end = time.monotonic() + 1
    while not finished.is_set() and time.monotonic() < end:
        try:
            finished.wait(end - time.monotonic())
        except KeyboardInterrupt:
            pass


def formats() -> list[dict[str, Any]]:
    """The input formats that vaa reads: name, title, files, found_by."""
    return load(text_of(_cvaa.vaa_records_formats()))


def whole_numbers(values: Any, name: str) -> Any:
    """An int64 array of whole numbers; others are refused, not rounded."""
    import numpy

    array = numpy.asarray(values)
    if array.size and (array.dtype.kind not in "iu" or (array.dtype.kind == "u" and array.max() >= 1 << 63)):
        raise TypeError(f"{name}: has elements of {array.dtype}, must be whole numbers of 64 bits")
    return numpy.ascontiguousarray(array, numpy.int64)
