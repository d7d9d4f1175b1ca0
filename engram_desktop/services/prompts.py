"""The texts sent to a model: our templates, filled with a chat's own words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from engram_desktop.domain.macros import expand
from engram_desktop.domain.message import Message
from engram_desktop.services.resources import resource

Language = Literal["zh", "en"]
_CJK = re.compile(r"[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(texts: Sequence[str]) -> Language:
    """Return zh if a fifth of the letters are Chinese, else en."""
    sample = "".join(text[:500] for text in texts[:50])
    letters = len(_LETTER.findall(sample))
    return "zh" if letters and len(_CJK.findall(sample)) * 5 >= letters else "en"


def chat_history(messages: Sequence[Message], cleaned: Sequence[str]) -> str:
    """Lay out messages for a model: floor, speaker, text. Angle brackets cannot close the block."""
    rows = [
        f"[{m.seq}] {m.name or m.role}: {text}"
        for m, text in zip(messages, cleaned, strict=True)
        if text
    ]
    return "\n".join(rows).replace("</chat_history", "<\\/chat_history")


def task_messages(
    task: Literal["summary", "trim", "entity", "expand"],
    language: Language,
    values: Mapping[str, str],
) -> list[dict[str, str]]:
    """Return the request of ``task`` as chat messages: our template, filled once."""
    system, user = (
        resource(f"prompts/{language}/{task}.{part}.md").read_text("utf-8")
        for part in ("system", "user")
    )
    return [
        {"role": "system", "content": system.strip()},
        {"role": "user", "content": expand(user, values).strip()},
    ]
