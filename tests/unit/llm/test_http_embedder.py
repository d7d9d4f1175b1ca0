"""Vectors from a server: in order, checked, in pieces it takes, and cancellable."""

import threading
from typing import Any

import numpy as np
import pytest
from typing_extensions import override

from engram_desktop.domain.errors import BadAnswer, Refused, ServerError
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.client.calls import CallRecord
from engram_desktop.llm.client.client import Client, Retry
from engram_desktop.llm.embedding.choose import open_embedder
from engram_desktop.llm.embedding.http_embedder import HttpEmbedder, _vector
from engram_desktop.llm.endpoint.endpoint import Endpoint
from tests.contexts import TokenContext
from tests.fake_openai import DIM, FakeOpenAI, Status, embed

TEXTS = [f"第{n}天，旅人走进月光酒馆。" for n in range(150)]


def embedder_for(server, records=None):
    on_call = records.append if records is not None else (lambda record: None)
    endpoint = Endpoint(server.url, "fake-embed", timeout=5)
    return HttpEmbedder(Client(endpoint, on_call, Retry(2, 0.0, 5.0)))


def test_rows_come_in_order_and_have_length_one():
    records: list[CallRecord] = []
    with FakeOpenAI() as server:
        rows = embedder_for(server, records).embed(TEXTS, NullContext())
    assert rows.shape == (150, DIM)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows[70], embed(TEXTS[70]), atol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert [len(body["input"]) for body in server.bodies("/v1/embeddings")] == [64, 64, 22]
    assert sum(record.prompt_tokens for record in records) == sum(map(len, TEXTS))


def test_similar_texts_are_close():
    with FakeOpenAI() as server:
        a, b, c = embedder_for(server).embed(
            ["水族馆看企鹅", "水族馆看海豚", "凯尔打了一架"], NullContext()
        )
    assert a @ b > a @ c


def test_answer_out_of_order_is_put_in_order():
    with FakeOpenAI(faults=["shuffled"]) as server:
        rows = embedder_for(server).embed(TEXTS[:5], NullContext())
    np.testing.assert_allclose(rows[0], embed(TEXTS[0]), atol=1e-6)


@pytest.mark.parametrize("fault", ["fewer", "nan", "zero"])
def test_unsound_vectors_are_refused(fault):
    with FakeOpenAI(faults=[fault]) as server, pytest.raises(BadAnswer):
        embedder_for(server).embed(TEXTS[:5], NullContext())


def test_dimension_that_changes_is_refused_within_a_job_and_between_jobs():
    with FakeOpenAI(faults=["none", "wrong-dim"]) as server, pytest.raises(BadAnswer):
        embedder_for(server).embed(TEXTS[:100], NullContext())
    with FakeOpenAI(faults=["none", "wrong-dim"]) as server:
        embedder = embedder_for(server)
        embedder.embed(TEXTS[:1], NullContext())
        with pytest.raises(BadAnswer, match="32, 64"):
            embedder.embed(TEXTS[:1], NullContext())


def test_batch_that_is_too_much_is_halved_and_remembered():
    with FakeOpenAI(max_batch=10) as server:
        embedder = embedder_for(server)
        rows = embedder.embed(TEXTS[:40], NullContext())
        asked = len(server.seen)
        embedder.embed(TEXTS[:8], NullContext())
    assert rows.shape == (40, DIM)
    np.testing.assert_allclose(rows[39], embed(TEXTS[39]), atol=1e-6)
    assert len(server.seen) == asked + 1


def test_text_that_is_too_long_is_shortened_until_it_fits():
    with FakeOpenAI(max_chars=600) as server:
        rows = embedder_for(server).embed(["短", "长" * 5000], NullContext())
    assert rows.shape == (2, DIM)


def test_server_that_refuses_the_smallest_request_is_told():
    fault = Status(400, "no such model")
    with FakeOpenAI(faults=[fault] * 50) as server, pytest.raises(ServerError, match="no such"):
        embedder_for(server).embed(["a" * 300], NullContext())


def test_refused_key_is_not_taken_for_too_much():
    with FakeOpenAI(faults=[401]) as server:
        with pytest.raises(Refused):
            embedder_for(server).embed(TEXTS[:5], NullContext())
        assert len(server.seen) == 1


def test_odd_texts_are_sent_in_a_form_every_server_reads():
    with FakeOpenAI() as server:
        rows = embedder_for(server).embed(["", "  ", "\ud83d half", "x" * 100_000], NullContext())
    assert rows.shape == (4, DIM)
    sent = server.bodies("/v1/embeddings")[0]["input"]
    assert sent[:3] == ["-", "-", "? half"]
    assert len(sent[3]) == 8000


def test_no_texts_need_no_request():
    with FakeOpenAI() as server:
        assert embedder_for(server).embed([], NullContext()).shape[0] == 0
        assert server.seen == []


def test_cancel_interrupts_a_hanging_batch():
    ctx = TokenContext()
    with FakeOpenAI(faults=["none", "hang"]) as server:
        seen_two = threading.Event()
        server.seen = _Watched(seen_two, 2)

        def cancel():
            seen_two.wait(10)
            ctx.token.cancel()

        canceller = threading.Thread(target=cancel)
        canceller.start()
        with pytest.raises(Cancelled):
            embedder_for(server).embed(TEXTS, ctx)
        canceller.join()


class _Watched(list[Any]):
    """Sets an event when it has grown to ``count``."""

    def __init__(self, event, count):
        super().__init__()
        self.event, self.enough = event, count

    @override
    def append(self, item):
        super().append(item)
        if len(self) >= self.enough:
            self.event.set()


def test_base64_and_floats_are_the_same():
    assert _vector("AACAPwAAAEA=").tolist() == [1.0, 2.0]
    assert _vector([1, 2.0]).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    "value", [None, "x", "AAA=", [], [[1.0]], ["a"], {}, 1.0, [None], [1e999], "AACAfw==", [0, 0]]
)
def test_what_is_no_vector_is_refused(value):
    with pytest.raises(BadAnswer):
        _vector(value)


def test_model_id_tells_model_and_server():
    with FakeOpenAI() as server:
        assert embedder_for(server).model_id == "fake-embed@127.0.0.1"
        assert isinstance(open_embedder(Endpoint(server.url, "m")), HttpEmbedder)
