"""Names of files in calls and other strings, and the folder in which each browser looks for such a file.

Verified in Firefox 153 and Chromium 156 (`extlint_judge called-files`): Chromium resolves names of scripts,
style sheets and pages from the root of the package, but those of images from the folder of the page or
worker, which fetches them. Firefox resolves all names from the folder of the page. If a browser does not
report a missing file, its base is unknown, and a file may be in either folder.

The Web platform resolves these names from the page, or from the service worker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial

from msgspec import Struct

from extlint.analysis.facts.context import EXTENSION_PAGES, OWN_CONTEXTS, WORKERS, Context, ContextKind
from extlint.analysis.facts.script_facts import (
    ApiPath,
    FailureHandling,
    Guards,
    Load,
    LoadedAddress,
    LoadKind,
    Reference,
    WrittenMarkup,
)
from extlint.checks.api.reasons import unavailabilities_of
from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import missing_references
from extlint.checks.availability.unguarded_references import (
    is_guarded,
    is_guarded_by_callers,
    unguarded_calls_in,
)
from extlint.checks.load_paths import index_of
from extlint.checks.reachability.unreachable_code import in_each_script, is_unreachable
from extlint.checks.reachability.unused_scripts import with_unknown_context
from extlint.extension import Extension, NamedFile, Script
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import SVG_IMAGES, has_suffix
from extlint.project.contexts.called_files import CalledFile, files_named_in_call
from extlint.project.contexts.script import page_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.patterns import lazy
from extlint.text.placeholders import is_placeholder
from extlint.text.positions import ByteSpan


class Base(Enum):
    """The base of the name of a file in a call."""

    ROOT = "the root of the package"
    DOCUMENT = "the folder of the page or worker"
    EITHER = "one of them"


class FileNameInCall(Struct, frozen=True):
    """The name of a file in a call without a guarding test, with the function that is called.

    `elsewhere` is the file with this name in a folder in which the browser does not look for it, if it
    exists.
    """

    named: NamedFile
    api: str
    base: Base = Base.EITHER
    elsewhere: str | None = None


GET_URL = "runtime.getURL"
_WEB_SCHEMES = ("http://", "https://")
"""The starts of addresses, to which `runtime.getURL` only adds the address of the package."""

_PAGES = ("action.setPopup", "tabs.create", "tabs.update", "windows.create")
_INJECTED = ("scripting.executeScript", "scripting.insertCSS")
_BASES: Mapping[Engine, Mapping[str, Base]] = {
    Engine.CHROMIUM: {
        **dict.fromkeys((*_PAGES, *_INJECTED, "offscreen.createDocument"), Base.ROOT),
        GET_URL: Base.ROOT,
        "scripting.registerContentScripts": Base.ROOT,
        "scripting.updateContentScripts": Base.ROOT,
        "action.setIcon": Base.DOCUMENT,
        "notifications.create": Base.DOCUMENT,
        "notifications.update": Base.DOCUMENT,
        LoadKind.IMPORT_SCRIPTS.value: Base.DOCUMENT,
    },
    Engine.GECKO: {
        GET_URL: Base.ROOT,
        **dict.fromkeys(
            (
                *(*_PAGES, *_INJECTED, "browserAction.setPopup", "sidebarAction.setPanel"),
                *("scripting.removeCSS", "tabs.executeScript", "tabs.insertCSS", "tabs.removeCSS"),
            ),
            Base.DOCUMENT,
        ),
    },
}
"""The bases of file names in calls, for the browsers that report a missing file."""

_LOADS = {
    LoadKind.IMPORT_SCRIPTS: WORKERS,
    LoadKind.WORKER: EXTENSION_PAGES,
    LoadKind.WORKLET: EXTENSION_PAGES,
}
"""The loads that name files, with the contexts in which their names are relative to files of the package."""

_ADDRESS_CONTEXTS = EXTENSION_PAGES | {ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER}
_REQUESTED = (Reason.PERMISSION, Reason.MANIFEST_KEY)
_SERVICE_WORKER = frozenset({ContextKind.SERVICE_WORKER})


def base_of(name: str, engine: Engine | None) -> Base:
    """Returns the base of file names in calls of a function in a browser."""
    return Base.EITHER if engine is None else _BASES.get(engine, {}).get(name, Base.EITHER)


@query
def names_in_calls(extension: Extension) -> tuple[FileNameInCall, ...]:
    """Returns the names of files in calls that certainly use them, if any code makes the call."""
    if not extension.package.complete:
        return ()
    return (*_names_in_api_calls(extension), *_names_in_loads(extension), *_names_in_addresses(extension))


@in_each_script
def unguarded_addresses(extension: Extension, script: Script) -> Iterator[tuple[Script, LoadedAddress]]:
    """Yields the files of the package that a script loads by their addresses without a guarding test.

    Check with `may_be_called` last whether any code makes the call.
    """
    for each in script.facts.loaded_addresses if script.contexts else ():
        if is_certain(extension, script, each.guards):
            yield script, each


@in_each_script
def _names_in_api_calls(extension: Extension, script: Script) -> Iterator[FileNameInCall]:
    """Yields the names in calls of the API."""
    if not _runs_in(script, OWN_CONTEXTS):
        return
    for reference, call in unguarded_calls_in(extension, script, FailureHandling.RECOVERED):
        files = [*files_named_in_call(call)]
        if not files or _is_excused(reference.guards):
            continue
        api = ".".join(call.path)
        found = [each for file in files if (each := missing_name(extension, script, file, api))]
        if (
            found
            and _is_reportable(extension, script, reference)
            and may_be_called(extension, script, reference)
        ):
            yield from found


def vector_images(extension: Extension, functions: frozenset[ApiPath]) -> Iterator[tuple[Script, CalledFile]]:
    """Yields the SVG images that service workers pass to some functions, in calls that certainly use them."""
    for script in extension.scripts:
        if not _runs_in(script, _SERVICE_WORKER):
            continue
        for reference, call in unguarded_calls_in(extension, script, FailureHandling.RECOVERED):
            if call.path not in functions or _is_excused(reference.guards):
                continue
            found = [each for each in files_named_in_call(call) if has_suffix(each.name, SVG_IMAGES)]
            if found and not unavailabilities_of(extension, call.path, script.contexts):
                yield from ((script, each) for each in found if may_be_called(extension, script, reference))


def _is_reportable(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether a function can be called, or only a reported request in the manifest is missing for it.

    The missing file is then a second mistake, which remains after the first one is fixed.
    """
    reasons = unavailabilities_of(extension, reference.path, script.contexts)
    if not reasons:
        return True
    if not all(each.reason in _REQUESTED for each in reasons):
        return False
    place = script.path, script.span(reference.span)
    return any(
        (each.path, each.span) == place
        for reason in _REQUESTED
        for each in missing_references(extension, reason)
    )


@in_each_script
def _names_in_loads(extension: Extension, script: Script) -> Iterator[FileNameInCall]:
    """Yields the names in calls of the Web platform that load scripts."""
    for load in script.facts.loads:
        if load.kind not in _LOADS or not _runs_in(script, _LOADS[load.kind]):
            continue
        if is_certain(extension, script, load.guards):
            file = CalledFile(load.name, load.span)
            found = missing_name(extension, script, file, load.kind.value)
            if found is not None and may_be_called(extension, script, reference_of(load)):
                yield found


def _names_in_addresses(extension: Extension) -> Iterator[FileNameInCall]:
    """Yields the names from which addresses are created that load files."""
    for script, address in unguarded_addresses(extension):
        if not _ADDRESS_CONTEXTS.issuperset(each.kind for each in script.contexts):
            continue
        found = missing_name(extension, script, CalledFile(address.name, address.span), GET_URL)
        if found is not None and may_be_called(extension, script, reference_of(address)):
            yield found


def _runs_in(script: Script, kinds: frozenset[ContextKind]) -> bool:
    """Whether a script runs, and only in contexts of these kinds."""
    return bool(script.contexts) and kinds.issuperset(each.kind for each in script.contexts)


def reference_of(load: Load | LoadedAddress | WrittenMarkup) -> Reference:
    """Returns a load as a reference, the form in which callers are searched for."""
    return Reference((), "", load.span, load.guards, is_called=load.is_called)


def may_be_called(extension: Extension, script: Script, reference: Reference) -> bool:
    """Whether any code may make a call without a test. Check this last, as it searches for callers."""
    return not is_guarded_by_callers(extension, script, reference, _is_excused, FailureHandling.RECOVERED)


def is_certain(extension: Extension, script: Script, guards: Guards) -> bool:
    """Whether code may run, without a test or an error handler that allows it to fail."""
    return not (
        _is_excused(guards)
        or is_guarded(extension, guards, FailureHandling.RECOVERED)
        or is_unreachable(extension, script, guards)
    )


def _is_excused(guards: Guards) -> bool:
    """Whether code runs in another realm, or a build may omit it."""
    return guards.runs_in is not None or bool(guards.constants) or guards.unknown


def missing_name(extension: Extension, script: Script, file: CalledFile, api: str) -> FileNameInCall | None:
    """Returns a name without a file in the folder that a browser searches, or None if this is uncertain."""
    package = extension.package
    own = paths_of(file.name)
    if api == GET_URL and file.name.startswith(_WEB_SCHEMES):
        return FileNameInCall(NamedFile(file.name, file.name, script.path, script.span(file.span)), api)
    if not own or is_placeholder(file.name):
        return None
    base = base_of(api, extension.target.engine)
    documents = [_document(extension, script, each, api) for each in script.contexts]
    if base is not Base.ROOT and _may_run_elsewhere(extension, script):
        ends = tuple(f"/{path}" for path in own)
        if any(path.endswith(ends) for path in package.paths):
            return None
    if base is Base.DOCUMENT and (
        any(each.kind is ContextKind.WORKER for each in script.contexts)
        or any(_has_base(extension, each) for each in documents)
    ):
        base = Base.EITHER
    near = [folder_of(each) for each in documents]
    everywhere: list[str | None] = ["", *near, folder_of(script.path)]
    folders = {Base.ROOT: everywhere[:1], Base.DOCUMENT: near, Base.EITHER: everywhere}[base]
    looked_at = [path for folder in folders for path in paths_of(file.name, folder)]
    if any(path in package for path in looked_at):
        return None
    existing_paths = (
        path for folder in everywhere for path in paths_of(file.name, folder) if path in package
    )
    elsewhere = next(existing_paths, None)
    path = looked_at[0] if looked_at else own[0]
    named = NamedFile(file.name, path, script.path, script.span(file.span))
    return FileNameInCall(named, api, base, elsewhere)


def _may_run_elsewhere(extension: Extension, script: Script) -> bool:
    """Whether a script may run in pages or workers in folders other than the known ones."""
    return (
        any(each.path_count > 1 for each in script.contexts)
        or with_unknown_context(extension, script) is not None
    )


def _document(extension: Extension, script: Script, context: Context, api: str) -> str:
    """Returns the path of the page or worker in which a script runs.

    Browsers generate background pages at the root. Firefox does not run service workers: it would run the
    script in such a page, without `importScripts`.
    """
    if context.kind is ContextKind.SERVICE_WORKER:
        if extension.target.engine is Engine.GECKO and api != LoadKind.IMPORT_SCRIPTS.value:
            return ""
        worker = extension.manifest.get("background", "service_worker")
        paths = paths_of(worker.value) if worker is not None and isinstance(worker.value, str) else ()
        return paths[0] if paths else script.path
    return page_of(script.path, context) or ""


def _has_base(extension: Extension, page: str) -> bool:
    """Whether a page has an element that sets the base of its names."""
    return page in extension.package and b"<base" in index_of(extension, page).text.lower()


_NAMED_FILE = lazy(
    rb"([\"'`])((?:\.{0,2}/)?[\w@][\w./@-]{0,200}\."
    rb"(?:css|gif|html?|ico|jpe?g|json|mp[34]|ogg|otf|png|svg|ttf|wasm|wav|web[mp]|woff2?))\1"
)
"""A string that is the name of a file without code, relative to something."""

_PLATFORM = "the Web platform"


def named_loads(
    extension: Extension, script: Script, matters: Callable[[str], object]
) -> Iterator[LoadedAddress]:
    """Yields the certain loads of files by names that matter, except names in calls of the API.

    Check with `may_be_called` last.
    """
    named = _NAMED_FILE.finditer(script.index.text)
    spans = [each.span() for each in named if matters(each[2].decode("utf-8", "replace"))]
    if not spans:
        return
    in_calls = {file.span for call in script.facts.calls for file in files_named_in_call(call)}
    for address in extension.searches.loads_of_strings(script, spans):
        if address.span not in in_calls and is_certain(extension, script, address.guards):
            yield address


@in_each_script
def missing_named_files(extension: Extension, script: Script) -> Iterator[FileNameInCall]:
    """Yields the names by which pages and workers load files that are neither there nor in other folders."""
    if not script.contexts or not OWN_CONTEXTS.issuperset(each.kind for each in script.contexts):
        return
    found = [*named_loads(extension, script, partial(_missing_name, extension, script))]
    if not found:
        return
    for address in found:
        missing = _missing_name(extension, script, address.name, address.span)
        if missing is None or missing.elsewhere is not None:
            continue
        if may_be_called(extension, script, reference_of(address)):
            yield missing


def _missing_name(
    extension: Extension, script: Script, name: str, span: ByteSpan = (0, 0)
) -> FileNameInCall | None:
    """Returns the name of a file if it is in no folder that the name may be relative to."""
    if all(path in extension.package for path in paths_of(name)):
        return None
    return missing_name(extension, script, CalledFile(name, span), _PLATFORM)
