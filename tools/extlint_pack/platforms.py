"""The platforms that programs are built for, by the names that Node.js uses, and the names of files."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path
from typing import NamedTuple

_SYSTEMS = {"darwin": "darwin", "linux": "linux", "win32": "win32"}
"""The names of systems in Node.js, by Python's."""

_PROCESSORS = {"aarch64": "arm64", "amd64": "x64", "arm64": "arm64", "x86_64": "x64"}
"""The names of processors in Node.js, by Python's in small letters."""

_RELEASE = re.compile(r"(?P<base>\d+\.\d+\.\d+)(?:(?P<kind>a|b|rc|\.dev)(?P<number>\d+))?")
_KINDS = {"a": "alpha", "b": "beta", "rc": "rc", ".dev": "dev"}


class Platform(NamedTuple):
    """A system and a processor, by the names that Node.js and npm use."""

    system: str
    processor: str

    @property
    def name(self) -> str:
        """The name in those of files and packages: `linux-x64`."""
        return f"{self.system}-{self.processor}"

    @property
    def is_windows(self) -> bool:
        """Whether programs are `.exe` files, and archives are `.zip` files."""
        return self.system == "win32"

    @property
    def package(self) -> str:
        """The name of the npm package with the program."""
        return f"@extlint/{self.name}"

    def folder_name(self, version: str) -> str:
        """Returns the name of the only folder in the archive of a version."""
        return f"extlint-{version}-{self.name}"

    def archive_name(self, version: str) -> str:
        """Returns the name of the archive with the program of a version."""
        return f"{self.folder_name(version)}.{'zip' if self.is_windows else 'tar.gz'}"


PLATFORMS = (
    Platform("linux", "x64"),
    Platform("linux", "arm64"),
    Platform("darwin", "arm64"),
    Platform("darwin", "x64"),
    Platform("win32", "x64"),
)


def current_platform() -> Platform:
    """Returns the platform of this process. Raises LookupError if programs are not built for it."""
    found = Platform(
        _SYSTEMS.get(sys.platform, sys.platform),
        _PROCESSORS.get(platform.machine().lower(), platform.machine()),
    )
    if found not in PLATFORMS:
        raise LookupError(f"no program is built for {found.name}")
    return found


def npm_version(version: str) -> str:
    """Returns a version of Python as npm writes it: `0.2.0rc1` is `0.2.0-rc.1`.

    Raises ValueError for a version that a release does not have.
    """
    found = _RELEASE.fullmatch(version)
    if found is None:
        raise ValueError(f"not the version of a release: {version}")
    if found["kind"] is None:
        return found["base"]
    return f"{found['base']}-{_KINDS[found['kind']]}.{found['number']}"


def tarball_name(package: str, version: str) -> str:
    """Returns the name that `npm pack` gives to the tarball of a version of a package."""
    return f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"


class FoundArchive(NamedTuple):
    """The archive of a platform in a folder."""

    platform: Platform
    version: str
    path: Path


def find_archives(folder: Path, *, only_found: bool) -> list[FoundArchive]:
    """Returns the archives in a folder, in the order of the platforms.

    Raises ValueError if they do not have one version, or if a platform is missing and `only_found` is false.
    """
    found = [
        FoundArchive(each, version, path)
        for each in PLATFORMS
        for path in sorted(folder.iterdir())
        if (version := _version_in(path.name, each)) is not None
    ]
    versions = sorted({each.version for each in found})
    if len(versions) != 1:
        raise ValueError(f"the archives in {folder} have {' and '.join(versions) or 'no'} version")
    missing = [each.name for each in PLATFORMS if each not in {one.platform for one in found}]
    if missing and not only_found:
        raise ValueError(f"no archive in {folder} is for {', '.join(missing)}")
    return found


def _version_in(name: str, platform: Platform) -> str | None:
    version = name.removeprefix("extlint-").partition("-")[0]
    return version if name == platform.archive_name(version) else None
