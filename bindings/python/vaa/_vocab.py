"""A vocabulary."""

from __future__ import annotations

import itertools
from typing import Iterable, Sequence

from . import _cvaa
from ._border import Path, interruptible, path_bytes, text_of


class Vocab:
    """The bytes of each token and which tokens are special, from a folder or file with tokenizer.json. Shared by threads."""

    def __init__(self, path: Path) -> None:
        self._handle = interruptible(lambda: _cvaa.vaa_vocab_open(path_bytes(path)))

    @classmethod
    def from_tokens(cls, tokens: Iterable[bytes], special: Sequence[int] = ()) -> "Vocab":
        """From the bytes of token 0, 1, …; `special` are ids of control tokens."""
        vocab = cls.__new__(cls)
        pieces = [bytes(token) for token in tokens]
        vocab._handle = _cvaa.vaa_vocab_from_arrays(b"".join(pieces), list(itertools.accumulate(map(len, pieces))), special)
        return vocab

    def __len__(self) -> int:
        return _cvaa.vaa_vocab_size(self._handle)

    def token(self, id: int) -> bytes:
        """The bytes of a token; empty for an id that is none."""
        return _as_bytes(_cvaa.vaa_vocab_token(self._handle, id))

    def is_special(self, id: int) -> bool:
        """True for a control token (end of text, padding, turn marks)."""
        return _cvaa.vaa_vocab_is_special(self._handle, id) != 0

    def decode(self, ids: Sequence[int], keep_special: bool = False) -> bytes:
        """The bytes of all ids one after another. Raises Error for an id outside the vocabulary."""
        return _as_bytes(text_of(_cvaa.vaa_vocab_decode(self._handle, ids, 1 if keep_special else 0)))


def _as_bytes(text: "str | bytes") -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
