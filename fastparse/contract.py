"""What the parts of a Parser know of the whole: its components, and what they give sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastparse.annotate.components import Components
from fastparse.annotate.expectations import Watch
from fastparse.search.decoder import Work

if TYPE_CHECKING:
    from fastparse.corpus.treebank import Treebank

__all__ = ["Contract"]


class Contract:
    """A Parser keeps it; Texts, Files and Derivations, which take what there is to be read, rely on it."""

    _components: Components

    def _checked(self, beam: int | None, threads: int, retag: bool = False, threshold: int | None = None) -> int:
        """The size of the beam that is asked for; raises Error for what cannot be."""
        raise NotImplementedError

    def _parsed(
        self, treebank: Treebank, beam: int, threads: int = 1, *, retag: bool = False, timed: bool = False,
        by_move: bool = False, threshold: int | None = None, watch: Watch | None = None, scores: bool = False,
    ) -> tuple[Treebank, Work | None]:  # fmt: skip
        """All that the components give sentences."""
        raise NotImplementedError

    def _tagged(self, treebank: Treebank, threads: int = 1, *, retag: bool = False) -> tuple[Treebank, None]:
        """All that the components before the parser give sentences."""
        raise NotImplementedError
