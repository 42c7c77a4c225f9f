"""One service, for as long as you like, with honest clients and hostile ones.

    python benchmarks/soak.py [--minutes 60] [--seed 1]

It starts `fastparse serve` on this machine, with less memory than its two models need, so that they are closed and
opened again all the time. Honest clients ask for trees and compare each answer with what the parser gives. Hostile ones
do by chance whatever has ever stopped the service, or might. Every minute has calm seconds, in which there are none of
them: times of honest answers are compared between calm and hostile seconds, memory between the first minutes and the
last. At the end the service is told to stop while clients are at work. All connections stay on this machine.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gzip
import http.client
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from collections.abc import Callable

import fastparse

MODELS = ("en-fast", "en")
HONEST, HOSTILE = 3, 6  # clients at a time
CALM, MINUTE = 20.0, 60.0  # seconds without hostile clients, of how many
TEXT = b"She reads old books about the sea. He does not. "
FORM = b"POST /process HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n"
STREAM = b"POST /parse%s HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
WORDS = (*"she he they book letters reads writes old new the a of in".split(), "river", "never", "who", "gives")  # noqa: SIM905, read more easily so

Chance = random.Random


class Service:
    """The command, its port, and what it takes of the machine."""

    def __init__(self, log: str) -> None:
        command = [sys.executable, "-m", "fastparse", "serve", "--port", "0", "--memory", "20", "--patience", "3"]
        command += ["--max-per-client", "64", "--timeout", "20"]
        for model in MODELS:
            command += ["-m", model]
        self.log = open(log, "w+", encoding="utf-8")  # noqa: SIM115, as long as the service
        self.running = subprocess.Popen(command, stderr=self.log)
        for _ in range(300):
            time.sleep(0.1)
            self.log.seek(0)
            found = re.search(r"http://[^ ]*:(\d+)", self.log.read())
            if found:
                self.port = int(found[1])
                return
        raise SystemExit("the service did not start")

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 10)

    def memory(self) -> float:
        """In MB."""
        with open(f"/proc/{self.running.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024  # type: ignore[index]


# ── hostile clients ──


def leaves_early(s: socket.socket, chance: Chance) -> None:
    s.sendall(STREAM % chance.choice([b"", b"?to=ndjson"]))
    for _ in range(chance.randrange(1, 60)):
        s.sendall(b"%x\r\n%s\r\n" % (len(TEXT) * 100, TEXT * 100))
    s.recv(chance.choice([1, 4096]))


def does_not_read(s: socket.socket, chance: Chance) -> None:
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.settimeout(1)
    s.sendall(STREAM % b"?to=ndjson")
    for _ in range(200):
        s.sendall(b"%x\r\n%s\r\n" % (len(TEXT) * 100, TEXT * 100))


def sends_now_and_then(s: socket.socket, chance: Chance) -> None:
    s.sendall(FORM % (b"application/x-www-form-urlencoded", 100_000) + b"data=")
    for _ in range(8):
        s.sendall(b"a")
        time.sleep(1)


def sends_white_space(s: socket.socket, chance: Chance) -> None:
    s.sendall(STREAM % b"")
    white = chance.choice([b" ", b"\n", b"\t\n", "\u3000".encode()]) * 200_000
    for _ in range(chance.randrange(20)):
        s.sendall(b"%x\r\n%s\r\n" % (len(white), white))
    s.sendall(b"0\r\n\r\n")
    while s.recv(1 << 16):
        pass


def many_idle(s: socket.socket, chance: Chance) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(150):
            other = stack.enter_context(socket.create_connection(s.getpeername(), 2))
            other.sendall(chance.choice([b"", b"GET /", b"POST /parse HTTP/1.1\r\nHost: x\r\n"]))
        time.sleep(2)


def resets(s: socket.socket, chance: Chance) -> None:
    s.sendall(FORM % (b"text/plain", 1 << 20) + TEXT * chance.randrange(1000))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def _asked(kind: bytes, body: bytes) -> Callable[[socket.socket, Chance], None]:
    def ask(s: socket.socket, chance: Chance) -> None:
        s.sendall(FORM % (kind, len(body)) + body)
        s.recv(1 << 16)

    return ask


def _raw(*requests: bytes) -> Callable[[socket.socket, Chance], None]:
    def ask(s: socket.socket, chance: Chance) -> None:
        s.settimeout(4)
        s.sendall(chance.choice(requests))
        while s.recv(1 << 16):
            pass

    return ask


_MARKS = "a" + "\u0345\u0300" * 40_000
_PART = b'--b\r\nContent-Disposition: form-data; x="' + b";" * 500_000 + b"\r\n\r\nv\r\n--b--\r\n"
_DEEP = b'{"text": "a b.", "id": ' + b"[" * 900 + b"]" * 900 + b"}\n"
KINDS: dict[str, Callable[[socket.socket, Chance], None]] = {
    "leaves early": leaves_early,
    "does not read": does_not_read,
    "a byte now and then": sends_now_and_then,
    "white space": sends_white_space,
    "many idle": many_idle,
    "resets": resets,
    "combining marks": _asked(
        b"application/x-www-form-urlencoded", b"data=" + urllib.parse.quote(_MARKS).encode() + b"&tokenizer="
    ),
    "slow header": _asked(b'multipart/form-data; x="' + b";" * 60_000, b"a"),
    "slow part": _asked(b"multipart/form-data; boundary=b", _PART),
    "many fields": _asked(b"application/x-www-form-urlencoded", b"a=b&" * 100_000),
    "no text": _asked(b"application/x-www-form-urlencoded", b"data=%ff%fe%00%0a&tokenizer=&parser="),
    "odd requests": _raw(
        b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"POST /process HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        + b"f" * 16
        + b"\r\n",
        b"GET /models HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"GET /process?data=a&tokenizer&model=%0d%0aX:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        b"POST /parse?from=ndjson&to=ndjson HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
        % (len(_DEEP), _DEEP),
        b"\x16\x03\x01" + bytes(range(256)) * 20,
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 100,
        b"POST /parse HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 200\r\n\r\n"
        + gzip.compress(b"\n" * 100_000),
    ),
}


# ── honest clients ──


class Honest:
    """Questions whose answers are known, and how long each took."""

    def __init__(self, service: Service, seed: int) -> None:
        self.service = service
        self.chance = Chance(seed)
        self.parsers = {name: fastparse.load(name) for name in MODELS}
        self.times: dict[tuple[str, bool], list[float]] = collections.defaultdict(list)
        self.wrong: list[str] = []
        self.lock = threading.Lock()
        self.kinds = [f"/process {name}" for name in MODELS] + ["/parse en-fast", "/health"]

    def text(self, chance: Chance, words: int) -> str:
        sentences = (" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(words // 12))
        return " ".join(sentences)

    def ask(self, kind: str, chance: Chance) -> None:
        path, _, model = kind.partition(" ")
        connection = http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60)
        try:
            if path == "/health":
                connection.request("GET", path)
                answer = connection.getresponse()
                assert (answer.status, bool(answer.read())) == (200, True), answer.status
                return
            text = self.text(chance, 60 if path == "/process" else 1200)
            if path == "/process":
                fields = {"data": text, "tokenizer": "", "tagger": "", "parser": "", "model": model}
                kinds = {"Content-Type": "application/x-www-form-urlencoded"}
                connection.request("POST", path, urllib.parse.urlencode(fields), kinds)
            else:
                connection.request("POST", f"{path}?model={model}", text.encode())
            answer = connection.getresponse()
            data = answer.read()
            assert answer.status == 200, (answer.status, data[:200])
            found = fastparse.read_conllu(json.loads(data)["result"].encode() if path == "/process" else data)
            expected = self.parsers[model].parse_text(text)
            for got, wanted in zip(found, expected, strict=True):
                assert list(got.forms) == list(wanted.forms), "other words"
                assert list(got.heads) == list(wanted.heads), "other trees"
                assert list(got.deprels) == list(wanted.deprels), "other labels"
        finally:
            connection.close()

    def once(self, chance: Chance, calm: Callable[[], bool]) -> None:
        kind, before, begun = chance.choice(self.kinds), calm(), time.perf_counter()
        try:
            self.ask(kind, chance)
        except Exception as error:  # whatever it is, the client has no answer
            with self.lock:
                self.wrong.append(f"{kind}: {type(error).__name__}: {error}"[:300])
            return
        if before == calm():
            with self.lock:
                self.times[kind, before].append(time.perf_counter() - begun)


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="soak-")
    service = Service(os.path.join(folder, "service.log"))
    honest, begun = Honest(service, asked.seed), time.monotonic()
    stopped, tried = threading.Event(), collections.Counter[str]()

    def passed() -> float:
        return time.monotonic() - begun

    def calm() -> bool:
        return passed() % MINUTE < CALM

    def be_honest(number: int) -> None:
        chance = Chance(f"{asked.seed} honest {number}")
        while not stopped.is_set():
            honest.once(chance, calm)
            stopped.wait(chance.random() * 0.1)

    def be_hostile(number: int) -> None:
        chance = Chance(f"{asked.seed} hostile {number}")
        while not stopped.is_set():
            # What has begun ends before the calm: the last seconds are left for that.
            if calm() or passed() % MINUTE > MINUTE - 10:
                stopped.wait(0.2)
                continue
            kind = chance.choice(list(KINDS))
            tried[kind] += 1
            with contextlib.suppress(OSError), service.connected() as connection:
                KINDS[kind](connection, chance)
            stopped.wait(chance.random() * 0.5)

    workers = [threading.Thread(target=be_honest, args=(i,), daemon=True) for i in range(HONEST)]
    workers += [threading.Thread(target=be_hostile, args=(i,), daemon=True) for i in range(HOSTILE)]
    for worker in workers:
        worker.start()
    memory: list[float] = []
    while passed() < asked.minutes * MINUTE and service.running.poll() is None:
        time.sleep(CALM - 2 if not memory else MINUTE)
        memory.append(service.memory())  # at the end of calm seconds
        n = sum(map(len, honest.times.values()))
        print(f"{passed() / 60:5.1f} min: {n} answers, {len(honest.wrong)} wrong, {memory[-1]:.0f} MB", flush=True)
    alive = service.running.poll() is None
    service.running.send_signal(signal.SIGTERM)
    told = time.monotonic()
    with contextlib.suppress(subprocess.TimeoutExpired):
        service.running.wait(60)
    took = time.monotonic() - told
    stopped.set()
    wrong = [line for line in honest.wrong if "refused" not in line]
    for worker in workers:
        worker.join(30)
    print(f"\nhostile: {sum(tried.values())}", dict(tried))
    print(
        "\n| honest question | answers | calm: median, 99% | hostile: median, 99% | 99%, ratio |\n|---|---|---|---|---|"
    )
    for kind in honest.kinds:
        still, busy = honest.times[kind, True], honest.times[kind, False]
        figures = [percentile(times, share) for times in (still, busy) for share in (0.5, 0.99)]
        a, b, c, d = (f"{1000 * x:.0f}" for x in figures)
        print(f"| {kind} | {len(still) + len(busy)} | {a}, {b} ms | {c}, {d} ms | {figures[3] / figures[1]:.2f} |")
    later = memory[2:] or memory
    print(f"\nwrong answers: {len(wrong)} {wrong[:5]}")
    print(f"memory: {memory[0]:.0f} MB at first, from the third minute on {min(later):.0f} to {max(later):.0f} MB")
    status = service.running.returncode
    print(f"stopped {took:.1f} s after SIGTERM with status {status}" if alive else f"it ended by itself: {status}")
    service.log.seek(0)
    print(f"log: {len(service.log.read()):,} characters; {folder}")


if __name__ == "__main__":
    main()
