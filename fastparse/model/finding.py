"""Where models are: files, those that come with fastparse, and those that are installed as packages."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from fastparse.errors import UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["BUNDLED", "DEFAULT", "GROUP", "Installed", "find", "installed"]

DEFAULT = "en"
GROUP = "fastparse_models"  # of entry points: name of the model = package that holds NAME.fp
BUNDLED = Path(__file__).parent


@dataclass(frozen=True)
class Installed:
    """A model that has a name.

    Attributes:
        name: what `load` and -m take.
        path: of the file.
        package: the distribution it came with, with its version.
    """

    name: str
    path: str
    package: str


def installed() -> dict[str, Installed]:
    """The models that have a name, by it: those that come with fastparse first, which no package can replace."""
    from importlib.metadata import entry_points

    found = {path.stem: Installed(path.stem, str(path), "fastparse") for path in sorted(BUNDLED.glob("*.fp"))}
    for point in sorted(entry_points(group=GROUP)):
        path = _file_of(point)
        if path is not None:
            version = "" if point.dist is None else f"{point.dist.name} {point.dist.version}"
            found.setdefault(point.name, Installed(point.name, path, version))
    return found


def find(name: str | os.PathLike[str] | None) -> str:
    """The path of a model file.

    Args:
        name: a path, a name, or None for the default.

    Raises:
        UnknownNameError: if there is no such model.
    """
    given = DEFAULT if name is None else os.fspath(name)
    if not isinstance(given, str):
        raise UnknownNameError(f"a model is a path or a name, not {name!r}")
    folder = os.path.isdir(given)  # which is no model, and hides none that has its name
    if os.path.exists(given) and not folder:
        return given
    bundled = BUNDLED / f"{given}.fp"
    if bundled.parent == BUNDLED and bundled.is_file():
        return str(bundled)
    from difflib import get_close_matches

    known = installed()
    if given in known:
        return known[given].path
    if folder:
        return given
    close = get_close_matches(given, list(known), n=1)
    meant = f" Did you mean {close[0]!r}?" if close else ""
    names = ", ".join(map(repr, known)) or "none"
    raise UnknownNameError(
        f"there is no model {given!r}: expected the path of a file that fastparse train wrote, or the name of an "
        f"installed one ({names}).{meant}"
    )


def _file_of(point: EntryPoint) -> str | None:
    """The model of a package, without importing anything of it."""
    if not re.fullmatch(r"\w+", point.value) or not re.fullmatch(r"[\w.-]+", point.name):
        return None
    try:
        found = find_spec(point.value)
    except (ImportError, ValueError):
        return None
    for folder in (found and found.submodule_search_locations) or ():
        path = os.path.join(folder, f"{point.name}.fp")
        if os.path.isfile(path):
            return path
    return None
