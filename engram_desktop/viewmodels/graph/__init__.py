"""The graph, one entity of it, and those that may be one."""
