"""The documents that can be wrong are read; the layers that can be crossed are checked."""

from __future__ import annotations

import ast
import gc
import importlib.util
import re
from pathlib import Path

import pytest

from tests.programs import run_python

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "resources" / "docs"


def load_script(name):
    """Import a module of packaging, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.e2e
def test_imports_go_down_only():
    done = run_python("from importlinter.cli import lint_imports_command as c; c()", cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_documented_tree_is_the_tree_on_disk():
    module = load_script("document_tree")
    assert (DOCS / "tree.md").read_text("utf-8") == module.tree(), (
        "run: python packaging/document_tree.py"
    )


def test_the_picture_of_the_architecture_is_that_of_the_imports():
    module = load_script("document_architecture")
    assert (DOCS / "architecture.md").read_text("utf-8") == module.page(), (
        "run: python packaging/document_architecture.py"
    )


def test_every_module_says_why_it_exists():
    for path in (ROOT / "engram_desktop").rglob("*.py"):
        first = path.read_text("utf-8").lstrip()
        assert first.startswith('"""'), path


def test_every_layer_is_explained():
    text = (DOCS / "architecture.md").read_text("utf-8")
    for folder in (ROOT / "engram_desktop").iterdir():
        if folder.is_dir() and (folder / "__init__.py").exists():
            assert f"`{folder.name}`" in text, folder.name


def test_the_table_of_settings_is_that_of_the_program():
    """Defaults, limits, choices, and which can be set for one chat."""
    module = load_script("document_settings")
    assert (DOCS / "settings.md").read_text("utf-8") == module.page(), (
        "run: python packaging/document_settings.py"
    )


def test_decision_records_are_numbered_without_gaps():
    numbers = sorted(int(p.name[:4]) for p in (DOCS / "adr").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


def test_links_between_documents_lead_somewhere():
    for path in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
            if "://" not in target:
                assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_no_file_is_too_long_to_read():
    for path in (ROOT / "engram_desktop").rglob("*.py"):
        lines = path.read_text("utf-8").count("\n")
        assert lines <= 700, f"{path.name} has {lines} lines"


@pytest.fixture(scope="module")
def modules():
    """Every module of the program by its dotted name: its path and its parsed source."""
    found = {}
    gc.disable()  # it would look at a million nodes over and over: two thirds of the time
    for path in (ROOT / "engram_desktop").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = (path, ast.parse(path.read_text("utf-8")))
    gc.enable()
    return found


def _readers(modules):
    """Of each module: which modules import it, and whether something of it is read at once."""
    readers: dict[str, dict[str, bool]] = {}
    for reader, (_path, tree) in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    named = f"{node.module}.{alias.name}"
                    module = named if named in modules else node.module
                    at_once = module == node.module
                    known = readers.setdefault(module, {})
                    known[reader] = known.get(reader, False) or at_once
    return readers


def test_no_small_file_stands_beside_its_only_reader(modules):
    """What is read late for a quick start stays apart: there the reader only names the module."""
    readers = _readers(modules)
    for name, (path, _tree) in modules.items():
        read = readers.get(name, {})
        if path.stem == "__init__" or len(read) != 1:
            continue
        ((reader, at_once),) = read.items()
        beside = reader.rpartition(".")[0] == name.rpartition(".")[0]
        lines = path.read_text("utf-8").count("\n")
        assert not (beside and at_once and lines < 60), f"{name} belongs in {reader}"


def test_folders_are_two_levels_deep_at_most(modules):
    for path, _tree in modules.values():
        levels = path.relative_to(ROOT / "engram_desktop").parts[1:-1]
        assert len(levels) <= 2, path


def test_no_folder_holds_a_single_file(modules):
    for folder in {path.parent for path, _tree in modules.values()}:
        files = [path for path in folder.glob("*.py") if path.stem != "__init__"]
        folders = [path for path in folder.iterdir() if (path / "__init__.py").exists()]
        assert len(files) + len(folders) != 1, f"{folder.name} can be a file"


def _classes(modules):
    for name, (_path, tree) in modules.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                yield name, node


def test_a_class_name_stands_once(modules):
    # Names that two rooms need: none today. Each exception is written here with its reason.
    allowed: set[str] = set()
    places: dict[str, set[str]] = {}
    for module, node in _classes(modules):
        if not node.name.startswith("_"):
            places.setdefault(node.name, set()).add(module)
    twice = {name: where for name, where in places.items() if len(where) > 1}
    assert set(twice) == allowed, twice
    assert len(allowed) <= 8


def test_no_class_has_more_members_than_a_reader_keeps_in_mind(modules):
    members = {}
    for _module, node in _classes(modules):
        own = {
            one.name
            for one in node.body
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name[0] != "_"
        }
        bases = [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases]
        members[node.name] = (own, bases)

    def public(name):
        own, bases = members.get(name, (set(), []))
        return own.union(*(public(base) for base in bases if base != name))

    for name in members:
        count = len(public(name))
        assert count <= 40, f"{name} has {count} public members"
