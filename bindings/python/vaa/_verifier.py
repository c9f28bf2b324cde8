"""The verifier: what an engine must put out, given its drafts, probabilities and noise, by its policy."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import load, option_json, text_of, whole_numbers
from ._rng import Rng
from ._sampler import matrix_of_params, plain_options, said

if TYPE_CHECKING:
    import numpy

    from ._sampler import Ids, Params

    Array = numpy.ndarray[Any, Any]

# VAA_PLACE_*
PLACES = ("empty", "accepted", "rejected", "bonus", "padded")
MARKS = {16: "boundary", 32: "empty residual", 64: "support violation"}


class Verified(NamedTuple):
    """Rows of S + 1 columns, S the most drafts of a request."""

    ids: "Array"       # -1 behind the last; -2 where what decides it was not given
    accepted: "Array"  # drafts, one number a request
    places: "Array"    # an index into vaa.PLACES, and bits: boundary, empty residual, support violation; see reasons()
    margins: "Array"   # log(p/q) - log u; NaN where nothing was tested

    def reasons(self) -> "list[list[str]]":
        """The places in words, without empty ones: "accepted", "rejected, boundary"."""
        return [[", ".join([PLACES[place & 15], *(word for bit, word in MARKS.items() if place & bit)]) for place in row if place & 15] for row in self.places.tolist()]


class Law(NamedTuple):
    """The exact law of a step whose drafts are known."""

    acceptance: "Array"  # of each draft that its own test passes, given that it is made; of method block h
    lengths: "Array"     # [n + 1]: that so many are accepted
    emitted: "Array"     # of each row of the target: the law of the token that is put out, given that the step comes there
    recovered: "Array"   # the same where no draft is accepted there; zero where that cannot be


class Marginal(NamedTuple):
    """The law of the first token where drafts are drawn."""

    law: "Array"
    acceptance: float


class StepNoise(NamedTuple):
    """What a request's generator draws in a step: exponentials of the bonus token (or of the one that is sampled) and of the recovered one, uniforms of the drafts. None: not drawn."""

    bonus: "Array"
    uniforms: "Optional[Array]"
    recovered: "Optional[Array]"


class Layout(NamedTuple):
    """vLLM's index arrays of a step."""

    cu_num_draft_tokens: "Array"    # without leading 0
    cu_num_sampled_tokens: "Array"
    target_rows: "Array"            # rows of the logits that judge a draft, which is the input id one row later
    bonus_rows: "Array"


def policies() -> list[str]:
    """The names of the known policies."""
    return [_cvaa.vaa_policy_name(i) for i in range(_cvaa.vaa_policy_count())]


class Verifier:
    """The policy by which an engine verifies drafts: a name of vaa.policies(), or rules over one: vaa.Verifier({"base": "vllm_v2", "method": "block"}).

        >>> vaa.Verifier("vllm_v1", input="probs").run([[1]], [[0.125, 0.625, 0.25]], uniforms=[0.5], bonus=[0]).ids.tolist()
        [[1, 0]]

    Options: those of vaa.Sampler (input "logits" or "probs", parameters, rounding, threads), layout "flat", "flat_with_bonus" or "padded" (default: the policy's), check "all" or "read", boundary, sum_tolerance.
    A rule that nobody has established raises vaa.Error where something depends on it, with how to measure it. docs/verifier.md has the contracts. A second thread that calls waits for the first.
    """

    def __init__(self, policy: Union[str, Mapping[str, Any]], **options: Any) -> None:
        self._policy = policy if isinstance(policy, str) else option_json(dict(policy))
        self._options = plain_options(options)
        self._handles: dict[tuple[str, str], Any] = {}
        self._lock = threading.Lock()
        self._handle()

    def _handle(self, draft_probs: str = "one_hot", cu: str = "inclusive") -> Any:
        """One for each form in which q and the counts come."""
        if (draft_probs, cu) not in self._handles:
            self._handles[draft_probs, cu] = _cvaa.vaa_verifier_new(self._policy, option_json({**self._options, "draft_probs": draft_probs, "cu": cu}))
        return self._handles[draft_probs, cu]

    @property
    def policy(self) -> dict[str, Any]:
        """All rules, as JSON has them."""
        return load(text_of(_cvaa.vaa_verifier_policy(self._handle())))

    def run(self, drafts: Any, target: Any, *, num_drafts: Any = None, cu: Any = None, cu0: Any = None, draft_probs: Any = None, uniforms: Any = None, noise: Any = None, bonus: Any = None, parents: Any = None,
            params: Optional["Params"] = None, prompt: Optional["Ids"] = None, output: Optional["Ids"] = None) -> Verified:
        """Verifies a batch.

        drafts: a list of ids a request; or flat, with num_drafts (their counts), cu (cu_num_draft_tokens: inclusive sums) or cu0 (the same with a leading 0); or an array [B, S], all of whose columns are drafts where
        no counts are given. target: rows of float32 (others are rounded to it), [rows, V] or [B, S + 1, V]. draft_probs: None (one-hot), a number a draft, or rows. uniforms: one a draft; method siblings: one
        a row of the target. noise: a row (or one uniform) a request or a row of the target, by the policy. bonus: an id a request, -2 where it is not known. parents: of a tree, of each draft the index of the one that it
        follows, -1: none. params: by name for all requests or one each. prompt, output: ids before each row of the target, for all or one list a row.
        """
        import numpy

        flat, ends, counts, width = _flat_drafts(drafts, num_drafts, cu, cu0)
        rows, (form, q) = _float_rows(target), _draft_rows(draft_probs)
        requests = len(ends) - (counts == "leading_zero")
        columns = width + 1
        history, spans = said(prompt, output, len(rows))
        ids, places = numpy.empty((requests, columns), numpy.int32), numpy.empty((requests, columns), numpy.int32)
        accepted, margins = numpy.empty(requests, numpy.int32), numpy.empty((requests, columns))
        with self._lock:
            _cvaa.vaa_verifier_run(self._handle(form, counts), flat, ends, _flat_ids(parents), rows, q, history, spans, matrix_of_params(params, requests), _flat_reals(uniforms), _noise_rows(noise), _flat_ids(bonus),
                                   ids.reshape(-1), accepted, places.reshape(-1), margins.reshape(-1))
        return Verified(ids, accepted, places, margins)

    def law(self, drafts: "Ids", target: Any, draft_probs: Any = None, *, parents: Any = None) -> Law:
        """The exact law of a step of one request: drafts known, uniforms and noise not. target: [n, V], or [n + 1, V] with the row behind the last draft; draft_probs: [n, V], or None for one-hot drafts."""
        import numpy

        ids, p = _flat_ids(drafts), _law_rows(target, "target")
        q = numpy.empty((0, 0)) if draft_probs is None else _law_rows(draft_probs, "draft_probs")
        acceptance, lengths, emitted, recovered = numpy.empty(len(ids)), numpy.empty(len(ids) + 1), numpy.empty(p.shape), numpy.empty(p.shape)
        with self._lock:
            _cvaa.vaa_verifier_law(self._handle(), ids, _flat_ids(parents), p, q, acceptance, lengths, emitted, recovered)
        return Law(acceptance, lengths, emitted, recovered)

    def marginal(self, target: Any, drafted: Any, judged: Any = None, *, candidates: int = 1, one_hot: bool = False) -> Marginal:
        """The law of the first token where the draft is drawn from `drafted` and judged with `judged` (default: what it is drawn from; one_hot: as a draft without probabilities), and the expected acceptance."""
        import numpy

        p, drawn = numpy.ascontiguousarray(target, numpy.float64), numpy.ascontiguousarray(drafted, numpy.float64)
        q = numpy.empty(0) if one_hot else drawn if judged is None else numpy.ascontiguousarray(judged, numpy.float64)
        law = numpy.empty(len(p))
        with self._lock:
            _, acceptance = _cvaa.vaa_verifier_marginal(self._handle(), p, drawn, q, candidates, law)
        return Marginal(law, acceptance)

    def draws(self, drafts: int, vocabulary: int, *, speculative: bool = True) -> list[dict[str, Any]]:
        """What a seeded request's generator draws in a step, in order. speculative: whether some request of the batch has drafts."""
        return load(text_of(_cvaa.vaa_verifier_draws(self._handle(), int(speculative), drafts, vocabulary)))

    def draw(self, rng: Rng, drafts: int, vocabulary: int, *, speculative: bool = True) -> StepNoise:
        """Makes them with the request's own generator, which goes on from step to step."""
        import numpy

        if drafts < 0 or vocabulary < 0:
            raise ValueError(f"drafts, vocabulary: are {drafts} and {vocabulary}, must be at least 0")
        drawn = drafts if speculative else 0
        bonus, uniforms, recovered = numpy.empty(vocabulary, numpy.float32), numpy.empty(drawn), numpy.empty(vocabulary if drawn else 0, numpy.float32)
        with rng._lock:
            _cvaa.vaa_verifier_draw(self._handle(), rng._handle, int(speculative), bonus, uniforms, recovered)
        return StepNoise(bonus, uniforms if drawn else None, recovered if drawn else None)


def draft_layout(num_drafts: "Ids") -> Layout:
    """vLLM's index arrays of a step, from the number of drafts of each request."""
    import numpy

    counts = whole_numbers(num_drafts, "num_drafts").reshape(-1)
    drafts = int(counts.sum()) if len(counts) and counts.min() >= 0 and counts.max() < 1 << 31 else 0
    out = [numpy.empty(size, numpy.int64) for size in (len(counts), len(counts), drafts, len(counts))]
    _cvaa.vaa_draft_layout(counts, *out)
    return Layout(*out)


def emitted_rows(rows: Any, vocabulary: int) -> "list[Array]":
    """Rows of ids as an engine put them out, without -1 and without ids of the vocabulary's size and more, as vLLM parses them. A row of n ids has n - 1 accepted drafts."""
    import numpy

    table = whole_numbers(rows, "rows")
    if table.ndim != 2:
        raise ValueError(f"rows: has {table.ndim} dimensions, must be [B, S + 1]")
    ids, ends = numpy.empty(table.size, numpy.int32), numpy.empty(len(table), numpy.int64)
    kept, _ = _cvaa.vaa_emitted_rows(table.reshape(-1), table.shape[1], vocabulary, ids, ends)
    return numpy.split(ids[:kept], ends[:-1]) if len(table) else []


def flashinfer_counters(acceptance: Any) -> "tuple[float, float]":
    """What FlashInfer's counters emitted and accepted come to on average, given the acceptance of each position."""
    emitted, accepted = _cvaa.vaa_flashinfer_counters(acceptance)
    return emitted, accepted


def _flat_drafts(drafts: Any, num_drafts: Any, cu: Any, cu0: Any) -> "tuple[Array, Array, str, int]":
    """Ids, cumulative counts, whether those begin with 0, and the most drafts of a request."""
    import numpy

    given = [name for name, value in (("num_drafts", num_drafts), ("cu", cu), ("cu0", cu0)) if value is not None]
    if len(given) > 1:
        raise ValueError(f"{given[0]}: is given beside {given[1]}, must be one of them")
    table = isinstance(drafts, numpy.ndarray) and drafts.ndim == 2
    if not given and not table:
        lists = [whole_numbers(one, "drafts").reshape(-1) for one in drafts]
        counts = numpy.array([len(one) for one in lists], numpy.int64)
        return _flat_ids(numpy.concatenate(lists) if lists else None), counts.cumsum(), "inclusive", int(counts.max(initial=0))
    if not given:
        ends = drafts.shape[1] * numpy.arange(1, len(drafts) + 1)
    elif num_drafts is not None:
        ends = whole_numbers(num_drafts, "num_drafts").cumsum()
    else:
        ends = whole_numbers(cu if cu0 is None else cu0, given[0])
    if cu0 is not None and len(ends) == 0:
        raise ValueError("cu0: is empty, must begin with 0")
    flat = _flat_ids(drafts)
    sums = ends if cu0 is not None else numpy.concatenate([[0], ends])
    most = min(int(numpy.diff(sums).max(initial=0)), len(flat))  # counts that drafts do not have are refused by name
    return flat, ends, "inclusive" if cu0 is None else "leading_zero", drafts.shape[1] if table else most


def _flat_ids(ids: Any) -> "Array":
    """Ids in one dimension; the checks of their range are the border's."""
    import numpy

    return numpy.empty(0, numpy.int32) if ids is None else numpy.ascontiguousarray(ids).reshape(-1) if numpy.size(ids) else numpy.empty(0, numpy.int32)


def _flat_reals(values: Any) -> "Array":
    import numpy

    return numpy.empty(0) if values is None else numpy.ascontiguousarray(values, numpy.float64).reshape(-1)


def _float_rows(values: Any) -> "Array":
    """[rows, V] of float32, from that or from [B, S + 1, V]."""
    import numpy

    rows = numpy.ascontiguousarray(values, numpy.float32)
    if rows.size == 0:
        return numpy.empty((0, rows.shape[-1] if rows.ndim > 1 else 0), numpy.float32)
    if rows.ndim not in (2, 3):
        raise ValueError(f"rows of the vocabulary: have {rows.ndim} dimensions, must be [rows, V] or [B, S, V]")
    return rows.reshape(-1, rows.shape[-1])


def _draft_rows(draft_probs: Any) -> "tuple[str, Array]":
    import numpy

    if draft_probs is None:
        return "one_hot", numpy.empty((0, 0), numpy.float32)
    values = numpy.ascontiguousarray(draft_probs, numpy.float32)
    return ("values", values.reshape(-1, 1)) if values.ndim == 1 else ("rows", _float_rows(values))


def _noise_rows(noise: Any) -> "Array":
    import numpy

    if noise is None or numpy.size(noise) == 0:
        return numpy.empty((0, 0), numpy.float32)
    values = numpy.ascontiguousarray(noise, numpy.float32)
    return values.reshape(-1, 1) if values.ndim == 1 else _float_rows(values)


def _law_rows(values: Any, name: str) -> "Array":
    import numpy

    rows = numpy.ascontiguousarray(values, numpy.float64)
    if rows.ndim != 2:
        raise ValueError(f"{name}: has {rows.ndim} dimensions, must be [rows, V]")
    return rows
