"""Finds commands of documents that use the clipboard, where they require a permission.

Without a user action, `document.execCommand` returns `false` and does nothing if the permission is missing
(Chromium 156, Firefox 153: `extlint_judge clipboard-commands`). Documents that are never shown have no user
action. In Chromium, reading always requires the permission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import FailureHandling, GlobalUse
from extlint.analysis.facts.values import Literal, Value, options_of
from extlint.checks.api.manifest_requests import is_requested
from extlint.checks.api.watched_globals import watched_globals
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.calls.rejected_calls import RejectedCall
from extlint.checks.reachability.each_script import in_each_script
from extlint.extension import Extension, Script
from extlint.project.rewritten_keys import may_add_request
from extlint.schema.engine import Engine
from extlint.schema.targets.request import engine_of

COMMAND = "document.execCommand"
_WORD = b"execCommand"
_READ, _WRITE = ("clipboardRead",), ("clipboardWrite",)
_HIDDEN = {
    Engine.CHROMIUM: frozenset({ContextKind.OFFSCREEN}),
    Engine.GECKO: frozenset({ContextKind.BACKGROUND}),
}
"""The documents of each browser in which the user does nothing."""

_READING = frozenset({ContextKind.CONTENT_SCRIPT, ContextKind.EXTENSION_PAGE, ContextKind.OFFSCREEN})
_CONTEXTS: Mapping[Engine, Mapping[str, tuple[tuple[str, ...], frozenset[ContextKind]]]] = {
    engine: {
        "copy": (_WRITE, hidden),
        "cut": (_WRITE, hidden),
        "paste": (_READ, _READING if engine is Engine.CHROMIUM else hidden),
    }
    for engine, hidden in _HIDDEN.items()
}
"""The permission that each command requires, and the contexts in which it does."""


@in_each_script
def rejected_commands(extension: Extension, script: Script) -> Iterator[RejectedCall]:
    """Yields the commands that certainly run in such a context, without the permission in the manifest."""
    if not _may_use(script):
        return
    kinds = {each.kind for each in script.contexts}
    for use in _uses(extension, script):
        required, contexts = _requirement(extension, use.arguments)
        if not required or not kinds <= contexts or is_requested(extension.manifest, required[0]):
            continue
        runs = any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.RECOVERED
            )
            and not each.is_granted(required)
            for each in use.paths
        )
        if (
            runs
            and not may_add_request(extension, required)
            and not _is_for_sibling(extension, script, required)
        ):
            what = f'execCommand("{_text(use.arguments[0])}")'
            yield RejectedCall(script, use.span, COMMAND, what, required)


def _is_for_sibling(extension: Extension, script: Script, required: Sequence[str]) -> bool:
    """Whether another manifest with the same script requests the permission."""
    siblings = extension.searches.siblings(extension, script)
    return any(is_requested(other.manifest, required[0]) for other, _ in siblings)


def prefetch_commands(extension: Extension, script: Script) -> None:
    """Queries the commands of a script."""
    if _may_use(script):
        _uses(extension, script)


def _may_use(script: Script) -> bool:
    return _WORD in script.index.text and bool(script.contexts)


def _uses(extension: Extension, script: Script) -> Sequence[GlobalUse]:
    return extension.searches.global_uses(
        script, frozenset({COMMAND}), watched_globals(extension), _is_about_clipboard
    )


def _is_about_clipboard(_name: str, arguments: tuple[Value, ...]) -> bool:
    return bool(arguments) and _text(arguments[0]) in {"copy", "cut", "paste"}


def _requirement(
    extension: Extension, arguments: Sequence[Value]
) -> tuple[tuple[str, ...], frozenset[ContextKind]]:
    """Returns the permission that a command requires, and the contexts in which it does."""
    engine = engine_of(extension.target.name)
    known = {} if engine is None else _CONTEXTS.get(engine, {})
    return known.get(_text(arguments[0]) or "", ((), frozenset()))


def _text(value: Value) -> str | None:
    options = options_of(value)
    text = options[0].value if len(options) == 1 and isinstance(options[0], Literal) else None
    return text.lower() if isinstance(text, str) else None
