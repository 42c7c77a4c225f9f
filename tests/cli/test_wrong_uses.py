"""What people get wrong on the command line: each gets a line that names the thing and the remedy, and no traceback."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import pytest

from fastparse.cli.main import run
from tests.toy import TOY, toy_parser

TOY = str(TOY)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with a model, treebanks, and files that are none."""
    folder = tmp_path_factory.mktemp("wrong")
    toy_parser().save(folder / "my.fp")
    data = Path(TOY).read_bytes()
    (folder / "ok.conllu").write_bytes(data)
    (folder / "text.txt").write_text("She reads.\n")
    (folder / "text.out").write_text("She reads.\n")
    (folder / "spaces.conllu").write_text("1 Go go VERB _ _ 0 root _ _\n\n")
    (folder / "short.conllu").write_text("1\tGo\n\n")
    (folder / "latin1.conllu").write_bytes("1\tgå\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n".encode("latin-1"))
    (folder / "cut.conllu.gz").write_bytes(gzip.compress(data)[:-9])
    (folder / "no.fp").write_text("this is no model")
    (folder / "cut.fp").write_bytes((folder / "my.fp").read_bytes()[:500])
    (folder / "empty.conllu").write_text("")
    (folder / "in").mkdir()
    (folder / "in" / "a.conllu").write_bytes(data)
    return folder


WRONG = [
    # the line, the exit status, what the message names, the remedy it gives
    ("", 2, "expected a command", "parse"),
    ("prase ok.conllu", 2, "'prase'", "did you mean parse?"),
    ("--beam 2 parse ok.conllu", 2, "options of a command follow it", "fastparse parse --beam 2"),
    ("parse ok.conllu --modle my.fp", 2, "--modle", "did you mean --model?"),
    ("parse ok.conllu --threads two", 2, "'two'", "number from 1"),
    ("parse ok.conllu --beam 0", 2, "'0'", "from 1 to 1023"),
    ("parse ok.conllu --on-error ignore", 2, "'ignore'", "skip"),
    ("parse ok.conllu -m en-fats", 1, "'en-fats'", "Did you mean 'en-fast'?"),
    ("parse ok.conllu -m no.fp", 1, "no.fp", "not a usable model file"),
    ("parse ok.conllu -m cut.fp", 1, "cut.fp", "again"),
    ("parse ok.conllu -m ok.conllu", 1, "ok.conllu", "not a usable model file"),
    ("parse nothing.conllu -m my.fp", 1, "nothing.conllu", "no such file"),
    ("parse in -m my.fp", 1, "in: this is a folder", "-r"),
    ("parse ok.conllu -m my.fp -o ok.conllu", 1, "written over the input", "another name"),
    ("parse -r in -m my.fp -o in", 1, "written over the input", "another name or folder"),
    ("parse ok.conllu -m my.fp -o no/where.conllu", 1, "no/where.conllu", "make it first"),
    ("parse ok.conllu in/a.conllu ok.conllu -m my.fp -o out/", 1, "would both become", "-r"),
    ("parse text.txt -m my.fp", 1, "running text needs a tokenizer", "--components"),
    ("parse text.out -m my.fp", 1, "text.out:1", "--from text"),
    ("parse text.txt ok.conllu -m my.fp", 1, "text.txt is text, ok.conllu is conllu", "--from"),
    ("parse ok.conllu -m my.fp -o t.json", 1, "t.json: .json is not written", "ndjson (.ndjson, .jsonl)"),
    ("parse ok.conllu -m my.fp -o my.fp", 1, "over the input", "another name"),
    ("parse spaces.conllu -m my.fp", 1, "spaces.conllu:1", "tabs"),
    ("parse short.conllu -m my.fp", 1, "short.conllu:1", "--on-error skip"),
    ("parse latin1.conllu -m my.fp", 1, "latin1.conllu:1", "UTF-8"),
    ("parse cut.conllu.gz -m my.fp", 1, "cut.conllu.gz", "fetch or compress the file again"),
    ("parse ok.conllu -m my.fp --retag", 1, "--retag needs a tagger", "--components"),
    ("parse ok.conllu -m my.fp --force", 1, "--force is for folders", "-o FOLDER/"),
    ("parse -r in -m my.fp -o out2/ --stats s.json", 1, "--stats is about one output", "folder"),
    ("tag ok.conllu -m my.fp", 1, "tagger", "--components"),
    ("tokenize text.txt -m my.fp", 1, "tokenizer", "--components"),
    ("tokenize ok.conllu -m en", 1, "ok.conllu: this is CoNLL-U", "--from"),
    ("train ok.conllu -o m.fp --xplore 1", 2, "--xplore", "did you mean --explore?"),
    ("train ok.conllu -o no/m.fp", 1, "'", "make it first"),
    ("train short.conllu -o m.fp", 1, "short.conllu:1", "10 columns"),
    ("train empty.conllu -o m.fp", 1, "no sentences", "treebank"),
    ("train ok.conllu -o m.fp --system arc-eagre", 1, "'arc-eagre'", "'arc-eager'"),
    ("train ok.conllu -o m.fp --option oracle", 1, "--option oracle", "NAME=VALUE"),
    ("train ok.conllu -o m.fp --system planar/graph", 1, "graphs", "--targets enhanced"),
    ("evaluate ok.conllu", 2, "predicted", "--help"),
    ("evaluate ok.conllu empty.conllu", 1, "ok.conllu", "sentences"),
    ("evaluate ok.conllu ok.conllu --convention conll", 2, "'conll'", "conllx"),
    ("derive ok.conllu --system sawp", 1, "'sawp'", "'swap'"),
    ("derive ok.conllu --system swap --sentence 99", 1, "'99'", "from 1 to 61"),
    ("derive ok.conllu --system swap --html page.html", 1, "61", "--sentence"),
    ("draw ok.conllu --format svg", 1, "one picture per file", "--sentence"),
    ("systems sawp", 1, "'sawp'", "'swap'"),
    ("info no.fp", 1, "no.fp", "not a usable model file"),
    ("package my.fp -o dist", 1, "licence", "--licence"),
    ("package my.fp -o dist --name My_Model --licence x", 1, "My_Model", "small letters"),
    ("classes in/none", 1, "in/none", "no such file"),
    ("shard run in", 1, "in", "plan"),
    ("shard", 2, "STEP", "--help"),
    ("completion csh", 2, "'csh'", "bash"),
]


@pytest.mark.parametrize(("line", "status", "names", "remedy"), WRONG, ids=[line or "nothing" for line, *_ in WRONG])
def test_a_wrong_use_is_answered(place, monkeypatch, capsys, line, status, names, remedy):
    monkeypatch.chdir(place)
    before = sorted(os.listdir(place))
    try:
        left = run(line.split())
    except SystemExit as exited:
        left = exited.code
    said = capsys.readouterr().err
    assert left == status, said
    assert names in said
    assert remedy in said
    assert "Traceback" not in said
    assert not re.search(r"\.tmp|0x[0-9a-f]{6}|object at|\bon_error\b|\bretag=|\blicence=", said), "names of the inside"
    assert len(said.splitlines()) <= 4
    assert sorted(os.listdir(place)) == before, "nothing is left behind"


def test_there_are_forty():
    assert len(WRONG) >= 40
