"""A run sampled again: rows of logits, rules, parameters and noise, and the token that the engine put out at each."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._arrays import float_rows, is_array_file, open_array, read_ids
from ._border import Path, option_json
from ._records import Records
from ._report import Report
from ._sample import Sample
from ._sampler import Engine, plain_options, rows_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Ids = Union[Sequence[int], Array]

_AT_ONCE = 1 << 22  # numbers of a file that are pushed at once
# What a record says of sampling, by the names of the parameters.
_RECORDED = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "presence_penalty", "frequency_penalty")
_PENALTIES = {"repetition_penalty": 1, "frequency_penalty": 0, "presence_penalty": 0}  # off
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


def replay(logits: Union[Path, Any], ids: Union[Path, "Ids", None] = None, *, engine: Union[str, Engine], prompt: Union[Path, "Ids"] = (), noise: Union[Path, Any] = None, tensor: Optional[str] = None,
           ids_tensor: Optional[str] = None, format: Optional[str] = None, **options: Any) -> Report:
    """The report on a sequence, or on a run.

    logits: rows [n, V], or their file (.npy, .safetensors; tensor: which one), with the engine's ids: a list, or its file (the same kinds, JSON, plain numbers); prompt: ids, or their file; noise:
    rows of the engine's numbers, or their file. Or logits is a run of records with token ids and lists of raw logprobs, which says parameters and seeds itself: what is given here counts first.
    Options are those of Replay. Raises Error, ValueError and OSError.

        >>> vaa.replay("logits.npy", "ids.json", engine="vllm_v1", generator="torch_cuda", seed=42, temperature=0.7)
    """
    if isinstance(logits, (str, bytes)) or hasattr(logits, "__fspath__"):
        if not is_array_file(logits):
            if ids is not None:
                raise ValueError("ids: are given beside a run of records, which holds its own")
            return _replay_run(Records(logits, format=format), engine, options)
        rows, bfloat16 = open_array(logits, tensor)
        name = str(logits)
    else:
        rows, bfloat16, name = rows_of(logits), False, "logits"
    if ids is None:
        raise ValueError("ids: are not given, and rows of logits need the engine's tokens")
    if rows.ndim != 2 or (rows.dtype.kind != "f" and not bfloat16):
        raise ValueError(f"{name}: is {rows.ndim}-D of {rows.dtype}, must be rows [n, V] of float numbers")
    tokens, said = _list_of(ids, ids_tensor), _list_of(prompt, None)
    if len(tokens) != len(rows):
        raise ValueError(f"{name}: has {len(rows)} rows, and there are {len(tokens)} ids")
    numbers = float_noise(noise, len(rows))
    one = Replay(engine, **options)
    one.begin(said)
    step = max(1, _AT_ONCE // max(1, rows.shape[1]))
    for at in range(0, len(rows), step):
        one.push(float_rows(rows[at:at + step], bfloat16), tokens[at:at + step], None if numbers is None else numbers[at:at + step])
    return one.report()


def _list_of(ids: Union[Path, "Ids"], tensor: Optional[str]) -> "Ids":
    return read_ids(ids, tensor) if isinstance(ids, (str, bytes)) or hasattr(ids, "__fspath__") else ids


def float_noise(noise: Union[Path, Any], rows: int) -> "Optional[Array]":
    """Noise of an array or its file, a row each."""
    import numpy

    if noise is None:
        return None
    if isinstance(noise, (str, bytes)) or hasattr(noise, "__fspath__"):
        held, bfloat16 = open_array(noise)
        noise = float_rows(held, True) if bfloat16 else held
    numbers = numpy.asarray(noise)
    if numbers.ndim == 1:
        numbers = numbers.reshape(-1, 1)
    if numbers.ndim != 2 or len(numbers) != rows:
        raise ValueError(f"noise: is of shape {numbers.shape}, must have {rows} rows, as logits")
    return numbers


def _replay_run(records: Records, engine: Union[str, Engine], options: "dict[str, Any]") -> Report:
    """Samples of a run, each a sequence with its own seed."""
    one: Optional[Replay] = None
    asked: "dict[str, Any]" = {}
    for number, sample in enumerate(records):
        if any(field not in sample for field in ("output.token_ids", "output.top_ids", "output.top_logprobs", "output.top_ends")):
            continue
        where = f"sample {sample.get('id', number)}"
        if sample.get("sampling.logprobs_mode", "raw_logprobs") not in ("raw", "raw_logprobs"):
            raise ValueError(f"{where}: its logprobs are {sample['sampling.logprobs_mode']}, and those of the model are needed: raw ones")
        recorded = {name: sample[f"sampling.{name}"] for name in _RECORDED if f"sampling.{name}" in sample and options.get(name) is None}
        if one is None:
            asked, one = recorded, Replay(engine, **{**recorded, **options})
        elif recorded != asked:
            name = next(name for name in _RECORDED if recorded.get(name) != asked.get(name))
            raise ValueError(f"{where}: {name} is {recorded.get(name, 'not recorded')}, that of the samples before was {asked.get(name, 'not recorded')}: replay runs of one set of parameters")
        _push_sample(one, sample, where, options)
    if one is None:
        raise ValueError("no sample has token ids and lists of logprobs: ask for logprobs, and for ids (vaa ask does)")
    return one.report()


def _push_sample(one: Replay, sample: Sample, where: str, options: "dict[str, Any]") -> None:
    tokens, ends = sample["output.token_ids"], sample["output.top_ends"]
    if len(ends) != len(tokens):
        raise ValueError(f"{where}: has {len(tokens)} token ids and {len(ends)} lists of logprobs")
    asked = {name: sample.get(f"sampling.{name}", off) if options.get(name) is None else options[name] for name, off in _PENALTIES.items()}
    if asked != _PENALTIES and "prompt.token_ids" not in sample:
        raise ValueError(f"{where}: the ids of its prompt are not recorded, and penalties may count them")
    generator = options.get("generator") is not None
    one.begin(sample.get("prompt.token_ids", ()), sample.get("sampling.seed") if generator and options.get("seed") is None else None)
    bounds = [0, *ends.tolist()]
    ids, logprobs = sample["output.top_ids"], sample["output.top_logprobs"]
    pieces = list(zip(bounds, bounds[1:]))
    one.push_top([ids[a:b] for a, b in pieces], [logprobs[a:b] for a, b in pieces], tokens)
