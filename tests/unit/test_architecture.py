"""The documents that can be wrong are read; the layers that can be crossed are checked."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
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


def test_no_folder_holds_more_files_than_one_look_takes_in():
    for folder in {path.parent for path in (ROOT / "engram_desktop").rglob("*.py")}:
        count = len(list(folder.glob("*.py")))
        assert count <= 15, f"{folder.relative_to(ROOT)} has {count} modules"
