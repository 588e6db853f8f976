"""Shrinks a case while it fails in the same way: delta debugging of files, lines, words and bytes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from extlint_fuzz.case import Case

Part = TypeVar("Part")

WORDS = re.compile(rb"\w+|\s+|[^\w\s]")
MAX_BYTEWISE = 400
"""The size in bytes above which files are not shrunk byte by byte."""


def minimize(case: Case, fails: Callable[[Case], bool], seconds: float) -> Case:
    """Returns the smallest failing case that was found within the time limit."""
    return _Minimizer(fails, seconds).minimize(case)


class _Minimizer:
    def __init__(self, fails: Callable[[Case], bool], seconds: float) -> None:
        self._fails = fails
        self._until = time.monotonic() + seconds

    def minimize(self, case: Case) -> Case:
        before = None
        while before != case.files and time.monotonic() < self._until:
            before = case.files
            case = self._fewer_arguments(self._fewer_files(case))
            for name in sorted(case.files, key=lambda each: -len(case.files[each])):
                case = self._smaller_file(case, name)
        return case

    def _fewer_files(self, case: Case) -> Case:
        def of(names: Sequence[str]) -> Case:
            return case.with_files({name: case.files[name] for name in names})

        return of(self._subset(list(case.files), lambda names: self._fails(of(names))))

    def _fewer_arguments(self, case: Case) -> Case:
        """Returns the case without unnecessary options and their values."""
        for at in range(len(case.arguments) - 2, 0, -2):
            fewer = case.with_arguments(*case.arguments[:at], *case.arguments[at + 2 :])
            if time.monotonic() < self._until and self._fails(fewer):
                case = fewer
        return case

    def _smaller_file(self, case: Case, name: str) -> Case:
        for split in (_lines, _words, _bytes):
            case = self._fewer_parts(case, name, split(case.files[name]))
        return case

    def _fewer_parts(self, case: Case, name: str, parts: Sequence[bytes]) -> Case:
        def of(remaining: Sequence[bytes]) -> Case:
            return case.with_files({**case.files, name: b"".join(remaining)})

        return of(self._subset(parts, lambda kept: self._fails(of(kept)))) if len(parts) > 1 else case

    def _subset(self, parts: Sequence[Part], fails: Callable[[Sequence[Part]], bool]) -> Sequence[Part]:
        """Returns the remaining parts when no chunk of them can be removed, halving the chunks."""
        length = max(len(parts) // 2, 1)
        while parts and time.monotonic() < self._until:
            at = 0
            shrank = False
            while at < len(parts) and time.monotonic() < self._until:
                fewer = [*parts[:at], *parts[at + length :]]
                if fails(fewer):
                    parts, shrank = fewer, True
                else:
                    at += length
            if length == 1 and not shrank:
                break
            if not shrank or length > len(parts):
                length = max(min(length // 2, len(parts) // 2), 1)
        return parts


def _lines(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


def _words(data: bytes) -> list[bytes]:
    return WORDS.findall(data)


def _bytes(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))] if len(data) <= MAX_BYTEWISE else [data]
