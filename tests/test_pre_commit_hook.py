"""Which changed files start the hook."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOOKS = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"


def pattern() -> re.Pattern[str]:
    yaml = pytest.importorskip("yaml")
    (hook,) = yaml.safe_load(HOOKS.read_text())
    return re.compile(hook["files"])


@pytest.mark.parametrize(
    "path",
    [
        "manifest.json",
        "src/manifest.json",
        "_locales/en/messages.json",
        "ext/_locales/pt_BR/messages.json",
        "background.js",
        "src/a.mjs",
        "src/a.cjs",
        "src/a.jsx",
        "src/a.ts",
        "src/a.mts",
        "src/a.cts",
        "src/a.tsx",
        "popup.html",
        "popup.htm",
        "popup.xhtml",
    ],
)
def test_part_of_an_extension(path: str) -> None:
    assert pattern().search(path)


@pytest.mark.parametrize(
    "path",
    [
        "package.json",
        "my-manifest.json.bak",
        "messages.json",
        "a.css",
        "a.py",
        "icon.png",
        "js",
        "a.json",
        "a.jsonc",
    ],
)
def test_no_part_of_an_extension(path: str) -> None:
    assert not pattern().search(path)
