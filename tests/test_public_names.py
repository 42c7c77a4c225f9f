"""Every public name and command is there, and says what it is."""

from __future__ import annotations

import os
import pydoc
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import fastparse
from tests.reference import SYSTEMS

NAMES = [
    "Configuration", "Derivation", "Exploration", "Parser", "Report", "Scores", "Sentence", "Treebank", "analyse",
    "compose", "count_transitions", "derive", "evaluate", "is_derivable", "iter_conllu", "load", "options",
    "read_conllu", "systems", "train",
]  # fmt: skip
ERRORS = ["ConlluError", "Error", "ModelFormatError", "OracleError", "UnknownNameError"]
TREES = [
    "classes", "classify", "contains", "crossing_intervals", "deprojectivize", "lift", "planes", "projectivize",
]  # fmt: skip
ATTRIBUTES = {
    "Treebank": ["heads", "offsets", "deprel_ids", "deprel_table", "deprels", "write", "__len__", "__getitem__"],
    "Sentence": ["forms", "upos", "xpos", "feats", "lemmas", "heads", "deprels", "sent_id", "line"],
    "Parser": [
        "save", "parse", "parse_arrays", "parse_file", "system", "labels", "beam", "info",
    ],
    "Scores": [
        "uas", "las", "la", "clas", "exact", "exact_labelled", "words", "convention", "table", "to_dict",
    ],
    "Report": ["sentences", "words", "skipped", "seconds", "words_per_second"],
}  # fmt: skip
COMMANDS = {
    "parse": ["-m", "-o", "--beam", "--threads", "--on-error", "--deps"],
    "train": ["-o", "--dev", "--system", "--beam", "--iterations", "--seed", "--outside", "--threads"],
    "evaluate": ["--convention", "--json"],
    "classes": ["--json"],
    "derive": ["--system", "--html"],
    "draw": [],
    "study": [],
    "systems": [],
    "info": [],
    "bench": [],
}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """``python -m fastparse`` with the arguments, importing what this process imports."""
    root = str(Path(fastparse.__file__).parents[1])
    return subprocess.run([sys.executable, "-m", "fastparse", *arguments], capture_output=True, text=True, cwd=root)


@pytest.mark.parametrize("name", NAMES)
def test_name_is_there_and_documented(name):
    value = getattr(fastparse, name)
    assert value is getattr(fastparse, name), "a second look gives the same object"
    assert pydoc.getdoc(value), f"{name} has no docstring"


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_value_errors(name):
    error = getattr(fastparse, name)
    assert issubclass(error, fastparse.Error)
    assert issubclass(error, ValueError)


@pytest.mark.parametrize("name", TREES)
def test_function_of_trees(name):
    trees = import_module("fastparse.trees")
    assert fastparse.trees is trees
    assert pydoc.getdoc(getattr(trees, name))


@pytest.mark.parametrize(("owner", "name"), [(owner, name) for owner in ATTRIBUTES for name in ATTRIBUTES[owner]])
def test_attribute(owner, name):
    value = getattr(fastparse, owner)
    fields = {*dir(value), *getattr(value, "__annotations__", ()), *getattr(value, "__dataclass_fields__", ())}
    assert name in fields, f"{owner}.{name}"


def test_dir_is_the_public_names():
    assert {*NAMES, *ERRORS, "trees"} <= set(dir(fastparse))
    assert dir(fastparse) == sorted(fastparse.__all__)
    assert all(not name.startswith("_") or name == "__version__" for name in dir(fastparse))


def test_a_name_that_does_not_exist():
    with pytest.raises(AttributeError, match="'fastparse' has no attribute 'no_such_name'"):
        fastparse.no_such_name  # noqa: B018


def test_type_checkers_see_the_same_names():
    text = Path(fastparse.__file__).read_text(encoding="utf-8").partition("if TYPE_CHECKING:")[2].partition("else:")[0]
    seen = {name: module for module, name in re.findall(r"from (\S+) import (\w+) as \2", text)}
    assert seen == {**fastparse._HOME, "trees": "fastparse"}


def test_systems_are_those_of_the_textbook_and_their_pipeline():
    assert sorted(fastparse.systems()) == sorted([*SYSTEMS, "three-step"])


@pytest.mark.parametrize(
    ("name", "warns"),
    [("fastparse-1.1.1.dist-info", True), ("fastparse_nlp-0.1.0.dist-info", False), ("fastparse-1.1.1.txt", False)],
)
def test_a_distribution_of_the_same_name_is_noticed(tmp_path, recwarn, name, warns):
    (tmp_path / name).mkdir()
    fastparse._warn_of_namesake(str(tmp_path))
    assert all("fastparse-nlp" in str(warning.message) for warning in recwarn.list)
    assert bool(recwarn) is warns


def test_sources_that_are_not_compiled_say_where_to_go(tmp_path):
    package = tmp_path / "fastparse"
    package.mkdir()
    for name in ("__init__.py", "errors.py"):
        shutil.copy(Path(fastparse.__file__).with_name(name), package)
    (package / "_utilities.pyx").touch()
    done = subprocess.run(
        [sys.executable, "-c", "import fastparse"], capture_output=True, text=True, cwd=tmp_path, env=without_path()
    )
    assert done.returncode == 1
    assert f"ImportError: {tmp_path} holds the sources of fastparse, which are not compiled there" in done.stderr
    assert f"pip install -e {tmp_path}" in done.stderr


def without_path() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


def test_version():
    done = run("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"fastparse {fastparse.__version__}\n"


def test_version_is_that_of_the_distribution():
    project = Path(__file__).parents[1] / "pyproject.toml"
    assert f'\nversion = "{fastparse.__version__}"\n' in project.read_text(encoding="utf-8")


def test_help_lists_the_commands():
    done = run("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert re.search(rf"^\s+{command}\s+\w", done.stdout, re.MULTILINE), f"{command} has no line of help"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command):
    done = run(command, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    for option in COMMANDS[command]:
        assert re.search(rf"(^|[\s\[,]){option}\b", done.stdout), f"{command} has no {option}"


@pytest.mark.parametrize("arguments", [(), ("parze",), ("evaluate", "--no-such-option")])
def test_wrong_usage(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: fastparse" in done.stderr
    assert "Traceback" not in done.stderr


def test_importing_imports_next_to_nothing():
    """Neither numpy nor anything of the package but its errors; `typing` alone takes longer than all of it."""
    code = "import sys; before = set(sys.modules); import fastparse; print(*sorted(set(sys.modules) - before))"
    root = str(Path(fastparse.__file__).parents[1])
    run = [sys.executable, "-S", "-c", code]  # -S: site may have imported anything
    loaded = set(subprocess.run(run, capture_output=True, text=True, check=True, cwd=root).stdout.split())
    assert {name for name in loaded if name.startswith("fastparse")} == {"fastparse", "fastparse.errors"}
    assert not loaded & {"numpy", "typing", "re", "enum", "pathlib"}
