"""The toy treebank, and small parsers trained on it."""

from functools import lru_cache
from pathlib import Path

import fastparse

TOY = Path(__file__).parent / "data" / "toy.conllu"


@lru_cache(maxsize=1)
def toy():
    return fastparse.read_conllu(TOY)


@lru_cache(maxsize=32)
def toy_parser(system="arc-eager", beam=4, **options):
    """Parsers never change, so tests may share them."""
    return fastparse.train(
        toy(),
        system,
        beam=beam,
        **{"iterations": 3, "components": ("parser",), "encoder": None, **options},
    )
