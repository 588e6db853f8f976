"""The valid example in the message about an invalid text."""

from __future__ import annotations

import pytest

from extlint.formats.registry import FORMATS, problem
from extlint.words.formats import example

WITHOUT = {"glob", "date", "icon-size"}
"""Any text is a glob, and the messages about invalid dates and sizes already have an example."""


@pytest.mark.parametrize("name", sorted({*FORMATS} - WITHOUT))
def test_each_format_has_an_example_that_is_right(name: str) -> None:
    text = example(name)
    assert text is not None
    assert problem(name, text) is None


@pytest.mark.parametrize("name", sorted(WITHOUT))
def test_these_need_none(name: str) -> None:
    why = problem(name, "x y")
    assert example(name) is None
    assert why is None or "`" in why.message
