"""From treebanks to models, cards and packages: python -m models.factory STEP [LANGUAGE...]

    train       learn the models that are not there yet; what was stopped goes on
    score       measure them on the development treebanks (models/scores.json)
    package     make the folder of each, which pip installs (models/CODE)
    table       write the table of docs/models.md
    languages   tell how well languages are told apart
    catalogue   write what fastparse knows of languages (fastparse/model/catalogue.json)
    check       tell what does not agree, or does not parse

Without a language all of them are meant.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from models.recipes import OTHERS, RECIPES, Recipe, recipes_of

HERE = Path(__file__).parent
SCORES = HERE / "scores.json"
CATALOGUE = HERE.parent / "fastparse/model/catalogue.json"


def read_table(path: Path) -> dict[str, Any]:
    """What a table says of each language; nothing if it is not there."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def write_table(path: Path, rows: dict[str, Any]) -> None:
    """A row a language, in the order of their codes."""
    lines = (f"{json.dumps(code)}: {json.dumps(row, ensure_ascii=False)}" for code, row in sorted(rows.items()))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def train(args: argparse.Namespace) -> int:
    """Learn the models that are not there yet; what was stopped goes on."""
    from models.learning import learn

    missing = [one for one in recipes_of(args.languages) if not _model(args, one).exists()]
    args.work.mkdir(parents=True, exist_ok=True)
    if args.jobs > 1 and len(missing) > 1:
        return _side_by_side(args, missing)
    changed = {"encoder": args.size, "teachers": args.teachers, "system": args.system, "threads": args.threads}
    given = {name: value for name, value in changed.items() if value is not None}
    for one in missing:
        print(f"{one.code}: {one.language}, {one.folder}", flush=True)
        made = learn(one, args.data / one.folder, _model(args, one), progress=_told, **given)
        print(f"{one.code}: {made!r}", flush=True)
    return 0


def _model(args: argparse.Namespace, recipe: Recipe) -> Path:
    found: Path = args.work / f"{recipe.code}.fp"
    return found


def _told(event: Any) -> None:
    from fastparse.learning.progress import Passing

    if not isinstance(event, Passing):
        print(f"  {event}", flush=True)


def _side_by_side(args: argparse.Namespace, recipes: list[Recipe]) -> int:
    """A process a language, so many at a time; what each says lies beside its model."""
    names = ("data", "work", "size", "teachers", "system", "threads")
    options = [f"--{name}={getattr(args, name)}" for name in names if getattr(args, name) is not None]
    waiting, running, failed = list(recipes), dict[str, subprocess.Popen[bytes]](), False
    while waiting or running:
        while waiting and len(running) < args.jobs:
            code = waiting.pop(0).code
            command = [sys.executable, "-m", "models.factory", "train", code, *options]
            with (args.work / f"{code}.log").open("ab") as log:
                running[code] = subprocess.Popen(command, stdout=log, stderr=log)
            print(f"{code}: begun", flush=True)
        time.sleep(0.5)
        for code in [code for code, process in running.items() if process.poll() is not None]:
            wrong = running.pop(code).returncode != 0
            failed |= wrong
            print(f"{code}: {'failed, see its log' if wrong else 'done'}", flush=True)
    return int(failed)


def score(args: argparse.Namespace) -> int:
    """Measure the models that are there on the development treebanks, for models/scores.json."""
    from models.scoring import measured

    for one in recipes_of(args.languages):
        if _model(args, one).exists():
            row = measured(one, args.data / one.folder, _model(args, one))
            write_table(args.scores, {**read_table(args.scores), one.code: row})
            print(f"{one.code}: {row}", flush=True)
    return 0


def package(args: argparse.Namespace) -> int:
    """Make the folder of each model that is there and has been scored, if it is good enough to be of use."""
    from models.packages import is_of_use, write_package

    scores = read_table(args.scores)
    for one in recipes_of(args.languages):
        if one.code in scores and _model(args, one).exists():
            if is_of_use(scores[one.code]):
                write_package(one, scores[one.code], _model(args, one), args.into / one.code)
            else:
                print(f"{one.code}: its scores are too low: it stays a recipe")
    return 0


def table(args: argparse.Namespace) -> int:
    """Write the table of docs/models.md."""
    from models.packages import DOCUMENT, with_table

    DOCUMENT.write_text(with_table(DOCUMENT.read_text("utf-8"), read_table(args.scores)), encoding="utf-8")
    return 0


def packed_recipes(into: Path) -> list[Recipe]:
    """Those with a package in a folder; all while there are no packages yet."""
    packed = [one for one in RECIPES.values() if (into / one.code).is_dir()]
    return packed or list(RECIPES.values())


def catalogue(args: argparse.Namespace) -> int:
    """Write what fastparse knows of languages: their names, profiles and packages."""
    from fastparse.model.profile import packed, profile_of
    from models.learning import parts_of

    folders = {one.code: (one.language, one.folder, one.train) for one in RECIPES.values()}
    folders |= {code: (*known, ("train.conllu",)) for code, known in OTHERS.items()}
    languages = {}
    for code, (name, folder, files) in sorted(folders.items()):
        profile = packed(profile_of(parts_of(args.data / folder, files).to_text()))
        languages[code] = {"name": name, "profile": profile}
    models = [
        {"name": one.code, "language": one.code, "about": one.about, "licence": one.licence}
        for one in packed_recipes(args.into)
    ]  # fmt: skip
    text = json.dumps({"languages": languages, "models": models}, ensure_ascii=False, indent=1)
    CATALOGUE.write_text(f"{text}\n", encoding="utf-8")
    return 0


def languages(args: argparse.Namespace) -> int:
    """Tell how often the language of a document of 20 words or more is told right, by what the catalogue has."""
    from models.scoring import told_apart

    folders = {one.code: one.folder for one in RECIPES.values()} | {code: known[1] for code, known in OTHERS.items()}
    chosen = {code: args.data / folders[code] for code in args.languages or folders}
    named = set(folders.values())
    others = sorted(path.parent for path in args.data.glob("*/dev.conllu") if path.parent.name not in named)
    right = n = 0
    for code, found in told_apart(chosen).items():
        right, n = right + found[code], n + found.total()
        wrong = ", ".join(f"{name or 'none'} {k}" for name, k in found.most_common() if name != code)
        print(f"{code}: {found[code]} of {found.total()}{': ' * bool(wrong)}{wrong}")
    print(f"{right} of {n} documents, {right / n:.2%}")
    for name, found in told_apart({path.name: path for path in others}).items():
        print(f"{name}: {', '.join(f'{code or chr(45)} {k / found.total():.0%}' for code, k in found.most_common(4))}")
    return 0


def check(args: argparse.Namespace) -> int:
    """Tell what of recipes, tables, cards and packages does not agree, and which model does not parse its example."""
    from models.packages import faults

    found = faults(recipes_of(args.languages), read_table(args.scores), args.into)
    print("\n".join(found) if found else "everything agrees")
    return int(bool(found))


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m models.factory", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    steps = parser.add_subparsers(metavar="STEP", required=True)
    made = {}
    for run in (train, score, package, table, languages, catalogue, check):
        made[run] = command = steps.add_parser(run.__name__, help=run.__doc__, description=run.__doc__)
        add = command.add_argument
        command.set_defaults(run=run)
        add("languages", nargs="*", metavar="LANGUAGE", help="codes (default: all recipes)")
        add("--data", type=Path, default=Path("treebanks"), metavar="DIR", help="treebanks (default: %(default)s)")
        add("--work", type=Path, default=Path("build/models"), metavar="DIR",
            help="models, and trainings under way (default: %(default)s)")  # fmt: skip
        add("--scores", type=Path, default=SCORES, metavar="FILE", help="(default: models/scores.json)")
        add("--into", type=Path, default=HERE, metavar="DIR", help="folders of packages (default: models)")
    add = made[train].add_argument
    add("--jobs", type=int, default=1, metavar="N", help="languages at the same time")
    add("--threads", type=int, metavar="N", help="of each training")
    add("--size", help="of the encoder, in place of the recipe's")
    add("--teachers", type=int, metavar="N", help="in place of the recipe's")
    add("--system", metavar="NAME", help="in place of the recipe's")
    return parser


def main(given: list[str] | None = None) -> int:
    args = _arguments().parse_args(given)
    return int(args.run(args))


if __name__ == "__main__":
    sys.exit(main())
