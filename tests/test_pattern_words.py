"""Descriptions of the regular expressions in the schemas, each with a valid example."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import extlint_schemas
from extlint.schema.words.formats import EXAMPLES, pattern_description

FACTS = Path(extlint_schemas.__file__).parent / "firefox"


def patterns(node: Any) -> Iterator[str]:
    """Yields the patterns in a file of facts."""
    if isinstance(node, dict):
        if isinstance(node.get("pattern"), str):
            yield node["pattern"]
        for each in node.values():
            yield from patterns(each)
    elif isinstance(node, list):
        for each in node:
            yield from patterns(each)


def api_patterns() -> set[str]:
    """Returns the patterns of the APIs that scripts call. Manifests are checked with other schemas."""
    files = [each for each in FACTS.glob("*.json") if each.name != "manifest.json"]
    return {pattern for each in files for pattern in patterns(json.loads(each.read_text("utf-8")))}


@pytest.mark.parametrize("pattern", EXAMPLES)
def test_every_example_matches_its_pattern(pattern: str) -> None:
    assert re.search(pattern, EXAMPLES[pattern][1])


def test_every_api_pattern_has_a_description() -> None:
    assert [each for each in sorted(api_patterns()) if pattern_description(each) is None] == []
