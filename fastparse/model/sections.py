"""Components of a model in one container: what each of them says of itself, and its arrays.

The parser's section is the header itself, and its arrays have the names they have; so a file with a parser alone needs
nothing that tells of sections. The header of any other component stands under its name in `components`, and the names
of its arrays begin with its name and a slash.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from fastparse.errors import Error

__all__ = ["PARSER", "Section", "joined", "sections_of"]

PARSER = "parser"
_COMPONENTS = "components"


class Section(NamedTuple):
    """One component in a file.

    Attributes:
        header: for JSON.
        arrays: by name.
    """

    header: dict[str, Any]
    arrays: dict[str, np.ndarray[Any, Any]]


def joined(sections: Mapping[str, Section]) -> Section:
    """The header and the arrays of a container with these components; their names have no slash."""
    parser = sections.get(PARSER, Section({}, {}))
    header, arrays = dict(parser.header), dict(parser.arrays)
    others = {name: section for name, section in sections.items() if name != PARSER}
    for name, section in others.items():
        arrays |= {f"{name}/{key}": array for key, array in section.arrays.items()}
    if others:
        header[_COMPONENTS] = {name: section.header for name, section in others.items()}
    return Section(header, arrays)


def sections_of(header: dict[str, Any], arrays: Mapping[str, np.ndarray[Any, Any]]) -> dict[str, Section]:
    """The inverse of `joined`, for a container from outside; there is a parser's section if anything is left for it.

    Raises:
        Error: if the header does not name components as it must.
    """
    own = dict(header)
    found = own.pop(_COMPONENTS, {})
    if not isinstance(found, dict) or not all(isinstance(part, dict) for part in found.values()) or PARSER in found:
        raise Error("its components are not described as they must be")
    places: dict[str, dict[str, np.ndarray[Any, Any]]] = {name: {} for name in (*found, PARSER)}
    for key, array in arrays.items():
        name, slash, rest = key.partition("/")
        if slash and name in found:
            places[name][rest] = array
        else:
            places[PARSER][key] = array
    headers = {**found, **({PARSER: own} if own or places[PARSER] else {})}
    return {name: Section(part, places[name]) for name, part in headers.items()}
