"""Convolutions with few products are those with all of them."""

import numpy as np
import pytest

from engram_desktop.llm.embedding.sentence_encoder import Convolution


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("count", [1, 3, 255, 256, 257, 530])
def test_outputs_are_sums_over_windows(width, count):
    dice = np.random.default_rng(width * 1000 + count)
    kernels = dice.standard_normal((width * 16, 8), np.float32)
    rows = dice.standard_normal((count + width - 1, 16), np.float32)
    out = np.empty((count, 8), np.float32)
    Convolution(kernels, width)(rows, out)
    windows = np.lib.stride_tricks.sliding_window_view(rows, width, axis=0).swapaxes(1, 2)
    np.testing.assert_allclose(out, windows.reshape(count, -1) @ kernels, atol=2e-4)
