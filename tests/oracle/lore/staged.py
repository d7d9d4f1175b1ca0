"""What ours fires in a scene: with real messages in a store, scripts, notes and a card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engram_desktop.domain.cards import Character
from engram_desktop.domain.macros.scope import MacroScope
from engram_desktop.domain.memory.message import ParsedMessage, Role
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.tavern.folder import CharacterNote, NotePlace, TavernWorldbooks
from engram_desktop.domain.text.regex_script import WORLD_INFO, StoredScript
from engram_desktop.domain.worldbooks.scan import Speaker
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.formats.tavern.settings import read_scripts
from engram_desktop.formats.world_info import parse_worldbook
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.prompts.native import Native
from engram_desktop.services.worldbooks import memory_worldbook, scan
from engram_desktop.services.worldbooks.scan import ScanPlace
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat
from tests.oracle.lore.ours import AVATAR, filled

Scene = dict[str, Any]
_PLACES: tuple[NotePlace, ...] = ("instead", "before", "after")
_AT_DEPTH = 4


class Stages:
    """Plays scenes in chats of a library that is made for them."""

    def __init__(self, folder: Path, javascript: JavaScript) -> None:
        self._library = Library(folder / "library", counting_clock(), program="tests")
        self._javascript = javascript

    def close(self) -> None:
        self._library.close()

    def answer(self, scene: Scene) -> dict[str, list[Any]]:
        """Numbers of the entries that fire, and what a model is told of them, line by line."""
        place = self._place(scene)
        data = json.dumps({"entries": scene["entries"]}).encode()
        worldbook = parse_worldbook(data, "Book0").worldbook
        stage = scan.Stage(place, scan.pattern_test(self._javascript))
        options = scan.options_of(place.settings)
        done = scan.simulate(NullContext(), stage, [worldbook], options, 0)
        native = place.native

        def as_told(content: str, depth: int | None) -> str:
            return native.text(content, WORLD_INFO, depth) if native else content

        lines = [line.strip() for line in memory_worldbook.context(done, as_told).split("\n")]
        return {
            "fired": [outcome.key[1] for outcome in done.fired],
            "told": [line for line in lines if line.startswith("Lore ")],
        }

    def _place(self, scene: Scene) -> ScanPlace:
        store = make_chat(self._library, "scene")
        rows = [dict(row) for row in scene["messages"]]
        if scene["summary"]:  # where SillyTavern keeps what is typed as a summary
            rows[max(0, len(rows) - 2)]["extra"] = {"memory": scene["summary"]}
        with store.database.writing():
            store.messages.append("main", 0, [_parsed(row) for row in rows])
            metadata = scene["metadata"] | {"script_injects": _injects(scene)}
            store.branches.set_header("main", json.dumps({"chat_metadata": metadata}))
        note = scene["character_note"]
        notes = {AVATAR: CharacterNote(note["prompt"], _PLACES[note["position"]])} if note else {}
        seen = [n for n, row in enumerate(rows) if not row["is_system"]]
        is_swipe = scene["trigger"] == "swipe"
        return ScanPlace(
            store,
            _settings(scene),
            filled,
            at=seen[-1] - 1 if is_swipe else None,
            character=Character("Seraphina", **scene["card"]),
            speaker=Speaker(AVATAR),
            lore=TavernWorldbooks(notes=notes),
            native=self._native(scene, store.messages.visible),
            trigger=scene["trigger"],
        )

    def _native(self, scene: Scene, visible: Any) -> Native | None:
        if not scene["scripts"]:
            return None
        scripts = [
            StoredScript(str(n), script, "global", "", n, is_enabled=not script.disabled)
            for n, script in enumerate(read_scripts(json.dumps(scene["scripts"]), "scripts"))
        ]
        native = Native(
            [s for s in scripts if s.is_enabled and s.script.is_for_prompts],
            self._javascript,
            MacroScope({"user": "Anna", "char": "Seraphina"}),
            visible=lambda first, last: visible("main", first, last),
        )
        return native.for_prompts(with_programs=False)


def _parsed(row: dict[str, Any]) -> ParsedMessage:
    role: Role = "user" if row["is_user"] else "assistant"
    raw = json.dumps(row)
    return ParsedMessage(row["name"], role, row["mes"], row["is_system"], None, raw, 1)


def _injects(scene: Scene) -> dict[str, Any]:
    return {one["id"]: {"value": one["text"], "scan": one["scan"]} for one in scene["injects"]}


def _settings(scene: Scene) -> Settings:
    said = scene["settings"]
    return Settings().replaced(
        {
            "lore.depth": said["world_info_depth"],
            "lore.include_names": said["world_info_include_names"],
            "lore.recursive": said["world_info_recursive"],
            "lore.context": 100_000,
            "lore.budget": 100,
            "lore.scan_notes": scene["scan_notes"],
            "lore.scan_summary": scene["scan_summary"],
            "persona.text": scene["persona"]["text"],
            "persona.scanned": scene["persona"]["position"] == _AT_DEPTH,
        }
    )
