"""Folders that pip installs: a model, its card, its licence; and whether they agree with the recipes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import fastparse
from fastparse.model.packaging import licence_files
from models.factory import CATALOGUE, HERE, packed_recipes, read_table
from models.recipes import RECIPES, Recipe

__all__ = ["DOCUMENT", "card", "faults", "is_of_use", "with_table", "write_package"]

DOCUMENT = HERE.parent / "docs/models.md"
_LEAST_LAS = 65.0
_MOST_BYTES = 3_000_000
_BEGIN, _END = "<!-- table: python -m models.factory table -->", "<!-- end of table -->"
_MEASURES = {"words": "words", "sentences": "sentences", "upos": "UPOS", "feats": "FEATS", "lemmas": "lemmas",
             "uas": "UAS", "las": "LAS"}  # fmt: skip


def is_of_use(row: dict[str, Any]) -> bool:
    """Whether a model is good enough to be shipped: by its trees from text, or of tokens where it has no tokenizer."""
    return bool(row.get("text", row["gold"])["las"] >= _LEAST_LAS)


def _package(recipe: Recipe) -> str:
    return f"fastparse_model_{recipe.code.replace('-', '_')}"


def write_package(recipe: Recipe, row: dict[str, Any], model: Path, folder: Path) -> None:
    """The folder of a model; the same model and scores give the same bytes."""
    inner = folder / _package(recipe)
    inner.mkdir(parents=True, exist_ok=True)
    (inner / f"{recipe.code}.fp").write_bytes(model.read_bytes())
    for path, text in _texts(recipe, row).items():
        (folder / path).write_text(text, encoding="utf-8")


def _texts(recipe: Recipe, row: dict[str, Any]) -> dict[str, str]:
    """The files of a folder but for the model."""
    code, package = recipe.code, _package(recipe)
    licences = licence_files(recipe.terms)
    return {
        "README.md": card(recipe, row),
        "pyproject.toml": f"""[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "fastparse-model-{code}"
version = "1.0"
description = {json.dumps(f"{recipe.language}: a model of fastparse", ensure_ascii=False)}
readme = "README.md"
requires-python = ">=3.10"
license-files = {json.dumps(sorted(licences))}
dependencies = ["fastparse-nlp>={_release(row["fastparse"])}"]

[project.entry-points.fastparse_models]
{code} = "{package}"

[tool.setuptools]
packages = ["{package}"]

[tool.setuptools.package-data]
{package} = ["*.fp"]
""",
        f"{package}/__init__.py": f'"""The model {code!r} of fastparse: fastparse.load({code!r})."""\n',
        **licences,
    }  # fmt: skip


def _release(version: str) -> str:
    found = re.match(r"[\d.]*\d", version)
    assert found, version
    return found.group()


def card(recipe: Recipe, row: dict[str, Any]) -> str:
    """What people should know of a model."""
    rival = read_table(HERE / "udpipe.json").get(recipe.code, {})
    lines = [
        f"# {recipe.language}: the model `{recipe.code}` of fastparse",
        "",
        f"It {_does(row)}. It has learnt from {row['words']:,} words: {recipe.kinds}.",
        "",
        "```python",
        f"fastparse.load({recipe.code!r}){_call(recipe)}",
        "```",
        "",
        f"- language: {recipe.language} (`{recipe.code}`)",
        *(f"- treebank: {source}" for source in recipe.sources),
        f"- licence: {recipe.licence}; name the authors of the treebanks, as above",
        f"- bad at: {recipe.bad_at}",
        f"- made by: `python -m models.factory train {recipe.code}`, fastparse {row['fastparse']}; encoder "
        f"{row['size']}" + (f", {row['teachers']} teachers" if row["teachers"] else ""),
        f"- size: {row['bytes'] / 1e6:.1f} MB; SHA-256 of the model: {row['sha256']}",
        f"- speed: about {row['words_per_second']:,} words a second on one core, tags included",
        "",
        f"Scores on the {row['dev']:,} words of dev.conllu, with its own tags, beside those of UDPipe 1 learnt from "
        f"the train.conllu of the same folder:",
        "",
        f"| | {' | '.join(_MEASURES.values())} |",
        f"|---|{'---:|' * len(_MEASURES)}",
    ]
    for part, name in (("text", "from text"), ("gold", "from tokens")):
        for who, scores in (("", row.get(part)), (", UDPipe", rival.get(part))):
            if scores:
                cells = " | ".join(f"{scores[measure]:.2f}" for measure in _MEASURES)
                lines.append(f"| {name}{who} | {cells} |")
    return "\n".join([*lines, ""])


def _does(row: dict[str, Any]) -> str:
    whole = "splits running text into sentences and words, tags them and draws their trees"
    return (
        whole if "text" in row else "tags words and draws their trees; it does not split running text, but takes words"
    )


def _call(recipe: Recipe) -> str:
    return f".parse_text({recipe.example!r})" if recipe.has_text else f".parse([{recipe.example!r}.split()])"


def with_table(document: str, scores: dict[str, Any]) -> str:
    """A document with the table of languages between its marks."""
    rivals = read_table(HERE / "udpipe.json")
    rows = [
        "| | language | words | tokens | sentences | UPOS | LAS | UPOS, tokens given | LAS, tokens given | MB | "
        "words/s | licence |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for code, recipe in sorted(RECIPES.items()):
        row, rival = scores.get(code), rivals.get(code, {})
        if row is None:
            rows.append(f"| `{code}` | {recipe.language} |" + " |" * 9 + f" {recipe.licence} |")
            continue
        cells = [
            _beside(row, rival, part, measure)
            for part, measure in (("text", "tokens"), ("text", "sentences"), ("text", "upos"), ("text", "las"),
                                  ("gold", "upos"), ("gold", "las"))
        ]  # fmt: skip
        rows.append(
            f"| `{code}` | {recipe.language} | {row['words']:,} | {' | '.join(cells)} | {row['bytes'] / 1e6:.1f} | "
            f"{row['words_per_second']:,} | {recipe.licence} |"
        )
    before, begin, rest = document.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise SystemExit(f"{DOCUMENT} has no place for the table: {_BEGIN} .. {_END}")
    return f"{before}{_BEGIN}\n\n" + "\n".join(rows) + f"\n\n{_END}{after}"


def _beside(row: dict[str, Any], rival: dict[str, Any], part: str, measure: str) -> str:
    """A score, with UDPipe's in brackets."""
    ours, theirs = row.get(part, {}).get(measure), rival.get(part, {}).get(measure)
    return "-" if ours is None else f"{ours:.1f}" + ("" if theirs is None else f" ({theirs:.1f})")


def faults(recipes: list[Recipe], scores: dict[str, Any], into: Path) -> list[str]:
    """What does not agree, a line each."""
    found = []
    if with_table(DOCUMENT.read_text("utf-8"), scores) != DOCUMENT.read_text("utf-8"):
        found.append("docs/models.md: its table is not that of models/scores.json: python -m models.factory table")
    known = {said["name"]: said for said in json.loads(CATALOGUE.read_text("utf-8"))["models"]}
    packed = [one.code for one in packed_recipes(HERE)]
    for one in recipes:
        said = known.get(one.code)
        told = None if said is None else (said["about"], said["licence"])
        if told != ((one.about, one.licence) if one.code in packed else None):
            found.append(f"{one.code}: the catalogue says something else: python -m models.factory catalogue")
        if (into / one.code).exists():
            found += [f"{one.code}: {fault}" for fault in _faults_of(one, scores.get(one.code), into / one.code)]
    return found


def _faults_of(recipe: Recipe, row: dict[str, Any] | None, folder: Path) -> list[str]:
    path = folder / _package(recipe) / f"{recipe.code}.fp"
    if row is None:
        return ["it has a package and no scores"]
    found = [
        f"{name} is not what the recipe and the scores make"
        for name, text in _texts(recipe, row).items()
        if not (folder / name).exists() or (folder / name).read_text("utf-8") != text
    ]
    if not path.exists():
        return [*found, f"{path.name} is missing"]
    if path.stat().st_size > _MOST_BYTES:
        found.append(f"{path.name} has {path.stat().st_size:,} bytes, more than {_MOST_BYTES:,}")
    parser = fastparse.load(path, verify=True)
    if parser.sha256 != row["sha256"]:
        found.append("the scores are those of another model")
    if parser.info.get("language") != recipe.code or parser.info.get("licence") != recipe.terms:
        found.append("the model says another language or licence than the recipe")
    if recipe.has_text:
        parsed = parser.parse_text(recipe.example)
    else:
        parsed = parser.parse(fastparse.Treebank.from_columns(recipe.example.split()))
    if len(parsed) != 1 or 0 not in parsed[0].heads:
        found.append(f"its example is parsed as {len(parsed)} sentences")
    return found
