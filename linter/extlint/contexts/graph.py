"""From the scripts that a manifest reaches to those that they load in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

from extlint.contexts.builder import COMPONENTS, PAGES, LayoutBuilder, Place
from extlint.contexts.injected import injected_by
from extlint.contexts.model import Context, ContextKind
from extlint.contexts.names import folder_of, paths_of
from extlint.resolution.resolver import Gives, given_by
from extlint.script.facts import Load, LoadKind, ScriptFacts

MOST_LOADS = 50_000
"""Scripts loaded by scripts that are followed in one package."""

FactsOf = Callable[[Place], ScriptFacts]
World: TypeAlias = tuple[ContextKind, bool]
"""A kind of context, and whether the script certainly gets there."""

_VERBS = {
    LoadKind.IMPORT: "imports",
    LoadKind.DYNAMIC_IMPORT: "imports",
    LoadKind.IMPORT_SCRIPTS: "loads",
    LoadKind.WORKER: "starts",
}


def follow_loads(builder: LayoutBuilder, facts_of: FactsOf) -> None:
    """Gives every script that a reached script loads the contexts in which it then runs.

    A script is told of once for each kind of context: the first way that leads there.
    """
    waiting = deque(place for place in builder.reached())
    seen: dict[Place, set[World]] = {}
    followed = 0
    while waiting and followed < MOST_LOADS:
        place = waiting.popleft()
        known = seen.setdefault(place, set())
        new = {_world(each): each for each in builder.contexts_of(place) if _world(each) not in known}
        if not new:
            continue
        known |= new.keys()
        for target, context in _targets(builder, place, list(new.values()), facts_of(place)):
            followed += 1
            if target.lower().endswith((*PAGES, *COMPONENTS)):
                waiting.extend(builder.look_into(target, [context]))
            elif _world(context) not in {_world(each) for each in builder.contexts_of((target, None))}:
                builder.place((target, None), [context], None)
                waiting.append((target, None))


def _world(context: Context) -> World:
    return context.kind, context.certain


def _targets(
    builder: LayoutBuilder, place: Place, contexts: list[Context], facts: ScriptFacts
) -> Iterator[tuple[str, Context]]:
    path, body = place
    base = body[0] if body else 0
    for load in facts.loads:
        target = _loaded(builder, path, load)
        if target is not None:
            span = (load.span[0] + base, load.span[1] + base)
            for each in contexts:
                kind = ContextKind.WORKER if _starts_worker(load) else each.kind
                certain = load.kind is not LoadKind.DYNAMIC_IMPORT
                yield target, each.then(kind, path, span, _VERBS[load.kind], target, certain)
    for injected in injected_by(facts.calls):
        names = (*paths_of(injected.name, ""), *paths_of(injected.name, folder_of(path)))
        found = next((each for each in names if each in builder.package), None)
        if found is not None:
            verb = "opens" if found.lower().endswith(PAGES) else "injects"
            span = (injected.span[0] + base, injected.span[1] + base)
            yield found, contexts[0].then(injected.kind, path, span, verb, found, False)


def _loaded(builder: LayoutBuilder, path: str, load: Load) -> str | None:
    """The file that a script loads. A service worker's `importScripts` counts from the worker itself."""
    if load.kind in {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT}:
        return None if given_by(load.name) is Gives.TEXT else builder.resolver.find(load.name, path)
    names = (*paths_of(load.name, folder_of(path)), *paths_of(load.name, ""))
    return next((each for each in names if each in builder.package), None)


def _starts_worker(load: Load) -> bool:
    imported = load.kind in {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT}
    return load.kind is LoadKind.WORKER or (imported and given_by(load.name) is Gives.WORKER)
