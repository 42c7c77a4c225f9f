"""How wide text is, in terminal cells and in ems, without asking a font."""

import unicodedata

# Ems of DejaVu Sans, wider than most fonts a browser would take instead; characters not listed count as _LETTER.
_EMS = {
    0.34: "'.,:;|!ijlI ()[]/\\-`·",
    0.45: 'fjrt"*',
    0.98: "mwMWQ@%&+=<>~—…",
    0.8: "ABCDEFGHKNOPRSTUVXYZ_#",
}
_EM = {character: em for em, characters in _EMS.items() for character in characters}
_LETTER, _WIDE, _OTHER_SCRIPT = 0.64, 1.05, 0.8


def is_wide(character: str) -> bool:
    """Whether a character takes two cells in a terminal."""
    return unicodedata.east_asian_width(character) in "WF"


def is_mark(character: str) -> bool:
    """Whether a character is drawn upon the one before it, or not at all."""
    return unicodedata.category(character) in ("Mn", "Me", "Cf")


def cells(text: str) -> int:
    """Width of a text in terminal cells."""
    return sum(0 if is_mark(character) else 2 if is_wide(character) else 1 for character in text)


def pixels(text: str, size: int) -> int:
    """Width of a text in a sans-serif font of the given size; rather too much than too little."""
    return round(size * sum(map(_ems, text))) + 1


def _ems(character: str) -> float:
    if is_mark(character):
        return 0.0
    if is_wide(character):
        return _WIDE
    # Latin, Greek and Cyrillic, and punctuation; letters with an accent are as wide as those without.
    base = unicodedata.normalize("NFD", character)[0]
    return _EM.get(base, _LETTER if base < "\u0530" or "\u2000" <= base < "\u2070" else _OTHER_SCRIPT)
