"""Which scripts share their globals."""

from __future__ import annotations

from collections.abc import Iterable

from extlint.contexts.builder import PAGES, LaidOutScript, Place
from extlint.contexts.model import Context, ContextKind

_ONE_EACH = frozenset({ContextKind.BACKGROUND, ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER})
"""The kinds of which an extension has one world; content scripts of one frame share theirs."""


def worlds(scripts: Iterable[LaidOutScript]) -> tuple[tuple[Place, ...], ...]:
    """The groups of scripts that run in one world, where there is more than one, in the order of loading."""
    found: dict[tuple[ContextKind | None, str], dict[Place, None]] = {}
    for script in scripts:
        if not script.contexts and script.body is not None:
            found.setdefault((None, script.path), {})[script.path, script.body] = None
        for context in script.contexts:
            page = "" if context.kind in _ONE_EACH else _page(script.path, context)
            if page is not None:
                found.setdefault((context.kind, page), {})[script.path, script.body] = None
    return tuple(tuple(group) for group in found.values() if len(group) > 1)


def _page(path: str, context: Context) -> str | None:
    """The page whose script it is, or whose script loads it; None if there is none."""
    step = context.step
    while not path.lower().endswith(PAGES):
        if step is None:
            return None
        path, step = step.path, step.before
    return path
