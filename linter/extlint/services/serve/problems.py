"""Problem documents (RFC 9457): what the service answers instead of a result."""

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
