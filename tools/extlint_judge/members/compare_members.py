"""Compares a browser's members with those that extlint considers available."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.manifest_requests import is_requested
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.schema_path import MANIFEST_NAMESPACE, find_schema_path
from extlint.extension import Extension
from extlint.manifest.manifest import MANIFEST, read_manifest
from extlint.package.files import Package
from extlint.schema.model import Constant, Event, Function, Member, SchemaSet
from extlint.schema.types import RefType
from extlint_judge.differences import Comparison, Difference
from extlint_judge.extensions import Case, describe
from extlint_judge.facts import PLATFORM, Limits
from extlint_judge.members.record import ContextMembers, Record

ABSENT = "absent"
UNKNOWN = "nothing"
"""The facts' value for a member that they do not know and extlint does not report."""

THERE = "there"
LAST_ERROR = "lastError"


def compare(
    record: Record, schemas: SchemaSet, limits: Mapping[str, Limits], within: str | None = None
) -> Comparison:
    """Compares every member of the browser or the facts, in each observed context.

    `within` is the first name of the paths to compare, or None for all.
    """
    known = {each for each in known_paths(schemas) if within is None or each[0] == within}
    result = Comparison(0, [])
    for place in record.places:
        shown = {
            path: _browser_kind(path, kind)
            for path, kind in place.members.items()
            if within is None or path.partition(".")[0] == within
        }
        excluded = _excluded_paths(record, place, limits)
        expected = _context_facts(
            place, schemas, known | {tuple(each.split(".")) for each in shown}, excluded
        )
        for path in sorted(expected):
            if _is_below_difference(path, expected, shown):
                continue
            result.number += 1
            browser, facts = shown.get(path, ABSENT), expected[path]
            if not _agree(browser, facts):
                where = f"{place.context}, {describe(Case(place.manifest, frozenset()))}"
                result.different.append(Difference(path, where, browser, facts))
    return result


def known_paths(schemas: SchemaSet) -> Iterator[ApiPath]:
    """Yields the paths of all members in the schemas, including those of objects in namespaces."""
    for name in schemas.names:
        namespace = schemas.namespace(name)
        if name == MANIFEST_NAMESPACE or namespace is None:
            continue
        path = tuple(name.split("."))
        yield from (path[:length] for length in range(1, len(path) + 1))
        for member_name, members in namespace.members.items():
            yield (*path, member_name)
            for inner in {each for member in members for each in _names_inside(schemas, member)}:
                yield (*path, member_name, inner)


def _names_inside(schemas: SchemaSet, member: Member) -> Iterator[str]:
    if isinstance(member, Constant):
        yield from (each.name for each in member.inner)
    if isinstance(member, Constant) and isinstance(member.type, RefType):
        owner = schemas.namespace(member.type.namespace)
        if owner is not None:
            yield from owner.members_of_type(member.type.name)


def extension_of(place: ContextMembers, schemas: SchemaSet) -> Extension:
    """Returns an extension without files that has the manifest of a context."""
    data = json.dumps(place.manifest).encode()
    return Extension(Package("judge", {}), read_manifest(MANIFEST, data), (), schemas)


def _excluded_paths(record: Record, place: ContextMembers, limits: Mapping[str, Limits]) -> frozenset[str]:
    version = int(record.version.partition(".")[0])
    in_worker = place.context == ContextKind.SERVICE_WORKER.value
    return frozenset(path for path, limit in limits.items() if limit.excludes(version, PLATFORM, in_worker))


def _context_facts(
    place: ContextMembers, schemas: SchemaSet, paths: set[ApiPath], excluded: frozenset[str]
) -> dict[str, str]:
    extension = extension_of(place, schemas)
    context = Context(ContextKind(place.context))
    facts: dict[str, str] = {}
    for path in sorted(paths, key=len, reverse=True):
        names = [".".join(path[: length + 1]) for length in range(len(path))]
        is_excluded = not excluded.isdisjoint(names)
        facts[names[-1]] = ABSENT if is_excluded else _fact_of(extension, path, context, facts)
    return facts


def _fact_of(extension: Extension, path: ApiPath, context: Context, inside: Mapping[str, str]) -> str:
    """Returns the facts' value for a path. `inside` has the values for longer paths.

    A namespace without available members is absent.
    """
    schemas, manifest = extension.schemas, extension.manifest
    found = find_schema_path(schemas, path, manifest.version)
    if unavailabilities_of(extension, path, (context,), on_load=True):
        return ABSENT
    if found is None or (found.rest and (found.member is None or found.known_names is not None)):
        return UNKNOWN
    if any(manifest.version not in stop.availability.versions for stop in found.elements):
        return ABSENT
    if found.member is None:
        groups = (names for stop in found.elements for names in stop.availability.permissions)
        if not all(any(is_requested(manifest, name) for name in names) for names in groups):
            return ABSENT
        prefix = ".".join((*path, ""))
        is_in_use = any(inside[each] not in (ABSENT, UNKNOWN) for each in inside if each.startswith(prefix))
        return THERE if is_in_use else ABSENT
    match found.member:
        case Function():
            return "function"
        case Event():
            return "event"
    return THERE


def _browser_kind(path: str, kind: str) -> str:
    if kind == "undefined":
        return THERE if path.endswith(LAST_ERROR) else ABSENT
    return kind if kind in ("function", "event") else THERE


def _agree(browser: str, facts: str) -> bool:
    """Whether the two values agree. Classes are functions in a browser, and types in the facts."""
    is_class = browser == "function" and facts == THERE
    return browser == facts or is_class or (browser == ABSENT and facts == UNKNOWN)


def _is_below_difference(path: str, observed: dict[str, str], shown: dict[str, str]) -> bool:
    """Whether the path is inside something that is absent or already differs."""
    parent = path.rpartition(".")[0]
    while parent:
        browser, facts = shown.get(parent, ABSENT), observed.get(parent, ABSENT)
        if ABSENT in (browser, facts) or facts == UNKNOWN or not _agree(browser, facts):
            return True
        parent = parent.rpartition(".")[0]
    return False
