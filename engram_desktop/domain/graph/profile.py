"""The profile of an entity as YAML, for models to read and users to edit."""

from __future__ import annotations

import math
from typing import Any

import yaml

from engram_desktop.domain.errors import BadProfile
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase

_LINE = QT_TRANSLATE_NOOP("reports", "line {line}: {problem}")
_REFERS = QT_TRANSLATE_NOOP("reports", "it must not refer to its own parts (“*name”)")
_NO_FACTS = QT_TRANSLATE_NOOP("reports", "it must be lines of “key: value”")

# Levels. Deeper nesting takes seconds per kilobyte, and exceeds Python's stack.
_DEEPEST = 64
_OPENING = (
    yaml.FlowSequenceStartToken,
    yaml.FlowMappingStartToken,
    yaml.BlockSequenceStartToken,
    yaml.BlockMappingStartToken,
)
_CLOSING = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)


def profile_to_yaml(profile: dict[str, Any]) -> str:
    """Return a profile as YAML for a model (`description`); keys keep their order."""
    if not profile:
        return ""
    return str(yaml.safe_dump(profile, allow_unicode=True, sort_keys=False)).strip()


def yaml_to_profile(text: str) -> dict[str, Any]:
    """Parse a description. Raises BadProfile unless it is a mapping."""
    try:
        _check_tokens(text)
        value = yaml.safe_load(text) if text.strip() else {}
    except yaml.MarkedYAMLError as e:
        line = e.problem_mark.line + 1 if e.problem_mark else 1
        raise BadProfile(Phrase(_LINE, line=line, problem=e.problem or "?")) from None
    except (yaml.YAMLError, ValueError) as e:  # odd characters; an impossible date
        problem = " ".join(str(e).split())
        raise BadProfile(Phrase(_LINE, line=1, problem=problem)) from None
    if not isinstance(value, dict):
        raise BadProfile(Phrase(_NO_FACTS))
    return {str(key): _plain(part) for key, part in value.items()}


def _check_tokens(text: str) -> None:
    """Raise BadProfile for aliases, which can grow without limit, and for unlimited nesting."""
    depth = 0
    for token in yaml.scan(text):
        if isinstance(token, yaml.AliasToken):
            raise BadProfile(Phrase(_REFERS))
        depth += isinstance(token, _OPENING) - isinstance(token, _CLOSING)
        if depth > _DEEPEST:
            raise BadProfile(Phrase(_NO_FACTS))


def _plain(value: Any) -> Any:
    """Return a JSON value: dates and times, which YAML parses, become text again."""
    match value:
        case dict():
            return {str(key): _plain(part) for key, part in value.items()}
        case list():
            return [_plain(part) for part in value]
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else str(value)
        case _:
            return str(value)
