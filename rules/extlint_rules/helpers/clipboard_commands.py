"""Finds commands of documents that use the clipboard, where they require a permission.

Without a user action, `document.execCommand` returns `false` and does nothing if the permission is missing
(Chromium 156, Firefox 153: `extlint_judge clipboard-commands`). Documents that are never shown have no user
action, except that a background page may copy, but not paste, after an event such as
`browserAction.onClicked`, `menus.onClicked` or `commands.onCommand`. The page keeps the action for about five
seconds, so that the code of any other event may use it (asked in Firefox 153). In Chromium, reading always
requires the permission.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import FailureHandling, GlobalUse
from extlint.analysis.facts.values import Literal, Value, options_of
from extlint.checks.api.absent_globals import watched_globals
from extlint.checks.api.manifest_requests import is_requested
from extlint.checks.availability.missing_globals import fails_on
from extlint.checks.calls.required_permissions import RejectedCall
from extlint.checks.reachability.unreachable_code import in_each_script
from extlint.extension import Extension, Script
from extlint.project.rewritten_keys import may_add_request
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.patterns import lazy
from extlint_rules.helpers.host_access import USER_EVENTS

COMMAND = "document.execCommand"
_CALL = lazy(rb"execCommand(?:\(\s*[\"'`](\w*)[\"'`]\s*[,)])?")
"""Matches a use of the function, with the command if that is a constant."""
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
    commands = _commands(extension, script)
    for use in _uses(extension, script, frozenset(commands)):
        required = commands[_text(use.arguments[0]) or ""]
        runs = any(
            fails_on(
                extension, script, each, frozenset(), is_everywhere=True, least=FailureHandling.RECOVERED
            )
            and not each.is_granted(required)
            for each in use.paths
        )
        may_copy = required == _WRITE and not use.on_load and _may_get_user_actions(extension, script)
        if runs and not may_copy:
            what = f'execCommand("{_text(use.arguments[0])}")'
            yield RejectedCall(script, use.span, COMMAND, what, required)


def _may_get_user_actions(extension: Extension, script: Script) -> bool:
    """Whether a script may run in a background page during an action of the user, or soon after one."""
    return _may_be_background(script) and _has_user_events(extension)


@query
def _has_user_events(extension: Extension) -> bool:
    """Whether a script of the background refers to an event that is an action of the user."""
    scripts = filter(_may_be_background, extension.scripts)
    return any(each.path[:2] in USER_EVENTS for script in scripts for each in script.facts.references)


def _may_be_background(script: Script) -> bool:
    kinds = {each.kind for each in script.contexts}
    return not kinds or not kinds.isdisjoint((ContextKind.BACKGROUND, ContextKind.UNKNOWN))


def _is_for_sibling(extension: Extension, script: Script, required: Sequence[str]) -> bool:
    """Whether another manifest with the same script requests the permission."""
    siblings = extension.searches.siblings(extension, script)
    return any(is_requested(other.manifest, required[0]) for other, _ in siblings)


def prefetch_commands(extension: Extension, script: Script) -> None:
    """Queries the commands of a script."""
    _uses(extension, script, frozenset(_commands(extension, script)))


def _commands(extension: Extension, script: Script) -> Mapping[str, tuple[str, ...]]:
    """Returns the commands that would fail in a script, with the permission that each requires."""
    engine = engine_of(extension.target.name)
    named = [each[1] for each in _CALL.finditer(script.index.text)] if engine and script.contexts else []
    if engine is None or not named:
        return {}
    kinds = {each.kind for each in script.contexts}
    return {
        command: required
        for command, (required, contexts) in _CONTEXTS.get(engine, {}).items()
        if (None in named or command.encode() in map(bytes.lower, named))
        and kinds <= contexts
        and not is_requested(extension.manifest, required[0])
        and not may_add_request(extension, required)
        and not _is_for_sibling(extension, script, required)
    }


def _uses(extension: Extension, script: Script, commands: frozenset[str]) -> Sequence[GlobalUse]:
    if not commands:
        return ()
    return extension.searches.global_uses(
        script, frozenset({COMMAND}), watched_globals(extension), _is_one_of(commands)
    )


@cache
def _is_one_of(commands: frozenset[str]) -> Callable[[str, tuple[Value, ...]], bool]:
    """Returns a test of arguments, the same for the same commands."""
    return lambda _, arguments: bool(arguments) and _text(arguments[0]) in commands


def _text(value: Value) -> str | None:
    options = options_of(value)
    text = options[0].value if len(options) == 1 and isinstance(options[0], Literal) else None
    return text.lower() if isinstance(text, str) else None
