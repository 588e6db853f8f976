"""Generates entire extensions: scripts that a manifest and pages run, and that import each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.statements import script

PERMISSIONS = (
    "management",
    "tabs",
    "storage",
    "scripting",
    "activeTab",
    "<all_urls>",
    "alarms",
    "webRequest",
)
TARGETS = (
    "",
    "",
    "",
    "firefox",
    "chrome",
    "reference",
    "firefox,chrome",
    "firefox,chrome,reference",
    "chrome>=88",
    "safari",
)


def manifest_for(chance: Random, scripts: Mapping[str, bool], **keys: Any) -> dict[str, Any]:
    """Returns a valid manifest that runs some of the scripts.

    `scripts` maps each name to whether it is a module.
    """
    version = chance.choice((2, 3, 3))
    value: dict[str, Any] = {"manifest_version": version, "name": "Test", "version": "1.0"}
    value["permissions"] = chance.sample(PERMISSIONS, chance.randint(0, 4))
    if chance.random() < 0.3:
        value["optional_permissions"] = chance.sample(PERMISSIONS, 2)
    if chance.random() < 0.3:
        value["browser_specific_settings"] = {"gecko": {"id": "a@b.example"}}
    if chance.random() < 0.2:
        value["minimum_chrome_version"] = str(chance.randint(60, 150))
    names = sorted(scripts)
    first = chance.choice(names)
    background = [name for name in names if chance.random() < 0.5] or [first]
    if version == 3 and chance.random() < 0.7:
        value["background"] = {"service_worker": first}
        if scripts[first]:
            value["background"]["type"] = "module"
    else:
        value["background"] = {"scripts": background}
    classic = [name for name in names if not scripts[name] and chance.random() < 0.5]
    if classic:
        value["content_scripts"] = [{"matches": ["*://*.example.com/*"], "js": classic}]
        if chance.random() < 0.2:
            value["content_scripts"][0]["world"] = "MAIN"
    if chance.random() < 0.5:
        value["options_ui"] = {"page": "page.html"}
    return {**value, **keys}


def extension(chance: Random) -> Case:
    """Returns some scripts, classic and modules, that share globals and import each other."""
    scripts: dict[str, bool] = {}
    for stem in "abc"[: chance.randint(1, 3)]:
        scripts[stem + chance.choice((".js", ".js", ".js", ".ts", ".mjs"))] = chance.random() < 0.5
    files = {
        f"{FOLDER}/{name}": script(chance, typed=name.endswith(".ts"), module=module).encode()
        for name, module in scripts.items()
    }
    tags = "".join(
        f'<script src="{name}"{" type=module" if module else ""}></script>\n'
        for name, module in scripts.items()
    )
    inline = f"<script>\n{script(chance, statements=3)}</script>" if chance.random() < 0.3 else ""
    files[f"{FOLDER}/page.html"] = f"<!doctype html>\n<body>\n{tags}{inline}\n</body>\n".encode()
    files[f"{FOLDER}/manifest.json"] = json.dumps(manifest_for(chance, scripts), indent=2).encode()
    return Case(files, (FOLDER, *target(chance)), "extension", True)


def one_script(
    chance: Random, text: bytes, name: str = "a.js", *, generator: str, well_formed: bool = False
) -> Case:
    """Returns an extension whose background is one script."""
    keys = {"manifest_version": 3, "name": "Test", "version": "1", "background": {"service_worker": name}}
    files = {f"{FOLDER}/{name}": text, f"{FOLDER}/manifest.json": json.dumps(keys).encode()}
    return Case(files, (FOLDER, *target(chance)), generator, well_formed)


def target(chance: Random) -> tuple[str, ...]:
    """Returns the option `--target` with some value, or nothing."""
    value = chance.choice(TARGETS)
    return ("--target", value) if value else ()
