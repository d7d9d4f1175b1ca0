"""Serving front ends: identify the chat of a request, add memory, keep requests and replies."""
