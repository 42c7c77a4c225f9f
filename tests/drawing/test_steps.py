"""The page that steps through a derivation."""

import json
import re
from html.parser import HTMLParser

import pytest

import fastparse
from fastparse.drawing.steps import steps_of, to_html

STEPS = [
    {"move": None, "stack": [0], "buffer": [1, 2, 3], "registers": [-1, -1], "arcs": []},
    {"move": "SHIFT", "stack": [0, 1], "buffer": [2, 3], "registers": [-1, -1], "arcs": []},
    {"move": "STORE(left):nsubj", "stack": [0, 1], "buffer": [3], "registers": [2, -1], "arcs": [(2, 1)]},
    {"move": "RIGHT-ARC:obj", "stack": [0, 1, 3], "buffer": [], "registers": [2, -1], "arcs": [(2, 1), (2, 3)]},
]
FORMS = ["She", "reads", "</script><b>@@data@@"]


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.data, self._inside = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = (tag, dict(attrs).get("id"))

    def handle_data(self, text):
        self.data.setdefault(self._inside, []).append(text)

    def handle_endtag(self, tag):
        self._inside = None


def test_the_page_holds_the_derivation():
    page = Page(to_html(STEPS, FORMS, "two-registers"))
    data = json.loads("".join(page.data["script", "derivation"]))
    assert data["words"] == ["ROOT", *FORMS]
    assert data["regions"] == ["stack", "registers", "buffer"]
    assert [step["move"] for step in data["steps"]] == [step["move"] for step in STEPS]
    assert [[word for _, word in step["stack"]] for step in data["steps"]] == [step["stack"] for step in STEPS]
    assert data["steps"][2]["registers"] == [["R1", 2], ["R2", -1]]
    assert data["arcs"] == [[2, 1, 2, 4], [2, 3, 3, 4]]
    edges = [attrs for tag, attrs in page.tags if tag == "g" and "edge" in attrs.get("class", "")]
    assert [(edge["data-head"], edge["data-dependent"]) for edge in edges] == [("2", "1"), ("2", "3")]
    words = [attrs["data-word"] for tag, attrs in page.tags if "data-word" in attrs]
    assert words == ["0", "1", "2", "3"], "the root is shown: it is on the stack"
    assert [attrs["data-step"] for tag, attrs in page.tags if "data-step" in attrs] == ["0", "1", "2", "3"]


def test_an_arc_may_be_replaced():
    steps = [
        {"move": None, "stack": [], "arcs": [(1, 2, "x")]},
        {"move": "DIST(x)", "stack": [], "arcs": [(3, 2, "x")]},
    ]
    data = json.loads("".join(Page(to_html(steps, FORMS)).data["script", "derivation"]))
    assert data["arcs"] == [[1, 2, 0, 1], [3, 2, 1, 2]]


def test_words_cannot_break_out_of_the_page():
    text = to_html(STEPS, FORMS)
    assert "<b>" not in text
    assert text.count("</script>") == 2
    assert Page(text).data["title", None][0].endswith(FORMS[2])


def test_nothing_is_loaded_from_elsewhere():
    text = to_html(STEPS, FORMS).replace("http://www.w3.org/2000/svg", "")
    assert "http:" not in text
    assert "https:" not in text
    assert not re.search(r"\b(src|href)=|url\(|@import", text)
    assert "default-src 'none'" in text


def test_the_page_is_the_same_every_time():
    assert to_html(STEPS, FORMS) == to_html(STEPS, FORMS)


def test_a_derivation():
    derivation = fastparse.derive([2, 0, 2], "arc-eager", labels=["nsubj", "root", "obj"])
    steps = steps_of(derivation)
    assert [step["move"] for step in steps] == [None, *derivation.moves]
    assert steps[0] == {"move": None, "stack": [0], "buffer": [1, 2, 3], "arcs": []}
    assert steps[-1]["arcs"] == [(0, 2, "root"), (2, 1, "nsubj"), (2, 3, "obj")]
    page = Page(to_html(derivation, ["She", "reads", "books"], "arc-eager"))
    assert "".join(page.data["h1", None]) == "arc-eager"
    assert {"nsubj", "root", "obj"} <= set(page.data["text", None])


@pytest.mark.parametrize("name", fastparse.systems())
def test_every_system_has_regions_to_show(name):
    try:
        configuration = fastparse.Configuration(name, 3)
    except ValueError:
        pytest.skip(f"{name} has no configuration of its own")

    class Walk:
        moves: tuple[str, ...] = ()

        def configurations(self):
            return [configuration]

    (step,) = steps_of(Walk())
    assert len(step) >= 3, "a region besides the move and the arcs"
    assert "</html>" in to_html(Walk(), ["a", "b", "c"], name)
