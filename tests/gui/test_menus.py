"""Every menu of the program opens with something in it, and every icon it asks for is there."""

from __future__ import annotations

import ast
from pathlib import Path

from PySide6.QtWidgets import QMenu

import engram_desktop.widgets
from engram_desktop.shipped import resource
from engram_desktop.widgets.parts.look import load_theme
from tests.gui.places import menus, places
from tests.gui.waiting import settle

TAKERS = {"icon", "pixmap", "dress", "icon_button", "draw_icon", "EmptyState", "_action"}


def test_every_menu_of_the_program_opens(qtbot, desktop):
    opened: dict[str, QMenu] = {}
    for place, top in places(qtbot, desktop):
        for name, menu in menus(top):
            assert menu.actions() or not menu.menuAction().isEnabled(), (place, name)
            for action in menu.actions():
                assert action.isSeparator() or action.text(), (place, name)
            opened[f"{place}: {name}"] = menu
    assert {"events: Events", "events: Chats", "events: Sort order"} <= opened.keys()


def test_a_right_click_on_an_event_offers_what_can_be_done(qtbot, desktop):
    window = desktop.window
    window.event_page.view.show_row(0)
    settle(qtbot, desktop)
    menu = dict(menus(window.event_page))["Events"]
    names = [action.text() for action in menu.actions()]
    assert {"Read its messages", "Delete"} <= set(names)
    assert all(not action.icon().isNull() for action in menu.actions())


def test_every_icon_named_in_the_code_is_there():
    named = set()
    for file in Path(engram_desktop.widgets.__file__).parent.rglob("*.py"):
        named |= {(name, file.name) for name in icons_of(ast.parse(file.read_text("utf-8")))}
    named = {(name, where) for name, where in named if name not in load_theme("light").roles}
    assert len(named) > 60
    there = {file.stem for file in resource("icons/undo.svg").parent.glob("*.svg")}
    assert {(name, where) for name, where in named if name not in there} == set()


def test_every_icon_there_is_used():
    texts = {
        node.value
        for file in Path(engram_desktop.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    there = {file.stem for file in resource("icons/undo.svg").parent.glob("*.svg")}
    assert {name for name in there if not texts & {name, f"icons/{name}.svg"}} == set()


def icons_of(tree: ast.Module) -> set[str]:
    """Names given to what makes icons, and those in tables that a loop over ``icon`` reads."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in TAKERS:
            names |= {text for arg in node.args[:2] for text in constants(arg)}
        if isinstance(node, ast.For) and isinstance(node.target, ast.Tuple):
            targets = [getattr(t, "id", "") for t in node.target.elts]
            rows = node.iter.elts if isinstance(node.iter, ast.Tuple) else []
            if "icon" in targets:
                at = targets.index("icon")
                names |= {
                    text
                    for row in rows
                    if isinstance(row, ast.Tuple)
                    for text in constants(row.elts[at])
                }
    return {name for name in names if name.isidentifier()}


def called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def constants(node: ast.expr) -> set[str]:
    if isinstance(node, ast.IfExp):
        return constants(node.body) | constants(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        return {node.value}
    return set()
