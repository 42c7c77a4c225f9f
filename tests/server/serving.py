"""A service on a port of this machine, for as long as tests want it."""

from __future__ import annotations

import contextlib
import socket
import threading

import httpx

from fastparse.server.application import Listener, application
from fastparse.server import Limits
from fastparse.server.models import Models
from fastparse.server.service import Service


@contextlib.contextmanager
def served(models=("en-fast",), limits=None, threads=1, origins=(), hosts=None):
    """A client of a new service; `client.service` is that."""
    service = Service(Models(models), limits or Limits(), threads)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    began = threading.Event()
    listener = Listener(application(service, origins, hosts), service, began.set)
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
