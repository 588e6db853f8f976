"""Properties common to all formats."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from thorough import some

from extlint.text.formats.registry import FORMATS, problem

PIECES = [
    "://",
    "*",
    ".",
    "/",
    "a",
    "0",
    "9",
    "'self'",
    ";",
    " ",
    "+",
    "Ctrl",
    "(",
    ")",
    "#",
    "%",
    "-",
    "data:",
    "rgb",
]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "text", ["__MSG_name__ \0", "\0 {{version}}", "\0 ${version}", "<%= version %>", "__version__"]
)
def test_placeholders_are_not_checked(name: str, text: str) -> None:
    assert problem(name, text) is None


@given(st.sampled_from(sorted(FORMATS)), TEXTS)
def test_any_text_has_a_well_formed_message(name: str, text: str) -> None:
    found = problem(name, text)
    if found is not None:
        assert found.message
        assert not found.message.endswith(".")
        assert found.suggestion != text


@given(st.sampled_from(sorted(FORMATS)), TEXTS)
def test_suggestions_are_valid(name: str, text: str) -> None:
    found = problem(name, text)
    if found is not None and found.suggestion is not None:
        assert problem(name, found.suggestion) is None


LONG = 3_000


@pytest.mark.parametrize("name", FORMATS)
def test_messages_about_long_texts_are_short(name: str) -> None:
    for piece in some("a|*|0|.|/|:|a.|*.|1.| |+|'|; |(|#a |\\|a:|a, |a-|1|a;".split("|"), 4):
        for text in (piece * LONG, f"https://{piece * LONG}", f"{piece * LONG}\0"):
            found = problem(name, text)
            assert found is None or len(found.message) < 400


def test_format_imports_only_its_own_module() -> None:
    source = (
        "import sys; from extlint.text.formats.registry import problem; problem('firefox-version', '1');"
        "print(sorted(each for each in sys.modules if each.startswith('extlint.text.formats.')))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(each for each in sys.path if each)}
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True, env=environment
    )
    own = ["registry", "version"]
    assert done.stdout.strip() == str([f"extlint.text.formats.{each}" for each in own])
