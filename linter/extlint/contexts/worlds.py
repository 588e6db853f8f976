"""Which scripts share their globals."""

from __future__ import annotations

from extlint.contexts.script import Layout, Place
from extlint.package.suffixes import is_page
from extlint.script.facts.context import Context, ContextKind

_ONE_EACH = frozenset({ContextKind.BACKGROUND, ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER})
"""The kinds of which an extension has one world; content scripts of one frame share theirs."""


def worlds(layout: Layout) -> tuple[tuple[Place, ...], ...]:
    """The groups of scripts that run in one world, where there is more than one, in the order of loading."""
    found: dict[tuple[ContextKind, str], dict[Place, None]] = {}
    for script in layout.scripts:
        for context in script.contexts:
            page = "" if context.kind in _ONE_EACH else _page(script.path, context)
            if page is not None:
                found.setdefault((context.kind, page), {})[script.path, script.body] = None
    groups = (tuple(group) for group in found.values() if len(group) > 1)
    return (*groups, *layout.loose_worlds)


def _page(path: str, context: Context) -> str | None:
    """The page whose script it is, or whose script loads it; None if there is none."""
    step = context.step
    while not is_page(path):
        if step is None:
            return None
        path, step = step.path, step.before
    return path
