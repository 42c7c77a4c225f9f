"""A component that fastparse does not have: a class, a row in the table, and it is learnt, stored, opened and used."""

import numpy as np
import pytest

import fastparse
from fastparse.annotate.annotator import Annotator, Call
from fastparse.annotate.components import COMPONENTS
from fastparse.errors import Error
from fastparse.model.sections import Section
from fastparse.parser import Parser
from fastparse.request import Request
from tests.toy import toy, toy_parser


class Namer:
    """Notes of every word that begins with a capital that it is a name, where MISC is empty."""

    name = "namer"
    fills = ("misc",)

    def __init__(self, note, record):
        self.note, self.record = note, record

    def annotate(self, passage, request, watch):
        treebank = passage.treebank
        ids, table = treebank.ids("form"), treebank.table("form")
        capital = np.array([string[:1].isupper() for string in table])
        passage.treebank = treebank.with_columns(misc=(np.where(capital[ids], 0, -1), [self.note]))

    def section(self):
        return Section({"note": self.note}, {"version": np.array([1], np.int32)})

    @classmethod
    def from_section(cls, section, record):
        if section.arrays["version"].tolist() != [1]:
            raise Error("the namer is of another version")
        return cls(section.header["note"], record)


@pytest.fixture
def with_names(monkeypatch):
    monkeypatch.setitem(COMPONENTS, "namer", Namer)
    return Parser(toy_parser()._annotator.with_part(Namer("Entity=Yes", {"learnt": "by heart"})))


def test_a_new_component_works_after_those_before_it(with_names):
    assert with_names.components == ("parser", "namer")
    found = with_names.parse(toy())
    assert (found.heads == toy_parser().parse(toy()).heads).all()
    for sentence in found:
        for form, misc in zip(sentence.forms, sentence.misc, strict=True):
            assert misc == ("Entity=Yes" if form[:1].isupper() else "_")


def test_it_is_stored_and_opened(with_names, tmp_path):
    with_names.save(tmp_path / "m.fp")
    again = fastparse.load(tmp_path / "m.fp")
    assert again.components == ("parser", "namer")
    assert again.info["namer"] == {"learnt": "by heart"}
    assert again.parse(toy()).to_bytes() == with_names.parse(toy()).to_bytes()


def test_it_goes_from_file_to_file(with_names, tmp_path):
    (tmp_path / "in.conllu").write_bytes(toy().to_bytes())
    with_names.parse_file(tmp_path / "in.conllu", tmp_path / "out.conllu", threads=2)
    assert (tmp_path / "out.conllu").read_bytes() == with_names.parse(toy()).to_bytes()


def test_who_does_not_know_it_refuses_the_file(with_names, tmp_path, monkeypatch):
    with_names.save(tmp_path / "m.fp")
    monkeypatch.delitem(COMPONENTS, "namer")
    with pytest.raises(fastparse.ModelFormatError, match=r"namer.*this fastparse knows tokenizer, tagger"):
        fastparse.load(tmp_path / "m.fp")


def test_components_work_in_the_order_of_the_table_whatever_they_come_in():
    parts = toy_parser()._annotator.parts
    assert Annotator(reversed(parts)).names == tuple(part.name for part in parts)


def test_an_annotator_gives_what_the_parser_does():
    annotator, request = toy_parser()._annotator, Request.of("parse", beam=2)
    found, work = annotator.annotate(toy(), request)
    assert found.to_bytes() == toy_parser().parse(toy(), beam=2).to_bytes()
    assert work is None
    _, work = Call(annotator, request, timed=True)(toy())
    assert work.words.sum() == toy().n_words
