"""Finds folders in `_locales` that no browser reads.

## What it does

Checks each folder of `_locales` with a `messages.json`, and reports a name that is not a locale, or that is
not the name browsers use for the language: `jp` for Japanese, which is `ja`. Under the targets of Chrome and
Edge it also reports names with other letter case or a hyphen (`pt-BR` for `pt_BR`), which Firefox accepts,
and names for which Chrome uses another one (`en_UK` for `en_GB`). A language that is merely unknown is not
reported, and neither is one that also has a folder with the right name. Mistakes in the default locale are
reported in the manifest.

## Why is this bad

Browsers silently ignore the folder, and show the messages of the default locale.

## Example

```json manifest.json
{"manifest_version": 3, "name": "__MSG_name__", "version": "1.0", "default_locale": "en"}
```

```json _locales/en/messages.json
{"name": {"message": "List"}}
```

```json _locales/jp/messages.json
{"name": {"message": "リスト"}}
```

## Use instead

```json manifest.json
{"manifest_version": 3, "name": "__MSG_name__", "version": "1.0", "default_locale": "en"}
```

```json _locales/en/messages.json
{"name": {"message": "List"}}
```

```json _locales/ja/messages.json
{"name": {"message": "リスト"}}
```

## References

* <https://developer.chrome.com/docs/extensions/reference/api/i18n#locales>
* <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/Internationalization>
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.locales.folders import (
    folders_of,
    ignored_messages,
    intended_locale,
    is_locale,
    target_browser,
)
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.registry import RULES
from extlint.schema.targets import browser_name
from extlint.text.positions import Position, Span
from extlint.text.wording import did_you_mean, quoted

RULE = RULES["unknown-locale"]

START = Position(1, 1)


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding for each folder, at the start of its messages."""
    browser, folders = target_browser(extension), folders_of(extension).with_messages
    for folder, path in ignored_messages(extension).items():
        near = intended_locale(folder)
        if near not in folders if near is not None else not is_locale(folder):
            subject = "no browser" if browser is None else browser_name(browser)
            does = "reads" if browser is None else "does not read"
            meant = did_you_mean(near)
            yield RULE.at(
                path,
                Span(START, START),
                f"{subject} {does} the locale {quoted(folder)}{meant}",
                general=f"the locale {quoted(folder)} is ignored",
                reason=meant.removeprefix("; "),
            )
