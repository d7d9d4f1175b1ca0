"""Small faults of a module, each a piece of its text and what stands there instead.

Not mutated: texts, annotations, decorators, calls that write a log, what is only for type
checkers, and what only says how it looks: numbers handed to a method with a name of Qt's, as
`setSpacing(6)`, and calls of those in LOOKS.
"""

from __future__ import annotations

import ast
import difflib
import itertools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

PACKAGE = "engram_desktop"
QT_NAME = re.compile(r"[a-z]+[A-Z]\w*")
LOOKS = frozenset(
    "addSpacing addStretch setContentsMargins setHorizontalScrollBarPolicy setSpacing"
    " setStretchFactor setVerticalScrollBarPolicy setWordWrap".split()
)
BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
NEGATION: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
}


@dataclass(frozen=True)
class Mutant:
    """One fault: the bytes from `start` to `end` of `path` are replaced."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    text: bytes

    @property
    def layer(self) -> str:
        parts = Path(self.path).parts
        return parts[1] if len(parts) > 2 else Path(self.path).stem

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}"

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text + source[self.end :]

    def diff(self, source: bytes) -> str:
        before, after = source.decode(), self.applied(source).decode()
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
        return "\n".join(list(lines)[2:])


class _Finder(ast.NodeVisitor):
    """Walk a module; what may not be mutated is not entered."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.found: list[Mutant] = []
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def _span(self, node: ast.AST) -> tuple[int, int]:
        first = self._starts[getattr(node, "lineno") - 1] + getattr(node, "col_offset")  # noqa: B009
        last = self._starts[getattr(node, "end_lineno") - 1] + getattr(node, "end_col_offset")  # noqa: B009
        return first, last

    def _put(self, node: ast.AST, kind: str, text: str, line: int | None = None) -> None:
        start, end = self._span(node)
        at = line or getattr(node, "lineno")  # noqa: B009
        self.found.append(Mutant(self.path, at, kind, start, end, text.encode()))

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    # what is left alone

    @override
    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Positions inside of one are not those of the file before Python 3.12."""

    @override
    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in ast.unparse(node.test):
            return
        self._put(node.test, "condition negated", f"not ({self._text(node.test)})")
        self.generic_visit(node)

    @override
    def visit_IfExp(self, node: ast.IfExp) -> None:
        test, body, other = (self._text(part) for part in (node.test, node.body, node.orelse))
        self._put(node, "branches swapped", f"(({other}) if {test} else ({body}))")
        self.generic_visit(node)

    @override
    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    @override
    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    @override
    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if any("overload" in ast.unparse(one) for one in node.decorator_list):
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if isinstance(default, ast.Constant):
                self._constant(default, "default")
        for part in node.body:
            self.visit(part)

    @override
    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        for part in node.body:
            self.visit(part)

    # what is mutated

    @override
    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            left, right = self._text(node.left), self._text(node.comparators[0])
            for kind, table in (("boundary", BOUNDARY), ("negation", NEGATION)):
                if new := table.get(type(node.ops[0])):
                    operator = ast.unparse(ast.Compare(ast.Name("l"), [new()], [ast.Name("r")]))
                    self._put(node, kind, f"({left} {operator[2:-2]} {right})")
        self.generic_visit(node)

    @override
    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " or " if isinstance(node.op, ast.And) else " and "
        self._put(node, "and/or", f"({word.join(f'({self._text(v)})' for v in node.values)})")
        self.generic_visit(node)

    @override
    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = (ast.Constant, ast.JoinedStr)
        is_text = any(
            isinstance(side, texts) and not _is_number(side) for side in (node.left, node.right)
        )
        if (new := ARITHMETIC.get(type(node.op))) and not is_text:
            operator = ast.unparse(ast.BinOp(ast.Name("l"), new(), ast.Name("r")))[2:-2]
            left, right = self._text(node.left), self._text(node.right)
            self._put(node, "arithmetic", f"(({left}) {operator} ({right}))")
        self.generic_visit(node)

    @override
    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._put(node, "not removed", f"bool({self._text(node.operand)})")
        self.generic_visit(node)

    @override
    def visit_Return(self, node: ast.Return) -> None:
        value = node.value
        if value is None or (isinstance(value, ast.Constant) and value.value is None):
            return
        if isinstance(value, ast.Compare | ast.BoolOp) or _is_not(value) or _is_bool(value):
            self._put(value, "return negated", f"not ({self._text(value)})")
        else:
            self._put(value, "return None", "None")
        self.visit(value)

    @override
    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            if _is_log(node.value) or _is_looks(node.value):
                return
            self._put(node, "statement removed", "pass")
        self.visit(node.value)

    @override
    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        for part in (node.func, *node.args, *(word.value for word in node.keywords)):
            if not (QT_NAME.fullmatch(name) and _is_number(part)):
                self.visit(part)

    @override
    def visit_Continue(self, node: ast.Continue) -> None:
        self._put(node, "continue → break", "break")

    @override
    def visit_Break(self, node: ast.Break) -> None:
        self._put(node, "break → continue", "continue")

    @override
    def visit_Constant(self, node: ast.Constant) -> None:
        self._constant(node, "constant")

    def _constant(self, node: ast.Constant, kind: str) -> None:
        if isinstance(node.value, bool):
            self._put(node, kind, str(not node.value))
        elif isinstance(node.value, int):
            self._put(node, kind, str(node.value + 1))
            if node.value:
                self._put(node, kind, f"({node.value - 1})")


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_bool(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _is_not(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _is_looks(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in LOOKS


def _is_log(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and (
        isinstance(call.func.value, ast.Name) and call.func.value.id in ("log", "logger", "logging")
    )


def mutants_of(root: Path, path: Path) -> list[Mutant]:
    """Every mutant of one module; a few are no Python any more."""
    source = path.read_bytes()
    finder = _Finder(path.relative_to(root).as_posix(), source)
    finder.visit(ast.parse(source))
    return finder.found


def is_python(source: bytes) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def all_mutants(root: Path) -> dict[str, list[Mutant]]:
    """Every mutant of the program, by layer."""
    layers: dict[str, list[Mutant]] = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        for mutant in mutants_of(root, path):
            layers.setdefault(mutant.layer, []).append(mutant)
    return layers


def pick(root: Path, layers: dict[str, list[Mutant]], seed: int, count: int) -> list[Mutant]:
    """`count` mutants, no two on one line: of each layer as many as the root of its size says."""
    chance = random.Random(seed)
    decks = {layer: _one_a_line(chance, mutants) for layer, mutants in layers.items()}
    weights = {layer: len(mutants) ** 0.5 for layer, mutants in layers.items()}
    dealt = _deal(chance, decks, weights)
    works = (one for one in dealt if is_python(one.applied((root / one.path).read_bytes())))
    return list(itertools.islice(works, count))


def _one_a_line(chance: random.Random, mutants: Sequence[Mutant]) -> list[Mutant]:
    shuffled = chance.sample(mutants, len(mutants))
    return list({mutant.place: mutant for mutant in shuffled}.values())


def _deal(
    chance: random.Random, decks: dict[str, list[Mutant]], weights: dict[str, float]
) -> Iterator[Mutant]:
    while left := [layer for layer, deck in decks.items() if deck]:
        layer = chance.choices(left, [weights[name] for name in left])[0]
        yield decks[layer].pop()
