"""Plans of shards, and the command that works on them."""

import sys

from fastparse.bulk import shards
from tests.toy import TOY


def command(*args):
    return [sys.executable, "-m", "fastparse", "shard", *map(str, args)]


def planned(tmp_path, model, data=None, name="in.conllu", **options):
    """A source, and a folder with a plan of it."""
    source, folder = tmp_path / name, tmp_path / "shards"
    source.write_bytes(TOY.read_bytes() if data is None else data)
    shards.plan([source], folder, model, **options)
    return source, folder
