"""From what a model file holds to what parses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fastparse.errors import Error
from fastparse.model.description import Description, EncoderDescription, SearchDescription
from fastparse.search.decoding import Decoder, is_beam
from fastparse.search.kind import Kind
from fastparse.search.kind_easy_first import EasyFirst
from fastparse.search.kind_encoder import EncoderSearch
from fastparse.search.kind_plain import Plain
from fastparse.search.kind_three_step import ThreeStep
from fastparse.search.systems import THREE_STEP

__all__ = ["assembled", "kind_of"]

# The systems that are not searched as the others are.
_KINDS: dict[str, type[Plain]] = {"easy-first": EasyFirst, THREE_STEP: ThreeStep}


def kind_of(description: SearchDescription) -> Kind:
    """The kind of search a model was trained for.

    Raises:
        Error: if search cannot do what the description asks.
    """
    if not is_beam(description.beam):
        raise Error(f"'beam' is {description.beam!r}, which it cannot be")
    if isinstance(description, EncoderDescription):
        return EncoderSearch(description)
    assert isinstance(description, Description)
    return _KINDS.get(description.system, Plain)(description)


def assembled(description: SearchDescription, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Decoder:
    """A decoder of weights from outside.

    Raises:
        Error: if description and weights cannot be used together.
    """
    kind = kind_of(description)
    return Decoder(kind, kind.weights(arrays))
