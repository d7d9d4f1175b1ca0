"""Names of the parts of recall, in the window's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.recall.query import ANSWERS, Dropped, ItemKind

LEG_ROLES = {
    "lexical": "gold",
    "context": "gold",
    "vector": "accent",
    "graph": "green",
    "rerank": "red",
}


def kind_name(kind: ItemKind) -> str:
    """Name a kind of memory for the reader."""
    names = {
        "turn": QCoreApplication.translate("RecallPage", "Message"),
        "event": QCoreApplication.translate("RecallPage", "Event"),
        "entity": QCoreApplication.translate("RecallPage", "Entity"),
        "log": QCoreApplication.translate("RecallPage", "Private log"),
    }
    return names[kind]


def leg_name(leg: str) -> str:
    names = {
        "lexical": QCoreApplication.translate("RecallPage", "words"),
        "context": QCoreApplication.translate("RecallPage", "words of the conversation"),
        "vector": QCoreApplication.translate("RecallPage", "meaning"),
        "graph": QCoreApplication.translate("RecallPage", "graph"),
        "speaker": QCoreApplication.translate("RecallPage", "who spoke"),
        "date": QCoreApplication.translate("RecallPage", "date"),
        "moment": QCoreApplication.translate("RecallPage", "names a time"),
        "asking": QCoreApplication.translate("RecallPage", "is itself a question"),
        "rerank": QCoreApplication.translate("RecallPage", "reranker"),
        "freshness": QCoreApplication.translate("RecallPage", "how recent it is"),
        ANSWERS: QCoreApplication.translate("RecallPage", "answers a quoted question"),
    }
    return names.get(leg, leg)


def prompt_reasons(why: Mapping[str, float]) -> list[str]:
    """Say why a memory stands in a prompt though no leg found it."""
    return [leg_name(ANSWERS)] if ANSWERS in why else []


def dropped_words(reason: Dropped) -> str:
    """Say in a few words why a memory did not come back."""
    words: dict[Dropped, str] = {
        "below": QCoreApplication.translate("RecallPage", "Others fitted better"),
        "rerank": QCoreApplication.translate("RecallPage", "The reranker put others first"),
        "duplicate": QCoreApplication.translate("RecallPage", "Says the same as one above"),
        "muted": QCoreApplication.translate("RecallPage", "You said: do not use again"),
        "visible": QCoreApplication.translate("RecallPage", "Always visible anyway"),
        "window": QCoreApplication.translate("RecallPage", "Still in the chat itself"),
        "limit": QCoreApplication.translate("RecallPage", "More than the settings allow"),
        "budget": QCoreApplication.translate("RecallPage", "No room in the token budget"),
        "gone": QCoreApplication.translate("RecallPage", "Deleted meanwhile"),
        "stale": QCoreApplication.translate("RecallPage", "The messages it tells of changed"),
        "unrelated": QCoreApplication.translate("RecallPage", "Too far from the question"),
        "weak": QCoreApplication.translate("RecallPage", "Has too little to do with the question"),
        "rested": QCoreApplication.translate(
            "RecallPage", "Rests: it stood in the prompts of the last replies"
        ),
    }
    return words[reason]


def degraded_words(parts: Iterable[str]) -> str:
    """Say what could not take part."""
    names = {
        "index": QCoreApplication.translate(
            "RecallPage", "the index (exact search took its place)"
        ),
        "embedding": QCoreApplication.translate(
            "RecallPage", "the meaning of words (no embedder answered)"
        ),
        "rerank": QCoreApplication.translate("RecallPage", "the reranker (it did not answer)"),
        "expand": QCoreApplication.translate(
            "RecallPage", "the model that rewords questions (it did not answer)"
        ),
        "knowledge": QCoreApplication.translate(
            "RecallPage", "who learnt what in the newest floors (another program is writing)"
        ),
    }
    text = "、".join(names.get(part, part) for part in parts)
    return QCoreApplication.translate("RecallPage", "Could not take part: {parts}.").format(
        parts=text
    )
