"""Files that change, disappear or become folders while they are checked: the run ends, without a failure."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from harness import manifest
from thorough import in_turn

from extlint.cli.main import main
from extlint.package import disk

FILES = {
    "manifest.json": manifest(
        background={"service_worker": "a.js", "type": "module"},
        action={"default_popup": "p.html"},
        default_locale="en",
        declarative_net_request={"rule_resources": [{"id": "a", "enabled": True, "path": "rules.json"}]},
        permissions=["declarativeNetRequest"],
        icons={"16": "i.png"},
    ),
    "a.js": "import { api } from './b.js'; api.tabs.querry({});",
    "b.js": "export const api = chrome;",
    "p.html": "<!doctype html><script src='c.js'></script>",
    "c.js": "chrome.management.getSelf(1);",
    "rules.json": "[]",
    "i.png": "\x89PNG",
    "_locales/en/messages.json": json.dumps({"a": {"message": "b"}}),
}


def write(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def become_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def become_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


CHANGES: dict[str, Callable[[Path], object]] = {
    "changed": lambda path: path.write_text("{"),
    "grown": lambda path: path.write_bytes(path.read_bytes() * 3),
    "removed": lambda path: path.unlink(),
    "a folder": become_folder,
    "a link to itself": become_link_to_itself,
    "removed with its folder": lambda path: shutil.rmtree(path.parent),
}


@pytest.mark.parametrize(("kind", "options"), in_turn((kind, [(), ("--fix",)]) for kind in CHANGES))
def test_file_changes_when_it_is_opened(
    kind: str,
    options: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "extension"
    original = disk.open_file
    opened: list[str] = []

    def open_file(path: str, name: str) -> object:
        if len(opened) == moment and Path(path).is_file() and folder in Path(path).parents:
            CHANGES[kind](Path(path))
        opened.append(path)
        return original(path, name)

    monkeypatch.setattr(disk, "open_file", open_file)
    statuses = set()
    for moment in count():
        write(folder)
        opened.clear()
        statuses.add(main(["check", str(folder), "--target", "chrome", "--no-cache", *options]))
        errors = capfd.readouterr().err
        assert "internal error" not in errors
        assert all(line.startswith("extlint: ") for line in errors.splitlines())
        if moment >= len(opened):
            break
    assert moment >= len(FILES) - 1
    assert statuses <= {0, 1, 2}
    assert 1 in statuses or options
