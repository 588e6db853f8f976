"""Guards known at references to API members."""

from __future__ import annotations

import pytest

from extlint.analysis.analyze import analyze
from extlint.analysis.facts.script_facts import FailureHandling, Reference


def reference_of(source: str, member: str = "management.getAll") -> Reference:
    """Returns the last reference of a member in a script, except for those that only test it."""
    references = [each for each in analyze(source.encode(), "a.js").references if not each.only_tested]
    return [each for each in references if ".".join(each.path) == member][-1]


USE = "browser.management.getAll()"
TESTED = {
    "if": (f"if (browser.management) {USE}", "management"),
    "if with the member": (f"if (browser.management.getAll) {{ {USE} }}", "management.getAll"),
    "if with more": (f"if (a && browser.management && b) {USE}", "management"),
    "if with an alternative test": (f"if (browser.management || b) {USE}", ""),
    "the other branch": (f"if (browser.management) {{}} else {USE}", ""),
    "the other branch of a negation": (f"if (!browser.management) {{}} else {USE}", "management"),
    "else if": (f"if (a) {{}} else if (browser.management) {USE}", "management"),
    "after the block": (f"if (browser.management) {{}}\n{USE}", ""),
    "early return": (f"function f() {{ if (!browser.management) return; {USE} }}", "management"),
    "early return in a block": (
        f"() => {{ if (!browser.management) {{ log(); return }} {USE} }}",
        "management",
    ),
    "early throw": (f"if (!browser.management) throw new Error();\n{USE}", "management"),
    "continue": (f"for (;;) {{ if (!browser.management) continue; {USE} }}", "management"),
    "before the early return": (f"() => {{ {USE}; if (!browser.management) return }}", ""),
    "an early return that may not be taken": (
        f"() => {{ if (!browser.management && a) return; {USE} }}",
        "",
    ),
    "and": (f"browser.management && {USE}", "management"),
    "first of a long chain": (f"browser.management && {'a && ' * 100}{USE}", "management"),
    "first of a long condition": (f"if (browser.management && {'a && ' * 100}b) {USE}", "management"),
    "first of a long alternative": (f"!browser.management || {'a || ' * 100}{USE}", "management"),
    "or of a negation": (f"!browser.management || {USE}", "management"),
    "a ternary": (f"browser.management ? {USE} : 0", "management"),
    "the other side of a ternary": (f"browser.management ? 0 : {USE}", ""),
    "optional chaining": ("browser.management?.getAll()", "management"),
    "an optional call": ("browser.management.getAll?.()", "management.getAll"),
    "typeof": (f'if (typeof browser.management !== "undefined") {USE}', "management"),
    "typeof of a function": (
        f'if (typeof browser.management.getAll === "function") {USE}',
        "management.getAll",
    ),
    "typeof undefined": (f'if (typeof browser.management === "undefined") {USE}', ""),
    "in": (f'if ("management" in browser) {USE}', "management"),
    "hasOwnProperty": (f'if (browser.hasOwnProperty("management")) {USE}', "management"),
    "Object.hasOwn": (f'if (Object.hasOwn(browser, "management")) {USE}', "management"),
    "Reflect.has": (f'if (Reflect.has(browser, "management")) {USE}', "management"),
    "negated Object.hasOwn": (f'if (!Object.hasOwn(browser, "management")) throw 1; {USE}', "management"),
    "not undefined": (f"if (browser.management !== undefined) {USE}", "management"),
    "not null": (f"if (browser.management != null) {USE}", "management"),
    "Boolean": (f"if (Boolean(browser.management)) {USE}", "management"),
    "twice not": (f"if (!!browser.management) {USE}", "management"),
    "a while loop": (f"while (browser.management) {USE}", "management"),
    "a constant with a name": (f"const has = !!browser.management; if (has) {USE}", "management"),
    "an alias": ("const m = browser.management; if (m) m.getAll()", "management"),
    "a function inside": (f"if (browser.management) {{ on(() => {USE}) }}", "management"),
    "a test of something else": (f"if (browser.tabs) {USE}", "tabs"),
    "switch of typeof": (f'switch (typeof browser.management) {{ case "object": {USE} }}', "management"),
    "switch of typeof undefined": (f'switch (typeof browser.management) {{ case "undefined": {USE} }}', ""),
    "switch of true": (f"switch (true) {{ case !!browser.management: {USE} }}", "management"),
    "an alternative that is always false": (f"if (browser.management || false) {USE}", "management"),
    "a function that tests": (
        f"function has() {{ return !!browser.management }} if (has()) {USE}",
        "management",
    ),
    "a function that gives up": (
        f"const has = () => {{ try {{ return !!browser.management }} catch {{ return 0 }} }}\nhas() && {USE}",
        "management",
    ),
    "an awaited test": (
        f"async () => {{ const has = () => !!browser.management; if (await has()) {USE} }}",
        "management",
    ),
    "a function that tests something else": (f"function has() {{ return !!x }} if (has()) {USE}", ""),
    "nothing": (USE, ""),
}


@pytest.mark.parametrize(("source", "expected"), TESTED.values(), ids=TESTED.keys())
def test_members_tested_before_use(source: str, expected: str) -> None:
    assert sorted(map(".".join, reference_of(source).guards.tested)) == expected.split()


MISSING = {
    "the other branch": (f"if (browser.test) {{}} else {USE}", "test"),
    "the right side of ??": (f"browser.test ?? {USE}", "test"),
    "the right side of ||": (f"browser.test || {USE}", "test"),
    "a negation": (f"if (!browser.test) {USE}", "test"),
    "typeof undefined": (f'if (typeof browser.test === "undefined") {USE}', "test"),
    "another type": (f'if (typeof browser.test?.go !== "function") {USE}', "test.go"),
    "no object": (f'if (typeof browser.test == "object") {{}} else {USE}', "test"),
    "another type of text": (f'if (typeof browser.test !== "string") {USE}', ""),
    "undefined": (f"if (browser.test === undefined) {USE}", "test"),
    "after an early return": (f"() => {{ if (browser.test) return; {USE} }}", "test"),
}


@pytest.mark.parametrize(("source", "expected"), MISSING.values(), ids=MISSING.keys())
def test_members_missing_at_use(source: str, expected: str) -> None:
    assert sorted(map(".".join, reference_of(source).guards.missing)) == expected.split()


CAUGHT = {
    "try": (f"try {{ {USE} }} catch {{}}", True),
    "an awaited use": (f"async () => {{ try {{ await {USE} }} catch (e) {{}} }}", True),
    "a function that runs in place": (f"try {{ (() => {USE})() }} catch {{}}", True),
    "the executor of an awaited promise": (
        f"async () => {{ try {{ await new Promise((done) => {USE}); }} catch {{}} }}",
        True,
    ),
    "the executor of a promise that is returned": (
        f"function f() {{ return new Promise((done) => {USE}); }}"
        " async () => { try { await f(); } catch {} }",
        True,
    ),
    "the executor of a promise that an arrow function returns": (
        f"const f = () => new Promise((done) => {USE}); async () => {{ try {{ await f(); }} catch {{}} }}",
        True,
    ),
    "the executor of a promise that no handler waits for": (
        f"const f = () => new Promise((done) => {USE}); async () => {{ await f(); }}",
        False,
    ),
    "the executor of a promise that nothing waits for": (
        f"async () => {{ try {{ a = new Promise((done) => {USE}); }} catch {{}} }}",
        False,
    ),
    "a function that runs later": (f"try {{ later(() => {USE}) }} catch {{}}", False),
    "the catch block": (f"try {{}} catch {{ {USE} }}", False),
    "without a catch": (f"try {{ {USE} }} finally {{}}", False),
}


@pytest.mark.parametrize(("source", "caught"), CAUGHT.values(), ids=CAUGHT.keys())
def test_failure_of_use_is_caught(source: str, caught: bool) -> None:
    assert (reference_of(source).guards.failure is not FailureHandling.NONE) is caught


ONLY_TESTED = [
    "if (browser.management.getAll) {}",
    "!browser.management.getAll",
    'typeof browser.management.getAll === "function"',
    "browser.management.getAll && a()",
    "browser.management.getAll ? 1 : 2",
    "browser.management.getAll === undefined",
    "null != browser.management.getAll",
    "Boolean(browser.management.getAll)",
    "if ((browser.management.getAll || a) && b) {}",
    "while (browser.management.getAll) {}",
]


@pytest.mark.parametrize("source", ONLY_TESTED)
def test_reference_is_only_tested(source: str) -> None:
    (found,) = (each for each in analyze(source.encode(), "a.js").references if len(each.path) == 2)
    assert found.only_tested


STORED = {
    "a condition": ("const f = browser.management.getAll; if (f) f()", True),
    "a part of a pattern": ("const { getAll } = browser.management; if (getAll) getAll()", True),
    "a renamed part": ("const { getAll: all } = browser.management; all?.()", True),
    "an optional call": ("const f = browser.management.getAll; f?.()", True),
    "an early return": ("() => { const f = browser.management.getAll; if (!f) return; f() }", True),
    "a caught call": ("const f = browser.management.getAll; try { f() } catch {}", True),
    "a use without a test": ("const f = browser.management.getAll; if (f) f(); f()", False),
    "a test of something else": ("const f = browser.management.getAll; if (x) f()", False),
    "no use at all": ("const f = browser.management.getAll", False),
    "an alias of the namespace": ("const m = browser.management; const f = m.getAll; if (f) f(1)", True),
    "a variable that is declared before": ("let f; f = browser.management.getAll; if (f) f()", True),
    "a variable that is filled on a condition": (
        "let f = null; if (x) f = browser.management.getAll; if (f) f()",
        True,
    ),
    "an item of a list": ("const [, f] = [x, browser.management.getAll]; if (f) f()", True),
    "an item at another place": ("const [f] = [x, browser.management.getAll]; if (f) f()", False),
    "one of two": ("const f = x ? browser.management.getAll : g; if (f) f()", True),
    "one of two members": (
        "const f = x ? browser.management.getAll : browser.management.getSelf; if (f) f()",
        True,
    ),
    "the end of a chain": ("var f = browser.management && browser.management.getAll; f && f()", True),
    "an instance of Function": ("const f = browser.management.getAll; if (f instanceof Function) f()", True),
    "a property": ("const o = {f: browser.management.getAll}; if (o.f) o.f()", True),
    "a property in a pattern": ("const o = {f: browser.management.getAll}; const {f} = o; if (f) f()", True),
    "a property without a test": ("const o = {f: browser.management.getAll}; if (o.g) o.f()", False),
    "a field of a class": (
        "class A { constructor() { this.f = browser.management.getAll } go() { this.f && this.f() } }",
        True,
    ),
    "a parameter": ("function g(x, f) { if (f) f() } g(1, browser.management.getAll)", True),
    "a parameter without a test": ("function g(f) { f() } g(browser.management.getAll)", False),
    "a variable that is another": (
        "const f = browser.management.getAll; { const f = g; if (f) f() } f()",
        False,
    ),
    "a use in what is tested": ("let f; if (f = browser.management.getAll) f()", True),
    "a use before it is kept": ("let f; (f = browser.management.getAll)()", False),
    "bound before it is tested": (
        "const f = browser.management.getAll.bind(browser.management); if (f) f()",
        False,
    ),
    "an exported variable": ("export const f = browser.management.getAll; if (f) f()", False),
    "part of an exported pattern": (
        "export const { getAll: f } = browser.management; if (f) f()",
        False,
    ),
    "a variable in an exported function": (
        "export function g() { const f = browser.management.getAll; if (!f) return; f() }",
        True,
    ),
    "a parameter of an exported function": (
        "export function g(api = browser) { const f = api.management.getAll; if (f) f() }",
        True,
    ),
    "a variable in an exported function, used without a test": (
        "export default () => { const f = browser.management.getAll; if (f) f(); f() }",
        False,
    ),
}


@pytest.mark.parametrize(("source", "expected"), STORED.values(), ids=STORED.keys())
def test_stored_member_is_only_tested(source: str, expected: bool) -> None:
    found = next(each for each in analyze(source.encode(), "a.js").references if len(each.path) == 2)
    assert found.only_tested is expected


USED = ["browser.management.getAll", "a = browser.management.getAll", "f(browser.management.getAll)"]


@pytest.mark.parametrize("source", USED)
def test_reference_is_not_only_tested(source: str) -> None:
    assert not reference_of(source).only_tested


FALLBACKS = {
    "??": "f(browser.management.getAll ?? g)",
    "||": "f(browser.management.getAll || g)",
    "a default in a pattern": "const { getAll = f } = browser.management",
    "a default for a renamed part": "const { getAll: a = f } = browser.management",
    "a replacement": "browser.management.getAll = fake; browser.management.getAll()",
}


@pytest.mark.parametrize("source", FALLBACKS.values(), ids=FALLBACKS.keys())
def test_member_with_fallback_counts_as_tested(source: str) -> None:
    assert ("management", "getAll") in reference_of(source).guards.tested


ON_LOAD = {
    "at the top": (USE, True),
    "in a block": (f"{{ {USE} }}", True),
    "in a function that runs in place": (f"(() => {{ {USE} }})()", True),
    "as a condition": (f"if (await {USE}) {{}}", True),
    "in a function": (f"function f() {{ {USE} }}", False),
    "in a listener": (f"on(() => {USE})", False),
    "in a branch": (f"if (a) {USE}", False),
    "after &&": (f"a && {USE}", False),
    "in a loop": (f"for (const a of b) {USE}", False),
    "in try": (f"try {{ {USE} }} catch {{}}", False),
    "in a method": (f"class A {{ m() {{ {USE} }} }}", False),
    "in a field": (f"class A {{ f = {USE} }}", False),
    "after a statement that may leave": (f"if (a) throw b;\n{USE}", False),
}


@pytest.mark.parametrize(("source", "on_load"), ON_LOAD.values(), ids=ON_LOAD.keys())
def test_reference_runs_on_load(source: str, on_load: bool) -> None:
    assert reference_of(source).on_load is on_load
