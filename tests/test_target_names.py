"""Target names, and a check that code uses the properties of targets instead of their names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from extlint.schema.engine import Engine
from extlint.schema.targets import Target, base_of, editions_of, engine_of
from extlint_schemas import TARGETS

ROOT = Path(__file__).parent.parent

KNOWN = {
    "reference": (True, None, "reference"),
    "firefox": (False, Engine.GECKO, "firefox"),
    "firefox_android": (False, Engine.GECKO, "firefox"),
    "chrome": (False, Engine.CHROMIUM, "chrome"),
    "edge": (False, Engine.CHROMIUM, "chrome"),
    "safari": (False, Engine.WEBKIT, "safari"),
}


def test_every_target_is_known() -> None:
    assert set(KNOWN) == set(TARGETS)


@pytest.mark.parametrize(("name", "expected"), KNOWN.items(), ids=KNOWN.keys())
def test_target_has_its_properties(name: str, expected: tuple[bool, Engine | None, str]) -> None:
    target = Target(name, (120,))
    assert (target.is_specification, target.engine, base_of(name)) == expected
    assert target.is_for_android is (name == "firefox_android")


def test_unknown_browser_has_no_engine() -> None:
    assert engine_of("opera") is None
    assert engine_of(None) is None


def test_editions_of_a_browser() -> None:
    assert editions_of("chrome") == {"chrome", "edge"}
    assert editions_of("safari") == {"safari"}


def name_comparisons(source: str) -> Iterator[int]:
    """Yields the lines that compare something with the name of a target, or with several."""
    if not any(f"{quote}{name}{quote}" in source for name in TARGETS for quote in "\"'"):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            for each in (node.left, *node.comparators):
                texts = each.elts if isinstance(each, ast.Tuple | ast.List | ast.Set) else [each]
                if texts and all(isinstance(text, ast.Constant) and text.value in TARGETS for text in texts):
                    yield node.lineno
        if isinstance(node, ast.MatchValue) and ast.unparse(node.value).strip("'") in TARGETS:
            yield node.value.lineno


COMPARISONS = {
    "with a name": ('target.name == "reference"', True),
    "the other way around": ('"firefox" != browser', True),
    "with several names": ('name in ("chrome", "edge")', True),
    "of a property": ("target.is_specification", False),
    "with an engine": ("target.engine is Engine.GECKO", False),
    "in a case": ("match name:\n    case 'safari':\n        pass", True),
    "with other words": ('scheme in ("chrome", "chrome-extension")', False),
}


@pytest.mark.parametrize(("source", "is_one"), COMPARISONS.values(), ids=COMPARISONS.keys())
def test_comparison_with_a_name_is_detected(source: str, is_one: bool) -> None:
    assert bool([*name_comparisons(source)]) is is_one


def test_code_does_not_compare_target_names() -> None:
    files = [path for root in ("linter", "rules") for path in sorted((ROOT / root).rglob("*.py"))]
    assert files
    found = [
        f"{path.relative_to(ROOT)}:{line}" for path in files for line in name_comparisons(path.read_text())
    ]
    assert found == []
