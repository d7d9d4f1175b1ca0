"""The composition root: the only package that constructs the parts and wires them."""
