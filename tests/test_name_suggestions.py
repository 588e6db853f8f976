"""Suggestions for names that are misspelled or misremembered."""

from __future__ import annotations

import json

import pytest
from harness import lint
from hypothesis import given
from hypothesis import strategies as st

from extlint.schema.targets import schema_set
from extlint.text.nearest import nearest, suggest_name

TYPES = ["main_frame", "sub_frame", "stylesheet", "script", "image", "font", "xmlhttprequest", "websocket"]
CONTEXTS = ["all", "page", "frame", "selection", "link", "editable", "image", "video", "audio"]
SIDES = ["right top", "left top", "right bottom", "top", "right", "center"]
TAB = ["active", "favIconUrl", "id", "index", "pinned", "status", "title", "url", "windowId"]
NOTE = ["appIconMaskUrl", "buttons", "contextMessage", "iconUrl", "message", "title", "type"]

SIMILAR = {
    "a letter is missing": ("pined", TAB, "pinned"),
    "a beginning": ("captureVisible", ["captureTab", "captureVisibleTab"], "captureVisibleTab"),
    "a beginning within a word": ("descr", ["description", "name"], "description"),
    "a word more": ("queryTabs", ["query", "get"], "query"),
    "a word less": ("openOnActionClick", ["openPanelOnActionClick"], "openPanelOnActionClick"),
    "a word less at the start": ("getFocused", ["getAll", "getLastFocused"], "getLastFocused"),
    "only the last word": ("icon", ["default_icon", "default_popup", "default_title"], "default_icon"),
    "other words around it": ("onTabUpdated", ["onUpdated", "onCreated"], "onUpdated"),
    "words in another order": ("top right", SIDES, "right top"),
    "words that are joined otherwise": ("mainFrame", TYPES, "main_frame"),
    "one of a word's forms": ("selected", CONTEXTS, "selection"),
    "another plural": ("childs", ["id", "children", "title"], "children"),
    "one instead of many": ("tab", ["tabs", "storage"], "tabs"),
    "many instead of one": ("ids", ["id", "url"], "id"),
    "a short name": ("uri", TAB, "url"),
    "a word for the same": ("href", TAB, "url"),
    "a word for the same in another API": ("body", NOTE, "message"),
    "a short form": ("xhr", TYPES, "xmlhttprequest"),
    "the name of the HTML element": ("iframe", TYPES, "sub_frame"),
    "another word for a doing": ("delete", ["clear", "get", "remove", "set"], "remove"),
}

DISSIMILAR = {
    "another word": ("frobnicate", TAB),
    "another doing": ("remove", ["clear", "clearAll", "create", "get", "getAll", "onAlarm"]),
    "a function like an event": ("addAlarm", ["onAlarm", "clear"]),
    "an event like a function": ("onTabRemove", ["removeTab"]),
    "get is ignored as a common word": ("getState", ["get", "getAll", "getTree"]),
    "as near to two": ("clearBadgeText", ["getBadgeText", "setBadgeText"]),
    "the beginning of two": ("capture", ["captureTab", "captureVisibleTab"]),
    "a short name with another first letter": ("tab", ["cab", "url"]),
    "two letters of a short name": ("noun", ["name", "note"]),
    "a word of its own on each side": ("minimum_edge_version", ["minimum_opera_version"]),
    "numbers": ("24", ["16", "32", "48", "128"]),
    "one letter": ("t", ["title", "url"]),
    "nothing": ("", ["id"]),
    "a name that is known": ("tabs", ["tabs", "tab"]),
}


@pytest.mark.parametrize(("name", "known", "right"), SIMILAR.values(), ids=SIMILAR)
def test_similar_name_is_suggested(name: str, known: list[str], right: str) -> None:
    assert suggest_name(name, known) == right


@pytest.mark.parametrize(("name", "known"), DISSIMILAR.values(), ids=DISSIMILAR)
def test_dissimilar_name_is_not_suggested(name: str, known: list[str]) -> None:
    assert suggest_name(name, known) is None


NAMES = st.text(st.sampled_from("abcAB_ s"), max_size=9)


@given(NAMES, st.lists(NAMES, max_size=6))
def test_suggestion_is_a_different_known_name(name: str, known: list[str]) -> None:
    found = suggest_name(name, known)
    assert found is None or (found in known and found != name)
    assert nearest(name, known) in (None, found)


@given(NAMES, st.lists(NAMES, max_size=6))
def test_suggestion_does_not_depend_on_the_order(name: str, known: list[str]) -> None:
    assert suggest_name(name, known) == suggest_name(name, reversed(known))


def test_api_member_suggests_no_other_member() -> None:
    schemas = schema_set("chrome")
    for name in schemas.names:
        namespace = schemas.namespace(name)
        members = list(namespace.members) if namespace is not None else []
        assert [each for each in members if suggest_name(each, members)] == []


def hints(script: str, target: str = "chrome") -> list[tuple[str, str | None]]:
    """Returns the messages and help for a background script that has all permissions it requires."""
    files = {
        "manifest.json": json.dumps(
            {
                "manifest_version": 3,
                "name": "A",
                "version": "1",
                "background": {"service_worker": "a.js", "scripts": ["a.js"]},
                "permissions": ["alarms", "bookmarks", "contextMenus", "history", "tabs", "webRequest"],
            }
        ),
        "a.js": script,
    }
    rules = ["invalid-argument", "unknown-api", "unknown-result-field", "impossible-comparison"]
    return [(each.message, each.help) for each in lint(files, rules, target)]


HINTS: dict[str, tuple[str, tuple[str, str | None]]] = {
    "a member": (
        "chrome.tabs.captureVisible();",
        ("`tabs.captureVisible` does not exist; did you mean `captureVisibleTab`?", None),
    ),
    "a member that is like none, of few": (
        "chrome.alarms.remove('a');",
        (
            "`alarms.remove` does not exist; `alarms` has `clear`, `clearAll`, `create`, `get`, `getAll` and "
            "`onAlarm`",
            None,
        ),
    ),
    "a member that is like none, of many": (
        "chrome.tabs.frobnicate();",
        ("`tabs.frobnicate` does not exist", None),
    ),
    "a member that only version 2 has is not meant": (
        "chrome.tabs.getSelect();",
        ("`tabs.getSelect` does not exist", None),
    ),
    "a field": (
        "chrome.bookmarks.get('1', found => found[0].childs);",
        (
            "each item of the result of `bookmarks.get` is a `BookmarkTreeNode`, which has no field "
            "`childs`; did you mean `children`?",
            None,
        ),
    ),
    "a property": (
        "chrome.tabs.create({uri: 'https://example.org/'});",
        ("unknown property `uri`", "did you mean `url`?"),
    ),
    "an unknown property next to the similar one": (
        "chrome.tabs.create({url: 'https://example.org/', uri: 'a', id: 1});",
        (
            "unknown property `uri`",
            "the object can have `active`, `index`, `openerTabId`, `pinned`, `selected`, `splitWithTabId`, "
            "`url` and `windowId`",
        ),
    ),
    "a property that is like none, of few": (
        "chrome.alarms.create('a', {in: 1});",
        (
            "unknown property `in`",
            "the object can have `delayInMinutes`, `name`, `periodInMinutes`, `persistAcrossSessions` and "
            "`when`",
        ),
    ),
    "a property that is required": (
        "chrome.history.addUrl({uri: 'https://example.org/'});",
        ("unknown property `uri`", "did you mean `url`, which is required?"),
    ),
    "a value": (
        "chrome.contextMenus.create({id: 'a', title: 'A', contexts: ['selected']});",
        (
            '`createProperties.contexts[0]` must be one of "all", "page", "frame", "selection", "link", '
            '"editable", "image", "video", "audio", "launcher" or 4 others, not the string "selected"',
            "did you mean `selection`?",
        ),
    ),
    "a type of resource": (
        "chrome.webRequest.onBeforeRequest.addListener(f, {urls: ['<all_urls>'], types: ['xhr']});",
        (
            '`filter.types[0]` must be one of "main_frame", "sub_frame", "stylesheet", "script", "image", '
            '"font", "object", "xmlhttprequest", "ping", "csp_report" or 4 others, not the string "xhr"',
            "did you mean `xmlhttprequest`?",
        ),
    ),
    "a value that is compared": (
        "chrome.management.getSelf(self => self.installType === 'develop');",
        (
            '`installType` in the result of `management.getSelf` is one of "admin", "development", "normal", '
            '"sideload" or "other", never the string "develop"',
            "did you mean `development`?",
        ),
    ),
}


@pytest.mark.parametrize(("script", "expected"), HINTS.values(), ids=HINTS)
def test_message_and_help_of_a_misspelling(script: str, expected: tuple[str, str | None]) -> None:
    assert hints(script)[0] == expected


MISSING = {
    "a required property by another name": ("chrome.history.addUrl({uri: 'https://a.org/'});", 1),
    "a required property, and one that is like none": ("chrome.history.addUrl({frob: 'https://a.org/'});", 2),
    "only a missing required property": ("chrome.history.addUrl({});", 1),
    "both are there": ("chrome.history.addUrl({url: 'https://a.org/', uri: 'a'});", 1),
    "nothing is wrong": ("chrome.history.addUrl({url: 'https://a.org/'});", 0),
}


@pytest.mark.parametrize("target", ["chrome", "firefox", "firefox,chrome"])
@pytest.mark.parametrize(("script", "count"), MISSING.values(), ids=MISSING)
def test_misspelled_required_property_is_one_mistake(script: str, count: int, target: str) -> None:
    assert len(hints(script, target)) == count


@pytest.mark.parametrize("name", ["requestID", "frobnicated", "requestUri"])
def test_unknown_field_of_an_open_object_is_not_reported(name: str) -> None:
    script = f"browser.webNavigation.onTabReplaced.addListener(details => details.{name});"
    assert hints(script, "firefox") == []
