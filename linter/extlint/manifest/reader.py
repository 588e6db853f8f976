"""Parses a manifest from its bytes."""

from __future__ import annotations

from extlint.manifest.manifest import Manifest
from extlint.text.json.reader import read_json
from extlint.text.positions import decode


def read_manifest(path: str, data: bytes) -> Manifest:
    """Parses a manifest; a problem of its JSON is in its `document`. Never raises.

    `path` is the file's path in the package. Positions are those of the text as UTF-8.
    """
    text = decode(data)
    return Manifest(path, text, read_json(text))
