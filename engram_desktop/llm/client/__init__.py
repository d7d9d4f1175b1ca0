"""Requests to an OpenAI-compatible server: what is sent, what comes back, what goes wrong."""
