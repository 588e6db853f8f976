"""Finds commands in the manifest, and keywords of the address bar, that do nothing.

## What it does

Looks for the code that handles each command in `commands`. It reports a command if no script of the package
uses `commands.onCommand`, provided that every script is there and was followed to its end. It also reports
names such as `_execute_action` if the manifest does not have the key that they are for, or if they belong to
the other manifest version. If a listener compares the name with a command that the manifest does not have,
`impossible-comparison` reports the comparison.

The keyword of `omnibox` is reported in the same way if no script uses an event of `omnibox`.

## Why is this bad

Users press the keys, or type the keyword and a text, and nothing happens.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Mute",
  "version": "1.0",
  "background": {"service_worker": "background.js"},
  "commands": {"mute-tab": {"description": "Mute the tab", "suggested_key": {"default": "Alt+M"}}}
}
```

```js background.js
chrome.runtime.onInstalled.addListener(() => console.log("installed"));
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Mute",
  "version": "1.0",
  "background": {"service_worker": "background.js"},
  "commands": {"mute-tab": {"description": "Mute the tab", "suggested_key": {"default": "Alt+M"}}}
}
```

```js background.js
chrome.commands.onCommand.addListener((command) => {
  if (command === "mute-tab") console.log("mute");
});
```

## References

* Chrome: <https://developer.chrome.com/docs/extensions/reference/api/commands#action_commands>
* Firefox: <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/manifest.json/commands>
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from extlint.checks.reachability.closed_world import has_all_own_code
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.manifest.manifest import BUTTON_COMMANDS, COMMANDS, has_key, intended_command
from extlint.project.builds import may_be_completed
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.text.json.values import JsonNode, Member
from extlint.text.wording import did_you_mean, manifest_v, quoted

# Chromium 156 (verified) and Firefox 153 (according to its source) ignore a command `_execute_…` if the
# manifest does not have its key. Firefox treats one of the other manifest version, or one that it does not
# know, like any other command (`extlint_judge reserved-commands`).

MAX_CHECKED_COMMANDS = 2_000
"""The maximum number of commands of one extension that are checked."""

_EVENT = "onCommand"

_OMNIBOX_EVENTS = ("onInputChanged", "onInputEntered", "onInputStarted")
_SIDEBAR = "_execute_sidebar_action"
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
    button = BUTTON_COMMANDS[manifest.version]
    is_chrome = extension.target.engine is Engine.CHROMIUM
    if is_chrome and manifest.version == 3 and name in _REMOVED:
        return None
    if name in BUTTON_COMMANDS.values() and name != button:
        if manifest.get("commands", button) is not None or not (
            is_chrome or _listens_to_none(extension, _EVENT)
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
    if name.startswith("_execute_") and extension.target.engine is not Engine.GECKO:
        return None
    return UnhandledCommand(name, member) if _listens_to_none(extension, _EVENT) else None


@query(is_kept=True)
def _listens_to_none(extension: Extension, *events: str) -> bool:
    """Whether no script of the package can listen to any event of these names."""
    return has_all_own_code(extension) and not any(map(words_of(extension).has, events))


def _unhandled_keyword(extension: Extension) -> JsonNode | None:
    """Returns the keyword in the address bar if no script can listen to what follows it."""
    keyword = extension.manifest.get("omnibox", "keyword")
    return keyword if keyword is not None and _listens_to_none(extension, *_OMNIBOX_EVENTS) else None


RULE = RULES["unhandled-command"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each command, and for the keyword, that no code handles."""
    manifest = extension.manifest
    for each in unhandled_commands(extension):
        yield RULE.at(*manifest.place(each.member.key), _message(extension, each))
    keyword = _unhandled_keyword(extension)
    if keyword is not None:
        yield RULE.at(
            *manifest.place(keyword.span),
            f"no script handles the keyword {quoted(str(keyword.value))}: "
            f"none uses {quoted('omnibox.onInputEntered')}",
        )


def _message(extension: Extension, unhandled: UnhandledCommand) -> str:
    name = quoted(unhandled.name)
    if unhandled.missing_key is not None:
        return f"the command {name} does nothing because the manifest has no {quoted(unhandled.missing_key)}"
    if unhandled.suggestion is not None:
        version = manifest_v(extension.manifest_version)
        return f"the command {name} does nothing in {version}{did_you_mean(unhandled.suggestion)}"
    return f"no script handles the command {name}: none uses {quoted('commands.onCommand')}"
