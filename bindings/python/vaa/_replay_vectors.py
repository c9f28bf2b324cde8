"""The group difr of verification.json: from a vector's inputs to the fields that it expects."""

from __future__ import annotations

from typing import Any, Mapping, Optional

from ._replay import difr_margins


def run(v: Mapping[str, Any]) -> Optional[dict[str, Any]]:
    """Scores, the token that wins, and the margins as they are and clipped."""
    if v.keys() != {"logits", "exponentials", "temperature", "clip"}:
        return None
    scores, margins = difr_margins(v["logits"], v["exponentials"], v["temperature"])
    _, clipped = difr_margins(v["logits"], v["exponentials"], v["temperature"], v["clip"])
    return {"score": scores.tolist(), "sampled": margins.tolist().index(0), "margin": margins.tolist(), "margin_clipped": clipped.tolist()}
