"""`prompts`, `prompt`: what is said to models, and the very request that would be sent."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from engram_desktop.cli.path_argument import path_argument
from engram_desktop.cli.text_file import text_of_file
from engram_desktop.cli.verb import Call, Verb, branch_argument, floor_range, no_arguments
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptPreview,
    PromptRow,
    variables_of,
)


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
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--language", choices=LANGUAGES, default="zh")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--set", metavar="FILE", type=path_argument, help="use the text of a file")
    action.add_argument("--reset", action="store_true", help="use the built-in prompt again")
    action.add_argument("--diff", action="store_true", help="what differs from the built-in prompt")
    action.add_argument("--preview", dest="chat", metavar="CHAT", help="the request, not sent")
    parser.add_argument("--part", choices=("system", "user"), default="user", help="with --set")
    parser.add_argument("--output", choices=("json", "text"), help="how the answer is asked for")
    parser.add_argument("--model", metavar="M", help="ask this model; empty: the usual one")
    parser.add_argument("--base-url", metavar="URL", help="of this server; empty: the usual one")
    parser.add_argument("--range", dest="floors", type=floor_range, metavar="A-B")
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


VERBS = (
    Verb(
        "prompts",
        no_arguments,
        _prompts,
        can_read_only=True,
    ),
    Verb(
        "prompt",
        _arguments,
        _prompt,
        writes_if=_writes,
        can_read_only=True,
        must_write=_writes,
    ),
)
