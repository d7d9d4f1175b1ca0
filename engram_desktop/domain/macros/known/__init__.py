"""The macros that are known, one by one: chance, time, variables, text."""
