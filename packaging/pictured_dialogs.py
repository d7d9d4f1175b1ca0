"""The dialogs that `screenshots` takes pictures of, each with something to show."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QDialog, QWidget
from sample_tavern import make_sample, sample_memories

from engram_desktop.app.desktop import Desktop
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.tavern.folder import TAVERN_KINDS, ItemKind, TavernChoice
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.widgets.chats.import_dialog import ExportDialog
from engram_desktop.widgets.prompts import TextsDialog
from engram_desktop.widgets.tavern import AdoptDialog, TavernDialog

D = TypeVar("D", bound=QDialog)

KINDS: tuple[ItemKind, ...] = ("world", "regex", "persona")
SETTLE_MS = 350
QUIET_MS = 50
CARD = {
    "spec": "chara_card_v2",
    "data": {
        "name": "爱丽丝",
        "description": "月光酒馆的店主，二十三岁。说话直，心软，随身带着父亲留下的铜钥匙。" * 4,
        "personality": "嘴硬、细心、念旧",
        "scenario": "港口城市汐湾，海洋水族馆重新开张的第三十六天。",
        "first_mes": "“欢迎光临。今晚的月亮很好，坐窗边吧。”",
        "alternate_greetings": ["“又是你。老位置？”"],
        "creator": "月下抄书人",
        "character_version": "1.2",
        "tags": ["酒馆", "奇幻", "日常", "慢热"],
        "character_book": {"name": "汐湾旧事", "entries": [{"keys": ["汐湾"], "content": "港。"}]},
    },
}


def settle(desktop: Desktop) -> None:
    """Let the window run until nothing happens in it any more."""
    loop = QEventLoop()
    timer = QTimer(interval=QUIET_MS)
    quiet = 0

    def look() -> None:
        nonlocal quiet
        quiet = quiet + QUIET_MS if desktop.runner.is_idle else 0
        if quiet >= SETTLE_MS:
            loop.quit()

    timer.timeout.connect(look)
    timer.start()
    loop.exec()
    timer.stop()


def show_characters(desktop: Desktop) -> None:
    """Open the characters with a card that has texts, tags and a worldbook."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "爱丽丝.json"
        file.write_text(json.dumps(CARD), "utf-8")
        desktop.workspace.memory.imports.import_file(NullContext(), file)
    desktop.window.dialogs.open_characters()


def show_export(desktop: Desktop) -> None:
    """Open the export of a chat, for one of its cast."""
    desktop.window.dialogs.open_export(desktop.workspace.chat_id)
    settle(desktop)
    dialog = newest(desktop, ExportDialog)
    dialog.some_button.setChecked(True)
    dialog.list.item(0).setCheckState(Qt.CheckState.Checked)


def show_trash(desktop: Desktop) -> None:
    """Open the deleted chats, with two of them."""
    memory = desktop.workspace.memory
    with tempfile.TemporaryDirectory() as place:
        for name in ("灰港的雨季", "试写"):
            file = Path(place) / f"{name}.jsonl"
            told = ({"name": "旅人", "is_user": True, "mes": name}, {"name": "凯尔", "mes": "……"})
            file.write_text("\n".join(json.dumps(row) for row in ({}, *told)), "utf-8")
            report = memory.imports.import_file(NullContext(), file, name=name)
            memory.chats.delete(report.chat_id or "")
    desktop.window.dialogs.open_trash()


def show_worldbook_merge(desktop: Desktop) -> None:
    """Open a kept worldbook in which an entry was edited, one removed and one added."""
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    file = memory.session.folder / "[Engram] 爱丽丝.json"
    memory.kept.keep(NullContext(), Line.main(chat), file)
    worldbook = json.loads(file.read_text("utf-8"))
    entries = worldbook["entries"]
    told = [number for number, row in entries.items() if "剧情摘要" in row["key"]]
    first = entries[told[0]]
    first["content"] = first["content"].replace("。", "，雨下了一整夜。", 1)
    del entries[told[1]]
    entries["900"] = first | {
        "uid": 900,
        "comment": "灯塔",
        "key": ["灯塔"],
        "content": "灯塔每夜亮着。",
    }
    file.write_text(json.dumps(worldbook, ensure_ascii=False), "utf-8")
    desktop.window.dialogs.books.open_merge_worldbook(file)


def newest(desktop: Desktop, kind: type[D]) -> D:
    """Return the dialog opened last as what it is."""
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, kind)
    return dialog


def show_prompts(desktop: Desktop) -> None:
    """Open a prompt with a macro that means nothing."""
    desktop.window.dialogs.open_texts()
    settle(desktop)
    newest(desktop, TextsDialog).prompts.user.insertPlainText("{{weather}}\n")


def show_preview(desktop: Desktop) -> None:
    desktop.window.dialogs.open_texts()
    settle(desktop)
    newest(desktop, TextsDialog).prompts.preview_button.click()


def show_program(desktop: Desktop) -> None:
    """Open a prompt whose program fails: the place is named, nothing is sent."""
    desktop.workspace.memory.settings.set("native.ejs", value=True)
    desktop.window.dialogs.open_texts()
    settle(desktop)
    page = newest(desktop, TextsDialog).prompts
    page.user.setPlainText("<% if (好感 > 80) { %>\n{{char}}\n<% } %>")
    page.preview_button.click()
    settle(desktop)
    desktop.workspace.memory.settings.set("native.ejs", value=False)


def show_scripts(desktop: Desktop) -> None:
    """Open the list of scripts with one that works and one that was stopped."""
    memory = desktop.workspace.memory
    script: dict[str, Any] = {
        "scriptName": "折叠变量更新",
        "findRegex": "/<update>(.*?)<\\/update>/gs",
    }
    script |= {"placement": [1, 2], "promptOnly": True}
    stopped = {"scriptName": "状态栏", "findRegex": "/^(.+)+$/", "disabled": True, "placement": [2]}
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "script.json"
        file.write_text(json.dumps(script), "utf-8")
        memory.scripts.import_file(NullContext(), file)
        file.write_text(json.dumps(stopped), "utf-8")
        memory.scripts.import_file(NullContext(), file, "scoped", "爱丽丝")
    desktop.window.dialogs.open_texts()
    dialog = newest(desktop, TextsDialog)
    dialog.tabs.show_page(1)
    page = dialog.scripts
    page.text.setPlainText("月光<update>好感+1</update>酒馆")
    settle(desktop)
    page.try_button.click()


def show_completion(desktop: Desktop) -> None:
    """Open what a text completion model would get: here a text of a SillyTavern like any."""
    desktop.window.dialogs.open_texts()
    dialog = newest(desktop, TextsDialog)
    dialog.tabs.show_page(2)
    settle(desktop)
    turns = ("system\n爱丽丝是月光酒馆的女主人。", "user\n旅人: 我回来了。")
    told = "".join(f"<|im_start|>{turn}<|im_end|>\n" for turn in turns)
    dialog.completion.text.setPlainText(f"{told}<|im_start|>assistant\n爱丽丝:")
    dialog.completion.fault.hide()


def dialogs(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, opener = desktop.window, desktop.window.dialogs
    story = resource("story/月光酒馆.jsonl")
    failed = (FailedRange(12, 36, "HTTP 200, not JSON", "当然可以！以下是这段剧情的总结……"),)
    openings: dict[str, Callable[[], object]] = {
        "import": lambda: window.import_files([story, story.with_name("missing.jsonl")]),
        "add": opener.open_add,
        "summarise": lambda: opener.open_summarise((0, 24)),
        "consolidate": opener.open_consolidate,
        "trim": opener.open_trim,
        "messages": opener.open_messages,
        "reflect": opener.open_reflect,
        "failures": lambda: opener.open_failures(failed),
        "source": lambda: opener.open_source(3, 9),
        "tavern": lambda: show_tavern(desktop),
        "tavern-books": lambda: show_tavern(desktop, 1),
        "tavern-scripts": lambda: show_tavern(desktop, 2),
        "tavern-presets": lambda: show_tavern(desktop, 3),
        "adopt": lambda: show_adoption(desktop),
        "tavern-personas": lambda: show_tavern(desktop, 4),
        "health": opener.open_health,
        "restore": opener.open_restore,
        "usage": opener.open_usage,
        "about": opener.help.open_about,
        "changelog": opener.help.open_changelog,
        "notices": opener.help.open_notices,
        "characters": lambda: show_characters(desktop),
        "prompts": lambda: show_prompts(desktop),
        "prompt-preview": lambda: show_preview(desktop),
        "prompt-program": lambda: show_program(desktop),
        "scripts": lambda: show_scripts(desktop),
        "completion": lambda: show_completion(desktop),
        "trash": lambda: show_trash(desktop),
        "export": lambda: show_export(desktop),
        "merge-book": lambda: show_worldbook_merge(desktop),
        "steps": lambda: opener.open_steps(0),
        "bug": lambda: opener.help.open_report("Traceback: …"),
    }
    for name, open_it in openings.items():
        open_it()
        settle(desktop)
        dialog = opener.shown[-1]
        yield f"dialog-{name}", dialog
        dialog.close()
        settle(desktop)
    for page in ("llm", "ui", "summary", "auto", "cost", "recall", "clean", "keys"):
        opener.open_settings(page)
        settle(desktop)
        dialog = opener.shown[-1]
        yield f"dialog-settings-{page}", dialog
        dialog.close()
        settle(desktop)


def show_adoption(desktop: Desktop) -> None:
    """Open what other tools left: in a file, and some of it is known already."""
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    with tempfile.TemporaryDirectory() as place:
        files = sample_memories(Path(place))
        known = memory.adopt.find(NullContext(), Line.main(chat), files[:1])
        memory.adopt.take_over(NullContext(), Line.main(chat), known[:1])
        desktop.window.dialogs.open_adopt(chat, files)
        settle(desktop)
    dialog = newest(desktop, AdoptDialog)
    first = dialog.tree.topLevelItem(0)
    assert first is not None
    dialog.tree.setCurrentItem(first.child(1))


def show_tavern(desktop: Desktop, page: int = 0) -> None:
    """Open the SillyTavern folder; something of each kind is in the library already."""
    memory, folder = desktop.workspace.memory, make_sample()
    found = memory.tavern.list_folder(NullContext(), folder)
    handle = found.handles[0]
    first = handle.characters[2].chats[0]
    keys = {first.path, *(items[0].key for k in KINDS if (items := handle.of_kind(k)))}
    choice = TavernChoice(frozenset(keys) & found.keys(TAVERN_KINDS), follow=True)
    memory.tavern.take(NullContext(), found, choice, str, print)
    desktop.window.dialogs.open_tavern(str(folder))
    settle(desktop)
    dialog = newest(desktop, TavernDialog)
    dialog.tabs.show_page(page)
    presets = dialog.lists["preset"]
    second = presets.topLevelItem(1)
    assert second is not None
    presets.setCurrentItem(second)
    if page:
        dialog.tick_button.click()
