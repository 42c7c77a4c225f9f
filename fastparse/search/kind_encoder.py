"""Greedy search and beams over the transitions of a system, with scores from an encoder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fastparse.encoder.encoder import Encoder
from fastparse.encoder.inputs import GROUPS, Inputs, Own
from fastparse.encoder.reading import WordReader
from fastparse.errors import Error, ModelFormatError
from fastparse.model.seen import TAGS
from fastparse.search.encoded_labels import EncodedLabels
from fastparse.search.encoder_engine import EncoderEngine
from fastparse.search.systems import THREE_STEP, described_system, label_masks, require_searchable

if TYPE_CHECKING:
    import numpy as np

    from fastparse.corpus.treebank import Treebank
    from fastparse.encoder.inputs import Words
    from fastparse.model.description import EncoderDescription

__all__ = ["EncoderSearch", "require_encodable"]

_OTHERWISE = ("easy-first", THREE_STEP)  # systems that do not go from state to state


def require_encodable(name: str) -> None:
    """Raise Error for systems whose moves no encoder scores."""
    if name in _OTHERWISE:
        raise Error(f"{name!r} has no encoder: choose a system that moves from configuration to configuration")


class EncoderSearch:
    """See `Kind`. Weights are an `Encoder`.

    Attributes:
        system: what search runs.
    """

    def __init__(self, description: EncoderDescription) -> None:
        """Raises Error if the description names no system that search can run with an encoder."""
        self.description = description
        self.labels = EncodedLabels(description.labels, description.encoding)
        require_encodable(description.system)
        self.system = described_system(description)
        require_searchable(self.system)
        inputs = Inputs.from_dict(description.inputs)
        # One that knows no tags at all is meant to do without.
        self.columns = frozenset(TAGS if inputs.tag or inputs.feature else ())
        self._reader = WordReader(inputs)

    @property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.system.moves)

    def values(self, treebank: Treebank, own: Own = False) -> Words:
        return self._reader.words(treebank, own)

    def weights(self, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Encoder:
        try:
            encoder = Encoder(arrays, "the encoder")
        except ModelFormatError as error:
            raise Error(str(error)) from error
        if encoder.n_segments != len(GROUPS):
            raise Error(f"the encoder has {encoder.n_segments} tables of embeddings, not {len(GROUPS)}")
        self.loop(encoder)
        return encoder

    def arrays(self, weights: Encoder) -> dict[str, np.ndarray[Any, Any]]:
        return weights.to_arrays()

    def loop(self, weights: Encoder) -> EncoderEngine:
        root, inner = label_masks(self.description)
        return EncoderEngine(self.system, weights, root, inner, self.description.single_root)
