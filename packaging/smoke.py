"""Try a frozen build as a user would: demo, consolidate, recall, window, quit. No traceback.

python packaging/smoke.py dist/engram
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SUFFIX = ".exe" if sys.platform == "win32" else ""
ENVIRONMENT = {
    **{k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}},
    "QT_QPA_PLATFORM": "offscreen",
}


def run(program: Path, *arguments: str) -> str:
    """Run one command; its output, or an error with everything it said."""
    done = subprocess.run(
        [str(program), *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=300,
        check=False,
    )
    if done.returncode or "Traceback" in done.stderr:
        sys.exit(f"{program.name} {arguments} ended with {done.returncode}:\n{done.stderr}")
    return done.stdout


def main(folder: Path) -> None:
    engram = folder / f"engram{SUFFIX}"
    with tempfile.TemporaryDirectory() as temporary:
        library = str(Path(temporary) / "库 with blanks")
        made = json.loads(run(engram, "demo", library, "--json"))
        assert made["archived"] > 0, made
        assert made["recalled"], made
        chat = made["chat_id"]
        summary = json.loads(run(engram, "consolidate", chat, "--library", library, "--json"))
        assert summary["archived"] == made["buffer"], summary
        assert not summary["failed"], summary  # the index worker ran, out of the frozen program
        found = run(engram, "recall", chat, "--query", "铜钥匙", "--library", library, "--json")
        assert json.loads(found)["items"], found
        script = Path(temporary) / "regex-try.json"
        fields = {"scriptName": "try", "findRegex": "/(?<=铜)钥(?<x>.)/", "replaceString": "$<x>"}
        script.write_text(json.dumps(fields | {"placement": [2]}), "utf-8")
        run(engram, "import", str(script), "--library", library)
        steps = json.loads(run(engram, "regex", "--try", "铜钥匙", "--library", library, "--json"))
        assert steps[-1]["text"] == "铜匙", steps  # V8 ran, out of the frozen program
        health = json.loads(run(engram, "doctor", "--library", library, "--json"))
        assert all(finding["is_ok"] for finding in health), health
        picture = Path(temporary) / "window.png"
        run(
            folder / f"engram-desktop{SUFFIX}",
            *("--library", library, "--language", "zh_CN", "--screenshot", str(picture)),
        )
        assert picture.stat().st_size > 20_000
    print(f"The frozen build in {folder} works: {made['events']} events, {len(health)} checks.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
