"""Parse every text of a folder, and go on where an earlier run stopped.

    python examples/bulk.py FOLDER PARSED

Each FOLDER/x.txt becomes PARSED/x.conllu. An output appears whole or not at all, so what is there is finished.
"""

import sys
from pathlib import Path

import fastparse


def main(folder: str, parsed: str) -> None:
    parser = fastparse.load("en-fast")
    Path(parsed).mkdir(parents=True, exist_ok=True)
    for text in sorted(Path(folder).glob("*.txt")):
        output = Path(parsed) / f"{text.stem}.conllu"
        if output.exists():
            continue
        try:
            print(text.name, parser.parse_file(text, output, threads=2))
        except fastparse.Error as error:  # this file cannot be read; the next ones may
            print(error, file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:3])
