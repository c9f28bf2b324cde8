"""Writes diff_reference.txt: what the functions of vaa/diff.h must give, by the tables of dynamic programming and by trying every place. The pairs are drawn from one seed, so a second run writes the same file.

    python make_diff_reference.py > diff_reference.txt

A line is whole numbers, so that every language reads it without a library:
    0 first_divergence prefix suffix levenshtein lcs indel reconverge_reference reconverge_target length_only, both sequences (options: {"window": 3}), each with its size before it
    1 which longer reference_at reference_size target_at target_size 0 0 0, both prompts
"""
import random

WINDOW = 3
draw = random.Random(20261130)


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        before, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], min(row[j] + 1, row[j + 1] + 1, before + (x != y))
    return row[-1]


def lcs(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], before + 1 if x == y else max(row[j], row[j + 1])
    return row[-1]


def shared(a, b):
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def reconverged(a, b, first):
    """The smallest sum of both indices at or behind the divergence where WINDOW ids agree, then the smallest index in a."""
    places = [(i + j, i, j) for i in range(first, len(a) - WINDOW + 1) for j in range(first, len(b) - WINDOW + 1) if a[i : i + WINDOW] == b[j : j + WINDOW]]
    return list(min(places)[1:]) if places else [-1, -1]


def case(a, b):
    prefix = shared(a, b)
    suffix = shared(a[prefix:][::-1], b[prefix:][::-1])
    same, length_only = a == b, a != b and prefix == min(len(a), len(b))
    common = lcs(a, b)
    again = [-1, -1] if same else reconverged(a, b, prefix)
    return [0, -1 if same else prefix, prefix, suffix, levenshtein(a, b), common, len(a) + len(b) - 2 * common, *again, int(length_only)]


def edited(a, edits, ids):
    b = list(a)
    for _ in range(edits):
        at = draw.randrange(len(b) + 1)
        kind = draw.randrange(3)
        if kind == 0:
            b.insert(at, draw.randrange(ids))
        elif at < len(b):
            b[at : at + 1] = [draw.randrange(ids)] if kind == 1 else []
    return b


def pairs():
    yield from (([], []), ([], [1]), ([1], []), ([-(2**31)], [2**31 - 1]), ([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [1, 2]), ([5, 6, 7], [6, 7]))
    for size, ids, edits in ((5, 2, 2), (20, 3, 4), (40, 6, 12), (60, 1000, 6), (90, 50, 60), (150, 4, 9)):
        for _ in range(4):
            a = [draw.randrange(ids) for _ in range(size)]
            yield a, edited(a, edits, ids)
    yield [draw.randrange(9) for _ in range(70)], [draw.randrange(9) for _ in range(55)]


BODY = list(range(100, 140))
# By the words of docs/diff.md: the class and the side that has more, as numbers of vaa/diff.h, and the block that differs in each.
SAME, TWICE, MISSING, GENERATION, RIGHT, LEFT, _, INSERTED, REPLACED, OTHER = range(10)
REFERENCE, TARGET = 1, 2
PROMPTS = [
    (SAME, 0, [1, *BODY], [1, *BODY], [0, 0, 0, 0]),
    (TWICE, TARGET, [1, *BODY], [1, 1, *BODY], [1, 0, 1, 1]),
    (TWICE, REFERENCE, [1, 1, *BODY], [1, *BODY], [1, 1, 1, 0]),
    (MISSING, REFERENCE, [1, *BODY], BODY, [0, 1, 0, 0]),
    (GENERATION, TARGET, BODY, [*BODY, 7, 8, 9], [40, 0, 40, 3]),
    (GENERATION, REFERENCE, [*BODY, *range(16)], BODY, [40, 16, 40, 0]),
    (RIGHT, REFERENCE, [*BODY, *range(17)], BODY, [40, 17, 40, 0]),
    (LEFT, REFERENCE, [5, 6, *BODY], BODY, [0, 2, 0, 0]),
    (INSERTED, TARGET, BODY, [*BODY[:9], 3, 4, 5, *BODY[9:]], [9, 0, 9, 3]),
    (REPLACED, TARGET, BODY, [*BODY[:9], 3, 4, 5, *BODY[11:]], [9, 2, 9, 3]),
    (OTHER, 0, BODY, [*BODY[:9], 3, *BODY[10:30], 4, *BODY[31:]], [9, 22, 9, 22]),
]

if __name__ == "__main__":
    lines = [[*case(a, b), len(a), *a, len(b), *b] for a, b in pairs()]
    lines += [[1, which, longer, *block, 0, 0, 0, len(a), *a, len(b), *b] for which, longer, a, b, block in PROMPTS]
    print("\n".join(" ".join(map(str, line)) for line in lines))
