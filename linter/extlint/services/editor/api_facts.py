"""Looks up names of the API for the targets of an extension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeVar

from extlint.analysis.facts.script_facts import ApiPath
from extlint.schema.model import UserSchemas
from extlint.schema.targets.request import BROWSERS
from extlint.schema.targets.target import schema_set
from extlint.services.api_lookup.documentation import Subject
from extlint.services.api_lookup.entry import Entry, entry_of
from extlint.services.api_lookup.lookup import find_entries
from extlint.services.editor.audience import Audience
from extlint.services.editor.markdown import code_block, entries_markdown
from extlint_schemas import thunderbird_names

_NameT = TypeVar("_NameT", str, ApiPath)

MAX_AUDIENCES = 4
"""The maximum number of sets of targets for which texts are remembered."""


def entries_of(audience: Audience, path: ApiPath) -> Sequence[Entry]:
    """Returns the entries of a name, one for each target that has it, or else those of other browsers."""
    name = ".".join(path)
    found = _entries(audience, name, [each.target.name for each in audience.extensions])
    return found or _entries(audience, name, BROWSERS)


def member_markdown(audience: Audience, path: ApiPath) -> str:
    """Returns what is known about a name of the API, or an empty text. It is kept for the next request."""
    return _kept(audience, path, _member_markdown)


def namespace_markdown(audience: Audience, name: str) -> str:
    """Returns what is known about a namespace, apart from its members. It is kept for the next request."""
    return _kept(audience, name, _namespace_markdown)


def _kept(audience: Audience, name: _NameT, find: Callable[[Audience, _NameT], str]) -> str:
    targets = *audience.names, audience.is_for_thunderbird
    texts = _texts(targets, audience.version, audience.user_schemas)
    if name not in texts:
        texts[name] = find(audience, name)
    return texts[name]


@lru_cache(MAX_AUDIENCES)
def _texts(targets: tuple[object, ...], version: int, user_schemas: UserSchemas) -> dict[object, str]:  # noqa: ARG001
    """Returns the texts that are kept for some targets."""
    return {}


def _member_markdown(audience: Audience, path: ApiPath) -> str:
    entries = entries_of(audience, path)
    if not entries:
        return ""
    if audience.is_for_thunderbird and path[0] in thunderbird_names().own:
        return code_block(".".join(path)) + "\n\nThunderbird has its own version of this API."
    return entries_markdown(audience, entries)


def _namespace_markdown(audience: Audience, name: str) -> str:
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
        schemas = by_name.get(target) or schema_set(target, audience.user_schemas)
        entries = find_entries(schemas, name)
        current = [each for each in entries if audience.version in each.manifest_versions]
        found += current[:1] or entries[:1]
    return found
