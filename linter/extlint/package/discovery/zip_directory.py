"""Reads the directory of a zip: one record for each entry.

`zipfile` reads all of a directory or nothing. This module reads the records one by one, so that a broken
record, or one too many, does not affect the others. PKWARE's APPNOTE.TXT defines the format; numbers are
little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from msgspec import Struct

_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR_64 = struct.Struct("<4sLQL")
_RECORD = struct.Struct("<4s4xHH4xLLLHHH4xLL")
_MAX_COMMENT_BYTES = 65_535
_IS_64 = 0xFFFFFFFF
_EXTRA_64 = 1
_UTF_8 = 0x800


class DamagedError(Exception):
    """A stream that is not a zip, or does not contain the directory that its end record states."""


class ZipRecord(Struct, frozen=True):
    """The directory's record of an entry. `offset` is that of its local header, sizes are in bytes.

    `attributes` are those of the file system on which the archive was made, with the Unix attributes in the
    upper half.
    """

    name: str
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    attributes: int
    offset: int


def zip_records(stream: BinaryIO, max_bytes: int) -> Iterator[ZipRecord | None]:
    """Yields the entries of a zip, in order. Data before it in the stream is skipped.

    At most `max_bytes` of the directory are read; None comes last if it is longer. Raises DamagedError if the
    stream is not a zip, or ends before its directory does.
    """
    start, size, moved = _locate_directory(stream)
    stream.seek(start)
    data = stream.read(min(size, max_bytes))
    if len(data) < min(size, max_bytes):
        raise DamagedError
    at = 0
    while at < size:
        if at + _RECORD.size > len(data):
            if size > max_bytes:
                yield None
                return
            raise DamagedError
        mark, flags, method, checksum, packed, full, name, extra, comment, attributes, offset = (
            _RECORD.unpack_from(data, at)
        )
        if mark != b"PK\x01\x02":
            raise DamagedError
        begin = at + _RECORD.size
        at = begin + name + extra + comment
        if at > len(data):
            if size > max_bytes:
                yield None
                return
            raise DamagedError
        sizes = _sizes_64(data[begin + name : begin + name + extra], full, packed, offset)
        text = _decoded(data[begin : begin + name], flags)
        yield ZipRecord(text, flags, method, checksum, sizes[1], sizes[0], attributes, sizes[2] + moved)


def _locate_directory(stream: BinaryIO) -> tuple[int, int, int]:
    """Returns the start of the directory, its size, and the offset of the zip in the stream."""
    length = stream.seek(0, 2)
    start = max(0, length - _MAX_COMMENT_BYTES - _END.size)
    stream.seek(start)
    tail = stream.read(length - start)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or at + _END.size > len(tail):
        raise DamagedError
    *_, size, offset, _comment = _END.unpack_from(tail, at)
    end = start + at
    locator_at = at - _LOCATOR_64.size
    if locator_at >= 0 and tail[locator_at:at].startswith(b"PK\x06\x07"):
        end = start + locator_at - _END_64.size
        if end < 0:
            raise DamagedError
        stream.seek(end)
        record = stream.read(_END_64.size)
        if len(record) < _END_64.size or not record.startswith(b"PK\x06\x06"):
            raise DamagedError
        *_, size, offset = _END_64.unpack(record)
    moved = end - size - offset
    if moved < 0:
        raise DamagedError
    return end - size, size, moved


def _sizes_64(extra: bytes, *sizes: int) -> list[int]:
    """Returns the sizes of a record, with 64-bit values from the extra field for those that do not fit.

    The field has the size, the packed size and the offset, each only if required.
    """
    found = list(sizes)
    if _IS_64 not in found:
        return found
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == _EXTRA_64:
            field = extra[at + 4 : at + 4 + length]
            for index, each in enumerate(found):
                if each == _IS_64 and len(field) >= 8:
                    found[index], field = int.from_bytes(field[:8], "little"), field[8:]
            break
        at += 4 + length
    return found


def _decoded(name: bytes, flags: int) -> str:
    """Decodes a name as UTF-8, like browsers, whatever the flag, or else in the code page of the format."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("utf-8", "surrogateescape") if flags & _UTF_8 else name.decode("cp437")
