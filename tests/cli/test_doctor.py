"""`fastparse doctor`, and the commands that messages name for installing what is missing."""

import json
import re
from importlib import metadata
from pathlib import Path

import pytest

import fastparse
from fastparse.cli.main import run
from fastparse.errors import Error
from fastparse.extras import DISTRIBUTION, EXTRAS, how_to_install, is_there, needed

ROOT = Path(__file__).parents[2]


def test_it_names_what_is_there(capsys):
    assert run(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fastparse"] == fastparse.__version__
    assert found["kernel"] in found["kernels"]
    assert {"en", "en-fast"} <= set(found["models"])
    assert found["problems"] == []
    assert set(found["extras"]) == set(EXTRAS)
    assert found["extras"]["server"]["there"] is is_there("uvicorn")
    assert run(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert fastparse.__version__ in shown
    assert re.search(r"^kernel +" + found["kernel"], shown, re.M)


def test_problems_are_named_and_counted(capsys, monkeypatch):
    monkeypatch.setenv("FASTPARSE_KERNEL", "none")
    assert run(["doctor"]) == 1
    assert "FASTPARSE_KERNEL" in capsys.readouterr().out


def test_extras_are_those_of_the_package():
    known = pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(EXTRAS) == set(known) - {"test", "docs", "lint", "dev"}


@pytest.mark.parametrize("origin", ["index", "clone", "a clone that is gone"])
def test_commands_that_install_work_where_fastparse_came_from(origin, monkeypatch, tmp_path):
    clone = tmp_path / "a clone"
    clone.mkdir()
    if origin == "clone":
        (clone / "pyproject.toml").write_text("")
    recorded = None if origin == "index" else json.dumps({"url": clone.as_uri(), "dir_info": {}})

    class Installed:
        def read_text(self, name):
            return recorded

    monkeypatch.setattr(metadata, "distribution", lambda name: Installed())
    command = f"pip install '{clone if origin == 'clone' else DISTRIBUTION}[zstd]'"
    assert how_to_install("zstd") == command
    with pytest.raises(Error, match=re.escape(command)):
        needed("no_such_module", "zstd")
