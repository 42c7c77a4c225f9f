"""Trees of box-drawing characters."""

import pytest

from fastparse.drawing.graph import graph_of
from fastparse.drawing.layout import cells, lay_out
from fastparse.drawing.text import _METRICS, folded, table_text, to_text

from .examples import CROSSING, crossing_pairs, random_sentence

SENTENCES = [CROSSING, *map(random_sentence, range(60))]
FILLER = "\0"  # the second cell of a wide character
EACH = pytest.mark.parametrize("sentence", SENTENCES, ids=range(len(SENTENCES)))


@EACH
def test_as_many_crossings_arrows_and_corners_as_there_are(sentence):
    text = to_text(sentence)
    assert text.count("╋") == crossing_pairs(sentence.heads)
    assert text.count("▼") == len(sentence.heads)
    heavy = {arc for pair in graph_of(sentence).crossings() for arc in pair}
    assert text.count("┏") == text.count("┓") == len(heavy)
    assert text.count("╭") == text.count("╮") == len(sentence.heads) - len(heavy)
    assert "┼" not in text


@EACH
def test_following_the_lines_finds_the_tree(sentence):
    """Walk each arc from its arrowhead up, along and down; it must end above its head."""
    rows = [grid_row(line) for line in to_text(sentence).split("\n")]
    bottom = next(at for at, row in enumerate(rows) if "▼" in row)
    layout = lay_out(graph_of(sentence), _METRICS)
    found = {}
    for column, character in enumerate(rows[bottom]):
        if character == "▼":
            head, label = follow(rows, bottom, column)
            found[owner(layout, column)] = (owner(layout, head), label)
    expected = {word: (head, sentence.deprels[word - 1].strip("_")) for word, head in enumerate(sentence.heads, 1)}
    assert found == expected


def follow(rows, bottom, column):
    row = bottom - 1
    while at(rows, row, column) in "│┃╋":
        row -= 1
    step = 1 if at(rows, row, column) in "╭┏" else -1
    assert at(rows, row, column) in "╭┏╮┓"
    label, column = "", column + step
    while at(rows, row, column) not in "╭┏╮┓":
        label += at(rows, row, column)
        column += step
    for line in "─━╋" + FILLER:
        label = label.replace(line, "")
    row += 1
    while row < bottom:
        assert at(rows, row, column) in "│┃╋"
        row += 1
    assert at(rows, bottom, column) in "│┃"
    return column, label if step > 0 else "".join(reversed(label))


def at(rows, row, column):
    return rows[row][column] if column < len(rows[row]) else " "


def grid_row(line):
    row = []
    for character in line:
        if cells(character) == 0:
            row[-1] += character
        else:
            row += [character] + [FILLER] * (cells(character) - 1)
    return row


def owner(layout, column):
    (word,) = (w for w in layout.words if layout.lefts[w] <= column < layout.lefts[w] + layout.widths[w])
    return word


def test_a_small_tree_looks_like_this():
    sentence = random_sentence(0)
    sentence.forms, sentence.heads, sentence.deprels = ["She", "reads", "books"], [2, 0, 2], ["nsubj", "root", "obj"]
    assert to_text(sentence) == "\n".join(
        (
            "  ╭─────root─────╮",
            "  │    ╭─nsubj─╮ │ ╭─obj─╮",
            "  │    ▼       │ ▼ │     ▼",
            "ROOT  She      reads   books",
            " 0     1         2       3",
        )
    )


def test_registers_stand_below():
    assert to_text(CROSSING, registers=(2, 4)).split("\n")[-1].split() == ["R1", "R2"]


@pytest.mark.parametrize(
    ("text", "width"), [("abc", 3), ("我们", 4), ("e\u0301", 1), ("", 0), ("ｱ", 1), ("Ａ", 2), ("\u200d", 0)]
)
def test_cells(text, width):
    assert cells(text) == width


@pytest.mark.parametrize("width", [12, 30, 80])
@EACH
def test_parts_fit_and_have_all_that_the_whole_has(sentence, width):
    whole, parts = to_text(sentence), to_text(sentence, width=width)
    if max(map(cells, whole.split("\n"))) <= width:
        assert parts == whole
        return
    assert max(map(cells, parts.split("\n"))) <= width
    assert sorted("".join(parts.split())) == sorted("".join(whole.split()))
    if width > 12:
        for form in graph_of(sentence).forms:
            assert any(form in line for line in parts.split("\n")), "a form is cut"


def test_a_tree_in_parts_looks_like_this():
    sentence = random_sentence(0)
    sentence.forms, sentence.heads, sentence.deprels = ["She", "reads", "books"], [2, 0, 2], ["nsubj", "root", "obj"]
    assert to_text(sentence, width=20) == "\n".join(
        (
            "  ╭─────root───",
            "  │    ╭─nsubj─",
            "  │    ▼",
            "ROOT  She",
            " 0     1",
            "",
            "──╮",
            "╮ │ ╭─obj─╮",
            "│ ▼ │     ▼",
            "reads   books",
            "  2       3",
        )
    )


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("a bc d", 4, ["a bc", "d"]),
        ("a bc d", 80, ["a bc d"]),
        ("abcdefg h", 3, ["abc", "def", "g h"]),
        ("我们 我", 4, ["我们", "我"]),
        ("", 4, [""]),
    ],
)
def test_folding(text, width, lines):
    assert folded(text, width) == lines


def test_folded_lines_are_indented():
    assert folded("# 1=a 2=b 3=c", 8, "# ") == ["# 1=a", "# 2=b", "# 3=c"]


def test_a_table_is_folded_in_its_widest_columns():
    rows = [["", "[]", "[0 1 2 3 4 5 6 7]", "", ""], ["SHIFT", "[0]", "[1 2 3 4 5 6 7]", "", "0 -> 1"]]
    assert table_text(rows, 80).split("\n")[1] == "SHIFT  [0]  [1 2 3 4 5 6 7]    0 -> 1"
    lines = table_text(rows, 30).split("\n")
    assert max(map(len, lines)) <= 30
    assert " ".join(line[12:22].strip() for line in lines[:2]) == "[0 1 2 3 4 5 6 7]"
