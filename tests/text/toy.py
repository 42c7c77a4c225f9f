"""An invented treebank with spacing, paragraphs, abbreviations and multiword tokens, and a tokenizer learnt from it."""

from __future__ import annotations

from functools import cache
from random import Random

from fastparse.text.tokenizer import Tokenizer

NAMES = ("Anna", "Bo", "Ida", "Mr. Lund", "Dr. Moe", "Mrs. Holt", "Kim")
VERBS = ("sees", "reads", "likes", "doesn't like", "can't find", "buys", "sells")
THINGS = ("books", "the old boat", "3.5 apples", "a well-known song", "it", "the U.S. market", "12,000 stamps",
          "www.toy.example", "a house (red)", "the word \"yes\"")  # fmt: skip
ENDS = (".", ".", ".", "!", "?", "...")
WORDS = {"doesn't": ("does", "n't"), "can't": ("ca", "n't")}
ABBREVIATIONS = {"Mr.", "Dr.", "Mrs.", "U.S."}


def conllu(n: int = 400, seed: int = 7) -> bytes:
    """Sentences in CoNLL-U; two to five make a paragraph."""
    random = Random(seed)
    lines: list[str] = []
    left = 0
    for _ in range(n):
        if left == 0:
            lines.append("# newpar")
            left = random.randrange(2, 6)
        left -= 1
        text = f"{random.choice(NAMES)} {random.choice(VERBS)} {random.choice(THINGS)}"
        if random.random() < 0.3:
            text += f", and {random.choice(NAMES)} {random.choice(VERBS)} {random.choice(THINGS)}"
        end = random.choice(ENDS) if left else "."
        lines += rows([*_tokens(text), (end, " ")])
    return "\n".join(lines).encode() + b"\n"


def _tokens(text: str) -> list[tuple[str, str]]:
    """Forms and what follows each; the last of the text is followed by its mark."""
    found: list[tuple[str, str]] = []
    for chunk in text.split(" "):
        parts = [chunk]
        if chunk not in ABBREVIATIONS:
            for mark in '(")':
                if parts[-1].startswith(mark) and len(parts[-1]) > 1:
                    parts[-1:] = [mark, parts[-1][1:]]
            tail = []
            while len(parts[-1]) > 1 and parts[-1][-1] in ',)"':
                tail.insert(0, parts[-1][-1])
                parts[-1] = parts[-1][:-1]
            parts += tail
            if "-" in parts[0]:
                first, second = parts[0].split("-")
                parts[:1] = [first, "-", second]
        found += [(part, "") for part in parts[:-1]] + [(parts[-1], " ")]
    found[-1] = (found[-1][0], "")
    return found


def rows(tokens: list[tuple[str, str]]) -> list[str]:
    """The lines of a sentence, with a blank one at the end."""
    lines, number = [], 1
    for form, after in tokens:
        misc = "_" if after else "SpaceAfter=No"
        words = WORDS.get(form, ())
        if words:
            lines.append(f"{number}-{number + len(words) - 1}\t{form}\t_\t_\t_\t_\t_\t_\t_\t{misc}")
        for word in words or (form,):
            tree = f"{number - 1}\t{'root' if number == 1 else 'dep'}"
            lines.append(f"{number}\t{word}\t_\tX\t_\t_\t{tree}\t_\t{'_' if words else misc}")
            number += 1
    return [*lines, ""]


@cache
def tokenizer() -> Tokenizer:
    """A tokenizer that knows the toy language."""
    return Tokenizer.train(conllu(), passes=4, variants=1)


class Pieces:
    """A text that comes in pieces, as a source of a stream."""

    def __init__(self, name, pieces):
        self.name, self._pieces = name, pieces

    def pieces(self):
        return iter(self._pieces)
