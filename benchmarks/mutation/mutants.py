"""Small faults of a module, each a piece of its text and what stands there instead.

Not mutated: texts, annotations, decorators, calls that write a log, what is only for type
checkers, and what only says how it looks: numbers handed to a method with a name of Qt's, as
`setSpacing(6)`, or to those in SPACED, calls of those in LOOKS, and the arguments in LOOKS_SO; nor
are the arguments in ASSERTED.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from typing_extensions import override

PACKAGE = "engram_desktop"
QT_NAME = re.compile(r"[a-z]+[A-Z]\w*")
LOOKS = frozenset(
    "addSpacing addStretch setContentsMargins setHorizontalScrollBarPolicy setSpacing"
    " setSizes setStretchFactor setTextElideMode setVerticalScrollBarPolicy setWordWrap".split()
)
LOOKS_SO = frozenset({"width", "wrap"})
ASSERTED = frozenset({"strict"})  # of `zip`: that two are of one length is known
SPACED = frozenset({"column"})  # a layout, its margin and spacing
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
    """One fault: the bytes from `start` to `end` of `path` are replaced.

    `inside` names the class and function it is in, as `Box.open`. What `is_read` runs once, when
    the module is read; the rest when a function is called.
    """

    path: str
    inside: str
    is_read: bool
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

    def name(self, source: bytes) -> str:
        """What stays the same when lines are put in above it."""
        column = self.start - source.rfind(b"\n", 0, self.start)
        place = (self.path, self.inside, self.text_of(source), str(column))
        return "\n".join([*place, self.kind, self.text.decode()])

    def text_of(self, source: bytes) -> str:
        """The line it is on, without the space before."""
        first = source.rfind(b"\n", 0, self.start) + 1
        return source[first : source.find(b"\n", self.start)].decode().strip()

    def told(self, source: bytes) -> dict[str, str]:
        """What a row of the table of equivalent ones may say of it."""
        lines = ["", *source.decode().splitlines()]
        return {
            "path": self.path,
            "line": lines[self.line].strip(),
            "kind": self.kind,
            "inside": self.inside,
            "after": lines[self.line - 1].strip(),
        }

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
        self._inside: list[str] = []
        self._functions = 0
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
        inside, is_read = ".".join(self._inside), not self._functions
        self.found.append(Mutant(self.path, inside, is_read, at, kind, start, end, text.encode()))

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
        self._enter(node, is_function=False)

    def _enter(
        self, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, *, is_function: bool
    ) -> None:
        self._inside.append(node.name)
        self._functions += is_function
        for part in node.body:
            self.visit(part)
        self._functions -= is_function
        self._inside.pop()

    @override
    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if any("overload" in ast.unparse(one) for one in node.decorator_list):
            return
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if isinstance(default, ast.Constant):
                self._constant(default, "default")
        self._enter(node, is_function=True)

    @override
    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._enter(node, is_function=True)

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
        name = ast.unparse(node.func).rsplit(".", 1)[-1]
        is_spaced = name in SPACED or (
            isinstance(node.func, ast.Attribute) and QT_NAME.fullmatch(name)
        )
        words = [word.value for word in node.keywords if word.arg not in LOOKS_SO | ASSERTED]
        for part in (node.func, *node.args, *words):
            if not (is_spaced and _is_number(part)):
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


def pick(root: Path, layers: dict[str, list[Mutant]], seed: int) -> Iterator[Mutant]:
    """Mutants in the order of a seed, no two on one line.

    Of each layer come as many as the root of its size says. Each has a place in the order of its
    own, so that a change to the program moves few others.
    """
    queue: list[tuple[float, Mutant]] = []
    for mutants in filter(None, layers.values()):
        weight = len(mutants) ** -0.5
        queue += [(-math.log(_chance(one, root, seed)) / weight, one) for one in mutants]
    seen: set[str] = set()
    for _, mutant in sorted(queue, key=lambda pair: pair[0]):
        if mutant.place not in seen and is_python(
            mutant.applied((root / mutant.path).read_bytes())
        ):
            seen.add(mutant.place)
            yield mutant


def _chance(mutant: Mutant, root: Path, seed: int) -> float:
    """Between 0 and 1, evenly: of the seed and the fault, wherever in the module it stands."""
    fault = f"{seed}\n{mutant.name((root / mutant.path).read_bytes())}".encode()
    return (int.from_bytes(hashlib.sha256(fault).digest()[:6]) + 1) / (2**48 + 1)
