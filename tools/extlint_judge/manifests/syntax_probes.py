"""Texts that try the syntax that browsers accept as JSON in a manifest."""

from __future__ import annotations

from collections.abc import Iterator

from extlint_judge.manifests.probes import Probe

TEXTS = {
    "a line comment": "// judge\n{%s}",
    "a line comment after a value": "{%s // judge\n}",
    "a block comment": "/* judge */{%s}",
    "a block comment over lines": "{/* jud\nge */%s}",
    "a raw line end in a string": '{%s, "description": "a\nb"}',
    "a raw carriage return in a string": '{%s, "description": "a\rb"}',
    "a raw tab in a string": '{%s, "description": "a\tb"}',
    "an escape by two digits": '{%s, "description": "a\\x41"}',
    "an escaped vertical tab": '{%s, "description": "a\\v"}',
    "half of a surrogate pair": '{%s, "description": "a\\ud800"}',
    "a comma at the end": "{%s,}",
    "a key twice": '{%s, "description": "a", "description": "b"}',
    "a byte order mark": "\N{ZERO WIDTH NO-BREAK SPACE}{%s}",
    "two slashes in a string": '{%s, "description": "http://example.com"}',
}
"""The tried texts, with `%s` for the minimal manifest."""


def syntax_probes(version: int) -> Iterator[Probe]:
    """Yields a probe for each text."""
    least = f'"manifest_version": {version}, "name": "judge", "version": "1.0"'
    for what, text in TEXTS.items():
        yield Probe("", what, text.replace("%s", least))
