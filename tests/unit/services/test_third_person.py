"""A player who writes of themselves in the third person, in summaries without a model."""

from __future__ import annotations

import re

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import write_chat

CTX = NullContext()

FLAT = [
    ("Ivo", '*Ivo looks up. He has a cold.* "You are late, Runa."'),
    ("Runa", 'Runa drops her keys. "The tram broke down." She hangs the wet coat over the bath.'),
    ("Ivo", '*He sneezes.* "There is soup on the stove, and the letter from the bank came."'),
    ("Runa", "(He has read it. He knows about the money.) Runa sits down without her soup."),
    ("Ivo", '*He pushes the letter over the table.* "They want four thousand by Friday."'),
    ("Runa", 'She tears the letter in two. "Then they can whistle for it."'),
]


def test_a_player_in_the_third_person_is_told_by_name_and_thoughts_are_quoted(memory, tmp_path):
    file = write_chat(tmp_path / "Flat.jsonl", FLAT, "Runa")
    line = Line.main(memory.imports.import_file(CTX, file).chat_id)
    memory.pipeline.summarise(CTX, line, (0, 5), "extractive")
    events = memory.events.fetch(line.chat_id, memory.events.find(line.chat_id, EventQuery()))
    told = " ".join(f"{event.summary} {event.raw_data.details}" for event in events.values())
    assert "Runa tears the letter in two" in told
    assert not re.search(r"\bShe tears", told)
    assert "thinks: “He has read it." in told
