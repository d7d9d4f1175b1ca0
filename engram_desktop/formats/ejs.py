"""EJS templates: text with small programs between ``<%`` and ``%>``.

The text becomes one JavaScript function, run by V8 with limits. It sees the chat's variables and
may change its own copy of them; there is no include, no file, no network, no host object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from engram_desktop.domain.errors import ScriptFailed
from engram_desktop.formats.javascript import JavaScript

_TAG = re.compile(r"<%%|%%>|<%([_=\-#]?)(.*?)([_\-]?)%>([ \t]*\r?\n)?", re.DOTALL)
_BEFORE = """(given) => {
  let made = "";
  const variables = given;
  const escape = (v) => String(v ?? "").replace(/[&<>"']/g, (c) => "&#" + c.charCodeAt(0) + ";");
  const print = (...all) => { made += all.join(""); };
  const path = (name) => String(name).split(".");
  const getvar = (name, other) => {
    const found = path(name).reduce((at, key) => at?.[key], variables);
    return found === undefined ? other?.defaults ?? "" : found;
  };
  const setvar = (name, value) => {
    const keys = path(name), last = keys.pop();
    let at = variables;
    for (const key of keys) at = at[key] ??= {};
    at[last] = value;
    return "";
  };
  with (variables) {
"""
_AFTER = "\n  }\n  return made;\n}"


def compile_template(text: str) -> str:
    """Return the JavaScript function that makes the text of a template. Raises ScriptFailed."""
    if "<%" in text[text.rfind("%>") + 1 :].replace("<%%", ""):
        raise ScriptFailed("<% has no %>")
    parts = [_BEFORE]
    at = 0
    for tag in _TAG.finditer(text):
        before = text[at : tag.start()]
        at = tag.end()
        if tag[0] in {"<%%", "%%>"}:
            parts += [_literal(before), _literal(tag[0].replace("%%", "%"))]
            continue
        kind, code, closing, newline = tag[1], tag[2], tag[3], tag[4] or ""
        if kind == "_":
            before = before.rstrip(" \t")
        parts.append(_literal(before))
        if kind == "=":
            parts.append(f"made += escape(({code}\n));\n")
        elif kind == "-":
            parts.append(f"made += ((({code}\n)) ?? '');\n")
        elif kind != "#":
            parts.append(f"{code}\n")
        if not closing:
            parts.append(_literal(newline))
    return "".join([*parts, _literal(text[at:]), _AFTER])


def render(text: str, javascript: JavaScript, variables: Mapping[str, object]) -> str:
    """Return what a template makes. Raises ScriptFailed, ScriptStopped."""
    made = javascript.run(compile_template(text), dict(variables))
    return made if isinstance(made, str) else text


def _literal(text: str) -> str:
    return f"made += {json.dumps(text)};\n" if text else ""
