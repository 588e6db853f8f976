"""The table of an extension's permissions, with their uses in scripts and browser prompts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from extlint.analysis.cache.store import Store
from extlint.analysis.facts.script_facts import ApiPath
from extlint.checker import check_package
from extlint.checks.calls.required_permissions import TABS, reads_hidden_field
from extlint.extension import Extension, Script
from extlint.package.files import Package, UnreadableError, path_below
from extlint.package.tolerant import TolerantPackage
from extlint.project.target_detection.choice import Choice
from extlint.schema.engine import Engine
from extlint.schema.targets import BROWSERS, FACTS_OF, schema_set
from extlint.services.permissions.prompts import (
    Kind,
    Request,
    prompt_for,
    prompts_at_installation,
    requests_of,
)
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


_RULE = "unused-permission"


class Row(Struct, frozen=True):
    """A permission or host pattern that is requested.

    `uses` are the locations of the members that it grants. `is_unused` is true if certainly nothing uses it;
    a permission that grants nothing a script can name has no uses either. `prompts` has, by browser, the
    prompt that this request causes by itself.
    """

    request: Request
    uses: tuple[Use, ...]
    is_unused: bool
    prompts: Mapping[str, str]


class PermissionTable(Struct, frozen=True):
    """The requests of an extension, and the browsers' prompts at installation: `prompts`, by browser.

    `version` is the manifest version, and `engines` has the browsers whose prompts are known. `unreadable`
    has a sentence for each file that could not be read, or that was left out.
    """

    name: str
    manifest_path: str
    version: int
    choice: Choice
    rows: tuple[Row, ...]
    engines: Mapping[str, Engine]
    prompts: Mapping[str, tuple[str, ...]]
    unreadable: tuple[str, ...]

    @property
    def requests(self) -> tuple[Request, ...]:
        """The requests of all rows."""
        return tuple(row.request for row in self.rows)


def table_of(package: Package, choice: Choice | None, store: Store | None = None) -> PermissionTable:
    """Returns the table of an extension for a choice's browsers, or, without a choice, those it supports.

    `store` may have results of an earlier check. Raises UnreadableError for a manifest that cannot be read as
    an object.
    """
    extensions: list[Extension] = []
    report = check_package(package, choice, (_RULE,), store=store, observe=extensions.append)
    if not extensions or not extensions[0].manifest.is_object:
        raise UnreadableError(
            f"{path_below(package.name, package.manifest_path)} is not a manifest that can be read"
        )
    extension = extensions[0]
    unused = {finding.span for finding in report.findings if finding.rule == _RULE}
    uses: dict[str, tuple[Use, ...]] = {}
    for each in extensions:
        for name, places in uses_of_permissions(each).items():
            uses[name] = tuple(sorted({*uses.get(name, ()), *places}))
    omitted = report.package.omitted if isinstance(report.package, TolerantPackage) else ()
    requests = tuple(requests_of(extension.manifest))
    engines = dict(_engines(report.choice))
    return PermissionTable(
        package.name,
        package.manifest_path,
        extension.manifest_version,
        report.choice,
        tuple(
            Row(
                request,
                uses.get(request.name, ()),
                request.span in unused and request.kind is Kind.REQUIRED,
                {name: prompt for name, engine in engines.items() if (prompt := prompt_for(engine, request))},
            )
            for request in requests
        ),
        engines,
        {name: prompts_at_installation(engine, requests) for name, engine in engines.items()},
        (
            *report.unreadable,
            *omitted,
            *(each.sentence(package.name) for each in report.package.failures),
        ),
    )


def _engines(choice: Choice) -> Iterator[tuple[str, Engine]]:
    """Yields the browsers whose prompts are known, each with its engine.

    A specification as target stands for all browsers.
    """
    for target in choice.targets:
        for name in BROWSERS if target.is_specification else (target.name,):
            engine = schema_set(name).engine
            if engine is not None and engine in FACTS_OF:
                yield name, engine
