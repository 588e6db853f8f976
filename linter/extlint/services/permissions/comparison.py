"""Compares the permissions of an extension with those of an older version."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from extlint.manifest.manifest import Manifest
from extlint.schema.engine import Engine
from extlint.services.permissions.prompts import prompts_at_update
from extlint.services.permissions.requests import Request, requests_of
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
