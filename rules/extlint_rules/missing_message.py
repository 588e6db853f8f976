"""Finds names of messages that the default locale does not have.

## What it does

Checks each `__MSG_name__` in the manifest and in style sheets, and each `i18n.getMessage("name")` in a
script, and reports a name for which `messages.json` of the default locale has no message. Letter case is
ignored. The messages that browsers define themselves, such as `@@ui_locale`, are known. In an extension
without `_locales` only the first name is reported.

Browsers do not replace names in pages. The rule reports one there, unless code of the package has `MSG_` and
may replace it.

A name that is computed while the script runs is not reported, and neither is one where the script tests
for the message or has a fallback (`getMessage(name) || "Title"`), or in a function that nothing calls. In a
library, only code that is known to run counts. Of several names that are possible in one place, misspelled
ones are reported, or all of them if none exists. Nothing is reported if the file of the default locale is
missing or cannot be read. In the source of a build, messages in other JSON files of the default locale's
folder count, too.

## Why is this bad

If the user's language has no such message, browsers use the one of the default locale. If that is missing
too, Chrome does not load an extension whose manifest uses the message, Firefox shows `__MSG_name__`, and
`getMessage` returns an empty string.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "__MSG_titel__",
  "version": "1.0",
  "default_locale": "en"
}
```

```json _locales/en/messages.json
{"title": {"message": "List"}}
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "__MSG_title__",
  "version": "1.0",
  "default_locale": "en"
}
```

```json _locales/en/messages.json
{"title": {"message": "List"}}
```

## References

* <https://developer.chrome.com/docs/extensions/reference/api/i18n>
* <https://developer.mozilla.org/en-US/docs/Mozilla/Add-ons/WebExtensions/Internationalization>
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.checks.locales.catalogs import (
    EXTENSION_ID,
    PREDEFINED,
    MessageReference,
    Messages,
    message_references,
    messages_of,
    occurs_literally,
)
from extlint.checks.locales.folders import may_have_locales, target_browser
from extlint.extension import Extension
from extlint.finding import Finding
from extlint.package.suffixes import is_page
from extlint.project.build_tools import is_library
from extlint.registry import RULES
from extlint.schema.engine import Engine
from extlint.schema.targets import engine_of
from extlint.text.wording import did_you_mean, listed, quoted

RULE = RULES["missing-message"]

MAX_LOCALES = 3
"""The maximum number of other locales with the message that are named."""


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each name of a message that does not exist."""
    messages = messages_of(extension)
    if messages is not None:
        for named in message_references(extension):
            for message in (*_mistakes(extension, named, messages), *_premature_id(extension, named)):
                yield RULE.at(named.path, named.span, message)
        yield from _in_pages(extension, messages)
    elif not may_have_locales(extension):
        for named in [each for each in message_references(extension) if _is_own(each)][:1]:
            message = (
                f"the message {quoted(named.names[0])} does not exist: the package has no folder `_locales`"
            )
            yield RULE.at(named.path, named.span, message)


def _in_pages(extension: Extension, messages: Messages) -> Iterator[Finding]:
    """Yields one finding for each page with names of messages that nothing replaces."""
    package = extension.package
    named_pages = dict.fromkeys(each.path for each in extension.named_files if is_page(each.path))
    pages = [each for each in named_pages if each in package and b"__MSG_" in package.read(each)]
    if not pages:
        return
    from extlint_rules.helpers.unreplaced_messages import unreplaced_messages

    for named in unreplaced_messages(extension, pages, messages):
        text = quoted(f"__MSG_{named.names[0]}__")
        yield RULE.at(
            named.path,
            named.span,
            f"browsers do not replace {text} in a page, and no script of the package does",
            help="let a script of the page write the text of `i18n.getMessage`",
        )


def _is_own(named: MessageReference) -> bool:
    """Whether a reference certainly names a message that browsers do not define."""
    return not named.is_broken and not named.is_open and PREDEFINED.isdisjoint(map(str.lower, named.names))


def _premature_id(extension: Extension, named: MessageReference) -> Iterator[str]:
    """Yields a message if the manifest uses the extension id.

    Chromium 156 rejects this because the id is not yet known.
    """
    is_like_chrome = engine_of(target_browser(extension)) is Engine.CHROMIUM
    if is_like_chrome and named.path == extension.manifest.path and named.names[0].lower() == EXTENSION_ID:
        yield f"the message {quoted(EXTENSION_ID)} does not exist yet when Chrome reads the manifest"


def _mistakes(extension: Extension, named: MessageReference, messages: Messages) -> Iterator[str]:
    """Yields the mistakes in a reference to messages.

    If it may name an existing message, only a misspelled one is certainly a mistake.
    """
    first = named.names[0]
    if named.is_broken:
        if messages.has(first):
            yield "browsers do not replace this with a message" + did_you_mean(f"__MSG_{first}__")
        return
    missing = [name for name in named.names if not messages.has(name)]
    if named.script is not None:
        missing = [name for name in missing if occurs_literally(extension, name)]
    if missing and _is_in_dead_code(extension, named):
        return
    if named.is_open or 0 < len(missing) < len(named.names):
        yield from (
            _missing_in_default([name], messages) for name in missing if messages.nearest(name) is not None
        )
    elif missing:
        yield _missing_in_default(missing, messages)


def _is_in_dead_code(extension: Extension, named: MessageReference) -> bool:
    """Whether nothing calls the function that asks for a message; in a library, nothing that is known."""
    script, reference = named.script, named.reference
    if script is None or reference is None:
        return False
    from extlint.checks.availability.exemptions import may_be_unused

    return is_library(script) and may_be_unused(extension, script, reference)


def _missing_in_default(names: list[str], messages: Messages) -> str:
    locale = messages.default.locale
    message = f"the default locale {quoted(locale)} has no message {listed([*map(quoted, names)], 'or')}"
    other_locales = messages.locales_with(names[0])
    if other_locales:
        return f"{message}; {_locales_text(other_locales)}"
    return message + did_you_mean(messages.nearest(names[0]))


def _locales_text(names: tuple[str, ...]) -> str:
    more = len(names) - MAX_LOCALES
    shown = [*map(quoted, names[:MAX_LOCALES]), *([f"{more} more"] if more > 0 else [])]
    return f"{listed(shown, 'and')} {'have' if len(names) > 1 else 'has'} it"
