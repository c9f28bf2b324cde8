"""One process' probe: reads what a rejection sampler is given and what it puts out, and writes it as steps. It changes nothing of either, draws no number, and never raises."""
import hashlib
import json
import os
import struct
from typing import Any, Callable, Dict, List, Mapping, Optional, Set

import numpy as np

from .probe_options import ProbeOptions
from .step_arrays import Target, on_host, q_of_drafts, to_host
from .step_files import FaultFile, StepFiles

_P, _Q, _ARGMAX, _ENTROPY = 1, 2, 4, 8          # of STEP
_NO_BONUS, _Q_ROWS, _UNIFORM, _NOISE = 1, 2, 4, 8  # of ROWS
_MOST_FAULTS = 100  # in a row, before the probe ends itself
_MOST_NAMES = 1 << 16  # of requests, and of seeds
_MOST_KINDS = 8      # of headers: with q and without, of seeds of their own and shared ones, …


def _is_drawn(number: int, one_in: int) -> bool:
    """Whether a row is among those written in full: evenly spread, by its number alone (splitmix64's finaliser)."""
    x = (number + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return one_in > 0 and (x ^ x >> 31) % one_in == 0


class Call:
    """One call of the rejection sampler: what it was given, and what was read of that before it ran."""

    def __init__(self, target: Target, draft_ids: Any, counts: List[int], draft_probs: Any, temperature: Any, all_greedy: bool) -> None:
        self.target, self.draft_ids, self.draft_probs = target, draft_ids, draft_probs
        self.counts = counts
        self.temperature, self.all_greedy = temperature, all_greedy
        self.rule: Dict[str, Any] = {}
        self.entropy_of: Optional[Target] = None  # whose entropy the entropy rule takes
        self.vocab_size = target.width
        self.whole = True                     # the target's rows are the whole vocabulary's, or candidates of all of it
        self.requests: Optional[List[str]] = None
        self.positions: Optional[List[int]] = None
        self.shared: Set[int] = set()         # rows whose seed another request had before
        self.header: Dict[str, Any] = {}
        self.columns: List[Any] = []
        self.drawn: List[int] = []            # rows that are written in full
        self.rows: Dict[int, bytes] = {}
        self.uniforms: Any = None
        self.noise: Any = None                # rows of requests


class StepProbe:
    def __init__(self, options: ProbeOptions) -> None:
        self.options = options
        self.faults = FaultFile(options.folder)
        self._files: Dict[str, StepFiles] = {}  # by header
        self.off = False
        self.noise_refused = ""               # why there is none
        self._steps = self._rows = self._in_a_row = 0
        self._names: Dict[str, int] = {}
        self._owners: Dict[int, Any] = {}     # of seeds: the first request that had it

    def guarded(self, what: str, work: Callable[[], Any]) -> Any:
        """work(), or None where it failed, which is counted and said in the probe's own file."""
        try:
            out = work()
        except Exception as fault:  # noqa: BLE001: nothing of a probe may reach the engine
            self._in_a_row += 1
            self.faults.say(f"{what}: {type(fault).__name__}: {fault}", lost=self.lost())
            if self._in_a_row >= _MOST_FAULTS and not self.off:
                self.off = True
                self.faults.say(f"{_MOST_FAULTS} faults in a row: nothing more is written by this process")
            return None
        self._in_a_row = 0
        return out

    def lost(self) -> int:
        """Steps that the disk did not take."""
        return sum(files.lost for files in self._files.values())

    def close(self) -> None:
        for files in self._files.values():
            files.close()

    def wanted(self) -> bool:
        """Whether this step is written; counts it."""
        self._steps += 1
        return not self.off and (self._steps - 1) % self.options.every == 0

    def before(self, call: Call) -> Call:
        """Reads what the sampler may overwrite."""
        if call.whole:
            p, best = call.target.of_drafts(call.draft_ids)
            q = q_of_drafts(call.draft_probs, call.draft_ids) if call.draft_probs is not None else None
            entropy = call.entropy_of.entropy() if call.entropy_of is not None else None
            call.columns = [(p, "f4"), (q, "f4"), (best, "i4"), (entropy, "f4")]
        else:
            call.columns = [(None, "f4"), (None, "f4"), (None, "i4"), (None, "f4")]
        begin = 0
        for row, count in enumerate(call.counts):
            if count > 0:
                self._rows += 1
                if call.whole and _is_drawn(self._rows, self.options.rows):
                    call.drawn.append(row)
                    call.rows[row] = self._full_row(call, begin, begin + count)
            begin += count
        return call

    def _full_row(self, call: Call, begin: int, end: int) -> bytes:
        out = call.target.whole(begin, end, call.vocab_size).tobytes()
        if call.draft_probs is not None:
            out += on_host(call.draft_probs[begin:end]).astype("<f4").tobytes()
        return out

    def after(self, call: Call, output: Any) -> None:
        """Writes the step. output: [requests, tokens], -1 where nothing was put out."""
        width = int(output.shape[-1])
        temperature = None if call.temperature is None else call.temperature[: len(call.counts)]
        drafts, ids, t, p, q, best, entropy = to_host([(call.draft_ids, "i4"), (output, "i4"), (temperature, "f4"), *call.columns])
        counts = np.asarray(call.counts, np.int64)
        kept = np.flatnonzero(counts > 0)
        if counts.max(initial=0) > 255 or width > 255:
            raise ValueError(f"{counts.max()} drafts of a row: 255 can be written")
        of_row = np.repeat(np.arange(len(counts)), counts)
        if t is None:
            t = np.zeros(len(counts), "<f4")
        t = np.maximum(t, 0)
        greedy = (t == 0)[of_row]
        padded = drafts < 0
        if p is not None:  # a greedy row is judged by its likeliest token alone
            p = np.where(greedy, (drafts == best) & ~padded, p).astype("<f4")
        if q is not None:
            q = np.where(greedy & ~padded, 1, q).astype("<f4")
        is_shared = np.isin(np.arange(len(counts)), list(call.shared))
        for shared in (False, True):
            rows = kept[is_shared[kept] == shared]
            if len(rows):
                own = (is_shared == shared)[of_row]
                self._write(call, shared, rows, drafts[own], ids.reshape(-1, width)[rows], t[rows], [(None if x is None else x[own], bit) for x, bit in ((p, _P), (q, _Q), (best, _ARGMAX), (entropy, _ENTROPY))])

    def _write(self, call: Call, shared: bool, kept: Any, drafts: Any, ids: Any, t: Any, fields: List[Any]) -> None:
        """Of the rows `kept`: their drafts and what is known of each draft, row after row, and what each put out."""
        width = ids.shape[1]
        counts = np.asarray(call.counts, np.int64)[kept]
        last = width - (ids[:, ::-1] != -1).argmax(axis=1)
        put_out = np.where((ids != -1).any(axis=1), last, 0)
        number = [self._request(call, row) for row in kept]
        position = np.asarray([call.positions[row] if call.positions else 0 for row in kept], "<i4")
        body = struct.pack("<4I", len(kept), len(drafts), int(put_out.sum()), sum(bit for column, bit in fields if column is not None))
        body += np.asarray(number, "<i8").tobytes() + position.tobytes() + t.astype("<f4").tobytes() + counts.astype(np.uint8).tobytes() + put_out.astype(np.uint8).tobytes()
        body += drafts.tobytes() + ids[np.arange(width) < put_out[:, None]].astype("<i4").tobytes()
        body += b"".join(column.tobytes() for column, _ in fields if column is not None)
        records = b"STEP" + struct.pack("<I", len(body)) + body
        places = {int(row): place for place, row in enumerate(kept)}
        for row in call.drawn:
            if row in places:
                records += self._rows_record(call, row, places[row])
        self._files_of(self._header(call, shared)).write(records)

    def _rows_record(self, call: Call, row: int, place: int) -> bytes:
        begin, count = sum(call.counts[:row]), call.counts[row]
        fields, body = _NO_BONUS | (_Q_ROWS if call.draft_probs is not None else 0), call.rows[row]
        if call.uniforms is not None and call.noise is not None:
            fields |= _UNIFORM | _NOISE
            body += on_host(call.uniforms[begin : begin + count]).astype("<f8").tobytes() + on_host(call.noise[row]).astype("<f8").tobytes()
        return b"ROWS" + struct.pack("<5I", 16 + len(body), place, count, call.vocab_size, fields) + body

    def _header(self, call: Call, shared: bool) -> Dict[str, Any]:
        header = {"vocab_size": call.vocab_size, "draft_probs": "one_hot" if call.draft_probs is None else "recorded", **call.header, **call.rule}
        if self.options.server:
            header["server"] = self.options.server[:64]
        if self.options.noise and not self.noise_refused:
            header["noise"] = "race"
        if shared:
            header["shared_seeds"] = True
        return header

    def _files_of(self, header: Dict[str, Any]) -> StepFiles:
        key = json.dumps(header, sort_keys=True)
        if key not in self._files:
            if len(self._files) >= _MOST_KINDS:
                raise ValueError(f"steps of over {_MOST_KINDS} kinds, the last with the header {key}")
            name = f"steps-rank{header.get('rank', 0)}-{os.getpid()}" + (f"-{len(self._files)}" if self._files else "")
            self._files[key] = StepFiles(self.options.folder, name, header, self.options.part_mb << 20, self.options.parts, self.options.free_mb << 20)
        return self._files[key]

    def sharing(self, generators: Mapping[int, Any], requests: Optional[List[str]]) -> Set[int]:
        """Rows whose seed another request had before: they draw its numbers again. generators: of rows with a seed; without names of requests a row is one."""
        out = set()
        for row, generator in generators.items():
            owner = requests[row] if requests is not None and row < len(requests) else row
            seed = int(generator.initial_seed())
            first = self._owners.get(seed, owner) if len(self._owners) >= _MOST_NAMES else self._owners.setdefault(seed, owner)
            if first != owner:
                out.add(int(row))
        return out

    def _request(self, call: Call, row: int) -> int:
        """A number of the request's own; where its name is not known, of the row."""
        if call.requests is None:
            return self._steps << 16 | int(row)
        name = call.requests[row]
        number = self._names.get(name)
        if number is None:
            if len(self._names) >= _MOST_NAMES:
                self._names.clear()
            number = self._names[name] = int.from_bytes(hashlib.blake2b(str(name).encode(), digest_size=8).digest(), "little") >> 1
        return number
