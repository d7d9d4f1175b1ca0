"""What the program knows about stories and memory: values and pure functions. No I/O, no clock."""
