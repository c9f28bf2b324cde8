"""A run sampled again: rows of logits, rules, parameters and noise, and the token that the engine put out at each."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import option_json
from ._report import Report
from ._sampler import Engine, plain_options, rows_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Ids = Union[Sequence[int], Array]

STATES = ("same", "within", "departed", "unknown")
_COLUMNS = 7  # VAA_REPLAY_COLUMNS


class Rows(NamedTuple):
    """What became of rows: an array each."""

    state: "Array"     # index into STATES
    token: "Array"     # that the rules pick; NaN: not known
    rank: "Array"      # of the engine's token; 0: it was taken away, or not known
    margin: "Array"    # where the choice is made; infinite: the engine's token was taken away
    band: "Array"      # what rounding accounts for
    difr: "Array"      # the margin of Token-DiFR
    position: "Array"  # ids before the token


class Replay:
    """Rows of an engine (a name, a vaa.Engine), teacher-forced: begin() a sequence, push() its rows, ask for the report().

        >>> replay = vaa.Replay("vllm_v1", temperature=0)
        >>> replay.push([[0.0, 2.0, 1.0]], [2]).margin.tolist()
        [1.0]

    generator, seed and the other options of vaa.Rng: what each sequence begins anew; without a generator push() takes the noise. precision "exact", "fp32", "fp16" or "bf16": how the engine
    computes; logits_precision: to what it rounded the logits ("exact": those given are its own); tolerance: by how much its logits may differ. Parameters are those of vaa.Sampler.
    """

    def __init__(self, engine: Union[str, Engine], *, generator: Optional[str] = None, seed: Union[int, str, None] = None, state: Any = None, **options: Any) -> None:
        options = plain_options(options)
        if state is not None:
            options["state"] = base64.b64encode(bytes(memoryview(state))).decode()
        if seed is not None:
            options["seed"] = seed if isinstance(seed, str) else seed.__index__()
        self.engine = engine if isinstance(engine, Engine) else Engine(engine)
        self._handle = _cvaa.vaa_replay_new(self.engine._handle, option_json({**options, "generator": generator}))
        self._lock = threading.Lock()

    def begin(self, prompt: "Ids" = (), seed: Union[int, str, None] = None) -> None:
        """The next sequence: its prompt, and its seed where it is not that of all."""
        import numpy

        with self._lock:
            _cvaa.vaa_replay_begin(self._handle, "" if seed is None else str(seed if isinstance(seed, str) else seed.__index__()), numpy.asarray(prompt, numpy.int64 if len(prompt) else numpy.int32))

    def push(self, logits: Any, tokens: "Ids", noise: Any = None) -> Rows:
        """Rows [n, V] and the engine's token of each. noise: as of vaa.Sampler.draw, where there is no generator."""
        import numpy

        rows = rows_of(logits)
        out = numpy.empty((len(rows), _COLUMNS))
        with self._lock:
            _cvaa.vaa_replay_push(self._handle, rows, numpy.atleast_1d(tokens), _noise(noise, len(rows)), out)
        return Rows(*out.T)

    def push_top(self, ids: "Sequence[Ids]", logprobs: "Sequence[Sequence[float]]", tokens: "Ids", noise: Any = None) -> Rows:
        """Rows of which the likeliest ids and their raw logprobs are known; the option vocabulary is needed."""
        import numpy

        ends = numpy.cumsum([len(row) for row in ids], dtype=numpy.int64)
        out = numpy.empty((len(ids), _COLUMNS))
        flat = numpy.concatenate([numpy.asarray(row) for row in ids]) if len(ids) else numpy.empty(0, numpy.int32)
        numbers = numpy.concatenate([numpy.asarray(row, float) for row in logprobs]) if len(logprobs) else numpy.empty(0)
        with self._lock:
            _cvaa.vaa_replay_push_top(self._handle, flat, numbers, ends, numpy.atleast_1d(tokens), _noise(noise, len(ids)), out)
        return Rows(*out.T)

    def report(self) -> Report:
        """What the rows say so far."""
        with self._lock:
            return Report(_cvaa.vaa_replay_report(self._handle))


def _noise(noise: Any, rows: int) -> "Array":
    import numpy

    if noise is None or rows == 0:
        return numpy.empty((0, 0))
    return numpy.ascontiguousarray(noise, numpy.float64).reshape(rows, -1)


def difr_margins(logits: Any, exponentials: Any, temperature: float, clip: float = float("inf")) -> "tuple[Array, Array]":
    """Token-DiFR of one row: scores l - T log E, and of each token its margin were it the claimed one, at most clip."""
    import numpy

    row, noise = numpy.ascontiguousarray(logits, float), numpy.ascontiguousarray(exponentials, float)
    scores, margins = numpy.empty(len(row)), numpy.empty(len(row))
    _cvaa.vaa_difr_margins(row, noise, temperature, clip, scores, margins)
    return scores, margins
