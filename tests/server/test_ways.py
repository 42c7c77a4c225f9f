"""Every field of a request against every way in over HTTP: honoured, as the answer shows, or refused by name."""

import pytest

import fastparse
from fastparse.request import WAYS
from tests.server.libraries import need_libraries
from tests.test_ways import FIELDS, OVER_HTTP, PROBES, input_for

need_libraries()


@pytest.fixture(scope="module")
def tagged():
    parser = fastparse.load("en")
    return parser.tag(
        parser.tokenize("Any other use of the email by you is prohibited.\nThe café closed.\n")
    ).to_bytes()


def answer(client, way, field, data, suffix, asked):
    """What a way answers to data; the model is "en" unless it is asked for."""
    fields = {"model": "tiny", **asked}
    if way == "/parse":
        return client.post(way, params={"from": "text" if suffix == ".txt" else "conllu", **fields}, content=data)
    if way == "/process":
        tags = {} if field == "strict" else {"tagger": ""}  # the tagger would replace what the parser is to refuse
        reads = {"tokenizer": ""} if suffix == ".txt" else {}
        kept = {"retag": "no"} if field == "retag" and "retag" not in asked else {}
        return client.post(
            way, data={"data": data.decode("utf-8", "replace"), "parser": "", **tags, **reads, **kept, **fields}
        )
    text = "Go!" if way == "/draw" else "1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    return client.post(way, data={"data": text, **fields})


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("way", OVER_HTTP)
def test_a_field_is_honoured_or_refused(client, tagged, way, field):
    probe = PROBES[field]
    data, suffix = input_for(field, way, tagged)
    asked = {field: "1" if probe.value in (None, True) else str(probe.value)}
    after = answer(client, way, field, data, suffix, asked)
    if field not in WAYS[way].fields:
        assert after.status_code == 400
        assert f"{way} does not take {field}=" in after.text
        return
    if field == "source":  # another name for "from"
        after = client.post(way, params={"model": "tiny", **asked}, content=data)
    before = answer(client, way, field, data, suffix, {})
    assert before.status_code == (400 if probe.how == "saves" else 200)
    assert after.status_code == (400 if probe.how == "fails" else 200)
    if way != "/steps":  # where one word has one derivation
        assert (before.text == after.text) == (probe.how == "same" or (way == "/draw" and field == "beam"))
