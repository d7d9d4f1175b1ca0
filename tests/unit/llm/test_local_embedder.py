"""Embedders without a server."""

import numpy as np
import pytest

from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.choose import open_embedder
from engram_desktop.llm.embedder import normalised
from engram_desktop.llm.local_embedder import HashEmbedder, LocalEmbedder
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
    model = LocalEmbedder._model
    LocalEmbedder().embed(["b"], NullContext())
    assert LocalEmbedder._model is model
    assert LocalEmbedder().model_id == "local:use-m3"


def test_row_of_zeros_stays_finite():
    rows = normalised(np.zeros((2, 3), dtype=np.float32))
    assert rows.tolist() == [[1, 0, 0], [1, 0, 0]]
