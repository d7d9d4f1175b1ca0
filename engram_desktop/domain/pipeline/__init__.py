"""What the pipeline makes: extractions, drafts, outlines, the story so far, and when."""
