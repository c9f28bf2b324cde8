"""What a rejection sampler was given and made, as numbers on the host: torch tensors of any device, or numpy arrays."""
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np


def on_host(array: Any) -> np.ndarray:
    return array.detach().cpu().numpy() if hasattr(array, "detach") else np.asarray(array)


class Target:
    """The target's rows as a sampler gets them: logits or probabilities, of the vocabulary or of candidates whose ids are given. Nothing here draws a number or writes into what it reads."""

    def __init__(self, rows: Any, ids: Any, are_probs: bool) -> None:
        self.rows, self.ids, self.are_probs = rows, ids, are_probs
        self.torch = hasattr(rows, "detach")

    @property
    def width(self) -> int:
        return int(self.rows.shape[-1])

    def probs(self, begin: int, end: int) -> Any:
        """Probabilities of rows [begin, end)."""
        rows = self.rows[begin:end]
        if self.are_probs:
            return rows
        if self.torch:
            return rows.float().softmax(-1)
        x = np.exp(rows.astype(np.float32) - rows.max(axis=-1, keepdims=True))
        return x / x.sum(axis=-1, keepdims=True)

    def whole(self, begin: int, end: int, vocab_size: int) -> np.ndarray:
        """The same over the vocabulary, on the host."""
        probs = on_host(self.probs(begin, end)).astype("<f4")
        if self.ids is None:
            return probs
        out = np.zeros((end - begin, vocab_size), "<f4")
        np.put_along_axis(out, on_host(self.ids[begin:end]).astype(np.int64), probs, -1)
        return out

    def of_drafts(self, drafts: Any) -> Tuple[Any, Any]:
        """p of each row's draft token, 0 where it is padded or no candidate, and the likeliest token of each row."""
        best = self.rows.argmax(-1)
        if self.ids is not None:
            hit = self.ids == drafts[:, None]
            p = (self.probs(0, len(self.rows)) * hit).sum(-1)
            return p, _pick(self.ids, best)
        column = drafts.clip(0, self.width - 1)
        chosen = _pick(self.rows, column)
        if self.are_probs:
            p = chosen
        elif self.torch:
            p = (chosen.float() - self.rows.float().logsumexp(-1)).exp()
        else:
            top = self.rows.max(axis=-1)
            p = np.exp(chosen - top) / np.exp(self.rows - top[:, None]).sum(axis=-1)
        return p * ((drafts >= 0) & (drafts < self.width)), best

    def entropy(self) -> Any:
        """Of each row, in nats."""
        p = self.probs(0, len(self.rows))
        if self.torch:
            return -(p * p.clamp_min(1e-38).log()).sum(-1)
        return -(p * np.log(np.maximum(p, 1e-38))).sum(axis=-1)


def _pick(rows: Any, column: Any) -> Any:
    """rows[i, column[i]]"""
    if hasattr(rows, "detach"):
        return rows.gather(-1, column.long()[:, None])[:, 0]
    return np.take_along_axis(rows, column.astype(np.int64)[:, None], -1)[:, 0]


def q_of_drafts(draft_probs: Any, drafts: Any) -> Any:
    width = int(draft_probs.shape[-1])
    return _pick(draft_probs, drafts.clip(0, width - 1)) * ((drafts >= 0) & (drafts < width))


def to_host(columns: Sequence[Tuple[Any, str]]) -> List[Optional[np.ndarray]]:
    """Arrays with their types, "i4" or "f4", flat and on the host: of torch tensors one copy for all of them. None stays None."""
    there = [(array, kind) for array, kind in columns if array is not None]
    if there and all(hasattr(array, "detach") for array, _ in there):
        import torch

        kinds = {"i4": torch.int32, "f4": torch.float32}
        device = there[0][0].device
        packed = torch.cat([array.detach().to(device=device, dtype=kinds[kind]).reshape(-1).view(torch.int32) for array, kind in there]).cpu().numpy()
        begin, out = 0, []
        for array, kind in there:
            end = begin + array.numel()
            out.append(packed[begin:end].view("<" + kind))
            begin = end
    else:
        out = [on_host(array).reshape(-1).astype("<" + kind) for array, kind in there]
    rest = iter(out)
    return [None if array is None else next(rest) for array, _ in columns]
