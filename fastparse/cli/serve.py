"""Serve models over HTTP: UDPipe's REST protocol, streams, and a page to look at trees."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import os
import socket
import sys
import threading
import warnings

from fastparse.cli.arguments import positive
from fastparse.errors import Error, FastparseWarning

EXAMPLES = (
    ("fastparse serve", "all models that have a name, at http://127.0.0.1:8001"),
    ("fastparse serve -m english=en -m my.fp --port 9000 --threads 4", "two models, the first where none is named"),
    ("fastparse serve --host 0.0.0.0 --cors https://example.org", "for others, and for the pages of one site"),
)

_LAST = 3.0  # seconds, after the grace, for threads to end


def add_arguments(command: argparse.ArgumentParser) -> None:
    from fastparse.server import Limits

    add = command.add_argument
    add("-m", "--model", action="append", default=[], metavar="[NAME=]MODEL",
        help="a model file, or the name of a model, and how it is called here; may be given several times "
        "(default: all models that have a name)")  # fmt: skip
    add(
        "--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default: 127.0.0.1, only this machine)"
    )
    add("--port", type=_port, default=8001, metavar="N", help="0 takes a free one (default: 8001)")
    add("--threads", type=positive, default=1, metavar="N", help="batches worked on at a time (default: 1)")
    add("--memory", type=positive, default=1024, metavar="MB",
        help="models together; those used longest ago are closed, and opened again when they are asked for "
        "(default: 1024)")  # fmt: skip
    add("--max-bytes", type=positive, default=Limits.bytes, metavar="N",
        help=f"of the body of a request, but for streams (default: {Limits.bytes})")  # fmt: skip
    add("--timeout", type=positive, default=int(Limits.seconds), metavar="SECONDS",
        help=f"for the work on a request, but for streams (default: {Limits.seconds:g})")  # fmt: skip
    add("--patience", type=positive, default=int(Limits.patience), metavar="SECONDS",
        help=f"for a client to send or to take the next piece (default: {Limits.patience:g})")  # fmt: skip
    add("--max-requests", type=positive, default=Limits.requests, metavar="N",
        help=f"worked on at a time; more get status 503 (default: {Limits.requests})")  # fmt: skip
    add("--max-per-client", type=positive, default=Limits.per_client, metavar="N",
        help=f"of them from one address; more get status 429 (default: {Limits.per_client})")  # fmt: skip
    add("--least-rate", type=_rate, default=Limits.rate, metavar="N",
        help="bytes a second with which a body has to come once --patience is over; "
        f"0 for any (default: {Limits.rate})")  # fmt: skip
    add("--grace", type=positive, default=int(Limits.grace), metavar="SECONDS",
        help=f"for requests that have begun when the service is stopped (default: {Limits.grace:g})")  # fmt: skip
    add("--allow-host", action="append", default=[], metavar="NAME",
        help="answer also what is asked by this name, such as a proxy's, or * for any "
        "(default: names without a dot and addresses; any name if --host is an address for others)")  # fmt: skip
    add("--cors", action="append", default=[], metavar="ORIGIN",
        help="pages of this site may use the service, such as https://example.org, or * (default: its own page only)",
    )  # fmt: skip
    add("--access-log", metavar="FILE", help="add a line of JSON per request to this file; - for standard error")
    add("--behind", action="append", default=[], metavar="ADDRESS",
        help="the address of a proxy, whose X-Forwarded-For is believed: limits and the log then count the clients "
        "behind it (may be given several times)")  # fmt: skip
    add("-q", "--quiet", action="store_true", help="no word on standard error but errors")


def run(args: argparse.Namespace) -> None:
    from fastparse.extras import needed

    for module in ("starlette", "uvicorn"):
        needed(module, "server")
    from fastparse.server import Limits
    from fastparse.server.application import Listener, application
    from fastparse.server.guard import AccessLog
    from fastparse.server.models import Models
    from fastparse.server.service import Service

    limits = Limits(
        args.max_bytes, args.timeout, args.patience, args.max_requests, args.max_per_client, 8 * args.max_bytes,
        args.least_rate, args.grace,
    )  # fmt: skip
    access = AccessLog(args.access_log) if args.access_log else None
    proxies = frozenset(map(_proxy, args.behind))
    models = Models(args.model, args.memory * 1_000_000)
    with contextlib.closing(_listening(args.host, args.port)) as listening:
        address = _address(listening)
        # Names that are not of this machine lead here only where a page has set them up so, or a proxy asks by them.
        checked = "*" not in args.allow_host and (args.allow_host or _is_local(listening))
        hosts = frozenset(name.lower() for name in [*args.allow_host, args.host]) if checked else None

        def ready() -> None:
            if not args.quiet:
                names = ", ".join(models.offers)
                print(f"fastparse: serving {names} at {address} (Ctrl-C stops)", file=sys.stderr, flush=True)

        def end() -> None:
            # Whatever threads may still do, the process ends soon after the requests have had their time.
            last = threading.Timer(limits.grace + _LAST, os._exit, (0,))
            last.daemon = True
            last.start()

        # What a model warns of is the business of those who send sentences, and is no fault of the service.
        warnings.simplefilter("ignore", FastparseWarning)
        _give_memory_back()
        service = Service(models, limits, args.threads)
        # The listener gives the signal that stopped it on, to whoever had it before.
        with contextlib.suppress(KeyboardInterrupt, SystemExit):
            app = application(service, args.cors, hosts=hosts, access=access, proxies=proxies)
            Listener(app, service, ready, end).listen(listening)
        service.close()
        if access is not None:
            access.close()


_ALLOCATOR = {-8: 2, -3: 1 << 20, -1: 1 << 20}  # glibc's numbers of arenas, least size of a mapping, of a trim


def _give_memory_back() -> None:
    """Lets glibc give back what a request has used; it would keep a share of that for each thread."""
    import ctypes

    allocator = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if allocator is not None:
        for name, value in _ALLOCATOR.items():
            allocator(name, value)


def _listening(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror as error:
        raise Error(f"--host {host}: there is no such address ({error.strerror})") from None
    found = socket.socket(family, kind, protocol)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
    except OSError as error:
        found.close()
        raise Error(
            f"cannot listen at {host} port {port}: {error.strerror}. Is it in use? --port 0 takes a free one."
        ) from None
    return found


def _is_local(listening: socket.socket) -> bool:
    """Whether only this machine can ask."""
    return ipaddress.ip_address(listening.getsockname()[0]).is_loopback


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _proxy(text: str) -> str:
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise Error(f"--behind {text}: this is no address, such as 127.0.0.1 or ::1") from None


def _rate(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of bytes")
    return int(text)


def _port(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 65535")
    return value
