"""Computes the layout of an extension from its manifest: scripts, their contexts, and named files.

Some targets ignore manifest keys that name scripts and pages, so these do not run there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from posixpath import dirname

from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind, LoadStep
from extlint.manifest.file_keys import FileReference, FileUse, accessible_resources, file_references
from extlint.manifest.manifest import Manifest, read_manifest
from extlint.package.discovery.variants import is_variant
from extlint.package.files import Package, UnreadableError
from extlint.package.references import matches_pattern, paths_of
from extlint.package.sniff import has_manifest_version, nested_extension_folders
from extlint.package.suffixes import (
    COMMONJS_MODULES,
    ES_MODULES,
    JAVASCRIPT,
    has_suffix,
    is_component,
    is_page,
    is_script,
)
from extlint.project.contexts.collector import LayoutCollector
from extlint.project.contexts.load_graph import FactsOf, TargetsWithout, follow_loads
from extlint.project.contexts.script import Layout
from extlint.project.resolution.resolver import ModuleResolver
from extlint.queries.query import cached_method
from extlint.schema.targets import CHROME, EDGE, FIREFOX, FIREFOX_ANDROID, SAFARI, Target
from extlint.text.json.values import JsonNode
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.wording import quoted, with_article

_FIREFOX = (FIREFOX, FIREFOX_ANDROID)
_CHROMIUM = (CHROME, EDGE)
_NOT_GECKO = (*_CHROMIUM, SAFARI)
_NOT_CHROMIUM = (*_FIREFOX, SAFARI)
READERS = (*_FIREFOX, *_NOT_GECKO)
"""The targets that read a manifest of their own."""

IGNORED_KEYS: Mapping[str, Mapping[int, tuple[str, ...]]] = {
    "background/page": {3: _CHROMIUM},
    "background/scripts": {3: _CHROMIUM},
    "background/service_worker": {2: _FIREFOX, 3: _FIREFOX},
    "chrome_url_overrides/bookmarks": {2: _NOT_CHROMIUM, 3: _NOT_CHROMIUM},
    "chrome_url_overrides/history": {2: _NOT_CHROMIUM, 3: _NOT_CHROMIUM},
    "chrome_url_overrides/newtab": {2: (FIREFOX_ANDROID,), 3: (FIREFOX_ANDROID,)},
    "devtools_page": {2: (FIREFOX_ANDROID,), 3: (FIREFOX_ANDROID,)},
    "experiment_apis": {2: _NOT_GECKO, 3: _NOT_GECKO},
    "file_handlers": {3: _FIREFOX},
    "input_components": {2: _FIREFOX, 3: _FIREFOX},
    "page_action": {3: _NOT_GECKO},
    "protocol_handlers": {2: _NOT_GECKO, 3: _NOT_GECKO},
    "sandbox": {2: (SAFARI,), 3: (SAFARI,)},
    "side_panel": {3: _NOT_CHROMIUM},
    "sidebar_action": {2: (FIREFOX_ANDROID, *_NOT_GECKO), 3: (FIREFOX_ANDROID, *_NOT_GECKO)},
    "user_scripts": {2: _NOT_GECKO},
}
"""The targets that ignore a key in a manifest version in which other targets read it.

The schemas of these targets in `extlint_schemas/manifests/` do not define the key. Firefox knows
`service_worker`, but runs no service worker. Keys that no target reads are not listed: they are mistakes for
other keys.
"""

_BACKGROUNDS = frozenset({"background/page", "background/scripts", "background/service_worker"})


def targets_ignoring(manifest: Manifest, name: FileReference) -> frozenset[str]:
    """Returns the targets in which a manifest does not load a file that it names.

    These targets ignore the key, or a build keeps it for other browsers only. A background that a browser
    ignores is treated as read, unless the browser reads another one: without any, it rejects the extension.
    """
    found = _read_names_by_target(manifest)
    return frozenset(target for target in READERS if name.node.span not in found[target])


@cached_method
def _read_names_by_target(manifest: Manifest) -> Mapping[str, frozenset[ByteSpan]]:
    """Returns the spans of the file names that each target reads."""
    return {
        target: frozenset(_read_names(manifest.original.for_target(Target(target)), target))
        for target in READERS
    }


def _read_names(manifest: Manifest, target: str) -> Iterator[ByteSpan]:
    """Yields the spans of the file names that a target reads."""
    names = [(each, *ignored_key(each.pointer, manifest.version)) for each in file_references(manifest)]
    has_own = any(key in _BACKGROUNDS and target not in passing_over for _, key, passing_over in names)
    for each, key, passing_over in names:
        if target not in passing_over or (key in _BACKGROUNDS and not has_own):
            yield each.node.span


def ignored_key(pointer: str, version: int) -> tuple[str, tuple[str, ...]]:
    """Returns the key at a JSON pointer, and the targets that ignore it."""
    steps = [step for step in pointer.split("/")[1:] if not step.isdecimal()]
    prefixes = ["/".join(steps[:size]) for size in range(1, len(steps) + 1)]
    key = next((each for each in prefixes if each in IGNORED_KEYS), prefixes[-1])
    return key, IGNORED_KEYS.get(key, {}).get(version, ())


_DOTS = lazy(r"(?:^|/)\.{1,2}/")

MAX_PATTERNS = 50
"""The number of patterns of `sandbox.pages` that are followed."""

MAX_STARS = 10
"""The maximum number of `*` in a pattern that is followed."""

_SCRIPTS_OF = {
    ContextKind.BACKGROUND: "background script",
    ContextKind.MAIN_WORLD: "content script in the main world",
    ContextKind.UNKNOWN: "script",
}


def lay_out(
    package: Package,
    manifest: Manifest,
    facts_of: FactsOf | None = None,
    resolver: ModuleResolver | None = None,
    targets_without: TargetsWithout = lambda _: frozenset(),
    expect: Callable[[Layout], None] = lambda _: None,
) -> Layout:
    """Follows a manifest to its scripts, and to its pages and their scripts.

    With `facts_of`, which returns the facts of a script, it also follows the scripts and pages that those
    load in turn; `resolver` then finds their imports, and `targets_without` returns the targets that do not
    have a function which loads a file. `expect` receives the partial layout before the facts of any script
    are requested.

    A name that differs from a file only in letter case refers to that file. Never raises, whatever the
    manifest and the pages contain; files that cannot be read count as empty.
    """
    collector = LayoutCollector(package, manifest, resolver or ModuleResolver(package))
    pages: dict[str, dict[tuple[ContextKind, frozenset[str]], Context]] = {}
    for name in file_references(manifest):
        path = collector.file_of(name.name, manifest.span(name.node.span), manifest.path, "")
        source = collector.source_of(name.name) if path is None and name.kind is not None else None
        path = path or source
        if path is None or name.kind is None or _matches_nothing(name):
            continue
        context = _manifest_context(manifest, name, path, targets_ignoring(manifest, name))
        if name.use is FileUse.SCRIPT or (source is not None and is_script(source)):
            is_module = None if source is not None else _is_module(manifest, name, path)
            collector.add_script((path, None), [replace(context, is_module=is_module)], is_module)
        elif not is_script(path):
            pages.setdefault(path, {}).setdefault((name.kind, context.excluded_targets), context)
    for part in _parts(package, manifest):
        for name in file_references(part):
            path = next((each for each in paths_of(name.name) if each in package), None)
            path = path or collector.source_of(name.name)
            if path is None or name.kind is None:
                continue
            ignoring = frozenset(ignored_key(name.pointer, part.version)[1])
            context = _manifest_context(part, name, path, ignoring)
            if is_script(path):
                is_module = _is_module(part, name, path)
                collector.add_script((path, None), [replace(context, is_module=is_module)], is_module)
            else:
                pages.setdefault(path, {}).setdefault((name.kind, context.excluded_targets), context)
    for path, node in _accessible_pages(package, manifest):
        if path not in pages:
            message = f"the manifest lets web pages open {quoted(path)}"
            step = LoadStep(manifest.path, node.span, message, may_read=True)
            opened = Context(ContextKind.EXTENSION_PAGE, step, False)
            pages[path] = {(opened.kind, opened.excluded_targets): opened}
    sandbox = [each for each in manifest.strings("sandbox", "pages") if "*" in each[0]]
    for path, node in _pages_by_pattern(package, manifest.path, sandbox):
        name = FileReference(path, FileUse.PAGE, ContextKind.SANDBOX, "", node)
        context = _manifest_context(manifest, name, path)
        pages.setdefault(path, {}).setdefault((context.kind, context.excluded_targets), context)
    collector.sandboxed = {
        path: each
        for path, contexts in pages.items()
        for each in contexts.values()
        if each.kind is ContextKind.SANDBOX
    }
    for path, contexts in pages.items():
        collector.add_page(path, list(contexts.values()))
    if facts_of is not None:
        expect(collector.layout())
        follow_loads(collector, facts_of, targets_without)
    by_other_names = _linked_files(package, collector)
    nested_folders = nested_extension_folders(package)
    for path in package.paths:
        if path in by_other_names or path.startswith(nested_folders):
            continue
        if (is_page(path) or is_component(path)) and path not in pages:
            collector.add_page(path, [])
        elif is_script(path):
            collector.add_script((path, None), [], _is_module_by_suffix(path))
    return collector.layout()


def _linked_files(package: Package, collector: LayoutCollector) -> frozenset[str]:
    """Returns the links, and the files that are loaded by the name of a link."""
    loaded = {path for path, _ in collector.loaded_scripts()}
    return frozenset(package.links).union(real for link, real in package.links.items() if link in loaded)


def _manifest_context(
    manifest: Manifest, name: FileReference, path: str, excluded_targets: frozenset[str] = frozenset()
) -> Context:
    """Returns the context of a script or page that the manifest names, or whose built form it names."""
    kind = name.kind or ContextKind.UNKNOWN
    what = kind.value if is_page(path) else _SCRIPTS_OF.get(kind, kind.value)
    source = "script" if is_page(name.name) and not is_page(path) else "source"
    built = "" if path in paths_of(name.name) else f"{quoted(name.name)}, whose {source} is "
    message = f"the manifest names {built}{quoted(path)}{',' if built else ''} as {with_article(what)}"
    return Context(kind, LoadStep(manifest.path, name.node.span, message), excluded_targets=excluded_targets)


def _parts(package: Package, manifest: Manifest) -> Iterator[Manifest]:
    """Yields the parts of a manifest for each browser, next to it, which have none of its keys.

    A build merges one of them with the manifest.
    """
    folder, own = dirname(manifest.path), {key for key, _ in manifest.members()}
    is_known = package.around is not None and not package.packed and bool(own)
    for path in package.paths if is_known else ():
        if dirname(path) != folder or not is_variant(path) or path == manifest.path:
            continue
        with suppress(UnreadableError):
            data = package.peek(path)
            part = read_manifest(path, data)
            if not has_manifest_version(data) and own.isdisjoint(key for key, _ in part.members()):
                part.version = manifest.version
                yield part


def _matches_nothing(name: FileReference) -> bool:
    """Whether a name in `sandbox.pages` leaves pages as they are: Chromium 156 does not resolve `./`."""
    return name.kind is ContextKind.SANDBOX and _DOTS.search(name.name) is not None


def _accessible_pages(package: Package, manifest: Manifest) -> Iterator[tuple[str, JsonNode]]:
    """Yields the pages that web pages may open, in the form of either manifest version.

    A pattern names no page: `lib/*` also matches examples of libraries, and templates that scripts read.
    """
    for name, node in accessible_resources(manifest):
        paths = () if "*" in name else paths_of(name)
        yield from ((path, node) for path in paths if is_page(path) and path in package)


def _pages_by_pattern(
    package: Package, manifest_path: str, names: list[tuple[str, JsonNode]]
) -> Iterator[tuple[str, JsonNode]]:
    """Yields the pages that patterns match; `*` is any text, as in Chromium's `sandbox.pages`."""
    patterns = [(name.lstrip("/"), node) for name, node in names if 1 <= name.count("*") <= MAX_STARS]
    if len(patterns) > MAX_PATTERNS:
        what = f"pages are searched for by the first {MAX_PATTERNS} patterns in a list"
        package.unchecked.add(manifest_path, what)
        del patterns[MAX_PATTERNS:]
    if any(name.count("*") > MAX_STARS for name, _ in names):
        what = f"pages are searched for by patterns with at most {MAX_STARS} `*`"
        package.unchecked.add(manifest_path, what)
    for path in package.paths if patterns else ():
        if is_page(path):
            yield from ((path, node) for pattern, node in patterns if matches_pattern(path, pattern))


def _is_module(manifest: Manifest, name: FileReference, path: str) -> bool | None:
    if not has_suffix(path, JAVASCRIPT):
        return None
    kind = manifest.get("background", "type")
    return name.pointer.startswith("/background/") and kind is not None and kind.value == "module"


def _is_module_by_suffix(path: str) -> bool | None:
    if has_suffix(path, ES_MODULES):
        return True
    return False if has_suffix(path, COMMONJS_MODULES) else None
