"""What lies in a folder or an archive and is not among the files of its extension."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from posixpath import basename

from msgspec import Struct

from extlint.package import limits
from extlint.text.wording import listed_in_part, quoted


class Why(Enum):
    """Why something was left out, in words that follow "was not checked:"."""

    LEADS_OUT = "the path leads out of the archive"
    LINK_OUT = "the link leads out of the folder"
    NO_PATH = "browsers do not agree on what the path means"
    LINK = "it is a link, and archives have none"
    NO_FILE = "it is neither a file nor a folder"
    DEPTH = "it lies in more than {depth} folders"
    FILES = "there are more than {files} files and folders"
    ENTRIES = "the archive has more than {entries} entries"
    SIZE = "the archive unpacks to too much"


_NEVER_FOUND = (Why.LEADS_OUT, Why.LINK_OUT, Why.NO_FILE)


class LeftOut(Struct, frozen=True):
    """A file or folder, or an entry of an archive, that was left out. `path` is as it is written there."""

    path: str
    why: Why

    @property
    def may_be_named(self) -> bool:
        """Whether browsers may find it by a name, so that the absence of other files proves nothing.

        What a link leads to out of the folder is known to be there, and told apart from what is missing.
        """
        return self.why not in _NEVER_FOUND


_FINDER = ("__MACOSX/", "._")
"""The folder that Finder adds to archives, and what the names of AppleDouble files begin with (RFC 1740)."""


def is_of_finder(path: str) -> bool:
    """Whether macOS put a file there for itself: `._a.js` has what it knows of `a.js`, and is no script."""
    folder, prefix = _FINDER
    return path.startswith(folder) or basename(path).startswith(prefix)


def left_out_sentence(left_out: Iterable[LeftOut]) -> str:
    """Says what was left out, and why, as one sentence."""
    by_reason: dict[Why, list[str]] = {}
    for each in left_out:
        by_reason.setdefault(each.why, []).append(each.path)
    return "; ".join(_clause(paths, why) for why, paths in by_reason.items())


def _clause(paths: Sequence[str], why: Why) -> str:
    named = listed_in_part([quoted(each) for each in paths])
    verb = "was" if len(paths) == 1 else "were"
    reason = why.value.format(depth=limits.MAX_DEPTH, entries=limits.MAX_ENTRIES, files=limits.MAX_FILES)
    return f"{named} {verb} not checked: {reason}"
