"""What became of a request, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from engram_desktop.domain.serving.exchange import Exchange, Outcome
from engram_desktop.domain.serving.identity import How

TINTS: dict[Outcome, str] = {
    "filled": "green",
    "empty": "grey",
    "unknown": "gold",
    "quiet": "grey",
    "late": "gold",
    "failed": "red",
    "refused": "red",
}


def outcome_words(outcome: Outcome) -> str:
    """Say in a word what memory did for a request."""
    words: dict[Outcome, str] = {
        "filled": QCoreApplication.translate("Serving", "Memory put in"),
        "empty": QCoreApplication.translate("Serving", "Nothing to add"),
        "unknown": QCoreApplication.translate("Serving", "No known chat"),
        "quiet": QCoreApplication.translate("Serving", "Not the story"),
        "late": QCoreApplication.translate("Serving", "Memory was late"),
        "failed": QCoreApplication.translate("Serving", "Memory failed"),
        "refused": QCoreApplication.translate("Serving", "Refused"),
    }
    return words[outcome]


def outcome_meaning(outcome: Outcome) -> str:
    """Say what that means for the reply."""
    words: dict[Outcome, str] = {
        "filled": QCoreApplication.translate(
            "Serving", "The request was sent on with the memory below."
        ),
        "empty": QCoreApplication.translate(
            "Serving", "It was sent on as it came: memory had nothing to add to it."
        ),
        "unknown": QCoreApplication.translate(
            "Serving",
            "It was sent on as it came: a wrong memory is worse than none. Say which chat it was,"
            " and it is known from now on.",
        ),
        "quiet": QCoreApplication.translate(
            "Serving",
            "It was sent on as it came, and nothing of it is kept: a summary, a title or a"
            " translation that a program asked for.",
        ),
        "late": QCoreApplication.translate(
            "Serving", "It was sent on without memory, so that the reply need not wait longer."
        ),
        "failed": QCoreApplication.translate("Serving", "It was sent on without memory."),
        "refused": QCoreApplication.translate("Serving", "It was not sent on."),
    }
    return words[outcome]


def how_words(how: How) -> str:
    """Say by what the chat of a request was known."""
    words: dict[How, str] = {
        "path": QCoreApplication.translate("Serving", "by the address"),
        "header": QCoreApplication.translate("Serving", "by its header"),
        "companion": QCoreApplication.translate("Serving", "said by the companion"),
        "aligned": QCoreApplication.translate("Serving", "by its messages"),
        "corrected": QCoreApplication.translate("Serving", "as you said"),
        "card": QCoreApplication.translate("Serving", "by its character"),
        "none": QCoreApplication.translate("Serving", "not known"),
    }
    return words[how]


def kept_words(kept: str) -> str:
    """Say what was kept of a request; empty where nothing was."""
    words = {
        "message": QCoreApplication.translate("Serving", "the messages were added to the chat"),
        "edit": QCoreApplication.translate("Serving", "a message was corrected as it reads there"),
        "swipe": QCoreApplication.translate(
            "Serving", "the reply is another reading of the newest one"
        ),
        "continue": QCoreApplication.translate("Serving", "the newest reply was continued"),
        "delete": QCoreApplication.translate("Serving", "what was deleted there is gone here"),
        "branch": QCoreApplication.translate(
            "Serving", "a branch was made where the story went another way"
        ),
        "chat": QCoreApplication.translate("Serving", "a new chat was begun"),
    }
    return words.get(kept, "")


def answer_words(exchange: Exchange) -> str:
    """Say how far the answer is, and how long it took."""
    if not exchange.is_finished:
        return QCoreApplication.translate("Serving", "under way…")
    seconds = exchange.total_ms / 1000
    return f"{exchange.status} · {seconds:.1f} s" if exchange.status else "–"
