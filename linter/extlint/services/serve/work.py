"""The work of a worker: it checks an upload, or looks something up, and writes the answer to a file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.json import encode

from extlint.linting.configuration.usage_error import UsageError
from extlint.package.files import UnreadableError
from extlint.services.serve.checking import ExpansionError, Upload, lint, permissions, read_upload
from extlint.services.serve.settings import Head, Limits, Task
from extlint.services.warm_up import warm_up as load_in_steps

Answer = tuple[Head, bytes]


def warm_up(config: str | None) -> Iterator[None]:
    """Loads what tasks require, in steps, as `extlint.services.warm_up` does."""
    page = Task("lint", "page", target=("chrome", "firefox"))
    tasks = (Task("lint"), page, Task("lint", target=("edge", "safari")))
    return load_in_steps([partial(_check_example, each, config) for each in tasks])


def _check_example(task: Task, config: str | None, data: bytes) -> None:
    lint(task, Upload("example.zip", data, True), config)


def work(task: Task, uploads: Sequence[int], answer: int, limits: Limits, config: str | None) -> None:
    """Does a task with the descriptors of its uploads, and writes the answer to a descriptor."""
    try:
        head, body = _answer(task, uploads, limits, config)
    except UsageError as error:
        head, body = Head(problem="invalid-option", detail=str(error)), b""
    except ExpansionError as error:
        head, body = Head(problem="too-large", detail=str(error), limit=error.limit), b""
    except UnreadableError as error:
        head, body = Head(problem="unreadable", detail=str(error)), b""
    except MemoryError:
        head, body = Head(problem="limit-exceeded", limit="memory"), b""
    start = encode(head) + b"\n"
    if len(start) + len(body) > limits.answer:
        start, body = encode(Head(problem="limit-exceeded", limit="answer")) + b"\n", b""
    try:
        with open(answer, "wb", closefd=False) as stream:
            stream.write(start)
            stream.write(body)
    except OSError:  # the disk is full: the problem document is short
        os.ftruncate(answer, 0)
        os.pwrite(answer, encode(Head(problem="no-space", limit="disk")) + b"\n", 0)


def _answer(task: Task, uploads: Sequence[int], limits: Limits, config: str | None) -> Answer:
    if task.kind in ("lint", "permissions"):
        found = [read_upload(each, name, limits) for each, name in zip(uploads, task.names, strict=True)]
        return lint(task, found[0], config) if task.kind == "lint" else permissions(task, found, config)
    from extlint.services.serve.lookups import look_up

    return look_up(task)
