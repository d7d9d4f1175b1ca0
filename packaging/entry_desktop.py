"""Where the frozen window program begins. The index worker is a copy of it."""

import multiprocessing

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from engram_desktop.app.main import run

    raise SystemExit(run())
