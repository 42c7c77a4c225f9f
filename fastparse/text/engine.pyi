from typing import Any

import numpy as np

from fastparse.corpus.conllu.tokenization import Tokenization
from fastparse.text.cases import Cases
from fastparse.text.decisions import WeightTable
from fastparse.text.units import Characters

KINDS: int
SHAPES: int
FIRST_END_FEATURES: int
LONGEST_ENDING: int
RULE_WORDS: int
RULE_END: int
VERSION: int
MODES: dict[str, int]

class Engine:
    version: int
    characters: Characters
    gaps: np.ndarray[Any, Any]
    spaces: np.ndarray[Any, Any]
    ends: np.ndarray[Any, Any]
    tables: tuple[WeightTable, ...]
    lexicon: tuple[Any, ...]
    def __init__(
        self,
        characters: Characters,
        gaps: np.ndarray[Any, Any],
        spaces: np.ndarray[Any, Any],
        ends: np.ndarray[Any, Any],
        tables: tuple[WeightTable, ...],
        lexicon: tuple[Any, ...],
        least: int,
        version: int = ...,
    ) -> None: ...
    @property
    def least(self) -> int: ...
    def run(
        self, text: bytes, *, final: bool, mode: int, offsets: bool, place: int, new_paragraph: bool
    ) -> Tokenization: ...
    def run_each(self, texts: list[bytes], *, mode: int, offsets: bool) -> Tokenization: ...
    def spans(self, text: Any, *, mode: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
    def record(self, text: Any, marks: Any, cases: Cases) -> None: ...
    def count(
        self, text: Any, marks: Any
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
