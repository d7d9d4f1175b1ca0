"""Before any Qt import: draw offscreen."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
