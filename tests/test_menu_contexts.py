"""Items of menus that never show, because their parents show for other clicks."""

from __future__ import annotations

import pytest
from harness import manifest, reported

PARENT = "chrome.contextMenus.create({ id: 'a', title: 'A'%s });"
CHILD = "chrome.contextMenus.create({ id: 'b', parentId: 'a', title: 'B'%s });"
EDITABLE, LINK = ", contexts: ['editable']", ", contexts: ['link']"
PAGE, PLACES = ", contexts: ['page']", ", contexts: ['link', 'page']"
ITEMS = {
    "a page in editable elements": (PARENT % EDITABLE + CHILD % PAGE, True),
    "a link on pages": (PARENT % PAGE + CHILD % LINK, True),
    "a link where contexts are left out": (PARENT % "" + CHILD % LINK, True),
    "a tab in links": (PARENT % LINK + CHILD % ", contexts: ['tab']", True),
    "the other order": (
        f"chrome.runtime.onInstalled.addListener(() => {{ {PARENT % EDITABLE} {CHILD % PAGE} }});",
        True,
    ),
    "the same": (PARENT % LINK + CHILD % LINK, False),
    "contexts that are left out": (PARENT % EDITABLE + CHILD % "", False),
    "a selected link": (PARENT % LINK + CHILD % ", contexts: ['selection']", False),
    "one in common": (PARENT % PLACES + CHILD % LINK, False),
    "all": (PARENT % ", contexts: ['all']" + CHILD % LINK, False),
    "all in editable elements": (PARENT % EDITABLE + CHILD % ", contexts: ['all']", False),
    "frames": (PARENT % ", contexts: ['frame']" + CHILD % PAGE, False),
    "contexts that are not known": (PARENT % ", contexts" + CHILD % LINK, False),
    "options that are not known": (PARENT % ", ...more" + CHILD % LINK, False),
    "contexts that are changed": (
        PARENT % EDITABLE + CHILD % PAGE + "chrome.contextMenus.update('a', { contexts: ['page'] });",
        False,
    ),
    "one of two parents": (f"if (x) {PARENT % LINK} else {PARENT % PAGE} {CHILD % PAGE}", False),
    "another parent": (PARENT % EDITABLE + CHILD.replace("parentId: 'a'", "parentId: name") % PAGE, False),
}


@pytest.mark.parametrize(("script", "is_reported"), ITEMS.values(), ids=ITEMS.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_contexts_of_an_item(script: str, is_reported: bool, target: str) -> None:
    files = {
        "manifest.json": manifest(
            permissions=["contextMenus"], background={"service_worker": "b.js", "scripts": ["b.js"]}
        ),
        "b.js": script,
    }
    found = [text for _, text in reported(files, ["invalid-argument"], target)]
    assert len(found) == is_reported
    assert all(each.startswith("[") for each in found)


OLD_CONTEXTS = {
    "the browser action": ("contexts: ['browser_action']", {}, 1),
    "the page action": ("contexts: ['page_action']", {}, 1),
    "both": ("contexts: ['browser_action', 'page_action']", {}, 1),
    "pages too": ("contexts: ['page', 'browser_action']", {}, 1),
    "the action too": ("contexts: ['action', 'browser_action']", {}, 0),
    "all": ("contexts: ['all', 'browser_action']", {}, 0),
    "contexts that are not known": ("contexts: ['browser_action', more]", {}, 0),
    "without an icon": ("contexts: ['browser_action']", {"action": None}, 0),
    "version 2": (
        "contexts: ['browser_action']",
        {"manifest_version": 2, "action": None, "browser_action": {}, "background": {"scripts": ["b.js"]}},
        0,
    ),
}


@pytest.mark.parametrize(("contexts", "keys", "count"), OLD_CONTEXTS.values(), ids=OLD_CONTEXTS.keys())
def test_contexts_that_version_3_renamed(contexts: str, keys: dict[str, object], count: int) -> None:
    settings = {"action": {}, "background": {"service_worker": "b.js"}, **keys}
    files = {
        "manifest.json": manifest(
            permissions=["contextMenus"],
            **{key: value for key, value in settings.items() if value is not None},
        ),
        "b.js": f"chrome.contextMenus.create({{ id: 'a', title: 'A', {contexts} }});",
    }
    found = [text for _, text in reported(files, ["invalid-argument"], "chrome")]
    assert len(found) == count
    assert set(found) <= {"'browser_action'", "'page_action'"}


def test_renamed_context_in_a_script_of_two_manifests() -> None:
    """A script may also belong to a manifest for Firefox, in which the old name is right."""
    script = "chrome.contextMenus.create({ id: 'a', title: 'A', contexts: ['browser_action'] });"
    new = manifest(permissions=["contextMenus"], action={}, background={"service_worker": "b.js"})
    old = manifest(
        manifest_version=2,
        permissions=["contextMenus"],
        browser_action={},
        background={"scripts": ["b.js"], "persistent": False},
    )
    assert not reported(
        {"manifest.json": new, "manifest.v2.json": old, "b.js": script}, ["invalid-argument"], "chrome"
    )
