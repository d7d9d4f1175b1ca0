"""Regex scripts as SillyTavern writes them: one in a file, or a list of them.

Read tolerantly, kept to the byte: what is written is what was read, whatever else it holds. Nothing
is run here.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.formats.json_fault import fault_in
from engram_desktop.formats.json_text import replaced
from engram_desktop.formats.plain_file import read_plain

_T = QT_TRANSLATE_NOOP

MAX_BYTES = 16_000_000  # bounds the memory of reading it whole
_BLANK = re.compile(r"[\s,\ufeff]*")
_DECODER = json.JSONDecoder(strict=False)


class NoScript(InputError):
    """``file``, and in ``detail`` why it holds no script."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no regex script: {detail}.")
    hint = QT_TRANSLATE_NOOP("errors", "Choose a file exported from SillyTavern's Regex extension.")


def read_file(path: Path) -> list[RegexScript]:
    """Read a file of scripts. Raises InputError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise NoScript(Phrase(_T("reports", "it is too large")), file=path.name)
        text = read_plain(path, MAX_BYTES).decode("utf-8")
    except UnicodeDecodeError:
        raise NoScript(Phrase(_T("reports", "it is not UTF-8")), file=path.name) from None
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    return read_scripts(text, path.name)


def read_scripts(text: str, file: str) -> list[RegexScript]:
    """Read one script or a list of them. Raises NoScript."""
    try:
        scripts = [_script(value, raw, file) for value, raw in _documents(text)]
    except json.JSONDecodeError as e:
        raise NoScript(fault_in(e), file=file) from None
    except (ValueError, RecursionError):
        raise NoScript(Phrase(_T("reports", "it is not JSON")), file=file) from None
    if not scripts:
        raise NoScript(Phrase(_T("reports", "the list is empty")), file=file)
    return scripts


def usable_scripts(text: str, file: str) -> list[RegexScript]:
    """Read the list of scripts in another document; what is no script is left out."""
    scripts: list[RegexScript] = []
    try:
        for value, raw in _documents(text):
            with contextlib.suppress(NoScript):
                scripts.append(_script(value, raw, file))
    except (ValueError, RecursionError):  # the document was read whole; only this list was not
        return scripts
    return scripts


def id_of(script: RegexScript) -> str:
    """Return the id SillyTavern gave a script; it keeps it while the script is edited."""
    try:
        value, _end = _DECODER.raw_decode(script.raw.lstrip("\ufeff \r\n\t"))
    except (ValueError, RecursionError):
        return ""
    script_id = value.get("id") if isinstance(value, dict) else None
    return script_id if isinstance(script_id, str) else ""


def write_scripts(scripts: Iterable[StoredScript]) -> str:
    """Return the text of a file: of one script to the byte, of several as a list of them."""
    raws = [_raw(stored) for stored in scripts]
    if len(raws) == 1:
        return raws[0]
    lines = [raw.strip("\ufeff \r\n\t").replace("\n", "\n    ") for raw in raws]
    return "[\n    " + ",\n    ".join(lines) + "\n]"


def _raw(stored: StoredScript) -> str:
    """Return the JSON of a script; only being on or off may have changed since it was read."""
    raw = stored.script.raw
    if stored.script.disabled is not stored.is_enabled:
        return raw
    return replaced(raw, [(("disabled",), not stored.is_enabled)])


def _documents(text: str) -> Iterator[tuple[Any, str]]:
    """Yield each script with its own text; a file of one gives the file's whole text."""
    start = _skip(text, 0)
    if text[start : start + 1] != "[":
        value, end = _DECODER.raw_decode(text, start)
        if text[end:].strip("\x00 \r\n\t"):
            raise ValueError
        yield value, text
        return
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield value, _outdent(text[at:end])
        at = _skip(text, end)


def _outdent(raw: str) -> str:
    """Take away what the lines of an element are indented by for standing in a list."""
    lines = raw.split("\n")
    margin = lines[-1][: len(lines[-1]) - len(lines[-1].lstrip(" \t"))]
    if not margin or not all(line.startswith(margin) for line in lines[1:]):
        return raw
    return "\n".join([lines[0], *(line[len(margin) :] for line in lines[1:])])


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _script(value: Any, raw: str, file: str) -> RegexScript:
    if not isinstance(value, dict) or not str(value.get("scriptName") or "").strip():
        raise NoScript(Phrase(_T("reports", "a script has no name")), file=file)
    return RegexScript(
        name=str(value["scriptName"]).strip().encode("utf-8", "replace").decode("utf-8"),
        find=_text(value, "findRegex"),
        replace=_text(value, "replaceString"),
        trims=tuple(str(t) for t in _list(value, "trimStrings")),
        placements=frozenset(p for p in _list(value, "placement") if isinstance(p, int)),
        disabled=bool(value.get("disabled")),
        markdown_only=bool(value.get("markdownOnly")),
        prompt_only=bool(value.get("promptOnly")),
        run_on_edit=bool(value.get("runOnEdit")),
        substitute=_number(value, "substituteRegex") or 0,
        min_depth=_number(value, "minDepth"),
        max_depth=_number(value, "maxDepth"),
        raw=raw,
    )


def _text(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
    return text if isinstance(text, str) else ""


def _list(value: dict[str, Any], key: str) -> list[Any]:
    items = value.get(key)
    return items if isinstance(items, list) else []


def _number(value: dict[str, Any], key: str) -> int | None:
    number = value.get(key)
    if isinstance(number, str) and number.strip().lstrip("-").isdigit() and len(number) < 10:
        return int(number)
    is_number = isinstance(number, int | float) and abs(number) < 1e9
    return int(number) if is_number else None  # type: ignore[arg-type]  # checked just above
