"""Stories and memory as values and pure functions. No I/O, no clock."""
