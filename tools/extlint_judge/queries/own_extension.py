"""The manifest, the background page and the user agent, as seen by scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from extlint.checks.reachability.environment_tests import USER_AGENTS
from extlint.manifest.manifest import read_manifest
from extlint_judge.browsers.processes import ENGINES
from extlint_judge.browsers.session import BACKGROUND, Session
from extlint_judge.extensions import VERSIONS, Manifest, extension, manifest
from extlint_judge.query import FAILS, ONE, Query, answers_of
from extlint_rules.missing_background_page import has_background_page

BACKGROUNDS: Mapping[str, Mapping[str, Any]] = {
    "nothing": {},
    "scripts": {"background": {"scripts": [BACKGROUND]}},
    "scripts of an event page": {"background": {"scripts": [BACKGROUND], "persistent": False}},
    "a page": {"background": {"page": "background.html"}},
    "a service worker": {"background": {"service_worker": BACKGROUND}},
}


def _background_cases(browser: str) -> Mapping[str, Manifest]:
    """Returns the manifests that a browser loads. Chromium no longer loads Manifest V2."""
    names = ("nothing", "a service worker") if browser == "chromium" else (*BACKGROUNDS,)[:4]
    return {
        f"{version}, {name}": manifest(version, **BACKGROUNDS[name])
        for version in VERSIONS[browser]
        for name in names
        if version == 2 or "event" not in name
    }


def _ask_background_pages(session: Session, keys: Manifest) -> Any:
    calls = {name: f"api.{name}()" for name in ("runtime.getBackgroundPage", "extension.getBackgroundPage")}
    files = extension(keys, {BACKGROUND: "", "background.html": "<!doctype html>"})
    return session.evaluate(files, answers_of(calls, "value ? 'gives a page' : 'gives nothing'"))


def _compare_background_pages(browser: str, keys: Manifest, answers: Mapping[str, str]) -> Iterator[str]:
    text = str(extension(keys)["manifest.json"]).encode()
    own = has_background_page(read_manifest("manifest.json", text), ENGINES[browser])
    if {own} != {each == "gives a page" for each in answers.values()}:
        yield f"extlint says that there is {'a' if own else 'no'} background page"
    if browser == "chromium" and not own and not answers["runtime.getBackgroundPage"].startswith(FAILS):
        yield "extlint says that runtime.getBackgroundPage fails"


background_pages = Query(
    "background-pages",
    """Query the results of requesting the background page.

    The exit code is 1 if extlint disagrees.
    """,
    _background_cases,
    _ask_background_pages,
    _compare_background_pages,
)

WRITTEN: Manifest = manifest(
    permissions=["tabs", "menus", "sidePanel", "judge_nowhere"],
    optional_permissions=["bookmarks", "readingList"],
    background={"scripts": [BACKGROUND], "service_worker": BACKGROUND},
    side_panel={"default_path": "page.html"},
    sidebar_action={"default_panel": "page.html"},
    minimum_chrome_version="100",
    action={"default_title": "judge", "judge_nowhere": 1},
    judge_nowhere={"key": 1},
    homepage_url="https://example.org/",
    offline_enabled=True,
)
"""A manifest with keys and permissions known to both browsers, to one of them, or to neither."""


def manifest_differences(written: object, found: object, at: str = "") -> Iterator[str]:
    """Yields a line for each difference between the written manifest and the one that scripts get."""
    if isinstance(written, dict) and isinstance(found, dict):
        for key in dict.fromkeys((*written, *found)):
            where = f"{at}/{key}"
            if key not in found or (found[key] is None and key in written):
                yield f"{where}: {json.dumps(written[key])} is not seen"
            elif key not in written:
                if found[key] is not None:
                    yield f"{where}: {json.dumps(found[key])} is seen, and not written"
            else:
                yield from manifest_differences(written[key], found[key], where)
    elif written != found:
        yield f"{at}: {json.dumps(written)} is seen as {json.dumps(found)}"


def _ask_seen_manifest(session: Session, _: None) -> list[str]:
    found = session.evaluate(extension(WRITTEN, {BACKGROUND: ""}), "chrome.runtime.getManifest()")
    return [*manifest_differences(WRITTEN, found)]


seen_manifest = Query(
    "seen-manifest",
    """Query the result of runtime.getManifest.

    Prints its differences from the file.
    """,
    lambda _: ONE,
    _ask_seen_manifest,
)


def _compare_user_agent(browser: str, _: None, agent: str) -> Iterable[str]:
    known = USER_AGENTS[ENGINES[browser]]
    missing = (text for text in sorted(known.always_has) if text not in agent)
    unexpected = (text for text in sorted(known.never_has) if text in agent)
    yield from (f"there is no {text!r} in it" for text in missing)
    yield from (f"there is {text!r} in it" for text in unexpected)


user_agent = Query(
    "user-agent",
    """Query the user agent.

    The exit code is 1 if extlint disagrees.
    """,
    lambda _: ONE,
    lambda session, _: session.evaluate(extension(manifest()), "navigator.userAgent"),
    _compare_user_agent,
)
