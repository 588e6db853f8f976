"""The items that each script gets from the others."""

from __future__ import annotations

import pytest

from extlint.program.predicted_globals import LeaveOneOut

X, Y = object(), object()
NAMES = {id(X): "x", id(Y): "y"}

OTHERS = {
    "no items": ("", "a", ""),
    "of another": ("a:x", "b", "x"),
    "its own": ("a:x", "a", ""),
    "of several, once": ("a:x b:x c:y", "d", "xy"),
    "its own, which is another's too": ("a:x b:y c:x", "a", "yx"),
    "its own, which was another's before": ("a:x b:x c:y", "b", "xy"),
    "its own, given twice": ("a:x a:x b:y", "a", "y"),
}


@pytest.mark.parametrize(("passed", "script", "expected"), OTHERS.values(), ids=OTHERS.keys())
def test_items_keep_the_order_of_the_other_scripts(passed: str, script: str, expected: str) -> None:
    items = [((each[0], None), X if each[2] == "x" else Y) for each in passed.split()]
    found = LeaveOneOut(items)
    assert "".join(NAMES[id(each)] for each in found.all_except((script, None))) == expected
    if not found.is_first_source((script, None)):
        assert list(found.all()) == list(found.all_except((script, None)))
