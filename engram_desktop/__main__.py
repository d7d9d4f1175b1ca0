"""``python -m engram_desktop`` opens the window."""

import sys

from engram_desktop.app.entry import run

if __name__ == "__main__":
    sys.exit(run())
