"""Shards on Dask: a task each, on any cluster. Needs the extra `dask`.

Everything that matters is in the folder of the plan: tasks may be run twice, workers and clients may die, and calling
again goes on with what is missing.
"""

from __future__ import annotations

import os
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from fastparse.bulk import shards
from fastparse.bulk.plans import Folder
from fastparse.bulk.shards import Status
from fastparse.errors import Error
from fastparse.extras import needed

__all__ = ["local_cluster", "parse_files"]

_TRIES = 5  # of a shard that failed for no fault of its own: its worker died, or a file system was away
_WAIT = 60.0  # seconds for a runner of an earlier call that is still at it


def parse_files(
    client: Any,
    folder: str | os.PathLike[str],
    *,
    threads: int = 1,
    progress: Callable[[Status], object] | None = None,
) -> Status:
    """Parse the shards of a plan that are not finished, on the workers of a cluster; wait, and say how far it is.

    The tasks are called `fastparse-shard`: that is their bar in the dashboard. A process opens the model once.

    Args:
        client: a `distributed.Client`.
        folder: of a plan (`fastparse.bulk.shards.plan`), which all workers see under this path.
        threads: per task; workers that have several threads run several tasks anyway.
        progress: called with the status after every shard.

    Raises:
        Error: if a shard cannot be parsed. Others may be finished by then, and stay so.
    """
    distributed = needed("distributed", "dask")
    path = os.path.abspath(os.fspath(folder))
    identity = Folder(Path(path)).plan().identity
    job = uuid.uuid4().hex
    work = partial(_parse, path, identity, threads, job)
    missing = shards.status(path).missing
    keys = [f"fastparse-shard-{identity[:12]}-{job[:8]}-{number}" for number in missing]
    futures = client.map(work, missing, key=keys, pure=False)
    numbers = dict(zip(keys, missing, strict=True))
    tried: Counter[str] = Counter()
    going = distributed.as_completed(futures)
    try:
        for future in going:
            if future.status == "finished":
                if progress:
                    progress(shards.status(path))
                continue
            error = future.exception()
            tried[future.key] += 1
            innocent = isinstance(error, (OSError, distributed.KilledWorker)) or future.status != "error"
            if not innocent or tried[future.key] >= _TRIES:
                if isinstance(error, Error):
                    raise error
                often = "" if tried[future.key] == 1 else f" {tried[future.key]} times"
                raise Error(f"shard {numbers[future.key]} failed{often}: {error!r}")
            client.retry([future])
            going.add(future)
    finally:
        client.cancel(futures)
    return shards.status(path)


def _parse(folder: str, identity: str, threads: int, job: str, number: int) -> int:
    """Run a shard on a worker, if it sees the same plan."""
    if Folder(Path(folder)).plan().identity != identity:
        raise Error(f"{folder}: a worker sees another plan here than the client: the folder has to be a shared one")
    return shards.run(folder, number, threads, wait=_WAIT, job=job).words


@contextmanager
def local_cluster(workers: int) -> Iterator[Any]:
    """A client of so many processes on this machine, for as long as the block lasts."""
    distributed = needed("distributed", "dask")
    cluster = distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, memory_limit=0, dashboard_address=None, silence_logs="ERROR"
    )
    with cluster, distributed.Client(cluster) as client:
        yield client
