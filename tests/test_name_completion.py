"""Completion of names of files, messages, placeholders and rulesets. `|` is the cursor."""

from __future__ import annotations

import pytest
from editing import EXAMPLES, FILES, SETTINGS, cursor, example_with, package_with
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import package_in
from thorough import examples

from extlint.services.editor.documents.text_cursor import Completion
from extlint.services.editor.name_completion import name_completions
from extlint.text.positions import TextIndex

EN, DE = "_locales/en/messages.json", "_locales/de/messages.json"
REFERENCES = "__MSG_Greeting__ __MSG_title__"
PAGES = "popup/frame.html popup/popup.html"
SCRIPTS = "background.js popup/popup.js util.js"
STYLES = "inject.css popup/popup.css"
ICONS = "icons/16.png icons/32.png"


def completions(path: str, written: str, **files: str) -> tuple[Completion, ...]:
    text, position = cursor(written)
    package = package_with({**FILES, **files}, path, text)
    return name_completions(package, SETTINGS, path, text, position)


def labels(path: str, written: str, **files: str) -> str:
    found = completions(path, written, **files)
    return " ".join(sorted(each.label for each in found if "@@" not in each.label))


def result(path: str, written: str, label: str, **files: str) -> str:
    """Returns the text after the item with a label is chosen."""
    item = next(each for each in completions(path, written, **files) if each.label == label)
    text, _ = cursor(written)
    lines = text.splitlines(keepends=True) or [""]
    line = lines[item.start.line - 1]
    assert item.start.line == item.end.line
    lines[item.start.line - 1] = line[: item.start.column - 1] + item.insert + line[item.end.column - 1 :]
    return "".join(lines)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('chrome.i18n.getMessage("|")', "Greeting title"),
        ('chrome.i18n.getMessage("ti|")', "Greeting title"),
        ('chrome.i18n.getMessage("ti|', "Greeting title"),
        ('chrome.i18n.getMessage("|\nfoo();', "Greeting title"),
        ('f({a: [chrome.i18n.getMessage("|', "Greeting title"),
        ("const {getMessage: t} = chrome.i18n; t('|')", "Greeting title"),
        ("import browser from 'webextension-polyfill'; browser.i18n.getMessage(`|`)", "Greeting title"),
        ('chrome.i18n.getMessage("title", "|")', ""),
        ("chrome.i18n.getMessage(|)", ""),
        ('// chrome.i18n.getMessage("|")', ""),
        ('chrome.tabs.create({url: "|"})', PAGES),
        ('chrome.tabs.create({title: "|"})', ""),
        ('chrome.tabs.create({url: "|', PAGES),
        ('chrome.tabs.create({url: "|\n});\nfoo();', PAGES),
        ('chrome.action.setPopup({popup: "|"})', PAGES),
        ('chrome.action.setIcon({path: "|"})', ICONS),
        ('chrome.action.setIcon({path: {16: "|"}})', ICONS),
        ('chrome.notifications.create("a", {iconUrl: "|"})', ICONS),
        ('chrome.scripting.executeScript({files: ["|"]})', "popup/popup.js util.js"),
        ('chrome.scripting.insertCSS({files: ["|"]})', STYLES),
        ('chrome.scripting.registerContentScripts([{css: ["|"]}])', STYLES),
        ('chrome.scripting.registerContentScripts([{js: ["|"]}])', "popup/popup.js util.js"),
        ('import "|"', "./popup/popup.js ./util.js"),
        ('import x from "./|"', "./popup/popup.js ./util.js"),
        ('importScripts("|")', "popup/popup.js util.js"),
        ('new Worker(new URL("|", import.meta.url))', "./popup/popup.js ./util.js"),
        ('chrome.declarativeNetRequest.updateEnabledRulesets({enableRulesetIds: ["|"]})', "ads"),
        ('const x = "|"', ""),
        ('new Image().src = "|"', ICONS),
        ('document.createElement("script").src = "|"', "popup/popup.js util.js"),
        ('document.createElement("a").title = "|"', ""),
        ('document.querySelector("p").src = "|"', ""),
        ('chrome.i18n.getMessage("a" + "|")', ""),
        ('chrome.i18n.getMessage(a ?? "|")', "Greeting title"),
        ('chrome.tabs.create({url: "https:|"})', ""),
        ('foo("|")', ""),
    ],
)
def test_names_in_scripts(written: str, expected: str) -> None:
    assert labels("background.js", written) == expected


def test_any_file_has_an_address() -> None:
    found = labels("background.js", 'chrome.runtime.getURL("|")')
    assert found.split() == [
        *ICONS.split(),
        "inject.css",
        *("popup/frame.html", "popup/popup.css", "popup/popup.html", "popup/popup.js"),
        *("rules/ads.json", "util.js"),
    ]


@pytest.mark.parametrize(
    ("path", "written", "expected"),
    [
        ("manifest.json", '{"background": {"service_worker": "|"}}', SCRIPTS),
        ("manifest.json", '{"background": {"service_worker": "|}}', SCRIPTS),
        ("manifest.json", '{"background": {"service_worker": |}}', SCRIPTS),
        ("manifest.json", '{"background": {"service_worker": "b|"}\n "name": "a"', SCRIPTS),
        ("manifest.json", '{"background": {"|": ""}}', ""),
        ("manifest.json", '{"action": {"default_popup": "|"}}', PAGES),
        ("manifest.json", '{"action": {"default_title": "|"}}', ""),
        ("manifest.json", '{"icons": {"16": "|"}}', ICONS),
        ("manifest.json", '{"action": {"default_icon": {"16": "|"', ICONS),
        ("manifest.json", '{"content_scripts": [{"js": ["util.js", "|"]}]}', "background.js popup/popup.js"),
        ("manifest.json", '{"content_scripts": [{"js": ["util.js|"]}]}', SCRIPTS),
        ("manifest.json", '{"content_scripts": [{"css": [|]}]}', STYLES),
        (
            "manifest.json",
            '{"declarative_net_request": {"rule_resources": [{"path": "|"}]}}',
            "rules/ads.json",
        ),
        ("manifest.json", '{"web_accessible_resources": [{"matches": ["|"]}]}', ""),
        ("manifest.json", '{"default_locale": "en", "name": "__|"}', REFERENCES),
        (
            "manifest.json",
            '{"default_locale": "en", "name": "a __MSG_ti|"}',
            "__MSG_Greeting__ __MSG_title__",
        ),
        ("manifest.json", '{"default_locale": "en", "name": "|"}', ""),
        ("manifest.json", '{"default_locale": "en", __MSG_|', ""),
        ("popup/a.html", '<script src="|"></script>', "../background.js ../util.js popup.js"),
        ("popup/a.html", '<script src="|', "../background.js ../util.js popup.js"),
        ("popup/a.html", "<script src=|></script>", "../background.js ../util.js popup.js"),
        ("popup/a.html", '<link rel="stylesheet" href="|">', "../inject.css popup.css"),
        ("popup/a.html", '<link href="|" rel="icon">', "../icons/16.png ../icons/32.png"),
        ("popup/a.html", '<link rel="author" href="|">', ""),
        ("popup/a.html", '<a href="|">', "frame.html popup.html"),
        ("popup/a.html", '<base href="/"><img src="|">', ICONS),
        ("popup/a.html", '<!-- <img src="|"> -->', ""),
        ("popup/a.html", '<p class="|">', ""),
        ("popup/a.html", '<a href="javascript:|">', ""),
        ("popup/a.html", '<a href="#|">', ""),
        ("popup/a.html", '<a href="./|">', "./frame.html ./popup.html"),
        ("popup/a.html", "<script>x = '<a href=\"|\">'</script>", ""),
        ("popup/a.html", '<script>new Image().src = "|"</script>', "../icons/16.png ../icons/32.png"),
        ("popup/a.html", '<img src="a"> |', ""),
        ("popup/a.html", "<style>a { background: url(|) }</style>", "../icons/16.png ../icons/32.png"),
        ("popup/a.html", '<script>chrome.i18n.getMessage("|")</script>', "Greeting title"),
        ("popup/a.html", '<script>if (a <b && c) { d = "|" }</script>', ""),
        ("popup/a.html", "<p>__MSG_|</p>", REFERENCES),
        ("popup/a.html", "<p>__|</p>", ""),
        ("popup/a.css", "@import '|';", "../inject.css popup.css"),
        ("popup/a.css", "a { background: url(|) }", "../icons/16.png ../icons/32.png"),
        ("popup/a.css", "a { background: url('|", "../icons/16.png ../icons/32.png"),
        ("popup/a.css", "/* url(|) */", ""),
        ("popup/a.css", 'a { content: "__MSG_|" }', REFERENCES),
        ("popup/a.css", "/* __MSG_| */", ""),
        ("popup/a.css", "a { color: | }", ""),
        (
            "rules/ads.json",
            '[{"action": {"redirect": {"extensionPath": "/i|"',
            "/icons/16.png /icons/32.png /inject.css",
        ),
        (EN, '{"a": {"message": "Hi $|", "placeholders": {"name": {"content": "$1"}}}}', "$NAME$"),
        (EN, '{"a": {"message": "Hi $na|me$", "placeholders": {"name": {"content": "$1"}}}}', "$NAME$"),
        (EN, '{"a": {"message": "Hi $NAME$|", "placeholders": {"name": {"content": "$1"}}}}', ""),
        (EN, '{"a": {"message": "Hi $NAME$ and $|", "placeholders": {"name": {"content": "$1"}}}}', "$NAME$"),
        (EN, '{"a": {"message": "Hi |", "placeholders": {"name": {"content": "$1"}}}}', ""),
        (EN, '{"a": {"description": "$|", "placeholders": {"name": {"content": "$1"}}}}', ""),
        (DE, '{"title": {"message": "a"}, |}', "Greeting"),
        (DE, '{"title": {"message": "a"}, "Gr|"}', "Greeting"),
        (DE, '{"ti|tle": {"message": "a"}}', "Greeting title"),
        (EN, '{"title": {"message": "a"}, |}', ""),
        (DE, '{"title": {"message": "a", |}}', "description placeholders"),
        (DE, '{"title": {"placeholders": {"a": {|}}}}', "content example"),
        (DE, '{"title": {"placeholders": {|}}}', ""),
        ("popup/a.html", '<p data-i18n="|"></p>', "Greeting title"),
        ("popup/a.css", "a { b: geturl('|') }", ""),
        ("notes.txt", "__MSG_|", ""),
    ],
)
def test_names_in_other_documents(path: str, written: str, expected: str) -> None:
    found = labels(path, written)
    if path.startswith("rules/"):
        found = " ".join(each for each in found.split() if each.startswith("/i"))
    assert found == expected


@pytest.mark.parametrize(
    ("path", "written", "label", "expected"),
    [
        ("a.js", 'chrome.i18n.getMessage("ti|xx")', "title", 'chrome.i18n.getMessage("title")'),
        ("a.js", 'chrome.i18n.getMessage("ti|', "title", 'chrome.i18n.getMessage("title'),
        ("a.js", 'f("ä", chrome.i18n.getMessage("ti|"))', "title", 'f("ä", chrome.i18n.getMessage("title"))'),
        (
            "a.js",
            'chrome.tabs.create({url: "/po|"})',
            "/popup/popup.html",
            'chrome.tabs.create({url: "/popup/popup.html"})',
        ),
        ("manifest.json", '{"icons": {"16": "ic|x"}}', "icons/16.png", '{"icons": {"16": "icons/16.png"}}'),
        ("manifest.json", '{"icons": {"16": |}}', "icons/16.png", '{"icons": {"16": "icons/16.png"}}'),
        ("manifest.json", '{"icons": {"16": "/|"}}', "/icons/16.png", '{"icons": {"16": "/icons/16.png"}}'),
        ("manifest.json", '{"name": "__MSG_ti|x__"}', "__MSG_title__", '{"name": "__MSG_title__"}'),
        ("manifest.json", '{"name": "a __|"}', "__MSG_title__", '{"name": "a __MSG_title__"}'),
        ("popup/a.html", '<script src="p|x"></script>', "popup.js", '<script src="popup.js"></script>'),
        ("popup/a.css", "a { b: url(../i|x) }", "../icons/16.png", "a { b: url(../icons/16.png) }"),
        (DE, '{"ti|": {}}', "title", '{"title": {}}'),
        (DE, '{"ti|"}', "title", '{"title": {"message": ""}}'),
        (DE, '{"title": {|}}', "message", '{"title": {"message": ""}}'),
        (
            EN,
            '{"a": {"message": "ä $na|$", "placeholders": {"name": {}}}}',
            "$NAME$",
            '{"a": {"message": "ä $NAME$", "placeholders": {"name": {}}}}',
        ),
    ],
)
def test_an_item_replaces_the_name(path: str, written: str, label: str, expected: str) -> None:
    assert result(path, written, label) == expected


def test_names_next_to_a_page_start_with_a_slash_if_browsers_disagree_about_the_folder() -> None:
    page = {"popup/popup.html": '<script src="../scripts/popup.js"></script>'}
    path = "scripts/popup.js"
    assert result(path, 'chrome.tabs.create({url: "|"})', "popup/frame.html", **page) == (
        'chrome.tabs.create({url: "/popup/frame.html"})'
    )
    assert result(path, 'chrome.runtime.getURL("|")', "popup/frame.html", **page) == (
        'chrome.runtime.getURL("popup/frame.html")'
    )


def test_a_message_has_its_text_and_description() -> None:
    found = {each.label: each for each in completions("a.js", 'chrome.i18n.getMessage("|")')}
    title = found["title"]
    assert (title.kind, title.detail, title.documentation) == ("message", "My List", "The name.")
    assert found["@@ui_locale"].detail == "defined by the browser"


def test_svg_icons_are_offered_only_where_a_browser_accepts_them() -> None:
    icon = {"icons/16.svg": "<svg/>"}
    only_chrome = '{"minimum_chrome_version": "120", "icons": {"16": "|"}}'
    both = (
        '{"minimum_chrome_version": "120", "browser_specific_settings": {"gecko": {}}, "icons": {"16": "|"}}'
    )
    assert labels("manifest.json", only_chrome, **icon) == ICONS
    assert labels("manifest.json", both, **icon) == "icons/16.png icons/16.svg icons/32.png"


def test_files_of_tools_and_ignored_files_are_not_offered() -> None:
    names = ("webpack.config.js", "tests/a.js", "types.d.ts", "app.ts", "dist/a.js", "node_modules/a/a.js")
    files = {**FILES, **dict.fromkeys(names, ""), ".gitignore": "dist/\n"}
    package = package_in({f"app/{path}": text for path, text in files.items()}, "app/")
    text, position = cursor('{"background": {"service_worker": "|"}}')
    found = name_completions(package, SETTINGS, "manifest.json", text, position)
    assert " ".join(each.label for each in found) == SCRIPTS


def test_sources_are_offered_if_the_manifest_names_sources() -> None:
    manifest = (
        '{"background": {"service_worker": "app.ts"}, "options_page": "", "content_scripts": [{"js": ["|"]}]}'
    )
    assert "app.ts" in labels("manifest.json", manifest, **{"app.ts": ""})


def test_many_files_are_offered_one_folder_at_a_time() -> None:
    many = {f"lib/{folder}/{number}.js": "" for folder in "ab" for number in range(200)}
    assert (
        labels("a.js", 'chrome.scripting.executeScript({files: ["|"]})', **many)
        == "background.js lib/ popup/ util.js"
    )
    assert labels("a.js", 'chrome.scripting.executeScript({files: ["lib/|"]})', **many) == "lib/a/ lib/b/"


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(sorted(EXAMPLES)), st.data())
def test_any_part_of_a_document_has_completions(path: str, data: st.DataObject) -> None:
    whole = EXAMPLES[path]
    text = whole[: data.draw(st.integers(0, len(whole)))]
    before = text[: data.draw(st.integers(0, len(text)))]
    position = TextIndex(text.encode()).position(len(before.encode()))
    package, inner = example_with(path, text)
    for each in name_completions(package, SETTINGS, inner, text, position):
        assert each.start <= position <= each.end
