"""What a real SillyTavern answered, kept in `answers`, and ours held against it.

`benchmarks.oracle` asks it. Of SillyTavern itself nothing is kept.
"""
