"""What a service has done, in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

__all__ = ["Metrics"]

SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
JOBS = (1, 2, 4, 8, 16, 32, 64)


class _Histogram:
    """How often a value was at most each of some bounds."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def lines(self, name: str, labels: str = "") -> Iterable[str]:
        before = f"{labels}," if labels else ""
        seen = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            seen += count
            yield f'{name}_bucket{{{before}le="{bound}"}} {seen}'
        after = f"{{{labels}}}" if labels else ""
        yield f"{name}_sum{after} {self.total:g}"
        yield f"{name}_count{after} {seen}"


class Metrics:
    """Counts of one process. It is used in one event loop."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, _Histogram] = {}
        self._jobs = _Histogram(JOBS)
        self._counts: Counter[str] = Counter()
        self._gauges: dict[str, tuple[str, Callable[[], float]]] = {}

    def answered(self, path: str, status: int, seconds: float) -> None:
        """Count a request that got an answer.

        Args:
            path: one of the few that there are, or "other".
        """
        self._requests[path, status] += 1
        self._seconds.setdefault(path, _Histogram(SECONDS)).add(seconds)

    def worked(self, jobs: int, words: int) -> None:
        """Count a batch."""
        self._jobs.add(jobs)
        self._counts["words"] += words

    def gone(self) -> None:
        """Count a client that did not wait for its answer."""
        self._counts["gone"] += 1

    def received(self, n_bytes: int) -> None:
        """Count what came in bodies."""
        self._counts["bytes"] += n_bytes

    def gauge(self, name: str, meaning: str, value: Callable[[], float]) -> None:
        """Have a number that is asked for when the metrics are."""
        self._gauges[name] = (meaning, value)

    def text(self) -> str:
        """All of it."""
        lines: list[str] = []

        def add(name: str, kind: str, meaning: str, rows: Iterable[str]) -> None:
            lines.extend((f"# HELP fastparse_{name} {meaning}", f"# TYPE fastparse_{name} {kind}", *rows))

        rows = [
            f'fastparse_requests_total{{path="{path}",status="{status}"}} {count}'
            for (path, status), count in sorted(self._requests.items())
        ]
        add("requests_total", "counter", "Requests that got an answer.", rows)
        spent = [
            line
            for path, histogram in sorted(self._seconds.items())
            for line in histogram.lines("fastparse_request_seconds", f'path="{path}"')
        ]
        add("request_seconds", "histogram", "Seconds from a request to the end of its answer.", spent)
        add("batch_jobs", "histogram", "Requests, or parts of one, that a model worked on together.",
            self._jobs.lines("fastparse_batch_jobs"))  # fmt: skip
        for name, meaning in _COUNTED.items():
            key = name.split("_")[0]
            add(name, "counter", meaning, [f"fastparse_{name} {self._counts[key]}"])
        for name, (meaning, value) in self._gauges.items():
            add(name, "gauge", meaning, [f"fastparse_{name} {value():g}"])
        return "\n".join(lines) + "\n"


_COUNTED: Mapping[str, str] = {
    "words_total": "Words that models worked on.",
    "bytes_received_total": "Bytes of bodies.",
    "gone_total": "Clients that did not wait for their answer.",
}
