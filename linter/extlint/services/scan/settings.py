"""The settings of a scan, and its shards, which are named by what decides their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec import Struct
from msgspec.json import encode

from extlint import __version__
from extlint.package.limits import MEBIBYTE
from extlint.processes.contained import ProcessLimits
from extlint.services.scan.sources import Source
from extlint_schemas import versions_of_facts

MAX_OUTPUT_BYTES = 256 * MEBIBYTE
"""Bytes of the rows of one package."""

WALL_SECONDS_PER_CPU_SECOND = 5
"""A package may take this many times its processor time, as other programs may use the processor."""


class CheckSettings(Struct, frozen=True):
    """The settings of each check, as on the command line; they decide the rows, and so name a shard.

    `config_name` and `config` are the name and text of a configuration file, which applies to all packages.
    `timeout` is the processor
    time of one package in seconds, `memory` its memory in bytes, and `max_size` the bytes of an archive.
    """

    target: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    config_name: str = "extlint.toml"
    config: str = ""
    timeout: int = 60
    memory: int = 1024 * MEBIBYTE
    max_size: int = 512 * MEBIBYTE

    @property
    def limits(self) -> ProcessLimits:
        """The limits of the process that checks one package."""
        wall = self.timeout * WALL_SECONDS_PER_CPU_SECOND
        return ProcessLimits(self.timeout, wall, self.memory, MAX_OUTPUT_BYTES)


DEFAULT_SIZE = 100
"""Packages of a shard, on average."""

MAX_RATIO = 4
"""A shard has at most this many times the packages of an average one."""

_NAME_CHARACTERS = 24


class Shard(Struct, frozen=True):
    """Some packages, and the settings of their checks."""

    name: str
    sources: tuple[Source, ...]
    settings: CheckSettings


def divided(sources: Sequence[Source], settings: CheckSettings, size: int = DEFAULT_SIZE) -> Iterator[Shard]:
    """Yields the shards of sorted sources.

    The address of a package decides whether a shard ends with it, so a new package changes only its own.
    """
    part: list[Source] = []
    for each in sources:
        part.append(each)
        if _hash(each.address) % size == 0 or len(part) >= MAX_RATIO * size:
            yield _shard(part, settings)
            part = []
    if part:
        yield _shard(part, settings)


def _shard(sources: Sequence[Source], settings: CheckSettings) -> Shard:
    digest = sha256(encode((__version__, versions_of_facts(), settings, sources)))
    return Shard(digest.hexdigest()[:_NAME_CHARACTERS], tuple(sources), settings)


def _hash(address: str) -> int:
    return int.from_bytes(sha256(address.encode()).digest()[:8], "big")
