"""Decides which files of a package are left out after its check has taken too much memory."""

from __future__ import annotations

from collections.abc import Sequence

from extlint.package.files import Package
from extlint.package.suffixes import READ_AS_TEXT, has_suffix

MAX_ATTEMPTS = 10
"""The attempts to check a package that takes too much memory."""

_ATTEMPTS_WITH_ONE_FILE = 4
"""The first attempts, which each leave out one more file. Each later one leaves out twice as many."""


def files_to_leave_out(
    package: Package, last: str, left_out: Sequence[str], attempts: int
) -> Sequence[str] | None:
    """Returns the files to leave out in the next attempt to check a package, which took too much memory.

    They are `left_out` in the last attempt, the file that was the `last` one that it worked on, and the
    largest ones, as others may have taken the memory. Returns None after too many `attempts`, or if no other
    file remains that is larger than the manifest, which cannot be left out.
    """
    known = {package.manifest_path, *left_out}
    culprits = [last] if last and last not in known else []
    least = 0 if culprits else package.size(package.manifest_path)
    others = [path for path in package.paths if path not in known and has_suffix(path, READ_AS_TEXT)]
    others = sorted((path for path in others if package.size(path) > least), key=package.size, reverse=True)
    largest = [path for path in others if path != last][: _files_to_add(attempts) - len(culprits)]
    chosen = [*culprits, *largest]
    return (*left_out, *chosen) if chosen and attempts < MAX_ATTEMPTS else None


def _files_to_add(attempts: int) -> int:
    return 1 << max(0, attempts - _ATTEMPTS_WITH_ONE_FILE)
