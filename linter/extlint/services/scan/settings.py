"""The settings of a scan."""

from __future__ import annotations

from msgspec import Struct

from extlint.package.limits import MEBIBYTE
from extlint.processes.contained import ProcessLimits

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
