"""The bundled story, as messages and as what is made of them without a model."""

from pathlib import Path

from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.pipeline.automation import blocks
from engram_desktop.formats.chat_files import read_chat
from engram_desktop.services import extractive

STORY = Path(__file__).parents[1] / "resources" / "story"


def story():
    chat = read_chat(STORY / "月光酒馆.jsonl")
    return [
        Message(str(n), "main", n, m.name, m.role, m.text, m.is_hidden, m.swipe_hash, m.sent_at)
        for n, m in enumerate(chat.messages())
    ]


def extract_all(messages, size=25):
    known = extractive.background(messages)
    return [
        found
        for first, last in blocks(0, len(messages) - 1, size)
        for found in extractive.extract(messages[first : last + 1], background=known)
    ]
