"""A few of the malformed requests that `tests/fuzz/requests.py` makes."""

from tests.server.libraries import need_libraries

need_libraries()


def test_malformed_requests_get_a_message(client):
    from tests.fuzz.requests import run

    count = run(client.base_url.port, 150, 1)
    assert count["200"] > 5
    assert count["400"] > 20
