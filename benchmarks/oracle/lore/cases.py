"""Make worldbooks and chats that try every rule of world info. Seeded: the same in every run."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracle.lore.ours import AVATAR, Case

WORDS = ("ring", "tavern", "moon", "Dragon", "key", "old ring", "酒馆", "月光", "钥匙", "王都")
PATTERNS = (
    r"/ri(n|t)g/",
    "/DRAGON/i",
    "/月光|moon/",
    r"/\x01Bob:/",
    "/^Anna:/m",
    r"/and\/or/",
    "/ri/ng/",
    "/(/",
    "/ring/gg",
    r"/ring[^\x01]*moon/s",
    r"/moon.*\n.*key/",
    "/(?<=old )ring/",
    r"/\bkey\b/y",
    "/^$/",
)
ODD_KEYS = ("", " ", " ring ", "{{char}}", "{{user}}", "Ring", "RING", "{{noop}}", "(", "ring.")
SAID = (*WORDS, "said", "and/or", "我们去", "rings", "keyring", "(", "a\nb")
NAMES = ("Anna", "Bob")
FIELD_KEYS = {
    "matchPersonaDescription": "personaDescription",
    "matchCharacterDescription": "characterDescription",
    "matchCharacterPersonality": "characterPersonality",
    "matchCharacterDepthPrompt": "characterDepthPrompt",
    "matchScenario": "scenario",
    "matchCreatorNotes": "creatorNotes",
}
TRIGGERS = ("normal", "continue", "impersonate", "swipe", "regenerate", "quiet")
SETTINGS: dict[str, Any] = {
    "world_info_depth": 2,
    "world_info_min_activations": 0,
    "world_info_min_activations_depth_max": 0,
    "world_info_budget": 100,
    "world_info_recursive": False,
    "world_info_case_sensitive": False,
    "world_info_match_whole_words": False,
    "world_info_use_group_scoring": False,
    "world_info_character_strategy": 1,
    "world_info_budget_cap": 0,
    "world_info_max_recursion_steps": 0,
}


class Maker:
    """Draws one case after another."""

    def __init__(self, seed: int) -> None:
        self._chance = Random(seed)

    def case(self, kind: str) -> Case:
        """Draw a case that leans on the rules of one ``kind``."""
        chance = self._chance
        names = [f"Book{n}" for n in range(chance.choice((1, 1, 2)) if kind != "books" else 5)]
        worldbooks = {name: self._worldbook(kind) for name in names}
        case: Case = {
            "kind": kind,
            "books": worldbooks,
            "settings": self._settings(kind),
            "context": 100_000,
            "rolls": [round(chance.random(), 3) for _n in range(7)],
            "steps": [self._step(kind)],
            "global": names,
        }
        if kind == "books":
            case |= self._bound(names)
        if kind == "budget":
            case["context"] = chance.choice((20, 60, 100, 200))
            case["settings"]["world_info_budget"] = chance.choice((25, 50, 100, 33))
            case["settings"]["world_info_budget_cap"] = chance.choice((0, 0, 30, 500))
        if kind == "filter":
            case["tags"] = chance.choice(([], ["t1"], ["t2"], ["t1", "t3"]))
        if kind == "timed":
            case["steps"] = self._story()
        return case

    def _worldbook(self, kind: str) -> dict[str, Any]:
        chance = self._chance
        uids = chance.sample(range(40), chance.randint(2, 5 if kind == "books" else 8))
        return {str(uid): self._entry(kind, uid) for uid in uids}

    def _entry(self, kind: str, uid: int) -> dict[str, Any]:
        chance = self._chance
        entry: dict[str, Any] = {
            "uid": uid,
            "key": self._keys(1, 3),
            "content": self._content(kind, uid),
            "constant": chance.random() < 0.1,
            "selective": True,
            "selectiveLogic": 0,
            "order": chance.choice((100, 100, 50, 200, uid)),
            "position": chance.choice((0, 0, 1, 2, 3, 4, 5, 6, 7)),
            "disable": chance.random() < 0.07,
            "probability": 100,
            "useProbability": True,
            "depth": chance.choice((0, 2, 4)),
            "role": chance.choice((0, 0, 1, 2)),
            "outletName": chance.choice(("Stage", "Stage", "Door", "")),
        }
        if chance.random() < 0.35:
            entry["keysecondary"] = self._keys(1, 2)
            entry["selectiveLogic"] = chance.randrange(4)
        draw = getattr(self, f"_{kind}_fields", dict)
        whole = entry | draw()
        return {k: v for k, v in whole.items() if v is not None and v is not False and v != ""}

    def _keys(self, least: int, most: int) -> list[str]:
        chance = self._chance
        pool = [*WORDS, *WORDS, *WORDS, *PATTERNS, *ODD_KEYS]
        return [chance.choice(pool) for _n in range(chance.randint(least, most))]

    def _content(self, kind: str, uid: int) -> str:
        chance = self._chance
        words = [chance.choice(WORDS) for _n in range(chance.randint(0, 3))]
        text = " ".join([f"Lore {uid}", *words, chance.choice(("", "{{char}}", "and/or", "."))])
        if kind == "budget":
            text += " more" * chance.randint(0, 12)
        if kind == "content":
            head = chance.choice(
                (
                    "@@activate\n",
                    "@@dont_activate\n",
                    "@@activate \n",
                    "@@unknown\n@@@activate\n",
                    "@@@activate\n",
                    "@@activate\n@@dont_activate\n",
                    "@@role user\n",
                    " @@activate\n",
                )
            )
            text = chance.choice((head + text, head.strip("\n"), head + text, "", "   "))
        return text

    def _keywords_fields(self) -> dict[str, Any]:
        chance = self._chance
        return {
            "caseSensitive": chance.choice((None, True, False)),
            "matchWholeWords": chance.choice((None, True, False)),
            "scanDepth": chance.choice((None, None, None, 0, 1, 3, 5, 1200, -1)),
        }

    def _secondary_fields(self) -> dict[str, Any]:
        chance = self._chance
        fields: dict[str, Any] = {
            "keysecondary": chance.choice(([""], self._keys(1, 3), ["ring", ""], [])),
            "selectiveLogic": chance.randrange(4),
            "selective": chance.choice((True, True, False)),
        }
        return fields

    def _recursion_fields(self) -> dict[str, Any]:
        chance = self._chance
        return {
            "excludeRecursion": chance.random() < 0.2,
            "preventRecursion": chance.random() < 0.2,
            "delayUntilRecursion": chance.choice((0, 0, 0, 1, 2, 3, True, False)),
            "disable": chance.random() < 0.15,
        }

    _minimum_fields = _recursion_fields

    def _group_fields(self) -> dict[str, Any]:
        chance = self._chance
        group = chance.choice(("a", "a", "b", "a,b", "b, a", "a ,b", " a", "2,1", "1", "", "a,b,1"))
        return {
            "group": group,
            "groupOverride": chance.random() < 0.15,
            "groupWeight": chance.choice((100, 100, 1, 300)),
            "useGroupScoring": chance.choice((None, None, True, False)),
            "constant": chance.random() < 0.2,
        }

    def _odds_fields(self) -> dict[str, Any]:
        chance = self._chance
        return {
            "probability": chance.choice((0, 20, 50, 80, 100)),
            "useProbability": chance.random() < 0.8,
            "constant": chance.random() < 0.5,
        }

    def _budget_fields(self) -> dict[str, Any]:
        chance = self._chance
        return {
            "ignoreBudget": chance.random() < 0.2,
            "preventRecursion": chance.random() < 0.3,
            "constant": chance.random() < 0.4,
            "delayUntilRecursion": chance.choice((0, 0, 0, 1)),
            "probability": chance.choice((100, 100, 50)),
        }

    def _timed_fields(self) -> dict[str, Any]:
        chance = self._chance
        return {
            "sticky": chance.choice((None, 0, 2, 3, 5)),
            "cooldown": chance.choice((None, 0, 1, 2, 4)),
            "delay": chance.choice((None, None, 0, 3, 5)),
            "probability": chance.choice((100, 100, 40)),
            "group": chance.choice(("", "", "", "g")),
            "delayUntilRecursion": chance.choice((0, 0, 0, 1)),
        }

    def _filter_fields(self) -> dict[str, Any]:
        chance = self._chance
        fields: dict[str, Any] = {
            "triggers": chance.choice(([], [], ["normal"], ["swipe", "quiet"], ["soon"])),
            "matchScenario": chance.random() < 0.5,
        }
        for name in FIELD_KEYS:
            fields[name] = chance.random() < 0.3
        if chance.random() < 0.6:
            fields["characterFilter"] = {
                "isExclude": chance.random() < 0.4,
                "names": chance.choice(([], [AVATAR], ["Other"], [AVATAR, "Other"])),
                "tags": chance.choice(([], ["t1"], ["t2", "t3"])),
            }
        return fields

    def _settings(self, kind: str) -> dict[str, Any]:
        chance = self._chance
        settings = SETTINGS | {
            "world_info_depth": chance.choice((1, 2, 2, 2, 4, 4, 0)) if kind != "timed" else 2,
            "world_info_case_sensitive": chance.random() < 0.2,
            "world_info_match_whole_words": chance.random() < 0.3,
            "world_info_recursive": chance.random() < 0.5,
            "world_info_use_group_scoring": chance.random() < 0.4,
        }
        if kind in ("recursion", "minimum"):
            settings["world_info_recursive"] = chance.random() < 0.8
            settings["world_info_max_recursion_steps"] = chance.choice((0, 0, 1, 2, 3))
        if kind == "minimum":
            settings["world_info_min_activations"] = chance.choice((1, 3, 5))
            settings["world_info_min_activations_depth_max"] = chance.choice((0, 0, 2, 4))
        if kind == "books":
            settings["world_info_character_strategy"] = chance.randrange(3)
        return settings

    def _bound(self, names: list[str]) -> Case:
        """Bind worldbooks to all, to chat, persona and character; some of them twice."""
        chance = self._chance
        return {
            "global": chance.sample(names, chance.randint(0, 3)),
            "chat": chance.choice(("", *names)),
            "persona": chance.choice(("", *names)),
            "character": chance.choice(("", *names)),
            "extra": chance.sample(names, chance.randint(0, 2)),
        }

    def _message(self) -> str:
        chance = self._chance
        words = [chance.choice(SAID)]
        more = (*WORDS, "then", "the", "了", "")
        words += [chance.choice(more) for _n in range(chance.randint(0, 4))]
        text = chance.choice((" ", " ", "")).join(words)
        return chance.choice((f"{chance.choice(NAMES)}: {text}", text, f"  {text} \n"))

    def _step(self, kind: str) -> dict[str, Any]:
        chance = self._chance
        messages = [self._message() for _n in range(chance.choice((1, 2, 3, 4, 5, 7, 0)))]
        step: dict[str, Any] = {"messages": messages}
        if kind == "filter":
            step["trigger"] = chance.choice(TRIGGERS)
            step["fields"] = {name: self._message() for name in FIELD_KEYS.values()}
            for name in chance.sample(sorted(step["fields"]), 2):
                step["fields"][name] = ""
        if kind == "injected":
            step["injected"] = [self._message() for _n in range(chance.randint(1, 3))]
        return step

    def _story(self) -> list[dict[str, Any]]:
        """Draw a chat that grows from step to step, and now and then loses a message."""
        chance = self._chance
        told: list[str] = [self._message() for _n in range(chance.randint(1, 3))]
        steps = []
        for _n in range(5):
            steps.append({"messages": list(reversed(told))})
            if chance.random() < 0.25 and len(told) > 1:
                told = told[:-1]
            else:
                told = [*told, *(self._message() for _k in range(chance.choice((1, 1, 2))))]
        return steps


KINDS = (
    "keywords",
    "secondary",
    "recursion",
    "minimum",
    "group",
    "odds",
    "budget",
    "timed",
    "filter",
    "content",
    "books",
    "injected",
    "meant",
    "old",
)


def cases(each: int = 32, seed: int = 11) -> list[Case]:
    """Draw ``each`` cases of every kind."""
    drawn: list[Case] = []
    for kind in KINDS:
        maker = Maker(seed * 1000 + len(drawn))
        for _n in range(each):
            case = maker.case(kind)
            _finish(case, Random(len(drawn)))
            drawn.append(case)
    return drawn


def _finish(case: Case, chance: Random) -> None:
    """Leave out fields as old files do; say which entries Vector Storage has found."""
    entries = [
        (name, entry) for name, worldbook in case["books"].items() for entry in worldbook.values()
    ]
    if case["kind"] == "old":
        for _name, entry in entries:
            for field in chance.sample(
                ("selective", "useProbability", "probability", "selectiveLogic", "depth", "role"), 3
            ):
                entry.pop(field, None)
            if chance.random() < 0.3:
                entry.update(probability=50)
    if case["kind"] == "meant":
        meant = chance.sample(entries, min(len(entries), 3))
        for _name, entry in meant:
            entry["vectorized"] = True
        case["steps"][0]["meant"] = [[name, entry["uid"]] for name, entry in meant]


def odds() -> list[Case]:
    """Cases of pure chance, repeated: what counts is how often each outcome comes."""
    base: Case = {"key": [], "constant": True, "content": "x", "order": 100, "position": 0}
    rolled = base | {"useProbability": True, "group": ""}
    drawn = base | {"useProbability": True, "probability": 100, "group": "g"}
    worldbooks = (
        [rolled | {"probability": 30}],
        [rolled | {"probability": 75}, rolled | {"probability": 5}],
        [drawn | {"groupWeight": 100}, drawn | {"groupWeight": 300}],
        [drawn | {"groupWeight": 10}, drawn | {"groupWeight": 20}, drawn | {"groupWeight": 70}],
        [drawn | {"groupWeight": 100, "probability": 50}, drawn | {"groupWeight": 100}],
        [drawn, drawn | {"group": "g,h"}, drawn | {"group": "h"}],
    )
    return [
        {
            "kind": "distribution",
            "books": {"Book0": {str(n): entry | {"uid": n} for n, entry in enumerate(entries)}},
            "settings": SETTINGS,
            "context": 100_000,
            "global": ["Book0"],
            "repeat": 2000,
            "steps": [{"messages": ["Anna: hello"]}],
        }
        for entries in worldbooks
    ]
