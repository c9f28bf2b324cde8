"""Is speculative decoding right: the audit by counters and by verify steps."""

from __future__ import annotations

import functools
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import Path, Task, Text, interruptible, option_json, path_bytes, whole_numbers
from ._report import Report
from ._sample import Sample

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

_SPECULATION = {None: -1, False: 0, True: 1}
_P, _Q, _ARGMAX, _ENTROPY, _UNIFORMS, _NOISE = 1, 2, 4, 8, 16, 32  # VAA_STEP_*
ROW_SHAPES = ("right", "empty", "hole", "out_of_vocab", "recovered_equals_draft", "tokens_after_rejection")  # VAA_ROW_*


class Audit:
    """What is known of drafts: scrapes of /metrics, logs, answers, verify steps. Push what there is, in any order and number, and ask for the report.

    floor: the share of drafts with something accepted below which it is none. margin: a fall of the acceptance rate that does not count. law_margin: by how much a probability of steps may be off. tokens_per_draft: the most that a draft has where drafts are
    not counted. configured: speculation is known to be configured. A second thread that calls waits for the first.
    """

    def __init__(self, *, floor: Optional[float] = None, margin: Optional[float] = None, law_margin: Optional[float] = None, tokens_per_draft: Optional[int] = None, configured: Optional[bool] = None,
                 **options: Any) -> None:
        options.update(floor=floor, margin=margin, law_margin=law_margin, tokens_per_draft=tokens_per_draft, configured=configured)
        self._handle = _cvaa.vaa_audit_new(option_json(options))
        self._lock = threading.Lock()

    def push_file(self, path: Path, *, time_s: Optional[float] = None, server: Optional[str] = None, speculation: Optional[bool] = None, format: Optional[str] = None, task: Optional[Task] = None,
                  progress: Optional[Callable[[Task], None]] = None) -> None:
        """A file or folder, found by content: metrics pages, a log, records, a dump of steps. time_s: when a page was scraped; server: its name; speculation: of records that do not say it themselves."""
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

    def begin_steps(self, vocab_size: int, **header: Any) -> None:
        """Steps that follow are of this: the members of the header of a dump (docs/reject-dump.md), such as draft_probs="one_hot", policy="vllm_v1", rank=3."""
        with self._lock:
            _cvaa.vaa_audit_begin_steps(self._handle, option_json(dict(header, vocab_size=vocab_size)))

    def push_steps(self, request: Sequence[int], temperature: Sequence[float], drafts: Sequence[Sequence[int]], ids: Sequence[Sequence[int]], *, position: Optional[Sequence[int]] = None,
                   p: Optional[Sequence[Sequence[float]]] = None, q: Optional[Sequence[Sequence[float]]] = None, argmax: Optional[Sequence[Sequence[int]]] = None,
                   entropy: Optional[Sequence[Sequence[float]]] = None) -> None:
        """Rows of verify steps, one entry each: request, temperature (0: greedy), its drafts (-1: padding), the ids that came out; p, q, argmax, entropy: a list for each row with one number a draft.
        Raises Error, which names the row that contradicts itself; then nothing is taken."""
        import numpy

        draft_ends, flat = _flat_ids(drafts, "drafts")
        id_ends, out = _flat_ids(ids, "ids")
        fields = sum(bit for values, bit in ((p, _P), (q, _Q), (argmax, _ARGMAX), (entropy, _ENTROPY)) if values is not None)
        p, q, entropy = (_one_each(values, name, draft_ends) for values, name in ((p, "p"), (q, "q"), (entropy, "entropy")))
        best = numpy.empty(0, numpy.int64) if argmax is None else _of_drafts(*_flat_ids(argmax, "argmax"), "argmax", draft_ends)
        places = numpy.zeros(len(request), numpy.int64) if position is None else whole_numbers(position, "position")
        with self._lock:
            _cvaa.vaa_audit_push_steps(self._handle, whole_numbers(request, "request"), places, numpy.asarray(temperature, numpy.float32), draft_ends, flat, id_ends, out, p, q, best, entropy, fields)

    def push_rows(self, row: int, p: Any, q: Any = None, *, uniforms: Optional[Sequence[float]] = None, noise: Optional[Sequence[float]] = None) -> None:
        """All probabilities of row `row` of the last push_steps: p of [drafts + 1, V] (or [drafts, V]), q of [drafts, V]; the uniforms of its acceptance tests and the noise of its recovered token."""
        import numpy

        fields = sum(bit for values, bit in ((q, _Q), (uniforms, _UNIFORMS), (noise, _NOISE)) if values is not None)
        target = numpy.ascontiguousarray(p, numpy.float32)
        if target.ndim != 2:
            raise ValueError(f"p: has {target.ndim} dimensions, must be [drafts, V] or [drafts + 1, V]")
        draft = numpy.empty((0, target.shape[1]), numpy.float32) if q is None else numpy.ascontiguousarray(q, numpy.float32)
        numbers = [numpy.empty(0) if values is None else numpy.asarray(values, numpy.float64) for values in (uniforms, noise)]
        with self._lock:
            _cvaa.vaa_audit_push_rows(self._handle, row, target, draft, *numbers, fields)

    def report(self) -> Report:
        """The report on all that was pushed."""
        with self._lock:
            return Report(_cvaa.vaa_audit_report(self._handle))


def _flat(rows: Any, array_of: "Callable[[Any], Array]") -> "tuple[Array, Array]":
    """Where each row ends, and the rows one behind the other."""
    import numpy

    if isinstance(rows, numpy.ndarray) and rows.ndim == 2:
        return numpy.arange(1, len(rows) + 1, dtype=numpy.int64) * rows.shape[1], array_of(rows).ravel()
    ends = numpy.cumsum([len(row) for row in rows], dtype=numpy.int64)
    return ends, numpy.concatenate([array_of(row) for row in rows]) if len(rows) and ends[-1] else array_of([])


def _flat_ids(rows: Any, name: str) -> "tuple[Array, Array]":
    return _flat(rows, functools.partial(whole_numbers, name=name))


def _of_drafts(ends: "Array", values: "Array", name: str, draft_ends: "Array") -> "Array":
    """Values of rows that are as long as those of the drafts."""
    if not (len(ends) == len(draft_ends) and (ends == draft_ends).all()):
        raise ValueError(f"{name}: must have one number for each draft of each row")
    return values


def _one_each(rows: Any, name: str, draft_ends: "Array") -> "Array":
    import numpy

    if rows is None:
        return numpy.empty(0, numpy.float32)
    return _of_drafts(*_flat(rows, functools.partial(numpy.asarray, dtype=numpy.float32)), name, draft_ends)


def row_shapes(drafts: Sequence[Sequence[int]], ids: Sequence[Sequence[int]], vocab_size: int) -> "list[tuple[str, int]]":
    """How each row stands to its drafts by ids alone, one of ROW_SHAPES, and the drafts that it says were accepted.

        >>> vaa.row_shapes([[5, 7]], [[5, 8]], 10)
        [('right', 1)]
    """
    import numpy

    draft_ends, flat = _flat_ids(drafts, "drafts")
    id_ends, out = _flat_ids(ids, "ids")
    shapes, accepted = numpy.empty(len(ids), numpy.int64), numpy.empty(len(ids), numpy.int64)
    _cvaa.vaa_row_shapes(draft_ends, flat, id_ends, out, vocab_size, shapes, accepted)
    return [(ROW_SHAPES[shape], int(count)) for shape, count in zip(shapes.tolist(), accepted.tolist())]


class StepLaw(NamedTuple):
    """The law of one place of a step."""

    accept: float        # chance that the draft is accepted when it is reached
    recovered: "Array"   # the token in place of a rejected draft; all 0: none is rejected
    emitted: "Array"     # the token put out


def step_law(p: Any, q: Any = None, draft: Union[int, Sequence[int], None] = None, *, fault: str = "", draft_law: Optional[Sequence[float]] = None, at: int = 0, temperature: float = 1.0) -> StepLaw:
    """The law of place `at` of a step under the token rule, or under a known fault by its name or number in docs/reject.md.

    p: one row or [places, V]; q: the drafts' law, None: drafts have none; draft: the draft, or drafts up to `at`; None: open, of draft_law, else of q or of what the fault makes of it.

        >>> vaa.step_law([0.125, 0.625, 0.25], draft=1, fault="B01").emitted.tolist()
        [0.3333333333333333, 0.0, 0.6666666666666666]
    """
    import numpy

    rows = numpy.atleast_2d(numpy.ascontiguousarray(p, numpy.float64))
    laws = numpy.empty((0, rows.shape[1])) if q is None else numpy.atleast_2d(numpy.ascontiguousarray(q, numpy.float64))
    drafts = numpy.atleast_1d(whole_numbers([] if draft is None else draft, "draft"))
    recovered, emitted = numpy.empty(rows.shape[1]), numpy.empty(rows.shape[1])
    accept = _cvaa.vaa_step_law(fault, rows, laws, drafts, numpy.asarray([] if draft_law is None else draft_law, numpy.float64), at, temperature, recovered, emitted)
    return StepLaw(accept[0] if isinstance(accept, (list, tuple)) else accept, recovered, emitted)


def reject(paths: Union[Path, Iterable[Path]], *, plain: Iterable[Path] = (), speculative: Iterable[Path] = (), server: Optional[str] = None, task: Optional[Task] = None,
           progress: Optional[Callable[[Task], None]] = None, **options: Any) -> Report:
    """Is speculative decoding right, as far as counters and steps tell?

    paths: files and folders, found by content: metrics pages, logs, records, dumps of steps. plain, speculative: runs without and with speculation whose records do not say so. The other options are those of Audit.
    Raises Error where a path is no evidence, or cannot be read.

        >>> vaa.reject(["scrapes", "server.log"]).exit_code
    """
    audit = Audit(**options)
    several = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
    for speculation, group in ((None, several), (False, plain), (True, speculative)):
        for path in group:
            audit.push_file(path, server=server, speculation=speculation, task=task, progress=progress)
    return audit.report()
