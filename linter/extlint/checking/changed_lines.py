"""The lines that changed since a revision of Git, and the findings on them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.finding import Finding
from extlint.package.files import Package, UnreadableError
from extlint.registry import UNREADABLE
from extlint.report.report import Report
from extlint.text.patterns import lazy
from extlint.text.positions import Span

TIMEOUT = 120
"""Seconds that one command of Git may take."""

_HUNK = lazy(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = lazy(rb"\\(?:([0-7]{3})|(.))")
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


class Lines(Struct, frozen=True):
    """The changed lines of a file: ranges of lines, and the lines after which others were removed.

    Without ranges and places, the whole file is new.
    """

    ranges: tuple[tuple[int, int], ...] = ()
    removed_after: tuple[int, ...] = ()

    @property
    def is_whole_file(self) -> bool:
        """Whether every line counts as changed."""
        return not self.ranges and not self.removed_after

    def touch(self, span: Span) -> bool:
        """Whether a span contains a part of a changed line, or a place where lines were removed."""
        first, last = span.start.line, span.end.line
        if last > first and span.end.column == 1:
            last -= 1
        return (
            self.is_whole_file
            or any(start <= last and end >= first for start, end in self.ranges)
            or any(first <= line < last for line in self.removed_after)
        )


class ChangedLines:
    """The changes since the last common ancestor of a revision and the current commit, in each repository."""

    def __init__(self, revision: str) -> None:
        self._revision = revision
        self._known: dict[str, Mapping[str, Lines]] = {}

    def only_changed(self, report: Report) -> Report:
        """Returns the report with only the findings on changed lines. Raises UnreadableError.

        A finding also counts if a changed line is part of its explanation, and a syntax error if anything in
        its file has changed.
        """
        lines_of = self._lines_in(report.package)

        def is_changed(finding: Finding) -> bool:
            own = lines_of(finding.path)
            if own is not None and (finding.rule in UNREADABLE or own.touch(finding.span)):
                return True
            places = ((lines_of(each.path), each.span) for each in finding.related)
            return any(lines is not None and lines.touch(span) for lines, span in places)

        shown = tuple(filter(is_changed, report.findings))
        unchanged = len(report.findings) - len(shown)
        only_in = tuple(filter(is_changed, report.only_in))
        return replace(report, findings=shown, unchanged=unchanged, only_in=only_in)

    def _lines_in(self, package: Package) -> _LinesOf:
        folder = package.name or "."
        if package.packed:
            raise UnreadableError(f"--changed-since requires a folder in a Git repository, not {folder}")
        top = os.path.realpath(_text(_git(folder, "rev-parse", "--show-toplevel")))
        if top not in self._known:
            self._known[top] = _changes(top, self._revision)
        return _LinesOf(folder, top, self._known[top])


class _LinesOf:
    """Returns the changed lines of a file of a package, by its path there."""

    def __init__(self, folder: str, top: str, changes: Mapping[str, Lines]) -> None:
        self._folder = folder
        self._top = top
        self._changes = changes

    def __call__(self, path: str) -> Lines | None:
        """Returns the changed lines, or None if the file has not changed."""
        file = os.path.realpath(os.path.join(self._folder, path))
        return self._changes.get(os.path.relpath(file, self._top).replace(os.sep, "/"))


def _changes(top: str, revision: str) -> Mapping[str, Lines]:
    """Returns the changed lines of each file of a repository that has changed, tracked or not."""
    base = _base(top, revision)
    options = ("--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules", "--find-renames")
    prefixes = ("--src-prefix=a/", "--dst-prefix=b/")
    shown = _git(top, "diff", "--unified=0", "--inter-hunk-context=0", *options, *prefixes, base, "--")
    untracked = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    changes = dict(changed_lines(shown.split(b"\n")))
    return changes | {_text(path): Lines() for path in untracked.split(b"\0") if path}


def _base(top: str, revision: str) -> str:
    """Returns the last common ancestor of a revision and the current commit."""
    try:
        if revision.startswith("-"):
            raise UnreadableError(revision)
        commit = _text(_git(top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"))
    except UnreadableError:
        hint = _shallow_hint(top)
        raise UnreadableError(f"--changed-since: no such revision in Git: {revision}{hint}") from None
    try:
        return _text(_git(top, "merge-base", commit, "HEAD"))
    except UnreadableError:
        hint = _shallow_hint(top)
        raise UnreadableError(
            f"--changed-since: {revision} and the current commit have no common ancestor{hint}"
        ) from None


def _shallow_hint(top: str) -> str:
    is_shallow = _git(top, "rev-parse", "--is-shallow-repository").strip() == b"true"
    return "; this clone is shallow, so fetch its history: git fetch --unshallow" if is_shallow else ""


def _git(folder: str, *arguments: str) -> bytes:
    """Returns the output of Git in a folder. Raises UnreadableError.

    No hook, pager or diff program of the repository runs.
    """
    settings = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "diff.relative=false")
    command = ("git", "--no-optional-locks", *settings, *arguments)
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except FileNotFoundError:
        raise UnreadableError("--changed-since requires Git, which is not installed") from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UnreadableError(f"--changed-since: cannot run Git: {error}") from None
    if done.returncode:
        lines = _text(done.stderr).splitlines()
        reason = lines[0].removeprefix("fatal: ") if lines else f"the status of Git is {done.returncode}"
        raise UnreadableError(f"--changed-since: {reason}")
    return done.stdout


def _text(output: bytes) -> str:
    return os.fsdecode(output.rstrip(b"\r\n"))


def changed_lines(diff: Sequence[bytes]) -> Iterator[tuple[str, Lines]]:
    """Yields each file of a diff without context that exists afterwards, and its changed lines."""
    path = b""
    ranges: list[tuple[int, int]] = []
    removed_after: list[int] = []
    left = 0
    for line in diff:
        if left and line[:1] in (b"+", b"-"):
            left -= 1
        elif line.startswith(b"diff --git "):
            yield from _file(path, ranges, removed_after)
            path, ranges, removed_after = b"", [], []
            name = line[len(b"diff --git ") :]
            both = _unquoted(name[: len(name) // 2]), _unquoted(name[len(name) // 2 + 1 :])
            binary = both[1][2:]
        elif line.startswith(b"rename to "):
            binary = _unquoted(line[len(b"rename to ") :])
        elif line.startswith(b"Binary files ") and not line.endswith(b"/dev/null differ"):
            yield os.fsdecode(binary), Lines()
        elif line.startswith(b"+++ ") and line != b"+++ /dev/null":
            path = _unquoted(line[4:].rstrip(b"\t"))[2:]
        elif (hunk := _HUNK.match(line)) is not None:
            removed, start, added = (1 if each is None else int(each) for each in hunk.groups())
            left = removed + added
            if added:
                ranges.append((start, start + added - 1))
            else:
                removed_after.append(start)
    yield from _file(path, ranges, removed_after)


def _file(
    path: bytes, ranges: Sequence[tuple[int, int]], removed_after: Sequence[int]
) -> Iterator[tuple[str, Lines]]:
    if path and (ranges or removed_after):
        yield os.fsdecode(path), Lines(tuple(ranges), tuple(removed_after))


def _unquoted(name: bytes) -> bytes:
    """Returns a file name without the quotes and escapes that Git adds to unusual names."""
    if not name.startswith(b'"'):
        return name
    return _ESCAPE.sub(
        lambda found: bytes([int(found[1], 8)]) if found[1] else _ESCAPED.get(found[2], found[2]),
        name.removeprefix(b'"').removesuffix(b'"'),
    )
