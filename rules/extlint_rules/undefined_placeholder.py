"""Finds placeholders in messages that are not defined.

## What it does

Checks each message of each `_locales/*/messages.json`, and reports a `$NAME$` in its text that is not
defined in its `placeholders`, with the nearest name that is. Letter case is ignored.

## Why is this bad

Chrome does not load an extension with such a message, in any language. Firefox removes `$NAME$` from the
text. Write a dollar sign that does not begin a placeholder as `$$`.

## Example

```json _locales/en/messages.json
{"hello": {"message": "Hello, $NAME$!"}}
```

```json manifest.json
{"manifest_version": 3, "name": "List", "version": "1.0", "default_locale": "en"}
```

## Use instead

```json _locales/en/messages.json
{"hello": {"message": "Hello, $NAME$!", "placeholders": {"name": {"content": "$1"}}}}
```

```json manifest.json
{"manifest_version": 3, "name": "List", "version": "1.0", "default_locale": "en"}
```

## References

* <https://developer.chrome.com/docs/extensions/how-to/ui/localization-message-formats>
* <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/API/i18n/Locale-Specific_Message_reference>
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from extlint.checks.locales.catalogs import messages_files
from extlint.checks.locales.mistakes import undefined_placeholders
from extlint.extension import Extension
from extlint.finding import Finding, Related
from extlint.project.contexts.json_files import JsonFile
from extlint.queries.query import query
from extlint.registry import RULES
from extlint.text.positions import Span
from extlint.text.wording import did_you_mean, quoted

RULE = RULES["undefined-placeholder"]


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each such placeholder of each file, at the first message that has it."""
    places: dict[tuple[str, str], list[Span]] = {}
    for file, name, placeholders in _messages_with_undefined(extension):
        for placeholder, near in placeholders:
            meant = did_you_mean(None if near is None else f"${near}$")
            message = f"the placeholder {quoted(f'${placeholder}$')} is not defined{meant}"
            places.setdefault((file.path, message), []).append(file.span_at((name, "message")))
    for (path, message), (first, *others) in places.items():
        related = (Related(path, each, "it is also used here") for each in others)
        yield RULE.at(path, first, message, related=tuple(related))


@query(is_of_package=True)
def _messages_with_undefined(
    extension: Extension,
) -> Sequence[tuple[JsonFile, str, Sequence[tuple[str, str | None]]]]:
    """Returns messages with undefined placeholders: file, name, and placeholders with their nearest names."""
    return [
        (file, name, found)
        for file, entries in messages_files(extension)
        for name, entry in entries.items()
        if isinstance(entry, dict)
        and "$" in str(entry.get("message"))
        and (found := list(undefined_placeholders(entry)))
    ]
