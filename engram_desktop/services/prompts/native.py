"""Change messages as SillyTavern would before a model sees them: EJS programs, regex scripts.

EJS programs run first, then regex scripts, each if the settings say so; `cleaning` always follows.
Without any, it costs nothing. Stored messages never change. What a program in a message prints is
text of that message, never a template.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from engram_desktop.domain.cards import CharacterRow
from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.macros.scope import MacroScope, Values
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.settings import Settings
from engram_desktop.domain.text.cleaning import ALL_RULES, RULES, clean_steps
from engram_desktop.domain.text.regex_script import (
    AI_OUTPUT,
    USER_INPUT,
    IsIn,
    StoredScript,
    TextStep,
    escaped,
    finder,
    groups_in,
    parse_find,
    with_groups,
    with_match,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import WorldbookRow
from engram_desktop.formats.javascript.ejs import Parts, has_program, names_in, render
from engram_desktop.formats.javascript.engine import (
    LIMIT_S,
    MAX_STEPS,
    Group,
    JavaScript,
    RegexMatch,
    Replacement,
    Scan,
    joined_halves,
)
from engram_desktop.formats.tavern import settings as tavern_settings
from engram_desktop.formats.tavern import texts
from engram_desktop.services.characters import character_of, characters_of_chat
from engram_desktop.services.prompts.macro_scope import ChatSays, json_object, variables_by_scope
from engram_desktop.storage.library.worldbooks import RegexScripts

if TYPE_CHECKING:
    from engram_desktop.domain.text.regex_script import RegexScript
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.storage.chat.chat_store import ChatStore
    from engram_desktop.storage.library.library import Library

logger = logging.getLogger(__name__)

# Size of a batch for JavaScript: a call costs more than a short text, but must end in time.
# Batches, and a test whether a script can match: 2.5 s for 100,000 messages, before 13.1 s.
BATCH = 200
BATCH_CHARS = 150_000  # characters in a batch
MAX_CHARS = 200_000  # longer texts are left unchanged
MAX_RESULT = 10_000_000  # characters that replacements may add to one text
OnFault = Callable[[StoredScript, ScriptFailed], object]
Count = Callable[[int, int], int]  # of visible messages from one floor to another


def rules_of(settings: Settings) -> frozenset[str]:
    """Return the cleaning rules that are switched on."""
    return frozenset(name for name in RULES if settings.get(f"clean.{name}"))


def _all_floors(first: int, last: int) -> int:
    return last - first + 1


@dataclass(slots=True)
class Native:
    """What is done to a chat's messages before a model reads them, for one run.

    Made by `native_of`. A script that fails or takes too long is left out from then on, and
    reported to ``on_fault``.
    """

    scripts: Sequence[StoredScript]
    javascript: JavaScript
    scope: MacroScope = field(default_factory=MacroScope)
    variables: Callable[[], Mapping[str, Any]] | None = None  # of the chat; None runs no EJS
    parts: Parts = field(default_factory=dict)  # of the chat, that programs may read
    rules: frozenset[str] = ALL_RULES
    on_fault: OnFault = lambda _script, _error: None
    last_floor: int = 0
    visible: Count = _all_floors  # hidden messages have no depth, and do not count for others
    ahead: int = 0  # visible messages after the last floor that are not stored yet
    _failed: dict[str, ScriptFailed] = field(default_factory=dict, init=False)
    _checked: set[str] = field(default_factory=set, init=False)
    _ejs_fault: ScriptStopped | None = field(default=None, init=False)

    def as_sent(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Return the messages as SillyTavern would have shown them to a model."""
        if not self.scripts and self.variables is None:
            return messages
        texts = [self._rendered(m.text)[0] for m in messages]
        depths = self._depths(messages)
        for group in _groups(self.scripts):
            at = [
                [self._runs(stored, m, depth) for stored in group]
                for m, depth in zip(messages, depths, strict=True)
            ]
            if _is_plain(group[0]):
                texts = self._chained(group, at, texts)
            else:
                texts = self._each(group, at, texts)
        return [
            message if message.text == text else replace(message, text=text)
            for message, text in zip(messages, texts, strict=True)
        ]

    def text(self, text: str, placement: int, depth: int | None = None) -> str:
        """Return what models see of a text that is no message, such as a worldbook entry."""
        text = self._rendered(text)[0]
        for stored in self.scripts:
            if text and stored.script.runs_at(placement, depth):
                text = self._run(stored, [text])[0]
        return text

    def steps(self, message: Message) -> list[TextStep]:
        """Return what each step makes of one message, our own rules included."""
        text = message.text
        steps = [TextStep("original", "", text)]
        if self.variables is not None and has_program(text):
            result, fault = self._rendered(text)
            steps.append(TextStep("ejs", "", result, result != text, fault))
            text = result
        depth = self._depths([message])[0]
        for stored in self.scripts:
            if self._runs(stored, message, depth):
                text, step = self._step(stored, text)
                steps.append(step)
        for name, result in clean_steps(text, self.rules):
            steps.append(TextStep("rule", name, result, result != text))
            text = result
        return steps

    def trial(self, text: str, placement: int) -> list[TextStep]:
        """Return what each script makes of a text; a single script runs whatever its placement."""
        steps = [TextStep("original", "", text)]
        for stored in self.scripts:
            if len(self.scripts) == 1 or stored.script.runs_at(placement, None):
                text, step = self._step(stored, text)
                steps.append(step)
        return steps

    def _step(self, stored: StoredScript, text: str) -> tuple[str, TextStep]:
        result = self._run(stored, [text])[0]
        error = self._failed.get(stored.id)
        fault = str(error) if error else ""
        return result, TextStep("script", stored.script.name, result, result != text, fault)

    @property
    def has_depths(self) -> bool:
        """Return whether any script depends on how far back a message is."""
        return any(
            stored.script.min_depth is not None or stored.script.max_depth is not None
            for stored in self.scripts
        )

    def for_prompts(self, *, with_programs: bool) -> Native:
        """Return a copy for SillyTavern's prompts, with only the scripts that run there.

        Scripts for display have changed those texts already. ``with_programs``: run EJS too.
        """
        scripts = [stored for stored in self.scripts if stored.script.prompt_only]
        return replace(self, scripts=scripts, variables=self.variables if with_programs else None)

    def _depths(self, messages: Sequence[Message]) -> list[int]:
        """Return for each message how many visible messages follow it."""
        if not self.has_depths:
            return [0] * len(messages)
        depths: dict[int, int] = {}
        after, counted = self.ahead, self.last_floor + 1
        for floor, is_hidden in sorted({(m.seq, m.is_hidden) for m in messages}, reverse=True):
            if floor + 1 < counted:
                after += self.visible(floor + 1, counted - 1)
            depths[floor] = after
            after += not is_hidden
            counted = floor
        return [depths[message.seq] for message in messages]

    def _runs(self, stored: StoredScript, message: Message, depth: int) -> bool:
        placement = USER_INPUT if message.role == "user" else AI_OUTPUT
        return stored.script.runs_at(placement, depth)

    def _rendered(self, text: str) -> tuple[str, str]:
        """Run the programs of one text; returns the text and the error, unchanged text on failure.

        After a program that had to be stopped, no other is run: there may be hundreds.
        """
        if self.variables is None or not has_program(text) or len(text) > MAX_CHARS:
            return text, ""
        if self._ejs_fault is not None:
            return text, str(self._ejs_fault)
        macro_values = Values.of(self.scope.values)
        used = names_in(text)
        arguments = {
            name: macro_values[key] for key, name in macro_values.written.items() if name in used
        }
        try:
            return self._run_program(text, arguments), ""
        except ScriptStopped as e:
            self._ejs_fault = e
            return text, str(e)
        except ScriptFailed as e:
            return text, str(e)

    def _run_program(self, text: str, arguments: Mapping[str, str]) -> str:
        assert self.variables is not None  # noqa: S101 - asked before
        return render(text, self.javascript, self.variables(), arguments, self.parts).text

    def _chained(
        self, group: Sequence[StoredScript], at: Sequence[Sequence[bool]], texts: Sequence[str]
    ) -> list[str]:
        """Run several scripts over texts in one call; ``at`` says, for each text, which apply.

        If that fails, each script runs by itself, so that the faulty one is known.
        """
        steps = [self._replacement(stored) for stored in group]
        for stored, step in zip(group, steps, strict=True):
            if step is not None:
                self._check(stored, step)
        tests = [finder(step.source, step.flags) if step else _is_never_in for step in steps]
        script_bits = [
            _script_bits(text, runs, tests) if 0 < len(text) <= MAX_CHARS else 0
            for text, runs in zip(texts, at, strict=True)
        ]
        results = list(texts)
        for places in _batches([n for n, bits in enumerate(script_bits) if bits], texts):
            some = [texts[n] for n in places]
            able = [
                None if stored.id in self._failed else step
                for stored, step in zip(group, steps, strict=True)
            ]
            try:
                replaced = self.javascript.replace(able, [script_bits[n] for n in places], some)
            except ScriptFailed:
                replaced = self._each(group, [at[n] for n in places], some)
            for n, text in zip(places, replaced, strict=True):
                results[n] = text
        return results

    def _each(
        self, group: Sequence[StoredScript], at: Sequence[Sequence[bool]], texts: Sequence[str]
    ) -> list[str]:
        """Run scripts over texts, one script after another."""
        results = list(texts)
        for k, stored in enumerate(group):
            places = [n for n, runs in enumerate(at) if runs[k] and results[n]]
            for n, text in zip(
                places, self._run(stored, [results[n] for n in places]), strict=True
            ):
                results[n] = text
        return results

    def _check(self, stored: StoredScript, step: Replacement) -> None:
        """Test whether JavaScript accepts a pattern, since it may never be run on a text."""
        if stored.id not in self._failed and stored.id not in self._checked:
            self._checked.add(stored.id)
            try:
                self.javascript.check(step.source, step.flags)
            except ScriptFailed as e:
                self._fail(stored, e)

    def _fail(self, stored: StoredScript, error: ScriptFailed) -> None:
        self._failed[stored.id] = error
        self.on_fault(stored, error)

    def _run(self, stored: StoredScript, texts: Sequence[str]) -> list[str]:
        """Run one script over texts, in batches; on failure the texts stay as they are."""
        results: list[str] = []
        for at in range(0, len(texts), BATCH):
            part = list(texts[at : at + BATCH])
            if stored.id not in self._failed:
                try:
                    part = self._replaced(stored, part)
                except ScriptFailed as e:
                    self._fail(stored, e)
            results += part
        return results

    def _replaced(self, stored: StoredScript, texts: list[str]) -> list[str]:
        step = self._replacement(stored)
        if step is None:
            return texts
        template = with_match(stored.script.replace)

        def run(some: list[str]) -> list[str]:
            if "{{" not in template:
                return self.javascript.replace([step], [1] * len(some), some)
            scans = self.javascript.scan(step.source, step.flags, some)
            return [
                text if scan is None else self._composed(template, step.trims, scan, text)
                for text, scan in zip(some, scans, strict=True)
            ]

        short = [text if len(text) <= MAX_CHARS else "" for text in texts]
        try:
            results = run(short)
        except ScriptStopped:
            if len(texts) == 1:
                raise
            # Many texts may take long although the pattern is fine.
            results = [run([text])[0] for text in short]
        return [
            new if len(text) <= MAX_CHARS else text
            for text, new in zip(texts, results, strict=True)
        ]

    def _replacement(self, stored: StoredScript) -> Replacement | None:
        """Return the replacement that a script makes; None if it has no pattern."""
        parsed = parse_find(self._find(stored))
        if parsed is None:
            return None
        source, flags = parsed
        parts = groups_in(with_match(stored.script.replace))
        return Replacement(
            source,
            flags,
            tuple(part if isinstance(part, str) else Group(part[0]) for part in parts),
            tuple(fill(trim, self.scope).text for trim in stored.script.trims),
        )

    def _find(self, stored: StoredScript) -> str:
        script = stored.script
        if script.substitute == 0 or "{{" not in script.find:
            return script.find
        scope = self.scope
        if script.substitute == 2:
            scope = replace(scope, values=scope.lookup.mapped(escaped))
        return fill(script.find, scope).text

    def _composed(self, template: str, trims: Sequence[str], scan: Scan, text: str) -> str:
        """Apply a replacement with macros to every match; macros inside a group are not filled.

        Raises ScriptStopped if the result becomes too long: a replacement may quote the whole text.
        """
        pieces: list[str] = []
        left = MAX_RESULT
        for match in scan.matches:
            given = match.given(text, is_trimmed=bool(trims))

            def groups(
                part: str, match: RegexMatch = match, given: Sequence[str | None] = given
            ) -> str:
                return with_groups(part, given, match.named, trims)

            pieces += [match.before, fill(template, self.scope, groups).text]
            left -= len(pieces[-1])
            if left < 0:
                raise ScriptStopped(seconds=LIMIT_S)
        return joined_halves("".join([*pieces, scan.rest]))


def stored_scripts(library: Library) -> RegexScripts:
    """Return the table of regex scripts of a library."""
    return RegexScripts(library.database, _read_script)


def _read_script(raw: str) -> RegexScript:
    return tavern_settings.read_scripts(raw, "library.db")[0]


def native_of(
    library: Library,
    ctx: JobContext,
    store: ChatStore,
    settings: Settings,
    branch_id: str,
    javascript: JavaScript,
) -> Native:
    """Return what is done to the messages of a branch. Costs nothing without scripts."""
    rules = rules_of(settings)
    scripts = stored_scripts(library)
    stored = scripts.all() if settings.native_regex and scripts.count() else []
    if not stored and not settings.native_ejs:
        return Native((), javascript, rules=rules)
    names = store.messages.speakers()
    chat = ChatSays(library, store, settings, branch_id)

    def on_fault(stored: StoredScript, error: ScriptFailed) -> None:
        logger.warning("The regex script %s was switched off: %s", stored.script.name, error)
        if library.can_write:
            with library.lock.claim_if_free() as is_mine:
                if is_mine:
                    ctx.write(lambda: scripts.stop(stored.id, str(error)))

    return Native(
        [
            s
            for s in stored
            if s.is_enabled
            and s.script.is_for_prompts
            and (s.scope == "preset" or not s.owner or s.owner in names)
        ],
        javascript,
        chat.scope(),
        variables=((lambda: variables_for_programs(chat)) if settings.native_ejs else None),
        parts=parts_of(chat) if settings.native_ejs else {},
        rules=rules,
        on_fault=on_fault,
        last_floor=store.messages.count(branch_id) - 1,
        visible=lambda first, last: store.messages.visible(branch_id, first, last),
    )


def _is_never_in(_text: str) -> bool:
    return False


def _is_plain(stored: StoredScript) -> bool:
    """Return whether a script has no macros, so that only its pattern decides what it does."""
    script = stored.script
    return "{{" not in "".join([script.find, with_match(script.replace), *script.trims])


def _groups(scripts: Sequence[StoredScript]) -> Iterator[list[StoredScript]]:
    """Split scripts, in order, into groups that can run in one call."""
    for plain, several in groupby(scripts, _is_plain):
        group = list(several)
        size = MAX_STEPS if plain else 1
        for at in range(0, len(group), size):
            yield group[at : at + size]


def _batches(places: Sequence[int], texts: Sequence[str]) -> Iterator[list[int]]:
    """Split places into batches, by number of texts and of characters."""
    batch: list[int] = []
    chars = 0
    for n in places:
        if batch and (len(batch) == BATCH or chars + len(texts[n]) > BATCH_CHARS):
            yield batch
            batch, chars = [], 0
        batch.append(n)
        chars += len(texts[n])
    if batch:
        yield batch


def _script_bits(text: str, runs: Sequence[bool], tests: Sequence[IsIn | None]) -> int:
    """Return a bit mask of the scripts that must look at a text.

    A script whose pattern cannot match is left out, unless one before may have changed the text.
    """
    bits = 0
    for k, test in enumerate(tests):
        if runs[k] and (bits or test is None or test(text)):
            bits |= 1 << k
    return bits


MOST_MESSAGES = 5_000  # messages, the newest: counting from the first misses older ones
# Field names that the extension gives a template for a character, by our names.
_CARD_FIELDS = {
    "description": "description",
    "personality": "personality",
    "scenario": "scenario",
    "first_message": "first_mes",
    "message_example": "mes_example",
    "creatorcomment": "creator_notes",
    "system_prompt": "system_prompt",
    "depth_prompt": "depth_prompt",
}


def parts_of(chat: ChatSays) -> Parts:
    """Return what EJS programs may read of a chat, by the names of `ejs.PARTS`.

    The shapes are those of `resources/javascript/templates.js`; programs get copies. Each part is
    computed once for ``chat``, on demand.
    """
    parts: dict[str, Callable[[ChatSays], Any]] = {
        "scopes": _scopes,
        "messages": _messages,
        "books": _worldbooks,
        "enabled": _enabled,
        "cards": _cards,
        "presets": _presets,
        "replies": _replies,
        "names": _names,
    }
    return {name: cache(partial(read, chat)) for name, read in parts.items()}


def variables_for_programs(chat: ChatSays) -> dict[str, Any]:
    """Return all variables: a message's override the chat's, which override those of all chats."""
    return {**chat.shared, **chat.variables}


def _scopes(chat: ChatSays) -> dict[str, Any]:
    local, message = variables_by_scope(chat.store, chat.branch_id)
    return {"local": local, "global": dict(chat.shared), "message": message}


def _messages(chat: ChatSays) -> list[dict[str, Any]]:
    first = max(0, chat.count - MOST_MESSAGES)
    return [
        {
            "name": m.name,
            "text": m.text,
            "isUser": m.role == "user",
            "isSystem": m.is_hidden or m.role == "system",
        }
        for m in chat.store.messages.slice(chat.branch_id, first, chat.count - 1)
    ]


def _worldbooks(chat: ChatSays) -> dict[str, list[dict[str, Any]]]:
    """Return every worldbook's entries as SillyTavern has them, with macros filled."""
    worldbooks: dict[str, list[dict[str, Any]]] = {}
    for row in chat.library.worldbooks.rows():
        entries = _entries(chat, row)
        worldbooks[row.name] = entries
        worldbooks.setdefault(row.title, entries)
    return worldbooks


def _entries(chat: ChatSays, row: WorldbookRow) -> list[dict[str, Any]]:
    content = json_object(chat.library.worldbooks.content(row.id).decode("utf-8", "replace"))
    entries = content.get("entries")
    rows = entries.values() if isinstance(entries, dict) else entries or ()
    return [_entry(chat, row, entry) for entry in rows if isinstance(entry, dict)]


def _entry(chat: ChatSays, row: WorldbookRow, entry: Mapping[str, Any]) -> dict[str, Any]:
    text = entry.get("content")
    key, comment = entry.get("key"), entry.get("comment")
    return {
        **entry,
        "content": _filled(chat, text if isinstance(text, str) else ""),
        "key": [k for k in key if isinstance(k, str)] if isinstance(key, list) else [],
        "comment": comment if isinstance(comment, str) else "",
        "constant": bool(entry.get("constant")),
        "vectorized": bool(entry.get("vectorized")),
        "disable": bool(entry.get("disable")),
        "world": row.name,
    }


def _presets(chat: ChatSays) -> list[dict[str, str]]:
    user = chat.files.user
    prompts = texts.preset_prompts(user) if user else []
    return [prompt | {"content": _filled(chat, prompt["content"])} for prompt in prompts]


def _replies(chat: ChatSays) -> list[dict[str, Any]]:
    user = chat.files.user
    sets = texts.quick_replies(user) if user else []
    for one in sets:
        for reply in one["qrList"]:
            reply["message"] = _filled(chat, reply["message"])
    return sets


def _filled(chat: ChatSays, text: str) -> str:
    return chat.filled(text) if "{{" in text else text


def _enabled(chat: ChatSays) -> list[tuple[str, str]]:
    """Return the worldbooks that are on in the chat, with the reason of each."""
    rows = characters_of_chat(chat.library, chat.store)
    ids = [row.id for row in rows]
    own = {worldbook.id for worldbook in chat.library.worldbooks.of_characters(ids)}
    extra = chat.library.bindings.of_characters(ids)
    here = chat.library.bindings.in_chat(chat.store.chat_id)
    kinds = []
    for worldbook in chat.library.worldbooks.rows():
        if worldbook.id in own:
            kinds.append((worldbook.name, "character"))
        elif worldbook.id in extra:
            kinds.append((worldbook.name, "extra"))
        elif worldbook.id in here:
            kinds.append((worldbook.name, "chat"))
        elif worldbook.is_global:
            kinds.append((worldbook.name, "shared"))
    return kinds


def _cards(chat: ChatSays) -> list[dict[str, Any]]:
    own = {row.id for row in characters_of_chat(chat.library, chat.store)}
    return [_card(chat, row, is_of_chat=row.id in own) for row in chat.library.characters.rows()]


def _card(chat: ChatSays, row: CharacterRow, *, is_of_chat: bool) -> dict[str, Any]:
    character = character_of(chat.library, row)
    raw = json_object(chat.library.characters.card(row.id).decode("utf-8", "replace"))
    texts = {name: chat.of_card(getattr(character, field)) for name, field in _CARD_FIELDS.items()}
    return texts | {
        "name": row.name,
        "avatar": row.avatar,
        "alternate_greetings": list(character.alternate_greetings),
        "isOfChat": is_of_chat,
        "raw": raw,
    }


def _names(chat: ChatSays) -> dict[str, Any]:
    rows = characters_of_chat(chat.library, chat.store)
    own = chat.library.worldbooks.of_characters([row.id for row in rows[:1]])
    on_here = chat.library.bindings.in_chat(chat.store.chat_id)
    in_chat = [row.name for row in chat.library.worldbooks.rows() if row.id in on_here]
    last = {m.role: m.seq for m in chat.tail if not m.is_hidden}
    return {
        "userName": chat.user(),
        "charName": chat.char(),
        "chatId": chat.store.chat_id,
        "characterId": rows[0].id if rows else "",
        "charAvatar": rows[0].avatar if rows else "",
        "lastUserMessageId": last.get("user", -1),
        "lastCharMessageId": last.get("assistant", -1),
        "model": chat.settings.llm_model,
        **({"charLoreBook": own[0].name} if own else {}),
        **({"chatLoreBook": in_chat[0]} if in_chat else {}),
    }
