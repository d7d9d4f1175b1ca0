"""Run a SillyTavern of its own in a scratch folder, and ask it questions in a page."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
VERSION = "1.19.0"
START_S = 120
ASK_S = 900  # thousands of expressions take a page about a minute


class Tavern:
    """One running SillyTavern. ``user`` is the folder of its only user; ``url`` its address."""

    def __init__(self, installed: Path, folder: Path) -> None:
        """``installed`` holds node_modules; ``folder`` is scratch and gets the data."""
        self._installed = installed
        self._program = installed / "node_modules" / "sillytavern"
        self._folder = folder
        self._running: subprocess.Popen[bytes] | None = None
        self._model: subprocess.Popen[bytes] | None = None
        self.url = ""
        self.model_url = ""
        self.user = folder / "data" / "default-user"

    def start(self) -> None:
        """Start it and its scripted model; the first start makes the data folder."""
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._model is None:
            port = free_port()
            self._model = subprocess.Popen([sys.executable, HERE / "scripted_model.py", str(port)])
            self.model_url = f"http://127.0.0.1:{port}"
        if not (self.user / "settings.json").exists():
            self._serve()
            self.stop_server()
            self._configure()
        self._serve()

    def stop_server(self) -> None:
        """End the server, so that its files can be written; ``start`` goes on."""
        if self._running is not None:
            os.killpg(self._running.pid, signal.SIGTERM)
            self._running.wait(30)
            self._running = None

    def stop(self) -> None:
        self.stop_server()
        if self._model is not None:
            self._model.terminate()
            self._model.wait(30)
            self._model = None

    def ask(self, script: str, payload: object = None) -> Any:
        """What the function in ``benchmarks/oracle/SCRIPT.mjs`` gives for ``payload``, as JSON.

        Raises RuntimeError with what the page said if it fails.
        """
        with tempfile.TemporaryDirectory() as name:
            question, answer = Path(name) / "question.json", Path(name) / "answer.json"
            question.write_text(json.dumps(payload), "utf-8")
            run = subprocess.run(
                [node(), HERE / "page.mjs", HERE / f"{script}.mjs", question, answer],
                env=os.environ | self.environment(),
                capture_output=True,
                timeout=ASK_S,
                check=False,
            )
            if run.returncode != 0:
                raise RuntimeError(run.stderr.decode("utf-8", "replace")[-4000:])
            return json.loads(answer.read_text("utf-8"))

    def environment(self) -> dict[str, str]:
        """What a script of the page is told: where everything is."""
        return {
            "TAVERN_URL": self.url,
            "MODEL_URL": self.model_url,
            "TAVERN_MODULES": str(self._installed),
        }

    def _serve(self) -> None:
        config = self._folder / "config.yaml"
        if not config.exists():
            shutil.copy2(self._program / "default" / "config.yaml", config)
        port = free_port()
        options = {
            "port": port,
            "dataRoot": self._folder / "data",
            "configPath": config,
            "browserLaunchEnabled": "false",
            "listen": "false",
        }
        flags = [text for key, value in options.items() for text in (f"--{key}", str(value))]
        with (self._folder / "server.log").open("ab") as log:
            self._running = subprocess.Popen(
                [node(), self._program / "server.js", *flags],
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.url = f"http://127.0.0.1:{port}"
        self._wait(port)

    def _wait(self, port: int) -> None:
        pause = threading.Event()
        for _second in range(START_S):
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            with contextlib.suppress(OSError, http.client.HTTPException):
                asking.request("GET", "/")
                asking.getresponse()
                return
            pause.wait(1)
        raise RuntimeError(f"SillyTavern did not start; see {self._folder / 'server.log'}")

    def _configure(self) -> None:
        """Let it talk to the scripted model, without its welcome."""
        path = self.user / "settings.json"
        settings = json.loads(path.read_text("utf-8"))
        settings |= {"firstRun": False, "username": "Anna", "main_api": "openai"}
        settings["oai_settings"] |= {
            "chat_completion_source": "custom",
            "custom_url": f"{self.model_url}/v1",
            "custom_model": "scripted",
            "stream_openai": False,
            "openai_max_context": 8000,
            "openai_max_tokens": 300,
        }
        settings["power_user"]["auto_connect"] = True
        settings["power_user"].setdefault("personas", {})["user-default.png"] = "Anna"
        path.write_text(json.dumps(settings, indent=4), "utf-8")


@contextlib.contextmanager
def running(installed: Path) -> Iterator[Tavern]:
    """Yield a new SillyTavern in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="tavern-") as name:
        tavern = Tavern(installed, Path(name))
        tavern.start()
        try:
            yield tavern
        finally:
            tavern.stop()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def node() -> str:
    """Where node is; raises FileNotFoundError if it is not there."""
    found = shutil.which("node")
    if found is None:
        raise FileNotFoundError("node")
    return found
