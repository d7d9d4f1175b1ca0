"""What the user chose, for the library and for one chat, and nothing that is a default."""

from __future__ import annotations

from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat


def test_what_was_chosen_for_a_chat_lies_over_what_was_chosen_for_all(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    chat = make_chat(library, "A").chat_id
    assert library.chosen_settings() == library.chosen_settings(chat) == {}
    library.set_setting("recall.top_k", 33)
    library.set_setting("memory.mode", "vector")
    library.set_setting("memory.mode", "off", chat)
    assert library.chosen_settings() == {"recall.top_k": 33, "memory.mode": "vector"}
    assert library.chosen_settings(chat) == {"recall.top_k": 33, "memory.mode": "off"}
    assert library.settings().memory_mode == "vector"
    assert library.settings(chat).memory_mode == "off"
    library.close()
