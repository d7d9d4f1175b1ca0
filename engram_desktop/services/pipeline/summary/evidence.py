"""The lines of a block that each sentence of a drafted event comes from."""

from __future__ import annotations

from engram_desktop.domain.inject.telling import cut_short
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.pipeline.drafts.evidence import SentenceSource, SourceLine, evidence
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.question_words import Word, question_words
from engram_desktop.domain.text.sentences import split_sentences
from engram_desktop.services.pipeline.desk import Desk
from engram_desktop.services.prompts.cleaning import clean

QUOTED = 160  # characters of a line that are shown: about four lines of the panel


def sources_of(desk: Desk, floors: tuple[int, int], text: str) -> tuple[SentenceSource, ...]:
    """Look up every sentence of ``text`` in the messages of ``floors``, as a model reads them."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    messages = desk.store.messages.slice(desk.branch_id, *floors)
    messages = [m for m in messages if not m.is_untold]
    native = desk.native
    texts = [clean(m.text, native.rules) for m in native.as_sent(messages)]
    tokens = [
        frozenset(index_tokens(f"{m.name} {text}")) for m, text in zip(messages, texts, strict=True)
    ]
    sources = []
    for sentence in split_sentences(text):
        words = question_words(sentence, rjieba.cut, rjieba.suggest_freq)
        found = evidence(sentence, words, tokens)
        lines = tuple(_line(messages[at], texts[at], words) for at in sorted(found.lines))
        sources.append(SentenceSource(found, lines))
    return tuple(sources)


def _line(message: Message, text: str, words: list[Word]) -> SourceLine:
    """Quote the sentences of a message from the one that says most of ``words``."""
    parts = split_sentences(text) or [text]

    def said(part: str) -> float:
        tokens = frozenset(index_tokens(part))
        return sum(word.rarity * word.said_in(tokens) for word in words)

    best = max(range(len(parts)), key=lambda at: said(parts[at]))
    quotation = cut_short(" ".join(parts[best:]), QUOTED)
    return SourceLine(message.seq, message.name, f"… {quotation}" if best else quotation)
