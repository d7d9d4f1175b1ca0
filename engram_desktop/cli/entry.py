"""The entry point of the installed command: handles Ctrl+C during the half second of imports.

--version, --help and a mistyped command are answered before them. As nothing has begun by then, the
process can end at once, with 130 and without a traceback. `CliContext.interruptible` takes over
while a verb runs.
"""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # as in typing, which takes 4 ms to read
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command; entry point of the installed program."""
    signal.signal(signal.SIGINT, _leave)
    from engram_desktop.cli.commands import asked  # noqa: PLC0415 - see above

    asked(sys.argv[1:])
    from engram_desktop.cli.main import main  # noqa: PLC0415 - see above

    sys.exit(main())


def _leave(*_signal: object) -> NoReturn:
    os.write(2, b"engram: cancelled\n")
    os._exit(130)


if __name__ == "__main__":
    run()
