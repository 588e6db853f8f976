"""Limits on how much of a package is read, and the parts of it that are left out, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from posixpath import basename

from msgspec import Struct

from extlint.text.wording import listed_with_count, quoted

MEBIBYTE = 1024 * 1024

MAX_FILES = 250_000
"""Files and folders below one path. Those nearest to it count first, then those first by name."""

MAX_ENTRIES = 100_000
"""Entries of one archive."""

MAX_DEPTH = 100
"""Nesting depth of folders, below one path or in an archive."""

MAX_LINKED_FILES = 10_000
"""Files and folders below one path that are listed because a link leads to their folder."""

MAX_LINKS = 5
"""Links to folders on the path to one file."""

MAX_FILE_BYTES = 64 * MEBIBYTE
"""Bytes of one file, unpacked."""

MAX_ARCHIVE_BYTES = 4096 * MEBIBYTE
"""Bytes of all entries of one archive, unpacked."""

MAX_LISTING_BYTES = 16 * MEBIBYTE
"""Bytes of the directory of one archive, which is held in memory."""

MAX_EXPANSION = 200
"""Ratio of unpacked to packed size of an archive, once its entries exceed `EXPANSION_FROM_BYTES`."""

EXPANSION_FROM_BYTES = 16 * MEBIBYTE
"""Bytes below which contents may expand without a limit, as a few kilobytes of JSON or blank pixels do."""

MAX_SNIFFED_BYTES = MEBIBYTE
"""Bytes of a JSON file that are examined to see whether it is a manifest."""


def mebibytes(count: int) -> str:
    """Returns a number of bytes as text, `64 MiB`, or in bytes if it is below one MiB."""
    return f"{count // MEBIBYTE} MiB" if count >= MEBIBYTE else f"{count} bytes"


class Unchecked:
    """The unchecked parts of each file, as clauses such as "images after the first 9 are not read"."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, None]] = {}
        self.on_addition: Callable[[str, str], None] | None = None
        """Called with each path and clause that is recorded."""

    def add(self, path: str, what: str) -> None:
        """Records an unchecked part of a file, or one caused by it. Duplicates are reported once."""
        self._found.setdefault(path, {})[what] = None
        if self.on_addition is not None:
            self.on_addition(path, what)

    def by_path(self) -> Mapping[str, Sequence[str]]:
        """Returns all recorded clauses, by path."""
        return {path: tuple(self._found[path]) for path in sorted(self._found)}


class Why(Enum):
    """The reason why something was left out, worded to follow "was not checked:"."""

    LEADS_OUT = "the path leads out of the archive"
    LINK_OUT = "the link leads out of the folder"
    NO_PATH = "browsers do not agree on what the path means"
    LINK = "it is a link, and archives have none"
    NO_FILE = "it is neither a file nor a folder"
    DEPTH = "it lies in more than {depth} folders"
    FILES = "there are more than {files} files and folders"
    ENTRIES = "the archive has more than {entries} entries"
    SIZE = "the archive unpacks to too much"
    REPEATED = "the archive has another file of this name"


_NEVER_FOUND = (Why.LEADS_OUT, Why.LINK_OUT, Why.NO_FILE, Why.REPEATED)


class LeftOut(Struct, frozen=True):
    """A file, folder or archive entry that was left out. `path` is as written there."""

    path: str
    why: Why

    @property
    def may_be_named(self) -> bool:
        """Whether browsers may find it by a name, so that the absence of other files proves nothing.

        A link out of the folder is known to exist, so it is distinguished from a missing file.
        """
        return self.why not in _NEVER_FOUND


_FINDER = ("__MACOSX/", "._")
"""The folder that Finder adds to archives, and the prefix of AppleDouble file names (RFC 1740)."""


def is_finder_file(path: str) -> bool:
    """Whether macOS created a file for itself: `._a.js` contains metadata of `a.js`, and is not a script."""
    folder, prefix = _FINDER
    return path.startswith(folder) or basename(path).startswith(prefix)


def left_out_sentence(left_out: Iterable[LeftOut]) -> str:
    """Returns one sentence that reports what was left out, and why."""
    by_reason: dict[Why, list[str]] = {}
    for each in left_out:
        by_reason.setdefault(each.why, []).append(each.path)
    return "; ".join(_clause(paths, why) for why, paths in by_reason.items())


def _clause(paths: Sequence[str], why: Why) -> str:
    named = listed_with_count([quoted(each) for each in paths])
    verb = "was" if len(paths) == 1 else "were"
    reason = why.value.format(depth=MAX_DEPTH, entries=MAX_ENTRIES, files=MAX_FILES)
    return f"{named} {verb} not checked: {reason}"
