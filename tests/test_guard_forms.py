"""Common forms of feature tests, and code that only resembles a feature test."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import FailureHandling
from extlint.analysis.guards import forms
from extlint.analysis.guards.forms.table import FORMS, Form

MEMBER = ("management", "getAll")


def is_guarded(source: str, path: str = "a.js") -> bool:
    """Whether the last use of `management.getAll` in a script is guarded; `USE` stands for such a use."""
    text = source.replace("USE", "browser.management.getAll()")
    reference = [each for each in analyze(text.encode(), path).references if each.path == MEMBER][-1]
    tested = reference.guards.tested & {MEMBER, MEMBER[:1]}
    return bool(tested) or reference.guards.failure is not FailureHandling.NONE or reference.only_tested


TESTS = {
    "yoda undefined": "if (undefined !== browser.management) USE",
    "yoda void 0": "if (void 0 !== browser.management) USE",
    "minified and": "browser.management&&browser.management.getAll&&USE",
    "minified cond": "void 0!==browser.management?USE:0",
    "typeof yoda": 'if ("undefined" != typeof browser.management) USE',
    "typeof not function": 'if (typeof browser.management.getAll !== "function") return; USE',
    "typeof < u": 'if ("u" > typeof browser.management) USE',
    "typeof root and member": 'if (typeof browser !== "undefined" && browser.management) USE',
    "chain of ands": "if (window.browser && window.browser.management) USE",
    "a library's predicate": "if (_.isFunction(browser.management.getAll)) USE",
    "a predicate of another script": "if (isObject(browser.management)) USE",
    "a predicate of another script, negated": "if (isNil(browser.management)) return; USE",
    "two negations": "if (isNotNull(browser.management)) USE",
    "a predicate with several uses": (
        "const isThere = (a) => a !== undefined; if (isThere(browser.tabs)) f();"
        " if (isThere(browser.management)) USE"
    ),
    "a negative predicate with several uses": (
        "function missing(a) { return a == null; } if (missing(browser.tabs)) f();"
        " if (missing(browser.management)) return; USE"
    ),
    "chrome test covers browser": "if (chrome.management) USE",
    "optional chain test": "if (browser?.management) USE",
    "optional deep test 2": "if (globalThis.browser?.management?.getAll) USE",
    "optional call": "browser.management?.getAll?.()",
    "argument of an optional call": "browser.management?.getSelf(() => USE)",
    "listener with a name": "function f() { USE } browser.management?.onEnabled.addListener(f)",
    "handler of an optional promise": "browser.management?.getSelf().then(() => USE)",
    "argument after an optional member": "f?.(1); (browser.management?.onEnabled).addListener(() => USE)",
    "optional then": "browser.management?.getAll().then(f)",
    "empty object in place of the namespace": "if ((browser.management || {}).getAll) USE",
    "empty objects in place of all": "if (((window.chrome||{}).management||{}).getAll) USE",
    "empty object in a variable": "const m = browser.management || {}; if (m.getAll) USE",
    "part of an empty object": "const { getAll } = browser.management || {}; if (getAll) USE",
    "in with an empty object": "if ('getAll' in (browser.management || {})) USE",
    "in": "if ('management' in browser) USE",
    "in and": "if ('management' in browser && 'getAll' in browser.management) USE",
    "not in": "if (!('management' in browser)) return; USE",
    "hasOwnProperty.call": "if (Object.prototype.hasOwnProperty.call(browser, 'management')) USE",
    "{}.hasOwnProperty.call": "if ({}.hasOwnProperty.call(browser, 'management')) USE",
    "Reflect.has": "if (Reflect.has(browser, 'management')) USE",
    "Object.keys includes": "if (Object.keys(browser).includes('management')) USE",
    "bracket": "if (browser['management']) USE",
    "!!! return": "if (!!!browser.management) return; USE",
    "Boolean": "if (Boolean(browser.management)) USE",
    "Boolean ===": "if (Boolean(browser.management) === true) USE",
    "not false": "if (!!browser.management !== false) USE",
    "De Morgan": "if (!(!browser.management || !x)) USE",
    "De Morgan 2": "if (!(browser.management && x)) return; USE",
    "early return": "function f() { if (!browser.management) return; USE }",
    "early return value": "function f() { if (!browser.management) { return null } return USE }",
    "early return promise": (
        "function f() { if (!browser.management) { return Promise.reject(new Error()) } return USE }"
    ),
    "early throw": "if (!browser.management) { throw new Error('x') } USE",
    "early continue": "for (const a of b) { if (!browser.management) continue; USE }",
    "return in else": "if (browser.management) { x() } else { return } USE",
    "else if": "if (a) {} else if (browser.management) USE",
    "else": "if (!browser.management) {} else { USE }",
    "if-else-if exit": "if (a) { return } else if (!browser.management) { return } USE",
    "exit in nested ifs": "if (!browser.management) { if (a) { return 1 } else { return 2 } } USE",
    "exit in switch case": "switch (a) { case 1: if (!browser.management) break; USE }",
    "exit labeled": "x: { if (!browser.management) break x; USE }",
    "nested fn": "if (browser.management) { el.onclick = function () { USE } }",
    "nested fn after exit": "if (!browser.management) return; el.addEventListener('x', () => USE)",
    "const": "const ok = browser.management !== undefined; if (ok) USE",
    "const and": "const ok = browser.management && browser.management.getAll; if (ok) USE",
    "const alias value": "const m = browser.management; m && m.getAll()",
    "destructured": "const { management } = browser; if (management) management.getAll()",
    "var single": "var ok = 'management' in browser; if (ok) USE",
    "let assigned once later": "let ok; ok = !!browser.management; if (ok) USE",
    "let try": "let ok = false; try { ok = !!browser.management } catch {} if (ok) USE",
    "const chained": "const a = !!browser.management; const b = a && c; if (b) USE",
    "const ternary": "const a = browser.management ? true : false; if (a) USE",
    "object flags": "const caps = { management: !!browser.management }; if (caps.management) USE",
    "object flags fn": "const caps = { has() { return !!browser.management } }; if (caps.has()) USE",
    "object flags getter": "const caps = { get has() { return !!browser.management } }; if (caps.has) USE",
    "class field": "class A { ok = !!browser.management; m() { if (this.ok) USE } }",
    "class ctor": (
        "class A { constructor() { this.ok = !!browser.management } m() { if (!this.ok) return; USE } }"
    ),
    "class static": "class A { static ok = !!browser.management; static m() { if (A.ok) USE } }",
    "class getter": "class A { get ok() { return !!browser.management } m() { if (this.ok) USE } }",
    "class method": "class A { ok() { return 'management' in browser } m() { if (this.ok()) USE } }",
    "class #private": "class A { #ok = !!browser.management; m() { if (this.#ok) USE } }",
    "this.api": (
        "class A { constructor() { this.m = browser.management } f() { if (this.m) this.m.getAll() } }"
    ),
    "helper": "function ok() { return !!browser.management } if (ok()) USE",
    "helper multi": "function ok() { if (!browser.management) return false; return true } if (ok()) USE",
    "helper param": "function supports(n) { return n in browser } if (supports('management')) USE",
    "helper param 2 uses": (
        "function supports(n) { return !!browser[n] } if (supports('tabs')) x(); if "
        "(supports('management')) USE"
    ),
    "async helper": "async function ok() { return !!browser.management } async () => { if (await ok()) USE }",
    "guard in caller": "function useIt() { USE } if (browser.management) useIt()",
    "guard in caller and": "const useIt = () => USE; browser.management && useIt()",
    "handler added behind a guard": "function useIt() { USE } if (browser.management) el.onclick = useIt",
    "try": "try { USE } catch (e) {}",
    "try no binding": "try { USE } catch {}",
    "try await": "async () => { try { await USE } catch (e) { log(e) } }",
    "switch true": "switch (true) { case !!browser.management: USE }",
    "switch typeof": "switch (typeof browser.management) { case 'object': USE }",
    "while": "while (browser.management) { USE }",
    "for cond": "for (; browser.management;) { USE }",
    "comma": "if (x(), browser.management) USE",
    "assignment in cond alias": "let m; if ((m = browser.management)) m.getAll()",
    "&&=": "let a = browser.management; a &&= USE",
    "?? alt": "const f = browser.management?.getAll ?? g; f()",
    "|| alt": "const f = browser.management.getAll || g",
    "ternary alt": "const f = browser.management ? browser.management.getAll : g",
    "or not": "!browser.management || USE",
    "== true": "if (('management' in browser) == true) USE",
    "instanceof": "if (browser.management instanceof Object) USE",
    "promise guard": "Promise.resolve(browser.management && USE)",
    "JSX and": "const a = <b>{browser.management && USE}</b>",
    "callback &&": "on(() => browser.management && USE)",
    "return &&": "function f() { return browser.management && USE }",
    "default param": "function f(m = browser.management) { m?.getAll() }",
    "undefined or null": "if (browser.management !== undefined && browser.management !== null) USE",
    "exit in block": "if (!browser.management) { { return } } USE",
    "do once": "do { if (!browser.management) break; USE } while (0)",
    "class method early": "class A { m() { if (!browser.management) return; this.x = () => USE } }",
    "a check that throws": (
        "function ensure() { if (!browser.management) throw new Error('x') } ensure(); USE"
    ),
    "a check that throws later": (
        "async function ensure() { if (!browser.management) throw new Error('x') } "
        "async () => { await ensure(); USE }"
    ),
    "a check that returns": (
        "function check() { if (!browser.management) throw new Error('x'); return true } check(); USE"
    ),
    "an assertion": "function assert(c) { if (!c) throw new Error('x') } assert(browser.management); USE",
    "an assertion of another script": "assert(browser.management, 'x'); USE",
    "a probe in a variable": (
        "let ok; try { browser.management.x; ok = true } catch { ok = false } if (ok) USE"
    ),
    "a probe in a function": (
        "function has() { try { browser.management.x; return true } catch { return false } } if (has()) USE"
    ),
    "a path": (
        "const has = (path) => path.split('.').reduce((part, key) => part?.[key], browser) !== undefined; "
        "if (has('management.getAll')) USE"
    ),
    "a path in a loop": (
        "function has(path) { let part = browser; for (const key of path.split('.')) { part = part[key]; "
        "if (!part) return false } return true } if (has('management.getAll')) USE"
    ),
    "several names": (
        "const has = (...names) => names.every((name) => name in browser); if (has('tabs', 'management')) USE"
    ),
    "each name of a list": "if (['tabs', 'management'].every((name) => name in browser)) USE",
    "each name of a constant list": (
        "const needed = ['management']; const ok = needed.every((name) => !!browser[name]); if (ok) USE"
    ),
    "no name of a list is missing": (
        "if (['tabs', 'management'].some((name) => !browser[name])) throw new Error('x'); USE"
    ),
    "each name by a function": (
        "const has = (name) => typeof browser[name] !== 'undefined'; if (['management'].every(has)) USE"
    ),
    "two names": "const has = (a, b) => !!browser[a]?.[b]; if (has('management', 'getAll')) USE",
}


@pytest.mark.parametrize("path", ["a.js", "a.tsx"])
@pytest.mark.parametrize("source", TESTS.values(), ids=TESTS.keys())
def test_feature_test_is_recognized(source: str, path: str) -> None:
    assert is_guarded(source, path), (
        "not read as a test; a form requires a row in FORMS whose `kinds` have its node"
    )


@pytest.mark.parametrize(
    ("condition", "is_test"),
    [
        ("Object.values(browser.tabs.TabStatus).includes('loading')", True),
        ("Object.values(browser.tabs.TabStatus).includes(status)", False),
        ("Object.values(statuses).includes('loading')", False),
        ("list(browser.tabs.TabStatus).includes('loading')", False),
    ],
)
def test_value_of_a_constant_is_tested(condition: str, is_test: bool) -> None:
    found = analyze(f"if ({condition}) browser.management.getAll()".encode(), "a.js").references
    (use,) = (each for each in found if each.path == MEMBER)
    assert (("tabs", "TabStatus", "LOADING") in use.guards.tested) is is_test


NO_TESTS = {
    "a function of another script with another name": "if (register(browser.management)) USE",
    "the other outcome of a predicate": "if (isObject(browser.management)) return; USE",
    "the other outcome of a negative predicate": "if (isNil(browser.management)) USE",
    "a predicate of another member": "if (isObject(browser.tabs)) USE",
    "a predicate that ignores its argument": (
        "function isThere(a) { return b > 1; } if (isThere(browser.tabs) && isThere(browser.management)) USE"
    ),
    "typeof root only": 'if (typeof browser !== "undefined") USE',
    "or unrelated": "if (browser.management || x) USE",
    "nand": "if (!(browser.management && x)) USE",
    "not and": "if (!browser.management && x) return; USE",
    "break after loop": "for (const a of b) { if (!browser.management) break; } USE",
    "return both?": "if (browser.management) { return } USE",
    "helper param other": (
        "function supports(n) { return n in browser } supports('management'); if (supports('tabs')) USE"
    ),
    "guard in callers, one not": "function useIt() { USE } if (browser.management) useIt(); useIt()",
    "isFirefox": "if (isFirefox) USE",
    "userAgent": "if (navigator.userAgent.includes('Firefox')) USE",
    "process.env": "if (process.env.BROWSER === 'firefox') USE",
    "import.meta.env": "if (import.meta.env.FIREFOX) USE",
    "try finally": "try { USE } finally {}",
    "try test then use": "try { browser.management } catch {} USE",
    ".catch": "USE.catch(() => {})",
    "try later": "try { setTimeout(() => USE) } catch {}",
    "console.assert": "console.assert(browser.management); USE",
    "expression only": "browser.management; USE",
    "do while": "do { USE } while (browser.management)",
    "comma first": "if (browser.management, x()) USE",
    "??= use": "x ??= browser.management.getAll",
    "ternary wrong side": "browser.management ? 0 : USE",
    "after block": "if (browser.management) { x() } USE",
    "other api": "if (browser.tabs) USE",
    "other member": "if (browser.management.getSelf) { USE }",
    "and lhs": "USE && browser.management",
    "?? rhs": "browser.management ?? USE",
    "guard by getManifest": "if (browser.runtime.getManifest().permissions.includes('management')) USE",
    "permissions.contains": (
        "browser.permissions.contains({permissions: ['management']}).then(ok => ok && USE)"
    ),
    "guard after": "USE; if (!browser.management) return",
    "object with members in place of the namespace": "if ((browser.management || { getAll }).getAll) USE",
    "empty object without a member": "if (browser.management || {}) USE",
    "missing with an empty object": "if (!(browser.management || {}).getAll) USE",
    "exit by function": "if (!browser.management) { fail() } USE",
    "a check that may return": (
        "function ensure() { if (!browser.management) return; if (x) throw new Error('x') } ensure(); USE"
    ),
    "a check that nobody waits for": (
        "async function ensure() { if (!browser.management) throw new Error('x') } ensure(); USE"
    ),
    "a check of another member": (
        "function ensure() { if (!browser.tabs) throw new Error('x') } ensure(); USE"
    ),
    "an assertion of something else": "function assert(c) { if (!c) throw new Error('x') } assert(x); USE",
    "an optional probe": (
        "let ok; try { browser.management?.x; ok = true } catch { ok = false } if (ok) USE"
    ),
    "a probe of another member": (
        "let ok; try { browser.tabs.query({}); ok = true } catch { ok = false } if (ok) USE"
    ),
    "another path": (
        "const has = (path) => path.split('.').reduce((part, key) => part?.[key], browser) !== undefined; "
        "if (has('tabs.query')) USE"
    ),
    "the other outcome of a path": (
        "const has = (path) => path.split('.').reduce((part, key) => part?.[key], browser) !== undefined; "
        "if (!has('management.getAll')) USE"
    ),
    "a path in other data": (
        "const has = (path) => path.split('.').reduce((part, key) => part?.[key], settings) !== undefined; "
        "if (has('management.getAll')) USE"
    ),
    "argument of another optional call": "browser.tabs?.query(() => USE)",
    "optional call in an argument": "f(browser.management?.getSelf(), () => USE)",
    "two listeners": (
        "function f() { USE } browser.management?.onEnabled.addListener(f);"
        " browser.tabs.onCreated.addListener(f)"
    ),
    "after an optional call": "browser.management?.getSelf(); USE",
    "some name of a list": "if (['tabs', 'management'].some((name) => name in browser)) USE",
    "each name of another list": "if (['tabs'].every((name) => name in browser)) USE",
    "not each name of a list": "if (!['management'].every((name) => name in browser)) USE",
    "each name in other data": "if (['management'].every((name) => name in settings)) USE",
    "other two names": "const has = (a, b) => !!browser[a]?.[b]; if (has('tabs', 'getAll')) USE",
}


@pytest.mark.parametrize("source", NO_TESTS.values(), ids=NO_TESTS.keys())
def test_other_code_is_not_a_feature_test(source: str) -> None:
    assert not is_guarded(source), "read as a test of the member, and is none"


@pytest.mark.parametrize("form", FORMS, ids=[form.example for form in FORMS])
def test_example_of_form_is_recognized(form: Form) -> None:
    source = f"const isTested = !!browser.management; if ({form.example}) browser.tabs.query({{}})"
    guards = analyze(source.encode(), "a.js").references[-1].guards
    facts = (guards.tested, guards.manifest, guards.granted, guards.user_agent, guards.address)
    assert any(facts) or guards.outside_web, (
        "nothing is implied: do the `kinds` of the row have the node of its example?"
    )


def test_every_form_module_is_in_the_table() -> None:
    modules = [
        import_module(f"{forms.__name__}.{path.stem}") for path in Path(forms.__path__[0]).glob("[a-z]*.py")
    ]
    with_tests = {
        module.__name__
        for module in modules
        for name, function in vars(module).items()
        if name.startswith("implied") and getattr(function, "__module__", "") == module.__name__
    }
    listed = {form.implied.__module__ for form in FORMS}
    assert with_tests - {"extlint.analysis.guards.forms.table"} == listed, "a module is missing from FORMS"
