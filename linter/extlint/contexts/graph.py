"""From the scripts that a manifest reaches to those that they load in turn."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from extlint.contexts.builder import COMPONENTS, PAGES, LayoutBuilder, Place
from extlint.contexts.injected import injected_by
from extlint.contexts.model import Context, ContextKind
from extlint.contexts.modules import module_paths
from extlint.contexts.names import folder_of, paths_of
from extlint.script.facts import Load, LoadKind, ScriptFacts

MOST_LOADS = 50_000
"""Scripts loaded by scripts that are followed in one package."""

FactsOf = Callable[[Place], ScriptFacts]


def follow_loads(builder: LayoutBuilder, facts_of: FactsOf) -> None:
    """Gives every script that a reached script loads the contexts in which it then runs.

    A script is told of once for each kind of context: the first way that leads there.
    """
    waiting = deque(place for place in builder.reached())
    seen: dict[Place, set[ContextKind]] = {}
    followed = 0
    while waiting and followed < MOST_LOADS:
        place = waiting.popleft()
        kinds = {context.kind for context in builder.contexts_of(place)}
        new = kinds - seen.setdefault(place, set())
        if not new:
            continue
        seen[place] |= new
        for target, context in _targets(builder, place, new, facts_of(place)):
            followed += 1
            if target.lower().endswith((*PAGES, *COMPONENTS)):
                waiting.extend(builder.look_into(target, [context]))
            elif context.kind not in {known.kind for known in builder.contexts_of((target, None))}:
                builder.place((target, None), [context], None)
                waiting.append((target, None))


def _targets(
    builder: LayoutBuilder, place: Place, kinds: set[ContextKind], facts: ScriptFacts
) -> Iterator[tuple[str, Context]]:
    path = place[0]
    for load in facts.loads:
        target = _loaded(builder, path, load)
        if target is not None:
            for kind in sorted(kinds, key=lambda each: each.value):
                yield target, Context(_inside(kind, load), path, load.kind is not LoadKind.DYNAMIC_IMPORT)
    for injected in injected_by(facts.calls):
        names = (*paths_of(injected.name, ""), *paths_of(injected.name, folder_of(path)))
        found = next((each for each in names if each in builder.package), None)
        if found is not None:
            via = found if found.lower().endswith(PAGES) else path
            yield found, Context(injected.kind, via, False)


def _loaded(builder: LayoutBuilder, path: str, load: Load) -> str | None:
    """The file that a script loads. A service worker's `importScripts` counts from the worker itself."""
    if load.kind in {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT}:
        names = module_paths(load.name, path)
    else:
        names = (*paths_of(load.name, folder_of(path)), *paths_of(load.name, ""))
    return next((each for each in names if each in builder.package), None)


def _inside(kind: ContextKind, load: Load) -> ContextKind:
    return ContextKind.WORKER if load.kind is LoadKind.WORKER else kind
