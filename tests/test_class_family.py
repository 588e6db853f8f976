"""Uncalled methods of classes that extend one another."""

from __future__ import annotations

import pytest
from harness import lint, manifest

RULES = ("missing-permission",)
BASE = "class Base { send() { chrome.runtime.sendMessage(1); } USE } "
METHOD = "toTab(id) { chrome.storage.local.set({ id }); }"


def reported(script: str, other_script: str = "") -> bool:
    """Whether a call without the permission that it requires is reported."""
    scripts = [{"matches": ["https://example.com/*"], "js": ["a.js", "b.js"]}]
    files = {
        "manifest.json": manifest(content_scripts=scripts),
        "a.js": script.replace("USE", METHOD),
        "b.js": other_script,
    }
    return bool(lint(files, RULES, "chrome"))


def in_function(script: str) -> str:
    return f"(function () {{ {script} }})();"


UNCALLED = {
    "of a class that another extends": "class Sub extends Base {} new Sub().send();",
    "of one that two extend": "class A extends Base {} class B extends Base {} new A().send(); new B();",
    "of one that is extended twice": "class Sub extends Base {} class Leaf extends Sub {} new Leaf().send();",
    "hidden": "class Sub extends Base { constructor() { super(); this.toTab(); } toTab() {} } new Sub();",
    "hidden from outside": "class Sub extends Base { toTab() {} } new Sub().toTab();",
    "hidden further on": (
        "class Sub extends Base { toTab() {} } class Leaf extends Sub { f() { super.toTab(); } }"
        "new Leaf().f();"
    ),
    "hidden where an instance escapes": "class Sub extends Base { toTab() {} } f(new Sub());",
    "of a base that is asked for another": (
        "class Sub extends Base { send() { super.send(); } } new Sub().send();"
    ),
}


@pytest.mark.parametrize("rest", UNCALLED.values(), ids=UNCALLED.keys())
def test_uncalled_method_is_not_reported(rest: str) -> None:
    assert not reported(in_function(BASE + rest))
    assert not reported(BASE + rest)
    assert not reported(BASE + rest, "new Base().send()")
    assert reported(BASE + rest, "new Base().toTab()")
    assert reported(BASE + rest, "f(Base)")


CALLED = {
    "by an instance": "class Sub extends Base {} new Sub().toTab();",
    "by `this` of a class that extends it": "class Sub extends Base { f() { this.toTab(); } } new Sub().f();",
    "by `super`": "class Sub extends Base { toTab() { super.toTab(); } } new Sub().toTab();",
    "by `super` where it is hidden": (
        "class Sub extends Base { toTab() {} f() { super.toTab(); } } new Sub().f();"
    ),
    "by `super` further on": (
        "class Sub extends Base {} class Leaf extends Sub { toTab() { super.toTab(); } } new Leaf().toTab();"
    ),
    "where another class hides it": (
        "class A extends Base { toTab() {} } class B extends Base {} new A().toTab(); new B().toTab();"
    ),
    "where an instance escapes": "class Sub extends Base {} f(new Sub());",
    "where the class escapes": "class Sub extends Base {} f(Sub);",
    "where a class without a name extends it": "const made = new (class extends Base {})(); made.toTab();",
    "where a function extends it": "class Sub extends mixed(Base) {} new Sub().send();",
    "where a class makes its like": (
        "class Sub extends Base { static make() { return new this(); } } Sub.make().toTab();"
    ),
    "by the prototype": "class Sub extends Base {} Sub.prototype.toTab();",
    "by a computed name": "class Sub extends Base {} new Sub()[name]();",
    "where a static member hides nothing": (
        "class Sub extends Base { static toTab() {} f() { this.toTab(); } } new Sub().f();"
    ),
}


@pytest.mark.parametrize("rest", CALLED.values(), ids=CALLED.keys())
def test_possibly_called_method_is_reported(rest: str) -> None:
    assert reported(in_function(BASE + rest))


CALLED_BY_BASE = "class Base { run() { CALL } } class Sub extends Base { USE } new Sub().run();"


@pytest.mark.parametrize(("call", "expected"), [("this.toTab();", True), ("", False), ("f(this);", True)])
def test_method_called_by_base_class(call: str, expected: bool) -> None:
    assert reported(in_function(CALLED_BY_BASE.replace("CALL", call))) is expected


def test_unknown_base_class_may_call_any_method() -> None:
    assert reported(in_function("class Sub extends HTMLElement { USE } new Sub().click();"))
    assert reported(in_function("class Sub extends other.Base { USE } new Sub().click();"))
