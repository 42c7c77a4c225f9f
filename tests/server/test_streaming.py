"""/parse: what streams give, and how they end."""

import io
import json
import socket
import time
from types import SimpleNamespace

import pytest

from tests.server.libraries import need_libraries

httpx = need_libraries()

TEXT = "She reads old books. He doesn't sleep.\n\nNobody does!\n"


def parsed(parser, data, **options):
    out = io.BytesIO()
    parser.parse_file(io.BytesIO(data), out, **options)
    return out.getvalue()


def pieces(data, size):
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_text_in_pieces(client, parser, size):
    answer = client.post("/parse", content=pieces(TEXT.encode(), size))
    assert answer.status_code == 200
    assert answer.content == parsed(parser, TEXT.encode(), source="text")


def test_much_text_and_options(client, parser):
    data = TEXT.encode() * 700
    answer = client.post("/parse?beam=2&offsets&from=lines", content=pieces(data, 10_000))
    assert answer.content == parsed(parser, data, source="lines", offsets=True, beam=2)


@pytest.mark.parametrize("retag", [False, True])
def test_conllu(client, parser, retag):
    data = parser.tokenize(TEXT).to_bytes() * 500
    data += b"1\tbooks\t_\tX\t_\t_\t9\tdep\t_\t_\n"
    head = {"Content-Type": "text/x-conllu"}
    answer = client.post("/parse", params={"retag": str(retag)}, content=pieces(data, 100_000), headers=head)
    # Every sentence ends with an empty line, whatever it came with.
    assert answer.content == parsed(parser, data + b"\n", source="conllu", format="conllu", retag=retag)


def test_lines_of_json_out(client, parser):
    answer = client.post("/parse", content=TEXT, headers={"Accept": "application/x-ndjson"})
    assert answer.headers["content-type"] == "application/x-ndjson"
    rows = [json.loads(line) for line in answer.text.splitlines()]
    sentences = list(parser.parse_text(TEXT))
    assert [row["text"] for row in rows] == [sentence.text for sentence in sentences]
    assert [row["heads"] for row in rows] == [sentence.heads for sentence in sentences]
    assert rows[0]["lemmas"] == ["she", "read", "old", "book", "."]


def test_lines_of_json_in(client, parser):
    lines = [{"text": TEXT}, {"id": ["x"], "forms": ["Go", "!"], "upos": ["VERB", "PUNCT"]}, {"text": ""}]
    data = "\n\n".join(map(json.dumps, lines))
    answer = client.post("/parse?from=ndjson&to=ndjson", content=data)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [row["id"] for row in found] == [1, ["x"], 5]
    assert [len(row["sentences"]) for row in found] == [3, 1, 0]
    assert [s["heads"] for s in found[0]["sentences"]] == [s.heads for s in parser.parse_text(TEXT)]
    assert found[1]["sentences"][0]["upos"] == ["VERB", "PUNCT"]
    answer = client.post("/parse?to=conllu", content=data, headers={"Content-Type": "application/x-ndjson"})
    assert answer.text.count("\n\n") == 4


def test_what_is_there_is_answered_before_more_comes(client):
    begun = time.monotonic()
    seen = []

    def body():
        yield b"She reads old books.\n\nHe"
        while len(seen) < 1 and time.monotonic() < begun + 30:
            time.sleep(0.01)
        yield b" sleeps."

    # Clients of the library read an answer only after they have sent all, so this one is made by hand.
    address = client.base_url
    with socket.create_connection((address.host, address.port), 30) as made:
        made.sendall(b"POST /parse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for piece in body():
            made.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
            if not seen:
                while b"old" not in b"".join(seen):
                    seen.append(made.recv(10_000))
        made.sendall(b"0\r\n\r\n")
        while not seen[-1].endswith(b"0\r\n\r\n"):
            seen.append(made.recv(10_000))
    assert b"sleeps" in b"".join(seen)


@pytest.mark.parametrize(
    ("query", "kind", "data", "said"),
    [
        ("model=x", "", b"a", "model 'x' does not exist"),
        ("form=x", "", b"a", "no field 'form': did you mean from?"),
        ("of_set=1", "", b"a", "no field 'of_set': did you mean offsets?"),
        ("xyz=1", "", b"a", "no field 'xyz': there are from, to, model, "),
        ("threshold=-1", "", b"a", "threshold='-1': expected a number from 0"),
        ("deps=none", "", b"a", "deps='none' is unknown"),
        ("threads=9", "", b"a", "/parse does not take threads=9"),
        ("source=parquet", "", b"a", "from='parquet' is unknown"),
        ("on_error=keep&from=ndjson", "", b"{}", "on_error='keep' is for treebanks and text"),
        ("deps=copy&to=ndjson", "", b"a", "deps='copy' does nothing for lines of JSON"),
        ("offsets&from=conllu", "", b"a", "offsets=True does nothing for CoNLL-U"),
        ("from=pdf", "", b"a", "from='pdf' is unknown"),
        ("to=pdf", "", b"a", "to='pdf' is unknown"),
        ("beam=0", "", b"a", "beam=0: expected a number from 1 (greedy)"),
        ("retag=perhaps", "", b"a", "retag='perhaps': expected True or False"),
        ("", "", b"a \xff b", "not UTF-8"),
        ("from=conllu", "", b"a\n\n", "line 1: expected 10 columns"),
        ("from=conllu", "", b"\x1f\x8b\x08\x00", "line 1"),
        ("from=ndjson", "", b"{", "line 1 is no JSON"),
        ("from=ndjson", "", b"[" * 100_000, "line 1 is no JSON"),
        ("from=ndjson", "", b'\n{"text": 1}', 'line 2: "text" is no string'),
        ("from=ndjson", "", b'{"forms": "ab"}', '"forms" is no list of strings'),
        ("from=ndjson", "", b'{"forms": []}', '"forms" has no words'),
        ("from=ndjson", "", b'{"forms": ["a"], "upos": []}', "line 1"),
        ("from=ndjson", "", b'{"forms": ["a\\n"]}', "line 1"),
        ("from=ndjson", "", b'{"words": ["a"]}', "line 1 is no object"),
    ],
)
def test_errors_before_there_is_an_answer(client, query, kind, data, said):
    answer = client.post(f"/parse?{query}", content=data)
    assert answer.status_code == 400
    assert said in answer.text


@pytest.mark.parametrize("target", ["conllu", "ndjson"])
def test_an_error_after_the_beginning_ends_the_answer_early(client, target):
    data = TEXT.encode() * 12_000 + b"\xff"
    with client.stream("POST", f"/parse?beam=1&to={target}", content=data) as answer:
        assert answer.status_code == 200
        found = []
        with pytest.raises(httpx.RemoteProtocolError):
            found.extend(answer.iter_bytes())
    last = b"".join(found).splitlines()[-1].decode()
    assert "not UTF-8" in (json.loads(last)["error"] if target == "ndjson" else last)


@pytest.mark.parametrize("given", [[b"x" * 9], [b"xx\n" + b"x" * 4, b"x" * 5, b"\n"]])
def test_a_line_may_be_as_long_as_its_limit(given):
    from fastparse.corpus.jsonrows import lines_of
    from fastparse.errors import Error
    from fastparse.server.guard import Refused
    from fastparse.server.streaming import _Lines

    def bodies(longest):
        return _Lines(SimpleNamespace(name="body", pieces=lambda: iter(given)), longest).pieces()

    assert list(bodies(9)) == given
    assert max(map(len, lines_of(given, 9))) == 9
    with pytest.raises(Refused, match="more than 8 bytes"):
        list(bodies(8))
    with pytest.raises(Error, match="more than 8 bytes"):
        list(lines_of(given, 8))


def test_a_line_has_its_limit(tmp_path):
    from fastparse.server import Limits

    from .serving import served

    with served(limits=Limits(bytes=20_000)) as client:
        answer = client.post("/parse?from=ndjson", content=b'{"text": "' + b"a " * 20_000)
        assert answer.status_code == 413
        assert "a line has more than 20,000 bytes" in answer.text
        # The body as a whole has none.
        assert client.post("/parse", content=b"Go. " * 8_000).status_code == 200


def test_clients_that_go_leave_nothing_behind(client):
    address = client.base_url
    for n in range(8):
        with socket.create_connection((address.host, address.port), 30) as made:
            made.sendall(
                b"POST /parse HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n" + TEXT.encode() * (1 + n * 100)
            )
            if n % 2:
                assert made.recv(100)
    for _ in range(300):
        text = client.get("/metrics").text
        if "\nfastparse_requests_running 0\n" in text and "\nfastparse_waiting_jobs 0\n" in text:
            break
        time.sleep(0.1)
    else:
        raise AssertionError(text)
    assert client.post("/parse", content=TEXT).status_code == 200


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("threshold=0", {"threshold": 0}),
        ("threshold=100&beam=4", {"threshold": 100, "beam": 4}),
        ("deps=copy", {"deps": "copy"}),
        ("deps=blank&retag", {"deps": "blank", "retag": True}),
        ("scores&model=tiny", {"scores": True}),
        ("on_error=skip", {"on_error": "skip"}),
        ("on_error=keep", {"on_error": "keep"}),
        ("strict=no", {}),
    ],
)
def test_what_parsers_may_be_asked_for(client, parser, query, options):
    import fastparse

    one = fastparse.load("en") if "tiny" in query else parser
    good = one.tokenize(TEXT).to_bytes()
    bad = b"# x\n1\ta\n\n" if "on_error" in options else b""
    data = good * 3 + bad + good * 1000 + bad
    answer = client.post(f"/parse?from=conllu&{query}", content=data)
    assert answer.status_code == 200
    assert answer.content == parsed(one, data, source="conllu", format="conllu", **options)
    if not bad:
        answer = client.post(f"/parse?{query}", content=TEXT)
        assert answer.content == parsed(one, TEXT.encode(), source="text", **options)
    assert ("ArcProb" in answer.text) == ("scores" in options)


def test_text_with_bytes_that_are_not_utf8(client, parser):
    data = b"She reads. \xff He sleeps.\n\nNobody does.\n" * 50
    for how in ("skip", "keep"):
        answer = client.post(f"/parse?on_error={how}", content=data)
        assert answer.content == parsed(parser, data, source="text", on_error=how)


def test_strict(client):
    unknown = "1\tbooks\t_\tQQQ\tQQQ\t_\t0\t_\t_\t_\n\n"
    assert client.post("/parse?from=conllu", content=unknown).status_code == 200
    answer = client.post("/parse?from=conllu&strict", content=unknown)
    assert answer.status_code == 400
    assert "line 1 and what follows" in answer.text
    answer = client.post("/process", data={"data": unknown, "parser": "", "strict": "1"})
    assert answer.status_code == 400


def test_places_in_lines_of_json(client):
    answer = client.post("/parse?from=ndjson&offsets&to=ndjson", content=b'{"text": "She reads."}')
    assert [note.split("|")[-1] for note in answer.json()["sentences"][0]["misc"]] == [
        "TokenRange=0:3", "TokenRange=4:9", "TokenRange=9:10",
    ]  # fmt: skip


def test_an_object_of_json(client):
    body = json.dumps({"text": "She reads.\nGo!", "id": "x"}, indent=2)
    answer = client.post("/parse", content=body, headers={"Content-Type": "application/json; charset=utf-8"})
    assert answer.headers["content-type"] == "application/json"
    found = answer.json()
    assert (found["id"], [sentence["forms"] for sentence in found["sentences"]]) == (
        "x", [["She", "reads", "."], ["Go", "!"]],
    )  # fmt: skip
    answer = client.post("/parse?to=conllu", content=body, headers={"Content-Type": "application/json"})
    assert answer.text.count("\n\n") == 2
    answer = client.post("/parse", content='["a"]', headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert 'no object with "text" or "forms"' in answer.text


@pytest.mark.parametrize("kind", ["application/xml", "image/png", "multipart/form-data; boundary=x"])
def test_what_is_no_text(client, kind):
    answer = client.post("/parse", content="<a>She reads.</a>", headers={"Content-Type": kind})
    assert answer.status_code == 415
    assert kind.partition(";")[0] in answer.text
    assert client.post("/parse?from=text", content="Go", headers={"Content-Type": kind}).status_code == 200
    assert client.post("/parse", content="Go", headers={"Content-Type": "text/markdown"}).status_code == 200
