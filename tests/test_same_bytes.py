"""The output for an extension has the same bytes in any process that checks it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import same_bytes
from harness import manifest
from same_bytes import ARCHIVES, BASELINE, VARIATIONS, Variation, differences

FILES: Mapping[str, str | bytes] = {
    "plain/manifest.json": manifest(
        background={"scripts": ["b.js", "a.js"]},
        permissions=["tabs", "managment", "tabs", "storag"],
        content_scripts=[{"matches": ["<all_urls>"], "js": ["c.js"]}],
    ),
    "plain/a.js": "shared.qery({}); shared.create({urll: 1, activ: 2, pinedd: 3});",
    "plain/b.js": "var shared = chrome.tabs; import('./d.js');",
    "plain/c.js": "chrome.storage.local.gett(); chrome.istanbul.x(); browser.management.getSelf(1);",
    "plain/d.js": "export const I = 'ı'; chrome.tabs.query({status: 'İ'});",
    "modules/manifest.json": manifest(background={"service_worker": "one.js", "type": "module"}),
    "modules/one.js": "import {b} from './two.js'; export const a = chrome.tabs; b.qery(); a.gett(1);",
    "modules/two.js": "import {a} from './one.js'; export const b = a; import * as x from './İ.js'; x.c.y();",
    "modules/İ.js": "export const c = browser.runtime; c.sendMesage();",
    "hostile/manifest.json": b'\xef\xbb\xbf{"manifest_version": 3, "name": "\xff", "version": 2,',
    "hostile/deep.js": "chrome.tabs.query(" + "[" * 3000,
    "hostile/long.js": "a=>" * 3000 + "browser.tabs.qery()",
    "hostile/nul.js": b"\0chrome.tabs.qery();\xff\xfe",
    "hostile/locale/_locales/en/messages.json": "[" * 500,
    "not-utf-8/manifest.json": manifest(background={"scripts": ["\udcff.js", "A.js"]}, name="\ud800"),
    "not-utf-8/a.js": "chrome.tabs.qery();",
    "configured/manifest.json": manifest(permissions=["tabs", "x"]),
    "configured/extlint.toml": "select = ['manifest', 'unknown-api']\ntarget = ['firefox', 'chrome']",
    "refused/manifest.json": manifest(),
    "refused/extlint.toml": "slect = []",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for path, content in FILES.items():
        file = tmp_path / "tree" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    if sys.platform == "linux":
        (tmp_path / "tree" / "not-utf-8" / os.fsdecode(b"\xff.js")).write_text("chrome.tabs.qery();")
    return tmp_path / "tree"


SEPARATE = ("workers", "a cold cache", "a warm cache", "workers and a cache", "the C locale")
"""The variations that have a run of their own. One more run combines all the others."""


def combined_ways() -> Mapping[str, Variation]:
    """Returns all variations in a few runs, since each run takes a new process."""
    combined = [way for name, way in VARIATIONS.items() if name not in SEPARATE]
    at_once = Variation(
        BASELINE.options,
        {
            name: value
            for way in combined
            for name, value in way.environment.items()
            if BASELINE.environment.get(name) != value
        },
        "".join(way.before for way in combined),
        next(way.folder for way in combined if way.folder is not None),
    )
    assert all(way.options == BASELINE.options and not way.cache for way in combined)
    return {"all others": at_once, **{name: VARIATIONS[name] for name in SEPARATE}}


def test_output_depends_only_on_the_extension(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_bytes, "VARIATIONS", combined_ways())
    assert list(differences([str(tree), str(tree / "plain")])) == []


def test_combined_run_has_all_other_variations() -> None:
    at_once = combined_ways()["all others"]
    assert at_once.environment.keys() == {"PYTHONHASHSEED", "LC_ALL", "LANG", "PYTHONUTF8", "TZ"}
    assert (at_once.environment["PYTHONHASHSEED"], at_once.folder) == ("1", "/")
    assert at_once.before == same_bytes.REVERSED_LISTING


def test_differences_are_detected(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "from extlint.report import json_output\njson_output.VERSION = 2\n"
    monkeypatch.setattr(same_bytes, "VARIATIONS", {"another": Variation(before=other)})
    monkeypatch.setattr(same_bytes, "archives", lambda folder: [folder, folder.parent / "modules"])
    assert list(differences([str(tree / "plain")])) == ["another", ARCHIVES]


def test_promised_variations_are_checked() -> None:
    assert {"another hash seed", "workers", "a warm cache", "the C locale", "Turkish"} <= VARIATIONS.keys()
