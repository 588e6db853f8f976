"""Describes the formats of strings: a noun for each, and an example."""

from __future__ import annotations

from extlint.text.formats.registry import FORMATS
from extlint.text.wording import quoted, with_article

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
