"""A model that is asked for by name or path is opened once per process, unless its file changes."""

import os
import pickle

from fastparse import parser
from fastparse.parser import opened_once
from tests.toy import toy_parser


def test_a_file_is_opened_once_until_it_changes(tmp_path, monkeypatch):
    path = tmp_path / "a.fp"
    toy_parser().save(path)
    opened, load = [], parser.load
    monkeypatch.setattr(parser, "load", lambda name: opened.append(name) or load(name))
    first = opened_once(path)
    assert opened_once(str(path)) is first
    assert opened_once(first) is first
    assert pickle.loads(pickle.dumps(first)) is first
    assert len(opened) == 1
    os.utime(path, (1, 1))  # whatever is done to the file shows
    assert opened_once(path) is first  # the same model
    assert len(opened) == 2
