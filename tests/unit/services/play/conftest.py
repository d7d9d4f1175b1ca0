from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.state.tree import get, plain
from engram_desktop.jobs.context import NullContext
from tests.fake_openai import FakeOpenAI

CTX = NullContext()
ALICE = {
    "name": "爱丽丝",
    "description": "{{char}}是月光酒馆的女仆，喜欢{{user}}。",
    "personality": "认真",
    "scenario": "月光酒馆",
    "first_mes": "欢迎，{{user}}。",
    "alternate_greetings": ["又是您呀，{{user}}。"],
    "mes_example": "<START>\n{{user}}: 你好\n{{char}}: 您好",
}
BOB = {
    "name": "鲍勃",
    "description": "{{char}}是酒馆的厨师。{{engramSummaries}}",
    "first_mes": "喂。",
}
STATE = {
    "character": {"affinity": [40, "好感度 [0,100]"], "mood": ["calm", "心情"]},
    "$schema": {"character.mood": {"type": "string"}},
}


@pytest.fixture
def server():
    with FakeOpenAI() as fake:
        yield fake


@pytest.fixture
def memory(open_memory, server):
    environ = {
        "ENGRAM_LLM_BASE_URL": server.url,
        "ENGRAM_LLM_API_KEY": "k",
        "ENGRAM_LLM_MODEL": "fake-chat",
    }
    return open_memory(environ=environ)


@pytest.fixture
def cards(memory, tmp_path):
    """Ids of two cards of the library; the first brings the state a story begins with."""
    ids = []
    for data in (ALICE, BOB):
        book = {"entries": [{"comment": "[initvar]", "content": json.dumps(STATE), "keys": []}]}
        extra = {"character_book": book} if data is ALICE else {}
        card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data | extra}
        path = tmp_path / f"{data['name']}.json"
        path.write_text(json.dumps(card, ensure_ascii=False), "utf-8")
        memory.characters.import_file(CTX, path)
        ids.append(memory.characters.find(data["name"]).id)
    return ids


@pytest.fixture
def line(memory, cards):
    return memory.play.start(CTX, cards[:1], player="旅人").line


@pytest.fixture
def state_of(memory):
    def read(line, path, at=None):
        return plain(get(memory.state.history(CTX, line, at).tree, tuple(path.split("."))))

    return read


@pytest.fixture
def events_of(memory):
    def read(line):
        pks = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
        return list(memory.events.fetch(line.chat_id, pks).values())

    return read
