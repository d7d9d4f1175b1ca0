"""A reply as it is kept: thoughts beside it, no name before it, else as it was sent."""

from __future__ import annotations

import re

from engram_desktop.domain.serving.texts.plain_text import is_script

_THOUGHT = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_NAME_CHARS = 80  # of a name that may stand before a reply


def split_reply(text: str, speaker: str) -> tuple[str, str]:
    """Return (reply, what was thought before it); a thought without an end is part of the reply."""
    reasoning = ""
    match = _THOUGHT.match(text)
    if match is not None:
        closing = f"</{match[1].lower()}>"
        end = text.lower().find(closing, match.end())
        if end >= 0 and len(text.lower()) == len(text):
            reasoning = text[match.end() : end].strip()
            text = text[end + len(closing) :].lstrip()
    for mark in (":", "："):
        head, colon, rest = text[:_NAME_CHARS].partition(mark)
        is_named = bool(colon and speaker) and head.strip(" *") == speaker and rest.strip()
        if is_named and not is_script(text):
            text = text[len(head) + 1 :].lstrip()
            break
    return text, reasoning
