"""What is drawn of a graph: as of a floor, with more entities, and the way between two."""

from engram_desktop.domain.graph.entity import Around, Relation
from engram_desktop.domain.graph.paths import shortest


def told(*facts):
    return [Relation(f"r{n}", a, "认识", b) for n, (a, b) in enumerate(facts)]


def way(relations, start, goal):
    found = shortest(relations, start, goal)
    return None if found is None else [r.id for r in found]


def test_the_shortest_way_is_found_in_either_direction():
    relations = told(("a", "b"), ("c", "b"), ("c", "d"), ("a", "x"), ("x", "y"), ("y", "d"))
    assert way(relations, "a", "d") == ["r0", "r1", "r2"]
    assert way(relations, "d", "a") == ["r2", "r1", "r0"]
    assert way(relations, "a", "nobody") is None
    assert way(relations, "a", "a") == []


def test_a_picture_is_of_the_best_known_unless_said():
    around = Around()
    assert (around.center_id, around.at, around.also) == (None, None, ())
