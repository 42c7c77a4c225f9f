"""The geometry of a drawing, checked on the numbers of the SVG itself."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from fastparse.drawing.layout import pixels
from fastparse.drawing.svg import LABEL_SIZE, to_svg

from .examples import CROSSING, crossing_pairs, random_sentence

SVG = "{http://www.w3.org/2000/svg}"
SENTENCES = [CROSSING, *map(random_sentence, range(60))]
EACH = pytest.mark.parametrize("sentence", SENTENCES, ids=range(len(SENTENCES)))


def edges(sentence):
    """(head, dependent) -> corners of the path, and box of the label or None."""
    found = {}
    for group in ElementTree.fromstring(to_svg(sentence)).iter(SVG + "g"):
        if "edge" not in group.get("class").split():
            continue
        (path,) = group.findall(SVG + "path")
        numbers = re.fullmatch(
            r"M(\S+) (\S+)V\S+Q(\S+) (\S+) \S+ \S+H\S+Q(\S+) (\S+) \S+ \S+V(\S+)", path.get("d")
        ).groups()
        x1, y1, x2, y2, x3, y3, y4 = map(float, numbers)
        assert (x1, y2) == (x2, y3)
        text = group.find(SVG + "text")
        box = None
        if text is not None:
            half, base = pixels(text.text, LABEL_SIZE) / 2, float(text.get("y"))
            box = (float(text.get("x")) - half, base - LABEL_SIZE, float(text.get("x")) + half, base + 3)
        key = int(group.get("data-head")), int(group.get("data-dependent"))
        assert key not in found
        found[key] = ((x1, y1), (x2, y2), (x3, y3), (x3, y4)), box, text.text if text is not None else ""
    return found


def segments(corners):
    """Horizontal or vertical pieces of an arc as boxes (left, top, right, bottom)."""
    for (a, b), (c, d) in pairwise(corners):
        yield min(a, c), min(b, d), max(a, c), max(b, d)


def meet(one, other):
    """Whether two boxes, or pieces, have a point in common."""
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]


@EACH
def test_one_path_per_arc(sentence):
    drawn = edges(sentence)
    assert sorted(drawn, key=lambda arc: arc[1]) == [(head, word) for word, head in enumerate(sentence.heads, 1)]
    for (_, word), (_, _, label) in drawn.items():
        assert label == sentence.deprels[word - 1].replace("_", "")


@EACH
def test_lines_meet_once_where_arcs_cross_and_nowhere_else(sentence):
    total = 0
    for (one, (corners, _, _)), (other, (others, _, _)) in combinations(edges(sentence).items(), 2):
        (a, b), (c, d) = sorted(one), sorted(other)
        expected = a < c < b < d or c < a < d < b
        points = sum(meet(x, y) for x in segments(corners) for y in segments(others))
        assert points == expected, (one, other)
        total += points
    assert total == crossing_pairs(sentence.heads)


@EACH
def test_no_label_covers_another_or_meets_a_line(sentence):
    drawn = edges(sentence)
    boxes = [box for _, box, _ in drawn.values() if box]
    for one, other in combinations(boxes, 2):
        assert not meet(one, other)
    for corners, _, _ in drawn.values():
        for segment in segments(corners):
            assert not any(meet(segment, box) for box in boxes)


@EACH
def test_labels_stand_above_their_own_arc(sentence):
    for corners, box, _ in edges(sentence).values():
        if box:
            left, right = sorted((corners[0][0], corners[2][0]))
            assert left < box[0]
            assert box[2] < right
            assert box[3] < corners[1][1] < box[3] + 6


@EACH
def test_words_stand_in_order_and_apart(sentence):
    root = ElementTree.fromstring(to_svg(sentence))
    boxes = [
        (int(group.get("data-word")), float(rect.get("x")), float(rect.get("width")))
        for group in root.iter(SVG + "g")
        if "word" in group.get("class").split()
        for rect in group.findall(SVG + "rect")
    ]
    assert [word for word, _, _ in boxes] == list(range(0 if 0 in sentence.heads else 1, len(sentence.forms) + 1))
    for (_, x, width), (_, following, _) in pairwise(boxes):
        assert x + width < following
    assert boxes[-1][1] + boxes[-1][2] <= float(root.get("width"))
