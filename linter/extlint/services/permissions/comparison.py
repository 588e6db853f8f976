"""Compares the permissions of an extension with those of an older version, also of a Git commit."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package, UnreadableError
from extlint.schema.engine import Engine
from extlint.services.permissions.prompts import Request, prompts_at_update, requests_of
from extlint.services.permissions.table import PermissionTable


class Comparison(Struct, frozen=True):
    """The added and removed requests, and the prompts that users see before the update.

    `against` names the older version. `prompts` has only the browsers that show a prompt.
    """

    against: str
    added: tuple[Request, ...]
    removed: tuple[Request, ...]
    prompts: Mapping[str, tuple[str, ...]]


def compare_with(table: PermissionTable, before: Manifest, against: str) -> Comparison:
    """Returns the change from an older manifest to an extension."""
    old, new = tuple(requests_of(before)), table.requests
    prompts_by_target = {
        name: prompts_at_update(engine, table.version, old, new) for name, engine in table.engines.items()
    }
    return Comparison(
        against,
        _without(new, old),
        _without(old, new),
        {name: prompts for name, prompts in prompts_by_target.items() if prompts},
    )


def _without(requests: tuple[Request, ...], excluded: tuple[Request, ...]) -> tuple[Request, ...]:
    known = {(each.name, each.kind) for each in excluded}
    return tuple(each for each in requests if (each.name, each.kind) not in known)


def consequence(browser: str, engine: Engine) -> str:
    """Returns the effect of an update that prompts the user, as both browsers document it."""
    if engine is Engine.GECKO:
        return f"{browser} keeps the old version until the user lets the new one"
    return f"{browser} turns the extension off until the user lets it"


TIMEOUT = 30
"""Seconds that Git may take to show one file."""

MAX_MANIFEST_BYTES = 10_000_000
"""Bytes of a manifest that Git may show."""


def older_manifest(package: Package, against: str) -> Manifest:
    """Returns the manifest that a path or a Git revision names, of the same extension as `package`.

    A path with several extensions means the one of the same name. Raises UnreadableError, with a sentence
    that gives the reason, if that does not exist.
    """
    if Path(against).exists():
        return _at_path(package, against)
    return _in_git(package, against)


def _at_path(package: Package, against: str) -> Manifest:
    found: list[Package] = []
    for each in find_packages([against]):
        if isinstance(each, UnreadableError):
            raise each
        found.append(each)
    return manifest_among(found, package, against)


def manifest_among(found: Sequence[Package], package: Package, against: str) -> Manifest:
    """Returns the manifest of the same extension as `package` among the extensions in `against`.

    Raises UnreadableError if it is not clear which one that is.
    """
    last = Path(package.name).name
    chosen = found if len(found) == 1 else [each for each in found if Path(each.name).name == last]
    if len(chosen) != 1:
        raise UnreadableError(
            f"{against} has {len(found)} extensions; name the one to compare {package.name} with"
        )
    (old,) = chosen
    path = package.manifest_path if package.manifest_path in old.variants else old.manifest_path
    return _read(path, old.read(path), against)


def _in_git(package: Package, revision: str) -> Manifest:
    folder = Path(package.name)
    if package.packed or not folder.is_dir() or revision.startswith("-"):
        raise UnreadableError(f"no such file or folder: {revision}")
    # `cat-file` runs no filter, pager or hook of the repository.
    command = ["git", "--no-optional-locks", "cat-file", "blob", f"{revision}:./{package.manifest_path}"]
    try:
        shown = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False
        )
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise UnreadableError(
            f"{revision} does not exist, and Git cannot be asked for a revision of that name"
        ) from None
    if shown.returncode != 0:
        raise UnreadableError(
            f"{revision} is not a file or folder, and not a revision that has the "
            f"{package.manifest_path} of {package.name} in Git"
        )
    if len(shown.stdout) > MAX_MANIFEST_BYTES:
        raise UnreadableError(f"{package.manifest_path} of {revision} is too large")
    return _read(package.manifest_path, shown.stdout, revision)


def _read(path: str, data: bytes, against: str) -> Manifest:
    manifest = read_manifest(path, data)
    if not manifest.is_object:
        raise UnreadableError(f"{path} of {against} is not a manifest that can be read")
    return manifest.for_every_browser
