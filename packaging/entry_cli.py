"""Where the frozen command line begins. The index worker is a copy of it."""

import multiprocessing

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from engram_desktop.cli.entry import run

    run()
