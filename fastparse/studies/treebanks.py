"""The treebanks of a study: files, or folders of folders that hold train.conllu and dev.conllu."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fastparse.corpus.reading import read_conllu
from fastparse.corpus.treebank import Treebank
from fastparse.errors import Error
from fastparse.evaluation.comparison import is_punctuation

# Names of treebanks that go by another name in the papers.
_LANGUAGES = {"Slovenian": "Slovene"}


class Source(NamedTuple):
    """One treebank file and the name it goes by."""

    name: str
    path: Path

    @property
    def language(self) -> str:
        """The language as the papers call it: what stands before the first hyphen."""
        language = re.split(r"[-_.]", self.name.removeprefix("UD_"))[0]
        return _LANGUAGES.get(language, language)

    def read(self) -> Treebank:
        return read_conllu(self.path)


def sources(paths: Iterable[Path], part: str = "train") -> list[Source]:
    """The files to study, sorted by name where a folder holds several.

    Args:
        paths: files; folders with a file `part`.conllu; folders of such folders.
        part: "train" or "dev".
    Raises:
        Error: if a folder has none.
    """
    found = []
    for path in paths:
        if not path.is_dir():
            name = path.parent.name if path.stem in ("train", "dev") and path.parent.name else path.stem
            found.append(Source(name, path))
            continue
        inside = list(_inside(path, f"{part}.conllu"))
        if not inside:
            raise Error(f"{path} holds no {part}.conllu, nor do the folders in it: give a file or another folder")
        found += inside
    return found


def _inside(folder: Path, name: str) -> Iterator[Source]:
    for path in (folder, *sorted(folder.iterdir())):
        if (path / name).is_file():
            yield Source(path.resolve().name, path / name)


def without_punctuation(treebank: Treebank) -> tuple[np.ndarray, np.ndarray]:
    """Heads and offsets of the trees without words of punctuation; their dependents go to the nearest word above."""
    punctuation = np.fromiter(map(is_punctuation, treebank.table("form")), bool)[treebank.ids("form")]
    lengths = np.diff(treebank.offsets)
    starts = np.repeat(treebank.offsets[:-1], lengths)
    root = treebank.n_words
    above = np.append(np.where(treebank.heads > 0, starts + treebank.heads - 1, root), root)
    leave = np.append(punctuation, False)
    # Each round jumps over one punctuation word; a tree has no cycle, so it ends.
    while (over := leave[above]).any():
        above = np.where(over, above[above], above)
    kept = np.cumsum(~punctuation)
    before = np.concatenate(([0], kept))
    offsets = before[treebank.offsets]
    place = np.append(kept - before[starts], 0)
    heads = place[above[:-1]][~punctuation].astype(np.int32)
    return heads, offsets
