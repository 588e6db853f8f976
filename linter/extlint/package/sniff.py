"""Recognizes manifests by their text only, as they may be templates or broken."""

from __future__ import annotations

import re

from extlint.text.patterns import lazy

# An unterminated token ends at the end of the text, so that no text is read twice.
_TOKEN = lazy(
    rb"""
    "(?P<string>(?:[^"\\]|\\.)*+)(?:"(?P<key>\s*+:\s*+(?=["0-9$<%@_]|\{[{%]))?|\\?\Z)
    | //[^\r\n]*+
    | /\*.*?(?:\*/|\Z)
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    """,
    re.VERBOSE | re.DOTALL,
)


_VERSION = lazy(rb"(?:__[\w|]+__|\{\{[\w|]+\}\}\.|[a-z]+:)?manifest_version")
_KNOWN_VERSION = lazy(rb"manifest_version\"\s*+:\s*+[23](?![\w.])", needs=(b"manifest_version",))
_LIKE_A_MANIFEST = lazy(
    r"manifest[._-].+\.json|.+[._-]manifest\.json|manifest[mM]?[vV][23]\.json", needs=("manifest",)
)


def is_named_like_a_manifest(name: str) -> bool:
    """Whether a file is named like a manifest other than `manifest.json`: `manifest.chrome.json`."""
    return name != "manifest.json" and _LIKE_A_MANIFEST.fullmatch(name) is not None


def names_manifest_version(data: bytes) -> bool:
    """Whether a text mentions `manifest_version` at all, which the `manifest.json` of a web app does not."""
    return b"manifest_version" in _utf8(data)


def has_known_manifest_version(data: bytes) -> bool:
    """Whether a text mentions a `manifest_version` that browsers support, at any depth."""
    return _KNOWN_VERSION.search(_utf8(data)) is not None


def has_manifest_version(data: bytes) -> bool:
    """Whether a text of any file looks like a manifest: its outermost object has a `manifest_version`.

    A JSON schema of manifests, or a list of them, has that key deeper or without a plain value. The value may
    be a template, and the key specific to some browsers (`__chrome__manifest_version`).
    """
    data = _utf8(data)
    if b"manifest_version" not in data:
        return False
    depth = 0
    for token in _TOKEN.finditer(data):
        if token["open"]:
            depth += 1
        elif token["close"]:
            depth -= 1
        elif depth == 1 and token["key"] and _VERSION.fullmatch(token["string"]):
            return True
    return False


def _utf8(data: bytes) -> bytes:
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    return data.decode("utf-16", "replace").encode("utf-8", "surrogatepass")
