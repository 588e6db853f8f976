"""Limits on how much of a package is read.

Browser stores accept packages of some hundred megabytes. Anything far beyond a real extension is an accident
or an attack.
"""

from __future__ import annotations

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
