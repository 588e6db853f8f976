"""The words by which code may test for a browser, found in the parts of a text."""

from __future__ import annotations

import pytest

from extlint.analysis.modules.condition_words import WordsOfTests

PARTS = {
    "const a = isFirefox;": True,
    "is_FF && f()": True,
    "navigator.userAgent": True,
    "x in browser": True,
    "x in  Chrome": True,
    "within browser": False,
    "browser.tabs": False,
    "process.env.TARGET": True,
    "process.environment": True,
    "f(__BROWSER__)": True,
    "f(__)": False,
    "hedge(an_edge)": False,
    "an edge": True,
    "rebuild(retarget)": False,
    "cooperate()": False,
    "Operations.run()": False,
    "OPERATOR": False,
    "operaTab": True,
    "OPERA_TAB": True,
    "process.env.NODE_ENV": False,
    "value.__ob__": False,
    "event.target": False,
    "TARGET": True,
    "targetName": True,
    "relocation": False,
    "a.location": True,
}


@pytest.mark.parametrize("searched", [1, 100])
@pytest.mark.parametrize(("part", "expected"), PARTS.items())
def test_words_are_found_in_a_part_of_a_text(part: str, expected: bool, searched: int) -> None:
    before = "chromium; "
    text = f"{before}{part} ; safari".encode()
    words = WordsOfTests(text + b" " * 2_000)
    for _ in range(searched):
        assert words.occur_in(len(before), len(before) + len(part)) is expected


def test_part_that_begins_inside_a_word_group_has_its_own_words() -> None:
    text = b"x in chrome"
    words = WordsOfTests(text)
    assert words.occur_in(5, len(text)), "chrome alone is one of them"
    assert not words.occur_in(0, 4)
