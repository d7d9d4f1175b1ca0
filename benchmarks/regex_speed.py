"""How long three regex scripts take over 100,000 messages. Prints; asserts nothing about time.

python -m benchmarks.regex_speed
"""

from __future__ import annotations

import time
from random import Random

from benchmarks import require
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.formats.javascript.engine import JavaScript
from engram_desktop.services.prompts.native import Native

MESSAGES = 100_000
WORDS = (
    "月光 酒馆 爱丽丝 把 铜钥匙 放在 桌上 旅人 没有 说话 门外 下着雨 她 低声 问 你 会 回来 吗"
).split()
NAMED = (  # each holds letters that must be there
    ("/<update>(.*?)<\\/update>/gs", ""),
    ("/<thinking>[\\s\\S]*?<\\/thinking>/gi", ""),
    ("/\\*(.+?)\\*/g", "“$1”"),
)
OPEN = (("/[ \\t]+$/gm", ""), ("/(?<=[吗了])(.)/", "$1！"), ("/(他|她)(低声)?问/g", "$1$2道"))


def story(words: int) -> list[Message]:
    chance = Random(1)
    made = []
    for n in range(MESSAGES):
        text = "".join(chance.choice(WORDS) for _ in range(words))
        if n % 10 == 0:
            text = f"<thinking>{text[:200]}</thinking>{text}<update>_.set('a',1)</update>"
        if n % 7 == 0:
            text += "*动作*"
        made.append(Message(str(n), "main", n, "爱丽丝", "assistant", text, False, "", None))
    return made


def main() -> None:
    javascript = JavaScript()
    javascript.check("a", "")
    for words in (60, 400):
        messages = story(words)
        for title, pairs in (("letters to look for", NAMED), ("nothing to look for", OPEN)):
            scripts = [
                StoredScript(str(n), RegexScript(str(n), f, r, placements=frozenset({2})), "global",
                             "", n, is_enabled=True)
                for n, (f, r) in enumerate(pairs)
            ]  # fmt: skip
            native = Native(scripts, javascript, last_floor=MESSAGES - 1)
            start = time.perf_counter()
            made = native.as_sent(messages)
            took = time.perf_counter() - start
            changed = sum(a is not b for a, b in zip(messages, made, strict=True))
            print(f"{words:>4} words, {title}: {took:5.2f} s, {changed:,} changed")
            require(changed, f"no message was changed by the scripts: {title}")
    javascript.close()


if __name__ == "__main__":
    main()
