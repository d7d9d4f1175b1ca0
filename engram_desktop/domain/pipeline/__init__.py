"""The results of the pipeline: extractions, drafts, outlines, the story so far; its triggers."""
