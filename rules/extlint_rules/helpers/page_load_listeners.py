"""Finds listeners of content scripts for the end of the parsing of a page, which has come before them.

Verified by `extlint_judge page-events`: in Chromium 156 a content script at `document_end` misses the event,
too, while in Firefox 153 only one at `document_idle` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extlint.analysis.facts.context import Context
from extlint.analysis.facts.script_facts import GlobalUse
from extlint.analysis.facts.values import Literal, Value
from extlint.checks.api.absent_globals import watched_globals
from extlint.extension import Extension, Script
from extlint.manifest.file_keys import file_references
from extlint.project.script_origins import is_generated
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan
from extlint.text.word_search import word_occurrences

EVENT = "DOMContentLoaded"
_IDLE = "document_idle"
_MISSED: Mapping[Engine | None, frozenset[str | None]] = {Engine.CHROMIUM: frozenset({_IDLE, "document_end"})}
_STATE = b"readyState"
_ADD = "addEventListener"
_NAMES = frozenset({_ADD, f"document.{_ADD}"})
_BODY = lazy(rb"(?s)(?:\)|=>)\s*\{?\s*((?:(?!=>)[^\s{};]).*?)[\s;]*\}?\s*\Z")
"""A function in place, with what it does."""

_OWN_USES = 2
"""The uses of the name of a function that is only declared and added as a listener."""


def missed_listeners(extension: Extension) -> Iterator[tuple[Script, GlobalUse, str]]:
    """Yields the places where a content script certainly adds such a listener, and when the script runs.

    A script that asks for the state of the page, or that calls the function at another place, may know this.
    """
    missed = _MISSED.get(engine_of(extension.target.name), frozenset({_IDLE}))
    for script in extension.scripts:
        text = script.index.text
        if not script.is_only_content_script or EVENT.encode() not in text or _STATE in text:
            continue
        times = {_time_of(extension, each) for each in script.contexts}
        if is_generated(script) or not times <= missed:
            continue
        for use in extension.searches.global_uses(script, _NAMES, watched_globals(extension), _is_for_event):
            if use.on_load and _is_used_once(text, use.arguments):
                yield script, use, str(min(map(str, times)))


def _is_for_event(_name: str, arguments: tuple[Value, ...]) -> bool:
    return len(arguments) > 1 and isinstance(arguments[0], Literal) and arguments[0].value == EVENT


def _is_used_once(text: bytes, arguments: tuple[Value, ...]) -> bool:
    """Whether the listener, or what it does, is nowhere else in the script."""
    start, end = arguments[1].span or (0, 0)
    listener = text[start:end]
    if listener.replace(b"_", b"a").replace(b"$", b"a").isalnum():
        return len([*word_occurrences(text, listener, 0, len(text))]) <= _OWN_USES
    body = _BODY.search(listener)
    return body is not None and text.count(body[1]) == 1


def _time_of(extension: Extension, context: Context) -> str | None:
    """Returns when a script runs in a context, or None if the manifest does not say it."""
    step = context.step
    first = None if step is None or not context.certain else step.first or step
    return None if first is None else _times(extension).get((first.path, first.span))


@query
def _times(extension: Extension) -> Mapping[tuple[str, ByteSpan], str]:
    """The times at which the manifest runs content scripts, by their names in it."""
    manifest, found = extension.manifest, dict[tuple[str, ByteSpan], str]()
    for each in file_references(manifest):
        match each.pointer.split("/"):
            case ["", "content_scripts", entry, "js", _]:
                time = manifest.get("content_scripts", int(entry), "run_at")
                found[manifest.path, each.node.span] = _IDLE if time is None else str(time.value)
    return found
