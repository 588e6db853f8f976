"""The pinned npm packages that the facts are read from: fetched with npm's own client, and checked."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import tarfile
from pathlib import Path
from shutil import which

import msgspec
from msgspec import Struct

SOURCES = Path(__file__).with_name("sources.json")
INTEGRITY = "sha512-"


class FetchError(Exception):
    """A package could not be had, or is not the pinned one; the text is a sentence for people."""


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """A package at one version. `integrity` is its hash, in the form in which npm tells it."""

    package: str
    version: str
    integrity: str
    license: str

    def source(self) -> dict[str, str]:
        """What a file of facts says of where it is from."""
        return {
            "package": self.package,
            "version": self.version,
            "sha512": self.integrity.removeprefix(INTEGRITY),
        }


def pins(path: Path = SOURCES) -> dict[str, Pin]:
    """The pinned packages, by name."""
    listed = msgspec.json.decode(path.read_bytes(), type=list[Pin])
    return {pin.package: pin for pin in listed}


class Packages:
    """Access to the pinned packages; each is fetched once, when it is first read, into `folder`."""

    def __init__(self, folder: Path, pinned: dict[str, Pin]) -> None:
        self._folder = folder
        self._pinned = pinned
        self._fetched: dict[str, Path] = {}

    def pin(self, package: str) -> Pin:
        """Which version of a package is read. Raises KeyError if it is not pinned."""
        return self._pinned[package]

    def read(self, package: str, member: str) -> str:
        """The text of a file in a package (`dist/main.js`).

        Raises FetchError if the package cannot be had, is not the pinned one, or has no such file.
        """
        if package not in self._fetched:
            self._fetched[package] = fetch(self._pinned[package], self._folder)
        return read_member(self._fetched[package], member)


def fetch(pin: Pin, folder: Path) -> Path:
    """Packs a pinned package into `folder` and gives the archive. Raises FetchError."""
    npm = which("npm")
    if npm is None:
        raise FetchError("npm is not installed")
    target = folder / pin.package.replace("/", "+")
    target.mkdir()
    command = [npm, "pack", f"{pin.package}@{pin.version}", "--silent", "--pack-destination", str(target)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    archives = list(target.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        raise FetchError(f"npm could not fetch {pin.package} {pin.version}: {done.stderr.strip()}")
    found = integrity(archives[0].read_bytes())
    if found != pin.integrity:
        raise FetchError(f"{pin.package} {pin.version} is not what was pinned: its integrity is {found}")
    return archives[0]


def integrity(archive: bytes) -> str:
    """The hash of an archive in npm's form."""
    return INTEGRITY + base64.b64encode(hashlib.sha512(archive).digest()).decode("ascii")


def read_member(archive: Path, member: str) -> str:
    """The text of a file in a package's archive. Raises FetchError if there is none."""
    with tarfile.open(archive) as opened:
        for entry in opened:
            if entry.name.partition("/")[2] == member and (file := opened.extractfile(entry)) is not None:
                return file.read().decode("utf-8")
    raise FetchError(f"{archive.name} has no file {member}")
