"""Finds manifest commands that no code handles.

Chromium 156 (verified) and Firefox 153 (according to its source) ignore a command `_execute_…` if the
manifest does not have its key; in the other manifest version Firefox treats it like any other command.
"""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.extension import Extension
from extlint.manifest.misspelled_keys import COMMANDS, has_key, intended_command
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.json.values import Member

MAX_CHECKED_COMMANDS = 2_000
"""The maximum number of commands of one extension that are checked."""

EVENT = ("commands", "onCommand")

_SIDEBAR = "_execute_sidebar_action"
_BUTTONS = {2: "_execute_browser_action", 3: "_execute_action"}
"""The command that activates the extension's button, by manifest version."""

_REMOVED = ("_execute_browser_action", "_execute_page_action")
"""The commands that Chromium reports as unknown in Manifest V3: `wrong-manifest-version` reports them."""


class UnhandledCommand(Struct, frozen=True):
    """A command that does nothing.

    At most one of these reasons is set: `missing_key` is the manifest key that it requires, and `suggestion`
    the correct name.
    """

    name: str
    member: Member
    missing_key: str | None = None
    suggestion: str | None = None


@query
def unhandled_commands(extension: Extension) -> tuple[UnhandledCommand, ...]:
    """The commands of the manifest that certainly do nothing, in order."""
    return tuple(
        found
        for name, member in islice(extension.manifest.members("commands"), MAX_CHECKED_COMMANDS)
        if (found := _unhandled(extension, name, member)) is not None
    )


def _unhandled(extension: Extension, name: str, member: Member) -> UnhandledCommand | None:
    manifest = extension.manifest
    button = _BUTTONS[manifest.version]
    is_chrome = extension.target.engine is Engine.CHROMIUM
    if is_chrome and manifest.version == 3 and name in _REMOVED:
        return None
    if name in _BUTTONS.values() and name != button:
        if manifest.get("commands", button) is not None or not (
            is_chrome or _never_handles_commands(extension)
        ):
            return None
        return UnhandledCommand(name, member, suggestion=button)
    if name in COMMANDS:
        is_there = has_key(manifest, COMMANDS[name]) or (name == _SIDEBAR and is_chrome)
        return (
            None
            if is_there or may_be_completed(extension, COMMANDS[name])
            else UnhandledCommand(name, member, missing_key=COMMANDS[name])
        )
    special = intended_command(name)
    if special is not None and not words_of(extension).has(name):
        return UnhandledCommand(name, member, suggestion=special)
    if name.startswith("_execute_"):
        return None
    return UnhandledCommand(name, member) if _never_handles_commands(extension) else None


@query(is_kept=True)
def _never_handles_commands(extension: Extension) -> bool:
    """Whether no script of the package can listen to commands."""
    return has_all_own_code(extension) and not words_of(extension).has(EVENT[1])
