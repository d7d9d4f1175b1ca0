"""The first half of the way from a message to a model: what SillyTavern itself would have done.

Regex scripts, if the settings want them and there are any: a library without scripts pays nothing.
The second half, `cleaning`, always follows. The stored message never changes, and nothing in it is
ever run: programs belong in the user's own templates (`prompts`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.macro_functions import MacroScope
from engram_desktop.domain.macros import fill
from engram_desktop.domain.message import Message
from engram_desktop.domain.regex_script import (
    AI_OUTPUT,
    USER_INPUT,
    StoredScript,
    escaped,
    groups_in,
    parse_find,
    with_groups,
    with_match,
)
from engram_desktop.domain.text_steps import TextStep
from engram_desktop.formats.javascript import Group, JavaScript, Match, Scan, mended
from engram_desktop.services.cleaning import ALL_RULES, clean_steps

BATCH = 200
MAX_CHARS = 200_000  # longer texts go by as they are
OnFault = Callable[[StoredScript, ScriptFailed], object]


@dataclass(slots=True)
class Native:
    """What a chat's messages go through. Made by `native_of`; holds for one run.

    A script that fails or takes too long is left out from then on, and told to ``on_fault``.
    """

    scripts: Sequence[StoredScript]
    javascript: JavaScript
    scope: MacroScope = field(default_factory=MacroScope)
    rules: frozenset[str] = ALL_RULES
    on_fault: OnFault = lambda _script, _error: None
    last_floor: int = 0
    _failed: dict[str, ScriptFailed] = field(default_factory=dict, init=False)

    def told(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return the messages as SillyTavern would have shown them to a model."""
        if not self.scripts:
            return messages
        texts = [m.text for m in messages]
        for stored in self.scripts:
            at = [n for n, m in enumerate(messages) if texts[n] and self._runs(stored, m)]
            made = self._run(stored, [texts[n] for n in at])
            for n, text in zip(at, made, strict=True):
                texts[n] = text
        return [
            message if message.text == text else replace(message, text=text)
            for message, text in zip(messages, texts, strict=True)
        ]

    def text(self, text: str, placement: int, depth: int | None = None) -> str:
        """Run the scripts over a text that is no message, such as an entry of a world book."""
        for stored in self.scripts:
            if stored.script.runs_at(placement, depth):
                text = self._run(stored, [text])[0]
        return text

    def steps(self, message: Message) -> list[TextStep]:
        """Say what each step makes of one message, our own rules included."""
        text = message.text
        steps = [TextStep("original", "", text)]
        for stored in self.scripts:
            if self._runs(stored, message):
                text, step = self._step(stored, text)
                steps.append(step)
        for name, made in clean_steps(text, self.rules):
            steps.append(TextStep("rule", name, made, made != text))
            text = made
        return steps

    def trial(self, text: str, placement: int) -> list[TextStep]:
        """Say what the scripts make of a text, whether they would run there or not."""
        steps = [TextStep("original", "", text)]
        for stored in self.scripts:
            if len(self.scripts) == 1 or stored.script.runs_at(placement, None):
                text, step = self._step(stored, text)
                steps.append(step)
        return steps

    # --- inside ---

    def _step(self, stored: StoredScript, text: str) -> tuple[str, TextStep]:
        made = self._run(stored, [text])[0]
        error = self._failed.get(stored.id)
        fault = str(error) if error else ""
        return made, TextStep("script", stored.script.name, made, made != text, fault)

    def _runs(self, stored: StoredScript, message: Message) -> bool:
        placement = USER_INPUT if message.role == "user" else AI_OUTPUT
        return stored.script.runs_at(placement, max(0, self.last_floor - message.seq))

    def _run(self, stored: StoredScript, texts: Sequence[str]) -> list[str]:
        """Run one script over texts, in batches; where it fails they stay as they are."""
        made: list[str] = []
        for at in range(0, len(texts), BATCH):
            part = list(texts[at : at + BATCH])
            if stored.id not in self._failed:
                try:
                    part = self._replaced(stored, part)
                except ScriptFailed as e:
                    self._failed[stored.id] = e
                    self.on_fault(stored, e)
            made += part
        return made

    def _replaced(self, stored: StoredScript, texts: list[str]) -> list[str]:
        source, flags = parse_find(self._find(stored))
        template = with_match(stored.script.replace)
        trims = [fill(trim, self.scope).text for trim in stored.script.trims]

        def run(some: list[str]) -> list[str]:
            if "{{" not in template:
                parts = [
                    part if isinstance(part, str) else Group(part[0])
                    for part in groups_in(template)
                ]
                return self.javascript.replace(source, flags, parts, some, trims)
            return [
                text if scan is None else self._composed(template, trims, scan)
                for text, scan in zip(some, self.javascript.scan(source, flags, some), strict=True)
            ]

        short = [text if len(text) <= MAX_CHARS else "" for text in texts]
        try:
            made = run(short)
        except ScriptStopped:
            if len(texts) == 1:
                raise
            # Many texts may take long without any of them being the fault of the pattern.
            made = [run([text])[0] for text in short]
        return [
            new if len(text) <= MAX_CHARS else text for text, new in zip(texts, made, strict=True)
        ]

    def _find(self, stored: StoredScript) -> str:
        script = stored.script
        if script.substitute == 0 or "{{" not in script.find:
            return script.find
        scope = self.scope
        if script.substitute == 2:
            scope = replace(scope, values=scope.held.mapped(escaped))
        return fill(script.find, scope).text

    def _composed(self, template: str, trims: Sequence[str], scan: Scan) -> str:
        """Put a replacement that holds macros for every match; a group is not read for macros."""

        def put(match: Match) -> str:
            def groups(text: str) -> str:
                return with_groups(text, match.groups, match.named, trims)

            return fill(template, self.scope, groups).text

        pieces = [piece for match in scan.matches for piece in (match.before, put(match))]
        return mended("".join([*pieces, scan.rest]))
