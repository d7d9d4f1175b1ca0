"""Before any Qt import: draw offscreen. Generated examples are the same in every run, unless asked.

``HYPOTHESIS_PROFILE=explore pytest tests/property`` looks for new ones; what it finds becomes an
``@example``.
"""

import os

from hypothesis import settings

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
settings.register_profile("steady", derandomize=True)
settings.register_profile("explore", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
