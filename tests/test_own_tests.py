"""Tests that a class or object has for its own code, and that are called where only a list names it."""

from __future__ import annotations

import pytest
from harness import lint, manifest

USE = "browser.sidebarAction.open()"
OTHER = "class B { static ok() { return true } ok() { return true } open() {} }; "
CLASS = "class A { static ok() { return !!browser.sidebarAction } open() { USE } } " + OTHER
METHOD = "class A { ok() { return 'sidebarAction' in browser } open() { USE } } " + OTHER
OLD = (
    "var A = (function () { function A() { USE } A.ok = function () { return !!browser.sidebarAction }; "
    "A.prototype.open = function () { USE }; return A })(); "
) + OTHER
OBJECTS = (
    "const all = [{ ok: () => !!browser.sidebarAction, open() { USE } }, { ok: () => true, open() {} }]; "
)
FLAGS = "const all = { a: { ok: !!browser.sidebarAction, open: () => USE }, b: { ok: true, open() {} } }; "
LOOP = "for (const C of [A, B]) if (C.ok()) { new C().open(); break }"

EXCUSED = {
    "a loop": CLASS + LOOP,
    "of an older class": OLD + LOOP,
    "an early exit": CLASS + "for (const C of [A, B]) { if (!C.ok()) continue; new C().open() }",
    "find": CLASS + "const C = [A, B].find((C) => C.ok()); new C().open()",
    "filter": CLASS + "[A, B].filter((C) => C.ok()).forEach((C) => new C().open())",
    "a test with a result": CLASS + "[A, B].some((C) => { const ok = C.ok(); if (ok) new C().open() })",
    "a constructor": CLASS.replace("open() {", "constructor() {", 1) + LOOP,
    "an accessor": CLASS.replace("ok()", "get ok()") + LOOP.replace("ok()", "ok"),
    "a field": CLASS.replace("ok() { return", "ok =").replace("sidebarAction }", "sidebarAction;", 1)
    + LOOP.replace("ok()", "ok"),
    "a test of the browser": CLASS.replace(
        "!!browser.sidebarAction", "navigator.userAgent.includes('Firefox')"
    )
    + LOOP,
    "instances": METHOD + "for (const each of [new A(), new B()]) if (each.ok()) each.open()",
    "a base class": METHOD.replace(
        "class A", "class Base { f() { if (this.ok()) this.open() } } class A extends Base"
    )
    + "for (const each of [new A(), new B()]) each.f()",
    "objects": OBJECTS + "all.find((each) => each.ok()).open()",
    "objects in an object": FLAGS + "for (const key of Object.keys(all)) if (all[key].ok) all[key].open()",
    "values of an object": FLAGS + "Object.values(all).filter((each) => each.ok).map((each) => each.open())",
}

REPORTED = {
    "no test is called": CLASS + "for (const C of [A, B]) new C().open()",
    "the result is ignored": CLASS + "for (const C of [A, B]) { C.ok(); new C().open() }",
    "a test of another member": CLASS.replace("!!browser.sidebarAction", "!!browser.tabs") + LOOP,
    "a class used by its name": CLASS + LOOP + " new A().open()",
    "a constructor used by its name": CLASS.replace("open() {", "constructor() {", 1)
    + "const all = [new A()]; "
    "all.forEach((each) => each.ok())",
    "an object used by its name": "const a = { ok: () => !!browser.sidebarAction, open() { USE } }; "
    "a.open(); [a].forEach((each) => each.ok() && f())",
    "code of the other class": "class A { static ok() { return !!browser.sidebarAction } open() {} } "
    "class B { static ok() { return true } open() { USE } } " + LOOP,
    "the only object with a test": "const make = () => { return OBJECT }; "
    "const a = make(); a.open(); if (x.ok()) f()".replace(
        "OBJECT", "{ ok: () => !!browser.sidebarAction, open() { USE } }"
    ),
    "a test of one known class": CLASS + "for (const C of [A, B]) { if (A.ok()) f(); new C().open() }",
    "a member of the API": OBJECTS.replace("ok:", "sidebarAction:")
    + "all.find((each) => each.id == browser.sidebarAction).open()",
}


def apis(script: str, **others: str) -> list[str | None]:
    background = {"service_worker": "a.js", "type": "module"}
    files = {"manifest.json": manifest(background=background), "a.js": script.replace("USE", USE)}
    files |= {f"{name}.js": text.replace("USE", USE) for name, text in others.items()}
    return [each.api for each in lint(files, ["unknown-api"], "chrome")]


@pytest.mark.parametrize("script", EXCUSED.values(), ids=EXCUSED.keys())
def test_own_test_excuses_the_code_of_a_class_or_object(script: str) -> None:
    assert apis(script) == []


@pytest.mark.parametrize("script", REPORTED.values(), ids=REPORTED.keys())
def test_code_that_runs_without_its_own_test_is_reported(script: str) -> None:
    assert "sidebarAction" in apis(script)


def test_own_test_may_be_called_by_another_script() -> None:
    exported = CLASS.replace("class", "export class")
    for layer, load in (
        (exported, "import { A, B } from './b.js'; "),
        (CLASS + "export const all = [A, B]", "import { all } from './b.js'; "),
    ):
        list_ = "[A, B]" if "{ A" in load else "all"
        assert apis(load + LOOP.replace("[A, B]", list_), b=layer) == []
        assert apis(load + f"for (const C of {list_}) new C().open()", b=layer) == ["sidebarAction"]
