"""How work talks to whoever runs it: progress, cancellation, retry. No Qt."""
