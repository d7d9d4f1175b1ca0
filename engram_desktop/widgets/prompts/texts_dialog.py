"""What models read: prompts, the scripts and rules messages go through, a chat as one text."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from engram_desktop.viewmodels.prompts.prompt_editor import PromptEditor
from engram_desktop.viewmodels.prompts.script_list import ScriptList
from engram_desktop.viewmodels.prompts.text_prompt import TextPromptModel
from engram_desktop.viewmodels.workspace.undo_actions import UndoActions
from engram_desktop.widgets.parts.basics.tabs import Tabs
from engram_desktop.widgets.parts.dialogs.frame import FramedDialog
from engram_desktop.widgets.parts.dialogs.undo_strip import UndoStrip
from engram_desktop.widgets.parts.look.look import Look
from engram_desktop.widgets.prompts.completion_page import CompletionPage
from engram_desktop.widgets.prompts.prompt_page import PromptPage
from engram_desktop.widgets.prompts.script_page import ScriptPage


class TextsDialog(FramedDialog):
    def __init__(
        self,
        look: Look,
        scripts: ScriptList,
        prompts: PromptEditor,
        completion: TextPromptModel,
        undo: UndoActions,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, width=900)
        self.set_title(self.tr("Scripts and prompts"))
        self.resize(960, 760)
        self.tabs = Tabs()
        self.scripts = ScriptPage(scripts)
        self.prompts = PromptPage(prompts)
        self.tabs.add(self.tr("Prompts"), self.prompts)
        self.tabs.add(self.tr("Scripts and rules"), self.scripts)
        self.completion = CompletionPage(completion)
        self.tabs.add(self.tr("Text completion"), self.completion)
        self.tabs.changed.connect(
            lambda _page: completion.set_active(
                active=self.tabs.pages.currentWidget() is self.completion
            )
        )
        self.finished.connect(lambda _result: completion.set_active(active=False))
        self.body.addWidget(self.tabs, 1)
        self.undo = UndoStrip(look, undo, self)
        self.add_left(self.undo)
        self.finished.connect(lambda _result: self.prompts.typing.drop_all())
        self.add_close(self.tr("Close"))
