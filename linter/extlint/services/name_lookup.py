"""Looks up a name in the APIs, manifests and permissions of targets; describes one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.checks.api.schema_path import nested_members
from extlint.checks.availability.browser_help import browsers_that_have
from extlint.linting.configuration.usage_error import UsageError
from extlint.schema.model import SchemaSet, UserSchemas
from extlint.schema.targets import BROWSERS as WITH_FACTS
from extlint.schema.targets import beyond_reference
from extlint.services.api_lookup.entry import Entry
from extlint.services.api_lookup.lookup import find_entries, namespace_entries, plain_name
from extlint.text.nearest import nearest, suggest_name
from extlint.text.wording import after_semicolon, available_in, listed, suggestion_question
from extlint_schemas import TARGETS

if TYPE_CHECKING:
    from extlint.services.api_lookup.manifest_keys import ManifestKey
    from extlint.services.permissions.prompts import KnownPermission

MAX_NAMES = 3
"""The maximum number of similar names that are suggested; with more, no suggestion is made."""


def unknown_name(schemas: SchemaSet, others: Iterable[SchemaSet], name: str, more: Iterable[str] = ()) -> str:
    """Returns a sentence about a name that is missing from a target and from `others`.

    `others` are searched for similar names, too. `more` are names of other things that may be meant.
    """
    plain = plain_name(name)
    message = f"no such API in the target {schemas.target}: {name}"
    browsers = browsers_that_have(plain, schemas)
    if browsers is not None:
        return f"{message}; " + available_in("today's " + browsers)
    if schemas.is_specification:
        message = f"no such API, manifest key or permission: {name}"
    sets = (schemas, *others)
    likely = _distinct(_suggest_from_prefix(each, plain) for each in sets)
    begin, dot, last = plain.rpartition(".")
    if not likely and (not dot or any(begin in (*each.names, *each.parents) for each in sets)):
        likely = _distinct(_suggest_anywhere(each, last) for each in sets)
    if not likely:
        likely = [near for near in [nearest(plain, more)] if near is not None]
    if 1 <= len(likely) <= MAX_NAMES:
        return message + after_semicolon(suggestion_question(listed(likely, "or")))
    if schemas.is_specification:
        return f"{message}; extlint schema lists the namespaces"
    return f"{message}; extlint schema --target {schemas.target} lists all"


def _distinct(found: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for names in found for name in names))


def _suggest_from_prefix(schemas: SchemaSet, plain: str) -> Iterator[str]:
    """Yields the nearest namespace, or the nearest names in the namespace that begins the name, or nearly."""
    known = {*schemas.names, *schemas.parents}
    near = nearest(plain, known)
    if near is not None:
        yield near
        return
    steps = plain.split(".", 8)
    for length in range(len(steps) - 1, 0, -1):
        begin = ".".join(steps[:length])
        name = begin if begin in known else nearest(begin, known)
        if name is not None:
            yield from _suggest_in_namespace(schemas, name, ".".join(steps[length:]))
            return


def _suggest_in_namespace(schemas: SchemaSet, name: str, rest: str) -> Iterator[str]:
    """Yields the most similar member of a namespace, shortening the name at its end until one is found."""
    names = tuple(_member_names(schemas, name))
    while rest:
        near = rest if rest in names else suggest_name(rest, names)
        if near is not None:
            yield f"{name}.{near}"
            return
        rest = rest.rpartition(".")[0]


def _suggest_anywhere(schemas: SchemaSet, name: str) -> Iterable[str]:
    """Returns the members with this name in any namespace, else those with the nearest name."""
    by_name: dict[str, list[str]] = {}
    for namespace in schemas.names:
        for member in _member_names(schemas, namespace):
            if "." not in member:
                by_name.setdefault(member, []).append(f"{namespace}.{member}")
    return by_name.get(name) or by_name.get(nearest(name, by_name) or "") or ()


def _member_names(schemas: SchemaSet, name: str) -> Iterator[str]:
    """Yields the members and types of a namespace and, after a dot, the members of its types and objects."""
    namespace = schemas.namespace(name)
    if namespace is None:
        return
    yield from dict.fromkeys((*namespace.members, *namespace.type_names))
    for each in namespace.type_names:
        yield from (f"{each}.{member}" for member in namespace.members_of_type(each))
    for members in namespace.members.values():
        for owner in members:
            yield from (f"{owner.name}.{member}" for member in nested_members(schemas, owner) or ())


REFERENCE, *BROWSERS = TARGETS
DEFAULT_EDITOR_TARGETS = ("chrome", "firefox")
"""The targets of a JSON Schema for editors if none is named."""


class LookupResult(Struct, frozen=True):
    """The meanings of a name: members and types of the API, a key of the manifest, a permission."""

    entries: tuple[Entry, ...]
    key: ManifestKey | None
    permission: KnownPermission | None


def all_namespaces(schema_sets: Sequence[SchemaSet]) -> LookupResult:
    """Returns the namespaces of all targets."""
    return LookupResult(tuple(entry for each in schema_sets for entry in namespace_entries(each)), None, None)


def find_name(
    schema_sets: Sequence[SchemaSet], targets: Sequence[str], added: UserSchemas, name: str
) -> LookupResult:
    """Returns the meanings of a name. Raises UsageError, with similar names, if it has none."""
    from extlint.services.api_lookup.manifest_keys import find_key, known_keys
    from extlint.services.permissions.prompts import find_permission

    browsers = [each for each in targets or BROWSERS if each != REFERENCE]
    key, permission = find_key(name, browsers), find_permission(name, browsers)
    other_sets = (
        [beyond_reference(each, added) for each in WITH_FACTS] if schema_sets[0].is_specification else []
    )
    entries = tuple(entry for each in schema_sets for entry in find_entries(each, name))
    entries = entries or tuple(entry for each in other_sets for entry in find_entries(each, name))
    if not entries and key is None and permission is None:
        from extlint.services.permissions.prompts import known_permissions

        keys = (*known_keys(browsers), *known_permissions(browsers))
        raise UsageError(unknown_name(schema_sets[0], (*schema_sets[1:], *other_sets), name, keys))
    return LookupResult(entries, key, permission)


def result_as_json(schema_sets: Sequence[SchemaSet], found: LookupResult) -> str:
    """Returns the JSON of `extlint schema`."""
    import json

    from msgspec import to_builtins

    answer = {
        "version": 1,
        "target": schema_sets[0].target,
        "targets": [each.target for each in schema_sets],
        "entries": to_builtins(found.entries),
        "manifest_key": to_builtins(found.key),
        "permission": to_builtins(found.permission),
    }
    return json.dumps(answer, indent=2) + "\n"
