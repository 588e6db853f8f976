"""Members that a package itself adds to the API are known; other missing members are still reported."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import manifest, reported

from extlint.checks.possible_members import MAX_MEMBER_LENGTH
from extlint.schema.targets import BROWSERS, schema_set

USE = "chrome.tabs.queryAsync({})"

ADDED = {
    "assigned": ("chrome.tabs.queryAsync = f", USE),
    "a near one": ("chrome.tabs.queryy ??= f", "chrome.tabs.queryy()"),
    "assigned if it is missing": ("chrome.extra ??= {}", "chrome.extra.go()"),
    "assigned after a test": ("if (!chrome.extra) chrome.extra = {}", "chrome.extra.go()"),
    "by Object.assign": ("Object.assign(chrome.tabs, { queryAsync() {} })", USE),
    "by Object.assign from elsewhere": ("Object.assign(chrome.tabs, make())", USE),
    "by Object.assign to the root": ("Object.assign(chrome, make())", "chrome.extra.go()"),
    "defined": ("Object.defineProperty(chrome, 'extra', { value: 1 })", "chrome.extra.go()"),
    "defined by computed names": ("Object.defineProperty(chrome.tabs, k, { value: f })", USE),
    "defined from elsewhere": ("Object.defineProperties(chrome.tabs, make())", USE),
    "by Reflect": ("Reflect.set(chrome.tabs, k, f)", USE),
    "by a getter": ("chrome.tabs.__defineGetter__('queryAsync', f)", USE),
    "by computed names": ("for (const k of names) chrome.tabs[k] = f", USE),
    "by names that are put together": ("for (const k in chrome.tabs) chrome.tabs[k + 'Async'] = f", USE),
    "by names that a template makes": (
        "const api = chrome.tabs; for (const k in api) api[`${k}Async`] = f",
        USE,
    ),
    "by names before them": (
        "for (const k in chrome.tabs) chrome.tabs['p_' + k] = f",
        "chrome.tabs.p_query({})",
    ),
    "for each namespace": ("for (const n of names) for (const k of more) chrome[n][k] = f", USE),
    "for each namespace by names that are put together": (
        "for (const n of names) for (const k in chrome[n]) chrome[n][k + 'P'] = f",
        "chrome.tabs.getP(1)",
    ),
    "by a function": (
        "function patch(api) { for (const k in api) api[k + 'Async'] = f } patch(chrome.tabs)",
        USE,
    ),
    "by a library": ("promisifyAll(chrome, ['tabs'])", USE),
    "by a library with one namespace": ("Promise.promisifyAll(chrome.tabs)", USE),
    "by a library for namespaces of several roots": (
        "function all(api, list) { list.forEach((name) => lib.promisifyAll(api[name])) }"
        " all(chrome, ['tabs']); all(chrome.storage, ['local'])",
        USE,
    ),
    "by a library for one of two": ("promisifyAll(old ? chrome.tabs : chrome.windows)", USE),
    "to one of two": ("(old ? chrome.tabs : chrome.windows).queryAsync = f", USE),
    "to one of two by a computed name": ("(old ? chrome.tabs : chrome.windows)[name] = f", USE),
    "to one of two at once": ("Object.assign(old ? chrome.tabs : chrome.windows, more)", USE),
    "by a library with a suffix": ("promisifyAll(chrome.tabs, { suffix: 'P' })", "chrome.tabs.getP(1)"),
    "in a proxy": ("const b = new Proxy(chrome, h)", "b.tabs.queryAsync({})"),
    "in a copy": ("const b = { ...chrome, extra: f }", "b.extra()"),
    "in a copy of a namespace": ("const t = { ...chrome.tabs, queryAsync() {} }", "t.queryAsync({})"),
    "by a prototype": ("Object.setPrototypeOf(chrome.tabs, more)", USE),
    "by a prototype that is written": ("chrome.tabs.__proto__ = more", USE),
    "to the prototype of events": (
        "Object.getPrototypeOf(chrome.tabs.onUpdated).once = f",
        "chrome.tabs.onUpdated.once(f)",
    ),
    "to an event": ("chrome.tabs.onUpdated[k] = f", "chrome.tabs.onUpdated.once(f)"),
    "to an area of storage": ("Object.assign(chrome.storage.local, make())", "chrome.storage.local.getAll()"),
}

REPORTED = {
    "nothing is added": ("f()", USE, "chrome.tabs.queryAsync"),
    "only looked at": ("console.log(chrome.tabs, Object.keys(chrome.tabs))", USE, "chrome.tabs.queryAsync"),
    "only called": ("chrome[k].query({})", USE, "chrome.tabs.queryAsync"),
    "kept by a framework": ("const t = $state(chrome.tabs)", USE, "chrome.tabs.queryAsync"),
    "added to another namespace": ("chrome.windows[k] = f", USE, "chrome.tabs.queryAsync"),
    "another one is added": (
        *("Object.assign(chrome.tabs, { more() {} })", "chrome.tabs.qury({})"),
        "chrome.tabs.qury",
    ),
    "a misspelling next to computed names": (
        *("for (const k in chrome.tabs) chrome.tabs[k + 'Async'] = f", "chrome.tabs.qury({})"),
        "chrome.tabs.qury",
    ),
    "a misspelling next to a promisifying library": (
        "promisifyAll(chrome)",
        "chrome.tabs.qury({})",
        "chrome.tabs.qury",
    ),
    "a misspelling with an ending": (
        *("for (const k in chrome.tabs) chrome.tabs[k + 'Async'] = f", "chrome.windows.gettAsync()"),
        "chrome.windows.gettAsync",
    ),
    "a method of the name of what another browser has": (
        "const view = { captureTab() {} }; view.captureTab()",
        "chrome.tabs.captureTab()",
        "chrome.tabs.captureTab",
    ),
    "a member of another browser's API": (
        "patch(chrome)",
        "chrome.runtime.getBrowserInfo()",
        "chrome.runtime.getBrowserInfo",
    ),
}


@pytest.mark.parametrize(("adds", "use"), ADDED.values(), ids=ADDED.keys())
def test_member_added_in_same_script_is_known(adds: str, use: str) -> None:
    assert unknown_members({"a.js": f"{adds}; {use}"}) == []


ADDED_SEPARATELY = {name: row for name, row in ADDED.items() if not row[1].startswith(("b.", "t."))}


@pytest.mark.parametrize(("adds", "use"), ADDED_SEPARATELY.values(), ids=ADDED_SEPARATELY.keys())
def test_member_added_in_another_script_is_known(adds: str, use: str) -> None:
    assert unknown_members({"a.js": adds, "b.js": use}) == []


@pytest.mark.parametrize(("adds", "use"), ADDED_SEPARATELY.values(), ids=ADDED_SEPARATELY.keys())
def test_member_added_in_module_is_known(adds: str, use: str) -> None:
    assert (
        unknown_members({"a.js": f"import './b.js'; {use}", "b.js": f"export {{}}; {adds}"}, "module") == []
    )


@pytest.mark.parametrize(("adds", "use", "place"), REPORTED.values(), ids=REPORTED.keys())
def test_member_that_is_never_added_is_reported(adds: str, use: str, place: str) -> None:
    assert [text for _, text in unknown_members({"a.js": f"{adds}; {use}"})] == [place]
    assert [text for _, text in unknown_members({"a.js": adds, "b.js": use})] == [place]


PAGE: Mapping[str, object] = {"options_ui": {"page": "p.html"}}
WITH_CONTENT = {**PAGE, "content_scripts": [{"matches": ["https://a.example/*"], "js": ["gone.js"]}]}
USED = "<script src=a.js></script>"
MISSING = {
    "in the same page": (PAGE, "<script src=gone.js></script>" + USED, 0),
    "in the same background": (
        {"manifest_version": 2, "background": {"scripts": ["gone.js", "a.js"]}},
        "",
        0,
    ),
    "where the script is not known to run": (WITH_CONTENT, "", 0),
    "in another context": (WITH_CONTENT, USED, 1),
    "nowhere": (PAGE, USED, 1),
}


@pytest.mark.parametrize(("keys", "page", "count"), MISSING.values(), ids=MISSING.keys())
def test_missing_script_may_add_members(keys: Mapping[str, object], page: str, count: int) -> None:
    files = {"manifest.json": manifest(**keys), "p.html": page}
    for use in ("chrome.tabs.entirelyNew()", "chrome.runtime.getBrowserInfo()"):
        assert len(reported({**files, "a.js": use}, ["unknown-api"], "chrome")) == count
    assert len(reported({**files, "a.js": "chrome.tabs.qury({})"}, ["unknown-api"], "chrome")) == 1


def unknown_members(scripts: dict[str, str], kind: str = "") -> list[tuple[str, str]]:
    tags = [f"<script type='{kind}' src={path}></script>" for path in list(scripts)[: 1 if kind else None]]
    keys = {"options_ui": {"page": "p.html"}, "permissions": ["storage", "tabs"]}
    return reported(
        {"manifest.json": manifest(**keys), "p.html": "".join(tags), **scripts}, ["unknown-api"], "chrome"
    )


def test_max_member_length_covers_all_schemas() -> None:
    sets = [schema_set(browser) for browser in BROWSERS]
    namespaces = [
        found for each in sets for name in each.names if (found := each.namespace(name)) is not None
    ]
    longest = max((name for namespace in namespaces for name in namespace.members), key=len)
    assert len(longest) <= MAX_MEMBER_LENGTH


@pytest.mark.parametrize(
    ("before", "is_reported"),
    [
        ("chrome.isFast = IN_CHROME;", False),
        ("", True),
        ("chrome.storage.fast = IN_CHROME;", True),
    ],
)
def test_property_that_a_script_adds_may_test_for_the_browser(before: str, is_reported: bool) -> None:
    script = f"{before} if (chrome.isFast) f(); else chrome.sidebarAction.toggle();"
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}
    found = [text for _, text in reported(files, ["unknown-api"], "chrome") if "sidebarAction" in text]
    assert bool(found) == is_reported
