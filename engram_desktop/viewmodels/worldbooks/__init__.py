"""Viewmodels of worldbooks: their list, the entries of one, and the memory's worldbook."""
