"""Every block of code in docs/ runs, in the order of its page, beside a model and treebanks that the pages name.

Blocks of Python run as one program per page; of shell commands, those that call fastparse run in this process.
`<!-- needs: MODULE -->` before a block says what it imports besides; `<!-- hidden CODE -->` is run and not shown;
`<!-- not run: REASON -->` is said of a block in a language that no test speaks.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from fastparse.cli.commands import COMMANDS, command_parser
from fastparse.cli.main import run
from tests.text import toy as texts
from tests.toy import TOY, toy_parser

DOCS = Path(__file__).parents[2] / "docs"
if not DOCS.is_dir():
    pytest.skip("the documents are not here", allow_module_level=True)
PAGES = sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))

_PART = re.compile(
    r"^(?:<!-- needs: (?P<needs>[\w.]+) -->\n)?```(?P<kind>python|sh)\n(?P<code>.*?)^```$"
    r"|^<!-- hidden\n(?P<hidden>.*?)^-->$",
    re.MULTILINE | re.DOTALL,
)
# Pages whose blocks other tests run or build, as parts of something larger or beside a service.
_FRAGMENTS = {"adding_a_system.md": "transition_systems/test_adding_a_system.py", "serve.md": "server/test_docs.py"}
# Pages with examples of a Python session, and the tests that hold them.
_SESSIONS = {
    **_FRAGMENTS, "drawing.md": "drawing/test_docs.py", "evaluation.md": "evaluation/test_docs.py",
    "lemmas.md": "lemmas/test_docs.py",
}  # fmt: skip
_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<reason>.+) -->\n)?(?P<indent> *)```(?P<kind>.*)\n(?s:.*?)^ *```$", re.MULTILINE
)
_RUN_ALL = ("tutorials", "cookbook.md", "models.md")  # of the others, shell commands are read, not run
_BEFORE = {
    "components.md": "from tests.tagger.models import tagging\nparser = tagging()\n",
    # The factory is registered as its entry point does it, which a copy of the sources need not have.
    "spacy.md": "import fastparse.bulk.spacy_component\nfrom tests.toy import toy\nsentence = toy()[0]\n",
    "text.md": "import shutil\nshutil.copy('text.conllu', 'train.conllu')\n"
    "pieces, text = [b'He writes.'], 'She reads.'\n",
}


def parts(page: str) -> Iterator[tuple[str, str, str | None]]:
    """The blocks of a page: kind, code, and the module it needs."""
    for found in _PART.finditer((DOCS / page).read_text(encoding="utf-8")):
        if found["hidden"] is not None:
            yield "python", found["hidden"], None
        else:
            yield found["kind"], found["code"], found["needs"]


def commands(code: str) -> Iterator[list[str]]:
    """The calls of fastparse in a shell block, each without what it is piped to or from."""
    for line in code.replace("\\\n", " ").splitlines():
        for part in re.split(r"[|>]", line.split(" #")[0]):
            words = shlex.split(part)
            if words and words[0] == "fastparse":
                yield words[1:]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with what the pages speak of."""
    folder = tmp_path_factory.mktemp("docs")
    for name in ("input", "train", "dev"):
        shutil.copy(TOY, folder / f"{name}.conllu")
    (folder / "book.txt").write_text("She reads old books. He doesn't.\n", encoding="utf-8")
    (folder / "corpus" / "2024").mkdir(parents=True)
    shutil.copy(TOY, folder / "corpus" / "2024" / "may.conllu")
    toy_parser().save(folder / "my.fp")
    (folder / "text.conllu").write_bytes(texts.conllu())
    return folder


def run_python(code: str, names: dict[str, object], page: str) -> None:
    exec(compile(code, page, "exec"), names)


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith(_RUN_ALL)])
def test_a_page_runs(page, place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    names: dict[str, object] = {"__name__": "page"}
    left_out = []
    for kind, code, needs in parts(page):
        if needs is not None and find_spec(needs.split(".")[0]) is None:
            left_out.append(needs)
        elif kind == "python":
            run_python(code, names, page)
        else:
            for argv in commands(code):
                if "-" not in argv:  # standard input
                    assert run(argv) == 0, (argv, capsys.readouterr().err)
    if left_out:
        pytest.skip(f"all but the blocks that need {', '.join(left_out)}")


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run_or_says_why_not(page):
    """What has no language is no code: output, grammars, tables."""
    for block in _FENCE.finditer((DOCS / page).read_text(encoding="utf-8")):
        kind = block["kind"]
        if kind and not block["reason"]:
            assert not block["indent"], (page, "an indented block is not found")
            known = {
                "python": True,
                "sh": True,
                "pycon": page in _SESSIONS,
                "cython": page == "adding_a_system.md",
                "nginx": True,
            }
            assert known.get(kind), (page, kind)


@pytest.mark.parametrize("test", sorted(_SESSIONS.values()))
def test_tests_of_other_pages_are_there(test):
    assert (Path(__file__).parents[1] / test).is_file()


@pytest.mark.parametrize("page", PAGES)
def test_commands_exist(page):
    for kind, code, _ in parts(page):
        for argv in commands(code) if kind == "sh" else ():
            assert argv[0] in COMMANDS or argv[0].startswith("-"), argv
            if argv[0] in COMMANDS:
                spellings = command_parser(argv[0]).spellings()
                assert all(word.split("=")[0] in spellings for word in argv if re.match(r"--?[a-z]", word)), argv


@pytest.mark.parametrize("page", [p for p in PAGES if not p.startswith(_RUN_ALL) and p not in _FRAGMENTS])
def test_python_of_reference_pages(page, place, monkeypatch):
    found = [(code, needs) for kind, code, needs in parts(page) if kind == "python"]
    blocks = [code for code, needs in found if needs is None or find_spec(needs.split(".")[0])]
    if len(blocks) < len(found):
        pytest.skip("this page needs a library that is not there")
    if not blocks:
        return
    monkeypatch.chdir(place)
    names: dict[str, object] = {"__name__": "page"}
    run_python(_BEFORE.get(page, ""), names, page)
    for code in blocks:
        run_python(code, names, page)


def test_the_index_lists_every_page():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    missing = [page for page in PAGES if page != "README.md" and f"]({page})" not in index]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        path = (DOCS / page).parent / target
        if (DOCS.parent / "setup.py").exists() or path.resolve().is_relative_to(DOCS.resolve()):
            assert path.exists(), target
