"""The interface between jobs and their runners: progress, cancellation, and writing. No Qt."""
