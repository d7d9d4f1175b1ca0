"""A day of play through `engram serve`, with everything that goes wrong in one.

    python -m tests.soak.play [--minutes 90] [--kills 1000] [--seed 1] [--curve FILE]

Four chats go on at once: one by its address, one unnamed, one whose front end sends only the newest
60 messages, one that reads its replies in pieces. Messages are edited, swiped and deleted, players
go back and take another way; the model's server refuses, cuts and stays silent; `serve` is killed
(SIGKILL) and started again, at times with no room to write. Now and then, and at the end, all is
let come to rest: what each front end has must then stand in the library, word for word. Each minute
a line says how large the process, its open files and the library are.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from engram_desktop.cli.main import main as engram
from engram_desktop.services.memory import Memory
from tests import scripted_model
from tests.fake_openai import FakeOpenAI
from tests.programs import COMMAND_LINE, start_python

WINDOW = 60  # messages that a front end with little room sends
REST_S = 30.0  # for what was said to be kept once nothing disturbs any more
FAULTS = (500, 429, 503, "cut", "empty", "html", "in-band", "broke-off", "unfinished")
PEOPLE = ("爱丽丝", "凯尔", "莉莉丝", "村长", "哈根")
PLACES = ("码头", "钟楼", "磨坊", "酒馆", "旧桥", "林间小屋", "集市")
THINGS = ("铜钥匙", "地图", "银币", "一封信", "灯笼", "短剑")
SYLLABLES = (
    "山水花月风云雨雪江河湖海天地日星春夏秋冬金木石土火灯门窗桌椅床刀剑弓马牛羊鸡犬鱼鸟虫草树林叶"
    "红黄蓝白黑青紫高低远近深浅新旧冷热轻重快慢早晚明暗开关进出来去上下左右前后东西南北心手眼口耳"
)
SYSTEM = {"role": "system", "content": "你是爱丽丝，月光酒馆的老板。"}


@dataclass
class Account:
    """What was done, and what is wrong."""

    done: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    lost: list[str] = field(default_factory=list)
    curve: list[tuple[float, ...]] = field(default_factory=list)


class Serving:
    """`engram serve` as a process that is killed and started again."""

    def __init__(self, library: Path, url: str) -> None:
        self._library = library
        self._url = url
        self._lock = threading.Lock()
        self.address: dict[str, str] = {}
        self.process: subprocess.Popen[str] | None = None

    def start(self, *, room: int | None = None) -> None:
        """Start it; with ``room``, no file may grow beyond so many bytes."""
        environ = {"ENGRAM_LLM_BASE_URL": self._url, "ENGRAM_LLM_MODEL": "m"}
        words = ["serve", "--library", self._library, "--port", "0", "--json"]

        def limit() -> None:
            if room is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

        process = start_python(
            COMMAND_LINE,
            *words,
            environ=environ,
            stderr=subprocess.DEVNULL,
            preexec_fn=limit,  # between fork and exec only
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        with self._lock:
            self.process = process
            self.address = json.loads(line) if line else {}

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def end(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        with self._lock:
            process, self.process, self.address = self.process, None, {}
        if process is not None:
            process.send_signal(how)
            process.wait()
            assert process.stdout is not None
            process.stdout.close()

    def size(self) -> tuple[float, int]:
        """Return resident megabytes and open files."""
        with self._lock, contextlib.suppress(OSError, IndexError):  # it may just have ended
            if self.process is None:
                return 0.0, 0
            place = Path(f"/proc/{self.process.pid}")
            status = (place / "status").read_text("utf-8")
            return (
                int(status.split("VmRSS:")[1].split()[0]) / 1024,
                len(list((place / "fd").iterdir())),
            )
        return 0.0, 0


class Player:
    """One front end and its chat."""

    def __init__(self, name: str, serving: Serving, chance: random.Random) -> None:
        self.name = name
        self.said: list[dict[str, str]] = []
        self._serving = serving
        self._chance = chance
        self._path = f"/chat/{quote(name)}/v1" if name != "unnamed" else "/v1"
        self._window = WINDOW if name == "窗口" else None
        self._streams = name == "流"
        self.is_whole = True  # the last request was answered: the library was told of everything

    def step(self, done: Counter[str]) -> None:
        """Do something a player does."""
        what = self._chance.random()
        if len(self.said) > 8 and what < 0.12:
            done["swipe"] += 1
            self.said.pop()  # the reply: another is asked for
        elif len(self.said) > 12 and what < 0.20 and self.is_whole:
            done["edit"] += 1
            at = -self._chance.randrange(1, 10)  # of the newest twelve floors edits are followed
            row = self.said[at]
            self.said[at] = {**row, "content": f"{row['content']}（改）"}
            self._speak()
        elif len(self.said) > 12 and what < 0.25:
            done["delete"] += 1
            del self.said[-2 * self._chance.randrange(1, 3) :]
            self._speak()
        elif len(self.said) > 40 and what < 0.28:
            done["another way"] += 1
            del self.said[-2 * self._chance.randrange(3, 15) :]
            self._speak()
        else:
            done["turn"] += 1
            self._speak()
        self.ask(done)

    def _speak(self) -> None:
        self.said.append({"role": "user", "content": sentence(self._chance, "我")})

    def ask(self, done: Counter[str]) -> bool:
        """Ask for a reply; what failed is asked again at the next step."""
        if self.said[-1]["role"] != "user":
            self._speak()
        rows = self.said if self._window is None else self.said[-self._window :]
        body = {"messages": [SYSTEM, *rows], "stream": self._streams}
        reply = self._reply(body)
        done["reply" if reply else "no reply"] += 1
        self.is_whole = bool(reply)
        if reply:
            self.said.append({"role": "assistant", "content": reply})
        return bool(reply)

    def _reply(self, body: dict[str, Any]) -> str:
        address = self._serving.address
        if not address:
            return ""
        request = urllib.request.Request(  # noqa: S310 - ours
            address["url"].removesuffix("/v1") + f"{self._path}/chat/completions",
            json.dumps(body).encode(),
            {"Authorization": f"Bearer {address['key']}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310 - ours
                data = answer.read().decode()
        except (OSError, ValueError, EOFError) as e:
            if isinstance(e, urllib.error.HTTPError):
                e.close()
            return ""
        except Exception:  # noqa: BLE001 - http.client has several for a body that breaks off
            return ""
        return _streamed(data) if self._streams else _whole(data)


def _whole(data: str) -> str:
    try:
        return str(json.loads(data)["choices"][0]["message"]["content"])
    except (ValueError, LookupError, TypeError):
        return ""


def _streamed(data: str) -> str:
    """Return a streamed reply; nothing where it did not come to its end."""
    if "[DONE]" not in data:
        return ""
    pieces = []
    for line in data.splitlines():
        if line.startswith("data: {"):
            row = json.loads(line[6:])
            if "error" in row:
                return ""
            pieces.append(row["choices"][0]["delta"].get("content") or "" if row["choices"] else "")
    return "".join(pieces)


def sentence(chance: random.Random, who: str) -> str:
    """Return a sentence that no other one resembles, as those of a story do not."""
    words = "".join(
        chance.choice(SYLLABLES) + chance.choice(SYLLABLES) + chance.choice(("", "的", "了", "，"))
        for _ in range(chance.randrange(5, 16))
    )
    doing = chance.choice(("去", "找", "问", "看见", "想起", "等", "带走"))
    person, place = chance.choice(PEOPLE), chance.choice(PLACES)
    return f"{who}{doing}{person}，{words}，{place}里有{chance.choice(THINGS)}。"


def answer(body: dict[str, Any]) -> str:
    """A character that answers the player, and a model that reads what was said."""
    last = str(body["messages"][-1]["content"])
    if "<chat_history>" in last:
        return scripted_model.answer(body)
    return f"“{sentence(random.Random(f'{len(last)} {last[-200:]} {time.time_ns()}'), '我')}”"


def lines_in(library: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the texts of every line of every chat, with the chat's name."""
    memory = Memory.open(library, program=None, environ={})
    try:
        for chat in memory.chats.all():
            store = memory.session.chat(chat.chat_id)
            for branch in memory.branches.all(chat.chat_id):
                rows = store.messages.slice(branch.id, 0, 1 << 40)
                yield chat.name, [row.text for row in rows]
    finally:
        memory.close()


def compare(library: Path, players: list[Player], account: Account) -> None:
    """Wait until each front end's chat stands in the library, word for word."""
    until = time.monotonic() + REST_S
    missing = {player.name: [row["content"] for row in player.said] for player in players}
    closest: dict[str, str] = {}
    while missing and time.monotonic() < until:
        lines = [texts for _name, texts in lines_in(library)]
        for name, told in list(missing.items()):
            account.compared += 1
            if told in lines:
                del missing[name]
            else:
                same, nearest = max((_common(told, texts), texts) for texts in lines)
                closest[name] = (
                    f"{same} are alike, then {told[same : same + 2]}, {nearest[same : same + 2]}"
                )
        threading.Event().wait(0.5 if missing else 0)
    account.lost += [
        f"{name}: of {len(told)} messages {closest.get(name)}" for name, told in missing.items()
    ]


def _common(one: list[str], other: list[str]) -> int:
    """Return how many messages two lines begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def disk_mb(folder: Path) -> float:
    sizes = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(OSError):  # a file that goes meanwhile
            sizes += file.stat().st_size if file.is_file() else 0
    return sizes / 1e6


class Day:
    """Players, kills, faults and measurements until the time is over."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self._library = folder / "library"
        self._options = options
        self._chance = random.Random(options.seed)
        self.account = Account()
        self._ended = threading.Event()
        self._rest = threading.Lock()  # held while everything is let come to rest

    def run(self) -> Account:
        for key, value in {
            "keys.storage": "file",
            "embed.local": "hash",
            "serve.allowance": "10000",
            "review.enabled": "false",
        }.items():
            with contextlib.redirect_stdout(None):
                assert engram(["settings", key, value, "--library", str(self._library)]) == 0
        with FakeOpenAI(answer=answer) as upstream:
            self._serving = Serving(self._library, upstream.url)
            self._serving.start()
            names = ("地址", "unnamed", "窗口", "流")
            seeds = [self._chance.getrandbits(32) for _ in names]
            self._players = [
                Player(name, self._serving, random.Random(seed))
                for name, seed in zip(names, seeds, strict=True)
            ]
            self._locks = [threading.Lock() for _ in names]
            threads = [
                threading.Thread(target=self._play, args=(n,)) for n in range(len(names))
            ] + [threading.Thread(target=self._disturb, args=(upstream,))]
            for thread in threads:
                thread.start()
            try:
                self._watch(upstream)
            finally:
                self._ended.set()
                for thread in threads:
                    thread.join()
            self._come_to_rest(upstream)
            self._serving.end()
        with contextlib.redirect_stdout(None):
            code = engram(["doctor", "--library", str(self._library), "--json"])
        if code:
            self.account.lost.append(f"doctor ended with {code}")
        return self.account

    def _watch(self, upstream: FakeOpenAI) -> None:
        """Measure each half minute, and compare every five minutes, until the time is over."""
        began, next_rest, whole = time.monotonic(), 60.0, self._options.minutes * 60
        while (elapsed := time.monotonic() - began) < whole:
            self._ended.wait(min(30.0, whole - elapsed))
            upstream.seen.clear()
            elapsed = time.monotonic() - began
            self._note(elapsed)
            if next_rest < elapsed < whole:
                next_rest += 300.0
                self._come_to_rest(upstream)

    def _play(self, number: int) -> None:
        while not self._ended.is_set():
            with self._locks[number]:
                self._players[number].step(self.account.done)
            self._ended.wait(self._options.pause)

    def _disturb(self, upstream: FakeOpenAI) -> None:
        each = self._options.minutes * 60 / max(1, self._options.kills)
        while not self._ended.wait(self._chance.uniform(0.5, 1.5) * each):
            with self._rest:
                if self._ended.is_set():
                    return
                self.account.done["kill"] += 1
                self._serving.kill()
                room = None
                if self._chance.random() < 0.1:
                    self.account.done["no room"] += 1
                    room = int(self._chance.uniform(0.2, 1.0) * self._largest_file())
                self._serving.start(room=room)
                if self._chance.random() < 0.5:
                    self.account.done["fault"] += 1
                    upstream.faults.append(self._chance.choice(FAULTS))

    def _largest_file(self) -> int:
        return max((f.stat().st_size for f in self._library.rglob("*.db")), default=1_000_000)

    def _come_to_rest(self, upstream: FakeOpenAI) -> None:
        """Let each player get a reply, undisturbed, and compare."""
        with self._rest, contextlib.ExitStack() as held:
            for lock in self._locks:
                held.enter_context(lock)
            upstream.faults.clear()
            self._serving.kill()
            self._serving.start()
            for player in self._players:
                if not any(player.ask(self.account.done) for _try in range(5)):
                    self.account.lost.append(f"{player.name}: no reply in five tries")
            compare(self._library, self._players, self.account)

    def _note(self, elapsed: float) -> None:
        memory, files = self._serving.size()
        floors = sum(len(player.said) for player in self._players)
        done = self.account.done
        row = (elapsed, done["reply"], done["kill"], floors, memory, files, disk_mb(self._library))
        self.account.curve.append(row)
        print(
            f"{elapsed:6.0f} s  {done['reply']:>6} replies  {done['kill']:>4} kills"
            f"  {floors:>6} floors  {memory:5.0f} MB  {files:>3} files  {row[6]:7.1f} MB on disk"
            f"  {len(self.account.lost)} lost",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=90.0)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between two steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="the lines of each half minute, as CSV")
    parser.add_argument("--folder", type=Path, help="kept for looking into")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        account = Day(options.folder or Path(temporary), options).run()
    if options.curve:
        head = "seconds,replies,kills,floors,memory_mb,open_files,disk_mb"
        rows = [",".join(f"{value:.1f}" for value in row) for row in account.curve]
        options.curve.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    print(dict(sorted(account.done.items())))
    print(f"{account.compared} comparisons, {len(account.lost)} lost")
    for line in account.lost[:20]:
        print("LOST", line)
    return 1 if account.lost else 0


if __name__ == "__main__":
    sys.exit(main())
