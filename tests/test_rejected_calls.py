"""Calls of existing members that fail without a permission, a manifest key or a host.

Their requirements were verified in Chromium 156 and Firefox 153.
"""

from __future__ import annotations

import json

import pytest
from fixing import fixed
from harness import lint, manifest, reported

ALL_SITES: dict[str, object] = {"host_permissions": ["<all_urls>"]}
HOLD = "chrome.webRequest.onBeforeRequest.addListener(f, {urls: ['*://*/*']}, [%s])"
LOG_IN = "chrome.webRequest.onAuthRequired.addListener(f, {urls: ['*://*/*']}, [%s])"


def findings(source: str, target: str, **keys: object) -> list[tuple[str, str]]:
    """Returns the rule and the text of each finding about missing manifest entries in a background script."""
    background = {"scripts": ["b.js"]} if target == "firefox" else {"service_worker": "b.js"}
    files = {"manifest.json": manifest(**{"background": background, **keys}), "b.js": source}
    rules = ["missing-permission", "missing-manifest-key", "missing-host-permission"]
    return reported(files, rules, target)


CAPTURE = "chrome.tabs.captureVisibleTab()"
CAPTURED: dict[str, tuple[dict[str, object], bool]] = {
    "no access": ({}, False),
    "every page of the web": ({"host_permissions": ["*://*/*"]}, False),
    "both schemes": ({"host_permissions": ["https://*/*", "http://*/*"]}, False),
    "one site": ({"host_permissions": ["https://example.com/*"]}, False),
    "all addresses": (ALL_SITES, True),
    "all addresses, when asked for": ({"optional_host_permissions": ["<all_urls>"]}, True),
    "the tab in front": ({"permissions": ["activeTab"], "action": {}}, True),
    "the tab in front, when asked for": ({"optional_permissions": ["activeTab"], "action": {}}, True),
    "a template": ({"permissions": ["{{hosts}}"]}, True),
    "in the list of the other manifest version": ({"permissions": ["<all_urls>"]}, False),
    "in Manifest V2": ({"permissions": ["<all_urls>"], "manifest_version": 2}, True),
}


@pytest.mark.parametrize(("keys", "works"), CAPTURED.values(), ids=CAPTURED.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox", "edge"])
def test_permissions_for_tab_captures(keys: dict[str, object], works: bool, target: str) -> None:
    expected = [] if works else [("missing-permission", "chrome.tabs.captureVisibleTab")]
    assert findings(CAPTURE, target, **keys) == expected


@pytest.mark.parametrize(("version", "key"), [(2, "permissions"), (3, "host_permissions")])
def test_help_and_fix_name_the_key_of_hosts(version: int, key: str) -> None:
    background = {"scripts": ["b.js"]} if version == 2 else {"service_worker": "b.js"}
    files = {"manifest.json": manifest(manifest_version=version, background=background), "b.js": CAPTURE}
    rules = ["missing-permission"]
    (finding,) = lint(files, rules, "chrome<=138")
    assert finding.help == f'add "<all_urls>" to "{key}" in manifest.json'
    after = fixed(files, "chrome<=138", unsafe=True, select=rules)
    assert json.loads(after["manifest.json"])[key] == ["<all_urls>"]


GUARDED = {
    "caught": f"try {{ {CAPTURE} }} catch {{ fallback() }}",
    "after the permission was asked for": (
        "async function f() {"
        " if (await chrome.permissions.request({origins: ['<all_urls>']})) chrome.tabs.captureVisibleTab(); }"
    ),
    "named, not called": "use(chrome.tabs.captureVisibleTab)",
}


@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED.keys())
def test_call_that_may_succeed_is_not_reported(source: str) -> None:
    assert findings(source, "chrome", optional_host_permissions=["<all_urls>"]) == []


NEITHER: dict[str, list[str]] = {"chrome": [], "firefox": []}
IN_BOTH = {"chrome": ["'blocking'"], "firefox": ["'blocking'"]}
ASYNC = {"chrome": ["'asyncBlocking'"], "firefox": []}
BLOCKING: dict[str, tuple[str, list[str], dict[str, list[str]]]] = {
    "no permission": (HOLD % "'blocking'", [], IN_BOTH),
    "among others": (
        HOLD % "'requestBody', 'blocking'",
        [],
        IN_BOTH,
    ),
    "the permission": (HOLD % "'blocking'", ["webRequestBlocking"], NEITHER),
    "other options": (HOLD % "'requestBody'", [], NEITHER),
    "options that are not known": (HOLD % "...options", [], NEITHER),
    "a constant": (
        HOLD % "chrome.webRequest.OnBeforeRequestOptions.BLOCKING",
        [],
        {
            "chrome": ["chrome.webRequest.OnBeforeRequestOptions.BLOCKING"],
            "firefox": ["chrome.webRequest.OnBeforeRequestOptions.BLOCKING"],
        },
    ),
    "the permission for logins, for another event": (
        HOLD % "'blocking'",
        ["webRequestAuthProvider"],
        IN_BOTH,
    ),
    "logins": (LOG_IN % "'blocking'", [], IN_BOTH),
    "logins, answered later": (
        LOG_IN % "'asyncBlocking'",
        [],
        {"chrome": ["'asyncBlocking'"], "firefox": []},
    ),
    "the permission for logins": (
        LOG_IN % "'asyncBlocking'",
        ["webRequestAuthProvider"],
        NEITHER,
    ),
}


@pytest.mark.parametrize(("source", "permissions", "expected"), BLOCKING.values(), ids=BLOCKING.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_permissions_for_blocking_listeners(
    source: str, permissions: list[str], expected: dict[str, list[str]], target: str
) -> None:
    found = findings(source, target, permissions=["webRequest", *permissions], **ALL_SITES)
    assert found == [("missing-permission", text) for text in expected[target]]


def test_policy_only_permission_is_explained_for_chrome() -> None:
    keys = {"background": {"service_worker": "b.js"}, "permissions": ["webRequest"], **ALL_SITES}
    files = {"manifest.json": manifest(**keys), "b.js": HOLD % "'blocking'"}
    (finding,) = lint(files, ["missing-permission"], "chrome")
    requirement = "`blocking` requires the permission `webRequestBlocking`"
    assert finding.message == f"{requirement}, which the manifest does not request"
    assert "policy" in (finding.help or "")


TOKEN = "chrome.identity.getAuthToken({interactive: true})"
CLIENT = {"oauth2": {"client_id": "a.apps.googleusercontent.com", "scopes": ["email"]}}


def test_auth_token_requires_a_client() -> None:
    expected = [("missing-manifest-key", "chrome.identity.getAuthToken")]
    assert findings(TOKEN, "chrome", permissions=["identity"]) == expected
    assert findings(TOKEN, "chrome", permissions=["identity"], **CLIENT) == []
    other = "chrome.identity.launchWebAuthFlow({url}); chrome.identity.removeCachedAuthToken({token})"
    assert findings(other, "chrome", permissions=["identity"]) == []


SCHEMA = {"storage": {"managed_schema": "s.json"}}


@pytest.mark.parametrize(
    ("source", "keys", "targets"),
    [
        ("chrome.storage.managed.get('a')", {}, ["chrome", "edge"]),
        ("async function f() { const { a } = await chrome.storage.managed.get(); } f()", {}, ["chrome"]),
        ("const { managed } = chrome.storage; managed.get(['a'], (all) => {})", {}, ["chrome"]),
        ("chrome.storage.managed.get('a')", SCHEMA, []),
        ("chrome.storage.managed.onChanged.addListener(f)", {}, []),
        ("chrome.storage.local.get('a')", {}, []),
        (
            "const areas = { managed: { get: (key) => chrome.storage.managed.get(key, f) } }; use(areas)",
            {},
            [],
        ),
        ("if (navigator.userAgent.includes('Firefox')) chrome.storage.managed.get('a')", {}, []),
    ],
)
def test_managed_storage_requires_a_schema_in_chrome(
    source: str, keys: dict[str, object], targets: list[str]
) -> None:
    for target in ("chrome", "firefox", *targets):
        found = findings(source, target, permissions=["storage"], **keys)
        assert [rule for rule, _ in found] == ["missing-manifest-key"] * (target in targets)


OPTIONS = "chrome.runtime.openOptionsPage()"
OPTION_PAGES: dict[str, tuple[str, dict[str, object], bool]] = {
    "no page": (OPTIONS, {}, True),
    "a page": (OPTIONS, {"options_ui": {"page": "o.html"}}, False),
    "a page by the older key": (OPTIONS, {"options_page": "o.html"}, False),
    "in a listener": (f"chrome.action.onClicked.addListener(() => {OPTIONS})", {"action": {}}, True),
    "passed on": (
        "chrome.action.onClicked.addListener(chrome.runtime.openOptionsPage)",
        {"action": {}},
        False,
    ),
    "behind a test of the member": (f"if (chrome.runtime.openOptionsPage) {OPTIONS}", {}, True),
    "one of two, by the same test": (
        f"chrome.runtime.openOptionsPage ? {OPTIONS} : open('o.html')",
        {},
        True,
    ),
    "with a page, behind a test": (
        f"if (chrome.runtime.openOptionsPage) {OPTIONS}",
        {"options_page": "o.html"},
        False,
    ),
    "an optional call": ("chrome.runtime.openOptionsPage?.()", {}, True),
    "handled": (f"try {{ await {OPTIONS} }} catch {{ chrome.tabs.create({{url: 'o.html'}}) }}", {}, False),
    "behind a test of the manifest": (f"if (chrome.runtime.getManifest().options_ui) {OPTIONS}", {}, False),
    "behind a test of the function, with a page": (
        f"if (chrome.runtime.openOptionsPage) {OPTIONS}",
        {"options_page": "o.html"},
        False,
    ),
    "a key of a template": (OPTIONS, {"{{mode}}.options_page": "o.html"}, False),
}


@pytest.mark.parametrize(("source", "keys", "fails"), OPTION_PAGES.values(), ids=OPTION_PAGES.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_options_require_a_page(source: str, keys: dict[str, object], fails: bool, target: str) -> None:
    expected = [("missing-manifest-key", "chrome.runtime.openOptionsPage")] if fails else []
    assert findings(source, target, **keys) == expected


def test_call_may_require_a_second_permission() -> None:
    expected = [("missing-permission", "chrome.downloads.open")]
    assert findings("chrome.downloads.open(1)", "chrome", permissions=["downloads"]) == expected
    assert findings("chrome.downloads.open(1)", "chrome", permissions=["downloads", "downloads.open"]) == []
    assert findings("chrome.downloads.show(1)", "chrome", permissions=["downloads"]) == []


BOTH, FIREFOX = {"chrome": True, "firefox": True}, {"firefox": True}
COOKIE = "chrome.cookies.%s({url: %s, name: 'a', value: 'b'})"
COOKIES: dict[str, tuple[str, str, list[str], dict[str, bool]]] = {
    "another site": ("get", "'https://other.org/'", ["https://example.com/*"], {}),
    "a cookie that is set": ("set", "'https://other.org/a?b'", ["https://example.com/*"], {}),
    "one that is removed": ("remove", "'https://other.org'", ["https://example.com/*"], {}),
    "all of another site": ("getAll", "'https://other.org/'", ["*://*.example.com/*"], {}),
    "this machine": ("get", "'http://localhost:8080/'", ["https://example.com/*"], {}),
    "its site": (
        "get",
        "'https://example.com/x'",
        ["https://example.com/*"],
        BOTH,
    ),
    "a site below": (
        "get",
        "'https://a.example.com/'",
        ["*://*.example.com/*"],
        BOTH,
    ),
    "a site below another": ("get", "'https://a.example.com/'", ["https://example.com/*"], FIREFOX),
    "all of a site below another": (
        "getAll",
        "'https://a.example.com/'",
        ["https://example.com/*"],
        BOTH,
    ),
    "another scheme": ("get", "'http://example.com/'", ["https://example.com/*"], FIREFOX),
    "another port": ("get", "'https://example.com/'", ["https://example.com:8080/*"], FIREFOX),
    "a path, which does not count": (
        "get",
        "'https://example.com/x'",
        ["https://example.com/y/*"],
        BOTH,
    ),
    "every site": ("get", "'https://other.org/'", ["<all_urls>"], BOTH),
    "every site of the web": ("get", "'https://other.org/'", ["*://*/*"], BOTH),
    "an address that is not known": (
        "get",
        "url",
        ["https://example.com/*"],
        BOTH,
    ),
    "a pattern that a build fills in": (
        "get",
        "'https://other.org/'",
        ["https://example.com/*", "__HOSTS__"],
        BOTH,
    ),
}


@pytest.mark.parametrize(("name", "url", "hosts", "works"), COOKIES.values(), ids=COOKIES.keys())
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_cookie_url_requires_its_host(
    name: str, url: str, hosts: list[str], works: dict[str, bool], target: str
) -> None:
    keys = {"permissions": ["cookies"], "host_permissions": hosts}
    expected = [] if works.get(target) else [("missing-host-permission", url)]
    assert findings(COOKIE % (name, url), target, **keys) == expected


DOMAINS = {
    "another one": ("domain: 'other.org'", ["'other.org'"]),
    "with its dot": ("domain: '.other.org'", ["'.other.org'"]),
    "the site": ("domain: 'example.com'", []),
    "a site below": ("domain: 'a.example.com'", []),
    "a parent domain": ("domain: 'com'", []),
    "with an address that is not known": ("domain: 'other.org', url", []),
    "with more that is not known": ("domain: 'other.org', ...more", []),
}


@pytest.mark.parametrize(("details", "expected"), DOMAINS.values(), ids=DOMAINS.keys())
def test_cookie_domain_requires_its_host(details: str, expected: list[str]) -> None:
    keys: dict[str, object] = {"permissions": ["cookies"], "host_permissions": ["https://example.com/*"]}
    found = findings(f"chrome.cookies.getAll({{{details}}})", "chrome", **keys)
    assert found == [("missing-host-permission", each) for each in expected]


def test_active_tab_or_optional_host_may_cover_the_cookie() -> None:
    keys: dict[str, object] = {"host_permissions": ["https://example.com/*"]}
    source = COOKIE % ("get", "'https://other.org/'")
    assert findings(source, "chrome", permissions=["cookies", "activeTab"], **keys) == []
    optional = {"optional_host_permissions": ["https://*.other.org/*"]}
    assert findings(source, "chrome", permissions=["cookies"], **keys, **optional) == []


REMOVED = {
    "messages": ("chrome.extension.onMessage.addListener(f)", "onMessage"),
    "a message": ("chrome.extension.sendMessage({})", "sendMessage"),
    "a port": ("chrome.extension.connect()", "connect"),
    "ports": ("chrome.extension.onConnect.addListener(f)", "onConnect"),
}


@pytest.mark.parametrize(("source", "name"), REMOVED.values(), ids=REMOVED.keys())
def test_removed_messaging_members_name_their_replacement(source: str, name: str) -> None:
    files = {"manifest.json": manifest(background={"service_worker": "b.js"}), "b.js": source}
    for target, rule in (("chrome", "wrong-manifest-version"), ("firefox", "unknown-api")):
        (finding,) = lint(files, ["wrong-manifest-version", "unknown-api"], target)
        assert (finding.rule, finding.help) == (rule, f"use `runtime.{name}`")
    old = {"manifest.json": manifest(manifest_version=2, background={"scripts": ["b.js"]}), "b.js": source}
    assert lint(old, ["wrong-manifest-version", "unknown-api"], "chrome") == []
    assert reported(old, ["unknown-api"], "firefox") == [("unknown-api", f"chrome.extension.{name}")]


def test_content_scripts_register_names_its_replacement() -> None:
    files = {
        "manifest.json": manifest(background={"scripts": ["b.js"]}),
        "b.js": "browser.contentScripts.register({js: []})",
    }
    (finding,) = lint(files, ["wrong-manifest-version"], "firefox")
    assert finding.help == "use `scripting.registerContentScripts`"


def test_get_views_is_reported_in_a_worker() -> None:
    keys = {"background": {"service_worker": "b.js"}, "options_page": "o.html"}
    page = {"o.html": "<script src=o.js></script>", "o.js": "chrome.extension.getViews()"}
    files = {"manifest.json": manifest(**keys), "b.js": "chrome.extension.getViews()", **page}
    assert [(each.path, each.rule) for each in lint(files, ["wrong-context"], "chrome")] == [
        ("b.js", "wrong-context")
    ]


OPEN = "browser.tabs.create({url: 'https://example.com/', cookieStoreId: %s})"
CONTAINERS: dict[str, tuple[str, list[str], bool]] = {
    "the container of another tab": (OPEN % "tab.cookieStoreId", [], True),
    "by its name": (OPEN % "'firefox-container-1'", [], True),
    "a window": ("browser.windows.create({cookieStoreId: id})", [], True),
    "the permission": (OPEN % "tab.cookieStoreId", ["cookies"], False),
    "none": (OPEN % "undefined", [], False),
    "tabs are only searched": ("browser.tabs.query({cookieStoreId: id})", [], False),
    "it may be left out": ("const o = {}; if (id) o.cookieStoreId = id; browser.tabs.create(o)", [], False),
    "handled": (f"try {{ {OPEN % 'id'} }} catch {{ openElsewhere(); }}", [], False),
}


@pytest.mark.parametrize(("source", "permissions", "fails"), CONTAINERS.values(), ids=CONTAINERS.keys())
def test_container_tabs_require_a_permission(source: str, permissions: list[str], fails: bool) -> None:
    expected = [("missing-permission", "cookieStoreId")] if fails else []
    assert findings(source, "firefox", permissions=permissions) == expected
    assert findings(source, "chrome", permissions=permissions) == []


def test_optional_permission_may_allow_containers() -> None:
    assert findings(OPEN % "id", "firefox", optional_permissions=["cookies"]) == []


@pytest.mark.parametrize(
    ("call", "scopes", "is_reported"),
    [
        (TOKEN, [], True),
        ("chrome.identity.getAuthToken((token) => token)", [], True),
        (TOKEN, ["profile"], False),
        ("chrome.identity.getAuthToken({scopes: ['profile']})", [], False),
        ("chrome.identity.getAuthToken(details)", [], False),
        ("chrome.identity.getAuthToken({...details})", [], False),
    ],
)
def test_token_without_scopes(call: str, scopes: list[str], is_reported: bool) -> None:
    keys = {"permissions": ["identity"], "oauth2": {"client_id": "a", "scopes": scopes}}
    package = {"manifest.json": manifest(background={"service_worker": "b.js"}, **keys), "b.js": call}
    found = [each.message for each in lint(package, ["missing-manifest-key"], "chrome")]
    expected = "`identity.getAuthToken` requires the manifest key `oauth2.scopes`, which is missing"
    assert found == [expected] * is_reported
