"""Short scenes in which a fact is over, and decoys in which none is, in two halves by a hash."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

BANK = Path(__file__).parent / "bank_zh.txt"
NARRATOR = "旁白"
PLAYER = "林远"
_MARKED = re.compile(r"\{([^{}]*)\}")
_SENDER = re.compile("([^>*“：。，]{1,6})>")


class Scene:
    """A line of the bank: what is said in it, by whom, and which words are over."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.is_decoy = line.startswith("!")
        head, _, body = line.removeprefix("! ").partition(": ")
        self.facet, _, people = head.partition(" ")
        self.people = people.split(",")
        texts = body.split(" // ")
        self.old = _MARKED.findall(texts[0])
        self.messages = [self._message(_MARKED.sub(r"\1", text)) for text in texts]
        digest = hashlib.sha256(line.encode()).digest()
        self.half = "dev" if digest[0] % 2 else "held"

    @staticmethod
    def _message(text: str) -> tuple[str, str]:
        sender = _SENDER.match(text)
        if sender is None:
            return NARRATOR, text
        name = PLAYER if sender[1] == "我" else sender[1]
        return name, text[sender.end() :]


def scenes(half: str) -> list[Scene]:
    """Return those of one half, ``dev`` or ``held``."""
    lines = BANK.read_text("utf-8").splitlines()
    rows = [Scene(line) for line in lines if ": " in line and not line.startswith("#")]
    return [scene for scene in rows if scene.half == half]
