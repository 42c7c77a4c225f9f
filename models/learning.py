"""From a recipe to a model: the components, each learnt from the files that the recipe names."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import fastparse
from fastparse.annotate.components import PARSER, TOKENIZER
from models.recipes import Part, Recipe

__all__ = ["learn", "parts_of"]


def parts_of(folder: Path, names: tuple[str, ...]) -> Any:
    """The sentences of some parts of files, as one treebank."""
    return fastparse.read_conllu(b"".join(Part.of(name).read(folder).to_bytes() for name in names))


def learn(recipe: Recipe, folder: Path, target: Path, **options: Any) -> fastparse.Parser:
    """Learn the model of a language and write it; a training that was interrupted goes on from its checkpoints.

    Args:
        folder: of the treebanks.
        target: the model file; the checkpoints lie beside it until it is there.
        options: of `fastparse.train`, in place of the recipe's.
    """
    asked: dict[str, Any] = {
        "dev": fastparse.read_conllu(folder / "dev.conllu"), "encoder": recipe.size, "teachers": recipe.teachers,
        "system": recipe.system, "licence": recipe.terms, "about": recipe.about,
        "language": recipe.code, **options,
    }  # fmt: skip
    checkpoints = []

    def step(files: tuple[str, ...], components: tuple[str, ...], **more: Any) -> Any:
        checkpoint = target.with_suffix(f".{components[0]}.checkpoint")
        checkpoints.append(checkpoint)
        return fastparse.train(
            parts_of(folder, files), components=components, checkpoint=os.fspath(checkpoint), **{**asked, **more}
        )._annotator

    train = parts_of(folder, recipe.train)
    wanted = tuple(name for name in _components(train) if name != TOKENIZER)
    found = None
    if recipe.tokenizer is None:
        wanted = (TOKENIZER, *wanted)
    elif recipe.tokenizer:
        found = step(recipe.tokenizer, (TOKENIZER,))
    if recipe.parser:
        rest = step(recipe.train, tuple(name for name in wanted if name != PARSER))
        parser = step((*recipe.train, *recipe.parser), (PARSER,), tags="predicted")
        rest = rest.with_part(parser.get(PARSER))
    else:
        rest = step(recipe.train, wanted)
    if found is not None:
        rest = rest.with_part(found.get(TOKENIZER))
    made = fastparse.Parser(rest)
    made.save(target)
    for checkpoint in checkpoints:
        checkpoint.unlink(missing_ok=True)
    return made


def _components(treebank: Any) -> tuple[str, ...]:
    from fastparse.learning.components import chosen_components

    return chosen_components(None, treebank)
