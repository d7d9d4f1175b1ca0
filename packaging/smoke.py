"""Try a frozen program as a user would, with every part that no import shows. No traceback.

    python packaging/smoke.py FOLDER [--inside ROOT --user NAME] [--desktop]

The demo, consolidating, recall, Chroma's process, a regex script in V8, a summary by a model (a
server of the tests, on this machine), the memory server, MCP, the companion, a backup and its
return, library health, the window. With ``--inside`` the programs run in another system's folder
(chroot), where FOLDER is meant, as one of its users; with ``--desktop`` the window opens on the
display of this session.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
SUFFIX = ".exe" if sys.platform == "win32" else ""
LIMIT_S = 300
LINE = {"name": "旅人", "is_user": True, "send_date": "2026-01-01T00:00:00.000Z"}
SUMMARY = {"events": [{"summary": "爱丽丝把铜钥匙交给旅人。"}]}


@dataclass(frozen=True)
class Programs:
    """The two programs, in ``folder`` of this system or of the one below ``inside``."""

    folder: Path
    inside: Path | None = None
    user: str = ""
    is_on_desktop: bool = False

    def temporary(self) -> tempfile.TemporaryDirectory[str]:
        return tempfile.TemporaryDirectory(dir=self.inside and self.inside / "tmp")

    def seen(self, path: Path) -> str:
        """Return the name of a file as the programs see it."""
        return str(path) if self.inside is None else f"/{path.relative_to(self.inside)}"

    def command(self, name: str, *arguments: object) -> list[str]:
        """Return the words that start one of the programs."""
        words = [self.seen(a) if isinstance(a, Path) else str(a) for a in arguments]
        command = [str(self.folder / f"{name}{SUFFIX}"), *words]
        if self.inside is not None:
            as_user = ["chroot", f"--userspec={self.user}", str(self.inside)]
            command = [*as_user, "env", f"HOME=/home/{self.user}", *command]
        return command

    @contextmanager
    def started(
        self, name: str, *arguments: object, env: Mapping[str, str] | None = None
    ) -> Iterator[subprocess.Popen[str]]:
        """Start one command that goes on until it is ended here."""
        with subprocess.Popen(
            self.command(name, *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self.environment() | dict(env or {}),
        ) as running:
            try:
                yield running
            finally:
                running.terminate()

    def run(self, name: str, *arguments: object, env: Mapping[str, str] | None = None) -> str:
        """Run one command; its output, or an end with everything it said."""
        command = self.command(name, *arguments)
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.environment() | dict(env or {}),
            timeout=LIMIT_S,
            check=False,
        )
        if done.returncode or "Traceback" in done.stderr:
            sys.exit(f"{command} ended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def environment(self) -> dict[str, str]:
        left_out = {"PYTHONPATH", "VIRTUAL_ENV", "QT_QPA_PLATFORM"}
        given = {k: v for k, v in os.environ.items() if k not in left_out}
        if self.inside is not None:
            given = {"PATH": "/usr/bin:/bin:/usr/sbin", "LANG": "C.UTF-8"} | {
                k: v for k, v in given.items() if k == "DISPLAY"
            }
        return given if self.is_on_desktop else given | {"QT_QPA_PLATFORM": "offscreen"}


class Trial:
    """The programs with one library."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        self.library = folder / "库 with blanks"

    def engram(self, *arguments: object, env: Mapping[str, str] | None = None) -> Any:
        out = self._programs.run("engram", *arguments, "--library", self.library, "--json", env=env)
        return json.loads(out) if out.strip() else None

    def write(self, name: str, text: str) -> Path:
        file = self._folder / name
        file.write_text(text, "utf-8")
        file.chmod(0o644)
        return file

    def story(self) -> str:
        """The bundled story without a model; the index's own process, out of the program."""
        made = self.engram("demo", self.library)
        assert made["archived"] > 0, made
        assert made["recalled"], made
        chat: str = made["chat_id"]
        summary = self.engram("consolidate", chat)
        assert summary["archived"] == made["buffer"], summary
        assert not summary["failed"], summary
        assert self.engram("recall", chat, "--query", "铜钥匙")["items"]
        return chat

    def chroma(self, chat: str) -> None:
        self.engram("settings", "index.backend", "chroma")
        self.engram("reindex", chat)
        assert self.engram("recall", chat, "--query", "铜钥匙")["items"]
        assert list((self.library / "chats").rglob("chroma.sqlite3")), "Chroma wrote nothing"
        self.engram("settings", "index.backend", "auto")

    def script(self) -> None:
        fields = {"scriptName": "try", "findRegex": "/(?<=铜)钥(?<x>.)/", "replaceString": "$<x>"}
        text = json.dumps(fields | {"placement": [2]})
        self.engram("import", self.write("regex-try.json", text))
        steps = self.engram("regex", "--try", "铜钥匙")
        assert steps[-1]["text"] == "铜匙", steps

    def model(self) -> None:
        """A summary over HTTP: the client, its certificates, the answer's parser."""
        sys.path.insert(0, str(ROOT))
        from tests.fake_openai import FakeOpenAI  # noqa: PLC0415 - only a checkout has it

        rows: list[dict[str, Any]] = [{"user_name": "旅人", "character_name": "爱丽丝"}]
        rows += [LINE | {"mes": f"第{n}句：他走进酒馆。"} for n in range(40)]
        file = self.write("短.jsonl", "\n".join(json.dumps(r, ensure_ascii=False) for r in rows))
        with FakeOpenAI(answer=lambda _body: json.dumps(SUMMARY, ensure_ascii=False)) as server:
            told = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "fake-chat"}
            chat = self.engram("import", file)[0]["chat_id"]
            made = self.engram("summarise", chat, "--range", "0-24", env=told)
        assert made["events_added"] == 1, made
        event = self.engram("events", chat)  # one a line, and there is one
        assert event["summary"] == SUMMARY["events"][0]["summary"], event

    def server(self, chat_id: str) -> None:
        """The memory server: a request goes through it with memory in, and its reply comes back."""
        sys.path.insert(0, str(ROOT))
        from tests.fake_openai import FakeOpenAI  # noqa: PLC0415 - only a checkout has it

        said = {"model": "fake-chat", "messages": [{"role": "user", "content": "铜钥匙在哪里？"}]}
        self.engram("settings", "serve.allowance", 10_000)  # this machine may be slow
        asked = ("serve", "--port", "0", "--library", self.library, "--json")
        with FakeOpenAI(answer=lambda _body: "在酒馆里。") as upstream:
            told = {"ENGRAM_LLM_BASE_URL": upstream.url, "ENGRAM_LLM_MODEL": "fake-chat"}
            with self._programs.started("engram", *asked, env=told) as running:
                assert running.stdout is not None
                address = json.loads(running.stdout.readline())
                url = urlsplit(address["url"])
                line = HTTPConnection(str(url.hostname), url.port, timeout=LIMIT_S)
                line.request(
                    "POST",
                    f"/chat/{chat_id}{url.path}/chat/completions",
                    json.dumps(said).encode(),
                    {"Authorization": f"Bearer {address['key']}"},
                )
                reply = json.load(line.getresponse())
                line.close()
        assert reply["choices"][0]["message"]["content"] == "在酒馆里。", reply
        sent = upstream.seen[-1].body["messages"]
        assert len(sent) > 1, f"no memory was put in: {sent}"

    def tools(self) -> None:
        """MCP over standard input and output: its tools are named."""
        begin: dict[str, Any] = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "trial", "version": "1"},
        }
        said: list[dict[str, Any]] = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": begin},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        with self._programs.started("engram", "mcp", "--library", self.library) as running:
            assert running.stdin is not None
            assert running.stdout is not None
            answers: dict[int, Any] = {}
            for message in said:
                running.stdin.write(json.dumps(message) + "\n")
                running.stdin.flush()
                if "id" in message:
                    answer = json.loads(running.stdout.readline())
                    answers[answer["id"]] = answer
        names = {tool["name"] for tool in answers[2]["result"]["tools"]}
        assert "recall" in names, answers

    def companion(self) -> None:
        """The extension of SillyTavern, out of the program's own files."""
        folder = self._folder / "companion"
        self.engram("companion", "--save", folder)
        assert list(folder.rglob("manifest.json")), "the companion was not saved"

    def backup(self, chat: str) -> None:
        before = self.engram("stats", chat)
        name = Path(self.engram("backup")["file"]).name
        self.engram("restore", self.library / "backups" / name)
        assert self.engram("stats", chat)["events"] == before["events"]

    def health(self) -> None:
        findings = self.engram("doctor")
        assert all(finding["is_ok"] for finding in findings), findings

    def window(self) -> None:
        picture = self._folder / "window.png"
        shown = ("--library", self.library, "--language", "zh_CN", "--screenshot", picture)
        self._programs.run("engram-desktop", *shown)
        assert picture.stat().st_size > 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--inside", type=Path, metavar="ROOT")
    parser.add_argument("--user", default="")
    parser.add_argument("--desktop", action="store_true")
    given = parser.parse_args()
    inside = given.inside and given.inside.resolve()
    folder = given.folder if inside else given.folder.resolve()
    programs = Programs(folder, inside, given.user, given.desktop)
    with programs.temporary() as temporary:
        Path(temporary).chmod(0o777)
        trial = Trial(programs, Path(temporary))
        chat = trial.story()
        trial.chroma(chat)
        trial.script()
        trial.model()
        trial.server(chat)
        trial.tools()
        trial.companion()
        trial.backup(chat)
        trial.health()
        trial.window()
    print(f"The program in {folder} works.")


if __name__ == "__main__":
    main()
