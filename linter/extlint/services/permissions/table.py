"""The table of an extension's permissions, with their uses and browser prompts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from extlint.analysis.cache.store import Store
from extlint.checker import check_package
from extlint.extension import Extension
from extlint.package.files import Package, UnreadableError, path_below
from extlint.package.tolerant import TolerantPackage
from extlint.project.target_detection.choice import Choice
from extlint.schema.engine import Engine
from extlint.schema.targets.request import BROWSERS, FACTS_OF
from extlint.schema.targets.target import schema_set
from extlint.services.permissions.prompts import prompt_for, prompts_at_installation
from extlint.services.permissions.requests import Kind, Request, requests_of
from extlint.services.permissions.uses import Use, uses_of_permissions

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
