"""Where models are: files, those that come with fastparse, and those that are installed as packages."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.errors import Error, ModelFormatError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["AUTO", "BUNDLED", "DEFAULT", "GROUP", "Installed", "Model", "catalogue", "find", "installed", "models"]

DEFAULT = "en"
AUTO = "auto"  # no model but a choice among the installed ones
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


@dataclass(frozen=True)
class Model:
    """A model that there is, installed or not.

    Attributes:
        name: what `load` and -m take.
        language: the code of its language; empty if the model does not say.
        about: its language and treebank, in words.
        licence: what may be done with it, and whom to name.
        installed: whether `load` finds it.
        package: the distribution it comes with.
        path: of its file; None if it is not installed.
    """

    name: str
    language: str
    about: str
    licence: str
    installed: bool
    package: str
    path: str | None = None


def models() -> list[Model]:
    """The models that are installed, and those that can be: packages of their own, by language.

    Example:
        >>> [model.name for model in fastparse.models() if model.installed]   # doctest: +SKIP
        ['en', 'en-fast']
    """
    found = {one.name: _described(one) for one in installed().values()}
    for said in catalogue()["models"]:
        name = said["name"]
        found.setdefault(
            name, Model(name, said["language"], said["about"], said["licence"], False, f"fastparse-model-{name}")
        )
    return list(found.values())


def _described(one: Installed) -> Model:
    """What the file of a model says of itself, without opening all of it as a parser."""
    record = record_of(one.path)
    about, licence = (str(record.get(key) or "") for key in ("about", "licence"))
    return Model(one.name, language_of(one.name, record), about, licence, True, one.package, one.path)


def record_of(path: str) -> dict[str, Any]:
    """What a model file says of how it came about; nothing if it cannot be read."""
    from fastparse.model.storage import read_container

    try:
        header = read_container(path).header
    except (ModelFormatError, OSError):
        return {}
    records = [header, *(header.get("components") or {}).values()]
    found: Any = next((part["record"] for part in records if isinstance(part, dict) and "record" in part), {})
    return found if isinstance(found, dict) else {}


def language_of(name: str, record: dict[str, Any]) -> str:
    """The code of the language of a model: what it says, or else the beginning of its name, if that is one."""
    code = record.get("language")
    if isinstance(code, str):
        return code
    begin = name.partition("-")[0]
    return begin if begin in catalogue()["languages"] else ""


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """Languages by their code, with their names and profiles, and the models that have packages."""
    with open(BUNDLED / "catalogue.json", encoding="utf-8") as stream:
        found: dict[str, Any] = json.load(stream)
    return found


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
    given = DEFAULT if name is None else os.fspath(name) if isinstance(name, os.PathLike) else name
    if not isinstance(given, str):
        raise UnknownNameError(f"a model is a path or a name, not {name!r}")
    if given == AUTO:
        raise Error(
            "'auto' chooses a model for each document, and one model is needed here: name it (`fastparse models` lists "
            "them), or let fastparse.load('auto') parse"
        )
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
    if not close:
        close = _of_language(given, list(known))
    meant = f" Did you mean {close[0]!r}?" if close else ""
    names = ", ".join(map(repr, known)) or "none"
    raise UnknownNameError(
        f"there is no model {given!r}: expected the path of a file that fastparse train wrote, or the name of an "
        f"installed one ({names}).{meant}"
    )


def _of_language(given: str, known: list[str]) -> list[str]:
    """The installed models of a language, if one is meant; raises UnknownNameError that says how to get one."""
    begin = given.partition("-")[0].lower()
    named = {said["name"].lower(): code for code, said in catalogue()["languages"].items()}
    code = begin if begin in catalogue()["languages"] else named.get(given.lower())
    if code is None:
        return []
    if found := sorted(name for name in known if name.partition("-")[0] == code):
        return found
    language = catalogue()["languages"][code]["name"]
    packages = [said["name"] for said in catalogue()["models"] if said["language"] == code]
    if packages:
        name = packages[0]
        raise UnknownNameError(
            f"the model {name!r} ({language}) is not installed: it is the package fastparse-model-{name} (in the "
            f"repository of fastparse: pip install ./models/{name}). `fastparse models` lists what is there."
        )
    raise UnknownNameError(
        f"there is no model {given!r}, and no package of one for {language}. Learn one from a treebank: fastparse "
        f"train TRAIN.conllu --dev DEV.conllu --language {code} -o {code}.fp, then load it by its path."
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
