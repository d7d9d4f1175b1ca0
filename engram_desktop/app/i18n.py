"""The window's language: installs our translations and Qt's, and changes them while it runs."""

from __future__ import annotations

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QObject,
    QTranslator,
)
from PySide6.QtGui import QFontDatabase

from engram_desktop.places import resource

LANGUAGES = ("zh_CN", "ja", "en")
_OF_SYSTEM = {QLocale.Language.Chinese: "zh_CN", QLocale.Language.Japanese: "ja"}

_WRITTEN_IN = {
    "zh_CN": QFontDatabase.WritingSystem.SimplifiedChinese,
    "ja": QFontDatabase.WritingSystem.Japanese,
}

# Texts of Qt's own file dialog without a translation by Qt.
_OF_QT = (
    QT_TRANSLATE_NOOP("QFileDialog", "&Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of &type:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Computer"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Folder"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Drive"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "File"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "%1 File"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Unknown"),
)


def language_of(choice: str, system: QLocale | None = None) -> str:
    """Return the language for ``system`` or a language; Chinese for any Chinese locale."""
    if choice in LANGUAGES:
        return choice
    locale = system or QLocale.system()
    return _OF_SYSTEM.get(locale.language(), "en")


def lacks_font(language: str) -> bool:
    """Return whether no font of this computer has the characters of ``language``."""
    system = _WRITTEN_IN.get(language)
    return system is not None and not QFontDatabase.families(system)


class Translations(QObject):
    """Owns the translators that are installed; Qt does not."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._app = app
        self._installed: list[QTranslator] = []
        self.language = ""

    def use(self, choice: str) -> bool:
        """Change to the language of ``choice``; returns False if it is in use already."""
        language = language_of(choice)
        if language == self.language:
            return False
        self.clear()
        self.language = language
        QLocale.setDefault(QLocale(language))
        qt_texts = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        self._install(f"{qt_texts}/qtbase_{language}.qm")
        self._install(str(resource(f"i18n/engram_{language}.qm")))
        return True

    def clear(self) -> None:
        """Remove every translator, so that texts are in the source language."""
        for translator in self._installed:
            self._app.removeTranslator(translator)
        self._installed = []
        self.language = ""

    def _install(self, path: str) -> None:
        translator = QTranslator(self)
        if translator.load(path):
            self._app.installTranslator(translator)
            self._installed.append(translator)
