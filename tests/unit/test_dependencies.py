"""What the program imports is what it asks to be installed, and nothing else."""

from __future__ import annotations

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.pins import pinned_versions

ROOT = Path(__file__).parents[2]


def imported_modules() -> dict[str, Path]:
    """Top-level names that any import statement of the program reads, each with one who does."""
    names: dict[str, Path] = {}
    for path in sorted((ROOT / "engram_desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Import():
                    modules = [alias.name for alias in node.names]
                case ast.ImportFrom(module=str(module)):
                    modules = [module]
                case _:
                    continue
            names.update((module.partition(".")[0], path) for module in modules)
    own = {"engram_desktop", *sys.stdlib_module_names}
    return {name: path for name, path in names.items() if name not in own}


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}


def test_every_module_imported_is_declared_and_every_dependency_is_imported():
    owners = packages_distributions()
    imported = {
        canonicalize_name(owner): f"{name}, in {path.relative_to(ROOT)}"
        for name, path in imported_modules().items()
        for owner in owners[name]
    }
    assert imported.keys() - declared() == set(), imported
    assert declared() - imported.keys() == set(), "declared, and imported by nobody"


def test_every_dependency_has_a_version_to_install():
    assert declared() - pinned_versions().keys() == set()
