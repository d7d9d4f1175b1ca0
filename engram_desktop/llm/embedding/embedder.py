"""The base class of embedders, and what each of them guarantees.

Rows have length 1, and one dimension per embedder. Vectors are compared only with vectors of the
same ``model_id``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from engram_desktop.jobs.context import JobContext

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engram_desktop.domain.recall.lexemes import EmbeddedText

Vectors: TypeAlias = "NDArray[np.float32]"
LocalName = Literal["use", "hash"]


class Embedder(Protocol):
    """Makes vectors of texts. ``query`` marks questions, for models that treat them differently."""

    @property
    def model_id(self) -> str: ...

    def embed(self, texts: Sequence[str], ctx: JobContext, *, query: bool = False) -> Vectors:
        """Return one row of length 1 per text, in order. Raises LlmError, Cancelled."""

    def embed_passages(self, passages: Sequence[EmbeddedText], ctx: JobContext) -> Vectors:
        """Return one row per passage, as `embed` does, of the text with what precedes it."""
        return self.embed([passage.joined for passage in passages], ctx)

    def once(self) -> Embedder:
        """Return an embedder that retries no request, for a caller with a waiting user."""
        return self


def normalised(rows: Vectors) -> Vectors:
    """Scale each row to length 1; a row of zeros becomes the first axis, so that no row is NaN."""
    import numpy as np  # noqa: PLC0415 - 0.1 s, and at a start nothing is embedded

    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    if not norms.all():
        rows = rows.copy()
        rows[norms[:, 0] == 0, 0] = 1.0
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / norms, dtype=np.float32)
