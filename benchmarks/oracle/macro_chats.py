"""Macros in real chats: what SillyTavern says of cards, messages and variables."""

from __future__ import annotations

from benchmarks.oracle.kept import keep
from benchmarks.oracle.tavern import Tavern
from tests.oracle.macro_chats import PARTS, against, write_folder, write_settings
from tests.oracle.macros import NOW
from tests.oracle.report import Report


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    tavern.stop_server()
    write_folder(tavern.user)
    write_settings(tavern.user)
    tavern.start()
    texts = PARTS["texts"]
    told = tavern.ask("macro_chats", {"chats": PARTS["chats"], "texts": texts, "now": NOW})
    rows = [
        {"chat": n, "text": text, "answer": answer}
        for n, answers in enumerate(told)
        for text, answer in zip(texts, answers, strict=True)
    ]
    if is_kept:
        keep("macro_chats", rows)
    return against(rows)
