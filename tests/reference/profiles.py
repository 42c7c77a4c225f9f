"""The profile of a text, a character at a time; see fastparse/model/profile.py."""

from __future__ import annotations

import math

WORD = (1 << 32) - 1


def naive_profile(text: str) -> list[int]:
    letters, blank = [" "], True
    for character in text:
        if character.isalpha() or _is_letter(character):
            letters += character.lower()
            blank = False
        elif not blank:
            letters.append(" ")
            blank = True
    if not blank or len(letters) == 1:
        letters.append(" ")
    if not text:
        letters = []
    counts = [0] * 4096
    for order in (1, 2, 3):
        for begin in range(len(letters) - order + 1):
            counts[place([ord(letter) for letter in letters[begin : begin + order]])] += 1
    total = sum(counts)  # 0 for no text
    shares = [(count + 0.5) / (total + 0.5 * 4096) for count in counts]
    return [min(255, round(-8 * math.log2(share))) for share in shares]


def _is_letter(character: str) -> bool:
    """What regular expressions take for part of a word, but for digits and the underscore."""
    return character.isalnum() and not character.isdecimal() and character != "_"


def place(codes: list[int]) -> int:
    value = codes[0] * 2654435761 & WORD
    for code in codes[1:]:
        value ^= value >> 15
        value = (value * 2246822519 + code * 3266489917) & WORD
    value ^= value >> 13
    value = value * 668265263 & WORD
    value ^= value >> 16
    return value % 4096
