"""Finds the uses of permissions in scripts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.calls.required_permissions import TABS, reads_hidden_field
from extlint.extension import Extension, Script
from extlint.text.positions import ByteSpan, Span, TextIndex
from extlint_schemas import paths_by_permission

_TAB = ("tabs", "Tab")
"""The type of tabs."""


class Use(Struct, frozen=True, order=True):
    """A reference to a member that requires a permission, with its file and the member's name.

    A field of a tab also counts: `tabs.Tab.title`.
    """

    path: str
    line: int
    column: int
    api: str
    span: Span


class UsePlace(Struct, frozen=True, order=True):
    """The same with its byte range in the file, whose lines are yet to be counted."""

    path: str
    span: ByteSpan
    api: str


def uses_of_permissions(extension: Extension) -> Mapping[str, tuple[Use, ...]]:
    """Returns the uses of the members that each permission grants in any browser, sorted by location.

    A permission without an API of its own has no uses here, except for the fields of tabs.
    """
    indexes = {script.path: script.index for script in extension.scripts}
    return {
        permission: tuple(use_at(place, indexes[place.path]) for place in places)
        for permission, places in places_of_uses(extension).items()
    }


def places_of_uses(extension: Extension) -> Mapping[str, tuple[UsePlace, ...]]:
    """Returns the same uses without their lines and columns, which takes a fraction of the time."""
    found: dict[str, set[UsePlace]] = {}
    requiring = _by_namespace()
    for script in extension.scripts:
        for reference in script.facts.references:
            for permission, path in requiring.get(reference.path[:1], ()):
                if reference.path[: len(path)] == path:
                    found.setdefault(permission, set()).add(_place(script, reference.span, reference.path))
        for read in script.facts.field_reads:
            if reads_hidden_field(extension, read):
                found.setdefault(TABS, set()).add(_place(script, read.span, (*_TAB, read.name)))
    return {permission: tuple(longest_references(places)) for permission, places in found.items()}


def _by_namespace() -> Mapping[ApiPath, list[tuple[str, ApiPath]]]:
    found: dict[ApiPath, list[tuple[str, ApiPath]]] = {}
    for permission, paths in paths_by_permission().items():
        for path in paths:
            found.setdefault(path[:1], []).append((permission, path))
    return found


def use_at(place: UsePlace, index: TextIndex) -> Use:
    """Returns a use with its lines and columns in a file."""
    span = index.span(*place.span)
    return Use(place.path, span.start.line, span.start.column, place.api, span)


def _place(script: Script, at: ByteSpan, path: ApiPath) -> UsePlace:
    return UsePlace(script.path, (at[0] + script.base, at[1] + script.base), ".".join(path))


def longest_references(places: Iterable[UsePlace]) -> Iterator[UsePlace]:
    """Yields the longest reference of each member expression, sorted: `cookies.get`, and not `cookies`."""
    longest: dict[tuple[str, int], UsePlace] = {}
    for place in sorted(places):
        key = place.path, place.span[0]
        if key not in longest or len(longest[key].api) < len(place.api):
            longest[key] = place
    yield from longest.values()
