"""Ways in which code tests whether a browser has a member, so that its use is correct for another one."""

from __future__ import annotations

import re

import pytest
from harness import Files, lint, manifest

USE = "browser.sidebarAction.open()"
"""The code for `U`: a use of what Chrome does not have."""

AGENT = "navigator.userAgent.includes('Firefox')"
"""The code for `F`: a test for Firefox."""

LISTS = (
    "for (const n of ['sidebarAction', 'tabs']) { if (!(n in browser)) continue; browser[n].open() }",
    "for (const n of ['sidebarAction', 'tabs']) { const api = browser[n]; if (api) api.open() }",
    "['sidebarAction'].filter((n) => browser[n]).forEach((n) => browser[n].open())",
    "['sidebarAction', 'sidePanel'].map((n) => browser[n]).filter(Boolean).forEach((s) => s.open())",
    "const required = ['sidebarAction']; if (required.every((m) => browser[m])) U",
    "const required = ['sidebarAction', 'x']; if (required.some((m) => !(m in browser))) stop(); else U",
    "const ok = ['sidebarAction'].some((m) => m in browser); if (ok) U",
    "const missing = ['sidebarAction'].filter((n) => !browser[n]); if (missing.length === 0) U",
    "const missing = ['sidebarAction'].find((n) => !browser[n]); if (!missing) U",
    "const has = (...apis) => apis.every((n) => browser[n] !== undefined); if (has('sidebarAction')) U",
    "const has = (apis) => { for (const n of apis) if (!browser[n]) return false; return true };"
    " if (has(['sidebarAction'])) U",
    "const ways = [{ when: 'sidebarAction', run: () => U }];"
    " ways.filter((s) => s.when in browser).forEach((s) => s.run())",
    "const ways = [{ when: 'sidebarAction', run: () => U }];"
    " for (const s of ways) { if (s.when in browser) { s.run(); break } }",
    "const ways = [{ ok: !!browser.sidebarAction, run: () => U }];"
    " ways.filter((s) => s.ok).forEach(({ run }) => run())",
    "[1].filter(() => browser.sidebarAction).forEach(() => U)",
    "[browser.sidebarAction, chrome.sidePanel].find(Boolean)?.open({ windowId: 1 })",
    "for (const fn of [() => U, () => show()]) { try { fn(); break } catch {} }",
    "const fns = [() => U, show]; fns.forEach((f) => { try { f() } catch {} })",
    "var fns = [function () { U }]; for (var i = 0; i < fns.length; i++) try { fns[i]() } catch (e) {}",
    "var fns = [() => U]; for (var i = 0; i < fns.length; i++) { var f = fns[i]; try { f() } catch (e) {} }",
    "var ok = true; for (var i = 0; i < names.length; i++) { if (!(names[i] in browser)) continue; U }",
    "if (['sidebarAction'].some(function (name) { return name in browser })) U",
    "const ways = [{ when: 'sidebarAction', run: () => U }];"
    " ways.filter(function (s) { return s.when in browser }).forEach(function (s) { s.run() })",
    "function open() { U } [show, open].some((f) => { try { f(); return true } catch { return false } })",
)

TABLES = (
    "const open = { firefox: () => U, chrome: () => show() }; open[F ? 'firefox' : 'chrome']()",
    "const open = { firefox() { U }, chrome() {} }; open[import.meta.env.BROWSER]()",
    "function use() { U } const open = { firefox: () => use(), chrome: () => show() }; open[name]()",
    "class A { open() { U } } const all = { firefox: () => new A().open(), edge: show }; all[name]()",
    "const all = { gecko: { open() { U } }, chromium: { open() {} } }; all[name].open()",
    "const can = { sidebar: 'sidebarAction' in browser }; if (can.sidebar) U",
    "const can = {}; can.sidebar = Boolean(browser.sidebarAction); (() => { if (!can.sidebar) return; U })()",
    "const can = Object.freeze({ sidebar: typeof browser.sidebarAction !== 'undefined' }); can.sidebar && U",
    "const env = { get firefox() { return F } }; if (env.firefox) U",
    "const env = (() => ({ ff: F, cr: !F }))(); env.ff && U",
    "const B = { FF: 'firefox', CR: 'chrome' }; const current = F ? B.FF : B.CR; if (current === B.FF) U",
)

CLASSES = (
    "class E { constructor() { this.f = !!browser.sidebarAction } open() { if (this.f) U } } new E().open()",
    "class Env { static ff() { return F } } class S { open() { if (!Env.ff()) return; U } } new S().open()",
    "class E { get has() { return !!browser.sidebarAction } open() { return this.has && U } } new E().open()",
    "var E = function () { function E() {} _create_class(E, [{ key: 'open', value: function () { U } }]);"
    " return E }();"
    " F && new E().open()",
    "const impl = F ? new FF() : new CR(); class FF { open() { U } } class CR { open() {} } impl.open()",
)

FUNCTIONS = (
    "const name = (() => { if (F) return 'firefox'; return 'chrome' })(); if (name === 'firefox') U",
    "const { name } = find(); if (name === 'moz') U; function find() { return { name: F ? 'moz' : '' } }",
    "const has = (ns) => ns in browser; if (has('sidebarAction')) U",
    "const has = (path) => path.split('.').reduce((o, k) => o && o[k], browser); if (has('sidebarAction')) U",
    "const need = (api, fn) => browser[api] ? fn(browser[api]) : 0; need('sidebarAction', (s) => s.open())",
    "function ifFirefox(fn) { if (F) fn() } ifFirefox(() => U)",
    "function only(fn) { return (...a) => { if (F) return fn(...a) } } const open = only(() => U); open()",
    "const guard = (condition, fn) => condition && fn(); guard(browser.sidebarAction, () => U)",
    "const attempt = (fn) => { try { return fn() } catch { return undefined } }; attempt(() => U)",
    "async function attempt(fn, other) { try { await fn() } catch { await other() } } attempt(() => U, show)",
    "const open = browser.sidebarAction ? () => U : () => show(); open()",
    "let open = show; if (browser.sidebarAction) open = () => U; chrome.action.onClicked.addListener(open)",
    "let is; browser.runtime.getBrowserInfo?.().then((i) => { is = i.name === 'Firefox'; if (is) U })",
)

ALTERNATIVES = (
    "chrome.action.onClicked.addListener(() => { if (chrome.sidePanel) { show(); return } U })",
    "chrome.action.onClicked.addListener(() => { if (typeof chrome.sidePanel?.open !== 'function') U })",
    "chrome.action.onClicked.addListener(() => { if (typeof chrome.sidePanel !== 'object') U })",
    "const { sidebarAction: { open } = {} } = browser; open?.()",
    "const { sidebarAction = { open() {} } } = browser; sidebarAction.open()",
    "const sidebar = { ...(browser.sidebarAction || {}) }; sidebar.open?.()",
    "switch (true) { case 'sidebarAction' in browser: U; break; default: }",
)

MODULES = (
    "import { isFirefox } from './env.js'; if (isFirefox) U",
    "import { environment } from './env.js'; const { firefox: e } = environment(); if (e) U",
    "import * as env from './env.js'; if (env.isFirefox) U",
    "import env from './env.js'; if (env.firefox) U",
    "import { Platform } from './env.js'; if (new Platform().hasSidebar) U",
    "import { find } from './env.js'; switch (find()) { case 'firefox': U; break }",
    "import { again } from './again.js'; if (again) U",
    "const { isFirefox } = await import('./env.js'); if (isFirefox) U",
)

NO_GUARDS = (
    "for (const n of ['tabs']) { if (n in names) U }",
    "const ok = names.some((n) => n in self.api); if (ok) U",
    "const has = (ns) => ns in browser; if (has('tabs')) U",
    "const key = 'tabs'; if (browser[key]) U",
    "['tabs'].filter(Boolean).forEach(() => U)",
    "['tabs'].filter((n) => n.length).forEach(() => U)",
    "const open = { start: () => U, stop: () => show() }; open[name]()",
    "const open = { firefox: () => U, stop: () => show() }; open[name]()",
    "const open = { firefox: U, chrome: show() }; open[name]",
    "const fns = [() => U, show]; fns.forEach((f) => f())",
    "var fns = [() => U]; for (var i = 0; i < fns.length; i++) fns[i]()",
    "const keys = { a: 'tabs' }; if (browser[keys.a]) U",
    "const fns = [() => U, show]; fns.forEach((f) => { try { show() } catch {} f() })",
    "console.assert(browser.sidebarAction); U",
)


def unknown_members(source: str) -> list[str]:
    """Returns the messages of `unknown-api` about a background for Chrome."""
    source = re.sub(r"\bF\b", AGENT, re.sub(r"\bU\b", USE, source))
    files: Files = {
        "manifest.json": manifest(
            background={"service_worker": "b.js", "type": "module"}, action={}, permissions=["sidePanel"]
        ),
        "b.js": source,
        "again.js": "export { isFirefox as again } from './env.js'",
        "env.js": f"export const isFirefox = {AGENT}; export default {{ firefox: isFirefox }};"
        " export class Platform { get hasSidebar() { return !!browser.sidebarAction } }"
        " export const environment = () => ({ firefox: isFirefox });"
        " export function find() { if (isFirefox) return 'firefox'; return 'chrome' }",
    }
    return [each.message for each in lint(files, ["unknown-api"], "chrome")]


@pytest.mark.parametrize("source", [*LISTS, *TABLES, *CLASSES, *FUNCTIONS, *ALTERNATIVES, *MODULES])
def test_guarded_use(source: str) -> None:
    assert unknown_members(source) == []


@pytest.mark.parametrize("source", NO_GUARDS)
def test_use_without_guard(source: str) -> None:
    assert unknown_members(source) != []
