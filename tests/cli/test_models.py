"""Models as packages: what the wheel holds, and that an installed one is found by its name."""

import errno
import json
import os
import subprocess
import sys
import zipfile
from email.parser import Parser as Headers

import pytest

import fastparse
from fastparse.cli.main import run
from fastparse.corpus.files import temporary
from tests.toy import TOY, toy, toy_parser


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "toy-speech.fp"
    toy_parser().save(path)
    return path


def packaged(model, folder, *more):
    assert run(["package", str(model), "-o", str(folder), "--licence", "CC BY-SA 4.0, by us", *more]) == 0
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_a_wheel_has_all_that_pip_wants(model, tmp_path):
    wheel = packaged(model, tmp_path / "dist", "--version", "2.1")
    assert wheel.name == "fastparse_model_toy_speech-2.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    meta = "fastparse_model_toy_speech-2.1.dist-info"
    said = Headers().parsestr(files[f"{meta}/METADATA"].decode())
    assert said["Name"] == "fastparse-model-toy-speech"
    assert said["Requires-Dist"] == f"fastparse-nlp>={fastparse.__version__}"
    assert said.get_all("License-File") == ["CC-BY-SA-4.0.txt", "LICENSE.txt"]
    assert files[f"{meta}/licenses/LICENSE.txt"] == b"CC BY-SA 4.0, by us\n"
    assert b"Attribution-ShareAlike 4.0 International" in files[f"{meta}/licenses/CC-BY-SA-4.0.txt"]
    assert files["fastparse_model_toy_speech/toy-speech.fp"] == model.read_bytes()
    listed = [line.split(",")[0] for line in files[f"{meta}/RECORD"].decode().splitlines()]
    assert sorted(listed) == sorted(files)
    again = packaged(model, tmp_path / "again", "--version", "2.1")
    assert again.read_bytes() == wheel.read_bytes()


def test_what_stood_there_stays_until_the_wheel_is_whole(model, tmp_path, monkeypatch):
    """And the temporary files of those who were killed are swept, as with every other output."""
    wheel = packaged(model, tmp_path / "dist")
    before = wheel.read_bytes()
    (left := wheel.parent / ".fastparse-99-0123456789ab.tmp").write_bytes(b"of a process that is dead")
    monkeypatch.setattr(temporary, "_swept", set())

    def full(*_):
        assert wheel.read_bytes() == before
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert run(["package", str(model), "-o", str(wheel.parent), "--licence", "CC0"]) == 1
    assert wheel.read_bytes() == before
    assert sorted(path.name for path in wheel.parent.iterdir()) == [wheel.name], f"{left} is still there"


def test_an_installed_model_is_found(model, tmp_path):
    """Unpacking is all that installing such a wheel is, but for the list of its files."""
    wheel = packaged(model, tmp_path / "dist")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    code = (
        f"import sys; sys.path.append({str(site)!r})\n"
        "import fastparse; from fastparse.cli.main import run\n"
        "print(fastparse.load('toy-speech').sha256)\n"
        "assert 'fastparse_model_toy_speech' not in sys.modules, 'nothing of it is run'\n"
        "run(['models', '--json'])\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    sha256, _, listed = said.partition("\n")
    assert sha256 == fastparse.load(model).sha256
    (row,) = [row for row in json.loads(listed) if row["name"] == "toy-speech"]
    assert row["package"] == "fastparse-model-toy-speech 1.0"
    assert row["components"] == list(toy_parser().components)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--name", "Toy Speech", "--licence", "x"], "--name 'Toy Speech' cannot be the name of a model"),
        (["--version", "new", "--licence", "x"], "--version new is no version"),
        ([], "say with --licence what may be done with it"),
    ],
)
def test_what_cannot_be_packaged(model, tmp_path, capsys, more, said):
    assert run(["package", str(model), "-o", str(tmp_path / "dist"), *more]) == 1
    assert said.replace("'", "") in capsys.readouterr().err.replace("'", "")
    assert not (tmp_path / "dist").exists()


def test_models_that_come_along_are_listed(capsys):
    assert run(["models"]) == 0
    assert "en (default), from fastparse" in capsys.readouterr().out


def test_a_misspelt_model_is_answered(capsys):
    assert run(["parse", str(TOY), "-m", "en-fats"]) == 1
    assert "Did you mean 'en-fast'?" in capsys.readouterr().err
    assert len(toy()) == 61
