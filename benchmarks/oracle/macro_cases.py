"""Texts with macros to ask about, made by seeded chance: all macros, shapes, nesting and faults."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.oracle.macros import PARTS, Case

SEED = 1119
PLAIN, OPTIONAL, ONE, TWO, _THREE, _UNKNOWN = PARTS["names"].values()
NAMES = [name for group in PARTS["names"].values() for name in group]
VARIABLES, OPERATORS, WORDS = PARTS["variables"], PARTS["operators"], PARTS["words"]
BLANKS, FLAGS, SHAPES = PARTS["blanks"], PARTS["flags"], PARTS["shapes"]
SCOPED = (*["if"] * 3, "setvar", "trim", "reverse", "//", "addvar", "nobody", "user", "setvarkey")
CONDITIONS = (
    *("user", "description", "none", ".hp", "$hp", ".flag", ".empty", ".none", "$mood", "0", "off"),
    *("no", "", "x y", ".a-b", "getvar", "lastMessageId", "trim"),
)
MARKS = (
    *(
        "{",
        "}",
        "{{",
        "}}",
        "{{{",
        "}}}",
        ":",
        "::",
        "/",
        "\\",
        "|",
        "!",
        "名",
        " ",
        ".",
        "$",
        "++",
    ),
    *("{{}}", "{{ }}", "{{/if}}", "{{else}}"),
)


class Maker:
    """Makes texts by chance; `text` nests them up to a depth."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)

    def one(self, *choices: Any) -> Any:
        return self.chance.choice(choices)

    def blank(self) -> str:
        return str(self.one(*BLANKS))

    def word(self, depth: int) -> str:
        if depth > 0 and self.chance.random() < 0.45:
            return str(self.piece(depth - 1))
        return str(self.one(*WORDS))

    def argument(self, name: str, place: int, depth: int) -> str:
        if place == 0 and "var" in name.lower() and self.chance.random() < 0.8:
            return str(self.one(*VARIABLES))
        if name in {"getvarkey", "setvarkey"} and place == 1:
            return str(self.one("0", "1", "gold", "length", "-1", "x", "1.5", ""))
        return self.word(depth)

    def count(self, name: str) -> int:
        usual = 0 if name in PLAIN else 1 if name in (*OPTIONAL, *ONE) else 2 if name in TWO else 3
        return usual if self.chance.random() < 0.8 else int(self.chance.randint(0, 4))

    def macro(self, depth: int, name: str = "", count: int | None = None) -> str:
        name = name or str(self.one(*NAMES))
        count = self.count(name) if count is None else count
        written = self.one(name, name, name, name.upper(), name.lower())
        between = self.one("::", "::", "::", "::", ":", " ", ": ", " :: ")
        arguments = [self.argument(name, n, depth) for n in range(count)]
        flag = self.one(*FLAGS) if self.chance.random() < 0.2 else ""
        head = f"{self.blank()}{flag}{self.blank()}{written}{self.blank()}"
        rest = "".join(
            f"{between if n == 0 else '::'}{self.blank()}{argument}{self.blank()}"
            for n, argument in enumerate(arguments)
        )
        return f"{{{{{head}{rest}}}}}"

    def scoped(self, depth: int, name: str = "") -> str:
        name = name or str(self.one(*SCOPED, "random", "space", "outlet"))
        usual = {"if": 1, "setvar": 1, "addvar": 1, "setvarkey": 2}.get(name, 0)
        count = usual if self.chance.random() < 0.85 else self.chance.randint(0, 3)
        flag = self.one("", "", "", "", "#", "!", "# ", "/")
        head = "::".join([name, *(self.argument(name, n, depth - 1) for n in range(count))])
        if name == "if" and self.chance.random() < 0.7:
            head = f"if{self.one(' ', '::', ': ')}{self.condition(depth)}"
        body = self.body(depth)
        if name == "if" and self.chance.random() < 0.5:
            body += f"{{{{{self.one('else', ' else ', 'ELSE')}}}}}{self.body(depth)}"
        ending = (
            "{{///}}"
            if name == "//"
            else f"{{{{/{self.one(name, name, name.upper(), ' ' + name + ' ')}}}}}"
        )
        return f"{{{{{flag}{head}}}}}{body}{ending}"

    def condition(self, depth: int) -> str:
        bare = self.one(*CONDITIONS)
        name, value = self.one("hp", "flag", "none", "zero"), self.one("7", "0", "tea", "false")
        variable = f"{{{{{self.one('.', '$')}{name} {self.one(*OPERATORS)} {value}}}}}"
        inner = self.one(bare, bare, variable, self.macro(depth - 1) if depth > 0 else bare)
        return f"{self.one('', '', '!', ' ! ')}{inner}"

    def body(self, depth: int) -> str:
        lead = self.one("", "", "\n", "\n  ", "  ", "\n\t", "\r\n    ")
        pieces = [
            str(self.one(self.word(depth - 1), self.word(depth - 1), "x\n    y", "\n  z\n", "text"))
            for _ in range(self.chance.randint(0, 3))
        ]
        return f"{lead}{self.one('', lead).join(pieces)}{self.one('', chr(10), '  ')}"

    def variable(self, depth: int) -> str:
        name = self.one(
            "hp",
            "flag",
            "none",
            "zero",
            "word",
            "list",
            "mood",
            "pi",
            "x",
            "new",
            "a-b",
            "hex",
            "pad",
            "neg",
            "empty",
            "no",
        )
        operator = str(self.one(*OPERATORS))
        value = (
            "" if operator in {"", "++", "--"} and self.chance.random() < 0.9 else self.word(depth)
        )
        sign = f"{self.one('', '', '', '!', '#')}{self.one('.', '$')}"
        return "{{" + self.blank().join(["", sign, name, operator, value, ""]) + "}}"

    def piece(self, depth: int) -> str:
        return str(self.one(self.macro, self.macro, self.variable, self.scoped)(depth))

    def text(self, depth: int) -> str:
        return "".join(
            self.one(self.piece(depth), str(self.one(*WORDS)), f" {self.piece(depth)} ")
            for _ in range(self.chance.randint(1, 4))
        )

    def broken(self, depth: int) -> str:
        """Take a text and leave out, double or put in a sign that means something."""
        text = self.text(depth)
        for _ in range(self.chance.randint(1, 2)):
            at = self.chance.randint(0, len(text))
            signs = [n for n, sign in enumerate(text) if sign in "{}:/|.$#"]
            if signs and self.chance.random() < 0.6:
                at = self.chance.choice(signs)
                text = text[:at] + self.one("", text[at] * 2, text[at] * 3) + text[at + 1 :]
            else:
                text = text[:at] + str(self.one(*MARKS)) + text[at:]
        return text


def cases() -> list[Case]:
    """Every case: its text, the number of its world, and how often it is asked."""
    made: dict[tuple[str, int], Case] = {}
    for text, world in [*_shapes(), *_systematic(), *_composed()]:
        made.setdefault((text, world), {"text": text, "world": world})
    return [*made.values(), *_of_chance()]


def _shapes() -> Iterator[tuple[str, int]]:
    for text in SHAPES:
        yield text, 0
        yield f"a {text} b {{{{user}}}}", 1
        yield f"{{{{setvar::n::{text}}}}}[{{{{getvar::n}}}}]", 0
    for text in SHAPES[::3]:
        yield f"{{{{if 1}}}}{text}{{{{else}}}}{text}{{{{/if}}}}", 0
        yield text, 2


def _systematic() -> Iterator[tuple[str, int]]:
    maker = Maker(SEED)
    for name in NAMES:
        for count in range(4):
            yield maker.macro(0, name, count), maker.chance.randrange(3)
        yield maker.scoped(0, name), 0
    for sign in ".$":
        for operator in OPERATORS:
            for variable in ("hp", "flag", "none", "list", "word", "pad", "big", "empty"):
                value = (
                    ""
                    if operator in {"", "++", "--"}
                    else maker.one("7", "tea", "0", "", "-2.5", "x y", "false", "0x10")
                )
                yield (
                    f"{{{{{sign}{variable}{operator}{value}}}}}|{{{{{sign}{variable}}}}}",
                    maker.chance.randrange(2),
                )
    for middle in ("", "global"):
        for verb in ("add", "set"):
            for variable in VARIABLES[::2]:
                word = maker.one(*WORDS)
                get = f"{{{{get{middle}var::{variable}}}}}"
                text = f"{{{{{verb}{middle}var::{variable}::{word}}}}}[{get}]"
                yield text, maker.chance.randrange(2)


def _composed() -> Iterator[tuple[str, int]]:
    maker = Maker(SEED + 1)
    for n in range(1_300):
        make = maker.broken if n % 3 == 0 else maker.text
        yield make(n % 4), maker.chance.randrange(3)


def _of_chance() -> Iterator[Case]:
    for text in PARTS["chance"]:
        for world in (0, 1):
            yield {"text": text, "world": world, "times": 60}
