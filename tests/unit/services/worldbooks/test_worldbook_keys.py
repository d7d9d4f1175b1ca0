"""Which words of a chat are rare enough to be the keys of an entry."""

from __future__ import annotations

import pytest

from engram_desktop.services.worldbooks.memory_worldbook import WorldbookKeys
from tests.factories import make_message, make_store


@pytest.mark.parametrize(
    ("messages", "said", "is_key"),
    [(40, 3, True), (40, 4, False), (41, 4, True), (20, 3, True), (20, 4, False)],
)
def test_a_word_of_every_tenth_message_is_no_key(tmp_path, messages, said, is_key):
    store = make_store(tmp_path)
    rows = [make_message("铜钥匙在这里" if n < said else "雪还在下") for n in range(messages)]
    with store.database.writing():
        store.messages.append("main", 0, rows)
    assert WorldbookKeys(store, "main")._is_rare("铜钥匙") is is_key
