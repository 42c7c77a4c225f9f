"""The direction of imports: which folders know which, read from the sources.

Imports and cimports count alike, and so do included headers and names of modules in strings ("fastparse.x.y" handed to
import_module). Code under ``if TYPE_CHECKING:`` is for readers only and is left out.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fastparse"

PUBLIC = "__init__"
# Folders that know another one the wrong way round, on purpose, and why.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("corpus", "corpus/foreign"): "a Treebank gives itself in the types of other libraries, when it is asked to",
}
# What parsing must never load: it starts quickly, and what it needs can be read on its own.
NOT_FOR_PARSING = ("learning", "evaluation", "studies", "drawing", "cli", "server", "bulk")

SOURCES = sorted(path for suffix in ("*.py", "*.pyx", "*.pxd") for path in PACKAGE.rglob(suffix))

_CYTHON = re.compile(
    r"""^\s*(?:from\s+(?P<origin>[\w.]+)\s+c?import\s+(?P<names>\([^)]*\)|[^\n#]+)   # from a.b cimport c, d
         |c?import\s+(?P<modules>[\w., ]+)                                         # cimport a.b
         |(?:cdef\s+extern\s+from|include)\s+["']<?(?P<file>[^"'>]+)>?["'])        # a header or an included file""",
    re.MULTILINE | re.VERBOSE,
)
_MODULE_NAME = re.compile(r"fastparse(\.\w+)+(:\w+)?")


def folder_of(module: str) -> str | None:
    """The folder, below the package, of the module that a dotted name means; the name itself of a top-level module."""
    parts = module.split(".")[1:]
    while parts:
        path = PACKAGE.joinpath(*parts)
        if any(path.with_suffix(suffix).exists() for suffix in (".py", ".pyx", ".pxd", ".h")):
            return "/".join(parts[:-1]) or parts[0]
        if path.is_dir():
            return "/".join(parts)
        parts = parts[:-1]
    return PUBLIC


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of everything a file imports, cimports or includes."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _imported_by_python(ast.parse(text), path)
        return
    code = re.sub(r'""".*?"""', lambda found: "\n" * found.group().count("\n"), text, flags=re.DOTALL)
    for found in _CYTHON.finditer(code):
        line = code.count("\n", 0, found.start()) + 1
        if found["origin"]:
            names = [name.split(" as ")[0].strip() for name in found["names"].strip("()\n ").split(",")]
            yield from ((line, f"{found['origin']}.{name}") for name in names if name)
        elif found["modules"]:
            yield from ((line, name.split(" as ")[0].strip()) for name in found["modules"].split(","))
        else:
            yield line, found["file"].replace("/", ".")


def _imported_by_python(tree: ast.Module, path: Path) -> Iterator[tuple[int, str]]:
    unread = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in unread:
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import; write the module's full name"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE_NAME.fullmatch(node.value):
            yield node.lineno, node.value


def place(path: Path) -> str:
    """The folder a file is in; the name itself of a top-level module."""
    relative = path.relative_to(PACKAGE)
    return relative.parent.as_posix() if len(relative.parts) > 1 else relative.stem


def known_by_folders() -> dict[str, dict[str, str]]:
    """Which folders each folder imports of, and where."""
    found: dict[str, dict[str, str]] = {}
    for path in SOURCES:
        here = place(path)
        for line, name in imported(path) if here != PUBLIC else ():
            if name.split(".")[0] == "fastparse":
                there = folder_of(name)
                if there not in (None, here, PUBLIC) and (here, there) not in EXCEPTIONS:
                    found.setdefault(here, {}).setdefault(str(there), f"{path.relative_to(ROOT)}:{line}")
    return found


def test_folders_have_no_cycles():
    known = known_by_folders()
    assert len(known) > 20
    cycle = [
        f"{where}: {here} knows {there}"
        for here in known
        for there, where in known[here].items()
        if here in reached(there, known)
    ]
    assert not cycle, "these folders know each other:\n" + "\n".join(sorted(cycle))


def reached(start: str, known: dict[str, dict[str, str]]) -> set[str]:
    """The folders that one knows, directly or through others."""
    found: set[str] = set()
    ahead = [start]
    while ahead:
        for there in known.get(ahead.pop(), {}):
            if there not in found:
                found.add(there)
                ahead.append(there)
    return found


def test_exceptions_are_needed():
    for (here, there), _why in EXCEPTIONS.items():
        assert any(
            place(path) == here and name.startswith("fastparse.") and folder_of(name) == there
            for path in SOURCES
            for _, name in imported(path)
        )


@pytest.mark.parametrize(
    ("suffix", "text", "names"),
    [
        (
            ".py",
            "def f():\n    from fastparse.theory import driver\n",
            ["fastparse.theory.driver"],
        ),
        (".py", "import_module('fastparse.learning.train')", ["fastparse.learning.train"]),
        (".py", "if TYPE_CHECKING:\n    import fastparse.parser\n", []),
        (".pyx", '"""\nfrom x import y\n"""\ncimport fastparse.weights.table as t\n', ["fastparse.weights.table"]),
        (".pyx", "from fastparse.a.b cimport (\n    c, d)\n", ["fastparse.a.b.c", "fastparse.a.b.d"]),
        (".pxd", 'cdef extern from "fastparse/model/kernels.h" nogil:\n    pass', ["fastparse.model.kernels.h"]),
    ],
)
def test_every_kind_of_import_is_seen(tmp_path, suffix, text, names):
    path = tmp_path / f"module{suffix}"
    path.write_text(text)
    assert [name for _, name in imported(path)] == names


def test_one_module_imports_pyconll():
    importers = {path.name for path in SOURCES for _, name in imported(path) if name.split(".")[0] == "pyconll"}
    assert len(importers) <= 1, importers


def test_numpy_is_never_cimported():
    pattern = re.compile(r"^\s*(cimport\s+numpy|from\s+numpy\S*\s+cimport)", re.MULTILINE)
    assert not [path for path in SOURCES if pattern.search(path.read_text(encoding="utf-8"))]


def test_reference_versions_stand_alone():
    for path in (ROOT / "tests" / "reference").rglob("*.py"):
        if not path.name.startswith("test_"):
            assert not [name for _, name in imported(path) if name.split(".")[0] == "fastparse"], path


def loaded_by(code: str) -> set[str]:
    """The modules in memory after running code in a new interpreter."""
    script = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def under(modules: set[str], *layers: str) -> list[str]:
    """The modules that belong to one of the layers."""
    return sorted(name for name in modules if name.startswith(tuple(f"fastparse.{layer}" for layer in layers)))


def test_import_fastparse_is_light():
    modules = loaded_by("import fastparse; dir(fastparse)")
    assert "fastparse.errors" in modules
    assert under(modules, "") == ["fastparse.errors"]
    assert not {"numpy", "pyconll", "importlib.metadata"} & modules


def test_parsing_loads_no_more_than_it_needs():
    modules = loaded_by(
        "import fastparse\n"
        "parser = fastparse.load('en-fast')\n"
        "list(parser.parse([(['A', 'dog', 'barks'], ['DET', 'NOUN', 'VERB'])]))"
    )
    assert under(modules, "search")
    assert not under(modules, *NOT_FOR_PARSING)


def exposes(path: Path) -> bool:
    """Whether a module has a class or function to be called from Python."""
    return bool(re.search(r"^(async def|def|class|cdef class|cpdef)\b", path.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.suffix == ".pyx"], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_compiled_modules_have_stubs(path):
    assert not exposes(path) or path.with_suffix(".pyi").exists(), f"{path.with_suffix('.pyi').name} is missing"


def tracked() -> list[Path]:
    """The files under version control; all there are in an unpacked archive."""
    try:
        done = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True, cwd=ROOT)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a clone")
    return [ROOT / name for name in done.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_files_speak_of_the_project_only():
    # Written in two parts each, so that this file passes its own test.
    hosts = ("pypi" + ".org", "python" + "hosted", "registry." + "npmjs", "deb." + "debian")
    folders = ("/wo" + "rk/", "/r" + "oot/", "/ho" + "me/", "/fa" + "rm/")
    command = "pip install " + "fastparse"
    wrong = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        wrong += [f"{path.relative_to(ROOT)}: {word}" for word in (*hosts, *folders) if word in text]
        if re.search(command + r"(?![-\w])", text):
            wrong.append(f"{path.relative_to(ROOT)}: the distribution is called fastparse-nlp")
    assert not wrong, "\n".join(wrong)
