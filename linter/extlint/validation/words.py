"""How the explanation of a refused value speaks of values, types and formats."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from extlint.formats.registry import FORMATS
from extlint.text.wording import quoted, with_article
from extlint.validation.mistake import Steps

_TITLES = {
    "application_version": "browser version",
    "canonical-domain": "domain name",
    "chrome-file": "file path",
    "chrome-page": "file path",
    "color": "color",
    "csp": "content security policy",
    "csp-sandbox": "content security policy for sandboxed pages",
    "date": "date",
    "extension_id": "extension id",
    "firefox-file": "file path",
    "gecko-id": "add-on id",
    "glob": "glob",
    "gradient": "gradient",
    "homepage-url": "URL",
    "hostname": "host name",
    "icon_size": "size in pixels",
    "image-data-or-path": "image",
    "locale": "locale",
    "match_pattern": "match pattern",
    "origin": "origin",
    "relative-url": "path in the extension",
    "shortcut": "shortcut",
    "strict-relative-url": "path in the extension",
    "url": "URL",
    "version": "version",
}
"""What a text of a format is, by the format's name or by the module that judges it."""

_EXAMPLES = {
    "application_version": "115.0",
    "canonical-domain": "example.org",
    "chrome-extension-id": "abcdefghijklmnopabcdefghijklmnop",
    "chrome-file": "images/icon.png",
    "chrome-page": "options.html",
    "chrome-shortcut-chromeos": "Search+Shift+Y",
    "chrome-shortcut-mac": "Command+Shift+Y",
    "color": "#ff8800",
    "csp": "script-src 'self'; object-src 'self'",
    "csp-sandbox": "sandbox allow-scripts; script-src 'self'",
    "firefox-file": "images/icon.png",
    "gecko-id": "name@example.org",
    "homepage-url": "https://example.org/",
    "gradient": "linear-gradient(to right, red, blue)",
    "hostname": "example.org",
    "image-data-or-path": "images/header.png",
    "locale": "pt_BR",
    "match_pattern": "https://*.example.org/*",
    "origin": "https://example.org",
    "relative-url": "popup.html",
    "shortcut": "Ctrl+Shift+Y",
    "strict-relative-url": "popup.html",
    "url": "https://example.org/",
    "version": "1.2.3",
}
"""A text of each format of which no example is in the reason why a text is not of it."""

MAX_NUMBER_LENGTH = 20
"""Longer texts are not taken for numbers."""

MAX_VALUES_SHOWN = 8
"""Of more than MAX_VALUES allowed values a message lists so many."""

MAX_VALUES = 15
"""A message lists so many allowed values."""


def kind_of(value: object) -> str:
    """What a JSON value is, as people say it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string" if value else "an empty string"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, Sequence):
        return "a list"
    return "a number"


def unquoted(value: object, names: str | Sequence[str]) -> bool | int | None:
    """A number, true or false that stands in quotes, where a value of that type is wanted."""
    if not isinstance(value, str) or len(value) > MAX_NUMBER_LENGTH:
        return None
    if value in ("true", "false"):
        return value == "true" if "boolean" in names else None
    is_number = value.isascii() and value.isdecimal() and not (value.startswith("0") and value != "0")
    return int(value) if is_number and ("integer" in names or "number" in names) else None


def form_of(value: object) -> str:
    """What a JSON value is, with what it is made of: `a list of strings`."""
    if isinstance(value, Sequence) and value and all(isinstance(each, str) for each in value):
        return "a string" if isinstance(value, str) else "a list of strings"
    return kind_of(value)


def title(format_name: str) -> str:
    """What a text of a format is, without an article."""
    return _TITLES.get(format_name) or _TITLES[FORMATS[format_name].module]


def example(format_name: str) -> str | None:
    """A text of a format; None for one of which any text is, or whose reasons have an example."""
    return _EXAMPLES.get(format_name) or _EXAMPLES.get(FORMATS[format_name].module)


def for_example(format_name: str) -> str | None:
    """A help that has a right text of a format."""
    text = example(format_name)
    return None if text is None else f"a valid {title(format_name)} is {quoted(text)}"


def between(least: float, most: float) -> str:
    """A number that has two limits: `2 or 3`, `from 1 to 10`."""
    return f"{least} or {most}" if most - least == 1 else f"from {least} to {most}"


def no_such(format_name: str) -> str:
    """That a text is not of a format: `not a valid match pattern`."""
    return f"not a valid {title(format_name)}"


def some(format_name: str) -> str:
    """A text of a format: `a match pattern`."""
    return with_article(title(format_name))


def shown(value: Any) -> str:
    """A scalar as it stands in JSON, in code quotes."""
    return quoted(json.dumps(value, ensure_ascii=False)) if not isinstance(value, str) else quoted(value)


def written(text: str) -> str:
    """A text in code quotes, or what it is if nothing of it could be seen there."""
    if not text:
        return "an empty string"
    return "a blank string" if text.isspace() else quoted(text)


def whole_place(steps: Steps) -> str:
    """A place by all keys that lead to it: `background.scripts`."""
    return quoted(".".join(step for step in steps if isinstance(step, str)))


def place(steps: Steps) -> str:
    """A place by the key that people know it by: `matches`, or an item of `matches`."""
    if not steps:
        return "the manifest"
    named = next((step for step in reversed(steps) if isinstance(step, str)), None)
    if named is None:
        return "this item"
    if named.isdecimal() and len(steps) > 1:
        return whole_place(steps[-2:])
    return quoted(named) if steps[-1] == named else f"an item of {quoted(named)}"
