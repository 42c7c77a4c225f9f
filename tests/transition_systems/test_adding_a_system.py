"""docs/adding_a_system.md: its examples run, and its system compiles and equals its textbook and composed versions."""

from __future__ import annotations

import doctest
import importlib.util
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fastparse
from fastparse import oracles, transition_systems
from fastparse.composition.compose import ARC, B0, POP, PUSH, S0, compose, has_head
from fastparse.configurations.branching import Branches, view
from fastparse.configurations.configuration import CellConfiguration
from fastparse.oracles import registry as oracle_registry
from fastparse.transition_systems.registry import ROWS, Row, resolve
from tests.reference.enumerate import all_trees

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding_a_system.md"
if not DOCUMENT.exists():
    pytest.skip("the documentation is not here", allow_module_level=True)
TEXT = DOCUMENT.read_text(encoding="utf-8")
AFTERWARDS = "<!-- afterwards -->"

BUILD = """
import sys
from pathlib import Path
from Cython.Build import cythonize
from setuptools import Extension, setup
root, include = sys.argv[1:]
modules = [
    Extension(f"fastparse.{path.parent.name}.{path.stem}", [str(path)], include_dirs=[include])
    for path in sorted(Path(root, "fastparse").rglob("*.pyx"))
]
setup(
    script_args=["-q", "build_ext", "--build-lib", str(Path(root, "built")), "--build-temp", str(Path(root, "temp"))],
    ext_modules=cythonize(modules, include_path=[include], language_level=3, quiet=True),
)
"""


def files() -> dict[str, str]:
    """The files the document lists."""
    return dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)\n```\n", TEXT, flags=re.DOTALL))


def run_examples(text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, DOCUMENT.name, str(DOCUMENT), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0


def test_examples_without_a_compiler() -> None:
    run_examples(TEXT.partition(AFTERWARDS)[0].replace("```", ""))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the compiled modules of the document."""
    pytest.importorskip("Cython", reason="compiling the example needs Cython")
    root = tmp_path_factory.mktemp("rightward")
    package = Path(fastparse.__file__).parent
    for name, content in files().items():
        path = root / "fastparse" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content + "\n", encoding="utf-8")
        if name.endswith(".pyx"):
            path.with_name("__init__.pxd").touch()
    (root / "fastparse" / "__init__.pxd").touch()
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(root), str(package.parent)], cwd=root, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return root


@pytest.fixture
def rightward(built: Path, monkeypatch: pytest.MonkeyPatch) -> type:
    """The system as if it had been added; its textbook version."""
    for package in (transition_systems, oracles):
        folder = built / "built" / "fastparse" / package.__name__.rpartition(".")[2]
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    monkeypatch.setitem(ROWS, "rightward", Row("fastparse.transition_systems.rightward"))
    monkeypatch.setitem(oracle_registry._MODULES, "rightward", "rightward")
    path = built / "fastparse" / "reference" / "rightward.py"
    spec = importlib.util.spec_from_file_location("rightward_reference", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Rightward


def test_examples_afterwards(rightward: type) -> None:
    run_examples(TEXT.partition(AFTERWARDS)[2].replace("```", ""))


def test_versions_are_equal(rightward: type) -> None:
    composed = compose(
        "rightward/composed",
        SHIFT=[PUSH],
        REDUCE=[POP],
        RIGHT_ARC=[ARC(S0, B0), PUSH],
        only_if={"REDUCE": has_head(S0)},
    )
    chance = random.Random(3)
    for _ in range(200):
        n = chance.randrange(9)
        all_three = fastparse.Configuration("rightward", n), fastparse.Configuration(composed, n), rightward(n)
        while all_three[0].legal():
            assert all_three[0].legal() == all_three[1].legal() == all_three[2].legal()
            move = chance.choice(all_three[0].legal())
            for each in all_three:
                each.apply(move)
        assert all_three[0].heads == all_three[1].heads == all_three[2].heads


def test_class_of_the_example(rightward: type) -> None:
    for n in range(1, 6):
        trees = list(all_trees(n))
        derived = fastparse.count_transitions(trees, "rightward") >= 0
        projective = fastparse.count_transitions(trees, "arc-standard") >= 0
        assert derived.tolist() == [
            bool(inside and all(head < word for word, head in enumerate(tree, start=1)))
            for tree, inside in zip(trees, projective, strict=True)
        ]


def test_example_shares_cells(rightward: type) -> None:
    system = resolve("rightward")
    chance = random.Random(4)
    shared, copies = Branches(system, 12, 20), [CellConfiguration(system, 12, "01")]
    for _ in range(400):
        i = chance.randrange(len(shared))
        if not shared.legal(i):
            continue
        move, label = chance.choice(shared.legal(i)), chance.randrange(2)
        at = len(shared) if len(shared) < 20 else chance.randrange(20)
        twin = copies[i].copy()
        twin.apply(f"{move}:{label}" if system.labelled(move) else move)
        shared.branch(i, move, label, at)
        copies[at : at + 1] = [twin]
    assert [shared.view(k) for k in range(len(shared))] == [view(copy) for copy in copies]
