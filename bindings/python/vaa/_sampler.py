"""The sampler that an engine declares: which tokens are legal, with which probability, which one a random number picks."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import load, option_json, text_of

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
    Ids = Union[Sequence[int], Sequence[Sequence[int]], Array]
    Params = Mapping[str, Union[float, Sequence[float], Array]]

# VAA_PARAM_*
_PARAMS = ("temperature", "top_k", "top_p", "min_p", "typical_p", "repetition_penalty", "frequency_penalty", "presence_penalty", "penalty_last_n", "min_tokens", "greedy")
_MODES = ("raw_logprobs", "raw_logits", "processed_logprobs", "processed_logits")


class Temperature(NamedTuple):
    """What an engine makes of a requested temperature."""

    greedy: bool
    temperature: float  # that it divides by; 1 where it is greedy


class Engine:
    """The rules by which an engine samples: a known one by name (vaa.engines()), or with some rules of your own.

        >>> vaa.Engine("vllm_ascend", top_k_ties="all", top_k_top_p="joint").rules["draw"]
        'race'

    A rule that nobody has established is "unknown": a row that depends on it raises vaa.Error, which says how to measure it and what to give. rules: see docs/sampler.md.
    """

    def __init__(self, base: Optional[str] = None, **rules: Any) -> None:
        options = option_json({"base": base, **rules}) if rules or base is None else base
        self._handle = _cvaa.vaa_engine_new(options or "{}")

    @property
    def rules(self) -> dict[str, Any]:
        """All rules, as JSON has them."""
        return load(text_of(_cvaa.vaa_engine_json(self._handle)))

    def temperature(self, asked: float) -> Temperature:
        """What becomes of a requested temperature."""
        greedy, temperature = _cvaa.vaa_engine_temperature(self._handle, asked)
        return Temperature(greedy != 0, temperature)


def engines() -> list[str]:
    """The names of the known engines."""
    return [_cvaa.vaa_engine_name(i) for i in range(_cvaa.vaa_engine_count())]


class Logprobs(NamedTuple):
    """Of one token a row."""

    values: "Array"
    ranks: "Array"  # 1 + the tokens whose number is greater


class Sampler:
    """The stages of an engine (a name, a vaa.Engine) over rows of logits, one row or [rows, V]; float64 and lists are rounded to float32 first.

        >>> vaa.Sampler("vllm_v1", top_k=2).kept([2.0, 1.0, 1.0, 0.0])[0].tolist()
        [0, 1, 2]

    Options: temperature, top_k, top_p, min_p, typical_p, repetition_penalty, frequency_penalty, presence_penalty, penalty_last_n, min_tokens, greedy; logit_bias {id: bias}, allowed_ids,
    bad_words (lists of ids), stop_ids; rounding "exact", "fp32" or "bf16"; input "logits" or "probs"; threads. Each call takes `params`, those parameters by name for all rows or one a row,
    and `prompt` and `output`, the ids so far: for all rows, or a list of ids a row. A second thread that calls waits for the first.
    """

    def __init__(self, engine: Union[str, Engine], **options: Any) -> None:
        self.engine = engine if isinstance(engine, Engine) else Engine(engine)
        self._handle = _cvaa.vaa_sampler_new(self.engine._handle, option_json(plain_options(options)))
        self._lock = threading.Lock()

    def probs(self, logits: Any, *, prompt: Optional["Ids"] = None, output: Optional["Ids"] = None, params: Optional["Params"] = None) -> "Array":
        """The law that the engine draws from, in the shape of the logits: float64, 0 for what is not legal."""
        import numpy

        rows = rows_of(logits)
        out = numpy.empty(rows.shape)
        with self._lock:
            _cvaa.vaa_sampler_probs(self._handle, rows, *said(prompt, output, len(rows)), matrix_of_params(params, len(rows)), out)
        return out.reshape(numpy.shape(logits))

    def kept(self, logits: Any, *, prompt: Optional["Ids"] = None, output: Optional["Ids"] = None, params: Optional["Params"] = None) -> "list[Array]":
        """The legal ids of each row, ascending."""
        import numpy

        rows = rows_of(logits)
        with self._lock:
            ids, ends = _cvaa.vaa_sampler_kept(self._handle, rows, *said(prompt, output, len(rows)), matrix_of_params(params, len(rows)))
            all_ids, all_ends = numpy.array(ids), numpy.array(ends)
        return numpy.split(all_ids, all_ends[:-1]) if len(rows) else []

    def draw(self, logits: Any, noise: Any, *, prompt: Optional["Ids"] = None, output: Optional["Ids"] = None, params: Optional["Params"] = None) -> "Array":
        """The id that the engine picks of each row with this noise: for the rules race and gumbel a number for each token, for inverse_cdf one uniform a row."""
        import numpy

        rows = rows_of(logits)
        numbers = numpy.ascontiguousarray(noise, numpy.float64)
        ids = numpy.empty(len(rows), numpy.int32)
        with self._lock:
            _cvaa.vaa_sampler_draw(self._handle, rows, *said(prompt, output, len(rows)), matrix_of_params(params, len(rows)), numbers.reshape(len(rows), -1) if len(rows) else numbers.reshape(0, 0), ids)
        return ids

    def logprobs(self, logits: Any, tokens: Any, mode: str = "raw_logprobs", *, prompt: Optional["Ids"] = None, output: Optional["Ids"] = None,
                 params: Optional["Params"] = None) -> Logprobs:
        """What an API reports for one token a row: mode is raw_logprobs, raw_logits, processed_logprobs or processed_logits."""
        import numpy

        if mode not in _MODES:
            raise ValueError(f"mode: is {mode!r}, must be one of {', '.join(_MODES)}")
        rows = rows_of(logits)
        values, ranks = numpy.empty(len(rows)), numpy.empty(len(rows), numpy.int64)
        with self._lock:
            _cvaa.vaa_sampler_logprobs(self._handle, rows, *said(prompt, output, len(rows)), matrix_of_params(params, len(rows)), numpy.atleast_1d(tokens), _MODES.index(mode), values, ranks)
        return Logprobs(values, ranks)


def plain_options(options: "dict[str, Any]") -> "dict[str, Any]":
    """Options with ids as JSON keys and flags as numbers."""
    if options.get("logit_bias") is not None:
        options["logit_bias"] = {str(int(token)): float(bias) for token, bias in options["logit_bias"].items()}
    if options.get("greedy") is not None:
        options["greedy"] = int(options["greedy"])
    return options


def rows_of(logits: Any) -> "Array":
    """One row, or [rows, V], of float32."""
    import numpy

    rows = numpy.ascontiguousarray(logits, numpy.float32)
    if rows.ndim not in (1, 2):
        raise ValueError(f"logits: has {rows.ndim} dimensions, must be one row or [rows, V]")
    return rows.reshape(1, -1) if rows.ndim == 1 else rows


def matrix_of_params(params: Optional["Params"], rows: int) -> "Array":
    """Rows of VAA_PARAM_*: NaN is the option."""
    import numpy

    if not params:
        return numpy.empty((0, 0))
    matrix = numpy.full((max(rows, 1), len(_PARAMS)), numpy.nan)
    for name, value in params.items():
        if name not in _PARAMS:
            raise ValueError(f"params: {name!r} is none of {', '.join(_PARAMS)}")
        matrix[:, _PARAMS.index(name)] = value
    return matrix


def said(prompt: Optional["Ids"], output: Optional["Ids"], rows: int) -> "tuple[Array, Array]":
    """History and spans: rows that share their ids share the places of them."""
    import numpy

    if prompt is None and output is None:
        return numpy.empty(0, numpy.int32), numpy.empty(0, numpy.int64)
    parts = [_a_row_each(ids, name, rows) for name, ids in (("prompt", prompt), ("output", output))]
    pairs = [(parts[0][0], parts[1][0])] if len(parts[0]) == len(parts[1]) == 1 else [(parts[0][r % len(parts[0])], parts[1][r % len(parts[1])]) for r in range(rows)]
    spans, at = [], 0
    for first, second in pairs:
        spans.append((at, at + len(first), at + len(first) + len(second)))
        at = spans[-1][2]
    history = numpy.concatenate([ids for pair in pairs for ids in pair]) if pairs else numpy.empty(0, numpy.int64)
    return history.astype(numpy.int64), numpy.array(spans * (rows if len(pairs) == 1 else 1), numpy.int64).reshape(-1)


def _a_row_each(ids: Any, name: str, rows: int) -> "list[Array]":
    """One array for all rows, or one a row."""
    import numpy

    if ids is None or len(ids) == 0:
        return [numpy.empty(0, numpy.int64)]
    if not hasattr(ids[0], "__len__"):
        return [numpy.asarray(ids)]
    if len(ids) != rows:
        raise ValueError(f"{name}: has {len(ids)} lists of ids, must have one for each of {rows} rows")
    return [numpy.asarray(one, numpy.int64) if len(one) == 0 else numpy.asarray(one) for one in ids]
