"""How far a memory can be trusted: by what made it or confirmed it last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Confidence = Literal["imported", "extracted", "model", "confirmed"]
CONFIDENCES: tuple[Confidence, ...] = get_args(Confidence)  # the least trusted first

OF_EXTRACTOR: Mapping[str, Confidence] = {
    "manual": "confirmed",
    "llm": "model",
    "extractive": "extracted",
    "imported": "imported",
}


def is_at_least(confidence: Confidence, level: Confidence) -> bool:
    """Whether a memory of this confidence may be used where ``level`` is asked for."""
    return CONFIDENCES.index(confidence) >= CONFIDENCES.index(level)
