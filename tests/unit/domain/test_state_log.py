"""How one value came to be what it is."""

from __future__ import annotations

from engram_desktop.domain.state.tree import StateEntry, StateOp, apply, split_path, steps_of


def test_the_steps_of_a_value_include_what_was_put_anew_around_it():
    state = {"爱丽丝": {"好感度": [50, "喜爱"]}}
    ops = [
        StateOp("set", split_path("爱丽丝.好感度[0]"), 60, "花"),
        StateOp("add", ("爱丽丝", "心情"), 1),
        StateOp("add", ("爱丽丝", "好感度", "x"), 1),
        StateOp("set", ("爱丽丝",), {"好感度": 7}),
        StateOp("remove", ("爱丽丝",)),
    ]
    entries = [StateEntry(n, "reply", (apply(state, op),)) for n, op in enumerate(ops)]
    found = list(steps_of(entries, ("爱丽丝", "好感度")))
    assert [(s.floor, s.old, s.new, s.reason) for s in found] == [
        (0, 50, 60, "花"),
        (3, 60, 7, ""),
        (4, 7, None, ""),
    ]
    assert entries[2].changes[0].fault
