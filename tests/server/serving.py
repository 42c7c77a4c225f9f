"""A service on a port of this machine, for as long as tests want it."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import threading

import httpx

from fastparse.server import Limits
from fastparse.server.application import Listener, application
from fastparse.server.models import Models
from fastparse.server.service import Service


@contextlib.contextmanager
def served(models=("en-fast",), limits=None, threads=1, origins=(), **guarded):
    """A client of a new service; `client.service` is that."""
    service = Service(Models(models), limits or Limits(), threads)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    began = threading.Event()
    listener = Listener(application(service, origins, **guarded), service, began.set)
    thread = threading.Thread(target=listener.listen, args=(listening,))
    thread.start()
    try:
        assert began.wait(30)
        with httpx.Client(base_url=f"http://127.0.0.1:{listening.getsockname()[1]}", timeout=60) as client:
            client.service = service
            client.listener = listener
            yield client
    finally:
        listener.should_exit = True
        thread.join(60)
        listening.close()
        service.close()
    assert not thread.is_alive()


class Command:
    """The command `fastparse serve`, and raw requests to it."""

    def __init__(self, running, port):
        self.running = running
        self.port = port

    def connected(self, timeout=30.0):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def answer(self, request, timeout=30.0):
        """All that comes until the service ends the connection."""
        pieces = []
        with self.connected(timeout) as connection:
            connection.sendall(request)
            with contextlib.suppress(ConnectionError):
                while piece := connection.recv(1 << 16):
                    pieces.append(piece)
        return b"".join(pieces)

    def healthy(self, timeout=5.0):
        answer = self.answer(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", timeout)
        return answer.startswith(b"HTTP/1.1 200 ")

    def parses(self, timeout=20.0):
        answer = self.answer(form_request(b"data=She+reads.&tokenizer=&parser="), timeout)
        return answer.startswith(b"HTTP/1.1 200 ") and b"nsubj" in answer

    def stopped(self, timeout):
        """Whether it ends in so many seconds once it is told to."""
        self.running.terminate()
        try:
            return self.running.wait(timeout) == 0
        except subprocess.TimeoutExpired:
            return False


def form_request(body, length=None, head=b""):
    return (
        b"POST /process HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        b"Content-Type: application/x-www-form-urlencoded\r\n%sContent-Length: %d\r\n\r\n%s"
        % (head, len(body) if length is None else length, body)
    )


@contextlib.contextmanager
def started(*arguments, before=None):
    """A `Command` in a process of its own, whose standard error nobody reads after its first line."""
    command = [sys.executable, "-m", "fastparse", "serve", "-m", "en-fast", "--port", "0", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=before) as running:
        try:
            yield Command(running, int(re.search(r":(\d+) ", running.stderr.readline())[1]))
        finally:
            running.kill()
