"""Finds the uses of permissions in scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.checks.calls.tab_fields import TABS, reads_hidden_field
from extlint.extension import Extension, Script
from extlint.script.facts.script_facts import ApiPath
from extlint.text.positions import ByteSpan, Span
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


def uses_of_permissions(extension: Extension) -> Mapping[str, tuple[Use, ...]]:
    """Returns the uses of the members that each permission grants in any browser, sorted by location.

    A permission without an API of its own has no uses here, except for the fields of tabs.
    """
    found: dict[str, set[Use]] = {}
    requiring = _by_namespace()
    for script in extension.scripts:
        for reference in script.facts.references:
            for permission, path in requiring.get(reference.path[:1], ()):
                if reference.path[: len(path)] == path:
                    found.setdefault(permission, set()).add(_use(script, reference.span, reference.path))
        for read in script.facts.field_reads:
            if reads_hidden_field(extension, read):
                found.setdefault(TABS, set()).add(_use(script, read.span, (*_TAB, read.name)))
    return {permission: tuple(_longest_references(sorted(uses))) for permission, uses in found.items()}


def _by_namespace() -> Mapping[ApiPath, list[tuple[str, ApiPath]]]:
    found: dict[ApiPath, list[tuple[str, ApiPath]]] = {}
    for permission, paths in paths_by_permission().items():
        for path in paths:
            found.setdefault(path[:1], []).append((permission, path))
    return found


def _use(script: Script, at: ByteSpan, path: ApiPath) -> Use:
    span = script.span(at)
    return Use(script.path, span.start.line, span.start.column, ".".join(path), span)


def _longest_references(uses: list[Use]) -> Iterator[Use]:
    """Yields the longest reference of each member expression: `cookies.get`, and not `cookies`."""
    longest: dict[tuple[str, int, int], Use] = {}
    for use in uses:
        place = (use.path, use.line, use.column)
        if place not in longest or len(longest[place].api) < len(use.api):
            longest[place] = use
    yield from longest.values()
