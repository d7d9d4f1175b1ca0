"""Views: they build, connect and forward; they never see storage or llm."""
