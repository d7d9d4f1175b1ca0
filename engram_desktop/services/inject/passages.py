"""What was said, as a prompt quotes it: passages of messages, each said once.

Short messages are quoted with those beside them; quotations that meet become one passage, and a
sentence that the prompt tells already is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from engram_desktop.domain.inject.telling import PromptSentences, last_words
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.recall.query import RecallHit
from engram_desktop.domain.values import dataclass
from engram_desktop.services.inject.prompt_lines import PromptLine, cited, in_a_line, snippet
from engram_desktop.services.prompts.cleaning import clean

BESIDE_CHARS = 80  # of the message before a short one: its last sentence; not measured


@dataclass(slots=True)
class _Passage:
    """Texts by floor, and the hits they were quoted for, the best first."""

    texts: dict[int, str] = field(default_factory=dict)
    hits: list[RecallHit] = field(default_factory=list)

    @property
    def floors(self) -> tuple[int, int]:
        return min(self.texts), max(self.texts)

    def meets(self, other: _Passage) -> bool:
        (first, last), (start, end) = self.floors, other.floors
        return first <= end and start <= last

    def take(self, other: _Passage) -> None:
        """Join what other quotes; a hit's own words win over the end quoted beside another."""
        own = {hit.item.start_index for hit in self.hits}
        for floor, text in other.texts.items():
            if floor not in own or floor not in self.texts:
                self.texts[floor] = text
        self.hits += other.hits


def passages(
    hits: Sequence[RecallHit],
    words: dict[str, str],
    around: Mapping[int, Sequence[Message]],
    sentences: PromptSentences,
) -> tuple[list[PromptLine], list[RecallHit]]:
    """Return one line a passage, the best first, and the hits that say nothing new.

    ``around`` are the messages beside a short hit, by item id. What the lines say is added to
    ``sentences``.
    """
    joined: list[_Passage] = []
    for hit in hits:
        quotation = _quoted(hit, around.get(hit.item.id, ()))
        meeting = [p for p in joined if hit.item.kind == "turn" and p.meets(quotation)]
        if not meeting:
            joined.append(quotation)
            continue
        first, *rest = meeting
        first.take(quotation)
        for other in rest:  # it stood between two passages: they are one now
            first.take(other)
            joined.remove(other)
    lines, silent = [], []
    for passage in joined:
        line = _line(passage, words, sentences)
        if line is None:
            silent += passage.hits
        else:
            lines.append(line)
    return lines, silent


def _quoted(hit: RecallHit, around: Sequence[Message]) -> _Passage:
    texts = {m.seq: _beside(m) for m in around if m.text.strip()}
    texts[hit.item.start_index] = snippet(hit.item.content, hit.matched)
    return _Passage(texts, [hit])


def _line(
    passage: _Passage, words: dict[str, str], sentences: PromptSentences
) -> PromptLine | None:
    own = {hit.item.start_index for hit in passage.hits}
    fresh = {floor: sentences.new_of(text) for floor, text in sorted(passage.texts.items())}
    if not any(fresh[floor] for floor in own):
        return None
    fresh = {floor: text for floor, text in fresh.items() if text}
    for text in fresh.values():
        sentences.add(text)
    hit = passage.hits[0]
    cite = cited(min(fresh), max(*fresh, hit.item.end_index), words)
    order = (min(fresh), max(fresh), 0, hit.item.ref)
    text = in_a_line(" / ".join(fresh.values()))
    return PromptLine("snippets", order, f"- [{cite}] {text}", tuple(passage.hits))


def _beside(message: Message) -> str:
    """Return the last sentence of a message beside a hit, with who said it."""
    last = last_words(" ".join(clean(message.text).split()), BESIDE_CHARS)
    return f"{message.name}: {last}" if message.name else last
