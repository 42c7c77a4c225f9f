"""Whether arrays of a file can be those of a tokenizer; the compiled code trusts what has passed here."""

from __future__ import annotations

from typing import Any

import numpy as np

from fastparse.corpus.arrays import rises
from fastparse.errors import ModelFormatError
from fastparse.text.engine import KINDS, SHAPES
from fastparse.text.multiword import LONGEST_SUFFIX, MOST_WORDS

__all__ = ["check_lexicon", "check_states"]

_ADVICE = "Copy the model again, or train it again."


def check_states(gaps: Any, spaces: Any, ends: Any) -> None:
    """Raise ModelFormatError unless these are tables of certain gaps and ends."""
    sizes = {"gaps": KINDS * KINDS, "spaces": KINDS * KINDS, "ends": SHAPES * SHAPES * 2}
    for (name, size), array in zip(sizes.items(), (gaps, spaces, ends), strict=True):
        if not _is_row(array, np.uint8) or len(array) != size or int(array.max()) > 2:
            raise ModelFormatError(f"tokenizer: {name} is not a row of {size} numbers from 0 to 2. {_ADVICE}")


def check_lexicon(keys: Any, values: Any, rules: Any, starts: Any, longest: int) -> None:
    """Raise ModelFormatError unless these are the arrays of a lexicon."""
    fault = _fault(keys, values, rules, starts, longest)
    if fault is not None:
        raise ModelFormatError(f"tokenizer: the lexicon of multiword tokens is unusable: {fault}. {_ADVICE}")


def _is_row(array: Any, dtype: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == dtype and array.ndim == 1


def _fault(keys: Any, values: Any, rules: Any, starts: Any, longest: int) -> str | None:
    wanted = ((keys, np.uint64), (values, np.int32), (rules, np.uint8), (starts, np.int32))
    if not all(_is_row(array, dtype) for array, dtype in wanted):
        return "its arrays are not rows of the right numbers"
    n = len(keys)
    if n < 1 or n & (n - 1) or len(values) != n or len(starts) < 1:
        return "its sizes do not go together"
    if int((keys != 0).sum()) * 4 > n * 3:
        return "its keys leave too few places empty"
    if not 0 <= longest <= LONGEST_SUFFIX:
        return f"its longest suffix has {longest} characters, where 0 to {LONGEST_SUFFIX} are possible"
    if int(starts[0]) != 0 or int(starts[-1]) != len(rules) or not rises(starts):
        return "its rules do not follow one another"
    used = values[keys != 0]
    if len(used) and (used.min() < 0 or int((used >> 2).max()) >= max(1, len(starts) - 1) or (used & 3).max() > 2):
        return "its values point at no rule"
    if len(starts) == 1 and len(used) and (used & 3).max() > 0:
        return "its values point at rules where there are none"
    data = rules.tobytes()
    for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        fault = _fault_of_rule(data[begin:end])
        if fault:
            return fault
    return None


def _fault_of_rule(rule: bytes) -> str | None:
    if not 2 <= rule[0] <= MOST_WORDS:
        return f"a rule makes {rule[0]} words"
    at = 1
    for _ in range(rule[0]):
        at += 2
        for _ in range(3):
            if at >= len(rule) or at + 1 + rule[at] > len(rule):
                return "a rule ends before its words do"
            try:
                literal = rule[at + 1 : at + 1 + rule[at]].decode("utf-8")
            except UnicodeDecodeError:
                return "a rule holds bytes that are not UTF-8"
            if any(character.isspace() for character in literal):
                return "a rule holds white space"
            at += 1 + rule[at]
    return None if at == len(rule) else "a rule goes on after its words"
