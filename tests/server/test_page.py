"""What the page is made of, and what it asks for."""

import html
import json
import re
from xml.etree import ElementTree

import pytest

import fastparse
from tests.server.libraries import need_libraries

need_libraries()

SENTENCE = "A hearing is scheduled on the issue today."
CROSSING = "".join(f"{n}\ta\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for n, head in enumerate([3, 4, 0, 3], 1))
SVG = "{http://www.w3.org/2000/svg}"


def test_nothing_comes_from_elsewhere(client):
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
        if name != "data:,":
            assert "/" not in name
            answer = client.get(f"/{name}")
            assert answer.status_code == 200
            assert not re.search(r"https?://", answer.text)
    assert not re.search(r"https?://|<script>|style=", page.text)


def test_what_may_be_chosen(client):
    found = client.get("/offers").json()
    assert found["models"][0] == {"name": "en-fast", "about": "English, UD English EWT 2.16", "system": "hybrid"}
    assert found["default"] == "en-fast"
    assert {"arc-eager", "swap", "two-registers"} <= set(found["systems"])
    assert "planar/graph" not in found["systems"]


def test_trees(client):
    found = client.post("/draw", data={"data": f"{SENTENCE} Go!", "beam": "1"}).json()
    parser = fastparse.load("en-fast")
    parsed = parser.parse_text(f"{SENTENCE} Go!", beam=1)
    assert (found["model"], found["sentences"], found["words"]) == ("en-fast", 2, 11)
    first = found["shown"][0]
    assert first["heads"] == parsed[0].heads
    picture = ElementTree.fromstring(first["svg"])
    assert [one.text for one in picture.iter(SVG + "text") if one.get("class") == "tag"] == parsed[0].upos
    assert first["tikz"].startswith(r"\begin{dependency}")
    assert "".join(row["conllu"] for row in found["shown"]).encode() == parsed.to_bytes()


def test_long_texts_are_not_drawn_whole(client):
    found = client.post("/draw", data={"data": "word " * 150 + "\n\nGo." * 40, "beam": "1"}).json()
    assert found["shown"][0]["svg"] is None
    assert found["shown"][1]["svg"] is not None
    assert found["sentences"] == 41
    assert len(found["shown"]) == 20
    assert client.post("/draw", data={"data": "a" * 1_000_001}).status_code == 413


def test_more_of_a_long_text_is_drawn_on_demand(client):
    text = "\n\n".join(f"She reads {n} books." for n in range(5000))
    fields = {"data": text, "beam": "1"}
    for first, shown in (
        ("", range(20)),
        ("20", range(20, 40)),
        ("4990", range(4990, 5000)),
        ("5000", ()),
        ("9" * 30, ()),
    ):
        found = client.post("/draw", data={**fields, "first": first}).json()
        assert (found["sentences"], found["words"]) == (5000, 25_000)
        assert [row["forms"][2] for row in found["shown"]] == [str(n) for n in shown]


def test_markup_is_shown_as_it_is(client):
    (row,) = client.post("/draw", data={"data": "<script>alert(1)</script>\x07"}).json()["shown"][:1]
    assert "<script" not in row["svg"]
    page = client.post("/steps", data={"data": row["conllu"]})
    assert page.text.count("<script") == 2  # the page's own


@pytest.mark.parametrize("system", [None, "arc-eager", "swap", "two-registers"])
def test_derivations(client, system):
    conllu = client.post("/draw", data={"data": SENTENCE}).json()["shown"][0]["conllu"]
    fields = {"data": conllu, **({"system": system} if system else {})}
    answer = client.post("/steps", data=fields)
    assert answer.status_code == 200
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    data = json.loads(re.search(r'id="derivation">(.*?)</script>', answer.text)[1])
    assert data["words"][1:] == [*SENTENCE[:-1].split(), "."]
    heads = fastparse.load("en-fast").parse_text(SENTENCE)[0].heads
    assert {(head, word) for head, word, *_ in data["arcs"]} == {(head, word) for word, head in enumerate(heads, 1)}
    own = system is None  # the model's
    assert ("the parser's own moves" if own else "the moves of its oracle") in html.unescape(answer.text)


def test_a_tree_that_the_parser_does_not_find_is_derived_by_the_oracle(client):
    conllu = "".join(
        f"{n}\t{form}\t_\t_\t_\t_\t{n - 1}\tx\t_\t_\n" for n, form in enumerate(["She", "reads", "old", "books"], 1)
    )
    answer = client.post("/steps", data={"data": f"{conllu}\n"})
    assert "the moves of its oracle" in answer.text


@pytest.mark.parametrize(
    ("path", "fields", "said"),
    [
        ("/draw", {}, "'data' is missing"),
        ("/draw", {"data": "a", "beam": "x"}, "beam='x': expected a number"),
        ("/draw", {"data": "a", "model": "x"}, "does not exist"),
        ("/draw", {"data": "a", "first": "-1"}, "first='-1'"),
        ("/steps", {"data": "a"}, "line 1"),
        ("/steps", {"data": "1\ta" + "\t_" * 8 + "\n\n"}, "head"),
        ("/steps", {"data": "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n" * 2}, "one sentence"),
        ("/steps", {"data": "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n\n", "system": "arc-eagre"}, "arc-eager"),
        ("/steps", {"data": CROSSING, "system": "hybrid"}, "'hybrid' cannot build this tree"),
    ],
)  # fmt: skip
def test_what_cannot_be_shown(client, path, fields, said):
    answer = client.post(path, data=fields)
    assert answer.status_code == 400
    assert said in answer.text


def test_the_description_names_what_there_is(client):
    found = client.get("/openapi.json").json()
    assert found["info"]["version"] == fastparse.__version__
    for path in found["paths"]:
        assert client.get(path).status_code in (200, 400, 405)
    text = json.dumps(found)
    for reference in re.findall(r'"#/([^"]+)"', text):
        node = found
        for name in reference.split("/"):
            node = node[name]
