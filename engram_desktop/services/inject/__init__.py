"""Injection: gather memories, compose a text within a budget, freeze it for some turns."""
