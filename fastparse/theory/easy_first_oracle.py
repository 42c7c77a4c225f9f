"""The oracle of easy-first.

It joins neighbours from the left, each pair as soon as the dependent has all its own dependents. This is the order of
arc-standard, whose stack is the left part of the pending list: s2 and s1 are neighbours there. Any other order that
waits for complete dependents would do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fastparse.errors import OracleError
from fastparse.theory.derive import Derivation, derive
from fastparse.theory.oracles import lengths_of
from fastparse.theory.outside import explain
from fastparse.transition_systems.registry import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence


class EasyFirstOracle:
    """See ``fastparse.theory.oracles.oracle_of``."""

    def derive(
        self, name: str, heads: Sequence[int], labels: Sequence[str] | None = None, /, **options: Any
    ) -> Derivation:
        """The derivation of a projective tree; OracleError for any other."""
        try:
            standard = derive(heads, "arc-standard", labels)
        except OracleError:
            raise OracleError(explain(list(heads), resolve("easy-first"))) from None
        moves = []
        depth = 1
        for move in standard.moves:
            kind, colon, label = move.partition(":")
            if kind == "SHIFT":
                depth += 1
                continue
            depth -= 1
            moves.append(f"{'ATTACH-RIGHT' if kind == 'LEFT-ARC' else 'ATTACH-LEFT'}({depth}){colon}{label}")
        return Derivation(name, len(moves), moves)

    def lengths(self, name: str, heads: Any, offsets: Any, by_move: bool = False, /, **options: Any) -> np.ndarray:
        """A move per word of projective trees, -1 for others; by move: SHIFT, ATTACH-LEFT, ATTACH-RIGHT."""
        standard = lengths_of("arc-standard", heads, offsets, None, True)
        counts = standard[:, [0, 2, 1]]
        counts[:, 0] = np.minimum(counts[:, 0], 0)
        return counts if by_move else np.where(counts[:, 0] < 0, -1, counts.sum(axis=1)).astype(np.int32)


ORACLE = EasyFirstOracle()
