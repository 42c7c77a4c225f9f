"""The service survives its clients: those that leave, that send what is slow to read, that are many, that never end."""

import contextlib
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.server.libraries import need_libraries

need_libraries()

from tests.server.serving import form_request, started  # noqa: E402, it needs the libraries

TEXT = b"She reads old books about the sea. He does not. " * 12_000
FORM_HEAD = b"POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
STREAM_HEAD = b"POST /parse%s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def command():
    with started() as found:
        yield found


def sent(connection, data):
    with contextlib.suppress(OSError):
        connection.sendall(data)


@pytest.mark.parametrize("query", [b"", b"?from=ndjson&to=ndjson"])
def test_clients_that_leave_a_stream(query):
    line = b'{"text": "%s"}\n' % TEXT[:4000]
    data = line * (len(TEXT) // len(line)) if query else TEXT

    def leave(_):
        with command.connected() as connection, contextlib.suppress(OSError):
            connection.sendall(b"POST /parse%s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % (query, len(data)))
            sending = threading.Thread(target=sent, args=(connection, data))
            sending.start()
            connection.recv(4096)
        sending.join()

    with started() as command:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(leave, range(12)))
        assert command.parses()
        assert command.healthy()
        assert command.stopped(10)


def test_many_combining_marks(command):
    body = b"data=" + "a\u0345\u0300".encode() * 1 + "\u0345\u0300".encode() * 40_000 + b"&tokenizer="
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(command.answer, form_request(body))
        begun = time.monotonic()
        while not coming.done() and time.monotonic() < begun + 1:
            assert command.healthy(1)
        assert coming.result().startswith(b"HTTP/1.1 200 ")


def test_headers_that_are_slow_to_read(command):
    kind = b'multipart/form-data; x="' + b";" * 60_000
    part = b'--b\r\nContent-Disposition: form-data; x="%s\r\n\r\nv\r\n--b--\r\n' % (b";" * 2_000_000)
    with contextlib.ExitStack() as stack:
        for data in [FORM_HEAD % (kind, 1) + b"a"] + [
            FORM_HEAD % (b"multipart/form-data; boundary=b", len(part)) + part
        ] * 8:
            stack.enter_context(command.connected()).sendall(data)
        assert command.healthy(2)
        assert command.parses(10)


def limited():
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))


def test_more_connections_than_descriptors():
    pytest.importorskip("resource")
    with started(before=limited) as command, contextlib.ExitStack() as stack:
        for _ in range(150):
            stack.enter_context(command.connected())
        time.sleep(0.5)
        assert command.healthy()
        assert command.parses()
        for _ in range(150):  # at work, so that they are not closed for others
            connection = stack.enter_context(command.connected())
            connection.sendall(form_request(b"data=", 100))
        connection.settimeout(5)
        answer = connection.recv(1000)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b"as many connections as it may" in answer
        stack.close()
        assert command.parses()
        assert command.stopped(10)
        assert command.running.stderr.read().count("\n") == 1


@pytest.mark.parametrize("stream", [False, True])
def test_a_byte_now_and_then(stream):
    with started("--patience", "1", "--max-requests", "2") as command, command.connected() as one:
        one.sendall(STREAM_HEAD % b"" if stream else form_request(b"data=", 100_000))
        one.settimeout(0.1)
        begun = time.monotonic()
        answer = b""
        while b"bytes" not in answer and time.monotonic() < begun + 10:
            sent(one, b"1\r\na\r\n" if stream else b"a")
            with contextlib.suppress(TimeoutError):
                answer += one.recv(1000)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"less than 1,000 bytes a second" in answer


def test_a_body_that_is_fast_enough(command):
    with command.connected() as one:
        one.sendall(form_request(b"data=" + b"a" * 95, 100)[:-95])
        for _ in range(95):
            one.sendall(b"a")
        assert one.recv(1000).startswith(b"HTTP/1.1 ")


def test_it_stops_whatever_clients_do():
    with started("--grace", "2", "--threads", "2") as command, contextlib.ExitStack() as stack:
        ends = threading.Event()

        def trickle(connection, piece):
            with contextlib.suppress(OSError):
                while not ends.wait(0.05):
                    connection.sendall(piece)

        def connected(data):
            connection = stack.enter_context(command.connected())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.sendall(data)
            return connection

        connected(b"")
        connected(b"GET /hea")
        connected(form_request(b"data=" + b"a" * 200_000, 10_000_000))
        connected(STREAM_HEAD % b"")
        chunk = b"%x\r\n%s\r\n" % (48_000, TEXT[:48_000])
        busy = [
            threading.Thread(target=trickle, args=(connected(data), piece))
            for data, piece in (
                (form_request(b"data=", 10_000_000), b"a" * 200),
                (STREAM_HEAD % b"", b"1\r\na\r\n" * 50),
                (STREAM_HEAD % b"?to=ndjson", chunk),  # and reads nothing
                (STREAM_HEAD % b"?beam=64", chunk),
                (form_request(b"tokenizer=&parser=&data=" + TEXT.replace(b" ", b"+") * 8), b""),
            )
        ]
        for one in busy:
            one.start()
        time.sleep(0.5)
        begun = time.monotonic()
        stopped = command.stopped(20)
        ends.set()
        assert stopped
        assert time.monotonic() - begun < 2 + 3 + 3


@pytest.mark.parametrize(
    ("name", "status"),
    [
        (b"localhost:8001", 200), (b"127.0.0.1", 200), (b"[::1]:8001", 200), (b"fastparse:80", 200),
        (b"a.localhost", 200), (b"192.168.0.7:1", 200), (b"", 200), (b"evil.example", 421),
        (b"EVIL.example.:8001", 421), (b"127.0.0.1.nip.io", 421), (b"1.2.3.4.5", 421), (b"x:y:z", 421),
    ],
)  # fmt: skip
def test_names_of_others(command, name, status):
    answer = command.answer(b"GET /models HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % name)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    if status == 421:
        assert b"--allow-host" in answer


@pytest.mark.parametrize(
    ("options", "status"),
    [(["--allow-host", "Parser.example"], 200), (["--allow-host", "*"], 200), (["--host", "0.0.0.0"], 200),
     (["--host", "0.0.0.0", "--allow-host", "other.example"], 421), (["--host", "localhost"], 421)],
)  # fmt: skip
def test_names_that_are_allowed(options, status):
    with started(*options) as command:
        answer = command.answer(b"GET /models HTTP/1.1\r\nHost: parser.example\r\nConnection: close\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 %d " % status)
