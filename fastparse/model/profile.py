"""What the texts of a language look like: how often groups of one to three characters occur, in 4,096 bytes.

Characters are letters in small form; everything else between them counts as one blank, which is a character, too. So
the short words that every text has are groups as well. A group is hashed to one of 4,096 places, and a profile has a
byte for each: how many bits it takes to say that such a group comes next, in eighths. The language of a text is the one
whose profile needs the fewest bits for it.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from fastparse.errors import Error

__all__ = ["READ", "Profiles", "packed", "profile_of", "unpacked"]

READ = 300  # characters of a document that are looked at
_PLACES = 4096
_BITS = 8  # parts of a bit
_LONGEST = 3  # characters of a group
_LEAST = 0.5  # is added to the count of each place
_NO_LETTERS = re.compile(r"[\W\d_]+")
_FACTORS = tuple(map(np.uint32, (2654435761, 2246822519, 3266489917, 668265263)))
_PIECE = 1 << 20  # characters at a time
_ENOUGH_GROUPS = 12  # a few letters
_MOST_MORE = 0.22  # of the way from the bits that a usual group takes to those that groups at random would take


def _groups(text: str) -> np.ndarray[Any, Any]:
    """The places of all groups of characters of a text."""
    letters = f" {_NO_LETTERS.sub(' ', text).strip().lower()} "
    codes = np.frombuffer(letters.encode("utf-32-le", "surrogatepass"), "<u4")
    first, second, third, last = _FACTORS
    groups: list[np.ndarray[Any, Any]] = [codes * first]
    later = codes * third
    for order in range(1, _LONGEST):
        before = groups[-1][:-1]
        groups.append((before ^ (before >> np.uint32(15))) * second + later[order:])
    found = np.concatenate(groups)
    found ^= found >> np.uint32(13)
    found *= last
    found ^= found >> np.uint32(16)
    found &= np.uint32(_PLACES - 1)
    return found


def profile_of(text: str) -> np.ndarray[Any, Any]:
    """The profile of a language, uint8, from a text of it; the longer, the better."""
    counts = np.zeros(_PLACES)
    for begin in range(0, len(text), _PIECE):
        counts += np.bincount(_groups(text[begin : begin + _PIECE]), minlength=_PLACES)
    share = (counts + _LEAST) / (counts.sum() + _LEAST * _PLACES)
    bits: np.ndarray[Any, Any] = np.minimum(np.rint(-_BITS * np.log2(share)), 255)
    return bits.astype(np.uint8)


def packed(profile: np.ndarray[Any, Any]) -> str:
    """A profile for JSON."""
    return base64.b64encode(zlib.compress(profile.tobytes(), 9)).decode("ascii")


def unpacked(text: Any) -> np.ndarray[Any, Any]:
    """The inverse, for what comes from outside; raises Error for what is no profile."""
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), _PLACES + 1)
    except (ValueError, TypeError, zlib.error):
        data = b""
    if len(data) != _PLACES:
        raise Error("the profile of its language is not what it must be")
    return np.frombuffer(data, np.uint8)


class Profiles:
    """Profiles of several languages, to choose among."""

    def __init__(self, profiles: Iterable[np.ndarray[Any, Any]]) -> None:
        self._bits = np.ascontiguousarray(np.stack(list(profiles), axis=1), np.float32)
        # Bits that a group may take in the mean; in the text a profile is made of it takes the usual ones.
        usual = (self._bits * np.exp2(-self._bits / _BITS)).sum(axis=0)
        self._most = usual + _MOST_MORE * (self._bits.mean(axis=0) - usual)

    def nearest(self, text: str) -> tuple[int, bool] | None:
        """The number of the profile that fits a text best, the first of equal ones, and whether it fits at all.

        None if there are hardly any letters.
        """
        groups = _groups(text[:READ])
        if len(groups) < _ENOUGH_GROUPS:
            return None
        bits = np.ones(len(groups), np.float32) @ self._bits.take(groups, axis=0)  # exact: these are whole numbers
        best = int(bits.argmin())
        return best, bool(bits[best] <= self._most[best] * len(groups))
