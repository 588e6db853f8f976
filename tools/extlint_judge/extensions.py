"""The extensions that are loaded to query browsers."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from types import MappingProxyType
from typing import Any, TypeAlias

from msgspec import Struct

from extlint.analysis.facts.context import ContextKind

Manifest: TypeAlias = dict[str, Any]

Files: TypeAlias = Mapping[str, str | bytes]
"""The files of an extension, by path."""

ID = "judge@extlint.invalid"
PNG = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII="
)
"""An image of one pixel."""
MEMBERS = (Path(__file__).parent / "members" / "members.js").read_text(encoding="utf-8")
CONTENT_SCRIPT = {"matches": ["http://127.0.0.1/*"], "js": ["members.js", "content.js"]}

PAGES = {
    "page.html": ContextKind.EXTENSION_PAGE,
    "devtools.html": ContextKind.DEVTOOLS_PAGE,
    "sandbox.html": ContextKind.SANDBOX,
    "offscreen.html": ContextKind.OFFSCREEN,
}
"""The pages of each extension, and their kinds if the manifest or a call declares them."""

KEYS: Mapping[str, Any] = {
    "action": {},
    "browser_action": {},
    "chrome_url_overrides": {"newtab": "page.html"},
    "commands": {"judge": {"description": "judge"}},
    "devtools_page": "devtools.html",
    "file_browser_handlers": [
        {"id": "judge", "default_title": "judge", "file_filters": ["filesystem:*.judge"]}
    ],
    "input_components": [{"name": "judge", "language": "en"}],
    "mime_types_handler": "page.html",
    "omnibox": {"keyword": "judge"},
    "options_ui": {"page": "page.html"},
    "page_action": {},
    "side_panel": {"default_path": "page.html"},
    "sidebar_action": {"default_panel": "page.html"},
    "tts_engine": {"voices": [{"voice_name": "judge", "event_types": ["end"]}]},
    "user_scripts": {},
}
"""Keys of the manifest that may add members of the API, each with a harmless value."""

VERSIONS = {"firefox": (3, 2), "chromium": (3,)}
"""The manifest versions that each browser loads."""

VERSION_KEYS = {2: {"browser_action", "user_scripts"}, 3: {"action", "side_panel"}}
"""Keys that only one manifest version has."""


OPTIONAL_ONLY = frozenset({"trialML", "userScripts"})
"""The permissions that Firefox accepts only as optional ones."""

PRIVILEGED = frozenset({"activityLog", "mozillaAddons", "networkStatus", "telemetry"})
"""The permissions that Firefox accepts only in add-ons signed by Mozilla as its own."""

EVERYWHERE = "<all_urls>"


class Case(Struct, frozen=True):
    """An extension, and the contexts in which it is examined."""

    manifest: Manifest
    contexts: frozenset[ContextKind]


def files_of(case: Case, report_to: str | None = None) -> dict[str, str]:
    """Returns the files of a case. With an address, each context posts its members there."""
    files = {"manifest.json": json.dumps(case.manifest), "members.js": MEMBERS, "background.js": ""}
    kinds = {"background": ContextKind.BACKGROUND, "content": ContextKind.CONTENT_SCRIPT}
    for name, kind in PAGES.items():
        stem = name.removesuffix(".html")
        files[name] = f'<!doctype html><script src="members.js"></script><script src="{stem}.js"></script>'
        kinds[stem] = kind
    for stem, kind in kinds.items():
        files[f"{stem}.js"] = "" if report_to is None else _report(kind, report_to)
    return files


def _report(kind: ContextKind, address: str) -> str:
    found = f"JSON.stringify({{context: {json.dumps(kind.value)}, members: membersOf(globalThis.browser)}})"
    return f"fetch({json.dumps(address)}, {{method: 'POST', body: {found}}});"


def describe(case: Case) -> str:
    """Returns a short description of a case: `manifest version 3 with tabs`."""
    names = [name for key in ("permissions", "optional_permissions") for name in case.manifest.get(key, ())]
    names += [key for key in case.manifest if key in KEYS]
    what = ", ".join(names[:3]) + ", ..." * (len(names) > 3)
    return f"manifest version {case.manifest['manifest_version']} with {what or 'nothing'}"


def manifest(version: int = 3, **keys: Any) -> Manifest:
    """Returns a manifest with the required keys, and more."""
    basis = {"manifest_version": version, "name": "judge", "version": "1"}
    return {**basis, "browser_specific_settings": {"gecko": {"id": ID}}, **keys}


def extension(keys: Mapping[str, Any], files: Files = MappingProxyType({})) -> Files:
    """Returns the files of an extension with a manifest."""
    return {"manifest.json": json.dumps(keys), **files}


def write_files(files: Files, folder: Path) -> None:
    """Writes an extension into a folder, removing everything else."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        if old.is_dir():
            rmtree(old)
        else:
            old.unlink()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def cases(browser: str, permissions: Iterable[str]) -> Iterator[Case]:
    """Yields a case with everything in every kind of context, one with nothing, and one for each single item.

    `permissions` are those that the facts know. An item is a permission or a key of the manifest.
    """
    known = grantable(browser, permissions)
    yield from full_and_bare_cases(browser, known)
    for version in VERSIONS[browser]:
        for name in known:
            yield _background_case(_manifest(browser, version) | _permission_keys(browser, [name]), browser)
        for key, value in KEYS.items():
            if key not in VERSION_KEYS[5 - version]:
                yield _background_case(_manifest(browser, version) | {key: value}, browser)


def full_and_bare_cases(browser: str, permissions: Iterable[str]) -> Iterator[Case]:
    """Yields a case with everything in every kind of context, then one with nothing."""
    devtools = frozenset({ContextKind.DEVTOOLS_PAGE})
    for version in VERSIONS[browser]:
        every = full_manifest(browser, version, grantable(browser, permissions))
        yield Case(every, devtools)
        yield Case(every, _contexts(browser, every, all_kinds=True) - devtools)
        bare = _manifest(browser, version) | {"content_scripts": [CONTENT_SCRIPT]}
        yield Case(bare, _contexts(browser, bare, all_kinds=True))


def permission_cases(browser: str, permissions: Sequence[str]) -> Iterator[Case]:
    """Yields cases with only the given permissions, if there are any, in every kind of context."""
    for version in VERSIONS[browser] if permissions else ():
        manifest = _manifest(browser, version) | _permission_keys(browser, permissions)
        manifest |= {"content_scripts": [CONTENT_SCRIPT]}
        yield Case(manifest, _contexts(browser, manifest, all_kinds=True))


def grantable(browser: str, permissions: Iterable[str]) -> list[str]:
    """Returns the permissions that a browser grants to extensions without its maker's signature, sorted."""
    return sorted(permissions if browser == "chromium" else set(permissions) - PRIVILEGED)


def full_manifest(browser: str, version: int, permissions: Iterable[str]) -> Manifest:
    """Returns a manifest that requests everything at once."""
    keys = {key: value for key, value in KEYS.items() if key not in VERSION_KEYS[5 - version]}
    if browser == "chromium":
        keys = {key: value for key, value in keys.items() if key not in EXCLUSIVE_KEYS}
    manifest = _manifest(browser, version) | keys
    manifest |= _permission_keys(browser, permissions) | {"content_scripts": [CONTENT_SCRIPT]}
    if version == 3:
        return manifest | {"host_permissions": [EVERYWHERE]}
    return manifest | {"permissions": [*manifest["permissions"], EVERYWHERE]}


def _permission_keys(browser: str, permissions: Iterable[str]) -> Manifest:
    later = OPTIONAL_ONLY if browser == "firefox" else frozenset[str]()
    named = list(permissions)
    keys: Manifest = {"permissions": [name for name in named if name not in later]}
    optional = [name for name in named if name in later]
    return keys | {"optional_permissions": optional} if optional else keys


EXCLUSIVE_KEYS = {"browser_action", "page_action"}
"""Keys that Chromium accepts only without other keys of their kind."""


def _manifest(browser: str, version: int) -> Manifest:
    manifest: Manifest = {"manifest_version": version, "name": "judge", "version": "1"}
    if browser == "chromium":
        return manifest | {
            "background": {"service_worker": "background.js"},
            "sandbox": {"pages": ["sandbox.html"]},
        }
    policy = "script-src 'self'"
    return manifest | {
        "background": {"scripts": ["members.js", "background.js"]},
        "browser_specific_settings": {"gecko": {"id": ID}},
        "content_security_policy": policy if version == 2 else {"extension_pages": policy},
    }


def _contexts(browser: str, manifest: Manifest, all_kinds: bool = False) -> frozenset[ContextKind]:
    chromium = browser == "chromium"
    found = {ContextKind.SERVICE_WORKER if chromium else ContextKind.BACKGROUND}
    if all_kinds:
        found.add(ContextKind.EXTENSION_PAGE)
        if chromium:
            found.add(ContextKind.SANDBOX)
    if "content_scripts" in manifest:
        found.add(ContextKind.CONTENT_SCRIPT)
    if "devtools_page" in manifest and all_kinds:
        found.add(ContextKind.DEVTOOLS_PAGE)
    if chromium and manifest.get("permissions") == ["offscreen"]:
        found.add(ContextKind.OFFSCREEN)
    return frozenset(found)


def _background_case(manifest: Manifest, browser: str) -> Case:
    return Case(manifest, _contexts(browser, manifest))
