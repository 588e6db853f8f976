"""The rows of the tables: one for each package, and one for each finding."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct, field


class Status(Enum):
    """The outcome of a package."""

    CHECKED = "checked"
    UNREADABLE = "unreadable"
    """It is damaged, or is not an extension."""
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    """Its rows are too large."""
    FAILED = "failed"
    """extlint failed."""
    DIED = "died"
    """The process that checked it ended abruptly, each time."""
    UNAVAILABLE = "unavailable"
    """Its source could not be read; the next start tries again."""


class PackageRow(Struct, omit_defaults=True):
    """A row of the table `packages`; `docs/scan.md` describes the columns."""

    id: str
    address: str
    status: str = Status.CHECKED.value
    reason: str | None = None
    sha256: str | None = None
    size: int | None = None
    files: int | None = None
    name: str | None = None
    version: str | None = None
    manifest_version: int | None = None
    targets: list[str] = field(default_factory=list)
    targets_from: str | None = None
    permissions: list[str] = field(default_factory=list)
    optional_permissions: list[str] = field(default_factory=list)
    used_permissions: list[str] = field(default_factory=list)
    unused_permissions: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    optional_hosts: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    scripts: int | None = None
    script_bytes: int | None = None
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    incomplete: int = 0
    unchecked: list[str] = field(default_factory=list)
    seconds: float | None = None
    memory: int | None = None


class FindingRow(Struct, omit_defaults=True):
    """A row of the table `findings`."""

    id: str
    rule: str
    severity: str
    message: str
    help: str | None
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    api: str | None
    targets: list[str]
    fix: str | None


class Rows(Struct):
    """Rows of both tables."""

    packages: list[PackageRow] = field(default_factory=list)
    findings: list[FindingRow] = field(default_factory=list)
