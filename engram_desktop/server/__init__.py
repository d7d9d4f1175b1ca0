"""The local server: OpenAI-compatible addresses that add memory, the companion's, and MCP."""
