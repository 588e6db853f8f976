"""Renders the facts about one permission as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.schema.targets.request import FACTS_OF, browser_name, engine_of
from extlint.services.api_lookup.manifest_page import facts_by_value
from extlint.services.api_lookup.page import fact
from extlint.services.permissions.lookup import KnownPermission
from extlint.text.wording import listed


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
