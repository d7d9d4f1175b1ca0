"""The orders that make SillyTavern see entries as a list shows them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engram_desktop.domain.worldbooks.listed import applied, by_sort, moved
from engram_desktop.domain.worldbooks.worldbook import Entry


def by_order(entries):
    return by_sort(entries, "order", {}, is_reversed=False)


def test_every_sort_keeps_all_entries_and_can_be_turned_round():
    entries = [Entry(2, comment="b", order=1, depth=9), Entry(0, comment="a"), Entry(1, depth=1)]
    tokens: dict[int | str, int] = {2: 5, 0: 1, 1: 9}
    assert [e.uid for e in by_sort(entries, "title", tokens, is_reversed=False)] == [1, 0, 2]
    assert [e.uid for e in by_sort(entries, "tokens", tokens, is_reversed=False)] == [1, 2, 0]
    assert [e.uid for e in by_sort(entries, "depth", tokens, is_reversed=False)] == [1, 0, 2]
    assert [e.uid for e in by_sort(entries, "uid", tokens, is_reversed=True)] == [2, 1, 0]
    assert [e.uid for e in by_sort(entries, "file", tokens, is_reversed=False)] == [2, 0, 1]
    assert [e.uid for e in by_order(entries)] == [0, 1, 2]


def test_applying_a_sort_names_only_what_differs():
    entries = [Entry(0, order=100), Entry(1, order=100), Entry(2, order=98)]
    assert applied(entries, 100) == {1: 99}


def test_what_is_moved_stands_there_when_sorted_again():
    random = Random(7)
    for _ in range(300):
        entries = [Entry(n, order=random.randint(95, 103)) for n in range(random.randint(2, 9))]
        entries = by_order(entries)
        taken = random.sample([e.uid for e in entries], random.randint(1, len(entries) - 1))
        rest = [e.uid for e in entries if e.uid not in taken]
        before = random.choice([*rest, None])
        at = rest.index(before) if before is not None else len(rest)
        wanted = rest[:at] + [e.uid for e in entries if e.uid in taken] + rest[at:]
        orders = moved(entries, taken, before)
        after = [replace(e, order=orders.get(e.uid, e.order)) for e in entries]
        assert [e.uid for e in by_order(after)] == wanted


def test_a_move_between_distant_orders_changes_only_what_moves():
    entries = [Entry(0, order=300), Entry(1, order=200), Entry(2, order=100)]
    assert moved(entries, [2], 1) == {2: 201}
    assert moved(entries, [0], None) == {0: 99}
    assert moved(entries, [], 1) == {}
