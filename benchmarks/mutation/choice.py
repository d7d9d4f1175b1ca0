"""Which lines have to run for a fault to be seen, and which words tell that a test is about it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from benchmarks.mutation.mutants import PACKAGE, Mutant

Lines = dict[str, set[int]]
# Tests that read the program's text, or what is declared, and run no line of it.
READ_TEXTS = "tests/gui/test_translations.py"
READ_SETTINGS = "tests/unit/test_architecture.py"


class Choice:
    """What a mutant is to be tried on, from the text of the program."""

    def __init__(self, copy: Path) -> None:
        self._texts = {
            path.relative_to(copy).as_posix(): path.read_text("utf-8")
            for path in sorted((copy / PACKAGE).rglob("*.py"))
        }

    def lines(self, mutant: Mutant) -> list[Lines]:
        """Lines by module, the closest choice first; the next is for where no test runs one."""
        whole = {mutant.path: set(range(1, self._texts[mutant.path].count("\n") + 2))}
        if mutant.is_read:
            return [self._users(mutant), whole]
        source = self._texts[mutant.path].encode()
        last = mutant.line + source[mutant.start : mutant.end].count(b"\n")
        return [{mutant.path: set(range(mutant.line, last + 1))}, whole]

    def readers(self, mutant: Mutant) -> list[str]:
        """Test files that may see it without running it."""
        held = self._texts[mutant.path].encode()[mutant.start : mutant.end]
        texts = [READ_TEXTS] if re.search(rb"\btr\(|_T\(|translate\(", held) else []
        is_setting = mutant.path.endswith(("domain/settings.py", "domain/pipeline_settings.py"))
        return texts + [READ_SETTINGS] * is_setting

    def words(self, mutant: Mutant) -> set[str]:
        """The module, where in it the fault is, and all that is named on its line."""
        source = self._texts[mutant.path].encode()
        named = {Path(mutant.path).stem, *mutant.inside.split(".")} | self._bound(mutant)
        return named | set(re.findall(r"[^\W\d]\w+", mutant.text_of(source)))

    def _users(self, mutant: Mutant) -> Lines:
        """Lines that name what is bound when the module is read: fields, constants."""
        names = self._bound(mutant)
        if not names:
            return {}
        word = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, names)))})\b")
        found: Lines = {}
        for path, text in self._texts.items():
            if lines := {n for n, line in enumerate(text.split("\n"), 1) if word.search(line)}:
                found[path] = lines
        return found

    def _bound(self, mutant: Mutant) -> set[str]:
        """The names that the statement with the fault binds, if it is read with the module."""
        if not mutant.is_read:
            return set()
        held = [
            node
            for node in ast.walk(ast.parse(self._texts[mutant.path]))
            if isinstance(node, ast.Assign | ast.AnnAssign | ast.FunctionDef)
            and node.lineno <= mutant.line <= (node.end_lineno or 0)
        ]
        if not held:
            return set()
        node = held[-1]
        if isinstance(node, ast.FunctionDef):
            return {node.name}
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {part.id for one in targets for part in ast.walk(one) if isinstance(part, ast.Name)}
