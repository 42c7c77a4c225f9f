"""Lemmas as rules that turn a form into its lemma, so that they can be classes of an output.

A rule is written ``case prefix-add suffix+add``: how the form is cased first ("l" lower, "k" kept, "c" capitalised),
how many characters go at its beginning and what comes there instead, and the same at its end. Words that have nothing
in common with their lemma have the rule ``=lemma``.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher
from functools import lru_cache

__all__ = ["lemma_by", "rule_of"]

_CASES: dict[str, Callable[[str], str]] = {"l": str.lower, "k": str, "c": str.capitalize}


@lru_cache(maxsize=1 << 16)
def rule_of(form: str, lemma: str) -> str:
    """The rule that makes the lemma of the form.

    >>> rule_of("Dogs", "dog"), rule_of("gebaut", "bauen"), rule_of("was", "be")
    ('l 0- 1+', 'l 2- 1+en', '=be')
    """
    if lemma == "_":
        return "="
    best: tuple[int, int, str] | None = None
    for order, (case, change) in enumerate(_CASES.items()):
        base = change(form)
        found = SequenceMatcher(None, base, lemma, autojunk=False).find_longest_match()
        if found.size:
            before, after = lemma[: found.b], lemma[found.b + found.size :]
            tail = len(base) - found.a - found.size
            cost = found.a + len(before) + tail + len(after)
            rule = f"{case} {found.a}-{before} {tail}+{after}"
            if best is None or (cost, order) < best[:2]:
                best = (cost, order, rule)
    if best is None or " " in lemma or (len(lemma) < 4 and best[0] > 2):
        return f"={lemma}"
    return best[2]


def lemma_by(rule: str, form: str) -> str:
    """What a rule makes of a form; the form itself, lower-cased, if it is too short for the rule."""
    if rule.startswith("="):
        return rule[1:] or "_"
    case, first, last = rule.split(" ")
    base = _CASES[case](form)
    n_before, _, before = first.partition("-")
    n_after, _, after = last.partition("+")
    left = len(base) - int(n_before) - int(n_after)
    if left < 0:
        return form.lower()
    return before + base[int(n_before) : int(n_before) + left] + after or form.lower()
