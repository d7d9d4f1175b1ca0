"""A number that was chosen says beside it how, or what it bounds."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "engram_desktop"
LAYERS = ("domain", "formats", "llm", "services", "storage")
_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")


def is_number(value):
    """Whether an expression is numbers alone: one, a sum of some, or a list or table of them."""
    match value:
        case ast.Constant():
            return type(value.value) in {int, float}
        case ast.UnaryOp():
            return is_number(value.operand)
        case ast.BinOp():
            return is_number(value.left) and is_number(value.right)
        case ast.Tuple() | ast.List():
            return bool(value.elts) and all(map(is_number, value.elts))
        case ast.Dict():
            return bool(value.values) and all(map(is_number, value.values))
    return False


def unexplained(source):
    """Names of a module's numbers that have no comment on their lines or on the one before."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                pass
            case _:
                continue
        if not _NAME.fullmatch(name) or not is_number(value):
            continue
        own = lines[node.lineno - 1 : node.end_lineno]
        is_above = node.lineno > 1 and lines[node.lineno - 2].startswith("# ")
        if not is_above and not any("# " in line for line in own):
            yield name


@pytest.mark.parametrize("layer", LAYERS)
def test_a_chosen_number_says_how_it_was_chosen_or_what_it_bounds(layer):
    silent = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in sorted((PACKAGE / layer).rglob("*.py"))
        for name in unexplained(path.read_text("utf-8"))
    ]
    assert silent == []


def test_numbers_are_told_from_other_constants():
    source = """
A = 3
_B = (0.5, -2)
C = 4 * 1024  # bytes
# Of a request.
D = {"a": 1}
E: dict[str, int] = {"a": 1}
F = "3"
G = True
H = frozenset({1})
i = 3
"""
    assert list(unexplained(source)) == ["A", "_B", "E"]
