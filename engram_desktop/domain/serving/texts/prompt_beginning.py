"""Read the messages of a prompt that is one text, and of which nothing is known yet.

Only names say where a message begins there: those that would end the reply, and the one the prompt
ends with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.serving.texts.request import FrontRequest

_LAST_NAME = re.compile(r"(?:^|[\n>\]])[ \t]*([^\n:：<>\[\]|]{1,60})[:：]\s*\Z")
# What an instruct template puts behind a message.
_MARKS = re.compile(
    r"(?:\s*(?:<\|[^|\n]{1,40}\|>|<(?:end|start)_of_turn>|\[/?INST\]|</?s>|###[^\n]{0,40}:)"
    r"\s*(?:system|user|assistant|model)?\s*)+\Z"
)
_MARK_CHARS = 300  # characters at the end of a message that may be marks
Row = tuple[str, str, str]  # (role, name, text)


def rows_of_prompt(request: FrontRequest) -> tuple[list[Row], str]:
    """Return the messages of a prompt and who is about to speak; nothing where it has no names."""
    text = request.said[0].text if request.said else ""
    ending = _LAST_NAME.search(text[-_MARK_CHARS:])
    names = [stop.strip().rstrip(":：") for stop in request.stops if stop.strip()[-1:] in ":："]
    if ending is None or len(names) < 1:
        return [], ""
    speaker = ending[1].strip()
    player = next((name for name in names if name != speaker), "")
    if not player:
        return [], ""
    return _rows(text, list(dict.fromkeys([player, speaker, *names])), player), speaker


def _rows(text: str, names: Sequence[str], player: str) -> list[Row]:
    spoken = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    begins = re.compile(rf"(?:^|[\n>\]])[ \t]*({spoken})[:：]")
    starts = list(begins.finditer(text))
    rows: list[Row] = []
    for n, match in enumerate(starts[:-1]):
        said = text[match.end() : starts[n + 1].start() + 1]
        tail = said[-_MARK_CHARS:]
        said = (said[:-_MARK_CHARS] + _MARKS.sub("", tail)).strip()
        if said:
            rows.append(("user" if match[1] == player else "assistant", match[1], said))
    return rows
