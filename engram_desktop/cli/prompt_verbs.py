"""Prompts, templates of text completion, and regex scripts."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from engram_desktop.cli.verb import (
    Call,
    Verb,
    branch_argument,
    chat_argument,
    floor_range,
    no_arguments,
    path_argument,
    text_of_file,
)
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptPreview,
    PromptRow,
    variables_of,
)
from engram_desktop.domain.text.regex_script import SCOPES, StoredScript, TextStep

# `prompts`, `prompt`: the prompts for models, and the exact request that would be sent.


def _prompts(call: Call) -> None:
    rows = [_row(prompt) for prompt in call.memory.prompts.all()]
    lines = [
        f"{row['task']:<8} {row['language']}  {'own' if row['is_own'] else 'built in'}"
        + (f"  {row['model']}" if row["model"] else "")
        + (f"  ! unknown: {', '.join(row['unknown'])}" if row["unknown"] else "")
        for row in rows
    ]
    call.output.document(rows, lines)


def _row(prompt: PromptRow) -> dict[str, Any]:
    return {
        **asdict(prompt.template),
        **asdict(prompt.override),
        "is_own": prompt.is_own,
        "unknown": list(prompt.unknown),
        "variables": list(variables_of(prompt.template.task)),
    }


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", choices=TASKS, help="what the model is asked to do")
    parser.add_argument(
        "--language", choices=LANGUAGES, default="zh", help="of the chats it is for (default: zh)"
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--set", metavar="FILE", type=path_argument, help="use the text of a file")
    action.add_argument("--reset", action="store_true", help="use the built-in prompt again")
    action.add_argument("--diff", action="store_true", help="what differs from the built-in prompt")
    action.add_argument("--preview", dest="chat", metavar="CHAT", help="the request, not sent")
    parser.add_argument("--part", choices=("system", "user"), default="user", help="with --set")
    parser.add_argument("--output", choices=("json", "text"), help="how the answer is asked for")
    parser.add_argument("--model", metavar="M", help="ask this model; empty: the usual one")
    parser.add_argument("--base-url", metavar="URL", help="of this server; empty: the usual one")
    parser.add_argument(
        "--range", dest="floors", type=floor_range, metavar="A-B", help="with --preview: floors"
    )
    branch_argument(parser)


def _prompt(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.chat:
        preview = memory.pipeline.preview_prompt(call.line, args.task, args.floors)
        call.output.document(_previewed(preview), _preview_lines(preview))
        return
    if args.diff:
        difference = memory.prompts.difference(args.task, args.language)
        call.output.document(
            {"diff": difference}, [difference] if difference else ["nothing differs"]
        )
        return
    _change(call)
    row = memory.prompts.find(args.task, args.language)
    template = row.template
    call.output.document(_row(row), ["--- system", template.system, "--- user", template.user])


def _change(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.reset:
        memory.prompts.reset(args.task, args.language)
    template = memory.prompts.find(args.task, args.language).template
    if args.set:
        text = _text(args.set)
        is_system = args.part == "system"
        template = replace(template, system=text) if is_system else replace(template, user=text)
    if args.output:
        template = replace(template, output=args.output)
    if args.set or args.output:
        memory.prompts.save(template)
    if args.model is not None or args.base_url is not None:
        override = memory.prompts.find(args.task, args.language).override
        url = override.base_url if args.base_url is None else args.base_url
        model = override.model if args.model is None else args.model
        memory.prompts.set_model(args.task, ModelOverride(url, model))


def _text(path: Path) -> str:
    try:
        return text_of_file(path).strip()
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{path} cannot be read: {e}.") from e


def _previewed(preview: PromptPreview) -> dict[str, Any]:
    return {
        "messages": [{"role": role, "content": text} for role, text in preview.messages],
        "tokens": preview.tokens,
        "model": preview.model,
        "url": preview.url,
        "unknown": list(preview.unknown),
    }


def _preview_lines(preview: PromptPreview) -> list[str]:
    lines = [f"about {preview.tokens} tokens for {preview.model or 'no model'}"]
    for role, text in preview.messages:
        lines += [f"--- {role}", text]
    return lines


def _writes(args: argparse.Namespace) -> bool:
    changes = (args.set, args.reset, args.output, args.model is not None, args.base_url is not None)
    return not args.chat and any(changes)


_PROMPT_VERBS = (
    Verb("prompts", no_arguments, _prompts, can_read_only=True),
    Verb("prompt", _arguments, _prompt, writes_if=_writes, can_read_only=True, must_write=_writes),
)


# `completion`: the text a text completion model would get of a chat in SillyTavern.


def _completion_arguments(parser: argparse.ArgumentParser) -> None:
    chat_argument(parser)
    branch_argument(parser)
    parser.add_argument("--instruct", metavar="NAME", default="", help="by this instruct template")
    parser.add_argument(
        "--folder",
        metavar="DIR",
        type=path_argument,
        help="templates of this user's folder of SillyTavern",
    )
    parser.add_argument("--context", metavar="NAME", default="", help="by this context template")


def _completion(call: Call) -> None:
    args = call.args
    prompt = call.memory.prompts.as_text(call.line, args.instruct, args.context, args.folder)
    call.output.document({"prompt": prompt}, [prompt])


_COMPLETION_VERBS = (Verb("completion", _completion_arguments, _completion, can_read_only=True),)


# `regex`: the scripts and rules applied to messages before a model reads them.


def _script_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("chat", metavar="CHAT", nargs="?", help="with --floor: id or name")
    branch_argument(parser)
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--list", action="store_true", help="scripts and rules, in order (default)")
    action.add_argument(
        "--add", metavar="FILE", type=path_argument, help="take in the scripts of a file"
    )
    action.add_argument("--enable", metavar="ID", help="a script, or own:RULE")
    action.add_argument("--disable", metavar="ID", help="a script, or own:RULE")
    action.add_argument("--move", metavar="ID", help="with --by: run it earlier or later")
    action.add_argument("--delete", metavar="ID", help="take a script out of the library")
    action.add_argument("--export", metavar="FILE", type=path_argument, help="write --only, or all")
    action.add_argument("--try", dest="text", metavar="TEXT", help="run --only, or all, on a text")
    action.add_argument("--floor", type=int, metavar="N", help="every step for a message of CHAT")
    parser.add_argument("--steps", action="store_true", help="with --floor: the texts too")
    parser.add_argument("--only", metavar="ID", nargs="+", default=[], help="ids or names")
    parser.add_argument(
        "--by",
        type=int,
        default=-1,
        metavar="N",
        help="with --move: places later; below 0: earlier",
    )
    parser.add_argument("--scope", choices=SCOPES, default="global", help="with --add")
    parser.add_argument("--owner", default="", metavar="NAME", help="its character or preset")


def _regex(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.floor is not None:
        if not args.chat:
            raise InputError("--floor needs the chat.")
        steps = memory.scripts.steps_of(call.line, args.floor)
        _show(call, steps, texts=args.steps)
        return
    if args.text is not None:
        _show(call, memory.scripts.try_on(args.text, args.only), texts=True)
        return
    if args.export:
        count = memory.scripts.export(call.ctx, args.only, args.export)
        row = {"file": str(args.export), "scripts": count}
        call.output.document(row, [f"{args.export}: {count} scripts"])
        return
    _script_change(call)
    rows = [_script_row(stored) for stored in memory.scripts.all()]
    rows += [
        {"id": f"own:{rule.name}", "name": rule.name, "scope": "own", "is_enabled": rule.is_enabled}
        for rule in memory.scripts.rules()
    ]
    call.output.document(rows, map(_line, rows))


def _script_change(call: Call) -> None:
    args, memory = call.args, call.memory
    if args.add:
        memory.scripts.import_file(call.ctx, args.add, args.scope, args.owner)
    elif args.enable or args.disable:
        memory.scripts.set_enabled(args.enable or args.disable, enabled=bool(args.enable))
    elif args.move:
        memory.scripts.move(args.move, args.by)
    elif args.delete:
        memory.scripts.delete(args.delete)


def _script_row(stored: StoredScript) -> dict[str, Any]:
    script = stored.script
    return {
        "id": stored.id,
        "name": script.name,
        "scope": stored.scope,
        "owner": stored.owner,
        "is_enabled": stored.is_enabled,
        "fault": stored.fault,
        "find": script.find,
        "replace": script.replace,
        "placement": sorted(script.placements),
        "is_for_prompts": script.is_for_prompts,
        "min_depth": script.min_depth,
        "max_depth": script.max_depth,
    }


def _line(row: dict[str, Any]) -> str:
    owner = f" ({row['owner']})" if row.get("owner") else ""
    fault = f"  ! {row['fault']}" if row.get("fault") else ""
    find = f"  {row['find'][:60]}" if row.get("find") else ""
    mark = "x" if row["is_enabled"] else " "
    return f"[{mark}] {row['id']:<16} {row['scope']}{owner}  {row['name']}{find}{fault}"


def _show(call: Call, steps: list[TextStep], *, texts: bool) -> None:
    def lines() -> Iterator[str]:
        for step in steps:
            mark = "changed" if step.is_changed else "same"
            yield f"--- {step.kind} {step.name}: {step.fault or mark}"
            if texts and (step.is_changed or step.kind == "original"):
                yield step.text

    call.output.document([asdict(step) for step in steps], lines())


def _script_writes(args: argparse.Namespace) -> bool:
    return bool(args.add or args.enable or args.disable or args.move or args.delete)


_SCRIPT_VERBS = (
    Verb(
        "regex",
        _script_arguments,
        _regex,
        writes_if=_script_writes,
        can_read_only=True,
        must_write=_script_writes,
    ),
)


VERBS = (*_PROMPT_VERBS, *_COMPLETION_VERBS, *_SCRIPT_VERBS)
