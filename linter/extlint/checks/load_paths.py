"""The load paths to a script, as related locations of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extlint.analysis.facts.context import Context, ContextKind, LoadStep
from extlint.extension import Extension
from extlint.finding import Related
from extlint.queries.query import query
from extlint.text.positions import TextIndex, decode

MAX_PATHS = 3
"""The maximum number of load paths to a script that are shown."""

MAX_STEPS = 30
"""A longer path is shown as its start in the manifest and its last steps."""


def contexts_to_show(contexts: Iterable[Context]) -> list[Context]:
    """Returns the contexts whose load paths are shown: the first of each kind, at most `MAX_PATHS`."""
    kinds: dict[ContextKind, Context] = {}
    for each in contexts:
        kinds.setdefault(each.kind, each)
    return list(kinds.values())[:MAX_PATHS]


def load_paths(extension: Extension, contexts: Iterable[Context]) -> tuple[Related, ...]:
    """Returns each step from the manifest to a script, for one load path after another, without duplicates.

    Positions are computed here, so that only findings pay for them.
    """
    found: dict[Related, None] = {}
    for context in contexts:
        for step, message in _steps(context.step):
            if step.path in extension.package.made:
                continue
            span = index_of(extension, step.path).span(*step.span)
            found[Related(step.path, span, message)] = None
    return tuple(found)


def index_of(extension: Extension, path: str) -> TextIndex:
    """Returns the index of a file, which is read once however many findings are in it."""
    indexes = _indexes(extension)
    if path not in indexes:
        indexes[path] = TextIndex(decode(extension.package.read(path)))
    return indexes[path]


def _steps(last: LoadStep | None) -> Iterator[tuple[LoadStep, str]]:
    """Yields the steps of a path in order with their messages; the one after omitted steps counts them."""
    steps: list[LoadStep] = []
    while last is not None and len(steps) < MAX_STEPS:
        steps.append(last)
        last = last.before
    if last is None:
        yield from ((step, step.message) for step in reversed(steps))
        return
    *later_steps, second = steps[:-1]
    first = second.first
    if first is not None:
        yield first, first.message
    yield second, f"{second.number - 1} steps later, {second.message}"
    yield from ((step, step.message) for step in reversed(later_steps))


@query
def _indexes(extension: Extension) -> dict[str, TextIndex]:
    """Returns the indexes of the files that contain steps, by path."""
    manifest = extension.manifest
    return {**{script.path: script.index for script in extension.scripts}, manifest.path: manifest.index}
