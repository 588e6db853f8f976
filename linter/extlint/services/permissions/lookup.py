"""Looks up one permission: the targets that accept it, the members it grants, and the user prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from extlint.checks.manifest_values.browser_view import VERSIONS
from extlint.checks.manifest_values.known_keys import permissions_of, targets_with_permission
from extlint.schema.targets import FACTS_OF, browser_name, engine_of
from extlint.services.api_lookup.page import fact, facts_by_value
from extlint.services.permissions.prompts import Kind, Request, prompt_for
from extlint.text.positions import START
from extlint.text.wording import listed
from extlint_schemas import paths_by_permission

LISTS = ("permissions", "optional_permissions")


class KnownPermission(Struct, frozen=True):
    """A permission: the manifest lists that accept it, by target, and the members that require it, sorted.

    `prompts` has the user prompt of each target. Targets without a prompt are missing.
    """

    name: str
    lists: Mapping[str, tuple[str, ...]]
    members: tuple[str, ...]
    prompts: Mapping[str, str]


def known_permissions(targets: Sequence[str]) -> tuple[str, ...]:
    """Returns the permissions that any of these targets accepts, sorted."""
    schemas = (f"manifests/{target}_{version}" for target in targets for version in VERSIONS)
    return tuple(sorted({name for each in schemas for key in LISTS for name in permissions_of(each, key)}))


def find_permission(name: str, targets: Sequence[str]) -> KnownPermission | None:
    """Returns a permission by its name, or None if it is unknown to all of these targets."""
    lists: dict[str, tuple[str, ...]] = {}
    prompts: dict[str, str] = {}
    for target in targets:
        taking = tuple(key for key in LISTS if target in targets_with_permission(name, key))
        if not taking:
            continue
        lists[target] = taking
        engine = engine_of(target)
        if engine is not None and engine in FACTS_OF:
            prompt = prompt_for(engine, Request(name, Kind.REQUIRED, START))
            prompts |= {} if prompt is None else {target: prompt}
    if not lists:
        return None
    members = tuple(sorted(".".join(path) for path in paths_by_permission().get(name, ())))
    return KnownPermission(name, lists, members, prompts)


def permission_page(permission: KnownPermission) -> str:
    """Returns all facts about one permission."""
    return "\n".join([f"the permission {permission.name}", "", *_facts(permission)]) + "\n"


def _facts(permission: KnownPermission) -> Iterator[str]:
    return (fact(*each) for each in permission_facts(permission))


def permission_facts(permission: KnownPermission) -> Iterator[tuple[str, str]]:
    """Yields everything known about a permission, each fact with a label."""
    yield "Targets", ", ".join(map(browser_name, permission.lists))
    yield from facts_by_value(
        "Lists", {target: listed(keys, "and") for target, keys in permission.lists.items()}
    )
    if permission.members:
        yield "Gives", ", ".join(permission.members)
    phrases = {target: f"to {phrase}" for target, phrase in permission.prompts.items()}
    silent = (
        target for target in permission.lists if engine_of(target) in FACTS_OF and target not in phrases
    )
    phrases |= dict.fromkeys(silent, "nothing")
    yield from facts_by_value("Asks users", phrases)
