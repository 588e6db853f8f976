"""Which scripts share a realm, and with it a global object, or hold objects of each other."""

from __future__ import annotations

from extlint.contexts.script import Layout, ScriptLocation
from extlint.extension import Script
from extlint.package.suffixes import is_page
from extlint.script.facts.context import EXTENSION_PAGES, Context, ContextKind
from extlint.script.facts.script_facts import INJECTION

_ONE_EACH = frozenset({ContextKind.BACKGROUND, ContextKind.CONTENT_SCRIPT, ContextKind.SERVICE_WORKER})
"""The kinds of context of which an extension has one realm; content scripts of a frame share theirs."""

_INJECTED = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.MAIN_WORLD})


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


def object_realms(script: Script) -> frozenset[ContextKind] | None:
    """Where a script may hold objects, by one kind of context for each group of realms that share them.

    Pages of an extension reach one another's windows. What a script injects as a function is its code in
    another realm. None if it may be anywhere, as nothing is known to load the script.
    """
    kinds = {each.kind for each in script.contexts}
    if not kinds or ContextKind.UNKNOWN in kinds:
        return None
    if any(call.path[-1] == INJECTION[-1] for call in script.facts.calls):
        kinds |= _INJECTED
    return frozenset(ContextKind.EXTENSION_PAGE if each in EXTENSION_PAGES else each for each in kinds)


def page_of(path: str, context: Context) -> str | None:
    """The page that has a script inline or loads it, perhaps by way of others; None if none does."""
    step = context.step
    while not is_page(path):
        if step is None:
            return None
        path, step = step.path, step.before
    return path
