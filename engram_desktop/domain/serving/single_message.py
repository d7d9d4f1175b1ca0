"""A whole chat in one message of the player, as SillyTavern's "single user message" sends it.

The system prompt comes first, then each message with its speaker's name ("Alice: "); blank lines
join them. Texts that the front end puts between messages have no name: they stay a part of the
message before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.serving.request import Said

# SillyTavern's default main prompt.
MAIN_PROMPT = re.compile(
    r"Write (?P<char>[^\n]{1,80}?)'s next reply in a fictional chat between (?P=char)"
    r" and (?P<player>[^\n]{1,80}?)\."
)
# A line that a front end puts between examples and the chat, alone or joined to system lines.
STARTS = re.compile(
    r"\W{0,3}(?:start|begin) (?:a )?new|\W{0,3}开始新|\W{0,3}新的?(?:聊天|对话)", re.IGNORECASE
)
_NAMED = re.compile(r"(?:\A|\n\n)(?P<name>[^\n:\[\]<>(){}]{1,60}): ")
_RECURS = 2  # messages of an otherwise unknown name, before it counts as a name
_PARAGRAPH = "\n\n"


def unfolded(said: Sequence[Said]) -> tuple[Said, ...]:
    """Return the system prompt and the messages of a chat in one message; () if it is none.

    The message must contain the mark of the chat's beginning, or the names of its speakers.
    ``index`` counts the returned messages.
    """
    text = said[0].text if len(said) == 1 and said[0].role == "user" else ""
    prompt = MAIN_PROMPT.search(text)
    begin = _begins_at(text, prompt.end() if prompt else -1)
    marks = list(_NAMED.finditer(text, begin)) if begin >= 0 else []
    names = [mark["name"] for mark in marks]
    if not names:
        return ()
    player = prompt["player"] if prompt else names[-1]
    speakers = _speakers(names, player, prompt["char"] if prompt else names[0])
    marks = [mark for mark in marks if mark["name"] in (player, *speakers)]
    if not marks:
        return ()
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    heads = (text[:begin], text[begin : marks[0].start()])
    rows = [Said(0, "system", head.strip()) for head in heads if head.strip()]
    for mark, end in zip(marks, ends, strict=True):
        role = "user" if mark["name"] == player else "assistant"
        rows.append(Said(0, role, text[mark.end() : end], mark["name"]))
    return tuple(replace(row, index=at) for at, row in enumerate(rows))


def _begins_at(text: str, prompt_end: int) -> int:
    """Return where the chat begins: behind the last line that marks it, else at the first name."""
    at, begin = 0, -1
    for paragraph in text.split(_PARAGRAPH):
        if STARTS.match(paragraph.rpartition("\n")[2]):
            begin = at + len(paragraph)
        at += len(paragraph) + len(_PARAGRAPH)
    if begin >= 0 or prompt_end < 0:
        return begin
    first = _NAMED.search(text, prompt_end)
    return first.start() if first else -1


def _speakers(names: Sequence[str], player: str, char: str) -> set[str]:
    """Return the speakers besides the player: ``char``, and names that answer repeatedly.

    A panel at the end of each reply ("Status: ") answers nobody.
    """
    counts = Counter(names)
    answers = {name for before, name in pairwise(names) if before == player}
    others = {name for name in answers if counts[name] >= _RECURS}
    return (others | {char}) - {player}
