"""The valid example in the message about an invalid text."""

from __future__ import annotations

import pytest

from extlint.schema.words.formats import example
from extlint.text.formats.registry import FORMATS, problem

WITHOUT_EXAMPLE = {"glob", "date", "icon-size"}
"""Any text is a glob, and the messages about invalid dates and sizes already have an example."""


@pytest.mark.parametrize("name", sorted({*FORMATS} - WITHOUT_EXAMPLE))
def test_example_of_format_is_valid(name: str) -> None:
    text = example(name)
    assert text is not None
    assert problem(name, text) is None


@pytest.mark.parametrize("name", sorted(WITHOUT_EXAMPLE))
def test_other_formats_have_no_separate_example(name: str) -> None:
    why = problem(name, "x y")
    assert example(name) is None
    assert why is None or "`" in why.message
