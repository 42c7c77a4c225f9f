"""What templates read: attributes of words, and keys of states."""

import numpy as np

from fastparse.weights.building import table_of


def test_attributes(per_word, greedy, treebank):
    per_word(greedy._decoder.kind.values, treebank)


def test_extraction(per_word, greedy, treebank, search_of):
    """A greedy search with a model without any weight: extraction and one look per feature, but no row."""
    nothing = np.zeros(0, np.uint64), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32)
    tables = {name: table_of(table.width, table.for_moves, *nothing) for name, table in greedy._decoder.weights.items()}
    per_word(search_of(greedy, treebank, 1, greedy._decoder.kind.engine(tables)))
