"""Names of undo steps: a template and its numbers, so that a window can translate them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from typing_extensions import override

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP

_T = QT_TRANSLATE_NOOP
ARCHIVE = _T("steps", "Archive {count} events")
RESTORE = _T("steps", "Make {count} events always visible")
LOCK = _T("steps", "Lock {count} events")
UNLOCK = _T("steps", "Unlock {count} events")
DELETE = _T("steps", "Delete {count} events")
EDIT = _T("steps", "Edit “{summary}”")
SUMMARISE = _T("steps", "Summarise floors {first}–{last}")
CONSOLIDATE = _T("steps", "Consolidate {count} events")
TRIM = _T("steps", "Trim {count} events into outlines")
UNTRIM = _T("steps", "Take an outline of {count} events apart")
EDIT_ENTITY = _T("steps", "Edit {name}")
MERGE = _T("steps", "Merge {names} into {target}")
SPLIT = _T("steps", "Split {name} from {target}")
IMPORT = _T("steps", "Import {count} messages")
REPLACE_TAIL = _T("steps", "Replace messages from floor {first} on")


@dataclass(frozen=True, slots=True)
class StepLabel:
    """``text`` is one of the templates above; ``str()`` gives the English sentence."""

    text: str
    params: dict[str, Any] = field(default_factory=dict)

    @override
    def __str__(self) -> str:
        return self.text.format_map(self.params)

    def to_json(self) -> str:
        return json.dumps([self.text, self.params], ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> StepLabel:
        template, params = json.loads(text)
        return cls(template, params)
