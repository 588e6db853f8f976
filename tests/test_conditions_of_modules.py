"""Conditions computed by another module of the package."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from harness import Files, lint, manifest

USE = "browser.bookmarks.search('a')"
"""A use that requires a permission the manifest does not request."""

TEST = "!!browser.bookmarks"
FIREFOX = "/Firefox/.test(navigator.userAgent)"


def reported(
    own: str, other_files: Mapping[str, str], target: str = "firefox", version: int = 3
) -> list[str]:
    """Returns the findings in a module that imports others. `USE`, `TEST` and `FIREFOX` are expanded."""
    texts = {"a.js": own, **other_files}
    for word, text in (("USE", USE), ("TEST", TEST), ("FIREFOX", FIREFOX)):
        texts = {path: each.replace(word, text) for path, each in texts.items()}
    background = {"scripts": ["a.js"], "type": "module"}
    files: Files = {"manifest.json": manifest(background=background, manifest_version=version), **texts}
    found = lint(files, ["missing-permission", "wrong-manifest-version"], target)
    return [each.rule for each in found if each.path == "a.js"]


EXCUSED = {
    "a test of the API": ("import { has } from './b.js'; if (has) USE", {"b.js": "export const has = TEST"}),
    "a test by typeof": (
        "import { has } from './b.js'; if (!has) throw 1; USE",
        {"b.js": "export const has = typeof browser.bookmarks !== 'undefined'"},
    ),
    "a test by in": (
        "import { has } from './b.js'; has && USE",
        {"b.js": "const has = 'bookmarks' in browser; export { has }"},
    ),
    "a variable that is set after a test": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export let has = false; if (browser.bookmarks) has = true;"},
    ),
    "a property that is set after a test": (
        "import { env } from './b.js'; if (env.has) USE",
        {"b.js": "export const env = { has: false }; if (browser.bookmarks) env.has = true;"},
    ),
    "a negation": (
        "import { lacks } from './b.js'; if (lacks) {} else USE",
        {"b.js": "export let lacks = !browser.bookmarks"},
    ),
    "another name": (
        "import { has as can } from './b.js'; if (can) USE",
        {"b.js": "export const has = TEST"},
    ),
    "the default": (
        "import has from './b.js'; if (has) USE",
        {"b.js": "const has = TEST; export default has"},
    ),
    "the default, as it is": ("import has from './b.js'; if (has) USE", {"b.js": "export default TEST"}),
    "a namespace": ("import * as env from './b.js'; if (env.has) USE", {"b.js": "export const has = TEST"}),
    "passed on": (
        "import { can } from './b.js'; if (can) USE",
        {"b.js": "export { has as can } from './c.js'", "c.js": "export const has = TEST"},
    ),
    "all passed on": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export * from './c.js'", "c.js": "export const has = TEST"},
    ),
    "imported and exported": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "import { has } from './c.js'; export { has }", "c.js": "export const has = TEST"},
    ),
    "kept in this one": (
        "import { has } from './b.js'; const can = has && x; if (can) USE",
        {"b.js": "export const has = TEST"},
    ),
    "derived from an imported test": (
        "import { can } from './b.js'; if (can) USE",
        {
            "b.js": "import { has } from './c.js'; export const can = has && x",
            "c.js": "export const has = TEST",
        },
    ),
    "a ternary": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export const has = browser.bookmarks ? true : false"},
    ),
    "a function": ("import { has } from './b.js'; if (has()) USE", {"b.js": "export const has = () => TEST"}),
    "a function with more to it": (
        "import { has } from './b.js'; if (!has()) throw 1; USE",
        {"b.js": "export function has() { if (!browser.bookmarks) return false; log(); return true }"},
    ),
    "an async function": (
        "import { has } from './b.js'; if (await has()) USE",
        {"b.js": "export async function has() { return TEST }"},
    ),
    "a getter of a class": (
        "import { Env } from './b.js'; if (Env.can) USE",
        {
            "b.js": "import { has } from './c.js'; export class Env { static get can() { return has } }",
            "c.js": "export const has = TEST",
        },
    ),
    "a method with more to it": (
        "import { env } from './b.js'; if (!env.can()) throw 1; USE",
        {
            "b.js": "import * as c from './c.js'; class Env { can() { if (!c.has) return false; "
            + "log(); " * 50
            + "return true } } export const env = new Env()",
            "c.js": "export const has = TEST",
        },
    ),
    "a member of a namespace": (
        "import { can } from './b.js'; if (can()) USE",
        {
            "b.js": "import * as c from './c.js'; export const can = () => c.enabled && c . has",
            "c.js": "export const has = TEST, enabled = localStorage.enabled",
        },
    ),
    "a member destructured from a namespace": (
        "import { can } from './b.js'; if (can()) USE",
        {
            "b.js": "import * as c from './c.js'; const { has } = c; export const can = () => has",
            "c.js": "export const has = TEST",
        },
    ),
    "another name for a namespace": (
        "import { can } from './b.js'; if (can()) USE",
        {
            "b.js": "import * as c from './c.js'; const d = c; export const can = () => d.has",
            "c.js": "export const has = TEST",
        },
    ),
    "a namespace of a CommonJS module": (
        "import { can } from './b.js'; if (can()) USE",
        {
            "b.js": "import * as c from './c.js'; export const can = () => c.has",
            "c.js": "module.exports = { has: TEST }",
        },
    ),
    "a function of a name": (
        "import { supports } from './b.js'; if (supports('bookmarks')) USE",
        {"b.js": "export const supports = (name) => name in browser"},
    ),
    "a function of a second argument": (
        "import { supports } from './b.js'; if (supports(x, 'bookmarks')) USE",
        {"b.js": "export function supports(x, name) { return Boolean(browser[name]) }"},
    ),
    "the result of such a function": (
        "import { has } from './b.js'; if (has) USE",
        {
            "b.js": "import { supports } from './c.js'; export const has = supports('bookmarks')",
            "c.js": "export const supports = (name) => name in browser",
        },
    ),
    "a function that remembers": (
        "import { has } from './b.js'; if (has()) USE",
        {"b.js": "import { once } from 'x'; export const has = once(() => TEST)"},
    ),
    "an object": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "export const can = { mark: TEST }"},
    ),
    "the default object": (
        "import can from './b.js'; if (can.mark) USE",
        {"b.js": "export default { mark: TEST }"},
    ),
    "an object of objects": (
        "import can from './b.js'; if (can.all.mark) USE",
        {"b.js": "export default { all: { mark: TEST } }"},
    ),
    "a part that is taken out": (
        "import can from './b.js'; const { mark } = can; if (mark) USE",
        {"b.js": "export default { mark: TEST }"},
    ),
    "a frozen object": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "export const can = Object.freeze({ mark: Boolean(browser.bookmarks) })"},
    ),
    "a name in an object": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "const mark = TEST; export const can = { mark }"},
    ),
    "a getter": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "export const can = { get mark() { return TEST } }"},
    ),
    "a method": (
        "import { can } from './b.js'; if (can.mark()) USE",
        {"b.js": "export const can = { mark() { return TEST } }"},
    ),
    "a static field": (
        "import { Can } from './b.js'; if (Can.mark) USE",
        {"b.js": "export class Can { static mark = TEST }"},
    ),
    "a static method": (
        "import { Can } from './b.js'; if (Can.mark()) USE",
        {"b.js": "export class Can { static mark() { return TEST } }"},
    ),
    "an instance": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "class Can { mark = TEST } export const can = new Can()"},
    ),
    "require": ("const { has } = require('./b.js'); if (has) USE", {"b.js": "exports.has = TEST"}),
    "a whole module": (
        "const env = require('./b.js'); if (env.has) USE",
        {"b.js": "module.exports = { has: TEST }"},
    ),
    "a function that tests the browser": (
        "import { marks } from './b.js'; if (await marks()) USE",
        {"b.js": "export const marks = async () => (await browser.runtime.getBrowserInfo()).name === 'x'"},
    ),
    "a permission that is asked for": (
        "import { may } from './b.js'; if (await may()) USE",
        {"b.js": "export const may = () => browser.permissions.request({ permissions: ['bookmarks'] })"},
    ),
    "only a suggestive name": ("import { isFirefox } from './b.js'; if (isFirefox) USE", {}),
    "a build's target": (
        "import { marks } from './b.js'; if (marks()) USE",
        {
            "b.js": "export function marks() { const target = process.env.TARGET; "
            + "log(); " * 50
            + "return target === 'x' }"
        },
    ),
    "a constant of the build": (
        "import { marks } from './b.js'; if (marks) USE",
        {"b.js": "export const marks = process.env.TARGET === 'x'"},
    ),
}


@pytest.mark.parametrize("target", ["firefox", "chrome"])
@pytest.mark.parametrize(("own", "others"), EXCUSED.values(), ids=EXCUSED.keys())
def test_imported_test_guards_use(own: str, others: dict[str, str], target: str) -> None:
    assert reported(own, others, target) == []


USER_AGENT_TESTS = {
    "a user agent test": (
        "import { marks } from './b.js'; if (marks) USE",
        {"b.js": "export const marks = FIREFOX"},
    ),
    "an object that asks": (
        "import env from './b.js'; if (!env.marks) throw 1; USE",
        {"b.js": "export default { marks: FIREFOX }"},
    ),
}


@pytest.mark.parametrize(("own", "others"), USER_AGENT_TESTS.values(), ids=USER_AGENT_TESTS.keys())
def test_target_decides_imported_user_agent_test(own: str, others: dict[str, str]) -> None:
    assert reported(own, others, "chrome") == []
    assert reported(own, others, "firefox") == ["missing-permission"]


NOT_EXCUSED = {
    "another test": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export const has = !!browser.tabs"},
    ),
    "an unrelated condition": (
        "import { enabled } from './b.js'; if (enabled) USE",
        {"b.js": "export const enabled = localStorage.enabled"},
    ),
    "the else branch": (
        "import { has } from './b.js'; if (has) {} else USE",
        {"b.js": "export const has = TEST"},
    ),
    "another export": (
        "import { other } from './b.js'; if (other) USE",
        {"b.js": "export const has = TEST, other = x"},
    ),
    "another argument": (
        "import { supports } from './b.js'; if (supports('tabs')) USE",
        {"b.js": "export const supports = (name) => name in browser"},
    ),
    "an argument that is not known": (
        "import { supports } from './b.js'; if (supports(x)) USE",
        {"b.js": "export const supports = (name) => name in browser"},
    ),
    "a promise": (
        "import { has } from './b.js'; if (has.then) USE",
        {"b.js": "export const has = Promise.resolve(TEST)"},
    ),
    "another property": (
        "import { can } from './b.js'; if (can.other) USE",
        {"b.js": "export const can = { mark: TEST, other: x }"},
    ),
    "a property that is written again": (
        "import { can } from './b.js'; if (can.mark) USE",
        {"b.js": "export const can = { mark: TEST }; export function force() { can.mark = true }"},
    ),
    "a variable that is": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export let has = TEST; export function force(x) { has = x }"},
    ),
    "a way round": (
        "import { has } from './b.js'; if (has()) USE",
        {"b.js": "export function has(x) { if (x) return true; return TEST }"},
    ),
    "the function itself": (
        "import { has } from './b.js'; if (has) USE",
        {"b.js": "export const has = () => TEST"},
    ),
    "no condition": ("import { has } from './b.js'; has(); USE", {"b.js": "export const has = () => TEST"}),
}


@pytest.mark.parametrize(("own", "others"), NOT_EXCUSED.values(), ids=NOT_EXCUSED.keys())
def test_other_import_does_not_guard_use(own: str, others: dict[str, str]) -> None:
    assert reported(own, others) == ["missing-permission"]


OLD = "browser.tabs.executeScript({code: 'a'})"
VERSION = "browser.runtime.getManifest().manifest_version"
MANIFEST_TESTS = {
    "the version": ("import { v } from './b.js'; if (v === 2) OLD", f"export const v = {VERSION}", []),
    "the version that it is": (
        "import { v } from './b.js'; if (v === 3) OLD",
        f"export const v = {VERSION}",
        ["wrong-manifest-version"],
    ),
    "the manifest": (
        "import { m } from './b.js'; if (m.manifest_version < 3) OLD",
        "export const m = browser.runtime.getManifest()",
        [],
    ),
    "a test": ("import { isMV2 } from './b.js'; if (isMV2) OLD", f"export const isMV2 = {VERSION} === 2", []),
    "a test that holds": (
        "import { isMV3 } from './b.js'; if (isMV3) OLD",
        f"export const isMV3 = {VERSION} === 3",
        ["wrong-manifest-version"],
    ),
    "a function": (
        "import { isMV2 } from './b.js'; if (isMV2()) OLD",
        f"export function isMV2() {{ return {VERSION} === 2 }}",
        [],
    ),
    "an object": (
        "import env from './b.js'; if (env.mv2) OLD",
        f"export default {{ mv2: {VERSION} < 3 }}",
        [],
    ),
}


@pytest.mark.parametrize(("own", "other", "expected"), MANIFEST_TESTS.values(), ids=MANIFEST_TESTS.keys())
def test_imported_test_of_the_manifest_version(own: str, other: str, expected: list[str]) -> None:
    assert reported(own.replace("OLD", OLD), {"b.js": other}) == expected
