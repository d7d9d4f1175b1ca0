"""How work talks to whoever runs it: progress, cancellation, and a door to the writer. No Qt."""
