"""Objects that match their schemas but fail in browsers, as verified by `extlint_judge refused-calls`."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, reported

from extlint.checks.calls.calls import IMPLEMENTED
from extlint.checks.calls.implementations import IMPLEMENTED as CHECKED

RULES = ("invalid-argument",)
PERMISSIONS = ["alarms", "contextMenus", "declarativeNetRequest", "downloads", "notifications", "scripting"]
WORKER: dict[str, object] = {"background": {"service_worker": "b.js"}}
EVENT_PAGE: dict[str, object] = {"background": {"scripts": ["b.js"]}}
BOTH: dict[str, object] = {"background": {"scripts": ["b.js"], "service_worker": "b.js"}}
OLD_EVENT_PAGE: dict[str, object] = {
    "manifest_version": 2,
    "background": {"scripts": ["b.js"], "persistent": False},
}
OLD_PAGE: dict[str, object] = {"manifest_version": 2, "background": {"scripts": ["b.js"]}}


def files(source: str, **keys: object) -> Files:
    return {
        "manifest.json": manifest(**{"permissions": [*PERMISSIONS, "offscreen"], **WORKER, **keys}),
        "b.js": source,
    }


def messages(source: str, target: str, **keys: object) -> list[str]:
    return [each.message for each in lint(files(source, **keys), RULES, target)]


def test_checked_functions_are_listed() -> None:
    assert IMPLEMENTED == CHECKED


NOTIFY = "chrome.notifications.create({%s})"
WHOLE = "type: 'basic', iconUrl: 'a.png', title: 'a', message: 'b'"
MENU = "chrome.contextMenus.create({%s})"
INJECT = "chrome.scripting.executeScript({target: {tabId: 1}, %s})"
SAVE = "chrome.downloads.download({url: 'https://a.example/', filename: '%s'})"

IN_CHROME = {
    "no icon": (NOTIFY % "type: 'basic', title: 'a', message: 'b'", ["`options.iconUrl` is required"]),
    "no type, and a null": (
        NOTIFY % "type: null, iconUrl: 'a.png', title: 'a', message: 'b'",
        ["`options.type` is required"],
    ),
    "an empty icon": (
        NOTIFY % "type: 'basic', iconUrl: '', title: 'a', message: 'b'",
        ['`options.iconUrl` must be the address of an image, not the string ""'],
    ),
    "a list without items": (NOTIFY % WHOLE.replace("basic", "list"), ["`options.items` is required"]),
    "an image without one": (NOTIFY % WHOLE.replace("basic", "image"), ["`options.imageUrl` is required"]),
    "progress of another type": (
        NOTIFY % f"{WHOLE}, progress: 5",
        ["`options.progress` is only for the type `progress`"],
    ),
    "progress over 100": (
        NOTIFY % (WHOLE.replace("basic", "progress") + ", progress: 101"),
        ["`options.progress` must be from 0 to 100, not the number 101"],
    ),
    "an alarm without a time": (
        "chrome.alarms.create('a', {})",
        ["`alarmInfo.when` is required, unless `delayInMinutes` or `periodInMinutes` is there"],
    ),
    "an alarm with two times": (
        "chrome.alarms.create({when: 1, delayInMinutes: 1})",
        ["`alarmInfo.delayInMinutes` must not be beside `when`"],
    ),
    "no icon of the action": (
        "chrome.action.setIcon({tabId: 1})",
        ["`details.path` is required, unless `imageData` is there"],
    ),
    "no reason for a document": (
        "chrome.offscreen.createDocument({url: 'a.html', reasons: [], justification: 'a'})",
        ["`parameters.reasons` must be a list of at least one reason, not an empty array"],
    ),
    "a panel for nothing": (
        "chrome.sidePanel.open({})",
        ["`options.tabId` is required, unless `windowId` is there"],
    ),
    "a menu without a title": (
        MENU % "id: 'a'",
        ["`createProperties.title` is required, except for separators"],
    ),
    "a download of a path": (
        "chrome.downloads.download({url: 'a.txt'})",
        ['`options.url` must be an absolute address, not the string "a.txt"'],
    ),
}


@pytest.mark.parametrize(("source", "expected"), IN_CHROME.values(), ids=IN_CHROME.keys())
def test_contents_rejected_by_chrome(source: str, expected: list[str]) -> None:
    assert messages(source, "chrome", action={}) == expected


IN_BOTH = {
    "nothing to inject": (INJECT % "", "`injection.func` is required, unless `files` is there"),
    "a function and files": (
        INJECT % "func() {}, files: ['a.js']",
        "`injection.files` must not be beside `func`",
    ),
    "files with arguments": (
        INJECT % "files: ['a.js'], args: [1]",
        "`injection.args` must not be beside `files`",
    ),
    "a style of nothing": (
        "chrome.scripting.insertCSS({target: {tabId: 1}})",
        "`injection.css` is required, unless `files` is there",
    ),
    "a style to remove": (
        "chrome.scripting.removeCSS({target: {tabId: 1}, css: 'a', files: ['a.css']})",
        "`injection.files` must not be beside `css`",
    ),
    "the size of a window without one": (
        "chrome.windows.create({state: 'maximized', width: 100})",
        "`createData.width` must not be beside the state `maximized`",
    ),
    "an absolute path": (
        SAVE % "/a",
        '`options.filename` must be a path in the folder for downloads, not the string "/a"',
    ),
    "a path up": (
        SAVE % "a/../b",
        '`options.filename` must be a path in the folder for downloads, not the string "a/../b"',
    ),
    "a time in a name": (
        SAVE % "12:30.txt",
        '`options.filename` must be a path in the folder for downloads, not the string "12:30.txt"',
    ),
}


@pytest.mark.parametrize(("source", "expected"), IN_BOTH.values(), ids=IN_BOTH.keys())
def test_contents_rejected_by_both_browsers(source: str, expected: str) -> None:
    root = {"chrome": WORKER, "firefox": EVENT_PAGE}
    found = {target: messages(source, target, **keys) for target, keys in root.items()}
    assert [text.partition(".")[2] for each in found.values() for text in each] == [
        expected.partition(".")[2]
    ] * 2


ACCEPTED = {
    "a whole notification": NOTIFY % WHOLE,
    "one of unknown parts": NOTIFY % "...options",
    "one of an unknown icon": NOTIFY % "type: 'basic', iconUrl: icon, title: a, message: b",
    "an update": "chrome.notifications.update('a', {title: 'b'})",
    "progress that is unknown": NOTIFY % (WHOLE.replace("basic", "progress") + ", progress: n"),
    "an alarm": "chrome.alarms.create({periodInMinutes: 1})",
    "an alarm with a time that may be undefined": "chrome.alarms.create({when, delayInMinutes: delay})",
    "a panel in a window": "chrome.sidePanel.open({windowId: 1})",
    "a panel in what is not known": "chrome.sidePanel.open({tabId})",
    "a panel with unknown options": "chrome.sidePanel.open({...options})",
    "a separator": MENU % "id: 'a', type: 'separator'",
    "a menu of an unknown type": MENU % "id: 'a', type",
    "a menu whose onclick is null": MENU % "id: 'a', title: 'a', onclick: null",
    "a function": INJECT % "func() {}, args: [1]",
    "files": INJECT % "files: ['a.js']",
    "an injection that is not all known": INJECT % "...what",
    "a function or files": INJECT % "[kind]: it",
    "a maximized window": "chrome.windows.create({state: 'maximized'})",
    "a window of that size": "chrome.windows.create({state: 'normal', width: 100})",
    "a name": SAVE % "a/b.txt",
    "a name with dots": SAVE % "a..b.txt",
    "an address": "chrome.downloads.download({url: 'blob:x'})",
    "an address that is not known": "chrome.downloads.download({url})",
    "arguments that are not all known": "chrome.alarms.create(...rest)",
}


@pytest.mark.parametrize("source", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_valid_or_unknown_contents_are_accepted(source: str) -> None:
    assert messages(source, "chrome") == []


def test_code_restricted_to_another_browser_is_not_reported() -> None:
    source = "if (typeof browser !== 'undefined') { chrome.alarms.create({}) } else { f() }"
    assert messages(f"const isFirefox = navigator.userAgent.includes('Firefox'); {source}", "chrome") == []


ID = MENU % "title: 'a'"
ONCLICK = MENU % "id: 'a', title: 'a', onclick() {}"
BACKGROUNDS: dict[str, tuple[str, dict[str, object], list[str], list[str]]] = {
    "a service worker": ("chrome", WORKER, ["{title: 'a'}"], ["onclick"]),
    "an event page in Manifest V2": ("chrome<=138", OLD_EVENT_PAGE, ["{title: 'a'}"], ["onclick"]),
    "a background page": ("chrome<=138", OLD_PAGE, [], []),
    "an event page in Firefox": ("firefox", EVENT_PAGE, ["{title: 'a'}"], ["onclick"]),
    "a Manifest V2 event page in Firefox": ("firefox", OLD_EVENT_PAGE, ["{title: 'a'}"], ["onclick"]),
    "a background page in Firefox": ("firefox", OLD_PAGE, [], []),
}


@pytest.mark.parametrize(
    ("target", "keys", "without_id", "with_onclick"), BACKGROUNDS.values(), ids=BACKGROUNDS.keys()
)
def test_menu_requirements_depend_on_the_background(
    target: str, keys: dict[str, object], without_id: list[str], with_onclick: list[str]
) -> None:
    assert [text for _, text in reported(files(ID, **keys), RULES, target)] == without_id
    assert [text for _, text in reported(files(ONCLICK, **keys), RULES, target)] == with_onclick


def test_empty_menu_id_is_rejected_in_firefox() -> None:
    source = MENU % "id: '', title: 'a'"
    assert len(messages(source, "firefox", **EVENT_PAGE)) == 1
    assert messages(source, "chrome", **WORKER) == []


RULE = (
    "chrome.declarativeNetRequest.updateDynamicRules("
    "{addRules: [{id: 1, action: {type: 'block'}, condition: %s}]})"
)
REGEXES = {
    "a digit": (r"{regexFilter: '/\d+'}", ["d"]),
    "a word in double quotes": (r'{regexFilter: "^https://\\w+/\w"}', ["w"]),
    "a template": (r"{regexFilter: `a\s`}", ["s"]),
    "a dot": (r"{regexFilter: 'a\.b'}", []),
    "backslashes": (r"{regexFilter: 'a\\.b\\d'}", []),
    "a raw template": (r"{regexFilter: String.raw`a\d`}", []),
    "a string that is made": (r"{regexFilter: make('\d')}", []),
}


@pytest.mark.parametrize(("condition", "letters"), REGEXES.values(), ids=REGEXES.keys())
def test_backslash_dropped_by_a_string_is_reported(condition: str, letters: list[str]) -> None:
    expected = [
        f"`\\{each}` in a string is the letter `{each}`, as the string drops the backslash"
        for each in letters
    ]
    assert messages(RULE % condition, "chrome") == expected


REQUEST = "document.onclick = () => chrome.permissions.request({%s})"
OPTIONAL: dict[str, object] = {"optional_permissions": ["bookmarks"]}
HISTORY = "permissions: ['history']"
SITE = "origins: ['https://a.example/*']"
REQUESTS: dict[str, tuple[str, dict[str, object], dict[str, bool]]] = {
    "one that is listed": ("permissions: ['bookmarks']", OPTIONAL, {}),
    "one that is not": (HISTORY, OPTIONAL, {"chrome": True, "firefox": True}),
    "one that is there already": ("permissions: ['alarms']", OPTIONAL, {"firefox": True}),
    "one that is not known": ("permissions: [name]", OPTIONAL, {}),
    "in a template": (HISTORY, {"permissions": ["{{more}}"]}, {}),
    "a site, and none is listed": (SITE, OPTIONAL, {"chrome": True, "firefox": True}),
    "a site, and some are": (SITE, {"optional_host_permissions": ["*://*/*"]}, {}),
    "a site, and there is a content script": (
        SITE,
        {"content_scripts": [{"matches": ["https://a.example/*"], "js": ["b.js"]}]},
        {},
    ),
    "a site, and all are": (SITE, {"optional_permissions": ["<all_urls>"]}, {}),
    "a site, and another is": (
        SITE,
        {"optional_host_permissions": ["https://b.example/*"]},
        {"chrome": True, "firefox": True},
    ),
    "a site, and its subdomains are": (SITE, {"optional_host_permissions": ["https://*.a.example/*"]}, {}),
    "a site, and one subdomain is": (
        SITE,
        {"optional_host_permissions": ["https://b.a.example/*"]},
        {"chrome": True, "firefox": True},
    ),
    "a site, and one path is": (SITE, {"optional_host_permissions": ["https://a.example/b"]}, {}),
    "a site, and it is required": (SITE, {"host_permissions": ["https://a.example/*"]}, {}),
    "both schemes, and one is": (
        "origins: ['*://a.example/*']",
        {"optional_host_permissions": ["https://a.example/*"]},
        {"chrome": True, "firefox": True},
    ),
    "both schemes, and each is": (
        "origins: ['*://a.example/*']",
        {"optional_host_permissions": ["https://a.example/*", "http://a.example/*"]},
        {},
    ),
    "all sites, and one is": (
        "origins: ['<all_urls>']",
        {"optional_host_permissions": ["https://a.example/*"]},
        {"chrome": True, "firefox": True},
    ),
    "a site that is not known": (
        "origins: [name]",
        {"optional_host_permissions": ["https://a.example/*"]},
        {},
    ),
    "a site, and another has a content script": (
        SITE,
        {"content_scripts": [{"matches": ["https://b.example/*"], "js": ["b.js"]}]},
        {"chrome": True, "firefox": True},
    ),
    "a site, and a placeholder is listed": (SITE, {"optional_host_permissions": ["https://__HOST__/*"]}, {}),
}


def test_package_with_another_manifest_is_not_reported() -> None:
    package = files(REQUEST % HISTORY + "; " + ONCLICK)
    assert len(lint(package, RULES, "chrome")) == 2
    assert len(lint({**package, "manifest_chrome.json": '{"action": {}}'}, RULES, "chrome")) == 2
    part = '{"optional_permissions": ["history"], "background": {}}'
    assert lint({**package, "manifest_chrome.json": part}, RULES, "chrome") == []


@pytest.mark.parametrize(("requested", "keys", "expected"), REQUESTS.values(), ids=REQUESTS.keys())
def test_permission_requests(requested: str, keys: dict[str, object], expected: dict[str, bool]) -> None:
    found = {
        target: bool(messages(REQUEST % requested, target, **{**BOTH, **keys}))
        for target in ("chrome", "firefox")
    }
    assert found == {"chrome": False, "firefox": False} | expected


PATTERNS = {
    "a site": ("permissions: ['https://a.example/*']", ["https://a.example/*"]),
    "all sites": ("permissions: ['bookmarks', '<all_urls>']", ["<all_urls>"]),
    "any scheme": ("permissions: ['*://*/*'], origins: ['*://*/*']", ["*://*/*"]),
    "where it belongs": ("origins: ['https://a.example/*']", []),
    "a permission": ("permissions: ['bookmarks']", []),
    "a permission with a dot": ("permissions: ['downloads.open']", []),
}


@pytest.mark.parametrize(("requested", "expected"), PATTERNS.values(), ids=PATTERNS.keys())
@pytest.mark.parametrize("function", ["contains", "remove", "request"])
@pytest.mark.parametrize("target", ["chrome", "edge", "reference"])
def test_match_pattern_is_not_a_permission(
    requested: str, expected: list[str], function: str, target: str
) -> None:
    source = f"document.onclick = () => chrome.permissions.{function}({{{requested}}})"
    listed: dict[str, object] = {
        "optional_permissions": ["bookmarks", "downloads.open"],
        "optional_host_permissions": ["https://a.example/*", "*://*/*", "<all_urls>"],
    }
    expected_messages = [f"`{each}` is a match pattern, not a permission" for each in expected]
    assert messages(source, target, **listed) == expected_messages


ORIGINS = {
    "foo": None,
    "a.example": "*://a.example/*",
    "https://a.example": "https://a.example/*",
    "https://a.example/": "",
    "https://a.example/*": "",
    "*://*/*": "",
    "<all_urls>": "",
}


@pytest.mark.parametrize(("origin", "suggestion"), ORIGINS.items(), ids=ORIGINS)
@pytest.mark.parametrize("function", ["contains", "remove", "request"])
@pytest.mark.parametrize("target", ["chrome", "firefox", "reference"])
def test_origin_is_a_match_pattern(origin: str, suggestion: str | None, function: str, target: str) -> None:
    source = f"document.onclick = () => browser.permissions.{function}({{ origins: ['{origin}'] }})"
    found = lint(files(source, **BOTH, optional_host_permissions=["<all_urls>"]), RULES, target)
    assert [each.message.partition(": ")[0] for each in found] == (
        [] if suggestion == "" else [f"`{origin}` is not a match pattern"]
    )
    if suggestion:
        assert suggestion in str(found[0].help) + str(found[0].fix)


def test_match_pattern_as_a_permission_has_the_same_message_in_firefox() -> None:
    source = "document.onclick = () => browser.permissions.request({permissions: ['<all_urls>']})"
    (finding,) = lint(files(source, **BOTH, host_permissions=["<all_urls>"]), RULES, "firefox")
    assert finding.message == "`<all_urls>` is a match pattern, not a permission"


CHOOSE = "chrome.desktopCapture.chooseDesktopMedia(['screen'], %s)"
CHOICES = {
    "no tab": (CHOOSE % "(id) => use(id)", WORKER, True),
    "null for the tab": (CHOOSE % "null, (id) => use(id)", WORKER, True),
    "a tab": (CHOOSE % "tab, (id) => use(id)", WORKER, False),
    "not known": (CHOOSE % "...more", WORKER, False),
    "a page": (CHOOSE % "(id) => use(id)", OLD_PAGE, False),
}


@pytest.mark.parametrize(("source", "keys", "fails"), CHOICES.values(), ids=CHOICES.keys())
def test_desktop_capture_in_a_worker_requires_a_tab(
    source: str, keys: dict[str, object], fails: bool
) -> None:
    message = "`desktopCapture.chooseDesktopMedia` in a service worker requires `targetTab`"
    assert messages(source, "chrome", permissions=["desktopCapture"], **keys) == [message] * fails
