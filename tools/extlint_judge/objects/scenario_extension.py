"""The extension that runs the scenarios in which objects of the API are observed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from extlint.schema.model import Function, SchemaSet
from extlint_judge.extensions import Manifest, full_manifest
from extlint_judge.objects.scenario_server import ScenarioServer

FOLDER = Path(__file__).with_name("scenarios")
SCENARIOS = (
    "system.js",
    "requests.js",
    "tabs.js",
    "storage.js",
    "user_data.js",
    "runtime.js",
    "scripting.js",
)
"""The scenarios of the background, in the order in which they run."""

OTHER_CONTEXTS = {
    "page": "page.html",
    "devtools": "devtools.html",
    "content": None,
    "offscreen": "offscreen.html",
}
"""The other contexts that run a scenario, with the page of each."""

CRASHING = {"mime_types_handler"}
"""Keys with which a worker of Chromium 156 crashes when it accesses every namespace."""

RULES = [
    {
        "id": 1,
        "action": {"type": "block"},
        "condition": {"urlFilter": "||judge.invalid", "resourceTypes": ["image"]},
    }
]


def files_of(
    manifest: Manifest, server: ScenarioServer, callbacks: Sequence[str], scenarios: Sequence[str]
) -> dict[str, str]:
    """Returns the files of the extension. The functions in `callbacks` are called with a callback.

    Without scenarios for its background it runs only those of other contexts.
    """
    setting = json.dumps(
        {"server": server.server.address(""), "secure": server.secure, "callbacks": list(callbacks)}
    )
    base = [f"const SETTING = {setting};", *map(_text, ("../observe.js", "harness.js", "listening.js"))]
    background = [*base, *map(_text, [*scenarios, "in_background.js"])] if scenarios else []
    files = {
        "manifest.json": json.dumps(manifest),
        "background.js": "\n".join(background),
        "rules.json": json.dumps(RULES),
        "none.js": "",
        "none.css": "",
    }
    for name, page in OTHER_CONTEXTS.items():
        scenario = "" if name == "offscreen" else "\n".join([*base, _text(f"in_{name}.js")])
        files[f"{name}.js"] = scenario
        if page is not None:
            files[page] = f'<!doctype html><script src="{name}.js"></script>'
    return files


def callbacks_of(schemas: SchemaSet, version: int) -> list[str]:
    """Returns the functions that accept a callback."""
    return [
        f"{name}.{member.name}"
        for name in schemas.names
        if (namespace := schemas.namespace(name)) is not None
        for members in namespace.members.values()
        for member in members
        if isinstance(member, Function) and member.callback is not None
        if version in member.availability.versions
    ]


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def manifest_of(browser: str, version: int, permissions: Iterable[str]) -> Manifest:
    """Returns a manifest that requests everything."""
    manifest = full_manifest(browser, version, permissions)
    for key in CRASHING & manifest.keys():
        del manifest[key]
    if "scripts" in manifest["background"]:
        manifest["background"] = {"scripts": ["background.js"]}
    manifest["content_scripts"] = [{"matches": ["http://127.0.0.1/content.html*"], "js": ["content.js"]}]
    manifest["commands"] = {"judge": {"suggested_key": {"default": "Ctrl+Shift+U"}, "description": "judge"}}
    manifest["declarative_net_request"] = {
        "rule_resources": [{"id": "judge", "enabled": True, "path": "rules.json"}]
    }
    return manifest
