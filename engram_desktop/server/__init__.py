"""The local server: an OpenAI-compatible address that puts memory in, the companion's, and MCP."""
