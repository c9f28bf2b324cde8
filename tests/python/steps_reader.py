"""Reads vaa.steps/1 files by their page (docs/reject-dump.md) alone, for tests of what writes them."""
import json
import struct

import numpy as np


def read(path):
    """(header, [STEP as a dict of lists by row, with "full" of its ROWS records])."""
    data = path.read_bytes()
    assert data[:8] == b"vaasteps"
    length, = struct.unpack_from("<I", data, 8)
    header, at, steps = json.loads(data[12 : 12 + length]), 12 + length, []
    while at < len(data):
        kind, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        body, at = data[at + 8 : at + 8 + size], at + 8 + size
        assert len(body) == size, "a record that is cut"
        steps.append(step(body)) if kind == b"STEP" else steps[-1]["full"].append(full(body))
    return header, steps


def step(body):
    rows, drafts, ids, fields = struct.unpack_from("<4I", body)
    at = 16

    def take(kind, n):
        nonlocal at
        out = np.frombuffer(body, "<" + kind, n, at)
        at += out.nbytes
        return out

    out = {"request": take("i8", rows), "position": take("i4", rows), "temperature": take("f4", rows), "counts": take("u1", rows).astype(int), "put_out": take("u1", rows).astype(int), "full": []}
    out["draft"], out["id"] = take("i4", drafts), take("i4", ids)
    for name, kind, bit in (("p", "f4", 1), ("q", "f4", 2), ("argmax", "i4", 4), ("entropy", "f4", 8)):
        out[name] = take(kind, drafts) if fields & bit else None
    assert at == len(body) and out["counts"].sum() == drafts and out["put_out"].sum() == ids
    return out


def full(body):
    row, drafts, vocabulary, fields = struct.unpack_from("<4I", body)
    sizes = [("p", "f4", (drafts + (not fields & 1)) * vocabulary), ("q", "f4", drafts * vocabulary if fields & 2 else 0), ("uniform", "f8", drafts if fields & 4 else 0), ("noise", "f8", vocabulary if fields & 8 else 0)]
    out, at = {"row": row}, 16
    for name, kind, n in sizes:
        out[name] = np.frombuffer(body, "<" + kind, n, at)
        at += out[name].nbytes
    assert at == len(body)
    return out
