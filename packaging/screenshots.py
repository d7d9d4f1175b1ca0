"""Save a picture of every page and dialog, in both languages and both themes.

    python packaging/screenshots.py FOLDER [--language zh_CN] [--theme dark]

It makes a throw-away library from the bundled story, so that pictures never show anybody's chats.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.memory.line import Line

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pictured_dialogs import dialogs, settle
from pictured_logs import logs
from pictured_play import knowing, playing
from PySide6.QtWidgets import QApplication, QWidget

from engram_desktop.app.desktop import Desktop
from engram_desktop.app.start import build
from engram_desktop.domain.pipeline.automation import AutoPlan
from engram_desktop.domain.pipeline.usage import Estimate
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.demo import QUESTION, run_demo
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.workspace.messages import Notice
from engram_desktop.widgets.chats.branches_dialog import BranchesDialog
from engram_desktop.widgets.graph.entity_panel import EntityPanel
from engram_desktop.widgets.graph.graph_page import GraphPage
from engram_desktop.widgets.parts.layouts import Fold
from engram_desktop.widgets.recall.lab_page import PROMPTS
from engram_desktop.widgets.recall.recall_page import RecallPage
from engram_desktop.widgets.state import StatePage
from engram_desktop.widgets.window.page_stack import PAGES, START
from engram_desktop.widgets.worldbooks.worldbook_page import WorldbookPage
from engram_desktop.widgets.worldbooks.worldbook_panel import WorldbookPanel

SIZE = (1440, 900)
WORLDBOOKS = {
    "0": {
        "key": ["企鹅", "水族馆"],
        "comment": "海洋水族馆",
        "content": "城东的海洋水族馆，企鹅馆在二楼，每天下午三点喂食。",
        "order": 120,
        "sticky": 3,
    },
    "1": {
        "key": ["月光酒馆", "酒馆"],
        "keysecondary": ["地窖", "账簿"],
        "comment": "月光酒馆的地窖",
        "content": "酒馆的地窖上了两道锁，第二把钥匙从不离开老板的脖子。",
    },
    "2": {"comment": "世界观", "content": "雨季长达半年的港口城市。", "constant": True},
    "3": {"key": ["灰港商会"], "comment": "灰港商会", "content": "控制码头的商会。"},
    "4": {"key": ["火山"], "comment": "旧设定", "content": "已经不用。", "disable": True},
    "5": {"key": ["信"], "comment": "父亲的信", "content": "信里总是夹着干花。", "probability": 0},
}


def scenes(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Bring up one page or dialog after the other; yield its name and what to take."""
    window = desktop.window
    yield from pages(desktop)
    view = window.event_page.view
    view.show_row(1)
    settle(desktop)
    yield "events", window
    for number, name in enumerate(("card", "fields", "json", "source", "history")):
        window.editor.show_tab(number)
        settle(desktop)
        yield f"editor-{name}", window.editor
    window.editor.show_tab(1)
    view.selectAll()
    settle(desktop)
    yield "events-selected", window
    view.show_row(0)
    yield from searches(desktop)
    yield from logs(desktop)
    yield from worldbooks(desktop)
    yield from branches(desktop)
    window.show_page("graph")
    settle(desktop)
    yield "graph", window
    yield from same(desktop)
    window.show_page("recall")
    settle(desktop)
    yield "recall-empty", window
    window.stack.page_as("recall", RecallPage).question.setText(QUESTION)
    window.stack.page_as("recall", RecallPage).ask()
    settle(desktop)
    yield "recall", window
    yield from recalls(desktop)
    window.show_page("events")
    window.resize(window.minimumSize())
    settle(desktop)
    yield "events-narrow", window
    window.resize(*SIZE)
    # the last two rewrite the story, and show another chat
    for part in (first_steps, notices, reviews, dialogs, knowing, states, playing):
        yield from part(desktop)


def pages(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Show every page as it is found; the others bring each into the states it can be in."""
    window = desktop.window
    for spec in PAGES:
        window.show_page(spec.name)
        settle(desktop)
        yield f"page-{spec.name}", window
    window.show_page(START)


def first_steps(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Show the first steps, and the page of the chat where there is little room."""
    window = desktop.window
    for number in range(4):
        window.first_steps.open(number)
        settle(desktop)
        yield f"guide-{number + 1}", window
    window.first_steps.leave()
    window.show_page("overview")
    window.resize(900, 600)
    settle(desktop)
    yield "overview-narrow", window
    window.resize(*SIZE)
    window.show_page(START)


def states(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, memory, chat = desktop.window, desktop.workspace.memory, desktop.workspace.chat_id
    window.show_page("state")
    settle(desktop)
    yield "state-empty", window
    begins = {
        "爱丽丝": {
            "好感度": [40, "对旅人的喜爱，0 到 100"],
            "心情": ["平静", "此刻的心情"],
            "信任": {"能不能说秘密": False, "次数": 0},
        },
        "旅人": {"金币": 20, "物品": ["旅行袋", "介绍信", "铜哨"]},
    }
    told = json.dumps(begins, ensure_ascii=False)
    memory.messages.edit(Line.main(chat), 0, f"雨停了。<initvar>{told}</initvar>")
    replies = [m for m in memory.messages.slice(Line.main(chat), 1, 150) if m.role == "assistant"][
        ::6
    ]
    for number, reply in enumerate(replies):
        step = (5, 3, -8, 6, 4, -2, 9, 7)[number % 8]
        calls = [f"_.add('爱丽丝.好感度', {step});//{('旅人说了实话', '他又迟到了')[step < 0]}"]
        calls += ["_.set('爱丽丝.心情', '期待');"] if number == 3 else []
        calls += ["_.add('旅人.物品', '铜钥匙');//她亲手交给他"] if number == 5 else []
        calls += ["_.add('爱丽丝.心情', 1);"] if number == 6 else []
        lines = "\n".join(calls)
        text = f"{reply.text}\n<UpdateVariable>{lines}</UpdateVariable>"
        memory.messages.edit(Line.main(chat), reply.seq, text)
    window.models.state.read()
    settle(desktop)
    yield "state", window
    tree = window.stack.page_as("state", StatePage).tree
    first = tree.topLevelItem(0)
    assert first is not None
    tree.setCurrentItem(first.child(0))
    settle(desktop)
    yield "state-value", window
    window.dialogs.open_state()
    settle(desktop)
    yield "dialog-state", window.dialogs.shown[-1]
    window.dialogs.shown[-1].close()


def recalls(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window = desktop.window
    page, model = window.stack.page_as("recall", RecallPage), window.models.recall
    page.results.show_page(1)
    settle(desktop)
    yield "recall-why", window
    assert model.answer is not None
    model.set_muted((model.answer.result.hits[0].item.ref,), muted=True)
    model.freeze(5)
    settle(desktop)
    page.results.show_page(0)
    yield "recall-held", window
    for number, name in ((1, "past"), (2, "muted")):
        page.tabs.show_page(number)
        settle(desktop)
        yield f"recall-{name}", window
    page.tabs.show_page(0)
    page.question.setText("asdfghjkl")
    page.ask()
    settle(desktop)
    yield "recall-unrelated", window
    yield from lab(desktop)


def lab(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window = desktop.window
    page = window.stack.page_as("recall", RecallPage)
    page.tabs.show_page(3)
    settle(desktop)
    yield "lab-empty", window
    memory, chat = desktop.workspace.memory, desktop.workspace.chat_id
    for question in (QUESTION, "诺亚的企鹅叫什么名字？", "第41天的夜里发生了什么"):
        hits = memory.recall.ask(NullContext(), chat, RecallQuery(question)).hits
        memory.lab.save(Line.main(chat), question, [hits[0].item.ref, hits[5].item.ref])
    window.models.lab.read()
    page.lab.sides[1].legs["vector"].setChecked(False)
    settle(desktop)
    page.lab.run_button.click()
    settle(desktop)
    yield "lab", window
    page.lab.ways.show_page(PROMPTS)
    settle(desktop)
    yield "lab-prompts-before", window
    page.lab.prompt_form.budgets.setText("200, 500, 2000")
    page.lab.prompt_button.click()
    settle(desktop)
    yield "lab-prompts", window
    page.tabs.show_page(0)


def same(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, memory, chat = desktop.window, desktop.workspace.memory, desktop.workspace.chat_id
    by_name = {e.name: e.id for e in memory.graph.find_entities(Line.main(chat))}
    alice, kyle = by_name["爱丽丝"], by_name["凯尔"]
    tavern = next(e.id for e in memory.graph.find_entities(Line.main(chat)) if e.type == "loc")
    profile = {"身份": "月光酒馆的店主", "住处": "酒馆阁楼", "随身之物": ["铜钥匙", "旧怀表"]}
    memory.graph.update_entity(chat, alice, profile=profile)
    memory.graph.set_aliases(chat, alice, ["小爱", "老板娘"])
    memory.graph.add_relation(Line.main(chat), alice, "陌生人", kyle)
    memory.graph.add_relation(Line.main(chat), alice, "位于", tavern)
    first = next(
        r for r in memory.graph.relations_of(Line.main(chat), alice) if r.predicate == "陌生人"
    )
    memory.graph.end_relation(chat, first.id, 158)
    window.models.graph.load()
    settle(desktop)
    window.models.graph.show_entity(alice)
    settle(desktop)
    panel = window.stack.panel_as("graph", EntityPanel)
    panel.relations.before_button.setChecked(True)
    settle(desktop)
    yield "graph-entity", window
    panel.fields.profile.setPlainText("身份: [")
    panel.fields.save_profile()
    settle(desktop)
    yield "graph-profile-fault", panel
    window.models.graph.select(kyle)
    settle(desktop)
    for name, open_it in (
        ("merge", window.dialogs.graph.open_merge),
        ("relation", window.dialogs.graph.open_add_relation),
    ):
        open_it()
        settle(desktop)
        dialog = window.dialogs.shown[-1]
        yield f"dialog-{name}", dialog
        dialog.close()
    window.stack.page_as("graph", GraphPage).same_button.setChecked(True)
    settle(desktop)
    yield "graph-same-empty", window
    memory.graph.update_entity(chat, kyle, profile={"身份": "卫兵队长", "武器": "断刃的长剑"})
    memory.graph.split_entity(chat, alice, "小爱")
    window.models.same.look_again()
    settle(desktop)
    yield "graph-same", window
    window.stack.page_as("graph", GraphPage).same_button.setChecked(False)
    settle(desktop)


def worldbooks(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, memory = desktop.window, desktop.workspace.memory
    window.show_page("books")
    settle(desktop)
    page = window.stack.page_as("books", WorldbookPage)
    yield from kept_worldbook(desktop)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "月光酒馆设定.json"
        file.write_text(json.dumps({"entries": WORLDBOOKS}), "utf-8")
        memory.imports.import_file(NullContext(), file)
    memory.settings.set("lore.depth", 200)
    memory.worldbooks.set_global(memory.worldbooks.all()[0].id, is_global=True)
    window.models.worldbooks.open(memory.worldbooks.all()[0].id)
    settle(desktop)
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    settle(desktop)
    yield "books", window
    panel = window.stack.panel_as("books", WorldbookPanel)
    for fold in panel.form.findChildren(Fold):
        fold.set_open(is_open=True)
    panel.resize(panel.width(), 2000)
    settle(desktop)
    yield "books-fields", panel.form
    for fold in panel.form.findChildren(Fold)[1:]:
        fold.set_open(is_open=False)
    page.view.selectAll()
    settle(desktop)
    yield "books-several", window
    page.view.setCurrentIndex(page.view.model().index(0, 0))
    yield from deleted_worldbook(desktop)


def kept_worldbook(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """The memory as a worldbook of SillyTavern, and the same after somebody changed its file."""
    window = desktop.window
    page = window.stack.page_as("books", WorldbookPage)
    place = tempfile.TemporaryDirectory()
    kept = Path(place.name) / "[Engram] 爱丽丝.json"
    window.models.worldbooks.memory.keep(kept)
    settle(desktop)
    page.view.setCurrentIndex(page.view.model().index(3, 0))
    for bar in window.message_bar.bars:
        bar.dismiss()
    yield "books-memory", window
    kept.write_text("{}", "utf-8")
    window.models.worldbooks.memory.sync(kept)
    settle(desktop)
    yield "books-memory-changed", window
    for bar in window.message_bar.bars:
        bar.dismiss()
    window.models.worldbooks.memory.stop(kept)
    settle(desktop)
    place.cleanup()


def deleted_worldbook(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """Delete a worldbook and take that back: what is said, and the history."""
    window = desktop.window
    window.models.worldbooks.delete([4])
    settle(desktop)
    window.models.worldbooks.delete_worldbook()
    settle(desktop)
    window.undo_action.trigger()
    settle(desktop)
    yield "books-deleted", window
    for bar in window.message_bar.bars:
        bar.dismiss()
    window.history_action.trigger()
    settle(desktop)
    dialog = window.dialogs.shown[-1]
    yield "dialog-history", dialog
    dialog.close()
    window.undo_action.trigger()
    settle(desktop)
    for bar in window.message_bar.bars:
        bar.dismiss()


def branches(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window, memory, chat = desktop.window, desktop.workspace.memory, desktop.workspace.chat_id
    made, _changes = memory.branches.fork(Line.main(chat), at=60, name="如果没有打开那扇门")
    memory.messages.append(Line(chat, made), "旅人", "user", "我们回去吧。")
    memory.branches.fork(Line(chat, made), at=30, name="独自去水族馆")
    window.models.branches.read()
    window.dialogs.open_branches()
    settle(desktop)
    dialog = window.dialogs.shown[-1]
    assert isinstance(dialog, BranchesDialog)
    dialog.tree.selectAll()
    first, second = window.models.branches.rows[:2]
    window.models.branches.compare(first, second)
    settle(desktop)
    yield "dialog-branches", dialog
    dialog.close()
    window.models.branches.show(made)
    window.show_page("events")
    settle(desktop)
    yield "events-branch", window
    window.models.branches.show(first.id)
    settle(desktop)


def searches(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window = desktop.window
    desktop.look.apply(desktop.look.choice, "compact")
    window.event_page.search.setText("钥匙")
    settle(desktop)
    yield "events-compact-search", window
    desktop.look.apply(desktop.look.choice, "comfortable")
    window.event_page.search.setText("没有这样的词")
    settle(desktop)
    yield "events-no-match", window
    window.event_page.search.clear()
    settle(desktop)


def notices(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    window = desktop.window
    desktop.workspace.messages.show(
        Notice("success", window.tr("Import"), "", window.tr("Export"), lambda: None)
    )
    desktop.workspace.messages.show(Notice("error", "https://host/v1: 401", "HTTP 401"))
    window.tasks.toggle()
    settle(desktop)
    yield "messages-and-tasks", window
    window.tasks.toggle()
    for bar in window.message_bar.bars:
        bar.dismiss()


def reviews(desktop: Desktop) -> Iterator[tuple[str, QWidget]]:
    """A redone block beside what is there, and automation that asks and is paused."""
    window, memory, chat = desktop.window, desktop.workspace.memory, desktop.workspace.chat_id
    desktop.workspace.change(
        "",
        lambda ctx: memory.pipeline.redo(ctx, Line.main(chat), (0, 30), "extractive"),
        lane="network",
    )
    settle(desktop)
    window.dialogs.open_review()
    settle(desktop)
    yield "dialog-review", window.dialogs.shown[-1]
    window.dialogs.shown[-1].close()
    estimate = Estimate(412, 1_270_000, 288_000, 3.42, "¥")
    plan = AutoPlan(chat, "main", "consent", "llm", "deepseek-chat", ((0, 10_289),))
    desktop.workspace.auto.consent_wanted.emit(replace(plan, estimate=estimate))
    window.models.automation.toggle()
    settle(desktop)
    yield "automation-asks", window
    window.models.automation.toggle()
    for bar in window.message_bar.bars:
        bar.dismiss()
    drafts = [draft.id for draft in memory.drafts.find(Line.main(chat))]
    desktop.workspace.change("", lambda _ctx: memory.drafts.discard(chat, drafts))
    settle(desktop)


def take_all(app: QApplication, folder: Path, language: str, theme: str) -> int:
    """Save every picture for one language and theme; return how many."""
    count = 0
    with tempfile.TemporaryDirectory() as place:
        for kind in ("welcome", "story"):
            memory = Memory.open(Path(place) / kind, environ={})
            if kind == "story":
                run_demo(memory, NullContext())
            desktop = build(app, memory, memory.folder, language=language, theme=theme)
            desktop.window.resize(*SIZE)
            desktop.window.show()
            settle(desktop)
            shown = scenes(desktop) if kind == "story" else iter([("welcome", desktop.window)])
            for name, widget in shown:
                widget.grab().save(str(folder / f"{name}-{language}-{theme}.png"))
                count += 1
            desktop.close()
            desktop.deleteLater()
            memory.close()
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description="Save a picture of every page and dialog.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=("zh_CN", "ja", "en"), action="append")
    parser.add_argument("--theme", choices=("light", "dark"), action="append")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    for language in given.language or ("zh_CN", "en"):
        for theme in given.theme or ("light", "dark"):
            count = take_all(app, given.folder, language, theme)
            print(f"{language} {theme}: {count} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
