"""How two token sequences differ."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _cvaa
from ._border import option_json
from ._vocab import Vocab

if TYPE_CHECKING:
    import numpy

    Ids = Union[Sequence[int], "numpy.ndarray[Any, Any]"]


class Divergence(NamedTuple):
    """Where two sequences part, by how many edits, where they agree again. None: does not apply, or is not known. Indices count from 0."""

    reference_size: int
    target_size: int
    first_divergence: Optional[int]  # None: they are the same
    prefix: int  # ids that agree at the beginning
    suffix: int  # ids that agree at the end, behind the prefix
    levenshtein: Optional[int]  # None: more than `more_than`
    lcs: Optional[int]  # longest common subsequence
    indel: Optional[int]  # insertions and deletions
    more_than: Optional[int]  # the max_distance that the distance exceeds
    reconverge: Optional[tuple[int, int]]  # the first place in reference and target behind the divergence where `window` ids agree
    prefix_ratio: float  # prefix / longer side
    normalized_levenshtein: Optional[float]  # levenshtein / longer side
    normalized_indel: Optional[float]  # indel / both sides
    length_only: bool  # the shorter side is the beginning of the longer one
    same_bytes: Optional[bool]  # other ids that stand for the same bytes; None without a vocabulary


class Hunk(NamedTuple):
    """reference[reference_at : reference_at + reference_size] stands where target[target_at : target_at + target_size] does."""

    reference_at: int
    reference_size: int
    target_at: int
    target_size: int


class PromptDifference(NamedTuple):
    """Why two prompts differ: which is "same", "bos_twice", "bos_missing", "generation_prompt", "cut_right", "cut_left", "other_segmentation", "block_inserted", "block_replaced" or "other"."""

    which: str
    longer: Optional[str]  # the side that has more there: "reference", "target"
    hunk: Hunk  # the block that differs


def _known(number: Any) -> Any:
    return None if number < 0 or math.isnan(number) else number


class Diff:
    """Compares pairs of token sequences, and keeps its memory from one to the next. A second thread that calls waits for the first.

    window: ids that must agree for a re-convergence; lcs: compute lcs and indel too; vocab: then same_bytes is known. Ids are numpy arrays, other buffers or lists.
    Nearly equal sequences cost a pass over them; others the product of their sizes over 64, in linear memory.
    """

    def __init__(self, *, vocab: Optional[Vocab] = None, window: Optional[int] = None, lcs: Optional[bool] = None, **options: Any) -> None:
        options.update(window=window, lcs=lcs)
        self._vocab = vocab  # borrowed
        self._handle = _cvaa.vaa_diff_new(option_json(options), vocab._handle if vocab else None)
        self._lock = threading.Lock()

    def run(self, reference: "Ids", target: "Ids", max_distance: Optional[int] = None) -> Divergence:
        """The difference. max_distance: edits up to which the distance is computed (None: any); beyond it levenshtein is None and more_than says so."""
        with self._lock:
            d = _cvaa.vaa_diff_run(self._handle, reference, target, -1 if max_distance is None else max_distance)
        again = (d[9], d[10]) if d[9] >= 0 else None
        return Divergence(*d[:2], _known(d[2]), *d[3:5], *(_known(x) for x in d[5:9]), again, d[11], *(None if math.isnan(x) else x for x in d[12:14]), d[14] != 0, None if d[15] < 0 else d[15] == 1)

    def hunks(self, reference: "Ids", target: "Ids") -> list[Hunk]:
        """A shortest script: between hunks the ids are the same; the larger sides of all add up to the Levenshtein distance."""
        with self._lock:
            numbers = memoryview(_cvaa.vaa_diff_hunks(self._handle, reference, target)).tolist()
        return [Hunk(*numbers[i:i + 4]) for i in range(0, len(numbers), 4)]

    def prompt(self, reference: "Ids", target: "Ids") -> PromptDifference:
        """Why two prompts differ. Prompts that differ end the comparison of a pair: what follows them says nothing of the engine."""
        with self._lock:
            which, longer, *hunk = _cvaa.vaa_diff_prompt(self._handle, reference, target)
        return PromptDifference(_cvaa.vaa_prompt_class_name(which), (None, "reference", "target")[longer], Hunk(*hunk))


def diff(reference: "Ids", target: "Ids", max_distance: Optional[int] = None, *, vocab: Optional[Vocab] = None, **options: Any) -> Divergence:
    """Where two token sequences part, by how many edits, where they agree again. Options: those of vaa.Diff, which is faster for many pairs.

        >>> vaa.diff([1, 2, 3, 10, 11, 20, 21, 22], [1, 2, 3, 12, 20, 21, 22], window=3).first_divergence
        3
    """
    return Diff(vocab=vocab, **options).run(reference, target, max_distance)
