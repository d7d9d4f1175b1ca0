"""What is drawn of a graph: as of a floor, with more entities, and the way between two."""

from engram_desktop.domain.graph.entity import Around, Relation
from engram_desktop.domain.graph.paths import shortest


def told(*facts):
    return [Relation(f"r{n}", a, "认识", b) for n, (a, b) in enumerate(facts)]


def test_the_shortest_way_is_found_in_either_direction():
    relations = told(("a", "b"), ("c", "b"), ("c", "d"), ("a", "x"), ("x", "y"), ("y", "d"))
    assert [r.id for r in shortest(relations, "a", "d")] == ["r0", "r1", "r2"]
    assert [r.id for r in shortest(relations, "d", "a")] == ["r2", "r1", "r0"]
    assert shortest(relations, "a", "nobody") is None
    assert shortest(relations, "a", "a") == []


def test_a_picture_is_of_the_best_known_unless_said():
    around = Around()
    assert (around.center_id, around.at, around.also) == (None, None, ())
