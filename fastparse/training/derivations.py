"""Derivations to learn from, and what becomes of trees that a system cannot build."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fastparse import trees
from fastparse.errors import OracleError
from fastparse.machine.system import System
from fastparse.oracles.sequences import derivations_of
from fastparse.training.account import Account
from fastparse.training.preparation import Trees

__all__ = ["Derivations", "derived"]


class Derivations(NamedTuple):
    """The moves of an oracle: sentence i has moves[starts[i]:starts[i + 1]], and a label id for each of them."""

    moves: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]
    starts: np.ndarray[Any, Any]


def derived(
    found: Trees, system: System, outside: str, account: Account, like: str | None = None
) -> tuple[Trees, Derivations]:
    """The trees with their derivations; those the system cannot build are lifted, left out, or an error.

    Args:
        outside: "lift", "skip" or "stop".
        like: a system that builds the same trees and has an oracle, if this one has none.

    Raises:
        Error: if nothing is left to learn from.
        OracleError: with "stop", if there is a tree the system cannot build.
    """
    *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    if inside.all():
        return found, Derivations(*parts)
    account.counts["outside"] = int((~inside).sum())
    if outside == "stop":
        raise _outside(found, system, int(np.argmin(inside)), account.counts["outside"])
    if outside == "lift":
        found = _lifted(found, ~inside, system, account)
        *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    if not inside.all():
        account.counts["skipped"] = int((~inside).sum())
        account.notes.append(f"{account.counts['skipped']:,} trees that {system.name} cannot build are left out.")
        found = found.only(inside, f"tree can be built by {system.name}", account)
        *parts, inside = derivations_of(like or system, found.heads, found.label_ids, found.offsets)
    return found, Derivations(*parts)


def _lifted(found: Trees, outside: np.ndarray[Any, Any], system: System, account: Account) -> Trees:
    """The trees outside the class lifted into it, or into the projective trees if it has no name."""
    into = system.covers if system.covers in trees.classes() else "projective"
    lifted, _ = trees.lift_treebank(found.heads, found.offsets, into)
    lifted = np.where(np.repeat(outside, np.diff(found.offsets)), lifted, found.heads).astype(np.int32)
    number = account.counts["lifted_arcs"] = int((lifted != found.heads).sum())
    account.notes.append(
        f"{account.counts['outside']:,} trees are outside the class of {system.name} ({into}); {number:,} of their arcs are "
        f"lifted."
    )
    return found.with_heads(lifted)


def _outside(found: Trees, system: System, index: int, number: int) -> OracleError:
    return OracleError(
        f"{found.treebank[index].where()}: {system.name!r} cannot build this tree, nor {number - 1:,} others. Lift "
        f"them (outside='lift'), leave them out (outside='skip'), or choose a system that covers them (system='auto')."
    )
