"""Which scripts share a realm, and with it a global object."""

from __future__ import annotations

from extlint.contexts.script import Layout, ScriptLocation
from extlint.package.suffixes import is_page
from extlint.script.facts.context import Context, ContextKind

_ONE_EACH = frozenset({ContextKind.BACKGROUND, ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER})
"""The kinds of context of which an extension has one realm; content scripts of a frame share theirs."""


def shared_realms(layout: Layout) -> tuple[tuple[ScriptLocation, ...], ...]:
    """The realms with more than one script, each in the order of loading."""
    found: dict[tuple[ContextKind, str], dict[ScriptLocation, None]] = {}
    for script in layout.scripts:
        for context in script.contexts:
            page = "" if context.kind in _ONE_EACH else page_of(script.path, context)
            if page is not None:
                found.setdefault((context.kind, page), {})[script.path, script.body] = None
    groups = (tuple(group) for group in found.values() if len(group) > 1)
    return (*groups, *layout.unreached_realms)


def page_of(path: str, context: Context) -> str | None:
    """The page that has a script inline or loads it, perhaps by way of others; None if none does."""
    step = context.step
    while not is_page(path):
        if step is None:
            return None
        path, step = step.path, step.before
    return path
