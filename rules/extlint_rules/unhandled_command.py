"""Finds commands in the manifest that do nothing.

## What it does

Looks for the code that handles each command in `commands`. It reports a command if no script of the package
uses `commands.onCommand`, provided that every script is there and was followed to its end. It also reports
names such as `_execute_action` if the manifest does not have the key that they are for, or if they belong to
the other manifest version. If a listener compares the name with a command that the manifest does not have,
`impossible-comparison` reports the comparison.

## Why is this bad

Users press the keys, and nothing happens.

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

from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.text.wording import did_you_mean, manifest_v, quoted
from extlint_rules.helpers.unhandled_commands import UnhandledCommand, unhandled_commands

RULE = RULES["unhandled-command"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each command that no code handles."""
    manifest = extension.manifest
    for each in unhandled_commands(extension):
        yield RULE.at(manifest.path, manifest.span(each.member.key), _message(extension, each))


def _message(extension: Extension, unhandled: UnhandledCommand) -> str:
    name = quoted(unhandled.name)
    if unhandled.missing_key is not None:
        return f"the command {name} does nothing because the manifest has no {quoted(unhandled.missing_key)}"
    if unhandled.suggestion is not None:
        version = manifest_v(extension.manifest_version)
        return f"the command {name} does nothing in {version}{did_you_mean(unhandled.suggestion)}"
    return f"no script handles the command {name}: none uses {quoted('commands.onCommand')}"
