"""Who is there in a story, as labelled by reading it: `presence_labels`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engram_desktop.domain.knowledge.thoughts import Cast, Member

ROOT = Path(__file__).parents[1]
LABELS = ROOT / "tests" / "presence_labels"


def messages_of(path: Path) -> list[Any]:
    """Read a SillyTavern chat; lines that are no message are left out."""
    messages = []
    for line in path.read_text("utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and isinstance(row.get("mes"), str):
            role = (
                "user" if row.get("is_user") else "system" if row.get("is_system") else "assistant"
            )
            messages.append(SimpleNamespace(name=str(row.get("name")), text=row["mes"], role=role))
    return messages


def cast_of(messages: Sequence[Any]) -> Cast:
    """Everybody who speaks and is no narrator; the player is who speaks as the user."""
    names = dict.fromkeys(message.name for message in messages if message.role == "assistant")
    players = [message.name for message in messages if message.role == "user"]
    characters = tuple(Member(name) for name in names if name not in {"旁白", "Narrator"})
    return Cast(characters, players[0] if players else "", is_group=len(characters) > 1)


def truth_of(labels: dict[str, Any]) -> dict[int, tuple[set[str], set[str]]]:
    """Per floor: who is there, and of whom the text leaves it open."""
    return {
        floor: (set(span["present"]), set(span["may"]))
        for span in labels["spans"]
        for floor in range(span["from"], span["to"] + 1)
    }
