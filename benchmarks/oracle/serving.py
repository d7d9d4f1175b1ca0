"""Play in a real SillyTavern with the memory server: through its address, and by the companion.

Every step is held against the prompt that reached the scripted model and against the library. The
pictures lie in ENGRAM_SHOTS, or in a folder that is named at the end.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.oracle.serving_companion import play_companion
from benchmarks.oracle.serving_proxy import play_proxy
from benchmarks.oracle.serving_stage import Stage
from benchmarks.oracle.session import Session
from benchmarks.oracle.tavern import Tavern
from tests.oracle.report import Report

REPLIES = (
    "She unrolls a chart of the northern coast and points at a lighthouse.",
    "The keeper vanished in the winter, she says, and lowers her voice.",
    "Mira packs ink, rope and a small lamp into a leather bag.",
    "They leave before dawn; the road is white with frost.",
    "At the bridge an old man asks for a coin and gives a riddle instead.",
    "She answers the riddle at once and laughs at his face.",
)
QUESTIONS = (
    "Where does this map lead?",
    "What happened there?",
    "Then let us go and see.",
    "Is it far?",
    "Who is that?",
    "Do you know the answer?",
)


def compare(tavern: Tavern, *, is_kept: bool) -> Report:
    """Play everything; nothing is recorded."""
    del is_kept
    named = os.environ.get("ENGRAM_SHOTS")
    shots = Path(named or tempfile.mkdtemp(prefix="serving-shots-"))
    shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="serving-") as name:
        stage = Stage(tavern, Path(name), shots)
        chat, other = begin_story(stage)
        stage.prepare(chat, other)
        stage.serve()
        try:
            play_proxy(stage, chat.stem)
            play_companion(stage, chat.stem)
        finally:
            stage.stop()
    print(f"serving: pictures are in {shots}")
    return stage.report


def begin_story(stage: Stage) -> tuple[Path, Path]:
    """Play two chats without any memory; returns their files."""
    with Session(stage.tavern, "serving") as page:
        page("yes")
        for name, first in (
            ("Tobin", "Tobin ties the boat to the pier."),
            ("Mira", "Mira looks up from her maps and waves you in."),
        ):
            page("slash", command=f'/char-create name="{name}" firstMessage="{first}"')
            page("sleep", ms=800)
        page("slash", command="/go Tobin")
        page("sleep", ms=1000)
        page("say", text="Do you row to the island?", reply="For a coin, Tobin says.")
        page("slash", command="/go Mira")
        page("sleep", ms=1000)
        for text, reply in zip(QUESTIONS, REPLIES, strict=True):
            page("say", text=text, reply=reply)
        page("sleep", ms=1500)
    chats = stage.tavern.user / "chats"
    return next((chats / "Mira").glob("*.jsonl")), next((chats / "Tobin").glob("*.jsonl"))
