"""Describes the formats of strings, and regular expressions: a noun or a phrase for each, and an example."""

from __future__ import annotations

from collections.abc import Mapping

from extlint.text.formats.registry import FORMATS
from extlint.text.wording import quoted, with_article

_TITLES = {
    "application_version": "browser version",
    "canonical-domain": "domain name",
    "chrome-extension-id": "extension id",
    "chrome-file": "file path",
    "chrome-page": "file path",
    "color": "color",
    "csp": "content security policy",
    "csp-sandbox": "content security policy for sandboxed pages",
    "date": "date",
    "firefox-file": "file path",
    "gecko-id": "add-on id",
    "glob": "glob",
    "gradient": "gradient",
    "homepage-url": "URL",
    "hostname": "host name",
    "icon-size": "size in pixels",
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
"""A noun for a text of a format, by the format's name or by the module that validates it."""

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
"""An example of each format whose error messages do not contain one."""


def title(format_name: str) -> str:
    """Returns the noun for a text of a format, without an article."""
    return _TITLES.get(format_name) or _TITLES[FORMATS[format_name].module]


def example(format_name: str) -> str | None:
    """Returns an example of a format.

    Returns None if it accepts any text or its error messages contain an example.
    """
    return _EXAMPLES.get(format_name) or _EXAMPLES.get(FORMATS[format_name].module)


def example_help(format_name: str) -> str | None:
    """Returns a help text with an example of a format, or None."""
    text = example(format_name)
    return None if text is None else f"a valid {title(format_name)} is {quoted(text)}"


def not_a_valid(format_name: str) -> str:
    """Returns the phrase for a text that does not match a format: `not a valid match pattern`."""
    return f"not a valid {title(format_name)}"


def title_with_article(format_name: str) -> str:
    """Returns the noun for a text of a format, with an article: `a match pattern`."""
    return with_article(title(format_name))


MAX_PATTERN_LENGTH = 60
"""The length above which regular expressions are cut in messages."""

_NAME = r"^\w+(\.\w+)*$"
_GUID = r"^\{[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\}$"

EXAMPLES: Mapping[str, tuple[str, str]] = {
    r"^[1-9]\d*$": ("a time in milliseconds since 1970, such as", "1457078400000"),
    r"^(sha256|sha512):[0-9a-fA-F]{64,128}$": (
        "the name of a hash and its hexadecimal digits, such as",
        "sha256:" + "0123456789abcdef" * 4,
    ),
    _GUID: ("the id of an extension, such as", "{01234567-89ab-cdef-0123-456789abcdef}"),
    r"^[a-zA-Z0-9-._]*@[a-zA-Z0-9-._]+$": ("the id of an extension, such as", "name@example.org"),
    r"^https?://.*$": ("a URL that begins with `http://` or `https://`, such as", "https://example.org/"),
    r"^(https?|wss?|file|ftp|\*)://(\*|\*\.[^*/]+|[^*/]+)/.*$": (
        "a match pattern, such as",
        "https://*.example.org/*",
    ),
    r"^file:///.*$": ("a match pattern for files, such as", "file:///home/*"),
    r"^resource://(\*|\*\.[^*/]+|[^*/]+)/.*$|^about:": ("a match pattern, such as", "resource://*/*"),
    _NAME: ("a name of letters, digits and `_`, with dots between its parts, such as", "org.example.app"),
    r"^experiments(\.\w+)+$": ("the permission of an experiment, such as", "experiments.name"),
    r"^(ext|web)\+[a-z0-9.+-]+$": ("a scheme that begins with `ext+` or `web+`, such as", "web+notes"),
    r"^[a-z0-9][a-z0-9-]+[a-z0-9]$": ("a name of lowercase letters, digits and `-`, such as", "first-run"),
}
"""Description and example, by regular expression. Those of manifests are in the manifest schemas."""


def pattern_description(pattern: str) -> str | None:
    """Returns a description of the texts that a regular expression matches, or None if it has none."""
    found = EXAMPLES.get(pattern)
    return None if found is None else f"{found[0]} `{found[1]}`"


def expected_text(pattern: str) -> str:
    """Returns a phrase for a string that a regex matches: its description, or the expression itself."""
    is_long = len(pattern) > MAX_PATTERN_LENGTH
    shown = pattern[: MAX_PATTERN_LENGTH - 1] + "…" if is_long else pattern
    return pattern_description(pattern) or f"a string that matches /{shown}/"
