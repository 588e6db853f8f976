"""Scripts that are named, but are not in the package, so that they may define anything in their context."""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS, WORKERS, ContextKind
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.api.unavailability import Reason, Unavailability
from extlint.checks.reachability.closed_world import UnresolvedLoad, unresolved_loads
from extlint.checks.reachability.unused_scripts import is_package_name
from extlint.extension import Extension, Script
from extlint.manifest.file_keys import FileUse, file_references
from extlint.package.references import paths_of
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.project.contexts.build_entries import build_entries_of
from extlint.queries.query import query
from extlint.text.patterns import lazy

_PACKAGE_LOADS = frozenset({LoadKind.IMPORT, LoadKind.REQUIRE})
_OF_EXTENSIONS = lazy(r"(?i)(?!webextension-polyfill).*(?:chrome|\bcrx\b|extension|webext)")
_FOR_EFFECT = lazy(rb"(?<![\w$.])import\s*\Z|(?:\A|[;{}\n])\s*require\s*\(\s*\Z")
_MAX_BYTES_BEFORE = 60
_SHIM = lazy(r"(?i)compat|ponyfill|shim|(?<!browser-)(?<!webextension-)polyfill")


@query(is_kept=True)
def kinds_with_missing_scripts(extension: Extension) -> frozenset[ContextKind]:
    """Returns the kinds of context in which a script runs whose code is unknown."""
    return frozenset(kind for kind, _ in missing_scripts(extension))


def may_be_added_by_missing_script(
    extension: Extension, script: Script, unavailability: Unavailability
) -> bool:
    """Whether a missing script in a context of a script may add a member to the API.

    It may add any member if its name is that of a shim, otherwise only one unlike those of the browser.
    """
    kinds = {each.kind for each in script.contexts}
    is_unlike = (
        unavailability.reason is Reason.UNKNOWN
        and unavailability.nearest is None
        and len(unavailability.path) > 1
        and not extension.schemas.is_specification
    )
    return any(
        (is_unlike and kinds <= {ContextKind.UNKNOWN})
        or (kind in kinds and (is_unlike or _SHIM.search(name)))
        for kind, name in missing_scripts(extension)
    )


def may_import_shim(extension: Extension, script: Script) -> bool:
    """Whether a package may replace members of the API in a context of a script, judging by its name.

    It is imported only for its effect: `require("chrome-extension-async");`.
    """
    kinds = {each.kind for each in script.contexts}
    return any(
        not kinds.isdisjoint(each.kind for each in other.contexts) for other in _scripts_with_shims(extension)
    )


@query
def _scripts_with_shims(extension: Extension) -> tuple[Script, ...]:
    return tuple(
        script
        for script in extension.scripts
        if any(
            _OF_EXTENSIONS.match(load.name) is not None and is_package_for_effect(script, load)
            for load in script.facts.loads
        )
    )


def is_package_for_effect(script: Script, load: Load) -> bool:
    """Whether a script loads an npm package only for its effect, without a name for its exports."""
    at = script.base + load.span[0]
    before = max(0, at - _MAX_BYTES_BEFORE)
    return (
        load.kind in _PACKAGE_LOADS
        and is_package_name(load.name)
        and _FOR_EFFECT.search(script.index.text, before, at) is not None
    )


@query(is_kept=True)
def missing_scripts(extension: Extension) -> frozenset[tuple[ContextKind, str]]:
    """Returns the names of the scripts without a file or a source in the package, by kind of context."""
    return frozenset((*_named_in_manifest(extension), *_named_in_pages(extension), *_loaded(extension)))


def _named_in_manifest(extension: Extension) -> Iterator[tuple[ContextKind, str]]:
    for each in file_references(extension.manifest):
        if each.use is FileUse.SCRIPT and each.kind and not _is_known(extension, *paths_of(each.name)):
            kinds = WEB_PAGE_CONTEXTS if each.kind in WEB_PAGE_CONTEXTS else (each.kind,)
            yield from ((kind, each.name) for kind in kinds)


def _named_in_pages(extension: Extension) -> Iterator[tuple[ContextKind, str]]:
    in_pages: dict[str, list[str]] = {}
    for each in extension.named_files:
        is_in_page = each.source != extension.manifest.path and has_suffix(each.path, SCRIPTS)
        if is_in_page and not _is_known(extension, each.path):
            in_pages.setdefault(each.source, []).append(each.name)
    for script in extension.scripts if in_pages else ():
        for context in script.contexts:
            names = in_pages.get(context.step.path, ()) if context.step is not None else ()
            yield from ((context.kind, name) for name in names)


def _loaded(extension: Extension) -> Iterator[tuple[ContextKind, str]]:
    for script in extension.scripts:
        if not script.contexts:
            continue
        unresolved = {each.name: each for each in unresolved_loads(extension, script)}
        for name, each in unresolved.items():
            yield from ((kind, name) for kind in WEB_PAGE_CONTEXTS if each.is_injected)
        kinds = {each.kind for each in script.contexts}
        for load in script.facts.loads if unresolved else ():
            if load.name in unresolved and _runs_in_same_context(load, unresolved[load.name]):
                is_call = load.kind is LoadKind.IMPORT_SCRIPTS
                yield from ((kind, load.name) for kind in (kinds & WORKERS if is_call else kinds))


def _runs_in_same_context(load: Load, unresolved: UnresolvedLoad) -> bool:
    """Whether a load adds code to the context of the script, from a file that the package should have."""
    if unresolved.is_import:
        return load.name.startswith((".", "/"))
    return load.kind in (LoadKind.IMPORT_SCRIPTS, LoadKind.SCRIPT_ELEMENT)


def _is_known(extension: Extension, *paths: str) -> bool:
    """Whether a file of one of the paths is in the package, or the source that is checked in its place."""
    find, checked = build_entries_of(extension.package).source_of, _checked_paths(extension)
    return not paths or any(each in extension.package or find(each) in checked for each in paths)


@query
def _checked_paths(extension: Extension) -> frozenset[str | None]:
    return frozenset(script.path for script in extension.scripts if script.contexts)
