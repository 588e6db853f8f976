"""The tasks of workers, and the heads of their answers."""

from __future__ import annotations

from msgspec import Struct

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
