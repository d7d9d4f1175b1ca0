"""A convolution over the rows of a table, with about half of the usual number of products.

Several outputs beside each other share their inputs: four of a window of five rows take 8 products
of matrices instead of 20 (Winograd, "Arithmetic Complexity of Computations", 1980; Lavin and Gray,
CVPR 2016). It loses a digit of precision: 1e-5 of a number's usual size, where a vector is
stored to 4e-3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_AT_ONCE = 4  # outputs; with more of them the points below become coarse
_POINTS = (0, 1, -1, 0.5, -0.5, 2, -2)  # small numbers whose powers are exact
_FEW = 256  # rows below which it is the matrices that take time, and there are twice as many


class Convolution:
    """Rows to rows: each output is a sum of products of ``width`` inputs beside each other."""

    def __init__(self, kernels: Floats, width: int) -> None:
        """``kernels`` are matrices, one below another, the first for the first row of a window."""
        self.width = width
        self._kernels = kernels.reshape(width, -1, kernels.shape[1])
        self._mixed, self._inwards, self._outwards = _shared_products(self._kernels)

    def __call__(self, rows: Floats, out: Floats) -> None:
        """Write to ``out``: its first is of ``rows[:width]``, its last reaches the last of them."""
        if len(out) < _FEW:
            np.matmul(rows[: len(out)], self._kernels[0], out=out)
            for place, kernel in enumerate(self._kernels[1:], start=1):
                out += rows[place : place + len(out)] @ kernel
            return
        products, inputs, _outputs = self._mixed.shape
        groups = -(-len(out) // _AT_ONCE)
        grouped = np.zeros((products, groups, inputs), np.float32)
        for place, inputs_here in enumerate(grouped):
            rows_here = rows[place::_AT_ONCE][:groups]
            inputs_here[: len(rows_here)] = rows_here
        mixed = (self._inwards @ grouped.reshape(products, -1)).reshape(grouped.shape)
        multiplied = np.matmul(mixed, self._mixed)
        sums = (self._outwards @ multiplied.reshape(products, -1)).reshape(_AT_ONCE, groups, -1)
        for place, outputs_here in enumerate(sums):
            part = out[place::_AT_ONCE]
            part[:] = outputs_here[: len(part)]


def _shared_products(kernels: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the matrices to multiply with, and how inputs and products are mixed.

    Polynomials are multiplied by their values at some points and at infinity; a convolution is that
    turned round (Toom and Cook).
    """
    products = _AT_ONCE + len(kernels) - 1
    powers = np.vander(_POINTS[: products - 1], products, increasing=True)
    values = np.vstack([powers, np.eye(products)[-1]])

    def of_length(length: int) -> NDArray[np.float64]:
        cut = values[:, :length].copy()
        cut[-1] = np.eye(length)[-1]
        return cut

    mixed = np.einsum("pk,kij->pij", of_length(len(kernels)), kernels.astype(np.float64))
    inwards = np.linalg.inv(values).T
    return (
        np.ascontiguousarray(mixed, np.float32),
        np.ascontiguousarray(inwards, np.float32),
        np.ascontiguousarray(of_length(_AT_ONCE).T, np.float32),
    )
