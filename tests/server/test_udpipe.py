"""UDPipe's protocol, as its clients speak it."""

import json
import re

import pytest

import fastparse
from tests.server.libraries import need_libraries

need_libraries()

TEXT = "She reads old books. He doesn't sleep.\n\nNobody does!"


def result(client, **fields):
    answer = client.post("/process", data={"data": TEXT, **fields})
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"model", "acknowledgements", "result"}
    return answer.json()["result"]


def cells(conllu, column):
    lines = [line.split("\t") for line in conllu.split("\n") if line and not line.startswith("#")]
    return [line[column] for line in lines if line[0].isdecimal()]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_models_are_listed(client, method):
    answer = client.request(method, "/models")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == {
        "models": {"en-fast": ["tokenizer", "tagger", "parser"], "tiny": ["tokenizer", "tagger", "parser"]},
        "default_model": "en-fast",
    }


def test_text_gets_what_the_parser_gives(client, parser):
    assert result(client, tokenizer="", tagger="", parser="").encode() == parser.parse_text(TEXT).to_bytes()


def test_tokens_alone(client, parser):
    found = result(client, tokenizer="")
    assert found.encode() == parser.tokenize(TEXT).to_bytes()
    assert set(cells(found, 3)) == set(cells(found, 6)) == {"_"}


def test_a_beam_for_the_parser(client, parser):
    found = result(client, tokenizer="", tagger="", parser="other=x; beam_search=1")
    assert found.encode() == parser.parse_text(TEXT, beam=1).to_bytes()
    answer = client.post("/process", data={"data": TEXT, "tokenizer": "", "parser": "beam_search=0"})
    assert answer.status_code == 400
    assert "beam=0: expected a number from 1" in answer.text


def test_none_is_not_wanted(client):
    assert result(client, tokenizer="", tagger="none", parser="none") == result(client, tokenizer="")


def test_tags_alone(client, parser):
    found = result(client, tokenizer="", tagger="")
    assert cells(found, 3) == [tag for s in parser.parse_text(TEXT) for tag in s.upos]
    assert set(cells(found, 6)) == {"_"}


def test_trees_alone_leave_tags_as_they_are(client, parser):
    tokens = result(client, tokenizer="")
    found = result(client, data=tokens, parser="")
    assert set(cells(found, 3)) == {"_"}
    assert cells(found, 6) == [str(head) for s in parser.parse_text(TEXT) for head in s.heads]


def test_a_tagger_replaces_tags_and_a_parser_reads_those_there_are(client, parser):
    given = "1\tbooks\t_\tX\t_\t_\t%d\tdep\t_\t_\n\n"
    assert cells(result(client, data=given % 0, tagger=""), 3) != ["X"]
    found = result(client, data=given % 7, parser="")  # heads that are replaced are not read
    assert cells(found, 3) == ["X"]
    assert cells(found, 6) == ["0"]


def test_options_of_tokenizers(client):
    lines = result(client, data="one. two\nthree", tokenizer="presegmented")
    assert lines.count("# text") == 2
    assert "TokenRange=0:3" in result(client, tokenizer="ranges;presegmented")
    assert "SpacesAfter" in result(client, tokenizer="", data="a  b")
    assert "Spaces" not in result(client, tokenizer="normalized_spaces", data="a  b|c\n\nd ")


def test_formats_of_input(client):
    rows = "Go\u00a0home now\n\n  Stop . \n"
    found = result(client, data=rows, input="horizontal")
    assert cells(found, 1) == ["Go home", "now", "Stop", "."]
    found = result(client, data="Go\tx\nhome\n\n\n\nStop\n", input="vertical")
    assert cells(found, 1) == ["Go", "home", "Stop"]
    assert found.count("\n\n") == 2
    assert result(client, input="generic_tokenizer") == result(client, tokenizer="")
    assert result(client, input="conllu=v2", data="1\ta\t_\t_\t_\t_\t_\t_\t_\t_") == "1\ta" + "\t_" * 8 + "\n\n"
    assert result(client, data="", input="conllu") == result(client, data=" \n", input="horizontal") == ""


def test_formats_of_output(client):
    everything = {"tokenizer": "", "tagger": "", "parser": ""}
    first = "She reads old books .\n"
    assert result(client, output="horizontal", **everything).startswith(first + "He does n't sleep .\n")
    assert "sleep .\n\nNobody" in result(client, output="horizontal=paragraphs", **everything)
    assert result(client, output="vertical", **everything).startswith(first.replace(" ", "\n") + "\nHe\n")
    assert result(client, output="plaintext", **everything) == TEXT
    assert result(client, output="plaintext=normalized_spaces", **everything).split("\n")[1] == "He doesn't sleep."
    matxin = result(client, output="matxin", **everything)
    assert matxin.startswith('<corpus>\n<SENTENCE ord="1" alloc="0">\n <NODE ord="2" alloc="0" form="reads" lem="read"')
    assert matxin.count("<NODE") == matxin.count("/>") + matxin.count("</NODE>")
    first = json.loads(result(client, output="epe", **everything).split("\n")[0])
    assert [node["form"] for node in first["nodes"]] == ["She", "reads", "old", "books", "."]
    assert first["nodes"][1]["top"]
    assert {"label": "nsubj", "target": 1} in first["nodes"][1]["edges"]
    with_space = "1\ta b\tc d\t_\t_\t_\t_\t_\t_\t_\n1.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    assert result(client, data=with_space, output="conllu=v1") == "1\ta_b\tc_d\t_\t_\t_\t_\t_\t_\t_\n\n"


def test_every_way_to_send_fields(client):
    fields = {"data": "Größe. Ω", "tokenizer": "", "tagger": "", "parser": ""}
    answer = client.post("/process", data=fields)
    assert "Größe" in answer.json()["result"]
    assert client.get("/process", params=fields).content == answer.content
    assert client.get("/process?tokenizer&tagger&parser&data=Gr%C3%B6%C3%9Fe.+%CE%A9").content == answer.content
    files = {name: (None, value) for name, value in fields.items()}
    assert client.post("/process", files=files).content == answer.content
    files["data"] = ("a.txt", fields["data"])
    assert client.post("/process?data=other", files=files).content == answer.content
    boundary = "0f 1=,"
    lines = ["no part"]
    for name, value in fields.items():
        lines += [f"--{boundary}", f'Content-Disposition: form-data; name="{name}"', "Content-Transfer-Encoding: 8bit"]
        lines += ["Content-Type: text/plain; charset=utf-8", "", value]
    body = "\r\n".join([*lines, f"--{boundary}--", ""]).encode()
    kind = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'}
    assert client.post("/process", content=body, headers=kind).content == answer.content


def test_characters_stay_as_they_were_sent(client):
    found = result(client, data="Cafe\u0301 opens.", tokenizer="ranges")
    assert cells(found, 1) == ["Cafe\u0301", "opens", "."]
    assert re.findall("TokenRange=([0-9:]+)", found) == ["0:5", "6:11", "11:12"]  # of the text that was sent
    conllu = "# x = e\u0301 \u212b\n1\te\u0301\t_\t_\t_\t_\t_\t_\t_\tA=\u2126\n\n"
    assert result(client, data=conllu) == conllu


def test_names_of_models(client):
    answer = client.post("/process?tokenizer", data={"data": TEXT, "model": "other"})
    assert answer.json()["model"] == "tiny"
    assert client.get("/process?data=a&tokenizer&model=").json()["model"] == "en-fast"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"tokenizer": ""}, "argument 'data' is missing"),
        ({"data": "a", "model": "none\x1b"}, r"model 'none\x1b' does not exist: there are en-fast, tiny"),
        ({"data": "a", "input": "pdf"}, "unknown input format 'pdf'"),
        ({"data": "a", "output": "pdf", "tokenizer": ""}, "unknown output format 'pdf'"),
        ({"data": "a", "tokeniser": ""}, "no field 'tokeniser': did you mean tokenizer?"),
        ({"data": "a", "tokenizer": "", "beam": "2"}, "beam goes with parser"),
        ({"data": "a", "tokenizer": "", "retag": "1"}, "retag goes with tagger"),
        ({"data": "a", "input": "horizontal", "offsets": ""}, "offsets goes with tokenizer"),
        ({"data": "a", "tokenizer": "", "on_error": "skip"}, "on_error goes with input=conllu"),
        ({"data": "a", "tokenizer": "", "output": "epe", "deps": "copy"}, "deps goes with output=conllu"),
        ({"data": "a", "tokenizer": "", "parser": "", "beam": "x"}, "beam='x': expected a number from 1"),
        ({"data": "a b c"}, "line 1"),
        ({"data": "1\ta\t_\t_\t_\t_\tx\t_\t_\t_\n\n"}, "line 1"),
    ],
)
def test_errors_say_what_is_wrong(client, fields, said):
    answer = client.post("/process", data=fields)
    assert answer.status_code == 400
    assert answer.headers["content-type"].startswith("text/plain")
    assert said in answer.text
    assert "\x1b" not in answer.text


def test_a_model_without_a_component_says_so(tmp_path):
    from tests.toy import toy_parser

    from .serving import served

    toy_parser().save(tmp_path / "toy.fp")
    with served(models=[str(tmp_path / "toy.fp")]) as client:
        assert client.get("/models").json() == {"models": {"toy": ["parser"]}, "default_model": "toy"}
        for field, missing in (("tokenizer", "tokenizer"), ("tagger", "tagger")):
            answer = client.post("/process", data={"data": "a", field: ""})
            assert answer.status_code == 400
            assert f"has no {missing}" in answer.text
        answer = client.post("/parse?from=words&scores", content="a")
        assert "has no tokenizer" in answer.text
        answer = client.post("/parse?from=ndjson&scores", content='{"forms": ["a"]}')
        assert answer.status_code == 400
        assert "how sure" in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/none", 404), ("PUT", "/process", 405), ("DELETE", "/models", 405)]
)
def test_what_there_is_not(client, method, path, status):
    answer = client.request(method, path)
    assert answer.status_code == status
    assert path in answer.text


def test_answers_are_for_nobody_else(client):
    answer = client.get("/models", headers={"Origin": "https://example.org"})
    assert "access-control-allow-origin" not in answer.headers
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers


def test_pages_of_other_sites_if_asked_for():
    from .serving import served

    with served(origins=["https://example.org"]) as client:
        answer = client.get("/models", headers={"Origin": "https://example.org"})
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        answer = client.get("/models", headers={"Origin": "https://example.com"})
        assert "access-control-allow-origin" not in answer.headers


def test_health(client):
    assert client.get("/health").json() == {
        "status": "ok", "version": fastparse.__version__, "models": ["en-fast", "tiny"], "default_model": "en-fast",
    }  # fmt: skip


def test_metrics(client):
    client.get("/nowhere")
    text = client.get("/metrics").text
    assert 'fastparse_requests_total{path="other",status="404"}' in text
    assert all(line.startswith("# ") or len(line.split(" ")) == 2 for line in text.splitlines())


def test_what_parsers_may_be_asked_for(client, parser):
    everything = {"tokenizer": "", "tagger": "", "parser": ""}
    for name, value in {"beam": 1, "threshold": 0, "deps": "copy", "offsets": True}.items():
        options = {} if name == "deps" else {name: value}
        expected = parser.parse(
            parser.tokenize(TEXT, offsets=name == "offsets"), **(options if name != "offsets" else {})
        )
        found = result(client, **everything, **{name: str(value)})
        assert found.encode() == expected.to_bytes(value if name == "deps" else "keep"), name
    assert "ArcProb" in result(client, model="tiny", scores="1", **everything)
    assert "ArcProb" in result(client, data=result(client, tokenizer=""), model="tiny", scores="1", parser="")
    given = "1\tbooks\t_\tX\t_\t_\t0\tdep\t_\t_\n\n"
    assert cells(result(client, data=given, tagger="", retag="no"), 3) == ["X"]
    assert result(client, data=given + "1\ta\n\n" + given, on_error="skip") == given * 2
    bad = "# bad\n1\ta\n\n"
    assert bad in result(client, data=given + bad + given, on_error="keep", parser="")


@pytest.mark.parametrize(
    "name", ["english", "english-ewt", "english-ewt-ud-2.15-241121", "english-ud-2.5-191206", "eng"]
)
def test_names_of_udpipe(client, name):
    answer = client.post("/process", data={"data": "Go", "tokenizer": "", "model": name})
    assert answer.json()["model"] == "tiny"  # the bundled model "en"
    assert client.post("/parse", content="Go", params={"model": name}).status_code == 200
    assert client.post("/parse", content="Go", params={"model": name + "x"}).status_code == 400
