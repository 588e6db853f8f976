"""Suggestions for paths of missing files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extlint.package.nearest_path import NearPaths, misspelled_path

FILES = [
    "background.js",
    "sb.js",
    "content/main.ts",
    "icons/icon-16.png",
    "icons/icon-48.png",
    "icons/logo.svg",
    "options/index.html",
    "pages/options.html",
    "pages/settings.htm",
    "popup/index.html",
    "shared/util.js",
    "styles/theme.css",
    "tests/mock.js",
]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        pytest.param("backgruond.js", "background.js", id="two letters changed places"),
        pytest.param("icon/icon-48.png", None, id="a letter of a folder is missing"),
        pytest.param("icons/icon-84.png", None, id="digits changed places"),
        pytest.param("util.js", None, id="another folder"),
        pytest.param("icons/icon48.png", "icons/icon-48.png", id="a hyphen is missing"),
        pytest.param("icons/icon_48.png", "icons/icon-48.png", id="another hyphen"),
        pytest.param("icons/icon-32.png", None, id="another number"),
        pytest.param("pages/options.htm", "pages/options.html", id="a letter of the suffix is missing"),
        pytest.param("pages/settings.html", "pages/settings.htm", id="a letter of the suffix is too many"),
        pytest.param("background.jss", "background.js", id="a suffix that means nothing"),
        pytest.param("background.ts", None, id="another language"),
        pytest.param("content/main.js", None, id="the result of a build"),
        pytest.param("styles/theme.js", None, id="a script instead of a style sheet"),
        pytest.param("background.js", None, id="an existing file"),
        pytest.param("something/else.js", None, id="nothing like it"),
        pytest.param("sw.js", None, id="a short name with another letter"),
        pytest.param("tests/mack.js", None, id="a short name in a folder with another letter"),
        pytest.param("tests/moc.js", "tests/mock.js", id="a short name without a letter"),
        pytest.param("b" * 1000, None, id="an endless name"),
        pytest.param("icons/logo", "icons/logo.svg", id="no suffix"),
        pytest.param("icons/icon-16", "icons/icon-16.png", id="no suffix after a number"),
        pytest.param("background", None, id="a script without its suffix"),
        pytest.param("icons/icon", None, id="only the start of a name"),
    ],
)
def test_misspelled_paths(written: str, meant: str | None) -> None:
    assert misspelled_path(written, FILES) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        pytest.param("icons/logo.png", "icons/logo.svg", id="another image"),
        pytest.param("pages/options.htm", "pages/options.html", id="another suffix of pages"),
        pytest.param("logo.png", None, id="in another folder"),
        pytest.param("icons/icon-16.js", None, id="something else"),
        pytest.param("content/main.js", None, id="a file type that no browser reads"),
    ],
)
def test_same_file_in_another_format(written: str, meant: str | None) -> None:
    assert NearPaths(FILES).find_other_format(written) == meant


@given(st.text("ab/.19", max_size=12), st.lists(st.text("ab/.19", max_size=12), max_size=12))
def test_suggested_path_exists(written: str, known: list[str]) -> None:
    near = NearPaths(known)
    assert {
        near.find_misspelled(written),
        near.find_other_format(written),
        near.find_in_other_folder(written),
    } <= {
        None,
        *known,
    }
