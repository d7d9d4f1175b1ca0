"""Nobody is omniscient: asked as everybody, on every road, the program tells what they know.

With a model that answers truly nothing leaks and nearly all of what somebody knows is found;
without a model hardly anything leaks, and most is found.
"""

from __future__ import annotations

import pytest

from engram_desktop.services.memory import Memory
from tests.factories import counting_clock
from tests.fake_openai import FakeOpenAI
from tests.omniscience.asking import CTX, ask_everything, import_story, line_of, other_roads
from tests.omniscience.reader import read_story
from tests.omniscience.truthful_model import TruthfulModel

SETTINGS = {"embed.local": "hash", "index.backend": "exact", "keys.storage": "session"}


class Asked:
    """A story in a library, told by a model or without one."""

    def __init__(self, folder, language, extractor):
        self.is_true = extractor == "llm"
        self.story = read_story(language)
        self.folder = folder
        self.server = FakeOpenAI(answer=TruthfulModel(self.story))
        self.server.__enter__()
        environ = {"ENGRAM_LLM_BASE_URL": self.server.url, "ENGRAM_LLM_MODEL": "usual"}
        self.memory = Memory.open(folder / "资料库", clock=counting_clock(), environ=environ)
        for key, value in SETTINGS.items():
            self.memory.settings.set(key, value)
        self.main = import_story(self.memory, self.story, folder)
        for branch in ("", *self.story.branches):
            line = line_of(self.memory, self.main, branch)
            count = self.memory.messages.count(line)
            self.memory.pipeline.summarise(CTX, line, (0, count - 1), extractor)
            self.memory.pipeline.consolidate(CTX, line)
        self.memory.knowledge.derive(CTX, self.main.chat_id)
        self.memory.index.embed_pending(CTX, self.main.chat_id)

    def close(self):
        self.memory.close()
        self.server.__exit__(None, None, None)


@pytest.fixture(scope="module", params=["zh-llm", "zh-extractive", "en-llm", "en-extractive"])
def asked(request, tmp_path_factory):
    language, extractor = request.param.split("-")
    asked = Asked(tmp_path_factory.mktemp(request.param), language, extractor)
    yield asked
    asked.close()


def test_nobody_learns_what_they_do_not_know_and_finds_what_they_do(asked):
    middle = len(asked.story.main) // 2
    tally = ask_everything(asked.memory, asked.story, asked.main, [middle, None], questions=1)
    assert tally.known > 30
    if asked.is_true:
        assert tally.leaked == []
        assert tally.found_share >= 0.95
    else:
        assert tally.leak_share <= 0.02, tally.leaked[:5]
        assert tally.found_share >= 0.75, tally.missed


def test_no_other_road_tells_more(asked):
    leaked = other_roads(asked.memory, asked.story, asked.main, asked.folder)
    if asked.is_true:
        assert leaked == []
    else:
        assert len(leaked) <= 2, leaked


def test_what_the_curator_sees_is_everything(asked):
    everything = "\n".join(
        message.text for message in asked.memory.messages.slice(asked.main, 0, 10_000)
    )
    secrets = [s for s in asked.story.secrets if any(key in everything for key in s.keys)]
    assert len(secrets) >= len(asked.story.secrets) * 0.8
