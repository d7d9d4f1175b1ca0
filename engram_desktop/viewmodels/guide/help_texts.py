"""The guide that F1 shows, as it is shipped in a language: the window, then SillyTavern."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.values import dataclass
from engram_desktop.shipped import resource

WIDTH = 560  # pixels: a picture is no wider than the lines beside it
_PICTURE = re.compile(r"!\[[^]\n]*]\(([^)\n]+)\)")
_HEADING = re.compile(r"^(?=#)", re.MULTILINE)
_OTHER_LANGUAGES = re.compile(r"^\[.*]\(sillytavern[.\w]*\)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HelpText:
    """``markdown`` is our own; ``pictures`` are its own by the names it has for them."""

    markdown: str
    pictures: Mapping[str, QImage] = field(default_factory=dict)


def read_help(language: str) -> HelpText:
    """Return the guide in ``language``, else in English. Raises NotFound."""
    steps = _OTHER_LANGUAGES.sub("", _read("sillytavern", language))
    text = f"{_read('help', language)}\n{_HEADING.sub('#', steps)}"
    return HelpText(text, {name: _picture(name) for name in set(_PICTURE.findall(text))})


def _read(name: str, language: str) -> str:
    try:
        return resource(f"guide/{name}.{language}.md").read_text("utf-8")
    except NotFound:
        return resource(f"guide/{name}.md").read_text("utf-8")


def _picture(name: str) -> QImage:
    image = QImage(str(resource(f"guide/{name}")))
    smooth = Qt.TransformationMode.SmoothTransformation
    return image.scaledToWidth(WIDTH, smooth) if image.width() > WIDTH else image
