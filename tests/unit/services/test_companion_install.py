"""The companion is put where SillyTavern finds it; its texts say everything in each language."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.places import resource
from tests.programs import run_program
from tests.tavern import make_tavern

# Nothing of anybody else's is touched.

NAME = "engram-companion"


@pytest.fixture
def tavern(tmp_path):
    make_tavern(tmp_path / "SillyTavern")
    return tmp_path / "SillyTavern"


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("inside", ["", "data", "data/default-user", "data/default-user/chats"])
def test_every_user_of_a_sillytavern_gets_it(memory, tavern, inside):
    (tavern / "data" / "anna" / "chats").mkdir(parents=True)
    (tavern / "data" / "anna" / "settings.json").write_text("{}")
    report = memory.serving.install_companion(tavern / inside)
    users = ["anna", "default-user"] if inside in {"", "data"} else ["default-user"]
    folders = [tavern / "data" / user / "extensions" / NAME for user in users]
    assert [one.folder for one in report] == [str(folder) for folder in folders]
    assert all(files(folder) == files(resource("companion")) for folder in folders)
    assert report[0].version == json.loads((folders[0] / "manifest.json").read_text())["version"]


def test_an_old_one_is_replaced_whole(memory, tavern):
    (first,) = memory.serving.install_companion(tavern)
    folder = tavern / "data" / "default-user" / "extensions" / NAME
    manifest = json.loads((folder / "manifest.json").read_text()) | {"version": "0.1"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "long_gone.js").write_text("no more")
    (second,) = memory.serving.install_companion(tavern)
    assert (first.before, second.before) == (None, "0.1")
    assert files(folder) == files(resource("companion"))
    assert [path.name for path in folder.parent.iterdir()] == [NAME]


@pytest.mark.parametrize("kind", ["folder", "file", "link", "manifest"])
def test_what_is_not_ours_stays(memory, tavern, tmp_path, kind):
    target = tavern / "data" / "default-user" / "extensions" / NAME
    target.parent.mkdir()
    if kind == "file":
        target.write_text("mine")
    elif kind == "link":
        (tmp_path / "elsewhere").mkdir()
        target.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    else:
        target.mkdir()
        text = '{"generate_interceptor": "other"}' if kind == "manifest" else "[not json"
        (target / "manifest.json").write_text(text)
    before = files(tavern)
    with pytest.raises(InputError) as caught:
        memory.serving.install_companion(tavern)
    assert caught.value.hint
    assert files(tavern) == before


def test_nothing_is_installed_for_one_user_where_another_has_something_else(memory, tavern):
    (tavern / "data" / "anna" / "chats").mkdir(parents=True)
    (tavern / "data" / "anna" / "settings.json").write_text("{}")
    foreign = tavern / "data" / "default-user" / "extensions" / NAME
    foreign.mkdir(parents=True)
    (foreign / "index.js").write_text("mine")
    with pytest.raises(InputError):
        memory.serving.install_companion(tavern)
    assert not (tavern / "data" / "anna" / "extensions").exists()


def test_a_folder_that_is_no_sillytavern_is_refused(memory, tmp_path):
    (tmp_path / "mine" / "chats").mkdir(parents=True)
    for folder in (tmp_path / "mine", memory.folder, tmp_path):  # the library has a folder of chats
        before = files(folder)
        with pytest.raises(InputError):
            memory.serving.install_companion(folder)
        assert files(folder) == before


def test_it_is_saved_as_a_folder_to_copy(memory, tmp_path):
    report = memory.serving.save_companion(tmp_path / "new" / "place")
    assert report.folder == str(tmp_path / "new" / "place" / NAME)
    assert files(tmp_path / "new" / "place" / NAME) == files(resource("companion"))


SOURCES = sorted(resource("companion").glob("*.js"))
_SAID = re.compile(r"\bsay\((?:`([^`$]*)\$\{[^`]*`|'([^']*)'|[^`()]*\? '([^']*)' : '([^']*)')")


def installed_texts(language):
    table = json.loads((resource("companion") / "texts" / f"{language}.json").read_text("utf-8"))
    assert isinstance(table, dict)
    return table


def keys_said():
    """Every key, and the beginning of every key, that the code asks a text for."""
    whole: set[str] = set()
    begun: set[str] = set()
    for path in SOURCES:
        for start, key, one, other in _SAID.findall(path.read_text("utf-8")):
            whole.update(filter(None, (key, one, other)))
            begun.update(filter(None, (start,)))
    for source in (resource("companion") / "drawer.js",):  # fields and choices are named by text
        whole.update(re.findall(r"(?:field|choice)\('(\w+)'", source.read_text("utf-8")))
    return whole, begun


def test_every_text_is_there_in_both_languages_and_none_is_left_over():
    english, chinese = installed_texts("en"), installed_texts("zh-cn")
    assert english.keys() == chinese.keys()
    whole, begun = keys_said()
    assert len(whole) > 20
    assert len(begun) >= 3
    assert whole - english.keys() == set()
    unused = {key for key in english.keys() - whole if not key.startswith(tuple(begun))}
    assert unused == set()
    for start in begun:
        assert any(key.startswith(start) for key in english), start


def test_no_text_of_others_can_become_html():
    for path in SOURCES:
        source = path.read_text("utf-8")
        for way in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            ".html(",
            "eval(",
        ):
            assert way not in source, f"{path.name}: {way}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_sources_are_javascript(path, tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here to read JavaScript")
    copy = tmp_path / path.with_suffix(".mjs").name
    copy.write_bytes(path.read_bytes())
    run = run_program(node, "--check", copy)
    assert (run.returncode, run.stderr) == (0, "")


def test_the_manifest_names_what_is_there():
    folder = resource("companion")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (folder / manifest["js"]).is_file()
    assert (folder / manifest["css"]).is_file()
    sources = "\n".join(path.read_text("utf-8") for path in SOURCES)
    assert f"globalThis.{manifest['generate_interceptor']} = " in sources
    for name in re.findall(r"from '\./(\w+\.js)'", sources):
        assert (folder / name).is_file(), name
