"""Easy-first search: greedy, in any order, with the tables of plain search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error
from fastparse.search.easy_first import EasyFirstEngine
from fastparse.search.kind_plain import Plain

if TYPE_CHECKING:
    from fastparse.machine.system import System

__all__ = ["EasyFirst"]


class EasyFirst(Plain):
    """See `Kind`."""

    def loop(self, weights: Mapping[str, Any]) -> EasyFirstEngine:
        return EasyFirstEngine(self.engine(weights))

    def _resolved(self) -> System:
        if self.description.beam != 1:
            raise Error("easy-first is greedy, it has no beam")
        if self.description.recipe is not None:
            raise Error(f"{self.description.system!r} has a recipe, which it cannot have")
        return super()._resolved()
