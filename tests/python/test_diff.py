"""Token diffs from Python: against rapidfuzz where it is there, and what must hold of every pair."""

import random

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import vaa
from conftest import GOLDEN

IDS = st.lists(st.integers(0, 6), max_size=60)


@given(IDS, IDS)
def test_a_script_and_its_distance_agree(a, b):
    diff = vaa.Diff(window=2)
    d = diff.run(a, b)
    hunks = diff.hunks(a, b)
    assert sum(max(h.reference_size, h.target_size) for h in hunks) == d.levenshtein
    rebuilt, at = [], 0
    for h in hunks:
        rebuilt += a[at:h.reference_at] + b[h.target_at:h.target_at + h.target_size]
        at = h.reference_at + h.reference_size
    assert rebuilt + a[at:] == b
    assert (d.first_divergence is None) == (a == b)
    assert d.indel == len(a) + len(b) - 2 * d.lcs and d.levenshtein <= d.indel <= 2 * d.levenshtein
    turned = diff.run(b, a)
    assert (turned.levenshtein, turned.lcs, turned.prefix, turned.suffix) == (d.levenshtein, d.lcs, d.prefix, d.suffix)


@given(IDS, IDS, st.integers(0, 40))
def test_a_limit_cuts_and_changes_nothing_below_it(a, b, limit):
    whole, cut = vaa.diff(a, b), vaa.diff(a, b, limit)
    if whole.levenshtein <= limit:
        assert cut == whole
    else:
        assert cut.levenshtein is None and cut.more_than == limit and cut.first_divergence == whole.first_divergence


def test_distances_are_those_of_rapidfuzz():
    distances = pytest.importorskip("rapidfuzz.distance")
    random.seed(5)
    for _ in range(300):
        vocabulary = random.choice((3, 50, 150000))
        a = [random.randrange(vocabulary) for _ in range(random.randrange(900))]
        b = list(a) if random.random() < 0.5 else [random.randrange(vocabulary) for _ in range(random.randrange(900))]
        for _ in range(random.randrange(40)):
            if b:
                b[random.randrange(len(b))] = random.randrange(vocabulary)
        d = vaa.diff(a, b)
        assert d.levenshtein == distances.Levenshtein.distance(a, b)
        assert d.indel == distances.Indel.distance(a, b)


def test_arrays_and_bad_input():
    assert vaa.diff(numpy.arange(10, dtype="int64"), numpy.arange(10, dtype="int32")).first_divergence is None
    with pytest.raises(OverflowError):
        vaa.diff([2**31], [1])
    with pytest.raises(vaa.Error, match="window: 0 is out of range"):
        vaa.diff([1], [1], window=0)
    with pytest.raises(vaa.Error, match="max_distance: is -3"):
        vaa.diff([1], [2], -3)
    assert vaa.diff([], []).prefix_ratio == 1


def test_prompts():
    diff = vaa.Diff()
    assert diff.prompt([1, 5, 6], [1, 1, 5, 6]) == vaa.PromptDifference("bos_twice", "target", vaa.Hunk(1, 0, 1, 1))
    assert diff.prompt([1, 5, 6], [1, 5, 6]).which == "same" and diff.prompt([1, 5, 6], [1, 5, 6]).longer is None


def reference_lines():
    """(is it of prompts, nine numbers, both sequences) of the lines that make_diff_reference.py describes."""
    for line in (GOLDEN / "diff_reference.txt").read_text().splitlines():
        kind, *numbers = map(int, line.split())
        expected, rest = numbers[:9], numbers[9:]
        yield bool(kind), expected, rest[1 : 1 + rest[0]], rest[2 + rest[0] :]


def test_the_numbers_of_an_independent_program():
    diff, kinds = vaa.Diff(window=3), []
    for prompt, expected, reference, target in reference_lines():
        kinds.append(prompt)
        if prompt:
            p = diff.prompt(reference, target)
            assert [p.longer, p.hunk] == [(None, "reference", "target")[expected[1]], vaa.Hunk(*expected[2:6])]
            assert p.which == ("same", "bos_twice", "bos_missing", "generation_prompt", "cut_right", "cut_left", "", "block_inserted", "block_replaced", "other")[expected[0]]
            continue
        d = diff.run(reference, target)
        assert [-1 if d.first_divergence is None else d.first_divergence, d.prefix, d.suffix, d.levenshtein, d.lcs, d.indel, *(d.reconverge or (-1, -1)), d.length_only] == expected
    assert kinds.count(False) > 30 and kinds.count(True) > 10
