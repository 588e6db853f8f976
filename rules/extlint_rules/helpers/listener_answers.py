"""Finds the answers of message listeners, including those from other modules."""

from __future__ import annotations

from collections.abc import Callable

from extlint.analysis.facts.listeners import ListenerResponses
from extlint.analysis.facts.script_facts import MESSAGE_EVENTS, ApiPath, CallSite, LoadKind
from extlint.extension import Extension, Script
from extlint.queries.query import query
from extlint.text.positions import ByteSpan

_Found = tuple[Script, ListenerResponses] | None


def find_answers(extension: Extension, script: Script, call: CallSite) -> _Found:
    """Returns the answers of the listener that a call adds, with the script that defines it.

    Returns None if unknown.
    """
    known = call.answers
    if known is not None and not known.undecided:
        return script, known
    found = None
    if call.path[:-1] in MESSAGE_EVENTS and call.path[-1] == "addListener" and _imports(script):
        found = _cached_module_answers(extension)(extension, script, call)
    return found or (None if known is None else (script, known))


def _imports(script: Script) -> bool:
    return any(each.kind is LoadKind.IMPORT for each in script.facts.loads)


@query(is_of_package=True)
def _cached_module_answers(_extension: Extension) -> Callable[[Extension, Script, CallSite], _Found]:
    """Searches once for each listener, whatever the target."""
    known: dict[tuple[str, int, ApiPath, ByteSpan], _Found] = {}

    def answers(extension: Extension, script: Script, call: CallSite) -> _Found:
        key = (script.path, script.base, call.path, call.span)
        if key not in known:
            known[key] = extension.searches.listener_answers(script, call)
        return known[key]

    return answers
