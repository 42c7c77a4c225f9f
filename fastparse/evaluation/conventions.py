"""The scoring conventions: which words count, and how much of a label is compared.

convention   words that count                              labels
ud           all                                           the part before the first colon
conllx       those whose gold form is not all punctuation  whole
all          all                                           whole

"ud" is what the shared tasks on Universal Dependencies measure, "conllx" what those of 2006 and 2007 measured.
Punctuation is Unicode's category P, so that "$", "+" and "<" (category S) count under every convention.
"""

from unicodedata import category

from fastparse.errors import UnknownNameError

CONVENTIONS = {
    "ud": "labels without subtypes, punctuation counts",
    "conllx": "whole labels, words of punctuation alone left out",
    "all": "whole labels, every word counts",
}

# What CLAS counts: every universal relation but those of function words and punctuation.
CONTENT_RELATIONS = frozenset(
    {
        "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse",
        "dislocated", "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl",
        "orphan", "parataxis", "reparandum", "root", "vocative", "xcomp",
    }
)  # fmt: skip


def check_convention(name: str) -> str:
    """Return `name`, or say which conventions there are."""
    if name not in CONVENTIONS:
        raise UnknownNameError(f"unknown convention {name!r}: expected one of {', '.join(map(repr, CONVENTIONS))}")
    return name


def universal(label: str) -> str:
    """The label without its subtype: ``nsubj`` of ``nsubj:pass``."""
    return label.partition(":")[0]


def is_punctuation(form: str) -> bool:
    """Whether every character of a form is punctuation (Unicode category P); an empty form is not."""
    return form != "" and all(category(character)[0] == "P" for character in form)
