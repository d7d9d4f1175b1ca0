"""Reranking, and the Test button."""

import pytest

from engram_desktop.domain.errors import BadAnswer, LlmError, NotConfigured, Refused
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.client.client import Client, Retry
from engram_desktop.llm.endpoint.endpoint import Endpoint
from engram_desktop.llm.probe import list_models, probe
from engram_desktop.llm.rerank import Reranker, _scored
from tests.fake_openai import DIM, FakeOpenAI, Status

TEXTS = ["凯尔打了一架", "水族馆看海豚", "水族馆看企鹅"]


def test_texts_are_ranked_and_none_is_lost():
    with FakeOpenAI() as server:
        client = Client(Endpoint(server.url, "m"), retry=Retry(1))
        ranked = Reranker(client).rerank("去水族馆看企鹅", TEXTS, NullContext())
        assert Reranker(client).rerank("x", [], NullContext()) == []
    assert ranked[0][0] == 2
    assert sorted(n for n, _ in ranked) == [0, 1, 2]
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "row",
    [
        None,
        {},
        {"index": 3, "relevance_score": 1},
        {"index": -1, "relevance_score": 1},
        {"index": 0, "relevance_score": float("nan")},
        {"index": 0},
    ],
)
def test_unsound_result_is_refused(row):
    with pytest.raises(BadAnswer):
        _scored(row, 3)


def test_probe_of_a_chat_tells_model_and_words():
    with FakeOpenAI(answer=lambda body: "OK") as server:
        endpoint = Endpoint(server.url, "fake-chat")
        found = probe(endpoint, "chat", NullContext())
    assert (found.task, found.model, found.words) == ("chat", "fake-chat", "OK")
    assert found.url.endswith("/v1/chat/completions")
    assert found.latency_ms >= 0
    assert server.bodies()[0]["max_tokens"] == 1


def test_probe_of_a_model_that_refuses_max_tokens():
    fault = Status(400, "use max_completion_tokens")
    with FakeOpenAI(answer=lambda body: "OK", faults=[fault]) as server:
        assert probe(Endpoint(server.url, "m"), "chat", NullContext()).words == "OK"
    assert "max_tokens" not in server.bodies()[1]


def test_probe_of_an_embedding_model_tells_its_dimension():
    with FakeOpenAI() as server:
        assert probe(Endpoint(server.url, "m"), "embed", NullContext()).dimension == DIM
        assert probe(Endpoint(server.url, "m"), "rerank", NullContext()).task == "rerank"


def test_probe_asks_once_and_tells_the_servers_words():
    with (
        FakeOpenAI(faults=[Status(401, "bad key")]) as server,
        pytest.raises(Refused, match="bad key"),
    ):
        probe(Endpoint(server.url, "m", "sk-xxxxxxxx"), "chat", NullContext())
    with FakeOpenAI(faults=[500, 500]) as server:
        with pytest.raises(LlmError):
            probe(Endpoint(server.url, "m"), "embed", NullContext())
        assert len(server.seen) == 1


def test_probe_without_a_model_asks_for_one():
    with FakeOpenAI() as server, pytest.raises(NotConfigured):
        probe(Endpoint(server.url), "chat", NullContext())


def test_models_are_listed_in_order():
    with FakeOpenAI(models=["b", "A", "c"]) as server:
        assert list_models(Endpoint(server.url), NullContext()) == ["A", "b", "c"]
        assert probe(Endpoint(server.url), "models", NullContext()).words == "A, b, c"
