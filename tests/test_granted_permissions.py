"""Permission requests before a use: without the permission it does not run, so nothing is missing."""

from __future__ import annotations

import pytest
from harness import lint, manifest


def is_reported(source: str, rule: str = "missing-permission", helper: str = "", **keys: object) -> bool:
    """Whether a use of an API without a requested permission is reported."""
    page = {"page": "a.html"}
    files = {"a.html": "<script type='module' src='a.js'></script>", "a.js": source, "b.js": helper}
    texts = {name: _filled_in(text) for name, text in files.items()}
    return bool(lint({"manifest.json": manifest(background=page, **keys), **texts}, [rule], "firefox"))


def _filled_in(text: str) -> str:
    return (
        text.replace("USE", "browser.bookmarks.getTree()")
        .replace("HAS", "browser.permissions.contains({ permissions: ['bookmarks'] })")
        .replace("ASK", "browser.permissions.request({ permissions: ['bookmarks'] })")
    )


GRANTED = {
    "if": "async () => { if (await HAS) USE }",
    "request": "async () => { if (await ASK) USE }",
    "and": "async () => (await HAS) && USE",
    "a variable": "async () => { const granted = await HAS; if (granted) USE }",
    "a variable that is declared before": (
        "async () => { let granted = false; try { granted = await HAS } catch {} if (granted) USE }"
    ),
    "a promise in a variable": "async () => { const granted = HAS; if (await granted) USE }",
    "early return": "async () => { if (!(await HAS)) return; USE }",
    "early throw": "async () => { const granted = await ASK; if (!granted) throw new Error(); USE }",
    "one or the other": "async () => { if ((await HAS) || (await ASK)) USE }",
    "then": "HAS.then((granted) => { if (granted) USE })",
    "then, with a function": "HAS.then(function (granted) { if (!granted) return; USE })",
    "then, with a function by its name": "function on(granted) { if (granted) USE } HAS.then(on)",
    "then, of a promise in a variable": "const asked = HAS; asked.then((granted) => granted && USE)",
    "then, later": "HAS.then((granted) => granted === true).then((yes) => { if (yes) USE })",
    "catch": "async () => { if (await HAS.catch(() => false)) USE }",
    "catch, of a block": (
        "async () => { const granted = await HAS.catch((e) => { log(e); return false }); granted && USE }"
    ),
    "finally": "async () => { if (await HAS.finally(() => log())) USE }",
    "a callback": "chrome.permissions.contains({ permissions: ['bookmarks'] }, (has) => { if (has) USE })",
    "a callback of a request": (
        "chrome.permissions.request({ permissions: ['bookmarks'] }, function (has) { if (!has) return; USE })"
    ),
    "a helper": "async function has() { return HAS } async () => { if (await has()) USE }",
    "an arrow function": "const has = () => HAS; async () => { if (!(await has())) return; USE }",
    "a helper that waits": (
        "async function has() { const x = await HAS; return x } async () => (await has()) && USE"
    ),
    "a helper that catches": (
        "async function has() { try { return await HAS } catch { return false } }"
        " async () => { if (await has()) USE }"
    ),
    "a helper with a parameter": (
        "const has = (p) => browser.permissions.contains({ permissions: [p] });"
        "async () => { if (await has('bookmarks')) USE }"
    ),
    "a helper of a helper": (
        "const has = (p) => browser.permissions.contains({ permissions: [p] });"
        "const can = async (q) => await has(q);"
        "async () => { await can('tabs'); if (await can('bookmarks')) USE }"
    ),
    "a helper with a list": (
        "const has = (permissions) => browser.permissions.contains({ permissions });"
        "async () => { if (await has(['bookmarks'])) USE }"
    ),
    "a method": "class A { has() { return HAS } async m() { if (await this.has()) USE } }",
    "a helper, then": "const has = () => HAS; has().then((granted) => { if (granted) USE })",
    "a promise of a callback": (
        "const has = () => new Promise((resolve) =>"
        " chrome.permissions.contains({ permissions: ['bookmarks'] }, resolve));"
        "async () => { if (await has()) USE }"
    ),
    "a promise of a callback's value": (
        "const has = () => new Promise((resolve) => {"
        " chrome.permissions.contains({ permissions: ['bookmarks'] }, (has) => { resolve(!!has) }) });"
        "async () => { if (await has()) USE }"
    ),
    "a promise with two ends": (
        "const has = () => new Promise((resolve) => { HAS.then((granted) => {"
        " if (granted) { resolve(true) } else { resolve(false) } }) }); async () => { if (await has()) USE }"
    ),
    "a name that is not known": (
        "async (p) => { if (await browser.permissions.contains({ permissions: [p] })) USE }"
    ),
    "names that are not known": "async (p) => { if (await browser.permissions.contains(p)) USE }",
    "more than one": (
        "async () => { if (await browser.permissions.contains({ permissions: ['tabs', 'bookmarks'] })) USE }"
    ),
    "a constant": (
        "const P = { permissions: ['bookmarks'] };"
        "async () => { if (await browser.permissions.request(P)) USE }"
    ),
    "a list of all": (
        "async () => { const { permissions } = await browser.permissions.getAll();"
        " if (permissions.includes('bookmarks')) USE }"
    ),
    "a caller": "class A { m() { USE } async n() { if (await HAS) this.m() } } new A().n()",
    "after a request": "async () => { await ASK; USE }",
    "after a request whose answer is kept": "async () => { const granted = await ASK; USE }",
}


@pytest.mark.parametrize("source", GRANTED.values(), ids=GRANTED.keys())
def test_requested_permission_guards_use(source: str) -> None:
    assert not is_reported(source)


NOT_GRANTED = {
    "another permission": (
        "async () => { if (await browser.permissions.contains({ permissions: ['tabs'] })) USE }"
    ),
    "only hosts": "async () => { if (await browser.permissions.contains({ origins: ['*://a.b/*'] })) USE }",
    "else": "async () => { if (await HAS) {} else USE }",
    "not": "async () => { if (!(await HAS)) USE }",
    "after the block": "async () => { if (await HAS) { log() } USE }",
    "before": "async () => { USE; if (!(await HAS)) return }",
    "one or something else": "async (x) => { if ((await HAS) || x) USE }",
    "not tested": "async () => { const granted = await HAS; USE }",
    "asked without waiting": "async () => { ASK; USE }",
    "after a request that may fail": "async () => { try { await ASK } catch {} USE }",
    "contained is not requested": "async () => { await HAS; USE }",
    "then, not tested": "HAS.then((granted) => { USE })",
    "another parameter": "HAS.then((granted, x) => { if (x) USE })",
    "a function that others call too": "function on(granted) { if (granted) USE } HAS.then(on); on(1)",
    "a failed check": "async () => { if (await HAS.catch(() => true)) USE }",
    "a callback of something else": "chrome.tabs.query({}, (tabs) => { if (tabs) USE })",
    "a helper that always agrees": (
        "async function has() { await HAS; return true } async () => { if (await has()) USE }"
    ),
    "a helper that was asked for something else": (
        "const has = (p) => browser.permissions.contains({ permissions: [p] });"
        "async () => { await has('bookmarks'); if (await has('tabs')) USE }"
    ),
    "a promise that is always kept": (
        "const has = () => new Promise((resolve) => { HAS.then(() => resolve(true)) });"
        "async () => { if (await has()) USE }"
    ),
    "a list of something else": (
        "async () => { if ((await browser.permissions.getAll()).origins.includes('bookmarks')) USE }"
    ),
    "a caller": "class A { m() { USE } async n() { if (await HAS) this.m(); this.m() } } new A().n()",
    "an unknown member": "async () => { if (await HAS) browser.bookmarks.getTree(1); USE }",
}


@pytest.mark.parametrize("source", NOT_GRANTED.values(), ids=NOT_GRANTED.keys())
def test_other_condition_does_not_guard_use(source: str) -> None:
    assert is_reported(source)


def test_granted_permission_does_not_excuse_unknown_member() -> None:
    assert is_reported(
        "async () => { if (await HAS) browser.bookmarks.getTreee() }",
        "unknown-api",
        permissions=["bookmarks"],
    )


IMPORTED = {
    "a helper": ("export const has = () => HAS", "has()"),
    "a helper with a parameter": (
        "export async function has(name) { return browser.permissions.contains({ permissions: [name] }) }",
        "has('bookmarks')",
    ),
    "a helper that catches": (
        "export async function has() { try { return await HAS } catch { return false } }",
        "has()",
    ),
    "a promise of a callback": (
        "export const has = () => new Promise((resolve) =>"
        " chrome.permissions.contains({ permissions: ['bookmarks'] }, resolve))",
        "has()",
    ),
}


@pytest.mark.parametrize(("helper", "test"), IMPORTED.values(), ids=IMPORTED.keys())
def test_permission_requested_by_imported_helper(helper: str, test: str) -> None:
    def is_reported_after(tested: str, helper: str) -> bool:
        return is_reported(
            f"import {{ has }} from './b.js'; async () => {{ if (await {tested}) USE }}", helper=helper
        )

    assert not is_reported_after(test, helper)
    another = helper.replace("'bookmarks'", "'tabs'").replace("HAS", "browser.permissions.getAll()")
    assert is_reported_after(test.replace("bookmarks", "tabs"), another)


@pytest.mark.parametrize("requested", ["{ origins: ['<all_urls>'] }", "{ origins: [origin] }", "wanted"])
def test_requested_hosts_guard_use(requested: str) -> None:
    source = f"async () => {{ if (await browser.permissions.request({requested})) INJECT }}"
    inject = "browser.tabs.executeScript({ code: '1' })"
    for text, found in ((source, False), (source.replace("if (", "if (!"), True)):
        assert (
            is_reported(text.replace("INJECT", inject), "missing-host-permission", manifest_version=2)
            is found
        )


@pytest.mark.parametrize(
    ("permission", "use", "is_missing"),
    [
        ("bookmarks", "bookmarks.getTree()", False),
        ("history", "bookmarks.getTree()", True),
        ("bookmarks", "bookmarks.nothing()", False),
    ],
)
def test_api_of_a_permission_that_a_browser_never_grants(permission: str, use: str, is_missing: bool) -> None:
    script = f"chrome.permissions.request({{permissions: ['{permission}']}}, (has) => has && chrome.{use});"
    keys = {"optional_permissions": ["bookmarks", "history"], "background": {"service_worker": "a.js"}}
    files = {"manifest.json": manifest(**keys), "a.js": script}
    found = lint(files, ["unknown-api", "unsupported-api"], "safari")
    assert bool(found) == is_missing
    assert ("nothing" in use) == bool(lint(files, ["unknown-api"], "chrome"))
