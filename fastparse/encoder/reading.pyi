from typing import Any

import numpy as np

from fastparse.corpus.strings.index import distinct_triples as distinct_triples
from fastparse.corpus.treebank import Treebank
from fastparse.encoder.forms import Forms as Forms
from fastparse.encoder.inputs import FIRST as FIRST
from fastparse.encoder.inputs import ROOT as ROOT
from fastparse.encoder.inputs import Inputs, Own
from fastparse.encoder.inputs import Words as Words
from fastparse.encoder.inputs import feature_strings as feature_strings

class WordReader:
    def __init__(self, inputs: Inputs) -> None: ...
    def words(self, treebank: Treebank, own: Own = False) -> Words: ...

def joined(
    form_ids: np.ndarray[Any, Any],
    form_ends: np.ndarray[Any, Any],
    forms: np.ndarray[Any, Any],
    tag_ids: np.ndarray[Any, Any],
    tag_ends: np.ndarray[Any, Any],
    tags: np.ndarray[Any, Any],
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
