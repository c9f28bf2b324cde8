"""The group `diff` of verification.json: from a vector's inputs to the fields that it expects."""

from __future__ import annotations

import hashlib
import re
import struct
from typing import Any, Mapping, Optional

from ._diff import Diff

Ids = list[int]


def generated(seed: int, n: int, vocab: int) -> Ids:
    """The ids of conventions.rng_lcg."""
    ids, x = [], seed
    for _ in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        ids.append((x >> 33) % vocab)
    return ids


def _edited(ids: Ids, edits: str) -> Optional[Ids]:
    """"for i in 50,147,...<2000: t[i]=(t[i]+1)%150000; del t[1234]; t.insert(700,42)"."""
    t = list(ids)
    for edit in (part.strip() for part in edits.split(";")):
        if found := re.fullmatch(r"for i in (\d+),(\d+),\.\.\.<(\d+): t\[i\]=\(t\[i\]\+(\d+)\)%(\d+)", edit):
            first, second, end, more, vocab = map(int, found.groups())
            for i in range(first, end, second - first):
                t[i] = (t[i] + more) % vocab
        elif found := re.fullmatch(r"del t\[(\d+)\]", edit):
            del t[int(found[1])]
        elif found := re.fullmatch(r"t\.insert\((\d+),(\d+)\)", edit):
            t.insert(int(found[1]), int(found[2]))
        else:
            return None
    return t


def _sequences(v: Mapping[str, Any]) -> Optional[tuple[Ids, Ids]]:
    """The two sequences, given as lists or in words; None where the words are not known."""
    if isinstance(v["ref"], list):
        return v["ref"], v["target"]
    ref = generated(v["ref"]["lcg_seed"], v["ref"]["n"], v["ref"]["vocab"])
    target: Optional[Ids] = None
    if "edits" in v:
        target = _edited(ref, v["edits"])
    elif found := re.fullmatch(r"ref\[:(\d+)\] \+ lcg\(seed (\d+), n (\d+), vocab (\d+)\)(?:\[(\d+):\])?", v.get("target", "")):
        kept, seed, n, vocab, start = (int(x or 0) for x in found.groups())
        target = ref[:kept] + generated(seed, n, vocab)[start:]
    if target is None:
        return None
    for name, ids in (("ref", ref), ("target", target)):
        digest = hashlib.sha256(struct.pack(f"<{len(ids)}I", *ids)).hexdigest()
        if v.get(f"sha256_{name}_u32le", digest) != digest:
            return None
    return ref, target


def run(v: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """What vaa.Diff says of a vector of this group."""
    sequences = _sequences(v)
    if sequences is None:
        return None
    window = v.get("window", 32)
    d = Diff(window=window).run(*sequences)
    return {"lcp": d.prefix, "first_divergence": d.first_divergence, "length_only": d.length_only, "common_suffix_after_lcp": d.suffix, "levenshtein": d.levenshtein, "lcs": d.lcs, "indel": d.indel,
            "lcp_ratio": d.prefix_ratio, "normalized_levenshtein": d.normalized_levenshtein, f"reconverge_w{window}": list(d.reconverge) if d.reconverge else None}
