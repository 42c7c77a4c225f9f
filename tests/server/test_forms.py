"""Fields of requests, and what is refused."""

import pytest

pytest.importorskip("starlette")

from fastparse.server.forms import MOST_FIELDS, fields_of_body, fields_of_query, parameters
from fastparse.server.guard import Refused

MULTIPART = "multipart/form-data; boundary=x"
END = b"\r\n--x--"
FIELD = b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n'


def test_queries():
    assert fields_of_query(b"") == {}
    assert fields_of_query(b"a&b=1%202&a=3+4&c=") == {"a": "3 4", "b": "1 2", "c": ""}


def test_ends_of_lines_are_kept():
    assert fields_of_body(MULTIPART, FIELD + b"a\r\nb\nc\r\n\r\n--x--") == {"data": "a\r\nb\nc\r\n"}


def test_a_boundary_within_a_line_is_text():
    assert fields_of_body(MULTIPART, FIELD + b"a--x--\r\n--x--\r\n") == {"data": "a--x--"}


@pytest.mark.parametrize(
    ("kind", "body", "status", "said"),
    [
        ("", b"a=1", 415, "send a form"),
        ("application/json", b"{}", 415, "application/json"),
        ("application/x-www-form-urlencoded", b"a=%ff", 400, "not UTF-8"),
        ("application/x-www-form-urlencoded", b"a=\xff", 400, "not UTF-8"),
        ("application/x-www-form-urlencoded", b"a&" * (MOST_FIELDS + 1), 400, "more than"),
        ("multipart/form-data", FIELD + b"a\r\n--x--", 400, "no boundary"),
        (MULTIPART, b"", 400, "does not end"),
        (MULTIPART, FIELD + b"a", 400, "does not end"),
        (MULTIPART, FIELD + b"a\r\n--x\r\n", 400, "does not end"),
        (MULTIPART, b"--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--", 400, "no name"),
        (MULTIPART, b"--x\r\n\r\n\r\na\r\n--x--", 400, "no name"),
        (MULTIPART, FIELD.replace(b"data\"", b"\"") + b"a" + END, 400, "no name"),
        (MULTIPART, b"--xy\r\n\r\na\r\n--x--", 400, "no empty line"),
        (MULTIPART, b"--x\r\nContent-Disposition: form-data; name=a\r\n--x--", 400, "no empty line"),
        (MULTIPART, FIELD + b"\xff\r\n--x--", 400, "byte 1"),
        (MULTIPART, FIELD[:-2] + b"Content-Transfer-Encoding: base64\r\n\r\n" + END, 415, "8bit"),
        (MULTIPART, FIELD[:-2] + b"Content-Type: a/b; charset=rot13\r\n\r\n" + END, 415, "rot13"),
        (MULTIPART, FIELD + (b"\r\n" + FIELD) * (MOST_FIELDS + 1) + END, 400, "more than"),
    ],
)  # fmt: skip
def test_what_is_no_form(kind, body, status, said):
    with pytest.raises(Refused, match=said) as found:
        fields_of_body(kind, body)
    assert found.value.status == status


def test_parameters_of_headers():
    assert parameters("") == ("", {})
    assert parameters(' Form-Data ; NAME = "a"') == ("form-data", {})  # no space may stand before =
    assert parameters(r'form-data; Name="a\"b;c"; filename=x.txt;; y="";z') == (
        "form-data", {"name": 'a"b;c', "filename": "x.txt", "y": ""},
    )  # fmt: skip
    assert parameters('a/b;x="' + ";" * 4000) == ("a/b", {})
    with pytest.raises(Refused, match="more than 4,096 bytes"):
        parameters("a/b;x=" + ";" * 5000)


def test_parts_have_few_headers():
    head = b'--x\r\nContent-Disposition: form-data;\r\n name="a"\r\n'
    assert fields_of_body(MULTIPART, head + b"X: y\r\n" * 100 + b"\r\nv" + END) == {"a": "v"}
    with pytest.raises(Refused, match="bytes of headers"):
        fields_of_body(MULTIPART, head + b"X: y\r\n" * 1000 + b"\r\nv" + END)
