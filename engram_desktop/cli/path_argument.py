"""A path on the command line: one that this computer can have, whether or not it is there."""

from __future__ import annotations

import argparse
import errno
from pathlib import Path


def path_argument(text: str) -> Path:
    """Read a path. Raises ArgumentTypeError for one that no file can have, as one too long."""
    path = Path(text)
    try:
        path.lstat()
    except ValueError as error:  # a zero byte
        raise argparse.ArgumentTypeError(str(error)) from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise argparse.ArgumentTypeError(f"the name is too long: {path.name[:40]}…") from None
    return path
