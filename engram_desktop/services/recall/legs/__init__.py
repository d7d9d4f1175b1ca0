"""The legs of recall: what each finds, row by row, in its own units; `fuse` adds them up."""
