"""The corpora of the targets: inputs that together reach what was ever reached, in an archive of this folder.

    python -m tests.fuzz.targets.corpus unpack FOLDER    # a folder per target, for libFuzzer to go on with
    python -m tests.fuzz.targets.corpus pack FOLDER      # after `TARGET -merge=1 SMALL_FOLDER CORPUS_FOLDER`

All of them have grown out of invented inputs.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
from pathlib import Path

ARCHIVE = Path(__file__).with_name("corpus.tar.xz")
TARGETS = ("scanner", "tables", "reader", "loader", "text", "arrow")


def unpack(folder: Path) -> int:
    """Write the inputs of each target to a folder of its own; how many there are."""
    n = 0
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            target, _, name = member.name.partition("/")
            content = archive.extractfile(member)
            assert target in TARGETS
            assert content is not None
            (folder / target).mkdir(parents=True, exist_ok=True)
            (folder / target / name).write_bytes(content.read())
            n += 1
    return n


def pack(folder: Path) -> int:
    """Make the archive anew."""
    n = 0
    with tarfile.open(ARCHIVE, "w:xz", preset=9) as archive:
        for target in TARGETS:
            contents = sorted({path.read_bytes() for path in (folder / target).iterdir()})
            for number, content in enumerate(contents):
                member = tarfile.TarInfo(f"{target}/{number}")
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
            n += len(contents)
    return n


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("unpack", "pack"))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    print(f"{(unpack if options.what == 'unpack' else pack)(options.folder)} inputs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
