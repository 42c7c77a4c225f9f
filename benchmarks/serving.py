"""A service under load: answers, times and memory, with clients on the same machine.

    python benchmarks/serving.py [--model en-fast] [--requests 10000] [--clients 64] [--stream-mb 100]

It starts `fastparse serve`, and then measures
    answers   so many requests of mixed sizes by so many clients, some of whom leave half-way; every other answer is
              compared with what the parser gives
    times     of sentences of 20 words, greedily, at half the rate that the service can answer
    speed     of one long body through /parse, beside `fastparse parse` on the same, by turns
    memory    of the service, before and after each of these
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import fastparse

WORDS = """
she he they books letters reads writes old new the a of in on with and but city river teacher table quickly never
today which who green small gives sees goes house road
""".split()  # noqa: SIM905, a list of words is read more easily so


def text_of(chance: random.Random, words: int) -> str:
    """Sentences of invented words, 20 each at most."""
    left, said = words, []
    while left > 0:
        n = min(left, 20)
        said.append(" ".join(chance.choice(WORDS) for _ in range(n)).capitalize() + ".")
        left -= n
    return " ".join(said)


class Client:
    """One connection, kept as long as the service keeps it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, path: str, body: bytes, kind: str, cut: float | None = None) -> tuple[int, bytes] | None:
        """Status and body of an answer; None if the client leaves, having sent that part of its request."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        data = head.encode() + body
        writer.write(data if cut is None else data[: int(len(data) * cut)])
        await writer.drain()
        if cut is not None:
            await self.close()
            return None
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        size = int(next(line.split(":")[1] for line in lines if line.lower().startswith("content-length")))
        return int(lines[0].split(" ")[1]), await reader.readexactly(size)

    async def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


FORM = "application/x-www-form-urlencoded"


def form_of(text: str, parser: str = "") -> bytes:
    return urllib.parse.urlencode({"data": text, "tokenizer": "", "tagger": "", "parser": parser}).encode()


async def answers(port: int, parser: fastparse.Parser, n: int, clients: int) -> dict[str, int]:
    """How many answers were right, wrong, and lost, of so many requests; of those cut off nothing is expected."""
    chance = random.Random(1)
    texts = [text_of(chance, words) for words in (1, 5, 20, 20, 60, 200, 400) for _ in range(30)]
    right = [parser.parse_text(text).to_bytes().decode() for text in texts]
    numbers = iter(range(n))
    count = {"right": 0, "wrong": 0, "lost": 0, "cut": 0}

    async def one() -> None:
        client = Client(port)
        for _ in numbers:
            which = chance.randrange(len(texts))
            cut = chance.choice((0.5, 0.9, 1.0)) if chance.random() < 0.05 else None
            try:
                found = await client.request("/process", form_of(texts[which]), FORM, cut)
            except (OSError, asyncio.IncompleteReadError):
                await client.close()
                count["lost"] += 1
                continue
            if found is None:
                count["cut"] += 1
            else:
                count["right" if json.loads(found[1]).get("result") == right[which] else "wrong"] += 1
        await client.close()

    await asyncio.gather(*(one() for _ in range(clients)))
    return count


async def rate(port: int, seconds: float, clients: int) -> float:
    """Sentences of 20 words that are answered in a second, a request each, greedily, by clients that never rest."""
    chance = random.Random(2)
    end = time.perf_counter() + seconds
    done = 0

    async def one() -> None:
        nonlocal done
        client = Client(port)
        while time.perf_counter() < end:
            await client.request("/process", form_of(text_of(chance, 20), "beam_search=1"), FORM)
            done += 1
        await client.close()

    await asyncio.gather(*(one() for _ in range(clients)))
    return done / seconds


async def times(port: int, per_second: float, seconds: float, clients: int) -> list[float]:
    """Seconds that such requests take when so many come in a second, at random, whether others are done or not."""
    chance = random.Random(3)
    free = [Client(port) for _ in range(clients)]
    found: list[float] = []

    async def one(due: float) -> None:
        client = free.pop() if free else Client(port)
        await client.request("/process", form_of(text_of(chance, 20), "beam_search=1"), FORM)
        found.append(time.perf_counter() - due)
        free.append(client)

    due = time.perf_counter()
    end = due + seconds
    running = set()
    while due < end:
        due += chance.expovariate(per_second)
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        task = asyncio.ensure_future(one(due))
        running.add(task)
        task.add_done_callback(running.discard)
    await asyncio.gather(*running)
    for client in free:
        await client.close()
    return sorted(found)


def memory(pid: int, field: str = "VmRSS") -> float:
    """Of a process, in MB (Linux)."""
    said = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+)", said)[1]) / 1024  # type: ignore[index]


def processor(pid: int) -> float:
    """Seconds of the processors that a process has had (Linux)."""
    cells = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(cells[11]) + int(cells[12])) / 100


def streamed(port: int, path: Path, model: str) -> tuple[float, int]:
    """Seconds and bytes of an answer of /parse."""
    begun = time.perf_counter()
    address = f"http://127.0.0.1:{port}/parse?from=conllu&beam=1&model={model}"
    command = ["curl", "-sS", "--fail", "-T", str(path), "-X", "POST", "-o", f"{path}.out", address]
    subprocess.run(command, check=True)
    return time.perf_counter() - begun, Path(f"{path}.out").stat().st_size


def parsed(path: Path, model: str) -> tuple[float, float]:
    """Seconds, and seconds of processors, of `fastparse parse` on the same."""
    begun = time.perf_counter()
    command = [
        sys.executable,
        "-m",
        "fastparse",
        "parse",
        str(path),
        "-m",
        model,
        "--beam",
        "1",
        "-o",
        f"{path}.own",
        "-q",
    ]
    with subprocess.Popen(command) as running:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def service(model: str, threads: int) -> Iterator[tuple[int, int]]:
    """Port and process of a service."""
    command = [sys.executable, "-m", "fastparse", "serve", "-m", model, "--port", "0", "--threads", str(threads)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        found = re.search(r":(\d+) ", running.stderr.readline())
        try:
            if found is None:
                raise SystemExit("the service does not begin")
            yield int(found[1]), running.pid
        finally:
            running.terminate()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = arguments.add_argument
    add("--model", default="en-fast")
    add("--requests", type=int, default=10_000)
    add("--clients", type=int, default=64)
    add("--seconds", type=float, default=10.0, help="of each measurement of times")
    add("--threads", type=int, default=1)
    add("--stream-mb", type=float, default=100.0)
    add("--repeats", type=int, default=1, help="of the stream")
    args = arguments.parse_args()
    parser = fastparse.load(args.model)
    with service(args.model, args.threads) as (port, pid):
        print(f"memory at the beginning: {memory(pid):.0f} MB")
        for part in ("first", "second"):
            begun = time.perf_counter()
            count = asyncio.run(answers(port, parser, args.requests // 2, args.clients))
            print(f"{part} half: {count}, {time.perf_counter() - begun:.1f} s, memory {memory(pid):.0f} MB", flush=True)
        most = asyncio.run(rate(port, args.seconds, args.clients))
        print(f"at most {most:.0f} sentences of 20 words in a second")
        found = asyncio.run(times(port, most / 2, args.seconds, args.clients))
        said = ", ".join(f"p{p} {1000 * found[int(len(found) * p / 100)]:.1f} ms" for p in (50, 90, 99))
        print(f"at half of that: {said}; memory {memory(pid):.0f} MB", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "body.conllu"
            chance = random.Random(4)
            some = parser.parse_text("\n\n".join(text_of(chance, 200) for _ in range(100))).to_bytes()
            path.write_bytes(some * max(1, int(args.stream_mb * 1e6 / len(some))))
            words = sum(1 for line in some.split(b"\n") if line[:1].isdigit()) * (path.stat().st_size // len(some))
            for _ in range(args.repeats):
                before = processor(pid)
                seconds, size = streamed(port, path, args.model)
                served = processor(pid) - before
                alone, cpu = parsed(path, args.model)
                same = Path(f"{path}.out").read_bytes() == Path(f"{path}.own").read_bytes()
                print(
                    f"{path.stat().st_size / 1e6:.0f} MB in, {size / 1e6:.0f} MB out, {words / seconds:,.0f} words/s "
                    f"({words / served:,.0f} of processor time); parse {words / alone:,.0f} ({words / cpu:,.0f}); "
                    f"ratio {alone / seconds:.2f} ({cpu / served:.2f}); same bytes: {same}; "
                    f"memory {memory(pid):.0f} MB, at most {memory(pid, 'VmHWM'):.0f} MB",
                    flush=True,
                )


if __name__ == "__main__":
    main()
