"""Content scripts and style sheets in an encoding with which Chromium refuses the extension."""

from __future__ import annotations

import pytest
from harness import lint, manifest

NOT_UTF_8 = "`a.js` is not UTF-8 in line {}, so Chrome does not load the extension"
NOT_A_CHARACTER = (
    "`a.js` contains U+{}, which is not a character, in line 1, so Chrome does not load the extension"
)


def messages(data: bytes, target: str = "chrome", *, key: str = "js", name: str = "a.js") -> list[str]:
    """Returns the messages about a file that the manifest names as a content script or a style sheet."""
    keys = {"content_scripts": [{"matches": ["<all_urls>"], key: [name]}]}
    return [
        each.message
        for each in lint({"manifest.json": manifest(**keys), name: data}, ["invalid-value"], target)
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"// \n// caf\xe9", NOT_UTF_8.format(2)),
        (b"\xff\xfe" + "a;".encode("utf-16-le"), NOT_UTF_8.format(1)),
        (b"\xfe\xff" + "a;".encode("utf-16-be"), NOT_UTF_8.format(1)),
        ("é;".encode("utf-16-le"), NOT_UTF_8.format(1)),
        (b"// \xed\xa0\x80", NOT_UTF_8.format(1)),
        (b"// \xe2\x82", NOT_UTF_8.format(1)),
        ("'\uffff'".encode(), NOT_A_CHARACTER.format("FFFF")),
        ("'\ufdd0'".encode(), NOT_A_CHARACTER.format("FDD0")),
        ("'\U0001fffe'".encode(), NOT_A_CHARACTER.format("1FFFE")),
    ],
)
def test_refused_encoding(data: bytes, expected: str) -> None:
    assert messages(data) == [expected]
    assert messages(data, "firefox") == []
    assert messages(data, "reference") == []


@pytest.mark.parametrize(
    "data", [b"", b"// a\0", b"\xef\xbb\xbf// caf\xc3\xa9", "'\ufffd\U0001f600'".encode()]
)
def test_accepted_encoding(data: bytes) -> None:
    assert messages(data) == []


def test_style_sheet() -> None:
    assert messages(b"/* caf\xe9 */", key="css", name="a.css") == [
        NOT_UTF_8.format(1).replace("a.js", "a.css")
    ]


def test_background_may_have_any_encoding() -> None:
    keys = manifest(background={"service_worker": "a.js"})
    assert lint({"manifest.json": keys, "a.js": b"// caf\xe9"}, ["invalid-value"], "chrome") == []
