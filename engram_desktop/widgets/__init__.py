"""Views of the window: they build widgets and connect them; they never use storage or llm."""
