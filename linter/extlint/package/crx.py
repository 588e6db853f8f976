"""Packages of Chromium (.crx): a header with keys and signatures, followed by a zip.

Chromium's sources define the format, in `components/crx_file` (`crx3.proto` describes version 3, whose
header is one block; version 2 has a public key and a signature). Numbers are little-endian.
"""

from __future__ import annotations

import struct
from typing import BinaryIO

from extlint.package.files import UnreadableError

_MAGIC = b"Cr24"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")


def check_crx(stream: BinaryIO, name: str) -> None:
    """Checks that a stream contains a header followed by a zip. Signatures are not verified.

    Raises UnreadableError, which names the file as `name`, if it does not; OSError if the disk fails.
    """
    stream.seek(0)
    start = stream.read(16)
    if not start.startswith(_MAGIC):
        raise UnreadableError(f"{name} is not a .crx file: it does not begin with Cr24")
    if len(start) < 16:
        raise UnreadableError(f"{name} is truncated")
    version, first, second = struct.unpack_from("<III", start, 4)
    if version == 2:
        offset = 16 + first + second
    elif version == 3:
        offset = 12 + first
    else:
        raise UnreadableError(
            f"{name} has version {version} of the .crx format; versions 2 and 3 can be read"
        )
    stream.seek(offset)
    if stream.read(4) not in _ZIP_STARTS:
        raise UnreadableError(f"{name} is truncated or damaged: no zip follows its header")
