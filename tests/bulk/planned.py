"""Plans of shards."""

from fastparse.bulk import shards
from tests.toy import TOY


def planned(tmp_path, model, data=None, name="in.conllu", **options):
    """A source, and a folder with a plan of it."""
    source, folder = tmp_path / name, tmp_path / "shards"
    source.write_bytes(TOY.read_bytes() if data is None else data)
    shards.plan([source], folder, model, **options)
    return source, folder
