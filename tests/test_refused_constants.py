"""Constants in calls that fit the schema and that browsers refuse anyway."""

from __future__ import annotations

import pytest
from harness import lint, manifest

PERMISSIONS = [
    *("bookmarks", "contextMenus", "cookies", "declarativeNetRequest", "history", "identity", "offscreen"),
    *("readingList", "scripting", "tabs"),
]


def messages(call: str, target: str, **keys: object) -> list[str]:
    """Returns the messages of the findings in a call, which an event makes."""
    call = call if call.startswith("const ") else f"chrome.{call}"
    script = f"chrome.action.onClicked.addListener((tab) => {{ {call}; }});"
    background: dict[str, object] = (
        {"service_worker": "a.js"} if target == "chrome" else {"scripts": ["a.js"]}
    )
    files = {
        "manifest.json": manifest(
            background=background, permissions=PERMISSIONS, host_permissions=["<all_urls>"], action={}, **keys
        ),
        "a.js": script,
    }
    return [each.message for each in lint(files, ("invalid-argument",), target)]


ABSOLUTE = "it must be an absolute URL, such as `https://example.org/`"
WEB = "it must begin with `https://` or `http://`"
SCHEME = "it must begin with a scheme such as `https://`, or with `*://` for http and https"
WHOLE = "it must have a scheme, a host and a path, as `https://example.org/*`"
REGISTER = "scripting.registerContentScripts([{ id: %s, js: ['a.js'], matches: [%s] }])"

REFUSED = {
    ("tabs.query({ url: 'a.example' })", "chrome"): f"`url` cannot be `a.example`: {SCHEME}",
    ("tabs.query({ url: ['<all_urls>', 'a.example'] })", "firefox"): f"`url` cannot be `a.example`: {WHOLE}",
    ("tabs.query({ url: '' })", "firefox"): "`url` must not be empty",
    (REGISTER % ("'a'", "'chrome://*/*'"), "chrome"): (
        "`matches` cannot be `chrome://*/*`: the scheme `chrome` is not allowed here"
    ),
    (REGISTER % ("'a'", "'about:*'"), "firefox"): (
        "`matches` cannot be `about:*`: the scheme `about` is not allowed here"
    ),
    (REGISTER % ("'_a'", "'<all_urls>'"), "firefox"): "`id` cannot be `_a`: an id must not begin with `_`",
    (REGISTER % ("''", "'<all_urls>'"), "chrome"): "`id` must not be empty",
    (
        "const one = { id: 'a', js: ['a.js'], matches: ['<all_urls>'] };"
        " chrome.scripting.registerContentScripts([one, { ...one, id: 'a' }])",
        "firefox",
    ): "an earlier script also has the id `a`",
    ("scripting.registerContentScripts([{ id: 'a', js: ['a.js'] }])", "chrome"): (
        "`scripts.matches` requires at least one pattern"
    ),
    ("scripting.registerContentScripts([{ id: 'a', matches: ['<all_urls>'] }])", "firefox"): (
        "`scripts.js` is required, unless `css` is there"
    ),
    ("tabs.create({ url: ' javascript:alert(1)' })", "chrome"): (
        "`url` cannot be ` javascript:alert(1)`: Chrome opens no `javascript:` URL for an extension; use"
        " `scripting.executeScript`"
    ),
    ("windows.create({ url: ['a.html', 'about:config'] })", "firefox"): (
        "`url` cannot be `about:config`: Firefox does not open its own pages for an extension"
    ),
    ("windows.create({ state: 'minimized', focused: true })", "chrome"): (
        "`createData.focused` must not be beside the state `minimized`"
    ),
    ("cookies.get({ url: 'a.example', name: 'a' })", "chrome"): f"`url` cannot be `a.example`: {ABSOLUTE}",
    ("cookies.set({ url: 'a.example', name: 'a' })", "firefox"): f"`url` cannot be `a.example`: {WEB}",
    ("cookies.set({ url: 'https://a.example/', sameSite: 'no_restriction' })", "firefox"): (
        "`details.sameSite` is only for cookies that are `secure`, if it is `no_restriction`"
    ),
    ("bookmarks.create({ url: '' })", "firefox"): "`url` must not be empty",
    ("runtime.setUninstallURL('/bye')", "chrome"): f"the URL cannot be `/bye`: {WEB}",
    ("action.setPopup({ popup: 'https://a.example/' })", "firefox"): (
        "`popup` cannot be `https://a.example/`: it must be a page of the extension"
    ),
    ("action.setBadgeBackgroundColor({ color: 'rde' })", "chrome"): (
        "`color` cannot be `rde`: unknown color name"
    ),
    (f"action.setBadgeText({{ text: '{'ü' * 51}' }})", "chrome"): (
        f"`text` cannot be `{'ü' * 51}`: a badge can have at most 100 bytes"
    ),
    (
        "scripting.executeScript({ target: { tabId: tab.id, allFrames: true, frameIds: [0] }, func() {} })",
        "chrome",
    ): ("`injection.target.frameIds` must not be beside `allFrames`"),
    ("contextMenus.create({ id: 'a', title: 'a', contexts: ['launcher'] })", "chrome"): (
        "the context `launcher` is only for packaged apps"
    ),
    ("declarativeNetRequest.updateEnabledRulesets({ enableRulesetIds: ['ad'] })", "chrome"): (
        "the manifest lists no rule file with the id `ad`"
    ),
}


@pytest.mark.parametrize(("call", "message"), REFUSED.items(), ids=[call for call, _ in REFUSED])
def test_constant_that_a_browser_refuses(call: tuple[str, str], message: str) -> None:
    assert messages(*call) == [message]


ACCEPTED = (
    "tabs.query({ url: 'chrome-extension://*/*' })",
    "tabs.query({ url: tab.url })",
    "tabs.query({ url: `${tab.url}/*` })",
    "tabs.create({ url: 'a.html' })",
    "tabs.create({ url: 'about:blank' })",
    "tabs.create({ url: tab.url || 'https://a.example/' })",
    "windows.create({ state: 'minimized', focused: false })",
    "cookies.set({ url: 'https://a.example/', sameSite: 'no_restriction', secure: true })",
    "cookies.set({ url: 'https://a.example/', sameSite: 'no_restriction', secure: tab.active })",
    "runtime.setUninstallURL('')",
    "action.setPopup({ popup: 'a.html' })",
    "action.setBadgeBackgroundColor({ color: 'rgb(0, 0, 0)' })",
    f"action.setBadgeText({{ text: '{'x' * 100}' }})",
    REGISTER % ("tab.title", "tab.url"),
    "scripting.registerContentScripts([{ id: 'a', matches: ['<all_urls>'], ...tab }])",
    "scripting.executeScript({ target: { tabId: tab.id, allFrames: tab.active, frameIds: [0] }, func() {} })",
    "declarativeNetRequest.updateEnabledRulesets({ enableRulesetIds: ['ads'] })",
)


@pytest.mark.parametrize("call", ACCEPTED)
def test_value_that_browsers_may_accept(call: str) -> None:
    rules = {"rule_resources": [{"id": "ads", "enabled": False, "path": "r.json"}]}
    for target in ("chrome", "firefox"):
        assert messages(call, target, declarative_net_request=rules) == [], target
