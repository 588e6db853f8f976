"""Messages in a folder that a build copies to the top of the extension."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import manifest
from packages import write

from extlint.cli.main import main

PROJECT = {"package.json": '{"scripts": {"build": "vite build"}, "devDependencies": {"vite": "5"}}'}
NAMED = manifest(name="__MSG_name__", short_name="__MSG_nam__", default_locale="en")
MESSAGES = '{"name": {"message": "a"}}'
PLACES: dict[str, tuple[dict[str, str], list[str]]] = {
    "next to the manifest's folder": (
        {"src/manifest.json": NAMED, "public/_locales/en/messages.json": MESSAGES},
        ["manifest.json"],
    ),
    "in a folder of another name": (
        {"ext/manifest.json": NAMED, "static/_locales/en/messages.json": MESSAGES},
        ["manifest.json"],
    ),
    "below the manifest": (
        {"manifest.json": NAMED, "public/_locales/en/messages.json": MESSAGES, "vite.config.js": ""},
        ["manifest.json"],
    ),
    "mistakes in them": (
        {"src/manifest.json": NAMED.replace("nam__", "name__"), "public/_locales/en/messages.json": "{"},
        ["public/_locales/en/messages.json"],
    ),
    "without a build": (
        {"package.json": "", "manifest.json": NAMED, "public/_locales/en/messages.json": MESSAGES},
        ["manifest.json"],
    ),
    "of another extension": (
        {
            "src/manifest.json": NAMED,
            "public/_locales/en/messages.json": MESSAGES.replace("name", "other"),
            "public/manifest.json": manifest(default_locale="en"),
        },
        [],
    ),
    "of another project": (
        {
            "src/manifest.json": NAMED,
            "src/package.json": PROJECT["package.json"],
            "public/_locales/en/messages.json": MESSAGES,
        },
        [],
    ),
    "and others in the extension itself": (
        {
            "src/manifest.json": NAMED,
            "src/_locales/en/messages.json": MESSAGES.replace('"}', '"}, "nam": {"message": "b"}'),
            "public/_locales/en/messages.json": MESSAGES,
        },
        [],
    ),
}


@pytest.mark.parametrize(("files", "expected"), PLACES.values(), ids=PLACES.keys())
def test_copied_messages_are_read(
    files: Mapping[str, str],
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write({**PROJECT, **files})
    rules = "missing-message,missing-file,invalid-json"
    main(["check", "--target", "firefox", "--output-format", "json", "--select", rules])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [Path(each["path"]).as_posix().removeprefix("../") for each in findings] == expected
