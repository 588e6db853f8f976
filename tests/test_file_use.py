"""The use of a file by the keys and indexes that lead to its name."""

from __future__ import annotations

import json

import pytest
from editing import MANIFEST

from extlint.manifest.file_keys import FileUse, file_references, file_use
from extlint.manifest.manifest import read_manifest

KEYS = {
    **MANIFEST,
    "background": {"scripts": ["a.js"], "page": "a.html"},
    "content_scripts": [{"js": ["a.js", "b.js"], "css": ["a.css"]}],
    "icon_variants": [{"16": "a.png", "any": "b.svg", "color_schemes": ["dark"]}],
    "chrome_url_overrides": {"newtab": "a.html"},
    "theme": {"images": {"frame": "a.png", "additional_backgrounds": ["b.png"]}},
    "storage": {"managed_schema": "a.json"},
}


def test_each_name_in_a_manifest_has_the_use_of_its_keys() -> None:
    manifest = read_manifest("manifest.json", json.dumps(KEYS).encode())
    found = file_references(manifest)
    assert len(found) == 14
    for each in found:
        steps = [int(step) if step.isdecimal() else step for step in each.pointer[1:].split("/")]
        known = {file_use(steps), file_use([str(step) if step == 16 else step for step in steps])}
        assert each.use in known, each.pointer


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("background", "service_worker"), FileUse.SCRIPT),
        (("content_scripts", 0, "js", 0), FileUse.SCRIPT),
        (("content_scripts", 0, "js"), None),
        (("content_scripts", 0, "matches", 0), None),
        (("content_scripts", "0", "js", 0), None),
        (("icons", "16"), FileUse.IMAGE),
        (("icon_variants", 0, "any"), FileUse.IMAGE),
        (("icon_variants", 0, "color_schemes"), None),
        (("chrome_url_overrides", "newtab"), FileUse.PAGE),
        (("name",), None),
        ((), None),
    ],
)
def test_use_of_a_file(steps: tuple[str | int, ...], expected: FileUse | None) -> None:
    assert file_use(steps) is expected
