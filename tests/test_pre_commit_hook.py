"""The changed files that trigger the hook."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOOKS = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"


def pattern() -> re.Pattern[str]:
    yaml = pytest.importorskip("yaml")
    changed, _ = yaml.safe_load(HOOKS.read_text())
    return re.compile(changed["files"])


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
        "manifest.firefox.json",
        "src/firefox_manifest.json",
        "rules.json",
        "rules/ruleset_1.json",
        "icon.png",
        "images/ICON.PNG",
        "icons/a.svg",
        "icons/a.webp",
        "content.css",
        "extlint.toml",
        "packages/a/.extlint.toml",
        "package.json",
    ],
)
def test_extension_file_triggers_the_hook(path: str) -> None:
    assert pattern().search(path)


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json",
        "packages/a/package-lock.json",
        "my-manifest.json.bak",
        "a.scss",
        "a.py",
        "icon.psd",
        "js",
        "a.jsonc",
        "README.md",
        "my-extlint.toml",
    ],
)
def test_other_file_does_not_trigger_the_hook(path: str) -> None:
    assert not pattern().search(path)
