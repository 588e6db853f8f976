"""The settings of the service, its limits, and the tasks of its workers."""

from __future__ import annotations

from msgspec import Struct

MEBIBYTE = 1024 * 1024

MAX_SECONDS_OF_BODY = 120
"""Seconds that the body of a request may take."""

MAX_IDLE_SECONDS = 10
"""Seconds that a client may take to send or read the next part of a request or response."""

SECONDS_OF_SHORT_CHECK = 0.25
"""Seconds of processor time after which a check yields to others. Then it is long: its place is free."""

SECONDS_OF_IDLE_CHECK = 1.0
"""Seconds after which a check is long, whatever processor time it has had."""

MAX_LONG_PER_JOB = 4
"""Long checks for each job."""

SECONDS_BEFORE_OVERLOAD = 6.0
"""Seconds that a long check has at least, before one more ends it."""

MAX_UPLOADS = 256
"""Bodies that are received at the same time."""

MIN_TOKEN_LENGTH = 16
"""Characters of a token."""


class Limits(Struct, frozen=True):
    """The limits of one request. A worker that exceeds one is killed.

    `cpu` and `wall` are seconds, and the others are bytes: of memory, of an upload, of all files in an
    archive, and of the answer.
    """

    cpu: int = 20
    wall: int = 30
    memory: int = 1024 * MEBIBYTE
    upload: int = 128 * MEBIBYTE
    unpacked: int = 1024 * MEBIBYTE
    answer: int = 64 * MEBIBYTE


class NurserySettings(Struct, frozen=True):
    """The settings of the nursery: the limits of each worker, and the maximum number of long checks."""

    limits: Limits
    max_long: int


class Settings(Struct, frozen=True):
    """The settings of the service.

    `jobs` is the number of workers, and `queue` that of requests that wait for one. Clients must send the
    `token`, if there is one. `names` are the host names of the service besides addresses, and `origins`
    those of web pages that may use it. `keep` is the number of seconds for which results are kept, in the
    file `results`. `config` is the configuration of all checks.
    """

    jobs: int
    queue: int = 64
    limits: Limits = Limits()
    token: str | None = None
    names: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    keep: int = 0
    results: str | None = None
    config: str | None = None


FORMS = {
    "json": "application/json",
    "sarif": "application/sarif+json",
    "html": "text/html; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "page": "application/vnd.extlint.page+json",
}
"""The formats of a report, and their media types."""


class Task(Struct, frozen=True, omit_defaults=True):
    """The work of one request.

    `kind` is that of the work, and `form` the format of the answer. `names` are the names of the files that
    come with it. The others are the options of the command line.
    """

    kind: str
    form: str = "json"
    names: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_level: str | None = None
    name: str | None = None


class Head(Struct, frozen=True, omit_defaults=True):
    """The first line of an answer. The body follows it.

    `problem` is the kind of the problem, `detail` its sentence and `limit` the limit that it names, if any.
    `status` is the exit status of the command line.
    """

    media_type: str = "application/json"
    status: int | None = None
    problem: str | None = None
    detail: str = ""
    limit: str | None = None
