"""Looks up names of the API for the targets of an extension."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from extlint.api_lookup.documentation import Subject
from extlint.api_lookup.entry import Entry, entry_of
from extlint.api_lookup.lookup import find_entries
from extlint.editor.audience import Audience
from extlint.editor.markdown import code_block, entries_markdown
from extlint.schema.model import UserSchemas
from extlint.script.facts.script_facts import ApiPath
from extlint.targets.request import BROWSERS
from extlint.targets.target import schema_set
from extlint_schemas import thunderbird_names

MAX_AUDIENCES = 4
"""The maximum number of sets of targets for which texts are remembered."""


def entries_of(audience: Audience, path: ApiPath) -> Sequence[Entry]:
    """Returns the entries of a name, one for each target that has it, or else those of other browsers."""
    name = ".".join(path)
    found = _entries(audience, name, [each.target.name for each in audience.extensions])
    return found or _entries(audience, name, BROWSERS)


def member_markdown(audience: Audience, path: ApiPath) -> str:
    """Returns what is known about a name of the API, or an empty text. Remembers it."""
    known = _known(
        (*audience.names, audience.is_for_thunderbird), audience.version, audience.settings.user_schemas
    )
    if path not in known:
        entries = entries_of(audience, path)
        known[path] = entries_markdown(audience, entries) if entries else ""
        if known[path] and audience.is_for_thunderbird and path[0] in thunderbird_names().own:
            known[path] = code_block(".".join(path)) + "\n\nThunderbird has its own version of this API."
    return known[path]


@lru_cache(MAX_AUDIENCES)
def _known(targets: Sequence[object], version: int, user_schemas: UserSchemas) -> dict[ApiPath, str]:  # noqa: ARG001
    """Returns the texts that are remembered for some targets."""
    return {}


def namespace_markdown(audience: Audience, name: str) -> str:
    """Returns what is known about a namespace, apart from its members."""
    entries = [
        entry_of(each.schemas, "namespace", name, Subject(name), (namespace.availability,))
        for each in audience.extensions
        if (namespace := each.schemas.namespace(name)) is not None
    ]
    return entries_markdown(audience, entries) if entries else ""


def _entries(audience: Audience, name: str, targets: Sequence[str]) -> Sequence[Entry]:
    found: list[Entry] = []
    by_name = {each.target.name: each.schemas for each in audience.extensions}
    for target in targets:
        schemas = by_name.get(target) or schema_set(target, audience.settings.user_schemas)
        entries = find_entries(schemas, name)
        current = [each for each in entries if audience.version in each.manifest_versions]
        found += current[:1] or entries[:1]
    return found
