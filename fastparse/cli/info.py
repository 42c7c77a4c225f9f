"""Say what is in a model."""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

from fastparse.errors import Error

EXAMPLES = (
    ("fastparse info", "the model that parses by default"),
    ("fastparse info my.fp --json", "everything the file says of itself"),
)


PARSER = "parser"


def add_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("model", nargs="?", metavar="MODEL", help="a model file, or a name (default: en)")
    command.add_argument("--json", action="store_true", help="everything, as JSON")
    command.add_argument("--iterations", action="store_true", help="what every iteration of training reported")
    command.add_argument("--templates", action="store_true", help="print the feature templates alone")
    command.add_argument("--verify", action="store_true", help="check the SHA-256 of the file too")


def run(args: argparse.Namespace) -> None:
    from fastparse.model.finding import find
    from fastparse.parser import load

    parser = load(find(args.model), verify=args.verify)
    info = {**parser.info, "sha256": parser.sha256}
    if args.templates:
        if PARSER not in parser.components:
            raise Error(
                f"the model has no parser, and so no templates: its components are {', '.join(parser.components)}"
            )
        if "templates" not in info:
            raise Error(f"{args.model} has no feature templates: an encoder scores its moves")
        print(info["templates"], end="")
    elif args.json:
        print(json.dumps(info, indent=2, ensure_ascii=False, sort_keys=True))
    else:
        try:
            lines = _lines(info, os.stat(find(args.model)), args.iterations)
        except (LookupError, TypeError, ValueError, AttributeError):
            raise Error(
                f"{parser.path}: what the model says of itself is not what fastparse writes: see it with --json"
            ) from None
        print("\n".join(lines))


def _lines(info: dict[str, Any], file: os.stat_result, every: bool) -> list[str]:
    training, bank = info.get("training", {}), info.get("treebank") or {}
    parts = [info[name] for name in info["components"] if name != PARSER]
    about = info.get("about") or next((part["about"] for part in parts if part.get("about")), None)
    rows = [("about", about or "not stated: see the licence"), ("components", ", ".join(info["components"]))]
    for name in info["components"]:
        if name != PARSER:
            rows += _component_rows(name, info[name])
    if PARSER not in info["components"]:
        return _aligned([*rows, ("SHA-256", info["sha256"])])
    options = "".join(f", {name} {value}" for name, value in info["options"].items() if value is not None)
    near = f", states within {info['threshold']:,} of the best" if info["threshold"] else ""
    rows += [
        ("system", f"{info['system']}{options}"),
        ("search", "greedy" if info["beam"] == 1 else f"beam {info['beam']}{near}"),
        ("roots", "one per sentence" if info["single_root"] else "any number"),
        ("labels", f"{len(info['labels'])}: {' '.join(info['labels'])}"),
    ]
    if info["encoding"]:
        rows.append(("pseudo-projective", info["encoding"]))
    if bank:
        lost = "".join(f", {name.replace('_', ' ')} {bank[name]:,}" for name in sorted(bank) if name not in _SIZES)
        rows.append(("treebank", f"{bank['sentences']:,} sentences, {bank['words']:,} words{lost}"))
    if info.get("encoder"):
        inputs = info["inputs"]
        known = ", ".join(f"{inputs[name]:,} {name}s" for name in ("form", "affix", "tag", "feature"))
        rows.insert(3, ("encoder", f"{info['encoder']}, knows {known}".replace("affixs", "affixes")))
    rows += _reads(info)
    if info.get("missing"):
        rows.append(("not read", ", ".join(info["missing"])))
    mean = info.get("mean")
    if training:
        chosen = {name: value for name, value in training.items() if value is not None}
        rows.append(("training", ", ".join(f"{name.replace('_', ' ')} {chosen[name]}" for name in sorted(chosen))))
    rows += _iterations(info, mean, every)
    for side, iterations in info.get("passes", {}).items():
        if not iterations:
            rows.append((f"{side} pass", "not learnt: interrupted before"))
            continue
        last = iterations[-1]
        said = f"{last['updates']:,} updates in the last of {len(iterations)} iterations, {last['features']:,} features"
        rows.append((f"{side} pass", said))
    if info.get("cut_short"):
        cut = info["cut_short"]
        rows.append(("cut short", f"Ctrl-C in round {cut['iteration']} of the {cut['in']}"))
    if info.get("steps"):
        rows.append(("all three steps", f"dev UAS {info['steps']['uas']:.2f} LAS {info['steps']['las']:.2f}"))
    if mean:
        rows.append((f"mean of {mean['runs']} runs", f"dev UAS {mean['uas']:.2f} LAS {mean['las']:.2f}"))
    rows += [
        ("weights", f"{info['bytes']:,} bytes"),
        ("file", f"{file.st_size:,} bytes, written {time.strftime('%Y-%m-%d', time.gmtime(file.st_mtime))}"),
        ("made by", f"fastparse {info.get('fastparse', 'unknown')}"),
        ("licence", info.get("licence") or "not stated"),
        ("SHA-256", info["sha256"]),
    ]
    return _aligned(rows)


def _reads(info: dict[str, Any]) -> list[tuple[str, str]]:
    """The columns the parser expects, with what it has seen in them."""
    said = []
    for column, seen in info["reads"].items():
        values = seen["values"]
        kinds = "" if values is None else f", {len(values):,} values"
        said.append(f"{column.upper()} ({seen['share']:.0%} of words{kinds})" if seen["share"] else "")
    return [("reads", "; ".join(["FORM", *filter(None, said)]))]


def _iterations(info: dict[str, Any], mean: dict[str, Any] | None, every: bool) -> list[tuple[str, str]]:
    """What the iterations reported: all of them, or the one whose weights these are."""
    rows = []
    runs: list[dict[str, Any]] = list(info.get("iterations", ()))
    for number, row in enumerate(runs, start=1):
        name, best = f"iteration {number} of {len(runs)}", number == info.get("best_iteration") and not mean
        if mean:
            run, iteration = divmod(number - 1, info["training"]["iterations"])
            name = f"run {run + 1}, iteration {iteration + 1}"
        if every or best or (number == len(runs) and not mean and not info.get("best_iteration")):
            scores = f", dev UAS {row['uas']:.2f} LAS {row['las']:.2f}" if info.get("dev") else ""
            this = " (this one)" if best and every else ""
            rows.append((name, f"{row['updates']:,} updates, {row['features']:,} features{scores}{this}"))
    return rows


def _component_rows(name: str, record: dict[str, Any]) -> list[tuple[str, str]]:
    bank, scores = record.get("treebank") or {}, record.get("scores") or {}
    said = [f"{bank['sentences']:,} sentences, {bank['words']:,} words"] if bank else []
    if scores:
        said.append("dev " + " ".join(f"{what} {score:.2f}" for what, score in scores.items()))
    return [(name, "; ".join(said) or "nothing is known of how it was learnt")]


def _aligned(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


_SIZES = ("sentences", "words", "sha256")
