"""Describes regular expressions in Firefox's schemas, as text that follows "must be", with an example."""

from __future__ import annotations

from collections.abc import Mapping

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
