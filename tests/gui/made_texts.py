"""The texts that a widget puts up when it is made, read from the program's own source."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator

import engram_desktop.widgets

SOMETIMES = (ast.If, ast.IfExp, ast.Lambda, ast.FunctionDef, ast.Try, ast.match_case)


def made_texts() -> Iterator[tuple[str, str]]:
    """The class and each text it asks for in any case, as it is made: by no condition, whole."""
    package = engram_desktop.widgets
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        source = inspect.getsource(importlib.import_module(found.name))
        for kind in ast.parse(source).body:
            if isinstance(kind, ast.ClassDef):
                yield from ((kind.name, text) for text in _of_class(kind))


def _of_class(kind: ast.ClassDef) -> Iterator[str]:
    methods = {part.name: part for part in kind.body if isinstance(part, ast.FunctionDef)}
    waiting, done = ["__init__"], {""}
    while waiting:
        if (name := waiting.pop()) in methods and name not in done:
            for call in (node for part in methods[name].body for node in _always(part)):
                if call.attr == "tr":
                    yield call.text
                else:
                    waiting.append(call.attr)
            done.add(name)


class _Call:
    """A call of a method of its own; with a text, if it is handed nothing else."""

    def __init__(self, attr: str, text: str) -> None:
        self.attr = attr
        self.text = text


def _always(node: ast.AST) -> Iterator[_Call]:
    """Calls of `self.…` that are made whatever happens."""
    if isinstance(node, SOMETIMES):
        return
    if isinstance(node, ast.Attribute) and node.attr == "format":
        return
    if isinstance(node, ast.Call) and _is_own(node.func):
        assert isinstance(node.func, ast.Attribute)
        is_whole = len(node.args) == 1 and isinstance(node.args[0], ast.Constant)
        if node.func.attr != "tr":
            yield _Call(node.func.attr, "")
        elif is_whole:
            assert isinstance(node.args[0], ast.Constant)
            yield _Call("tr", str(node.args[0].value))
    for part in ast.iter_child_nodes(node):
        yield from _always(part)


def _is_own(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )
