"""What an SVG says besides its geometry."""

from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from fastparse.drawing.graph import graph_of, make_graph
from fastparse.drawing.svg import to_svg
from fastparse.errors import Error

from .examples import CROSSING, random_sentence

SVG = "{http://www.w3.org/2000/svg}"


def classed(root, tag, name):
    return [one for one in root.iter(SVG + tag) if name in (one.get("class") or "").split()]


def test_crossing_arcs_are_marked():
    root = ElementTree.fromstring(to_svg(CROSSING))
    marked = {(int(one.get("data-head")), int(one.get("data-dependent"))) for one in classed(root, "g", "crossing")}
    assert marked == {(0, 3), (2, 5), (4, 8), (3, 9)}
    assert len(classed(root, "path", "crossing")) == 4
    assert len(list(root.iter(SVG + "path"))) == len(classed(root, "path", "arc")) == 9


def test_registers_are_marked():
    root = ElementTree.fromstring(to_svg(CROSSING, registers=(2, 4)))
    marked = classed(root, "g", "register")
    assert [one.get("data-word") for one in marked] == ["2", "4"]
    assert [one.findall(SVG + "text")[1].text for one in marked] == ["R1 2", "R2 4"]
    assert not classed(ElementTree.fromstring(to_svg(CROSSING)), "g", "register")


def test_title_and_description_are_tied_to_the_picture():
    root = ElementTree.fromstring(to_svg(CROSSING))
    title, description = root.find(SVG + "title"), root.find(SVG + "desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == title.get("id")
    assert root.get("aria-describedby") == description.get("id")
    assert title.text == "Dependency tree of hearing: A hearing is scheduled on the issue today ."
    assert "hearing → on (nmod)" in description.text
    assert description.text.endswith("3 crossings.")


def test_ids_differ_between_pictures_and_repeat():
    one, other = (ElementTree.fromstring(to_svg(sentence)) for sentence in (CROSSING, random_sentence(1)))
    assert one.find(SVG + "title").get("id") != other.find(SVG + "title").get("id")
    assert to_svg(CROSSING) == to_svg(CROSSING)


def test_markup_and_control_characters_do_no_harm():
    odd = SimpleNamespace(
        forms=["</svg>", '"&', "a\x00\x0b\ud800"], heads=[2, 0, 2], deprels=["<b>", "&amp;", "x\x07"], sent_id="<&"
    )
    root = ElementTree.fromstring(to_svg(odd))
    assert [one.text for one in classed(root, "text", "form")] == ["ROOT", "</svg>", '"&', "a\ufffd\ufffd\ufffd"]
    assert [one.text for one in classed(root, "text", "label")] == ["<b>", "&amp;", "x\ufffd"]


def test_nothing_is_loaded_from_elsewhere():
    text = to_svg(CROSSING).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in text
    assert "href" not in text
    assert "url(" not in text
    assert "<script" not in text


def test_words_without_heads_and_no_words():
    partial = SimpleNamespace(forms=["a", "b"], heads=[-1, 1], deprels=["_", "x"], sent_id=None)
    assert len(classed(ElementTree.fromstring(to_svg(partial)), "path", "arc")) == 1
    empty = SimpleNamespace(forms=[], heads=[], deprels=[], sent_id=None)
    assert not classed(ElementTree.fromstring(to_svg(empty)), "path", "arc")


def test_graphs_may_give_a_word_several_heads():
    graph = make_graph(["a", "b", "c"], [(1, 2, "x"), (2, 1, "y"), (3, 2, "z"), (1, 3, "w")])
    root = ElementTree.fromstring(to_svg(graph))
    assert len(classed(root, "path", "arc")) == 4
    tops = {one.get("d").split("V")[1].split("Q")[0] for one in classed(root, "path", "arc")[:2]}
    assert len(tops) == 2, "arcs between the same words have levels of their own"


@pytest.mark.parametrize("arc", [(3, 1, "x"), (1, 0, "x"), (1, 1, "x"), (-1, 1, "x")])
def test_arcs_between_no_words_are_refused(arc):
    with pytest.raises(Error, match="words 1 to 2"):
        make_graph(["a", "b"], [arc])


def test_registers_must_be_words():
    with pytest.raises(Error, match="words 0 to 9"):
        to_svg(CROSSING, registers=(10,))


@pytest.mark.parametrize("seed", range(40))
def test_arcs_of_two_planes_do_not_cross_where_they_are_drawn(seed):
    graph = graph_of(random_sentence(seed, longest=12))
    below = graph.lower_half()
    seen = [
        (a, b)
        for at, a in enumerate(graph.arcs)
        for other, b in enumerate(graph.arcs[:at])
        if a.crosses(b) and (at in below) == (other in below)
    ]
    # Without a cycle of odd length there are two planes, and both are found.
    if not seen:
        return
    crossings = {at: {other for other, b in enumerate(graph.arcs) if a.crosses(b)} for at, a in enumerate(graph.arcs)}
    sides = {}
    waiting = [(at, 0) for at in crossings]
    odd = False
    while waiting:
        at, side = waiting.pop()
        if at in sides:
            continue
        reached = [(at, side)]
        for one, mine in reached:
            if one in sides:
                odd |= sides[one] != mine
                continue
            sides[one] = mine
            reached += [(other, 1 - mine) for other in crossings[one]]
    assert odd


def test_arcs_below_and_tags():
    plain = ElementTree.fromstring(to_svg(CROSSING))
    root = ElementTree.fromstring(to_svg(CROSSING, below=True))
    lines = {
        (one.get("data-head"), one.get("data-dependent")): one.find(SVG + "path").get("d")
        for one in root.iter(SVG + "g")
        if one.get("data-head")
    }
    middle = float(classed(root, "text", "form")[0].get("y"))
    under = {arc for arc, line in lines.items() if float(line[1:].split("V")[0].split()[1]) > middle}
    assert under == {("2", "5")}
    assert float(root.get("height")) < float(plain.get("height")) + 40
    sentence = SimpleNamespace(
        forms=["Go", "!"], heads=[0, 1], deprels=["root", "punct"], lemmas=["go", "_"], upos=["VERB", "_"],
        xpos=["VB", "."], feats=["Mood=Imp|VerbForm=Fin", "_"],
    )  # fmt: skip
    root = ElementTree.fromstring(to_svg(sentence, tags=True))
    assert [one.text for one in classed(root, "text", "tag")] == ["VERB", "."]
    notes = [one.find(SVG + "title").text for one in classed(root, "g", "word")[1:]]
    assert notes == ["go\nVERB\nVB\nMood=Imp\nVerbForm=Fin", "."]
