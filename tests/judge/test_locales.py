"""The verdicts of real browsers and of extlint on `_locales`; skipped if no browser is installed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from harness import lint, manifest

from extlint.finding import Severity
from extlint.registry import RULES, rules_in
from extlint_judge.browsers.chromium import chromium
from extlint_judge.browsers.devtools_protocol import Connection
from extlint_judge.browsers.firefox import firefox
from extlint_judge.browsers.processes import BrowserError, find
from extlint_judge.manifests.browser_verdicts import READ

RULES_OF_BROWSERS = tuple(name for name in RULES if name not in rules_in("stores"))
EN = "_locales/en/messages.json"
RIGHT = {"a": {"message": "x"}}
NEITHER, FIREFOX, CHROMIUM, BOTH = (), ("firefox",), ("chromium",), ("firefox", "chromium")


def messages(value: Any, **keys: Any) -> dict[str, Any]:
    return {"manifest.json": manifest(**{"default_locale": "en", **keys}), EN: value}


def entry(value: Any) -> dict[str, Any]:
    return messages({"a": value})


def placeholder(value: Any, name: str = "p") -> dict[str, Any]:
    return entry({"message": "x $P$", "placeholders": {name: value}})


def located(stated: str | None, folder: str) -> dict[str, Any]:
    keys = {} if stated is None else {"default_locale": stated}
    return {"manifest.json": manifest(**keys), f"_locales/{folder}/messages.json": RIGHT}


CASES: Sequence[tuple[str, Mapping[str, Any], Sequence[str], Sequence[str]]] = [
    ("right", messages(RIGHT), NEITHER, NEITHER),
    ("an entry that is a text", entry("x"), BOTH, BOTH),
    ("no message", entry({}), BOTH, BOTH),
    ("a message that is a number", entry({"message": 1}), BOTH, BOTH),
    ("a description that is a number", entry({"message": "x", "description": 1}), NEITHER, NEITHER),
    ("a key that nobody knows", entry({"message": "x", "hash": 1}), NEITHER, NEITHER),
    ("a name with a hyphen", messages({"a-b": {"message": "x"}}), CHROMIUM, CHROMIUM),
    ("no name", messages({"": {"message": "x"}}), CHROMIUM, CHROMIUM),
    ("a name of Chrome's", messages({"@@ui_locale": {"message": "x"}}), CHROMIUM, CHROMIUM),
    (
        "a name in both letter cases",
        messages({"a": {"message": "x"}, "A": {"message": "y"}}),
        NEITHER,
        NEITHER,
    ),
    ("placeholders that are a list", entry({"message": "x", "placeholders": []}), CHROMIUM, CHROMIUM),
    ("placeholders that are null", entry({"message": "x", "placeholders": None}), CHROMIUM, CHROMIUM),
    ("a placeholder", placeholder({"content": "$1"}), NEITHER, NEITHER),
    ("a placeholder that is a text", placeholder("$1"), CHROMIUM, BOTH),
    ("a placeholder without content", placeholder({}), CHROMIUM, BOTH),
    ("a placeholder with a number", placeholder({"content": 1}), CHROMIUM, CHROMIUM),
    ("an undefined placeholder", placeholder({"content": "$1"}, "q"), CHROMIUM, BOTH),
    (
        "another placeholder with a hyphen",
        entry({"message": "x", "placeholders": {"p-q": {"content": ""}}}),
        CHROMIUM,
        BOTH,
    ),
    ("dollar signs", entry({"message": "5$ or 7$, $1, $$2, $a b$, $"}), NEITHER, NEITHER),
    ("a missing message", messages(RIGHT, name="__MSG_b__"), CHROMIUM, BOTH),
    ("the id", messages(RIGHT, name="__MSG_@@extension_id__"), CHROMIUM, CHROMIUM),
    ("no default locale", located(None, "en"), BOTH, BOTH),
    ("another default locale", located("de", "en"), BOTH, BOTH),
    ("a default locale in capital letters", located("EN", "en"), BOTH, BOTH),
    ("a default locale with a hyphen", located("pt-BR", "pt_BR"), CHROMIUM, CHROMIUM),
    ("a folder with a hyphen", located("pt_BR", "pt-BR"), CHROMIUM, CHROMIUM),
    ("a default locale that nobody has", located("jp", "jp"), CHROMIUM, CHROMIUM),
    ("a default locale in its parent's folder", located("en_US", "en"), BOTH, BOTH),
]
"""A package, the browsers that do not load it, and those for whose targets extlint reports an error.

Where the two differ, Firefox shows a text other than the original, or none.
"""

LOADING = "await extension.loadManifest();"
READ_ALL = READ.replace(LOADING, f"{LOADING} await extension.initAllLocales();")
"""Reads as much as an installation does, including the messages of every locale."""


@pytest.mark.parametrize(
    ("files", "expected"), [pytest.param(files, expected, id=name) for name, files, _, expected in CASES]
)
def test_extlint_reports_expected_errors(files: Mapping[str, Any], expected: Sequence[str]) -> None:
    package = {path: _text(value) for path, value in files.items()}
    for browser, target in (("firefox", "firefox"), ("chromium", "chrome")):
        errors = [
            each for each in lint(package, RULES_OF_BROWSERS, target) if each.severity is Severity.ERROR
        ]
        assert len(errors) == (browser in expected)


def test_firefox_rejects_expected_cases(tmp_path: Path) -> None:
    command = find("firefox")
    if command is None:
        pytest.skip("there is no firefox")
    paths = _written_cases(tmp_path)
    with firefox(command, tmp_path) as session:
        refused = [bool(errors) for errors, _ in session.script(READ_ALL, [str(path) for path in paths])]
    assert _rejected_names(refused) == [name for name, _, browsers, _ in CASES if "firefox" in browsers]


def test_chromium_rejects_expected_cases(tmp_path: Path) -> None:
    command = find("chromium")
    if command is None:
        pytest.skip("there is no chromium")
    with chromium(command, tmp_path) as connection:
        errors = [_load_error(connection, path) for path in _written_cases(tmp_path)]
    assert not any("does not answer" in text for text in errors)
    refused = [bool(text) for text in errors]
    assert _rejected_names(refused) == [name for name, _, browsers, _ in CASES if "chromium" in browsers]


def _load_error(connection: Connection, path: Path) -> str:
    """Returns the reason why Chromium does not load an extension, or an empty string if it does."""
    try:
        connection.send("Extensions.loadUnpacked", path=str(path))
    except BrowserError as error:
        return str(error)
    return ""


def _written_cases(folder: Path) -> list[Path]:
    """Writes all cases and returns their folders."""
    found = [folder / f"case{number}" for number in range(len(CASES))]
    for home, (_, files, _, _) in zip(found, CASES, strict=True):
        for name, value in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_text(value), encoding="utf-8")
    return found


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _rejected_names(refused: Sequence[bool]) -> list[str]:
    return [name for (name, *_), is_refused in zip(CASES, refused, strict=True) if is_refused]
