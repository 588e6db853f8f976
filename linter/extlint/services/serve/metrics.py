"""Counts what the service does, for Prometheus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""The upper bounds of the histogram of durations, in seconds."""


class Metrics:
    """The counts of requests, by operation and status, and their durations."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: Counter[float] = Counter()
        self._seconds = 0.0
        self._bytes = 0

    def add(self, operation: str, status: int, seconds: float, size: int) -> None:
        """Counts a request."""
        self._requests[operation, status] += 1
        self._seconds += seconds
        self._bytes += size
        self._buckets[next((each for each in BUCKETS if seconds <= each), float("inf"))] += 1

    def text(self, gauges: Mapping[str, int], outcomes: Mapping[str, int]) -> str:
        """Returns the counts in the text format of Prometheus, with some current values."""
        return "".join(f"{line}\n" for line in self._lines(gauges, outcomes))

    def _lines(self, gauges: Mapping[str, int], outcomes: Mapping[str, int]) -> Iterator[str]:
        yield "# TYPE extlint_requests_total counter"
        for (operation, status), count in sorted(self._requests.items()):
            yield f'extlint_requests_total{{operation="{operation}",status="{status}"}} {count}'
        yield "# TYPE extlint_request_seconds histogram"
        total = 0
        for bound in BUCKETS:
            total += self._buckets[bound]
            yield f'extlint_request_seconds_bucket{{le="{bound}"}} {total}'
        total += self._buckets[float("inf")]
        yield f'extlint_request_seconds_bucket{{le="+Inf"}} {total}'
        yield f"extlint_request_seconds_sum {self._seconds:.6f}"
        yield f"extlint_request_seconds_count {total}"
        yield "# TYPE extlint_received_bytes_total counter"
        yield f"extlint_received_bytes_total {self._bytes}"
        yield "# TYPE extlint_workers_total counter"
        for outcome, count in sorted(outcomes.items()):
            yield f'extlint_workers_total{{outcome="{outcome}"}} {count}'
        for name, value in gauges.items():
            yield f"# TYPE extlint_{name} gauge"
            yield f"extlint_{name} {value}"
