"""Certificates, and the checker that shares no code with what makes them."""

import subprocess
import sys
from pathlib import Path

import pytest

from fastparse.cli.main import run
from fastparse.errors import Error, UnknownNameError
from fastparse.studies import checker as module
from fastparse.studies.certify import CLASSES, LONGEST, certificate, checker

SOURCE = Path(module.__file__)


@pytest.fixture(scope="module")
def lines():
    return list(certificate(words=3))


def told(lines, path, *options):
    """What the checker says of a certificate, as a program of its own; its status first."""
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-I", str(SOURCE), str(path), *options], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_every_system_is_certified(lines, tmp_path):
    status, said = told(lines, tmp_path / "c.txt")
    assert status == 0, said
    assert [row.split(",")[0] for row in said.splitlines()] == [name for name in CLASSES for _ in range(3)]
    assert all(row.endswith("complete and sound") for row in said.splitlines())
    assert "three-registers, 3 words: 16 trees 3-crossing-interval" in said
    assert told(lines, tmp_path / "c.txt", "--explore", "1")[1].count("sound") == len(CLASSES)


def test_a_certificate_that_is_wrong_is_found(lines, tmp_path):
    place = next(i for i, line in enumerate(lines) if line.startswith("hybrid 3"))
    header, tree = lines[place].split(), lines[place + 1].split()
    fewer = " ".join([*header[:3], str(int(header[3]) - 1), *header[4:]])
    wrong = {
        "are missing": [*lines[:place], fewer, *lines[place + 2 :]],
        "is not legal": [*lines[: place + 1], f"{tree[0]} {tree[1][::-1]}", *lines[place + 2 :]],
        "it ends elsewhere": [*lines[: place + 1], f"{tree[0]} {lines[place + 2].split()[1]}", *lines[place + 2 :]],
        "longer than the bound": [*lines[:place], " ".join([*header[:4], "5", *header[5:]]), *lines[place + 1 :]],
        "other trees are derived": [line.replace("swap 3 all 16", "swap 3 projective 12") for line in lines],
        "this is no certificate": lines[1:],
    }
    swap = next(i for i, line in enumerate(lines) if line.startswith("swap 3"))
    projective = {line.split()[0] for line in lines[place + 1 : place + 13]}
    kept = [line for line in lines[swap + 1 : swap + 17] if line.split()[0] in projective]
    wrong["other trees are derived"][swap + 1 : swap + 17] = kept
    for fault, changed in wrong.items():
        status, said = told(changed, tmp_path / "c.txt")
        assert status == 1, (fault, said)
        assert fault in said, said


def test_the_checker_is_short_and_shares_no_code():
    text = SOURCE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    imported = [line for line in text.splitlines() if line.lstrip().startswith(("import ", "from "))]
    assert imported == ["import sys", "from itertools import combinations, product"]
    assert checker() == SOURCE.read_bytes()


def test_the_command(tmp_path, capsys):
    out = tmp_path / "c.txt"
    assert run(["study", "certify", "--systems", "arc-eager,swap", "--words", "2", "-o", str(out)]) == 0
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[1] == "arc-eager 1 projective 1 2 SHIFT REDUCE LEFT-ARC RIGHT-ARC"
    assert told(lines, out)[0] == 0
    assert run(["study", "certify", "--checker", "-o", str(out)]) == 0
    assert out.read_bytes() == checker()
    assert run(["study", "certify", "--systems", "arc-eagre"]) == 1
    assert "did you mean" in capsys.readouterr().err
    with pytest.raises(UnknownNameError):
        list(certificate(["covington"]))
    with pytest.raises(Error, match=f"from 1 to {LONGEST}"):
        list(certificate(words=LONGEST + 1))


@pytest.mark.slow
def test_five_words(tmp_path):
    status, said = told(list(certificate(words=5)), tmp_path / "c.txt", "--explore", "4")
    assert status == 0, said
    assert "three-registers, 5 words: 1290 trees" in said
