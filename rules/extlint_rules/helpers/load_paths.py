"""How a package gets to a script, as places that a reader can look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extlint.extension import Extension, once_per_extension
from extlint.finding import Related
from extlint.script.facts.context import Context, ContextKind, LoadStep
from extlint.text.positions import TextIndex, decode

MAX_WAYS = 3
"""How many ways to a script are shown."""

MAX_STEPS = 30
"""A longer way is shown as its start in the manifest and its last steps."""


def shown_ways(contexts: Iterable[Context]) -> list[Context]:
    """The contexts whose ways are shown: the first of each kind, not too many of them."""
    kinds: dict[ContextKind, Context] = {}
    for each in contexts:
        kinds.setdefault(each.kind, each)
    return list(kinds.values())[:MAX_WAYS]


def ways(extension: Extension, contexts: Iterable[Context]) -> tuple[Related, ...]:
    """Each step from the manifest to a script, for one way after another; none twice.

    Positions are worked out here, so that only findings pay for them.
    """
    indexes = _indexes(extension)
    found: dict[Related, None] = {}
    for context in contexts:
        for step, message in _told(context.step):
            index = indexes.get(step.path)
            if index is None:
                index = indexes[step.path] = TextIndex(decode(extension.package.read(step.path)))
            found[Related(step.path, index.span(*step.span), message)] = None
    return tuple(found)


def _told(last: LoadStep | None) -> Iterator[tuple[LoadStep, str]]:
    """The steps of a way in order with their messages; where some are left out, the next says so."""
    steps: list[LoadStep] = []
    while last is not None and len(steps) < MAX_STEPS:
        steps.append(last)
        last = last.before
    if last is None:
        yield from ((step, step.message) for step in reversed(steps))
        return
    *others, second = steps[:-1]
    first = second.first
    if first is not None:
        yield first, first.message
    yield second, f"{second.number - 1} steps later, {second.message}"
    yield from ((step, step.message) for step in reversed(others))


@once_per_extension
def _indexes(extension: Extension) -> dict[str, TextIndex]:
    """The files whose positions were asked for, by path."""
    manifest = extension.manifest
    return {**{script.path: script.index for script in extension.scripts}, manifest.path: manifest.index}
