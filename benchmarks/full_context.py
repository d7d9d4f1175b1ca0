"""Does what answers a question stand in a request that fills the model's context?

    ENGRAM_EVAL_DATA=DIR python -m benchmarks.full_context [--sets zh4o,locomo] [--chats 2]
        [--questions 40] [--contexts 8192,16384] [--library FOLDER]

DIR is as for `prompt_evidence`. A front end sends rules and the newest floors that fit the context,
then the question. Printed for each set and context: the share of a question's evidence that stands
in such a request as it came, and in the one that the memory server makes of it for a model of that
context: the oldest floors that memory tells are left out, memory stands for them. Both keep within
the context; tokens used beside it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.prompt_evidence import CTX, bare, library, mean, questions, read_chat, share_of
from engram_desktop.domain.serving.headroom import LEAST, ModelBounds, make_room, size
from engram_desktop.domain.text.tokens import estimate_tokens
from engram_desktop.services.memory import Memory

RULES = "You write the replies of this story. Stay with the scene. " * 20
REPLY = 300  # tokens a front end leaves to the reply
WANTED = 6_000  # the budget of memory by default


def request(rows: list[dict[str, Any]], question: str, most: int) -> list[dict[str, str]]:
    """Return the messages of a front end: rules, the newest floors that fit, the question."""
    left = most - estimate_tokens(RULES) - estimate_tokens(question) - 8
    said: list[dict[str, str]] = []
    for row in reversed(rows):
        left -= estimate_tokens(row["mes"]) + 4
        if left < 0:
            break
        role = "user" if row.get("is_user") else "assistant"
        said.append({"role": role, "content": row["mes"]})
    head = {"role": "system", "content": RULES}
    return [head, *reversed(said), {"role": "user", "content": question}]


def fitted(memory: Memory, chat: str, messages: list[dict[str, str]], most: int) -> tuple[str, int]:
    """Return the text of the request that goes on with memory in it, and its tokens."""
    serving = memory.serving
    asked = serving.read({"messages": messages}, path_chat=chat)
    identity = serving.identify(CTX, asked)
    told = serving.summarised_floors(CTX, identity)
    room = make_room(asked.said, dict(identity.floors), told, identity.until, most, WANTED)
    text = ""
    if room.tokens >= LEAST:
        text = serving.fill(CTX, asked, identity, room.left_out, room.tokens).text
    staying = [message.text for message in asked.said if message.index not in room.left_out]
    tokens = size(asked.said, room.left_out) + estimate_tokens(text)
    return "\n".join([*staying[:-1], text]), tokens


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=lambda text: text.split(","), default=["zh4o", "locomo"])
    parser.add_argument("--chats", type=int, default=2)
    parser.add_argument("--questions", type=int, default=40, help="of each set")
    numbers = lambda text: tuple(int(part) for part in text.split(","))  # noqa: E731
    parser.add_argument("--contexts", type=numbers, default=(8_192, 16_384))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--library", type=Path, help="kept between runs")
    options = parser.parse_args()
    data = Path(os.environ.get("ENGRAM_EVAL_DATA", ""))
    if not (data / "questions.jsonl").is_file():
        sys.exit("ENGRAM_EVAL_DATA must name a folder with questions.jsonl")
    by_chat, chance = questions(data), random.Random(options.seed)
    with tempfile.TemporaryDirectory() as temporary:
        for name in options.sets:
            files = sorted(file for file in by_chat if file.split("/")[0] == name)
            chosen = chance.sample(files, min(options.chats, len(files)))
            memory, chats = library(
                options.library or Path(temporary) / name, [data / file for file in chosen]
            )
            asked = [(data / file, question) for file in chosen for question in by_chat[file]]
            asked = chance.sample(asked, min(options.questions, len(asked)))
            for context in options.contexts:
                most, cells = ModelBounds(context).most(REPLY), defaultdict(list)
                for file, question in asked:
                    rows = read_chat(file)
                    messages = request(rows, question["question"], most)
                    came = "\n".join(message["content"] for message in messages[:-1])
                    whole, tokens = fitted(memory, chats[file], messages, most)
                    for way, text in (("came", came), ("went", whole)):
                        told = bare(text)
                        shares = [share_of(rows[n]["mes"], told) for n in question["evidence"]]
                        cells[way].append(sum(shares) / len(shares))
                    cells["tokens"].append(tokens)
                    cells["over"].append(tokens > context)
                print(
                    f"{name:<14} context {context:>6} n {len(asked):>3}  evidence as it came"
                    f" {mean(cells['came']):.3f}, with memory {mean(cells['went']):.3f};"
                    f" tokens {mean(cells['tokens']):.0f}, too long {sum(cells['over'])}"
                )
            memory.close()


if __name__ == "__main__":
    main()
