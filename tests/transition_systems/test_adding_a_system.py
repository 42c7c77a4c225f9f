"""docs/adding_a_system.md: its examples run, its files are those of the package, and there are no further places."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from fastparse.transition_systems import registry

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "adding_a_system.md"
if not DOCUMENT.exists():
    pytest.skip("the documentation is not here", allow_module_level=True)
TEXT = DOCUMENT.read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", TEXT, flags=re.DOTALL))
beside_sources = pytest.mark.skipif(
    not (ROOT / "fastparse").exists(), reason="no sources of fastparse beside the tests"
)
NAMES = ("arc-eager/unshift", "arc_eager_unshift", "ArcEagerUnshift")


def test_examples() -> None:
    test = doctest.DocTestParser().get_doctest(TEXT.replace("```", ""), {}, DOCUMENT.name, str(DOCUMENT), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.tries > 5
    assert runner.failures == 0


def test_the_four_places_are_shown() -> None:
    assert len(FILES) == 2  # the system with its oracles, and the textbook version
    (row,) = re.findall(r"```python\n(    .*?)```\n", TEXT, flags=re.DOTALL)
    assert row in Path(registry.__file__).read_text(encoding="utf-8")


@beside_sources
@pytest.mark.parametrize("name", FILES)
def test_files_are_those_that_are_compiled_and_tested(name: str) -> None:
    assert FILES[name] == (ROOT / name).read_text(encoding="utf-8"), f"{name} differs from what the document shows"


@beside_sources
def test_there_are_no_other_places() -> None:
    sources = [path for path in (ROOT / "fastparse").rglob("*") if path.suffix in (".py", ".pyi", ".pyx", ".pxd", ".h")]
    sources += (ROOT / "tests" / "reference").rglob("*.py")
    assert len(sources) > 100
    found = {str(path.relative_to(ROOT)) for path in sources if any(name in path.read_text() for name in NAMES)}
    places = {name for name in FILES if any(each in FILES[name] for each in NAMES)}
    assert places == set(FILES)
    assert found == places | {"fastparse/transition_systems/registry.py", "tests/reference/__init__.py"}


@beside_sources
def test_paths_in_the_text_exist() -> None:
    named = re.findall(r"`((?:fastparse|tests|machine|theory|features)/[\w./]+)`", TEXT)
    assert len(named) > 8
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "fastparse" / name).exists(), name
