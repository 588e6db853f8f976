"""The packages to read, as listed in `pinned.json`."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

PINNED = Path(__file__).with_name("pinned.json")
INTEGRITY = "sha512-"


class PackageError(Exception):
    """A package is not available, or is not the pinned one. The message is a sentence for users."""


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """A package at one version, pinned on a day. `integrity` is the hash of its archive, as npm writes it."""

    package: str
    version: str
    integrity: str
    license: str
    pinned: str = ""

    def source(self) -> dict[str, str]:
        """Returns the entry of the package in the list of sources."""
        return {
            "package": self.package,
            "version": self.version,
            "sha512": self.integrity.removeprefix(INTEGRITY),
        }

    def check(self, archive: Path) -> Path:
        """Returns the archive if it is the pinned one. Raises PackageError otherwise."""
        found = integrity(archive.read_bytes())
        if found != self.integrity:
            raise PackageError(
                f"the integrity of {self} is not the one in packages/pinned.json: it is {found}. "
                f"If you have changed the version, pin what `npm view {self.package}@{self.version} "
                f"dist.integrity` prints"
            )
        return archive

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def pins(path: Path = PINNED) -> dict[str, Pin]:
    """Returns the pinned packages, by name."""
    listed = msgspec.json.decode(path.read_bytes(), type=list[Pin])
    return {pin.package: pin for pin in listed}


def integrity(archive: bytes) -> str:
    """Returns the hash of an archive, as npm writes it."""
    return INTEGRITY + base64.b64encode(hashlib.sha512(archive).digest()).decode("ascii")
