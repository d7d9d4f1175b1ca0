"""A page of SillyTavern that stays open: one thing after another is done in it, from Python."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Self

from benchmarks.oracle.tavern import HERE, Tavern, node

PATIENCE_S = 60  # for the browser to end


class Session:
    """``with Session(tavern, "serving") as page: page("say", text="…")``."""

    def __init__(self, tavern: Tavern, script: str) -> None:
        """``script`` is a module beside this one; its functions are what can be done."""
        self._tavern = tavern
        self._script = HERE / f"{script}.mjs"
        self._running: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._running = subprocess.Popen(
            [node(), HERE / "session.mjs", self._script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | self._tavern.environment(),
        )
        self._answer()
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._running is not None and self._running.stdin is not None:
            self._running.stdin.close()
            self._running.wait(PATIENCE_S)
            self._running = None

    def __call__(self, act: str, **argument: Any) -> Any:
        """What an act gives. Raises RuntimeError with what the page said if it fails."""
        assert self._running is not None
        assert self._running.stdin is not None
        self._running.stdin.write(json.dumps({"do": act, "with": argument}) + "\n")
        self._running.stdin.flush()
        return self._answer()

    def shot(self, file: Path) -> None:
        """Take a picture of the page."""
        self("shot", file=str(file))

    def _answer(self) -> Any:
        assert self._running is not None
        assert self._running.stdout is not None
        assert self._running.stderr is not None
        line = self._running.stdout.readline()
        if not line:
            raise RuntimeError(self._running.stderr.read()[-4000:])
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]
