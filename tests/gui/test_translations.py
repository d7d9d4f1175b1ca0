"""Every language is whole, up to date with the program, and compiled."""

import importlib.util
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QLabel, QPushButton

from engram_desktop.app.i18n import LANGUAGES, language_of
from engram_desktop.domain.changes import MERGE, StepLabel
from engram_desktop.domain.phrase import Phrase
from engram_desktop.places import resource
from engram_desktop.viewmodels.workspace.choice_texts import listed
from engram_desktop.viewmodels.workspace.messages import translated
from engram_desktop.viewmodels.workspace.undo_actions import step_text
from engram_desktop.widgets.window.page_stack import PAGES

ROOT = Path(__file__).resolve().parents[2]
FIELD = re.compile(r"\{(\w*)[^}]*\}|%n")


def tools():
    spec = importlib.util.spec_from_file_location(
        "translations", ROOT / "packaging" / "translations.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def messages(path):
    for context in ET.parse(path).iter("context"):  # noqa: S314 - our own file
        for message in context.iter("message"):
            yield context.findtext("name"), message


def forms(message):
    translation = message.find("translation")
    plural = [form.text or "" for form in translation.findall("numerusform")]
    return plural or [translation.text or ""]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_unfinished(language):
    found = list(messages(resource(f"i18n/engram_{language}.ts")))
    assert found
    for context, message in found:
        source = message.findtext("source")
        assert message.find("translation").get("type") is None, (context, source)
        assert all(forms(message)), (context, source)


@pytest.mark.parametrize(
    ("language", "names"), [("en", "林, 雨"), ("zh_CN", "林、雨"), ("ja", "林、雨")]
)
def test_names_are_listed_as_the_window_s_language_does(language, names, open_desktop, memory):
    open_desktop(memory, language=language)
    assert listed(["林", "雨"]) == names
    why = Phrase("described alike: {facts}", "suggestions", facts=("林", "雨"))
    assert str(why) == "described alike: 林, 雨"
    assert names in translated(why)
    sizes = Phrase("vectors of different dimensions: {sizes}", "reports", sizes=[256, 512])
    assert str(sizes).endswith(": 256, 512")
    assert "256" in translated(sizes)
    step = StepLabel(MERGE, {"names": ["林", "雨"], "target": "霜"})
    assert "林, 雨" in str(step)
    assert names in step_text(StepLabel.from_json(step.to_json()))


def test_no_part_of_the_window_lists_in_one_language():
    for folder in ("widgets", "viewmodels"):
        for file in (ROOT / "engram_desktop" / folder).rglob("*.py"):
            assert '"、".join' not in file.read_text("utf-8"), file


@pytest.mark.parametrize(
    ("language", "buffer", "always"), [("zh_CN", "缓冲", "常驻"), ("ja", "バッファ", "常時")]
)
def test_the_buffer_and_what_is_always_visible_are_two_words(language, buffer, always):
    """They are two counts: outlines are always visible, and not in the buffer."""
    found = {
        (context, message.findtext("source")): forms(message)[0]
        for context, message in messages(resource(f"i18n/engram_{language}.ts"))
    }
    for place in (
        ("ChatTree", "{floors} · buffer {buffer}"),
        ("FacetBar", "Buffer {n}"),
        ("Facets", "Buffer"),
        ("ProgressCard", "buffer"),
        ("CoverageBar", "in the buffer"),
    ):
        assert buffer in found[place]
        assert always not in found[place]
    assert always in found["FootBar", "Always visible {used} / {limit} tokens"]


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != "en"])
def test_every_text_is_told_under_the_class_that_asks_for_it(language):
    """Under no name nobody finds it: lupdate reads ``self.tr``, and no other name for it."""
    path = resource(f"i18n/engram_{language}.ts")
    assert [m.findtext("source") for name, m in messages(path) if not name] == []


def test_an_error_is_told_in_the_window_without_a_command_to_type():
    typed = re.compile(r"`|\bengram [a-z]|--[a-z]|\b[a-z]+\.[a-z]+_[a-z]+|\blibrary\.wait")
    hints = [
        message.findtext("source")
        for context, message in messages(resource("i18n/engram_zh_CN.ts"))
        if context == "errors"
    ]
    assert hints
    assert [text for text in hints if typed.search(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_placeholder_survives(language):
    for context, message in messages(resource(f"i18n/engram_{language}.ts")):
        source = message.findtext("source")
        wanted = {m[0] for m in FIELD.finditer(source)}
        for form in forms(message):
            # English may say “one” without the figure
            held = {m[0] for m in FIELD.finditer(form)} | ({"%n"} if language == "en" else set())
            assert wanted <= held, (context, source, form)


# Japanese: one word for one thing, and no space between a figure or a name and what follows it.

OTHER_WORDS = re.compile(
    "フォルダー|記憶サーバー|記憶帳|実体|集団|パソコン|コンピュータ(?!ー)|ゴミ箱|出来事|大綱|階を要約|階数"
)
SPACED = re.compile(r"[}\w%] (?=[\u3040-\u30ff\u4e00-\u9fff])(?<![\u3040-\u30ff\u4e00-\u9fff] )")
SPACES_MEANT = ("engramSummaries", "↑ ↓", "{year}", "library.wait", "http://")


def test_japanese_has_one_word_for_one_thing():
    texts = [form for _, one in messages(resource("i18n/engram_ja.ts")) for form in forms(one)]
    guides = [
        resource(f"guide/{name}.ja.md").read_text("utf-8") for name in ("help", "sillytavern")
    ]
    assert not [text for text in texts if OTHER_WORDS.search(text)]
    assert not [m[0] for guide in guides for m in OTHER_WORDS.finditer(guide)]
    spaced = [text for text in texts if SPACED.search(text)]
    assert not [text for text in spaced if not any(meant in text for meant in SPACES_MEANT)]


def test_the_help_names_pages_as_the_window_does():
    text = resource("guide/help.md").read_text("utf-8")
    named = re.findall(r"\bpage \*\*([^*]+)\*\* \((Ctrl\+\w)\)", text, re.IGNORECASE)
    assert named
    assert not set(named) - {(spec.title, spec.key) for spec in PAGES}


def test_the_files_are_up_to_date_with_the_program(tmp_path):
    names = [f"engram_{language}.ts" for language in LANGUAGES]
    for name in names:
        (tmp_path / name).write_bytes(resource(f"i18n/{name}").read_bytes())
    tools().update(tmp_path)

    def texts(path):
        return [(c, m.findtext("source"), forms(m)) for c, m in messages(path)]

    for name in names:
        assert texts(tmp_path / name) == texts(resource(f"i18n/{name}"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_file_says_what_the_source_says(qtbot, language):
    translator = QTranslator()
    assert translator.load(str(resource(f"i18n/engram_{language}.qm")))
    for context, message in messages(resource(f"i18n/engram_{language}.ts")):
        plural = message.get("numerus") is not None
        told = translator.translate(context, message.findtext("source"), None, 2 if plural else -1)
        assert told in forms(message), (context, message.findtext("source"))


@pytest.mark.parametrize(
    ("choice", "system", "expected"),
    [
        ("system", "zh_TW", "zh_CN"),
        ("system", "zh_CN", "zh_CN"),
        ("system", "ja_JP", "ja"),
        ("system", "de_DE", "en"),
        ("en", "zh_CN", "en"),
        ("zh_CN", "en_US", "zh_CN"),
    ],
)
def test_the_language_follows_the_system_unless_it_is_chosen(choice, system, expected):
    assert language_of(choice, QLocale(system)) == expected


@pytest.mark.parametrize(
    ("language", "first"), [("ja", "Noto Sans CJK JP"), ("zh_CN", "Noto Sans CJK SC")]
)
def test_each_language_is_written_in_its_own_faces(
    qapp, open_desktop, empty_memory, language, first
):
    open_desktop(empty_memory, language=language)
    faces = [face for face in qapp.font().families() if face.startswith("Noto Sans CJK")]
    assert faces[0] == first
    assert "Noto Sans CJK SC" in faces  # what people write in other languages is shown as well


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_dialog_of_qt_is_translated_and_fits_a_small_screen(
    qtbot, open_desktop, memory, tmp_path, language
):
    folder = tmp_path / "1"
    (folder / "9").mkdir(parents=True)
    (folder / "9.jsonl").touch()
    desktop = open_desktop(memory, language=language)
    dialog = QFileDialog(desktop.window, "", str(folder), "*.jsonl")
    qtbot.addWidget(dialog)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    dialog.show()
    model = dialog.findChild(QFileSystemModel)
    assert model is not None
    root = model.index(str(folder))
    qtbot.waitUntil(lambda: model.rowCount(root) == 2, timeout=5_000)
    if language != "en":
        labels = [one.text() for one in dialog.findChildren(QLabel)]
        captions = labels + [one.text() for one in dialog.findChildren(QPushButton)]
        columns = [
            model.headerData(n, Qt.Orientation.Horizontal) for n in range(model.columnCount())
        ]
        kind = model.index(str(folder / "9")).siblingAtColumn(2).data()
        foreign = [text for text in (*captions, *columns, kind) if re.search("[A-Za-z]{2}", text)]
        assert not foreign
    assert dialog.width() <= 900
    assert dialog.height() <= 560
