"""What is built from this tree holds everything the program reads when it runs."""

from __future__ import annotations

import configparser
import email
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.programs import run_program

pytest.importorskip("hatchling", reason="building needs hatchling, which is not installed")
pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]


def tracked(*folders):
    """Files of the tree that belong in a build: no caches."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build both with the backend alone: no network, no environment of its own."""
    folder = tmp_path_factory.mktemp("构建")
    build = (sys.executable, "-m", "hatchling", "build", "-d", folder)
    done = run_program(*build, cwd=ROOT, env={**os.environ, "PYTHONPATH": ""})
    assert done.returncode == 0, done.stderr
    return folder


def test_the_wheel_holds_the_package_and_every_resource(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert packed.testzip() is None
        names = set(packed.namelist())
    assert "-py3-none-any" in wheel.name
    assert tracked("engram_desktop") <= names
    resources = {f"engram_desktop/{name}" for name in tracked("resources")}
    # Of what is written about the program, it shows what changed.
    shown = {f"engram_desktop/resources/docs/changelog{end}" for end in (".md", ".zh_CN.md")}
    docs = {name for name in resources if name.startswith("engram_desktop/resources/docs/")}
    assert shown <= docs
    assert resources - docs | shown <= names
    assert not (docs - shown) & names
    assert {path.rpartition(".")[2] for path in resources} >= {"qm", "svg", "toml", "md", "jsonl"}
    elsewhere = {n for n in names if not n.startswith(("engram_desktop/", "engram_desktop-"))}
    assert elsewhere == set(), "nothing else may land in site-packages"


def test_the_wheel_declares_both_programs(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (n for n in packed.namelist() if n.endswith("/entry_points.txt"))
        declared = configparser.ConfigParser()
        declared.read_string(packed.read(name).decode())
    assert dict(declared["console_scripts"]) == {"engram": "engram_desktop.cli.entry:run"}
    assert dict(declared["gui_scripts"]) == {"engram-desktop": "engram_desktop.app.entry:run"}


def test_the_wheel_says_what_it_is(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (n for n in packed.namelist() if n.endswith("/METADATA"))
        told = email.message_from_bytes(packed.read(name))
    assert told["License-Expression"] == "MIT"
    assert "Engram Desktop contributors" in (told["Author"] or told["Author-email"])
    assert told["Keywords"]
    classified = told.get_all("Classifier", [])
    assert "Programming Language :: Python :: 3.11" in classified
    assert not [line for line in classified if line.startswith("License ::")]


def test_the_source_archive_holds_what_building_and_testing_need(built):
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        names = {member.name.partition("/")[2] for member in packed if member.isfile()}
    wanted = tracked("engram_desktop", "resources", "tests", "benchmarks", "packaging")
    assert wanted <= names
    assert {"README.md", "LICENSE", "pyproject.toml"} <= names
