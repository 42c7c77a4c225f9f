"""Ask a service for trees: start `fastparse serve` first.

    python examples/client.py http://127.0.0.1:8001 "She reads old books."

Nothing but the standard library is needed where the client runs.
"""

import json
import sys
from urllib.parse import urlencode
from urllib.request import urlopen


def parsed(address: str, text: str) -> list[list[str]]:
    """The words of a text, each a list of the ten columns of CoNLL-U."""
    form = urlencode({"data": text, "tokenizer": "", "tagger": "", "parser": ""}).encode()
    with urlopen(f"{address}/process", form, timeout=60) as answer:
        result = json.load(answer)["result"]
    return [line.split("\t") for line in result.splitlines() if line and not line.startswith("#")]


if __name__ == "__main__":
    for word in parsed(*sys.argv[1:3]):
        print(word[1], word[3], word[6], word[7])
