"""Follows the scripts that a manifest loads to those that they load in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from extlint.analysis.facts.context import EXTENSION_PAGES, OWN_CONTEXTS, Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath, Load, LoadKind, ScriptFacts
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import JAVASCRIPT, SCRIPTS, has_suffix, is_component, is_page
from extlint.project.contexts.collector import LayoutCollector
from extlint.project.contexts.script import ScriptLocation
from extlint.project.resolution.resolver import ADDRESS_SCHEME, ImportKind, import_kind
from extlint.queries.query import cached_method
from extlint.text.positions import ByteSpan

if TYPE_CHECKING:
    from extlint.project.contexts.called_files import InjectedFile


FactsOf = Callable[[ScriptLocation], ScriptFacts]
ContextKey: TypeAlias = tuple[ContextKind, bool, frozenset[str]]
"""The kind of a context, whether it is certain, and the targets that are excluded."""

TargetsWithout: TypeAlias = Callable[[ApiPath], frozenset[str]]
"""A mapping from a function to the targets that do not have it."""

_NAMES = frozenset({LoadKind.ADDRESS, LoadKind.PAGE})
_VERBS = {
    LoadKind.IMPORT: "imports",
    LoadKind.DYNAMIC_IMPORT: "imports",
    LoadKind.REQUIRE: "requires",
    LoadKind.IMPORT_SCRIPTS: "loads",
    LoadKind.WORKER: "starts",
    LoadKind.SERVICE_WORKER: "registers",
    LoadKind.WORKLET: "starts",
    LoadKind.SCRIPT_ELEMENT: "inserts",
    LoadKind.PAGE: "names",
    LoadKind.ADDRESS: "names",
}
_IS_MODULE = {
    LoadKind.IMPORT: True,
    LoadKind.DYNAMIC_IMPORT: True,
    LoadKind.IMPORT_SCRIPTS: False,
    LoadKind.WORKLET: True,
}
"""Whether the loaded file is a module; for workers, that depends on an option."""


def follow_loads(collector: LayoutCollector, facts_of: FactsOf, targets_without: TargetsWithout) -> None:
    """Adds the contexts in which every script runs that a loaded script loads.

    A script gets one context of each kind: that of the first path that leads there, and those of others
    that lead there in more targets. There are few kinds of contexts, so the work is linear in the loads.
    """
    waiting = deque(location for location in collector.loaded_scripts())
    visited: dict[ScriptLocation, set[ContextKey]] = {}
    while waiting:
        location = waiting.popleft()
        known = visited.setdefault(location, set())
        new = {
            _context_key(each): each
            for each in collector.contexts_of(location)
            if _context_key(each) not in known
        }
        if not new:
            continue
        known |= new.keys()
        targets: list[tuple[str, Context]] = []
        with collector.package.failures.contained(location[0]):
            facts = facts_of(location)
            targets += _targets(collector, location, list(new.values()), facts, targets_without)
        for target, context in targets:
            if is_page(target) or is_component(target):
                waiting.extend(collector.add_page(target, [context]))
            elif _is_uncovered(context, collector.contexts_of((target, None))):
                collector.add_script((target, None), [context], None)
                waiting.append((target, None))


def _is_uncovered(context: Context, known: Iterable[Context]) -> bool:
    """Whether no known context covers a context."""
    return not any(each.covers(context) for each in known)


def _context_key(context: Context) -> ContextKey:
    return context.kind, context.certain, context.excluded_targets


def _targets(
    collector: LayoutCollector,
    location: ScriptLocation,
    contexts: list[Context],
    facts: ScriptFacts,
    targets_without: TargetsWithout,
) -> Iterator[tuple[str, Context]]:
    path, body = location
    base = body[0] if body else 0
    named: set[ByteSpan | str] = {load.span for load in facts.loads if load.is_fetched}
    scripts: list[tuple[str, InjectedFile]] = []
    sources: set[str | None] = set()
    one_for_each = list({each.excluded_targets: each for each in reversed(contexts)}.values())

    def contexts_of(injected: InjectedFile, verb: str, found: str) -> Iterator[tuple[str, Context]]:
        unsupported_targets = targets_without(injected.by)
        for each in one_for_each:
            there = each.then(injected.kind, path, _shifted(injected.span, base), verb, found, False)
            is_run_as_it_is = has_suffix(found, JAVASCRIPT) and found not in sources
            is_injected = is_run_as_it_is and injected.kind is not ContextKind.UNKNOWN
            excluded = there.excluded_targets | unsupported_targets
            yield found, replace(there, excluded_targets=excluded, is_module=False if is_injected else None)

    from extlint.project.contexts.called_files import files_injected_by

    for injected in files_injected_by(facts.calls):
        found = _file(collector, injected.name, ("", *_folders(path, contexts[0])))
        source = None if found is not None else collector.source_of(injected.name)
        found = found or source
        sources.add(source)
        if found is not None and is_page(found) and injected.kind is not ContextKind.UNKNOWN:
            named.add(found)
            yield from contexts_of(injected, "opens", found)
        elif found is not None and has_suffix(found, SCRIPTS):
            scripts.append((found, _with_certain_kind(facts, injected)))
    for load in map(_of_address, facts.loads):
        for each in contexts:
            target = _loaded_file(collector, path, load, each)
            kind = None if target is None else _kind_of_load(load, each.kind)
            if target is None and load.kind is LoadKind.WORKER:
                target, kind = collector.source_of(load.name), ContextKind.UNKNOWN
            if target is not None and kind is not None and target not in named:
                named.add(load.span)
                span = _shifted(load.span, base)
                verb, is_name = _VERBS[load.kind], load.kind in _NAMES
                there = each.then(
                    *(kind, path, span, verb, target, load.on_load),
                    may_read=is_name,
                    is_fetched=load.is_fetched,
                )
                is_module = _IS_MODULE.get(load.kind) if has_suffix(target, JAVASCRIPT) else None
                yield target, replace(there, is_module=is_module)
    for found, injected in scripts:
        if injected.kind is not ContextKind.UNKNOWN or injected.span not in named:
            is_of_page = injected.kind in EXTENSION_PAGES
            yield from contexts_of(injected, "opens a page with" if is_of_page else "injects", found)


def _of_address(load: Load) -> Load:
    """Returns the load of what an import gives the address of: `url:./page.html`."""
    name = load.name.removeprefix(ADDRESS_SCHEME)
    return load if name == load.name else replace(load, kind=LoadKind.ADDRESS, name=name, on_load=False)


def _with_certain_kind(facts: ScriptFacts, injected: InjectedFile) -> InjectedFile:
    """Returns a file with an unknown context if a condition may keep the call from getting its name."""
    reference = None if injected.choice is None else facts.references_of_calls.get(injected.choice)
    is_conditional = reference is not None and reference.guards.conditional
    return replace(injected, kind=ContextKind.UNKNOWN) if is_conditional else injected


def _shifted(span: ByteSpan, base: int) -> ByteSpan:
    return span[0] + base, span[1] + base


def _loaded_file(collector: LayoutCollector, path: str, load: Load, context: Context) -> str | None:
    """Returns the file that a script loads. In a service worker, `importScripts` is relative to that."""
    if load.kind in {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE}:
        return None if import_kind(load.name) is ImportKind.TEXT else collector.resolver.find(load.name, path)
    found = _file(collector, load.name, (*_folders(path, context), ""))
    if found is None or load.kind in {LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER}:
        return found
    return found if (is_page(found) if load.kind in _NAMES else has_suffix(found, SCRIPTS)) else None


def _folders(path: str, context: Context) -> tuple[str | None, ...]:
    """Returns the folders to which names in a script may be relative: its own, and its page's."""
    step = context.step
    if step is None or not is_page(step.path):
        return (folder_of(path),)
    return (folder_of(path), folder_of(step.path))


@cached_method
def _file(collector: LayoutCollector, name: str, folders: tuple[str | None, ...]) -> str | None:
    paths = (path for folder in folders for path in paths_of(name, folder))
    return next((path for path in paths if path in collector.package), None)


def _kind_of_load(load: Load, kind: ContextKind) -> ContextKind | None:
    """Returns the context in which a script's load runs, or None if a script of that kind cannot load it."""
    match load.kind:
        case LoadKind.SERVICE_WORKER:
            return ContextKind.UNKNOWN
        case LoadKind.WORKLET:
            return ContextKind.WORKLET
        case LoadKind.SCRIPT_ELEMENT:
            return ContextKind.MAIN_WORLD if kind is ContextKind.CONTENT_SCRIPT else kind
        case LoadKind.PAGE if kind not in OWN_CONTEXTS:
            return None
        case LoadKind.PAGE | LoadKind.ADDRESS if kind is ContextKind.DEVTOOLS_PAGE:
            return ContextKind.UNKNOWN
        case LoadKind.PAGE | LoadKind.ADDRESS:
            return ContextKind.EXTENSION_PAGE
    return ContextKind.WORKER if _starts_worker(load) else kind


def _starts_worker(load: Load) -> bool:
    imported = load.kind in {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT}
    return load.kind is LoadKind.WORKER or (imported and import_kind(load.name) is ImportKind.WORKER)
