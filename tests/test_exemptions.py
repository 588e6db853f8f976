"""Exemptions for uses of unavailable members. A member that exists in no browser is never exempt."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = [
    "invalid-argument",
    "missing-permission",
    "unknown-api",
    "unsupported-api",
    "wrong-argument-count",
    "wrong-manifest-version",
]
EXCUSES = {
    "try": "function f() { try { USE } catch { other() } }",
    "an awaited try": "async function f() { try { await USE } catch (e) { other() } }",
    "a caller's try": "function g() { USE } function f() { try { g() } catch { other() } }",
    "a browser's name": "function f() { if (isFirefox) { USE } }",
    "the user agent": "function f() { if (navigator.userAgent.includes(brand)) { USE } }",
    "a constant of the build": "function f() { if (__FIREFOX__) { USE } }",
}


def reported(source: str, target: str = "chrome", **keys: object) -> list[str]:
    """Returns the rules that report a background in which `f` is called on a click."""
    text = f"{source}\nchrome.action.onClicked.addListener(f);"
    keys = {"background": {"service_worker": "a.js"}, "action": {}, **keys}
    if target == "firefox":
        keys["background"] = {"scripts": ["a.js"]}
    return [each.rule for each in lint({"manifest.json": manifest(**keys), "a.js": text}, RULES, target)]


IN_NO_BROWSER = {
    "a member": ("chrome.runtime.sendMesage(1)", "unknown-api"),
    "a namespace": ("chrome.runtim.sendMessage(1)", "unknown-api"),
    "a namespace near another browser's": ("chrome.sidebarActoin.open()", "unknown-api"),
    "a misspelled member of another browser's namespace": ("chrome.readingList.addEntri({})", "unknown-api"),
    "an event's method": ("chrome.runtime.onMessage.addListner(() => 1)", "unknown-api"),
    "a property": ("chrome.tabs.create({ uri: 'a' })", "invalid-argument"),
    "a value": ("chrome.tabs.query({ status: 'loadin' })", "invalid-argument"),
    "a number of arguments": ("chrome.tabs.query({}, () => 1, 2)", "wrong-argument-count"),
}


@pytest.mark.parametrize("excuse", EXCUSES.values(), ids=EXCUSES.keys())
@pytest.mark.parametrize(("use", "rule"), IN_NO_BROWSER.values(), ids=IN_NO_BROWSER.keys())
def test_member_in_no_browser_is_always_reported(use: str, rule: str, excuse: str) -> None:
    assert reported(excuse.replace("USE", use), permissions=["readingList"]) == [rule]


IN_ANOTHER_BROWSER = {
    "a namespace": ("chrome.sidebarAction.toggle()", "unknown-api"),
    "a member": ("chrome.tabs.toggleReaderMode()", "unknown-api"),
    "a property": ("chrome.tabs.create({ discarded: true })", "invalid-argument"),
}


@pytest.mark.parametrize("excuse", EXCUSES.values(), ids=EXCUSES.keys())
@pytest.mark.parametrize(
    "use", [use for use, _ in IN_ANOTHER_BROWSER.values()], ids=IN_ANOTHER_BROWSER.keys()
)
def test_member_of_another_browser_is_excused(use: str, excuse: str) -> None:
    assert reported(excuse.replace("USE", use)) == []


@pytest.mark.parametrize(("use", "rule"), IN_ANOTHER_BROWSER.values(), ids=IN_ANOTHER_BROWSER.keys())
def test_member_of_another_browser_is_reported_without_an_excuse(use: str, rule: str) -> None:
    assert reported(f"function f() {{ {use} }}") == [rule]


OUT_OF_REACH = {
    "a user agent that is sent": "report(navigator.userAgent); function f() { USE }",
    "a test of the browser in another function": "function g() { if (isFirefox) h() } function f() { USE }",
    "a test of the browser elsewhere in the function": "function f() { if (isFirefox) h(); USE }",
    "a browser in a comment": "/* isFirefox, __FIREFOX__ */ function f() { USE }",
    "a condition about something else": "function f() { if (navigator.userAgent) h(); if (on) { USE } }",
    "a system": "function f() { if (navigator.userAgent.includes('Linux')) { USE } }",
    "a system by a pattern": "function f() { if (/Mac|Win/.test(navigator.platform)) { USE } }",
    "a system of the platform": "function f() { if (navigator.platform === 'MacIntel') { USE } }",
    "a system in lower case": "function f() { if (navigator.userAgent.toLowerCase().match('mac')) { USE } }",
}
"""Code that an excuse of `EXCUSES` does not reach."""


@pytest.mark.parametrize("source", OUT_OF_REACH.values(), ids=OUT_OF_REACH.keys())
@pytest.mark.parametrize(("use", "rule"), IN_ANOTHER_BROWSER.values(), ids=IN_ANOTHER_BROWSER.keys())
def test_excuse_elsewhere_covers_nothing(use: str, rule: str, source: str) -> None:
    assert reported(source.replace("USE", use)) == [rule]


def test_script_that_nothing_loads_excuses_nothing() -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "a.js"}),
        "a.js": "chrome.tabs.onCreated.addListener(() => chrome.sidebarAction.toggle());",
        "b.js": "export const isFirefox = navigator.userAgent.includes('Firefox');",
    }
    assert [each.rule for each in lint(files, RULES, "chrome")] == ["unknown-api"]


@pytest.mark.parametrize("excuse", EXCUSES)
def test_member_of_other_manifest_version_is_excused(excuse: str) -> None:
    use = "chrome.tabs.executeScript({ code: '' })"
    assert reported(EXCUSES[excuse].replace("USE", use)) == []
    assert reported(f"function f() {{ {use} }}") == ["wrong-manifest-version"]


REPORTS = "function f() { try { USE } catch (e) { console.error(e) } }"
SWALLOWS = "function f() { try { USE } catch {} }"
OTHER_VERSION: dict[str, tuple[str, str, int, list[str]]] = {
    "removed, and the error is logged": (
        REPORTS,
        "chrome.tabs.executeScript({ code: '' })",
        3,
        ["wrong-manifest-version"],
    ),
    "removed, and the error is ignored": (SWALLOWS, "chrome.tabs.executeScript({ code: '' })", 3, []),
    "not yet there, and the error is logged": (
        REPORTS,
        "chrome.action.enable()",
        2,
        ["wrong-manifest-version"],
    ),
    "in this version of another browser": (REPORTS, "chrome.scripting.getRegisteredContentScripts()", 2, []),
}


@pytest.mark.parametrize(
    ("handling", "use", "version", "expected"), OTHER_VERSION.values(), ids=OTHER_VERSION.keys()
)
def test_handler_that_only_reports_does_not_excuse_the_other_version(
    handling: str, use: str, version: int, expected: list[str]
) -> None:
    event = "chrome.runtime.onStartup.addListener(f);"
    background = {"service_worker": "a.js"} if version == 3 else {"scripts": ["a.js"]}
    keys = {"manifest_version": version, "background": background, "permissions": ["scripting"]}
    files = {"manifest.json": manifest(**keys), "a.js": f"{handling.replace('USE', use)}\n{event}"}
    assert [each.rule for each in lint(files, RULES, "chrome")] == expected


MAIN_WORLD: dict[str, tuple[str, bool]] = {
    "not handled": ("USE", True),
    "ignored": ("try { USE } catch {}", True),
    "logged": ("try { USE } catch (e) { console.log(e) }", True),
    "another way": ("try { USE } catch { other() }", False),
    "a default": ("let own = 'a'; try { own = USE } catch {} use(own)", False),
    "after a test": ("if (chrome.storage) USE", False),
}


@pytest.mark.parametrize(("code", "is_reported"), MAIN_WORLD.values(), ids=MAIN_WORLD.keys())
def test_only_another_way_excuses_the_api_where_none_exists(code: str, is_reported: bool) -> None:
    use = "chrome.storage.local.get('a')"
    scripts = [{"matches": ["https://example.com/*"], "js": ["a.js"], "world": "MAIN"}]
    files = {
        "manifest.json": manifest(content_scripts=scripts, permissions=["storage"]),
        "a.js": code.replace("USE", use),
    }
    assert bool(lint(files, ["wrong-context"], "chrome")) is is_reported
    del scripts[0]["world"]
    files["manifest.json"] = manifest(content_scripts=scripts, permissions=["storage"])
    assert not lint(files, ["wrong-context"], "chrome")


def test_ignored_error_excuses_a_script_that_also_runs_with_the_api() -> None:
    scripts = [
        {"matches": ["https://example.com/*"], "js": ["a.js"], "world": "MAIN"},
        {"matches": ["https://example.com/*"], "js": ["a.js"]},
    ]
    files = {
        "manifest.json": manifest(content_scripts=scripts, permissions=["storage"]),
        "a.js": "try { chrome.storage.local.get('a') } catch {}",
    }
    assert not lint(files, ["wrong-context"], "chrome")


FORMER_MEMBERS = """
app.getDetails browserAction.setBadgeTextColor declarativeNetRequest.testMatchOutcome experimental.infobars
extension.getExtensionTabs extension.getTabContentses extension.onRequest extension.sendRequest infobars.show
normandyAddonStudy.getStudy privacy.network.webRTCMultipleRoutesEnabled privacy.services.hotwordSearchEnabled
privacy.websites.privacySandboxEnabled proxy.onProxyError proxy.register runtime.dynamicId runtime.getFrameId
runtime.getPackageDirectoryEntry sidePanel.getLayout signedInDevices.get storage.local.getKeys
tabs.getAllInWindow tabs.onActiveChanged tabs.onSelectionChanged tabs.saveAsPDF urlbar.onBehaviorRequested
userScripts.onBeforeScript userScripts.setScriptMetadata webstore.install
""".split()
"""Members that some browser has in some version, had earlier, or reserves for its own extensions."""


@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_former_member_may_be_tested_or_tried(target: str) -> None:
    tested, tried = [], []
    for name in FORMER_MEMBERS:
        above, _, _ = name.rpartition(".")
        tested.append(f"if (chrome.{above.replace('.', '?.')} && chrome.{name}) chrome.{name}();")
        tried.append(f"try {{ chrome.{name}() }} catch {{}}")
    for uses in (tested, tried):
        assert "unknown-api" not in reported(f"function f() {{ {' '.join(uses)} }}", target)


NO_FALLBACK = {
    "nothing": "",
    "a comment": "/* it may fail */",
    "a log": "console.error('no bookmarks', e)",
    "several logs": "console.group(); console.log(e); console.groupEnd()",
    "a logger": "this.logger.warn(`no bookmarks: ${e.message}`)",
    "a log by name": "logError(e)",
    "a log under a condition": "if (DEBUG) console.log(e)",
    "a log by operator": "DEBUG && console.log(e)",
    "a box": "alert('failed')",
    "a notification": "chrome.notifications.create(message)",
    "a text on the page": "status.textContent = 'It failed'",
    "another error": "throw new Error(`failed: ${e}`)",
    "the same error": "throw e",
    "a rejection": "reject(e)",
    "a rejected promise": "return Promise.reject(e)",
    "an answer with the error": "sendResponse({ ok: false, error: String(e) })",
    "a callback with the error": "callback(e)",
    "the error given back": "return { ok: false, error: e.message }",
    "the error kept": "state.error = e.message",
    "a message made of the error": "const { message } = e; console.log(message)",
    "a bare return": "console.log(e); return",
    "the result of a log call": "return console.log(e)",
    "undefined, as minifiers write it": "return void 0",
    "undefined": "return undefined",
    "one failure, and a log of others": "if (e.message.includes('Only one')) other(); else console.error(e)",
    "one failure": "if (e.message === 'The tab was closed.') return []; throw e",
}
FALLBACK = {
    "a call": "other()",
    "a failure of a missing member": "if (e.message.includes('not a function')) other(); else throw e",
    "another condition": "if (!e.message.includes('Only one')) other(); else throw e",
    "the other failures": "if (e.message.includes('Only one')) throw e; else other()",
    "a call with the error": "other(e)",
    "a log and a call": "console.log(e); other()",
    "a value": "return []",
    "a text": "return 'en'",
    "a value that is named first": "const none = []; return none",
    "one of two values": "return e.code === 1 ? [] : null",
    "a log and a value": "return console.log(e), []",
    "false": "return false",
    "null": "return null",
    "a value of its own": "return { ok: false }",
    "the result of a call with the error": "return other(e)",
    "a variable": "state.usable = false",
    "a handler of its own name": "retryWithoutError(e)",
    "a condition": "if (e instanceof TypeError) other()",
    "another try": "try { other() } catch {}",
    "a loop": "for (const each of others) each()",
    "the next round": "continue",
    "an answer without the error": "sendResponse({ tree: [] })",
    "an answer that asks for more": "sendResponse(other(e))",
    "a callback as an argument": "log(() => other())",
    "a variable from a call": "const it = other(e); log(it)",
}
TRY = "async function f() {{ for (;;) {{ try {{ await USE }} catch (e) {{ {} }} }} }}"
UNREQUESTED = "chrome.bookmarks.getTree()"


@pytest.mark.parametrize("handler", NO_FALLBACK.values(), ids=NO_FALLBACK.keys())
def test_missing_permission_without_fallback_is_reported(handler: str) -> None:
    source = TRY.format(handler).replace("USE", UNREQUESTED)
    assert reported(source, permissions=["notifications"]) == ["missing-permission"]
    assert reported(source, permissions=["notifications"], optional_permissions=["bookmarks"]) == []


@pytest.mark.parametrize("handler", FALLBACK.values(), ids=FALLBACK.keys())
def test_missing_permission_with_fallback_is_excused(handler: str) -> None:
    assert reported(TRY.format(handler).replace("USE", UNREQUESTED)) == []


@pytest.mark.parametrize("handler", NO_FALLBACK.values(), ids=NO_FALLBACK.keys())
@pytest.mark.parametrize(
    "use", [use for use, _ in IN_ANOTHER_BROWSER.values()], ids=IN_ANOTHER_BROWSER.keys()
)
def test_any_handler_excuses_member_of_another_browser(use: str, handler: str) -> None:
    assert reported(TRY.format(handler).replace("USE", use), permissions=["notifications"]) == []


AROUND_HANDLERS = {
    "code after a try that returns": ("try { return USE } catch {} return other()", []),
    "code after a try that continues": ("try { USE } catch {} other()", ["missing-permission"]),
    "nothing after a try that returns": ("try { return USE } catch {}", ["missing-permission"]),
    "a log after a try that returns": ("try { return USE } catch {} log('no')", ["missing-permission"]),
    "code after the enclosing block": ("if (x) { try { return USE } catch {} } return other()", []),
    "the next round": ("for (const each of x) { try { USE; break } catch {} }", []),
    "code after the enclosing function": (
        "const g = () => { try { return USE } catch {} }; g(); other()",
        ["missing-permission"],
    ),
    "a variable that is asked for": ("let ok; try { USE; ok = true } catch {} if (!ok) other()", []),
    "a result that is asked for": ("let it; try { it = USE } catch {} return it ?? other()", []),
    "a result that is not": ("let it; try { it = USE } catch {} log(it)", ["missing-permission"]),
    "a default before": ("let it = 'none'; try { it = USE } catch {} log(it)", []),
    "an outer default": (
        "let it = x ? 'a' : 'b'; if (x) { try { it = USE } catch {} } g(it)",
        [],
    ),
    "an empty default": ("let it = []; try { it = USE } catch {} log(it)", ["missing-permission"]),
    "an empty text": ("let it = ''; try { it = USE } catch {} log(it)", ["missing-permission"]),
    "a default of another variable": (
        "let it, x = 'a'; try { it = USE } catch {} log(it)",
        ["missing-permission"],
    ),
    "a default and a log": (
        "let it = 'none'; try { it = USE } catch (e) { console.error(e) } log(it)",
        ["missing-permission"],
    ),
    "another variable that is asked for": (
        "let it; try { it = USE } catch {} if (x) log(it)",
        ["missing-permission"],
    ),
    "an outer try": ("try { try { USE } catch (e) { throw e } } catch { other() }", []),
    "two that do nothing": ("try { try { USE } catch (e) { throw e } } catch {}", ["missing-permission"]),
    "a finally": ("try { USE } finally { other() }", ["missing-permission"]),
}


@pytest.mark.parametrize(("body", "expected"), AROUND_HANDLERS.values(), ids=AROUND_HANDLERS.keys())
def test_code_around_handler_may_be_the_fallback(body: str, expected: list[str]) -> None:
    assert reported(f"function f() {{ {body.replace('USE', UNREQUESTED)} }}") == expected


UNKNOWN_NAMESPACES = {
    "a namespace of no browser": ("chrome.bananas.eat()", ["unknown-api"]),
    "a namespace of another program": ("chrome.mailTabs.query()", ["unknown-api"]),
    "a private namespace": ("chrome.settingsPrivate.getPref('a')", ["unknown-api"]),
    "under a condition": ("if (settings.fruit) chrome.bananas.eat()", ["unknown-api"]),
    "under a test of the browser": ("if (isFirefox) chrome.bananas.eat()", []),
    "after a test of itself": ("if (chrome.bananas) chrome.bananas.eat()", []),
    "made by the package": ("chrome.bananas = {}; chrome.bananas.eat()", []),
    "a former Chrome API": ("chrome.experimental.infobars.show()", ["unknown-api"]),
    "tried": ("try { chrome.bananas.eat() } catch {}", []),
    "a member that is tried": ("try { chrome.tabs.eat() } catch {}", []),
    "a member": ("chrome.tabs.eat()", ["unknown-api"]),
}


@pytest.mark.parametrize(("use", "expected"), UNKNOWN_NAMESPACES.values(), ids=UNKNOWN_NAMESPACES.keys())
def test_unknown_namespace(use: str, expected: list[str]) -> None:
    assert reported(f"function f() {{ {use} }}") == expected


VALUES = {
    "an error": "if (chrome.runtime.lastError) return; USE",
    "an error, in a variable": "const error = chrome.runtime.lastError; if (error) return; USE",
    "an error, destructured": "const { lastError } = chrome.runtime; if (lastError) return; USE",
    "an error or something else": "if (chrome.runtime.lastError || !x) return; USE",
    "no error": "if (!chrome.runtime.lastError) USE",
    "no error, by comparison": "if (chrome.runtime.lastError === undefined) USE",
    "no error, by type": "if (typeof chrome.runtime.lastError === 'undefined') USE",
    "either": "chrome.runtime.lastError ? x() : USE",
    "an operator": "chrome.runtime.lastError || USE",
    "a window that is not private": "if (chrome.extension.inIncognitoContext) return; USE",
    "an id": "if (chrome.runtime.id) return; USE",
}


@pytest.mark.parametrize("source", VALUES.values(), ids=VALUES.keys())
@pytest.mark.parametrize(
    ("use", "rule"),
    [
        (UNREQUESTED, "missing-permission"),
        ("chrome.runtime.sendMesage(1)", "unknown-api"),
        ("chrome.tabs.create({ uri: 1 })", "invalid-argument"),
    ],
)
def test_condition_on_possibly_empty_value_is_not_a_feature_test(source: str, use: str, rule: str) -> None:
    assert reported(f"function f() {{ {source.replace('USE', use)} }}") == [rule]


@pytest.mark.parametrize(
    "test", ["chrome.tabs.query", "chrome.tabs.onUpdated", "chrome.runtime", "chrome.runtime.PlatformOs"]
)
def test_condition_on_nonempty_value_is_a_feature_test(test: str) -> None:
    assert reported(f"function f() {{ if ({test}) return; {UNREQUESTED} }}") == []


ADDRESSES = {
    "a scheme": "tab.url.startsWith('chrome://')",
    "a scheme in a pattern": "/^chrome:/.test(tab.url)",
    "schemes in a pattern": "/^(?:about|chrome|edge):/i.test(tab.url)",
    "the beginning of a scheme": "tab.url.startsWith('chrome')",
    "the beginning of a scheme, in a pattern": "tab.pendingUrl.match(/^chrome/)",
    "a scheme that is compared": "new URL(tab.url).protocol === 'chrome:'",
    "the scheme of extensions": "tab.url.startsWith('chrome-extension:')",
    "a host": "/addons\\.mozilla\\.org/.test(tab.url)",
    "another host": "tab.url.includes('chrome.google.com')",
    "a host whose name is not looked at": "/^https:..chrome\\.google\\.com/.test(x)",
    "a word in another": "_operating_toolbar",
    "a word in another, of a property": "x.operational",
    "the API's own word": "x.browserAction",
    "a system": "x.name === 'chromeos'",
}
BROWSERS = {
    "the user agent": "navigator.userAgent.startsWith('Opera')",
    "a pattern": "/(?:chrome|crios)\\/(\\d+)/i.test(x)",
    "a pattern with a number": "/Firefox\\/[\\d.]+/.test(x)",
    "the extension's own address": "location.protocol === 'moz-extension:'",
    "the extension's own address, in a pattern": "/^moz/.test(location.protocol)",
    "the extension's own address, by its beginning": "chrome.runtime.getURL('').startsWith('moz')",
    "a name that may be that of the own address": "x.baseUrl.startsWith('moz')",
    "a name": "x.name === 'Chrome'",
}


@pytest.mark.parametrize("condition", ADDRESSES.values(), ids=ADDRESSES.keys())
def test_address_comparison_is_not_browser_detection(condition: str) -> None:
    source = f"let _operating_toolbar; function f(tab, x) {{ if ({condition}) {UNREQUESTED} }}"
    assert reported(source) == ["missing-permission"]


@pytest.mark.parametrize("condition", BROWSERS.values(), ids=BROWSERS.keys())
def test_browser_name_comparison_is_browser_detection(condition: str) -> None:
    assert reported(f"function f(tab, x) {{ if ({condition}) {UNREQUESTED} }}") == []


PROBE = "chrome.webRequest.onBeforeRequest.addListener(() => 1, { urls: [], types: ['foo'] })"
LEARNING = {
    "a match of its text": "for (const type of e.toString().match(/[a-z_]+/g)) types.add(type)",
    "a match of a copy": "let text = e.message; text = text.substr(9); types = text.match(/[a-z_]+/g)",
    "its parts": "const known = e.message.split(', ')",
    "a pattern": "const found = /one of (.*)/.exec(e.message); types = found[1]",
}
NOT_LEARNING = {
    "a check of the error message": "if (!e.message.includes('type')) throw e",
    "a match that is asked for": "if (e.message.match(/type/)) { other() }",
    "a match of something else": "types = defaults.match(/[a-z]+/g); other()",
    "nothing": "other()",
}


@pytest.mark.parametrize("handler", LEARNING.values(), ids=LEARNING.keys())
def test_invalid_argument_may_probe_for_allowed_values(handler: str) -> None:
    source = f"function f() {{ try {{ {PROBE} }} catch (e) {{ {handler} }} }}"
    assert reported(source, permissions=["webRequest"]) == []


@pytest.mark.parametrize("handler", NOT_LEARNING.values(), ids=NOT_LEARNING.keys())
def test_invalid_argument_without_use_of_the_message_is_reported(handler: str) -> None:
    source = f"function f() {{ try {{ {PROBE} }} catch (e) {{ {handler} }} }}"
    assert reported(source, permissions=["webRequest"]) == ["invalid-argument"]
