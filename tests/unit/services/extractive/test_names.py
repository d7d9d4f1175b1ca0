"""Names that words of a text may be."""

from __future__ import annotations

from engram_desktop.services.extractive.names.names_zh import persons
from engram_desktop.services.extractive.words.cutting import Cutter


def test_the_first_half_of_a_place_hides_no_name_behind_it():
    words = Cutter().words("王立图书馆里，艾琳笑了。")
    assert list(persons(words, {"艾琳", "王立"})) == [("艾琳", True)]
