"""What a training may be given: sentences in several shapes, of which the same is learnt."""

from types import SimpleNamespace

import pytest

import fastparse
from tests.toy import TOY, toy


class Column(list):
    def tolist(self):
        return list(self)


class Frame:
    """As much of a table of words as is asked for."""

    iloc = index = None

    def __init__(self, columns):
        self.columns = dict(columns)

    def __len__(self):
        return len(self.columns["form"])

    def __iter__(self):
        return iter(self.columns)

    def __getitem__(self, name):
        return Column(self.columns[name])


class ArrowSchema:
    """As much of the schema of a table whose columns hold lists."""

    def __init__(self, names):
        self.names = list(names)

    def get_field_index(self, name):
        return self.names.index(name) if name in self.names else -1

    def field(self, at):
        return SimpleNamespace(name=self.names[at], type="list<item: string>")


class Arrow:
    """As much of a table of sentences."""

    def __init__(self, columns):
        self.columns, self.column_names = columns, list(columns)
        self.schema = ArrowSchema(columns)
        self.num_rows = len(columns["form"])

    def __iter__(self):
        return iter(self.columns.values())

    def validate(self, *, full):
        assert full

    def to_pydict(self):
        return self.columns


def dicts():
    return [
        {"form": s.forms, "upos": s.upos, "head": [int(head) for head in s.heads], "deprel": s.deprels} for s in toy()
    ]


def frame():
    sentences = dicts()
    columns = {name: [value for sentence in sentences for value in sentence[name]] for name in sentences[0]}
    numbers = [number for number, sentence in enumerate(sentences) for _ in sentence["form"]]
    return Frame(columns | {"sent_id": numbers})


def arrow():
    sentences = dicts()
    return Arrow({name: [sentence[name] for sentence in sentences] for name in sentences[0]})


def learnt(given):
    parser = fastparse.train(given, "arc-eager", beam=1, iterations=1, encoder=None)
    return [(name, array.tobytes()) for name, array in sorted(parser._decoder.arrays().items())]


@pytest.mark.parametrize(
    "given", [lambda: iter(dicts()), lambda: (one for one in dicts()), frame, arrow, lambda: tuple(dicts())]
)
def test_sentences_in_any_shape(given):
    assert learnt(given()) == learnt(dicts())


def test_paths_and_bytes():
    whole = learnt(toy())
    for given in (TOY, str(TOY), TOY.read_bytes(), [TOY], (str(TOY),)):
        assert learnt(given) == whole
    assert learnt([TOY, TOY]) != whole


@pytest.mark.parametrize("given", [None, 7, object()])
def test_other_things(given):
    with pytest.raises(fastparse.Error, match="expected a treebank, a path or sentences, found"):
        fastparse.train(given, "arc-eager", encoder=None)
