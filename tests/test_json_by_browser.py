"""JSON that one browser accepts and another rejects, as verified in Firefox 153.7 and Chromium 156."""

from __future__ import annotations

import pytest
from harness import Files, lint, text_under

TARGETS = ("reference", "firefox", "chrome")
KEYS = '"manifest_version": 3, "name": "Test", "version": "1.0"'
BLOCK = f"/* for all */ {{{KEYS}}}"
LINE = f'{{{KEYS}, "description": "two\nlines"}}'
ESCAPE = rf'{{{KEYS}, "description": "\x41"}}'
HALF = rf'{{{KEYS}, "description": "\ud800"}}'

MANIFESTS: dict[str, tuple[str | bytes, dict[str, str]]] = {
    "strict JSON": (f"{{{KEYS}}}", {}),
    "a line comment": (f"// for all\n{{{KEYS}}}", {}),
    "a block comment": (BLOCK, {"firefox": "/* for all */"}),
    "a block comment in a text": (f'{{{KEYS}, "description": "/* a */"}}', {}),
    "a line end in a text": (LINE, {"firefox": '"two\nlines"'}),
    "an escaped line end": (rf'{{{KEYS}, "description": "two\nlines"}}', {}),
    "a short escape": (ESCAPE, {"firefox": r'"\x41"'}),
    "a backslash before an x": (rf'{{{KEYS}, "description": "\\x41"}}', {}),
    "half of a pair": (HALF, {"chrome": r'"\ud800"'}),
    "a whole pair": (rf'{{{KEYS}, "description": "\ud83d\ude00"}}', {}),
    "two of them": (f'/* a */{{{KEYS}, "description": "two\nlines"}}', {"firefox": "/* a */"}),
    "a tab in a text": (f'{{{KEYS}, "description": "a\tb"}}', dict.fromkeys(TARGETS, "\t")),
    "a comma at the end": (f"{{{KEYS},}}", dict.fromkeys(TARGETS, ",")),
}


def reported(files: Files, target: str) -> list[str]:
    found = lint(files, ["invalid-json"], target)
    return [text_under(files, each) for each in found]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest_json_is_checked_per_browser(name: str, target: str) -> None:
    text, expected = MANIFESTS[name]
    assert reported({"manifest.json": text}, target) == ([expected[target]] if target in expected else [])


@pytest.mark.parametrize(("target", "number"), [("reference", 0), ("firefox", 0), ("chrome", 1), ("edge", 1)])
def test_utf_16_is_rejected_for_chromium(target: str, number: int) -> None:
    files = {"manifest.json": f"{{{KEYS}}}".encode("utf-16")}
    assert len(lint(files, ["invalid-json"], target)) == number


@pytest.mark.parametrize(("target", "number"), [("firefox_android", 1), ("firefox", 1), ("chrome", 0)])
def test_messages_are_checked_like_manifests(target: str, number: int) -> None:
    messages = '{"a": {"message": "A"} /* for all */}'
    files = {
        "manifest.json": f'{{{KEYS}, "default_locale": "en"}}',
        "_locales/en/messages.json": messages,
    }
    assert len(lint(files, ["invalid-json"], target)) == number


def test_message_names_the_browser_and_the_fix() -> None:
    (finding,) = lint({"manifest.json": BLOCK}, ["invalid-json"], "firefox")
    assert finding.message == "a comment with `/*`, which Firefox does not accept"
    assert finding.help == "begin each line of the comment with `//`"
