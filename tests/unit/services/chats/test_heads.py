"""Messages are read with as much of their text as is asked for."""

from __future__ import annotations

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import write_chat


def test_heads_are_the_beginnings_of_messages_with_their_length(tmp_path):
    memory = Memory.open(tmp_path / "library", environ={})
    file = write_chat(tmp_path / "长.jsonl", [("旅人", "字" * 50), ("爱丽丝", "😀" * 3)])
    chat = memory.imports.import_file(NullContext(), file).chat_id or ""
    line = Line.main(chat)
    heads = memory.messages.heads(line, 0, 1, 10)
    assert [(m.seq, m.text, length) for m, length in heads] == [
        (0, "字" * 10, 50),
        (1, "😀😀😀", 3),
    ]
    branch = memory.play.fork(line, 0).line
    assert [length for _m, length in memory.messages.heads(branch, 0, 5, 10)] == [50]
    memory.close()
