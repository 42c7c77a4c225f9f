"""Corpora of trees or text in shards: planned once, parsed by any number of processes, resumed after any crash, merged.

A folder holds everything:

    manifest.json       the inputs, the ranges of bytes with their SHA-256, the model with its own, the options
    00000.claim         who works on a shard
    00000.conllu        a parsed shard, or 00000.conllu.zst; it appears whole or not at all
    00000.done          the plan it is of, its counts and SHA-256; written after it, so a shard with one is finished

Merged, the shards are byte for byte what parsing the inputs at once gives. Nothing but the folder is shared. When and
where shards are run is the business of others: GNU parallel, SLURM arrays, Dask (`fastparse.bulk.dask`).
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastparse.annotate.stream import Report
from fastparse.bulk.claims import Claim, claimed, give_back
from fastparse.bulk.cutting import open_input
from fastparse.bulk.joining import Finished, joined_conllu, joined_text
from fastparse.bulk.plans import SHARD_BYTES, Folder, Plan, Shard, make_plan
from fastparse.bulk.ranges import Range, unpacked
from fastparse.bulk.records import is_count, read_record, write_record
from fastparse.corpus.files.output import open_output
from fastparse.errors import Error
from fastparse.parser import of_format, shared
from fastparse.request import Request

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from fastparse.request import Asked

__all__ = ["Status", "clean", "merge", "plan", "retry", "run", "run_free", "status", "unsplit"]

_STEP = 1 << 20
_COUNTS = ("sentences", "words", "skipped", "kept", "seconds", "bytes_written")
_LONGEST = 1e12  # seconds that a shard can have taken
_PAUSE = 0.2  # seconds between looks at a shard in other hands


@dataclass(frozen=True)
class Status:
    """How far a plan is.

    Attributes:
        shards: in all.
        missing: numbers of those not finished.
        report: the sum of those that are; its seconds are those of all runners together.
        in_hand: who works on those that somebody works on, by number; a runner that was killed is listed, too.
        share: of the bytes of the inputs, unpacked where that is known, that is finished.
        seconds_left: with the runners of now; None if nobody works, or nothing is finished yet.
    """

    shards: int
    missing: list[int]
    report: Report
    in_hand: dict[int, Claim] = field(default_factory=dict)
    share: float = 0.0
    seconds_left: float | None = None

    def __str__(self) -> str:
        lines = [f"{self.shards - len(self.missing):,} of {self.shards:,} shards are finished: {self.report}"]
        for number, claim in sorted(self.in_hand.items()):
            minutes = max(0.0, time.time() - claim.since) / 60
            how = "held by a dead runner, which the next run notices" if claim.dead else "in hand"
            lines.append(f"shard {number} is {how}: {claim}, for {minutes:.1f} minutes")
        if self.seconds_left is not None:
            lines.append(f"{self.share:.0%} of the bytes; {self.seconds_left / 60:,.1f} minutes left")
        return "\n".join(lines)


def plan(
    inputs: Sequence[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    model: str | os.PathLike[str] | None = None,
    *,
    shard_bytes: int = SHARD_BYTES,
    format: str = "auto",
    compress: str = "auto",
    **asked: Unpack[Asked],
) -> int:
    """Write the manifest and return the number of shards.

    Shards end between sentences, those of text between paragraphs. A compressed file is cut where compressed streams
    begin in it; what is one stream is one shard. All inputs are read, as the plan holds what they are, not when they
    were changed.

    Args:
        inputs: files; their order is that of the merged output.
        folder: made if it is not there. Planning the same again changes nothing.
        shard_bytes: how large a shard should be, unpacked.
        compress: how parsed shards are kept until they are merged: "zst", "gz", "none"; or "auto": by zstd, if it can
            be imported, from 1 GB of CoNLL-U or 100 MB of text on.
        model, format: as for `load` and `Parser.parse_file`.
        asked: source, beam, threshold, retag, strict, scores, deps and on_error, as for `Parser.parse_file`.

    Raises:
        Error: if the folder holds another plan.
    """
    given = {**asked, "source": of_format(asked.get("source", "auto"), format)}
    request = Request.of("shards.plan", model=model, **given)
    manifest = make_plan(inputs, request, shard_bytes=shard_bytes, compress=compress)
    Folder(Path(folder)).write(manifest)
    return len(manifest["shards"])


def unsplit(folder: str | os.PathLike[str], shard_bytes: int) -> list[str]:
    """The compressed inputs of which a shard is larger than shards should be, since it is one compressed stream."""
    plan = Folder(Path(folder)).plan()
    return [
        plan.inputs[shard.input] for shard in plan.shards
        if shard.packed and shard.weight > (shard_bytes if shard.size is None else 2 * shard_bytes)
    ]  # fmt: skip


def run(
    folder: str | os.PathLike[str], number: int, threads: int = 1, *, wait: float = 0.0, job: str | None = None
) -> Report:
    """Parse one shard, unless that is done already.

    Args:
        wait: so many seconds for a shard that somebody else works on.
        job: the name of work that never has two runners for a shard: a claim of the same job is one of a dead runner.

    Raises:
        Error: if somebody else works on it; or an input or the model is not as planned.
    """
    place = Folder(Path(folder))
    plan = place.plan()
    shard = plan.shard(number)
    until = time.monotonic() + wait
    while True:
        done = _done(place, plan, number)
        if done is not None:
            return done
        if claimed(place.claim(number), job):
            break
        if time.monotonic() >= until:
            raise Error(
                f"shard {number} is in hand: {Claim.read(place.claim(number))}. If that is no longer so, give it back: "
                f"fastparse shard retry {place.path} -i {number}"
            )
        time.sleep(_PAUSE)
    try:
        return _done(place, plan, number) or _parsed(place, plan, shard, threads)
    finally:
        with suppress(FileNotFoundError):
            place.claim(number).unlink()


def run_free(folder: str | os.PathLike[str], threads: int = 1) -> Iterator[tuple[int, Report]]:
    """Parse the shards that are neither finished nor in hand, one after the other; number and report of each.

    Any number of processes may do so at once, and no two work on the same shard.
    """
    place = Folder(Path(folder))
    plan = place.plan()
    for shard in plan.shards:
        if _done(place, plan, shard.number) is None and claimed(place.claim(shard.number)):
            try:
                if _done(place, plan, shard.number) is None:
                    yield shard.number, _parsed(place, plan, shard, threads)
            finally:
                with suppress(FileNotFoundError):
                    place.claim(shard.number).unlink()


def _parsed(place: Folder, plan: Plan, shard: Shard, threads: int) -> Report:
    parser = shared(*plan.model)
    target = place.output(shard.number, plan.suffix)
    path, request = plan.inputs[shard.input], replace(plan.request, threads=threads)
    kind = "conllu" if request.source.startswith("conll") else request.source
    with open_input(path) as stream:
        part = Range(stream, shard.begin, shard.end)
        try:
            with unpacked(part, shard, kind) as source:
                report = parser.through(request, source, target)
        except Error:
            if part.sha256() == shard.sha256:
                raise
        size = os.fstat(stream.fileno()).st_size
        if part.sha256() != shard.sha256 or size != plan.sizes[shard.input]:
            target.unlink(missing_ok=True)
            raise Error(f"{path}: the file has changed since the plan was made. Plan again in an empty folder.")
    mark = {"plan": plan.identity, "input": shard.sha256, "sha256": _sha256(target), "bytes": os.path.getsize(target)}
    write_record(place.mark(shard.number), {**mark, **report.to_dict()})
    return report


def status(folder: str | os.PathLike[str]) -> Status:
    """What is finished, in hand and missing, and how long it takes."""
    place = Folder(Path(folder))
    plan = place.plan()
    total = Report()
    missing, in_hand = [], {}
    bytes_done = 0
    for shard in plan.shards:
        done = _done(place, plan, shard.number)
        if done is None:
            missing.append(shard.number)
            claim = Claim.read(place.claim(shard.number))
            if claim is not None:
                in_hand[shard.number] = claim
            continue
        bytes_done += shard.weight
        for name in _COUNTS:
            setattr(total, name, getattr(total, name) + getattr(done, name))
    size = sum(shard.weight for shard in plan.shards)
    runners = len({(claim.machine, claim.pid) for claim in in_hand.values() if not claim.dead})
    left = total.seconds / bytes_done * (size - bytes_done) / runners if bytes_done and runners else None
    return Status(len(plan.shards), missing, total, in_hand, bytes_done / size if size else 1.0, left)


def retry(
    folder: str | os.PathLike[str], numbers: Sequence[int] | None = None, *, everything: bool = False
) -> list[int]:
    """Give back the shards that dead runners hold, and return their numbers.

    A runner of this machine is seen to be dead, and its shards are taken over without this. Of other machines that
    cannot be known.

    Args:
        numbers: of shards to give back whoever holds them.
        everything: give back all that are held.
    """
    place = Folder(Path(folder))
    given = []
    for shard in place.plan().shards:
        claim = Claim.read(place.claim(shard.number))
        wanted = everything or (shard.number in numbers if numbers is not None else claim is not None and claim.dead)
        if claim is not None and wanted and give_back(place.claim(shard.number), claim):
            given.append(shard.number)
    return given


def clean(folder: str | os.PathLike[str], *, everything: bool = False) -> list[Path]:
    """Remove results of other plans and what killed runners left behind; return what was removed.

    Args:
        everything: also the plan, all results and claims, so that the folder can have another plan.
    """
    place = Folder(Path(folder))
    if everything:
        names = ["manifest.json", "*.conllu*", "*.done", "*.claim", ".*.tmp"]
        found = [path for name in names for path in place.path.glob(name) if _ours(path)]
    else:
        plan = place.plan()
        live = {shard.number for shard in plan.shards if Claim.read(place.claim(shard.number)) is not None}
        found = [path for path in place.path.glob(".*.tmp") if not live]
        found += [
            path for pattern in ("*.conllu*", "*.done") for path in place.path.glob(pattern)
            if _ours(path) and _number(path) not in live and not _of(place, plan, path)
        ]  # fmt: skip
    for path in found:
        path.unlink(missing_ok=True)
    return found


def _ours(path: Path) -> bool:
    return path.name == "manifest.json" or path.name.startswith(".") or path.name.partition(".")[0].isdigit()


def _number(path: Path) -> int:
    return int(path.name.partition(".")[0])


def _of(place: Folder, plan: Plan, path: Path) -> bool:
    """Whether a file is of a finished shard."""
    number = _number(path)
    if number >= len(plan.shards) or _done(place, plan, number) is None:
        return False
    return path in (place.mark(number), place.output(number, plan.suffix))


def merge(folder: str | os.PathLike[str], output: Any, *, verify: bool = True) -> int:
    """Write all shards to one file (its suffix chooses compression), in order; returns the bytes before compression.

    Args:
        verify: check the SHA-256 of each shard.

    Raises:
        Error: if a shard is missing, of another plan, or not as it was written.
    """
    place = Folder(Path(folder))
    plan = place.plan()
    missing = [shard.number for shard in plan.shards if _done(place, plan, shard.number) is None]
    if missing:
        shown = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise Error(f"{os.fspath(folder)}: {len(missing)} shards are not finished: {shown}. Run them first.")
    joined = joined_conllu if plan.request.source.startswith("conll") else joined_text
    with open_output(output) as out:
        return sum(map(out.write, joined(_finished(place, plan, verify))))


def _finished(place: Folder, plan: Plan, verify: bool) -> Iterator[Finished]:
    """The shards in order.

    Raises:
        Error: if one is not as it was written.
    """
    for shard in plan.shards:
        path = place.output(shard.number, plan.suffix)
        done = _mark(place, plan, shard.number)
        if done is None or (verify and _sha256(path) != done["sha256"]):
            raise Error(
                f"{path}: the file has changed since it was written. Delete it and run shard {shard.number} again."
            )
        yield Finished(path, bool(plan.suffix), shard.input, shard.continues, done["sentences"] + done["kept"])


def _done(place: Folder, plan: Plan, number: int) -> Report | None:
    """What a finished shard of this plan has reported; None if it is not finished."""
    found = _mark(place, plan, number)
    return None if found is None else Report(**{name: found[name] for name in _COUNTS})


def _mark(place: Folder, plan: Plan, number: int) -> dict[str, Any] | None:
    """What stands in the mark of a shard that is finished; None for one that is not, or whose mark says nonsense."""
    try:
        found = read_record(place.mark(number))
        right = found["plan"] == plan.identity and found["input"] == plan.shards[number].sha256
        if not right or os.path.getsize(place.output(number, plan.suffix)) != found["bytes"]:
            return None
        sound = all(is_count(found[name]) for name in _COUNTS if name != "seconds") and isinstance(found["sha256"], str)
        seconds = found["seconds"]
        return found if sound and type(seconds) in (int, float) and 0 <= seconds < _LONGEST else None
    except (OSError, ValueError, KeyError):
        return None


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while piece := stream.read(_STEP):
            digest.update(piece)
    return digest.hexdigest()
