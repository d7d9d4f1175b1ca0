"""A regex script of SillyTavern: its pattern, its replacement, and when it runs.

Pure rules; the patterns themselves are JavaScript's and are run elsewhere. The meanings are those
of SillyTavern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

Scope = Literal["global", "preset", "scoped"]
SCOPES: tuple[Scope, ...] = ("global", "preset", "scoped")  # in the order of running
USER_INPUT, AI_OUTPUT, SLASH_COMMAND, WORLD_INFO, REASONING = 1, 2, 3, 5, 6
_FLAGS = frozenset("gmixXsuUAJ")  # with other flags the whole text is the pattern
_LINE = late_pattern("[^\n\r\u2028\u2029]+")
_SLASHED = late_pattern(r"/(.+)/([A-Za-z]*)")
_MATCH = late_pattern(r"\{\{match\}\}", re.IGNORECASE)
_GROUP = late_pattern(r"\$(\d+)|\$<([^>]+)>")
_SPECIAL = late_pattern(r"[.^$*+?{}\[\]\\/|()]")
_CONTROLS = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v", "\f": "\\f", "\0": "\\0"}


@dataclass(frozen=True, slots=True)
class RegexScript:
    """One script as in its file. ``raw`` is its JSON, to the byte."""

    name: str
    find: str
    replace: str = ""
    trims: tuple[str, ...] = ()
    placements: frozenset[int] = frozenset()
    disabled: bool = False
    markdown_only: bool = False
    prompt_only: bool = False
    run_on_edit: bool = False
    substitute: int = 0  # macros in the pattern: 0 none, 1 as they are, 2 escaped
    min_depth: int | None = None
    max_depth: int | None = None
    raw: str = ""

    @property
    def is_for_prompts(self) -> bool:
        """Whether it changes what a model reads, rather than only the display."""
        return self.prompt_only or not self.markdown_only

    def runs_at(self, placement: int, depth: int | None) -> bool:
        """Return whether it runs there; depth 0 is the newest message, None not a message."""
        if not self.find or placement not in self.placements:
            return False
        if depth is None:
            return True
        low, high = self.min_depth, self.max_depth
        if low is not None and low >= -1 and depth < low:
            return False
        return high is None or high < 0 or depth <= high


@dataclass(frozen=True, slots=True)
class StoredScript:
    """A script of the library. ``owner`` is its character or preset, empty for all chats.

    ``fault`` is why it was stopped, if it was.
    """

    id: str
    script: RegexScript
    scope: Scope
    owner: str
    position: int
    is_enabled: bool
    fault: str = ""


def ordered(scripts: Sequence[StoredScript]) -> list[StoredScript]:
    """Return scripts in the order of running: global, of the preset, of the character."""
    return sorted(scripts, key=lambda s: (SCOPES.index(s.scope), s.position))


@lru_cache(maxsize=512)
def parse_find(find: str) -> tuple[str, str] | None:
    """Return pattern and flags of ``/pattern/flags`` or of a bare pattern, which has no flags.

    None if there is no pattern: an empty text, or only line ends.
    """
    for line in _LINE.finditer(find):
        slashed = _SLASHED.match(line[0])
        if slashed is None:
            return line[0], ""
        flags = slashed[2]
        if len(set(flags)) < len(flags) or not set(flags) <= _FLAGS:
            return find, ""
        return slashed[1], flags
    return None


def escaped(value: str) -> str:
    """Return a pattern that matches ``value`` literally."""
    pattern = _SPECIAL.sub(lambda m: "\\" + m[0], value)
    return "".join(_CONTROLS.get(char, char) for char in pattern)


def with_match(replace: str) -> str:
    """Replace every {{match}} with $0."""
    return _MATCH.sub("$0", replace)


def groups_in(template: str) -> list[str | tuple[int | str]]:
    """Split a replacement into its texts and, as one-tuples, its groups."""
    parts: list[str | tuple[int | str]] = []
    at = 0
    for reference in _GROUP.finditer(template):
        parts.append(template[at : reference.start()])
        number = reference[1]
        parts.append((int(number[:4]) if number else reference[2],))
        at = reference.end()
    return [part for part in (*parts, template[at:]) if part]


def with_groups(
    template: str,
    groups: Sequence[str | None],
    named: dict[str, str | None],
    trims: Sequence[str],
) -> str:
    """Insert the groups of a match into ``template``, each without the trimmed texts."""

    def value(reference: re.Match[str]) -> str:
        if reference[1]:
            number = int(reference[1]) if len(reference[1]) < 4 else len(groups)
            group = groups[number] if number < len(groups) else None
        else:
            group = named.get(reference[2])
        for trim in trims:
            if group and trim:
                group = group.replace(trim, "")
        return group or ""

    return _GROUP.sub(value, template)


# A text that occurs wherever a JavaScript pattern matches, if it can be derived from it. Searching
# for it is cheap, so that most texts need not be tested with the pattern. A pattern that is not
# fully understood gives none, since missing a match is never acceptable.


_TOKEN = late_pattern(
    r"""
      (?P<zero>\\[dDwWsSbBnrtvf] | \[(?:\\.|[^\]\\])*\])
    | \\(?P<escaped>\W)
    | (?P<odd>\\.? | \[ | [\ud800-\udfff])
    | (?P<open>\() | (?P<close>\)) | (?P<either>\|)
    | (?P<many>[*?] | \{\d*(?:,\d*)?\})
    | (?P<end>[\^$.{}\]+])
    | (?P<letter>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_LITERAL_FLAGS = frozenset("gmsuiy")
IsIn = Callable[[str], bool]


@lru_cache(maxsize=512)
def finder(source: str, flags: str) -> IsIn | None:
    """Return a test that every matching text passes; None if there is none."""
    if not set(flags) <= _LITERAL_FLAGS or ("i" in flags and "u" in flags):
        return None
    literal = _longest(source)
    if not literal:
        return None
    if "i" not in flags:
        return lambda text: literal in text
    lower = literal.lower()
    return (lambda text: lower in text.lower()) if literal.isascii() else None


def _longest(source: str) -> str:
    """Return the longest run of plain letters outside of all groups; empty if there is none."""
    runs = [""]
    depth = 0
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if kind == "odd" or (kind == "either" and depth == 0):
            return ""  # \u, \1, \k, \p and the like are not handled
        if kind in {"letter", "escaped"} and depth == 0:
            runs[-1] += token[kind]
            continue
        if kind == "many":  # the letter before may be absent
            runs[-1] = runs[-1][:-1]
        depth += (kind == "open") - (kind == "close")
        runs.append("")
    return max(runs, key=len)


# The processing of a message's text for a model, step by step. Values only.


StepKind = Literal["original", "ejs", "script", "rule"]


@dataclass(frozen=True, slots=True)
class TextStep:
    """One step: ``name`` of the script or rule, and the resulting ``text``.

    ``fault`` is why a step failed; the text is then unchanged.
    """

    kind: StepKind
    name: str
    text: str
    is_changed: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class CleaningRule:
    """A cleaning rule of the program: its setting, and whether it is on."""

    name: str
    key: str
    is_enabled: bool
