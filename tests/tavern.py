"""SillyTavern as the tests need it: a chat in its memory that it writes whole at every save."""

from __future__ import annotations

import base64
import copy
import json
import os
import zlib
from pathlib import Path
from typing import Any

from engram_desktop.domain.memory.line import Line


class TavernChatFile:
    """One open chat. Every method changes it and saves it, as SillyTavern does."""

    has_header = True  # group chats had none before 2025

    def __init__(self, path: Path, char: str = "爱丽丝", user: str = "旅人") -> None:
        self.path = path
        self.char, self.user = char, user
        self.group: tuple[str, ...] = ()  # who speaks in turn, if it is a group
        self.metadata: dict[str, Any] = {"integrity": "0"}
        self.rows: list[dict[str, Any]] = []
        self.saves = 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def save(self) -> None:
        self.saves += 1
        self.metadata["lastInContextMessageId"] = self.saves  # the header changes at every save
        if not self.has_header:
            self._save_group()
        temporary = self.path.with_name("save.tmp")
        temporary.write_bytes(self.data())
        stamp = 1_700_000_000_000_000_000 + self.saves * 10_000_000_000
        os.utime(temporary, ns=(stamp, stamp))  # two saves are never of one moment
        temporary.replace(self.path)

    def _save_group(self) -> None:
        """Keep the metadata in the group's own file, as before 2025."""
        path = self.path.parent.parent / "groups" / "1.json"
        group = json.loads(path.read_text("utf-8")) if path.exists() else {"past_metadata": {}}
        group["past_metadata"][self.path.stem] = self.metadata
        group |= {"id": "1", "chats": list(group["past_metadata"]), "chat_id": self.path.stem}
        path.write_text(json.dumps(group), "utf-8")

    def data(self) -> bytes:
        header = {"chat_metadata": self.metadata, "user_name": "unused", "character_name": "unused"}
        rows = [header, *self.rows] if self.has_header else self.rows
        return "\n".join(json.dumps(r, ensure_ascii=False) for r in rows).encode()

    def say(self, *texts: str) -> None:
        for text in texts:
            is_user = len(self.rows) % 2 == 1
            row = {
                "name": self.user if is_user else self.char,
                "is_user": is_user,
                "is_system": False,
                "send_date": "2026-11-21T20:30:05.123Z",
                "mes": text,
                "extra": {},
            }
            if not is_user:
                row |= {"swipes": [text], "swipe_id": 0, "swipe_info": [{}]}
            if self.group and not is_user:
                name = self.group[len(self.rows) // 2 % len(self.group)]
                row |= {"name": name, "original_avatar": f"{name}.png"}
            self.rows.append(row)
        self.save()

    def edit(self, floor: int, text: str) -> None:
        row = self.rows[floor]
        row["mes"] = text
        if "swipes" in row:
            row["swipes"][row["swipe_id"]] = text
        self.save()

    def swipe(self, text: str, floor: int = -1) -> None:
        row = self.rows[floor]
        row.setdefault("swipes", [row["mes"]]).append(text)
        row["swipe_id"] = len(row["swipes"]) - 1
        row["mes"] = text
        self.save()

    def delete(self, *floors: int) -> None:
        gone = {floor % len(self.rows) for floor in floors}
        self.rows = [row for n, row in enumerate(self.rows) if n not in gone]
        self.save()

    def insert(self, floor: int, text: str) -> None:
        row = copy.deepcopy(self.rows[0]) | {"mes": text, "swipes": [text], "swipe_id": 0}
        self.rows.insert(floor, row)
        self.save()

    def move(self, floor: int) -> None:
        """Move a message up by one."""
        self.rows[floor - 1], self.rows[floor] = self.rows[floor], self.rows[floor - 1]
        self.save()

    def hide(self, *floors: int, hidden: bool = True) -> None:
        for floor in floors:
            self.rows[floor]["is_system"] = hidden
        self.save()

    def rename(self, name: str) -> None:
        """Copy to the new name, then remove the old one: so SillyTavern does it."""
        old, self.path = self.path, self.path.with_name(f"{name}.jsonl")
        self.save()
        old.unlink()

    def branch(self, floor: int, name: str) -> TavernChatFile:
        made = TavernChatFile(self.path.with_name(f"{name}.jsonl"), self.char, self.user)
        made.group, made.has_header = self.group, self.has_header
        made.rows = copy.deepcopy(self.rows[: floor + 1])
        made.metadata = {"main_chat": self.path.stem}
        made.save()
        self.rows[floor]["extra"].setdefault("branches", []).append(name)
        return made

    def checkpoint(self, floor: int, name: str) -> TavernChatFile:
        """As a branch, but the message names it as its checkpoint."""
        made = self.branch(floor, name)
        self.rows[floor]["extra"].pop("branches")
        self.rows[floor]["extra"]["bookmark_link"] = name
        self.save()
        return made

    def restore(self, rows: list[dict[str, Any]]) -> None:
        """Put an earlier state in place of this one, as from a backup: with its own integrity."""
        self.rows = copy.deepcopy(rows)
        self.metadata["integrity"] = str(self.saves)
        self.save()

    def note(self, floor: int, **extra: Any) -> None:
        """Let an extension write something beside a message."""
        self.rows[floor]["extra"] |= extra
        self.save()


def make_tavern(folder: Path) -> Path:
    """An installation with one user; returns that user's folder."""
    handle = folder / "data" / "default-user"
    for name in ("chats", "characters", "group chats", "groups", "worlds"):
        (handle / name).mkdir(parents=True)
    (folder / "public").mkdir()
    return handle


def card_png(card: dict[str, Any]) -> bytes:
    """A picture of one pixel with a card in it."""

    def chunk(name: bytes, data: bytes) -> bytes:
        total = zlib.crc32(name + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + name + data + total

    text = base64.b64encode(json.dumps(card, ensure_ascii=False).encode())
    parts = (
        (b"IHDR", bytes([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
        (b"IDAT", zlib.compress(b"\0\0")),
        (b"tEXt", b"chara\0" + text),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(name, data) for name, data in parts)


def told(memory: Any, chat_id: str, branch_id: str = "main") -> list[tuple[Any, ...]]:
    """A line as the library tells it: what two ways to the same state are compared by."""
    return [
        (m.seq, m.name, m.role, m.text, m.swipe_hash, m.is_hidden)
        for m in memory.messages.slice(Line(chat_id, branch_id), 0, 1_000_000)
    ]
