"""The command `engram`: the services without a window (DESIGN: command line)."""
