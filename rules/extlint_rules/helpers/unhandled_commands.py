"""Finds manifest commands that no code handles.

Chromium 156 (verified) and Firefox 153 (according to its source) ignore a command `_execute_…` if the
manifest does not have its key; in the other manifest version Firefox treats it like any other command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from extlint.analysis.facts.values import Delivery, Literal, options_of
from extlint.checks.reachability.closed_world import is_closed_world
from extlint.extension import Extension, Script
from extlint.manifest.misspelled_keys import COMMANDS, has_key, intended_command
from extlint.package.nearest_path import shared_affix_length
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.schema.engine import Engine
from extlint.text.json.values import Member
from extlint.text.nearest import nearest
from extlint.text.patterns import isolated_word, lazy
from extlint.text.positions import ByteSpan

MAX_CHECKED_COMMANDS = 2_000
"""The maximum number of commands of one extension that are checked."""

MAX_COMMANDS = 200
"""The maximum number of commands whose names are searched for in scripts."""

EVENT = ("commands", "onCommand")

_NO_DIGITS = lazy(r"[^0-9]+")
_BETWEEN_WORDS = lazy(r"[-_ .:]+")
_SIDEBAR = "_execute_sidebar_action"
_BUTTONS = {2: "_execute_browser_action", 3: "_execute_action"}
"""The command that activates the extension's button, by manifest version."""

_REMOVED = ("_execute_browser_action", "_execute_page_action")
"""The commands that Chromium reports as unknown in Manifest V3: `wrong-manifest-version` reports them."""


class UnhandledCommand(Struct, frozen=True):
    """A command that does nothing.

    At most one of these reasons is set: `missing_key` is the manifest key that it requires;
    `suggestion` is the correct name, and `comparison` the script and the span in it that expect that name.
    """

    name: str
    member: Member
    missing_key: str | None = None
    suggestion: str | None = None
    comparison: tuple[Script, ByteSpan] | None = None


@query
def unhandled_commands(extension: Extension) -> tuple[UnhandledCommand, ...]:
    """The commands of the manifest that certainly do nothing, in order."""
    if next(islice(extension.manifest.members("commands"), MAX_COMMANDS, None), None) is not None:
        what = f"the names of the first {MAX_COMMANDS} commands are searched for in scripts"
        extension.package.unchecked.add(extension.manifest.path, what)
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
    if _never_handles_commands(extension):
        return UnhandledCommand(name, member)
    expected = _misspelled(extension).get(name)
    if expected is None:
        return None
    script, text, span = expected
    return UnhandledCommand(name, member, suggestion=text, comparison=(script, span))


@query(is_kept=True)
def _never_handles_commands(extension: Extension) -> bool:
    """Whether no script of the package can listen to commands."""
    if not extension.scripts:
        package = extension.package
        return package.complete and all(each.path in package for each in extension.named_files)
    return is_closed_world(extension) and not words_of(extension).has(EVENT[1])


@query
def _misspelled(extension: Extension) -> dict[str, tuple[Script, str, ByteSpan]]:
    """Returns the commands that no script names although one expects a similar name, and that location."""
    commands = [name for name, _ in islice(extension.manifest.members("commands"), MAX_COMMANDS)]
    texts = [text for text, _ in words_of(extension).texts.values()] if commands else []
    unnamed = [name for name in commands if not any(_contains_name(text, name) for text in texts)]
    found: dict[str, tuple[Script, str, ByteSpan]] = {}
    for script in extension.scripts if unnamed else ():
        for text, span in _expected_names(script):
            meant = nearest(text, commands)
            if meant in unnamed and _is_minor_misspelling(text, meant):
                found.setdefault(meant, (script, text, span))
    return found


def _contains_name(text: bytes, name: str) -> bool:
    """Whether a text contains a name that is not part of a longer one."""
    encoded_name = name.encode("utf-8", "replace")
    return encoded_name in text and re.search(isolated_word(encoded_name, rb"\w$-"), text) is not None


def _is_minor_misspelling(written: str, meant: str) -> bool:
    """Whether two names differ only in letter case, in word separators, or in a single letter.

    `toggle-on` is not `toggle-off`, and `tab-1` is not `tab-2`.
    """
    if _NO_DIGITS.sub(" ", written) != _NO_DIGITS.sub(" ", meant):
        return False
    one, other = (_BETWEEN_WORDS.sub("", each).casefold() for each in (written, meant))
    if one == other or (abs(len(one) - len(other)) <= 1 and sorted(one) == sorted(other)):
        return True
    return max(len(one), len(other)) - shared_affix_length(one, other) <= 1


def _expected_names(script: Script) -> Iterator[tuple[str, ByteSpan]]:
    """Yields the strings that a script compares with the names of commands, with their spans."""
    for each in script.facts.comparisons:
        of = each.of
        if of.path == EVENT and of.delivery is Delivery.LISTENER and of.index == 0 and not of.steps:
            for option in options_of(each.with_):
                if isinstance(option, Literal) and isinstance(option.value, str) and option.span is not None:
                    yield option.value, option.span
