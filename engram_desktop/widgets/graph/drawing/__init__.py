"""How a graph is drawn: its camera, its lines, its discs, its names, and the overview."""
