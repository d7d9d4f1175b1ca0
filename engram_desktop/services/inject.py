"""The text a prompt would get: what is always visible and what was recalled, within a budget.

The stable block comes first so that prompt caches survive; inside each block the order is the
story's. The text says that memories are established facts; delimiters inside them are defused, so
that a story cannot close the block it is quoted in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engram_desktop.domain.budget import pack
from engram_desktop.domain.event import EventNode
from engram_desktop.domain.recall import Injection, RecallHit
from engram_desktop.domain.tokens import estimate_tokens
from engram_desktop.domain.visibility import story_key
from engram_desktop.services.prompts import Language

SNIPPET_CHARS = 240
_SENTENCES = re.compile(r"[^。！？!?.…\n]+[。！？!?.…\n]*[”」』\"]?")
_TAG = re.compile(r"<(?=/?(?:engram|relevant)_)")
_WORDS = {
    "zh": {
        "summaries": "以下是已经发生的剧情，均为既定事实，请保持一致：",
        "memories": "以下是与当前对话相关的记忆，均为既定事实：",
        "snippets": "记忆片段",
        "entities": "关键实体",
        "floors": "第{0}–{1}楼",
        "floor": "第{0}楼",
    },
    "en": {
        "summaries": "What has happened so far. These are established facts; stay consistent:",
        "memories": "Memories that bear on the present conversation; established facts:",
        "snippets": "Memory Snippets",
        "entities": "Key Entities",
        "floors": "floors {0}–{1}",
        "floor": "floor {0}",
    },
}


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the text: where it goes, when it happened, what it costs."""

    section: str
    order: tuple[int, int, int, str]
    text: str
    hit: RecallHit | None = None

    @property
    def cost(self) -> int:
        return estimate_tokens(self.text) + 2


def inject(
    visible: Sequence[EventNode],
    recalled: Sequence[EventNode],
    hits: Sequence[RecallHit],
    budget: int,
    language: Language,
) -> Injection:
    """Compose the text. ``recalled`` are the events among ``hits``; ``budget`` is in tokens.

    Half of the budget is for what is always visible, the newest first, half for what was recalled,
    the best first; what one half leaves the other may use.
    """
    words = _WORDS[language]
    shown = {e.id for e in visible}
    events = {e.id: e for e in recalled}
    always = [_event_line("summaries", e, words) for e in sorted(visible, key=story_key)]
    always.reverse()
    found = [line for hit in hits if (line := _hit_line(hit, events, shown, words)) is not None]
    room = budget - _overhead(words)
    first = pack([(line, line.cost) for line in always], room // 2)
    used = sum(line.cost for line in first)
    second = pack([(line, line.cost) for line in found], room - used)
    used += sum(line.cost for line in second)
    rest = [line for line in always if line not in first]
    first += pack([(line, line.cost) for line in rest], room - used)
    lines = [*first, *second]
    sections, text = _compose(lines, words)
    while lines and estimate_tokens(text) > budget:
        lines.pop()
        sections, text = _compose(lines, words)
    kept = tuple(line.hit for line in lines if line.hit is not None)
    return Injection(text, sections, estimate_tokens(text), kept)


def _compose(lines: Sequence[_Line], words: dict[str, str]) -> tuple[dict[str, str], str]:
    sections: dict[str, str] = {}
    for name in ("summaries", "snippets", "entities"):
        chosen = sorted((line for line in lines if line.section == name), key=lambda x: x.order)
        if chosen:
            sections[name] = "\n".join(line.text for line in chosen)
    parts = []
    if "summaries" in sections:
        parts.append(
            f"<engram_summaries>\n{words['summaries']}\n{sections['summaries']}\n"
            "</engram_summaries>"
        )
    volatile = [
        f"{words[name]}:\n{sections[name]}" for name in ("snippets", "entities") if name in sections
    ]
    if volatile:
        inner = "\n".join(volatile)
        parts.append(f"<relevant_memories>\n{words['memories']}\n{inner}\n</relevant_memories>")
    return sections, "\n\n".join(parts)


def _overhead(words: dict[str, str]) -> int:
    frame = "<engram_summaries></engram_summaries><relevant_memories></relevant_memories>"
    return estimate_tokens(frame + "".join(words.values())) + 8


def _event_line(section: str, event: EventNode, words: dict[str, str]) -> _Line:
    source = event.source_range
    place = " ".join(p for p in (event.raw_data.timestamp, event.raw_data.location) if p)
    cite = _cite(source.start_index, source.end_index, words)
    head = f"[{cite}{' · ' + place if place else ''}]"
    return _Line(section, story_key(event), f"- {head} {_defused(event.summary)}")


def _hit_line(
    hit: RecallHit, events: dict[str, EventNode], shown: set[str], words: dict[str, str]
) -> _Line | None:
    item = hit.item
    if item.kind == "event":
        event = events.get(item.ref)
        if event is None or item.ref in shown:
            return None
        line = _event_line("summaries", event, words)
        return _Line(line.section, line.order, line.text, hit)
    order = (item.start_index, item.end_index, 0, item.ref)
    if item.kind == "entity":
        return _Line("entities", order, f"- {_defused(_snippet(item.content))}", hit)
    cite = _cite(item.start_index, item.end_index, words)
    return _Line("snippets", order, f"- [{cite}] {_defused(_snippet(item.content))}", hit)


def _cite(first: int, last: int, words: dict[str, str]) -> str:
    if first == last:
        return words["floor"].format(first)
    return words["floors"].format(first, last)


def _snippet(text: str) -> str:
    """First sentences of ``text``, at most three and `SNIPPET_CHARS` characters."""
    flat = " ".join(text.split())
    taken = ""
    for number, sentence in enumerate(_SENTENCES.findall(flat)):
        if number == 3 or (taken and len(taken) + len(sentence) > SNIPPET_CHARS):
            break
        taken += sentence
    return (taken or flat)[:SNIPPET_CHARS].strip()


def _defused(text: str) -> str:
    return _TAG.sub("‹", " ".join(text.split()))
