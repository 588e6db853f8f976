"""Answers instead of a result: problem documents (RFC 9457). The media type that a client accepts."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

MEDIA_TYPE = "application/problem+json"

TITLES = {
    "invalid-option": (400, "An option is not valid"),
    "invalid-request": (400, "The request is not valid"),
    "unauthorized": (401, "A token is required"),
    "foreign-origin": (403, "Pages of this origin may not use the service"),
    "not-found": (404, "Nothing is here"),
    "method-not-allowed": (405, "The method is not allowed here"),
    "not-acceptable": (406, "No such format"),
    "slow-client": (408, "The request took too long"),
    "too-large": (413, "The package is too large"),
    "unsupported-type": (415, "The encoding of the body is not supported"),
    "unknown-host": (421, "The service does not have this name"),
    "unreadable": (422, "The package cannot be read"),
    "limit-exceeded": (422, "The check exceeds a limit"),
    "queue-full": (429, "Too many requests are waiting"),
    "internal-error": (500, "The service failed"),
    "worker-died": (503, "The worker died"),
    "overload": (503, "Too many checks take long"),
    "no-space": (503, "The disk is full"),
    "starting": (503, "The service is not ready"),
}
"""The kinds of problems, each with its status and title."""


class Problem(Struct, frozen=True, omit_defaults=True):
    """A problem document. `limit` names the limit that a request exceeds."""

    type: str
    title: str
    status: int
    detail: str
    limit: str | None = None


class ProblemError(Exception):
    """Ends a request with a problem document, and more headers."""

    def __init__(
        self, kind: str, detail: str, limit: str | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.problem = problem_of(kind, detail, limit)
        self.headers = dict(headers or {})


def problem_of(kind: str, detail: str, limit: str | None = None) -> Problem:
    """Returns the problem document of a kind."""
    status, title = TITLES[kind]
    return Problem(f"urn:extlint:problem:{kind}", title, status, detail, limit)


MAX_RANGES = 50
"""Media ranges of a header that count."""


def chosen_type(accept: str | None, offered: Mapping[str, str]) -> str:
    """Returns the value of the offered media type that the client prefers, by default of the first.

    Raises ProblemError if the client does not accept any of them.
    """
    ranges = [_range(each) for each in (accept or "*/*").split(",")[:MAX_RANGES]]
    best, chosen = 0.0, None
    for media_type, value in offered.items():
        quality = _quality(media_type.partition(";")[0], ranges)
        if quality > best:
            best, chosen = quality, value
    if chosen is None:
        known = ", ".join(each.partition(";")[0] for each in offered)
        raise ProblemError("not-acceptable", f"the formats are {known}")
    return chosen


def _range(text: str) -> tuple[str, float]:
    name, *parameters = (each.strip().lower() for each in text.split(";"))
    quality = next((each[2:] for each in parameters if each.startswith("q=")), "1")
    try:
        return name, min(1.0, max(0.0, float(quality)))
    except ValueError:
        return name, 0.0


def _quality(media_type: str, ranges: list[tuple[str, float]]) -> float:
    """Returns the quality of the most specific range that has the media type."""
    for pattern in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        for name, quality in ranges:
            if name == pattern:
                return quality
    return 0.0
