"""What clients may ask for at once, and what becomes of those that are slow."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from fastparse.server import Limits
from tests.server.libraries import need_libraries

need_libraries()

SLOW = (
    b"POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 99\r\n\r\n"
)


@pytest.fixture(scope="module")
def strict():
    """A client of a service that allows little."""
    from .serving import served

    with served(limits=Limits(bytes=10_000, patience=0.5, requests=3, per_client=2)) as client:
        yield client


def connected(client):
    return socket.create_connection((client.base_url.host, client.base_url.port), 30)


def ended(connection):
    """What comes until the other side ends the connection."""
    pieces = []
    while piece := connection.recv(10_000):
        pieces.append(piece)
    return b"".join(pieces)


def running(client, n):
    """Wait until so many requests are worked on."""
    for _ in range(200):
        if f"\nfastparse_requests_running {n}\n" in client.get("/metrics").text:
            return
        time.sleep(0.02)
    raise AssertionError(client.get("/metrics").text)


def test_a_body_that_is_too_large(strict):
    answer = strict.post("/process", data={"data": "a" * 20_000, "tokenizer": ""})
    assert answer.status_code == 413
    assert "more than 10,000 bytes" in answer.text
    answer = strict.post("/process", content=(b"a" * 10_000 for _ in range(300)))
    assert answer.status_code == 413


def test_a_client_that_asks_for_too_much_at_once(strict):
    with connected(strict) as one, connected(strict) as two:
        one.sendall(SLOW)
        two.sendall(SLOW)
        running(strict, 2)
        answer = strict.get("/models")
        assert answer.status_code == 429
        assert answer.headers["retry-after"] == "1"
        assert "2 requests of your address" in answer.text
        assert strict.get("/health").status_code == 200
    running(strict, 0)
    assert strict.get("/models").status_code == 200


def test_a_service_that_is_full():
    from .serving import served

    with served(limits=Limits(requests=1)) as client:
        with connected(client) as one:
            one.sendall(SLOW)
            running(client, 1)
            answer = client.get("/models")
            assert answer.status_code == 503
            assert "1 requests are being worked on" in answer.text
        running(client, 0)


def test_bodies_together_have_a_limit():
    from .serving import served

    with served(limits=Limits(all_bytes=1000)) as client:
        answer = client.post("/process", data={"data": "a" * 2000, "tokenizer": ""})
        assert answer.status_code == 503
        assert client.get("/process?data=a&tokenizer").status_code == 200


def test_a_body_that_does_not_come(strict):
    with connected(strict) as connection:
        connection.sendall(SLOW + b"data=")
        assert b"408" in ended(connection).split(b"\r\n")[0]


@pytest.mark.parametrize("beginning", [b"", b"GET /mod", b"GET /models HTTP/1.1\r\nHost: x\r\n\r\nGET /m"])
def test_requests_that_do_not_come(strict, beginning):
    with connected(strict) as connection:
        connection.sendall(beginning)
        found = ended(connection)
    assert found.count(b"HTTP/1.1 200 OK") == beginning.count(b"\r\n\r\n")


def test_an_answer_that_nobody_takes(strict):
    text = b"Go. " * 40_000
    with connected(strict) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(b"POST /parse?beam=1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.sendall(b"%x\r\n%s\r\n0\r\n\r\n" % (len(text), text))
        running(strict, 1)
        running(strict, 0)  # given up
    assert strict.get("/models").status_code == 200


def test_work_has_its_time():
    from .serving import served

    with served(limits=Limits(seconds=0.01)) as client:
        answer = client.post("/process", data={"data": "She reads. " * 5000, "tokenizer": "", "parser": ""})
        assert answer.status_code == 503
        assert "more than 0.01 seconds" in answer.text


def test_what_has_begun_is_answered_when_the_service_stops():
    from .serving import served

    with served() as client, ThreadPoolExecutor(1) as pool:
        data = {"data": "She reads old books. " * 3000, "tokenizer": "", "tagger": "", "parser": ""}
        coming = pool.submit(client.post, "/process", data=data)
        running(client, 1)
        client.listener.should_exit = True
        answer = coming.result(60)
        assert answer.status_code == 200
        assert answer.json()["result"].count("# text") == 3000


def test_clients_at_the_same_time_get_their_own_answers(client):
    def ask(n):
        words = " ".join(f"word{n} " for _ in range(n % 30 + 1)).split()
        if n % 2:
            data, options = " ".join(words), {"input": "horizontal", "tagger": "", "parser": ""}
        else:
            data, options = "1\tx\ty\tbad\n", {"parser": ""}
        answer = client.post("/process", data={"data": data, **options})
        if not n % 2:
            return answer.status_code == 400
        lines = answer.json()["result"].split("\n")
        return [line.split("\t")[1] for line in lines if line] == words

    before = threading.active_count()
    with ThreadPoolExecutor(32) as pool:
        assert all(pool.map(ask, range(200)))
    assert threading.active_count() <= before + 8
