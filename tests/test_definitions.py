"""Definitions of names in documents, and links of documents. `|` is the cursor."""

from __future__ import annotations

import pytest
from editing import EXAMPLES, FILES, SETTINGS, cursor, example_with, package_with
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.services.editor.definitions import Link, Location, definitions, links
from extlint.text.positions import Position, TextIndex

EN, DE = "_locales/en/messages.json", "_locales/de/messages.json"
TITLE = f"{EN}:2:3 {DE}:2:3"
POPUP = "popup/popup.html"


def found(path: str, written: str, **files: str) -> str:
    text, position = cursor(written)
    package = package_with({**FILES, **files}, path, text)
    return " ".join(map(place, definitions(package, SETTINGS, path, text, position)))


def place(location: Location) -> str:
    start = location.span.start
    return location.path if start == (1, 1) else f"{location.path}:{start.line}:{start.column}"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('chrome.runtime.getURL("|popup/popup.html")', POPUP),
        ('chrome.runtime.getURL("popup/popup.html|")', POPUP),
        ('chrome.runtime.getURL("/popup/po|pup.html?a=1#b")', POPUP),
        ("chrome.runtime.getURL(`popup/po|pup.html`)", POPUP),
        ('chrome.runtime.getURL(|"popup/popup.html")', ""),
        ('chrome.runtime.getURL("popup/popup.html"|)', ""),
        ('chrome.runtime.getURL("no|ne.html")', ""),
        ('// chrome.runtime.getURL("popup/po|pup.html")', ""),
        ('const {getURL: url} = browser.runtime; url("popup/po|pup.html")', POPUP),
        ('import {api} from "./util.js"; api.runtime.getURL("popup/po|pup.html")', POPUP),
        ('chrome.tabs.create({url: "popup/po|pup.html"})', POPUP),
        ('chrome.tabs.create({url: x ? "popup/po|pup.html" : "a.html"})', POPUP),
        ('chrome.tabs.create({title: "inject.c|ss"})', ""),
        ('chrome.action.setIcon({path: {16: "icons/1|6.png"}})', "icons/16.png"),
        ('chrome.action.setPopup({popup: "popup/po|pup.html"})', POPUP),
        (
            'chrome.scripting.executeScript({target: {}, files: ["util.js", "backgr|ound.js"]})',
            "background.js",
        ),
        ('chrome.scripting.insertCSS({files: ["inj|ect.css"]})', "inject.css"),
        ('chrome.scripting.registerContentScripts([{id: "a", css: ["inj|ect.css"]}])', "inject.css"),
        ('chrome.notifications.create("a", {iconUrl: "icons/1|6.png"})', "icons/16.png"),
        ('import "./u|til.js"', "util.js"),
        ('import x from "./u|til"', "util.js"),
        ('export * from "./u|til.js"', "util.js"),
        ('import("./u|til.js")', "util.js"),
        ('import "re|act"', ""),
        ('importScripts("util.js", "backgr|ound.js")', "background.js"),
        ('new Worker("u|til.js")', "util.js"),
        ('new Worker(new URL("u|til.js", import.meta.url))', "util.js"),
        ('location.href = "popup/po|pup.html"', POPUP),
        ('chrome.i18n.getMessage("ti|tle")', TITLE),
        ('chrome.i18n.getMessage("TI|TLE")', TITLE),
        ('chrome.i18n.getMessage("Greeting", ["ti|tle"])', ""),
        ('chrome.i18n.getMessage("no|ne")', ""),
        (
            'chrome.declarativeNetRequest.updateEnabledRulesets({enableRulesetIds: ["a|ds"]})',
            "rules/ads.json",
        ),
        ('chrome.runtime.getURL("popup/po|pup.html"); }} ((', POPUP),
    ],
)
def test_names_in_scripts(written: str, expected: str) -> None:
    assert found("background.js", written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('chrome.action.setIcon({path: "icon.p|ng"})', "popup/icon.png icon.png"),
        ('chrome.action.setIcon({path: "/icon.p|ng"})', "icon.png"),
        ('chrome.tabs.create({url: "fra|me.html"})', "popup/frame.html"),
        ('const image = new Image(); image.src = "icon.p|ng"', "popup/icon.png icon.png"),
        ('document.createElement("p").src = "icon.p|ng"', ""),
        ('document.querySelector("img").setAttribute("src", "icon.p|ng")', "popup/icon.png icon.png"),
        ('fetch("fra|me.html")', "popup/frame.html"),
        ('function fetch() {} fetch("icon.p|ng")', ""),
        ('x = "icon.p|ng"', ""),
    ],
)
def test_names_relative_to_a_page(written: str, expected: str) -> None:
    icons = {"popup/icon.png": "", "icon.png": ""}
    assert (
        found("scripts/popup.js", written, **icons, **{POPUP: '<script src="../scripts/popup.js"></script>'})
        == expected
    )


def test_names_in_content_scripts_are_not_relative_to_the_extension() -> None:
    text, position = cursor('new Image().src = "icons/1|6.png"')
    manifest = '{"content_scripts": [{"js": ["content.js"]}]}'
    for files, expected in (({}, 1), ({"manifest.json": manifest}, 0)):
        package = package_with({**FILES, **files}, "content.js", text)
        assert len(definitions(package, SETTINGS, "content.js", text, position)) == expected


@pytest.mark.parametrize(
    ("path", "written", "expected"),
    [
        (
            "manifest.json",
            '{"manifest_version": 3, "background": {"service_worker": "backg|round.js"}}',
            "background.js",
        ),
        ("manifest.json", '{"manifest_version": 3, "background": {"service_|worker": "background.js"}}', ""),
        ("manifest.json", '{"icons": {"16": "/icons/|16.png"}}', "icons/16.png"),
        ("manifest.json", '{"icons": {"16": "Icons/|16.PNG"}}', "icons/16.png"),
        ("manifest.json", '{"content_scripts": [{"css": ["inj|ect.css"]}]}', "inject.css"),
        ("manifest.json", '{"default_locale": "d|e"}', DE),
        ("manifest.json", '{"default_locale": "en", "name": "a __MSG_ti|tle__"}', TITLE),
        ("manifest.json", '{"default_locale": "de", "name": "__MSG_ti|tle__"}', f"{DE}:2:3 {EN}:2:3"),
        ("manifest.json", '{"name": "__MSG_ti|tle__", ', TITLE),
        ("manifest.json", '{"name": "a| __MSG_title__"}', ""),
        (
            "manifest.json",
            '{"web_accessible_resources": [{"resources": ["icons/|*"]}]}',
            "icons/16.png icons/32.png",
        ),
        ("manifest.json", '{"web_accessible_resources": [{"resources": ["|*"]}]}', ""),
        (
            "manifest.json",
            '{"declarative_net_request": {"rule_resources": [{"id": "a|ds", "path": "rules/ads.json"}]}}',
            "rules/ads.json",
        ),
        ("popup/a.html", '<script src="po|pup.js"></script>', "popup/popup.js"),
        ("popup/a.html", '<link rel="stylesheet" href="pop|up.css">', "popup/popup.css"),
        ("popup/a.html", '<a href="fra|me.html#a">', "popup/frame.html"),
        ("popup/a.html", '<base href="/"><img src="icons/|16.png">', "icons/16.png"),
        ("popup/a.html", '<!-- <img src="/icons/|16.png"> -->', ""),
        ("popup/a.html", '<script>chrome.runtime.getURL("inject.c|ss")</script>', "inject.css"),
        ("popup/a.html", "<style>a { background: url(/icons/|16.png) }</style>", "icons/16.png"),
        ("popup/a.html", "<p>__MSG_ti|tle__</p>", TITLE),
        ("popup/a.html", '<p data-i18n="ti|tle"></p>', TITLE),
        ("popup/a.html", '<p data-i18n="no|ne"></p>', ""),
        ("popup/a.html", '<p class="ti|tle"></p>', ""),
        ("popup/a.vue", '<script>chrome.runtime.getURL("inject.c|ss")</script>', "inject.css"),
        ("popup/a.css", "@import 'pop|up.css';", "popup/popup.css"),
        ("popup/a.css", "a { background: url(../icons/|16.png) }", "icons/16.png"),
        (
            "popup/a.css",
            "a { background: url(chrome-extension://__MSG_@@extension_id__/icons/|16.png) }",
            "icons/16.png",
        ),
        ("popup/a.css", 'a::before { content: "__MSG_ti|tle__" }', TITLE),
        ("popup/a.css", "/* url(../icons/|16.png) */", ""),
        (DE, '{"ti|tle": {"message": "a"}}', f"{EN}:2:3"),
        (EN, '{"a": {"message": "$B|$", "placeholders": {"b": {"content": "$1"}}}}', f"{EN}:1:43"),
        (EN, '{"a": {"message": "$C|$", "placeholders": {"b": {"content": "$1"}}}}', ""),
        (
            "rules/ads.json",
            '[{"action": {"type": "redirect", "redirect": {"extensionPath": "/inj|ect.css"}}}]',
            "inject.css",
        ),
        ("notes.txt", "a|", ""),
    ],
)
def test_names_in_other_documents(path: str, written: str, expected: str) -> None:
    assert found(path, written) == expected


def test_the_origin_is_the_name_without_quotes() -> None:
    text, position = cursor('/* ä */ chrome.i18n.getMessage("ti|tle")')
    package = package_with(FILES, "background.js", text)
    assert {each.origin for each in definitions(package, SETTINGS, "background.js", text, position)} == {
        (Position(1, 33), Position(1, 38))
    }


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "background.js",
            "import './util';\n// chrome.runtime.getURL('inject.css')\n"
            "chrome.tabs.create({url: 'popup/popup.html', title: 'inject.css'});\n"
            "chrome.runtime.getURL('gone.css'); chrome.i18n.getMessage('title');\n",
            ["1:9-15 util.js", "3:27-43 popup/popup.html"],
        ),
        (
            "popup/a.html",
            '<script src="popup.js"></script><img src="none.png">\n<script>new Worker("/util.js")</script>',
            ["1:14-22 popup/popup.js", "2:21-29 util.js"],
        ),
        ("popup/a.css", "@import 'popup.css'; a { background: url(none.png) }", ["1:10-19 popup/popup.css"]),
        (
            "manifest.json",
            '{"icons": {"16": "icons/16.png", "48": "icons/48.png"}}',
            ["1:19-31 icons/16.png"],
        ),
    ],
)
def test_links(path: str, text: str, expected: list[str]) -> None:
    package = package_with(FILES, path, text)
    assert [written(each) for each in links(package, SETTINGS, path, text)] == expected


def written(link: Link) -> str:
    start, end = link.span
    return f"{start.line}:{start.column}-{end.column} {link.path}"


def test_a_link_names_a_file_that_differs_from_its_name() -> None:
    text = 'import "./util"; import "./util.js";'
    package = package_with(FILES, "background.js", text)
    assert [each.tooltip for each in links(package, SETTINGS, "background.js", text)] == ["util.js", ""]


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_any_part_of_a_document_has_definitions_and_links(path: str, data: st.DataObject) -> None:
    whole = EXAMPLES[path]
    text = whole[: data.draw(st.integers(0, len(whole)))]
    before = text[: data.draw(st.integers(0, len(text)))]
    position = TextIndex(text.encode()).position(len(before.encode()))
    package, inner = example_with(path, text)
    definitions(package, SETTINGS, inner, text, position)
    links(package, SETTINGS, inner, text)
