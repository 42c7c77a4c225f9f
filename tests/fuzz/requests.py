"""Requests that are malformed in every way, against a service.

    python -m tests.fuzz.requests --executions 100000 --seed 1

One execution makes a request out of a right one: other paths, methods and fields, broken forms, encodings and lengths,
text that is no text, CoNLL-U and JSON with damage, heads of HTTP that are none. The answer has to be a status of 2xx,
or of 4xx with a message; or the end of the connection, where what came was no HTTP or did not end. Anything else, or no
answer in twenty seconds, stops the run with exit status 1 and prints the request. The seed determines all.
"""

from __future__ import annotations

import argparse
import re
import select
import socket
import sys
import time
import urllib.parse
from random import Random

PATHS = (
    ["/process"] * 8
    + ["/parse"] * 6
    + ["/draw", "/steps", "/models", "/", "/health", "/metrics", "/none", "//", "/%ff"]
)
METHODS = ["POST"] * 12 + ["GET"] * 6 + ["PUT", "HEAD", "DELETE", "OPTIONS", "PATCH", "BREW", "post", "\x00"]
NAMES = [
    "data",
    "model",
    "tokenizer",
    "input",
    "tagger",
    "parser",
    "output",
    "from",
    "to",
    "beam",
    "retag",
    "offsets",
    "system",
    "",
]
VALUES = [
    "", "none", "en-fast", "nothing", "conllu", "conllu=v1", "horizontal", "vertical", "plaintext=normalized_spaces",
    "matxin",
    "epe", "generic_tokenizer=ranges", "presegmented", "ranges;normalized_spaces", "beam_search=2", "beam_search=-1",
    "1", "0", "-1",
    "9" * 30, "true", "text", "lines", "words", "ndjson", "swap", "arc-eager", "=", ";", "\x00", "\ud7ff", "\u202e",
    "%", "x" * 3000,
]  # fmt: skip
WORD = "1\tbooks\tbook\tNOUN\tNNS\tNumber=Plur\t0\troot\t_\tSpaceAfter=No\n\n"
TEXTS = [
    "She reads old books.", "", " ", "\n\n", "a\r\nb", "\u0301", "\x00\x01\x7f\x85", "\ufeff# x", "🙂 漢字 עברית",
    "don't " * 50,
    "# sent_id = 1\n", "1", WORD, WORD * 3, WORD.replace("\t", " "), WORD.replace("0\t", "2\t"),
    WORD.replace("0\t", "1\t"),
    WORD.replace("\n\n", "\n"),
    "1-2\ta" + "\t_" * 8 + "\n" + WORD, "1.1\ta" + "\t_" * 8 + "\n" + WORD, "99999999999" + WORD[1:],
    '{"text": "Go."}', '{"forms": ["Go", "."], "upos": ["VERB"]}', '{"forms": [1]}', '{"text": "\\ud800"}',
    "[" * 2000, '{"id": NaN, "text": ""}',
    '{"forms": ["\\u0000", "\\t"]}', "null\n\n3\n",
]  # fmt: skip
KINDS = [
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain", "text/x-conllu",
    "application/x-ndjson",
    "multipart/form-data", "multipart/form-data; boundary=", 'multipart/form-data; boundary="', "application/json",
    "", ";", "multipart/mixed; boundary=b",
    "application/x-www-form-urlencoded; charset=utf-16", "multipart/form-data; boundary*=utf-8''b", "\xff\xfe",
    "a" * 5000,
]  # fmt: skip
LIMIT = 20.0
PATIENCE = 0.3  # seconds for the next piece of an answer; then the request is ended, as it may not be whole


def damaged(random: Random, data: bytes) -> bytes:
    """Some bytes other, gone, or twice."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5, 30))):
        at = random.randrange(len(found) + 1)
        kind = random.randrange(4)
        if kind == 0:
            found[at : at + 1] = bytes([random.randrange(256)])
        elif kind == 1:
            del found[at : at + random.choice((1, 3, 50))]
        elif kind == 2:
            found[at:at] = found[at : at + random.choice((1, 8, 60))]
        else:
            found[at:at] = random.choice(
                (b"\xff", b"\x00", b"\r\n", b"\n", b"--b", b"%", b"%f", b"=", b"&", b"\xed\xa0\x80", b"\t")
            )
    return bytes(found)


def fields_of(random: Random) -> list[tuple[str, str]]:
    found = [("data", random.choice(TEXTS))] if random.random() < 0.9 else []
    for name, value in (("tokenizer", ""), ("tagger", ""), ("parser", ""), ("model", "en-fast")):
        if random.random() < 0.5:
            found.append((name, random.choice((value, random.choice(VALUES)))))
    found += [(random.choice(NAMES), random.choice(VALUES + TEXTS)) for _ in range(random.choice((0, 0, 1, 3)))]
    random.shuffle(found)
    return found


def body_of(random: Random, kind: str) -> bytes:
    """A body of a kind, and mostly what it says."""
    said = random.choice(KINDS) if random.random() < 0.1 else kind
    fields = fields_of(random)
    if said.startswith("multipart"):
        parts = [
            f'--b\r\nContent-Disposition: form-data; name="{name}"{random.choice(("", "; filename=x"))}\r\n'
            f"{random.choice(('', 'Content-Type: text/plain; charset=utf-8' + chr(13) + chr(10)))}\r\n{value}\r\n"
            for name, value in fields
        ]
        data = ("".join(parts) + "--b--\r\n").encode("utf-8", "surrogatepass")
    elif "urlencoded" in said:
        data = urllib.parse.urlencode([(n, v.encode("utf-8", "surrogatepass")) for n, v in fields]).encode()
    else:
        data = "\n".join(random.choices(TEXTS, k=random.choice((1, 1, 2, 10)))).encode("utf-8", "surrogatepass")
    return damaged(random, data) if random.random() < 0.5 else data


def request_of(random: Random) -> bytes:
    """A request as it goes through the wire, that says `Connection: close`."""
    method, path = random.choice(METHODS), random.choice(PATHS)
    kind = random.choice(KINDS[:5]) if random.random() < 0.8 else random.choice(KINDS)
    body = b"" if method == "GET" and random.random() < 0.9 else body_of(random, kind)
    query = ""
    if method == "GET" or path == "/parse" or random.random() < 0.3:
        names = NAMES[1:] if method != "GET" else NAMES
        pairs = [(random.choice(names), random.choice(VALUES)) for _ in range(random.randrange(4))]
        pairs += fields_of(random) if method == "GET" else []
        query = "?" + urllib.parse.urlencode([(n, v.encode("utf-8", "surrogatepass")) for n, v in pairs])[:20_000]
        query += random.choice(("", "", "&%ff", "&%", "&&&", "&a=%00"))
    length = len(body)
    if random.random() < 0.03:
        length = random.choice((0, length - 1, -1))
    head = [f"{method} {path}{query} HTTP/1.1", "Host: x", "Connection: close", f"Content-Type: {kind}"]
    if random.random() < 0.2 and body:
        head.append("Transfer-Encoding: chunked")
        half = len(body) // 2
        pieces = [piece for piece in (body[:half], body[half:]) if piece]
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        body = damaged(random, body) if random.random() < 0.05 else body
    else:
        head.append(f"Content-Length: {length}")
    if random.random() < 0.1:
        head.append(
            random.choice(
                ("Accept: application/x-ndjson", "X: \xff", "X" * 300 + ": y", "Origin: null", "Expect: 100-continue")
            )
        )
    start = "\r\n".join([*head, "", ""]).encode("latin-1")
    return (damaged(random, start) if random.random() < 0.05 else start) + body


def wrong(answer: bytes, request: bytes) -> str:
    """What is wrong with an answer; nothing if it is as it has to be."""
    while answer.startswith(b"HTTP/1.1 100"):
        answer = answer.partition(b"\r\n\r\n")[2]
    if not answer:
        return ""  # what came was no HTTP, or did not end
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    if not found:
        return "no answer of HTTP"
    status = int(found[1])
    body = answer.partition(b"\r\n\r\n")[2]
    if status >= 500 or status < 200:
        return f"status {status}"
    if status >= 400 and not body.strip() and not request.startswith(b"HEAD"):
        return f"status {status} without a message"
    return ""


def run(port: int, executions: int, seed: int, first: int = 0) -> dict[str, int]:
    """Counts of statuses.

    Raises:
        AssertionError: for an answer that is wrong, with the request.
    """
    count: dict[str, int] = {}
    for number in range(first, executions):
        request = request_of(Random(f"{seed}.{number}"))
        begun = time.monotonic()
        pieces = []
        with socket.create_connection(("127.0.0.1", port), LIMIT) as connection:
            try:
                connection.settimeout(LIMIT)
                connection.sendall(request)
                ended = False
                while True:
                    if not ended and not select.select([connection], [], [], PATIENCE)[0]:
                        connection.shutdown(socket.SHUT_WR)
                        ended = True
                    piece = connection.recv(1 << 16)
                    if not piece:
                        break
                    pieces.append(piece)
            except (ConnectionError, BrokenPipeError):
                pass
            except TimeoutError:
                raise AssertionError(f"execution {number}: no answer: {request!r}") from None
        answer = b"".join(pieces)
        said = wrong(answer, request)
        if time.monotonic() - begun > LIMIT:
            said = "it took too long"
        if said:
            raise AssertionError(f"execution {number}: {said}: {request!r}\n{answer[:500]!r}")
        status = answer[9:12].decode("latin-1") or "none"
        count[status] = count.get(status, 0) + 1
    return count


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--executions", type=int, default=100_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--first", type=int, default=0)
    args = arguments.parse_args()
    from tests.server.serving import served

    with served() as client:
        step = 5000
        for first in range(args.first, args.executions, step):
            try:
                count = run(client.base_url.port, min(first + step, args.executions), args.seed, first)
            except AssertionError as error:
                print(error, file=sys.stderr)
                return 1
            print(first + step, count, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
