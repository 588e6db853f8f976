"""The extensions in an upload. Nothing is read from the disk, whatever the names say."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from io import BytesIO

from msgspec import Struct

from extlint.checking.run import Run
from extlint.package.discovery.zip_directory import DamagedError, zip_records
from extlint.package.files import MANIFEST, Package, UnreadableError
from extlint.package.limits import EXPANSION_FROM_BYTES, MAX_EXPANSION, MAX_LISTING_BYTES
from extlint.package.suffixes import ARCHIVES, has_suffix
from extlint.services.serve.settings import Limits

_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_CRX_START = b"Cr24"
_JSON_STARTS = (b"{", b"\xef\xbb\xbf{")


class ExpansionError(UnreadableError):
    """An archive whose files are too large. `limit` names the limit."""

    def __init__(self, sentence: str, limit: str) -> None:
        super().__init__(sentence)
        self.limit = limit


class Upload(Struct, frozen=True):
    """An archive or a manifest, and its name."""

    name: str
    data: bytes
    is_archive: bool

    def packages(self, run: Run) -> Iterator[Package | UnreadableError]:
        """Returns the extensions in it, for a run."""
        if self.is_archive:
            return run.package_in_archive(self.data, self.name)
        return iter([Package(".", {MANIFEST: partial(bytes, self.data)}, complete=False)])


def read_upload(descriptor: int, name: str, limits: Limits) -> Upload:
    """Returns an upload with this name. Raises UnreadableError."""
    with open(descriptor, "rb", closefd=False) as stream:
        stream.seek(0)
        data = stream.read()
    is_crx = data.startswith(_CRX_START)
    is_archive_name = has_suffix(name, ARCHIVES)
    if is_crx or data.startswith(_ZIP_STARTS) or is_archive_name:
        check_expansion(data, limits)
        return Upload(name if is_archive_name else f"extension.{'crx' if is_crx else 'zip'}", data, True)
    if has_suffix(name, (".json",)) or data[:64].lstrip().startswith(_JSON_STARTS):
        return Upload(MANIFEST, data, False)
    raise UnreadableError("the body is neither an archive nor a manifest")


def check_expansion(data: bytes, limits: Limits) -> None:
    """Raises ExpansionError for an archive whose directory states too much. Nothing is unpacked."""
    total = 0
    try:
        for record in zip_records(BytesIO(data), MAX_LISTING_BYTES):
            if record is None:
                raise ExpansionError("the archive has too many entries", "entries")
            total += record.size
    except DamagedError:
        return  # the check says so
    if total > limits.unpacked:
        raise ExpansionError(f"the files in the archive have more than {limits.unpacked} bytes", "unpacked")
    if total > max(EXPANSION_FROM_BYTES, MAX_EXPANSION * len(data)):
        raise ExpansionError(
            f"the files in the archive are more than {MAX_EXPANSION} times as large as the archive",
            "expansion",
        )
