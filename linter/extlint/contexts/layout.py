"""Computes the layout of an extension from its manifest: scripts, their contexts, and named files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from extlint.contexts.collector import LayoutCollector
from extlint.contexts.ignored_keys import targets_ignoring
from extlint.contexts.load_graph import FactsOf, TargetsWithout, follow_loads
from extlint.contexts.script import Layout
from extlint.json_text.values import JsonNode
from extlint.manifest.file_keys import FileReference, FileUse, accessible_resources, file_references
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.package.nested_extensions import nested_extension_folders
from extlint.package.references import matches_pattern, paths_of
from extlint.package.suffixes import (
    COMMONJS_MODULES,
    ES_MODULES,
    JAVASCRIPT,
    has_suffix,
    is_component,
    is_page,
    is_script,
)
from extlint.resolution.resolver import ModuleResolver
from extlint.script.facts.context import Context, ContextKind, LoadStep
from extlint.text.wording import quoted, with_article

MAX_PATTERNS = 50
"""The number of patterns of `sandbox.pages` or `web_accessible_resources` that are followed."""

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
        if path is None or name.kind is None:
            continue
        context = _manifest_context(manifest, name, path, targets_ignoring(manifest, name))
        if name.use is FileUse.SCRIPT or (source is not None and is_script(source)):
            is_module = None if source is not None else _is_module(manifest, name, path)
            collector.add_script((path, None), [replace(context, is_module=is_module)], is_module)
        elif not is_script(path):
            pages.setdefault(path, {}).setdefault((name.kind, context.excluded_targets), context)
    for path, node in _accessible_pages(package, manifest):
        if path not in pages:
            message = f"the manifest lets web pages open {quoted(path)}"
            step = LoadStep(manifest.path, node.span, message, may_read=True)
            opened = Context(ContextKind.EXTENSION_PAGE, step, False)
            pages[path] = {(opened.kind, opened.excluded_targets): opened}
    sandbox = list(manifest.strings("sandbox", "pages"))
    for path, node in _pages_by_pattern(package, manifest.path, [each for each in sandbox if "*" in each[0]]):
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
        placed = collector.add_page(path, list(contexts.values()))
        collector.add_built_script(path, has_scripts=bool(placed))
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


def _accessible_pages(package: Package, manifest: Manifest) -> Iterator[tuple[str, JsonNode]]:
    """Yields the pages that web pages may open, in the form of either manifest version."""
    return _pages_by_pattern(package, manifest.path, list(accessible_resources(manifest)))


def _pages_by_pattern(
    package: Package, manifest_path: str, names: list[tuple[str, JsonNode]]
) -> Iterator[tuple[str, JsonNode]]:
    """Yields the pages that names match; `*` is any text, as in Chromium's `sandbox.pages`."""
    exact = [(path, node) for name, node in names if "*" not in name for path in paths_of(name)]
    yield from ((path, node) for path, node in exact if is_page(path) and path in package)
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
