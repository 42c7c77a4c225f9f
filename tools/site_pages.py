"""Pages of the site that are not files of docs/: those at the top of the repository, and what is made of docstrings.

A hook of mkdocs (tools/mkdocs.yml). Links between documents are the same in the repository and on the site.
"""

from __future__ import annotations

import argparse
import inspect
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import fastparse
from fastparse.cli.commands import COMMANDS, command_parser

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "tools/start.md": "index.md",
    "README.md": "overview.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "research/README.md": "research.md",
}
# Pages of the reference of Python: what each is about, and the public names on it.
TOPICS = {
    "Parsing": (
        "reference_parsing.md", "Models: open one, parse and tag with it, learn one.",
        ("load", "models", "Parser", "Report", "train"),
    ),
    "Treebanks": (
        "reference_treebanks.md", "Sentences as columns: read, write, select, convert.",
        ("read_conllu", "iter_conllu", "Treebank", "Sentence"),
    ),
    "Evaluation": ("reference_evaluation.md", "Scores of parsed treebanks.", ("evaluate", "Scores")),
    "Systems": (
        "reference_systems.md", "Transition systems: exact derivations, reachable configurations, systems of your own.",
        ("systems", "options", "Configuration", "derive", "Derivation", "count_transitions", "Exploration",
         "is_derivable", "compose", "analyse"),
    ),
    "Trees": ("reference_trees.md", "Classes of trees, crossing arcs, lifting, encodings.", ("trees",)),
    "Errors": (
        "reference_errors.md", "Every error that a user can cause is a `fastparse.Error`.",
        ("Error", "ConlluError", "FileError", "ModelFormatError", "OracleError", "UnknownNameError",
         "FastparseWarning"),
    ),
}  # fmt: skip
_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")
_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|Example|Examples):$")


def on_config(config: Any) -> Any:
    """Pages of docs/ that the navigation does not name stand at its end."""
    named = re.findall(r"[\w/]+\.md", repr(config["nav"]))
    folder = ROOT / "docs"
    others = sorted({str(path.relative_to(folder)) for path in folder.rglob("*.md")} - set(named))
    if others:
        config["nav"].append({"More": others})
    return config


def on_files(files: Files, config: Any) -> Files:
    for source, page in OUTSIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=relinked(text, source)))
    for topic, (page, about, names) in TOPICS.items():
        files.append(File.generated(config, page, content="\n".join(reference(topic, about, names))))
    files.append(File.generated(config, "commands.md", content="\n".join(commands())))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that leave docs/ go to the pages made of what they lead to."""
    here = page.file.src_uri
    if here in (*OUTSIDE.values(), *(page for page, *_ in TOPICS.values()), "commands.md"):
        return markdown
    return relinked(markdown, f"docs/{here}")


def relinked(text: str, source: str) -> str:
    """A document of the repository with links as the site has them."""
    folder = posixpath.dirname(source)
    here = posixpath.dirname(OUTSIDE.get(source, source.removeprefix("docs/")))

    def link(match: re.Match[str]) -> str:
        if ":" in match[2]:
            return match[0]
        target = posixpath.normpath(posixpath.join(folder, match[2]))
        page = OUTSIDE.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else None)
        if page is not None and (ROOT / target).is_dir():
            page = "README.md"  # the index says what is in it
        if page is None:
            return match[0]
        return match[1] + posixpath.relpath(page, here or ".") + match[3]

    return _LINK.sub(link, text)


# ── Python ──


def on_pre_build(config: Any) -> None:
    """Every public name has a topic."""
    placed = [name for _, _, names in TOPICS.values() for name in names]
    public = [name for name in fastparse.__all__ if not name.startswith("__")]
    if sorted(placed) != sorted(public):
        raise ValueError(f"names without a topic, or with several: {sorted(set(placed) ^ set(public)) or placed}")


def reference(topic: str, about: str, names: tuple[str, ...]) -> Iterator[str]:
    """A page of the public names of a topic, made of their docstrings."""
    yield f"# {topic}\n\n{about}\n\nNames that these pages do not have may change without notice.\n"
    for name in names:
        value = getattr(fastparse, name)
        if inspect.ismodule(value):
            yield f"## `fastparse.{name}` {{ #{name} }}\n"
            for inner in value.__all__:
                yield from entry(f"{name}.{inner}", getattr(value, inner), "###")
        else:
            yield from entry(name, value, "##")


def entry(name: str, value: Any, heading: str) -> Iterator[str]:
    """A public name, and of a class what it has."""
    yield f"{heading} `fastparse.{name}` {{ #{name} }}\n"
    yield signature(name.rpartition(".")[2], value)
    yield prose(inspect.getdoc(value) or "")
    if not inspect.isclass(value) or issubclass(value, BaseException):
        return
    for member in sorted(set(dir(value))):
        if member.startswith("_"):
            continue
        found = inspect.getattr_static(value, member, None)
        text = inspect.getdoc(getattr(value, member, None)) or ""
        if callable(getattr(value, member, None)):
            yield f"{heading}# `{name}.{member}` {{ #{name}.{member} }}\n"
            yield signature(member, getattr(value, member))
            yield prose(text)
        elif isinstance(found, property) and text:
            yield f"{heading}# `{name}.{member}` {{ #{name}.{member} }}\n"
            yield prose(text)


def signature(name: str, value: Any) -> str:
    """How a function is called: on a line, or with a line per parameter where that would be long."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    said = re.sub(r"(: |-> )'([^']*)'", r"\1\2", re.sub(r"<object object at [^>]*>", "...", str(found)))
    if len(name) + len(said) > 90 and found.parameters:
        marks, last = [], ""
        for parameter in found.parameters.values():
            if parameter.kind is parameter.KEYWORD_ONLY and "*" not in marks and last != "VAR_POSITIONAL":
                marks.append("*")
            marks.append(re.sub(r": '([^']*)'", r": \1", str(parameter)))
            last = parameter.kind.name
        result = said.rpartition(") -> ")[2] if ") -> " in said else ""
        said = "(\n    " + ",\n    ".join(marks) + "\n)" + (f" -> {result}" if result else "")
    return f"```text\n{name}{said}\n```\n"


def prose(doc: str) -> str:
    """A docstring as Markdown: sections become headings in bold, their items lists, examples code."""
    lines, section, code = [], "", False
    for line in doc.splitlines():
        stripped = line.strip()
        if code and not stripped:
            lines += ["```", ""]
            code = False
            continue
        if not code and stripped.startswith(">>>"):
            lines += ["", "```pycon"]
            code = True
        if code:
            lines.append(stripped)
        elif _SECTION.match(line):
            section = line.rstrip(":")
            lines += ["", f"**{section}**", ""]
        elif section and line.startswith("    ") and not line.startswith("     "):
            item = re.match(r"([\w*., ]+): (.*)", stripped) if section not in ("Returns", "Yields") else None
            lines.append(f"- `{item[1]}`: {item[2]}" if item else stripped)
        else:
            section = section if line.startswith(" ") else ""
            lines.append(f"  {stripped}" if section else line)
    if code:
        lines.append("```")
    return "\n".join([*lines, ""])


# ── commands ──


def commands() -> Iterator[str]:
    """A page of the command line, made of what --help says."""
    yield "# Commands\n\nEvery command has `--help`. `fastparse manual` prints all this as a manual page.\n"
    for name, what in COMMANDS.items():
        command = command_parser(name)
        yield f"## {name} {{ #{name} }}\n\n{what}\n"
        yield from options(command)
        for step, parser in command.steps().items():
            yield f"### {name} {step} {{ #{name}-{step} }}\n\n{parser.description or ''}\n"
            yield from options(parser)
        yield f"```sh\n{examples(command)}\n```\n"


def options(command: Any) -> Iterator[str]:
    for action in command._actions:
        if action.dest == "help" or isinstance(action, argparse._SubParsersAction):
            continue
        value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
        takes = f" {value}" if action.nargs != 0 else ""
        shown = f"{', '.join(action.option_strings)}{takes}" if action.option_strings else value
        text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
        yield f"- `{shown}`: {text}"
    yield ""


def examples(command: Any) -> str:
    lines = (command.epilog or "").replace("%%", "%").splitlines()[1:]
    found = []
    for line, meaning in zip(lines[::2], lines[1::2], strict=False):
        found.append(f"{line.strip()}  # {meaning.strip()}")
    return "\n".join(found)
