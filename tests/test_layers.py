"""The direction of imports: what each layer may know of the others, read from the sources.

Imports and cimports count alike, and so do included headers and names of modules in strings ("fastparse.x.y" handed to
import_module). Code under ``if TYPE_CHECKING:`` is for readers only and is left out.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fastparse"

MACHINE = {"errors", "display", "trees", "corpus", "machine"}
THEORY = MACHINE | {"transition_systems", "configurations", "composition"}
LEARNING = THEORY | {"features", "model", "encoder", "search"}
READING = LEARNING | {"lemmas", "tagger", "text", "expectations", "progress", "components", "pipeline"}
PARSING = READING | {"contract", "counted", "derivations", "files", "texts"}
EVERYTHING = PARSING | {"oracles", "parser", "finding", "opening", "packaging", "training", "evaluation", "drawing"}
PUBLIC = "__init__"

# What a layer may import besides itself.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "display": set(),
    "perceptron": set(),
    "trees": {"errors", "display"},
    "corpus": {"errors", "display", "trees"},
    "machine": {"errors"},
    "transition_systems": {"errors", "machine"},
    "configurations": {"errors", "display", "machine", "transition_systems"},
    "composition": {"errors", "machine", "trees", "transition_systems", "configurations"},
    "oracles": THEORY,
    "features": MACHINE | {"transition_systems", "configurations"},
    "model": MACHINE | {"transition_systems", "features", "perceptron"},
    "encoder": MACHINE | {"features"},
    "networks": LEARNING | {"oracles", "encoder"},
    "search": THEORY | {"features", "model", "encoder"},
    "progress": {"errors"},
    "expectations": {"errors", "corpus", "model"},
    "components": LEARNING | {"lemmas", "tagger", "text", "expectations"},
    "pipeline": {"errors", "corpus", "text"},
    "contract": {"components", "corpus", "expectations", "search"},
    "counted": {"corpus", "pipeline", "progress"},
    "derivations": READING | {"contract", "configurations"},
    "files": READING | {"contract", "counted"},
    "texts": READING | {"contract", "counted"},
    "parser": PARSING | {PUBLIC},
    "finding": {"errors"},
    "opening": PARSING | {"parser", "finding"},
    "packaging": {"errors", "corpus"},
    # It hands back a Parser; a Parser knows nothing of training.
    "training": PARSING | {"networks", "oracles", "parser", "perceptron", PUBLIC},
    "lemmas": {"errors", "corpus", "perceptron"},
    "tagger": {"errors", "corpus", "encoder"},
    "text": {"errors", "corpus", "perceptron"},
    "evaluation": {"errors", "display", "corpus", "trees"},
    "drawing": THEORY | {"oracles"},
    "integrations": PARSING | {"parser", PUBLIC},
    "studies": EVERYTHING | {PUBLIC},
    "bulk": EVERYTHING | {PUBLIC},
    "server": EVERYTHING | {PUBLIC},
    "cli": EVERYTHING | {"studies", "bulk", "server", PUBLIC},
    "__main__": {"cli"},
    PUBLIC: EVERYTHING | {"studies", "bulk"},
}
LARGEST = 400
MOST_MODULES = 20

SOURCES = sorted(path for suffix in ("*.py", "*.pyx", "*.pxd") for path in PACKAGE.rglob(suffix))

_CYTHON = re.compile(
    r"""^\s*(?:from\s+(?P<origin>[\w.]+)\s+c?import\s+(?P<names>\([^)]*\)|[^\n#]+)   # from a.b cimport c, d
         |c?import\s+(?P<modules>[\w., ]+)                                         # cimport a.b
         |(?:cdef\s+extern\s+from|include)\s+["']<?(?P<file>[^"'>]+)>?["'])        # a header or an included file""",
    re.MULTILINE | re.VERBOSE,
)
_MODULE_NAME = re.compile(r"fastparse(\.\w+)+(:\w+)?")


def layer_of(module: str) -> str:
    """The layer of a dotted name: the part after fastparse, or the public names."""
    layer = module.split(".")[1] if "." in module else PUBLIC
    return layer if layer in MAY_IMPORT else PUBLIC


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
    """The layer a file belongs to."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path):
    here = place(path)
    assert here in MAY_IMPORT, f"{path.relative_to(ROOT)} belongs to no layer: add it to MAY_IMPORT"
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {here} imports {name}"
        for line, name in imported(path)
        if name.split(".")[0] == "fastparse" and layer_of(name) not in MAY_IMPORT[here] | {here}
    ]
    assert not wrong, "\n".join(wrong)


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


def test_layers_have_no_cycle():
    reached: set[str] = set()
    layers = set(MAY_IMPORT) - {PUBLIC, "__main__"}
    while ready := {layer for layer in layers - reached if MAY_IMPORT[layer] - {layer, PUBLIC} <= reached}:
        reached |= ready
    assert reached == layers


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
    assert not under(modules, *(set(MAY_IMPORT) - {"errors"}))
    assert not {"numpy", "pyconll", "importlib.metadata"} & modules


def test_parsing_loads_no_oracle_and_no_training():
    modules = loaded_by(
        "import fastparse\n"
        "parser = fastparse.load('en-fast')\n"
        "list(parser.parse([(['A', 'dog', 'barks'], ['DET', 'NOUN', 'VERB'])]))"
    )
    assert under(modules, "search")
    assert not under(modules, "oracles", "training", "evaluation", "studies", "drawing")


def exposes(path: Path) -> bool:
    """Whether a module has a class or function to be called from Python."""
    return bool(re.search(r"^(async def|def|class|cdef class|cpdef)\b", path.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.suffix == ".pyx"], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_compiled_modules_have_stubs(path):
    assert not exposes(path) or path.with_suffix(".pyi").exists(), f"{path.with_suffix('.pyi').name} is missing"


def test_files_are_small():
    for path in SOURCES:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > LARGEST:
            warnings.warn(f"{path.relative_to(ROOT)} has {lines} lines, more than {LARGEST}", stacklevel=1)


def test_folders_are_small():
    # A module counts once, with its declarations and its stub.
    held = Counter(folder for folder, _ in {(path.parent, path.stem) for path in SOURCES})
    assert not {str(folder.relative_to(ROOT)): count for folder, count in held.items() if count > MOST_MODULES}


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
