"""Conditions that a module computes by other members of an exported object, for its importers."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

TEST = "chrome.tabs.hide != null"
USE = "chrome.tabs.query({ hidden: true })"
"""A call that Chrome refuses, because only Firefox has the property."""


def reported(module: str, condition: str = "Env.can()", imported: str = "import Env from './env.js'") -> bool:
    """Whether a use behind a condition is reported, if it calls a member of an imported object."""
    files: Files = {
        "manifest.json": manifest(background={"service_worker": "a.js", "type": "module"}),
        "a.js": f"{imported}; if ({condition}) {USE}",
        "env.js": module.replace("TEST", TEST),
    }
    return bool(lint(files, ["invalid-argument"], "chrome"))


DELEGATING = {
    "an object filled one by one": (
        "const Env = {}; Env.has = () => TEST; Env.can = () => Env.has(); export default Env"
    ),
    "a literal with one more member": (
        "const Env = { has: () => TEST }; Env.can = () => Env.has(); export default Env"
    ),
    "a function with members": (
        "function Env() {} Env.has = () => TEST; Env.can = () => Env.has(); export default Env"
    ),
    "a class with members": (
        "class Env {} Env.has = () => TEST; Env.can = function () { return Env.has() }; export default Env"
    ),
    "an exported name": (
        "const Env = {}; Env.has = () => TEST; Env.can = () => Env.has(); export { Env as default }"
    ),
    "a literal that refers to itself": (
        "const Env = { has: () => TEST, can: () => Env.has() }; export default Env"
    ),
    "this in a literal": "export default { has: () => TEST, can() { return this.has() } }",
    "this in a static method": (
        "export default class { static has() { return TEST } static can() { return this.has() } }"
    ),
    "several steps": (
        "const Env = {}; Env.a = () => TEST; Env.has = () => Env.a(); Env.can = () => Env.has();"
        " export default Env"
    ),
}


@pytest.mark.parametrize("module", DELEGATING.values(), ids=DELEGATING.keys())
def test_member_that_returns_result_of_another_member_guards_use(module: str) -> None:
    assert not reported(module)


@pytest.mark.parametrize("module", DELEGATING.values(), ids=DELEGATING.keys())
def test_its_negation_does_not(module: str) -> None:
    assert reported(module, "!Env.can()")


@pytest.mark.parametrize("module", DELEGATING.values(), ids=DELEGATING.keys())
def test_member_of_other_name_does_not(module: str) -> None:
    assert reported(module, "Env.cannot()")


COMMON_JS = {
    "the entire module": (
        "const Env = {}; Env.has = () => TEST; Env.can = () => Env.has(); module.exports = Env"
    ),
    "another name for it": (
        "const Env = module.exports = {}; Env.has = () => TEST; Env.can = () => Env.has()"
    ),
}


@pytest.mark.parametrize("module", COMMON_JS.values(), ids=COMMON_JS.keys())
def test_member_of_commonjs_module_guards_use(module: str) -> None:
    imported = "const Env = require('./env.js')"
    assert not reported(module, imported=imported)
    assert reported(module, "!Env.can()", imported)


def test_member_of_exported_variable_guards_use() -> None:
    module = "export const Env = {}; Env.has = () => TEST; Env.can = () => Env.has()"
    assert not reported(module, imported="import { Env } from './env.js'")


UNRELATED = {
    "another test": (
        "const Env = {}; Env.has = () => TEST; Env.other = () => chrome.tabs.group != null;"
        " Env.can = () => Env.other(); export default Env"
    ),
    "no test": (
        "const Env = {}; Env.has = () => TEST; Env.other = () => localStorage.a; Env.can = () => Env.other();"
        " export default Env"
    ),
    "a member that is assigned twice": (
        "const Env = {}; Env.has = () => TEST; Env.can = () => Env.has(); Env.can = () => true;"
        " export default Env"
    ),
    "a member of the literal that is assigned again": (
        "const Env = { can: () => true }; Env.has = () => TEST; Env.can = () => Env.has(); export default Env"
    ),
    "a variable that gets another object": (
        "let Env = {}; Env.has = () => TEST; Env.can = () => Env.has(); Env = { can: () => true };"
        " export default Env"
    ),
    "a member of another object": (
        "const Env = {}, Other = {}; Other.has = () => TEST; Other.can = () => Other.has();"
        " export default Env"
    ),
}


@pytest.mark.parametrize("module", UNRELATED.values(), ids=UNRELATED.keys())
def test_other_member_does_not_guard_use(module: str) -> None:
    assert reported(module)
