"""Whether macros say of a real chat what they say in SillyTavern: cards, messages, variables."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.characters import note_users
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.macro_scope import ChatSays
from engram_desktop.services.prompts.prompt_service import text_prompt
from tests.oracle.macros import NOW
from tests.oracle.report import Report
from tests.tavern import card_png

PARTS: dict[str, Any] = json.loads(Path(__file__).with_name("macro_chats.json").read_text("utf-8"))
# What is ours to say: what the program remembers, the model it asks, what the player typed.
OURS = {
    "summary": "what is remembered is told from the library",
    "model": "our own model is named",
    "firstIncludedMessageId": "where SillyTavern noted none, ours is told",
}


def write_folder(user: Path) -> None:
    """Write cards, chats and a group into a user's folder."""
    for name, fields in PARTS["cards"].items():
        card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": fields} | fields
        (user / "characters").mkdir(parents=True, exist_ok=True)
        (user / "characters" / f"{name}.png").write_bytes(card_png(card))
    for chat in PARTS["chats"]:
        path = user / chat["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        header = {"user_name": "unused", "character_name": "unused"}
        rows = [header | {"chat_metadata": chat["metadata"]}, *chat["rows"]]
        path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    for group in PARTS["groups"]:
        path = user / "groups" / f"{group['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(group), "utf-8")


def write_settings(user: Path) -> None:
    """Change what these chats need in the settings that are there."""
    path = user / "settings.json"
    settings = json.loads(path.read_text("utf-8")) if path.exists() else {}
    for part, values in PARTS["settings"].items():
        if not isinstance(values, dict):
            settings[part] = values
            continue
        for name, value in values.items():
            old = settings.setdefault(part, {}).get(name)
            both = isinstance(old, dict) and isinstance(value, dict)
            settings[part][name] = old | value if both else value
    path.write_text(json.dumps(settings, ensure_ascii=False), "utf-8")


def against(rows: list[dict[str, Any]]) -> Report:
    """Hold what we say of the same folder against the recorded answers."""
    report = Report("macros of chats")
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as ours:
        for row in rows:
            text, answer = row["text"], row["answer"]
            said = ours[row["chat"]].says.filled(text)
            if said == answer:
                report.agree += 1
            elif reason := OURS.get(text.strip("{}")):
                report.known[reason] += 1
            else:
                report.differ.append(f"{text} in {row['chat']}\n    {answer!r}\n    {said!r}")
    return report


@dataclass
class OurChat:
    """One of the chats, read into a library of ours."""

    says: ChatSays
    user: Path
    memory: Memory

    @property
    def line(self) -> Line:
        return Line.main(self.says.store.chat_id)

    def prompt(self, pair: tuple[int, int]) -> str:
        """The text completion prompt, by a pair of templates."""
        names = []
        for kind, number in zip(("instruct", "context"), pair, strict=True):
            template = PARTS["prompts"][f"{kind}s"][number]
            names.append(f"{kind} {number}")
            (self.user / kind).mkdir(exist_ok=True)
            path = self.user / kind / f"{names[-1]}.json"
            path.write_text(json.dumps(template), "utf-8")
        instruct, context = names
        return text_prompt(self.says, instruct, context)


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[list[OurChat]]:
    """Yield the chats of the folder as a library of ours has them."""
    user = folder / "data" / "default-user"
    write_folder(user)
    write_settings(user)
    memory = Memory.open(folder / "library", clock=lambda: NOW, environ={})
    try:
        memory.settings.set("embed.local", "hash")
        memory.settings.set("persona.text", PARTS["settings"]["power_user"]["persona_description"])
        for path in sorted((user / "characters").iterdir()):
            memory.imports.import_file(NullContext(), path)
        note_users(memory.session.library, NullContext(), folder / "data")
        chats = []
        for chat in PARTS["chats"]:
            chat_id = memory.tavern.sync_chat(NullContext(), user / chat["file"]).chat_id
            store, settings = memory.session.chat(chat_id), memory.settings.read(chat_id)
            says = ChatSays(memory.session.library, store, settings, "main")
            chats.append(OurChat(says, user, memory))
        yield chats
    finally:
        memory.close()
