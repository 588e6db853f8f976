"""Imported names that the other module does not export."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest, text_under

RULES = ["missing-export"]

EXPORTS = "export const a = 1; export default function f() {} export { x as b }; let x;"

VALID = {
    "a name": ("import { a } from './has.js'", EXPORTS),
    "an alias": ("import { b as c } from './has.js'", EXPORTS),
    "the default": ("import any from './has.js'", EXPORTS),
    "the default by its name": ("import { default as any } from './has.js'", EXPORTS),
    "the default and a name": ("import any, { a } from './has.js'", EXPORTS),
    "everything": ("import * as all from './has.js'; all.none", EXPORTS),
    "the default and everything": ("import any, * as all from './has.js'", EXPORTS),
    "nothing": ("import './has.js'; import {} from './has.js'", ""),
    "exported again": ("export { a, b as c } from './has.js'", EXPORTS),
    "everything exported again": ("export * from './has.js'; export * as all from './has.js'", ""),
    "minified": ('import{a as b,b as c}from"./has.js";', "const d=1,e=2;export{d as a,e as b};"),
    "over several lines": ("import {\n  a, // one\n  b,\n} from './has.js'", EXPORTS),
    "a function": ("import { a, b } from './has.js'", "export function a() {} export async function* b() {}"),
    "a class": ("import { A } from './has.js'", "export class A {}"),
    "one of several": ("import { b } from './has.js'", "export let a = 1, b = 2"),
    "in a pattern": ("import { b, c, d } from './has.js'", "export const { a: b, ...c } = x, [d] = y"),
    "a namespace": ("import { all } from './has.js'", "export * as all from './other.js'"),
    "a string": ("import { 'a b' as a } from './has.js'", "let a; export { a as 'a b' }"),
    "from another module": ("import { a } from './has.js'", "export * from './other.js'"),
    "from a package": ("import { none } from './has.js'", "export * from 'other'"),
    "from a module that is missing": ("import { none } from './has.js'", "export * from './none.js'"),
    "a syntax error": ("import { none } from './has.js'", "export const = 1"),
    "an export in a comment": ("import { a } from './has.js'", "/* export { a } */ export const b = 1"),
    "by a call": ("const { none } = await import('./has.js')", EXPORTS),
    "in a comment": ("// import { none } from './has.js'", EXPORTS),
    "not a script": ("import none from './has.json' with { type: 'json' }", EXPORTS),
}

INVALID = {
    "a name": ("import { none } from './has.js'", EXPORTS, "none"),
    "one of several": ("import { a, none, b } from './has.js'", EXPORTS, "none"),
    "under an alias": ("import { none as a } from './has.js'", EXPORTS, "none"),
    "the name of a variable": ("import { x } from './has.js'", EXPORTS, "x"),
    "the default": ("import any from './has.js'", "export const any = 1", "any"),
    "exported again": ("export { none as a } from './has.js'", EXPORTS, "none"),
    "of an empty module": ("import { a } from './has.js'", "", "a"),
    "an unexported function": ("import { a } from './has.js'", "function a() {} export const b = 1", "a"),
    "a CommonJS export": ("import { a } from './has.js'", "module.exports = { a: 1 }", "a"),
    "no name of another module": ("import { none } from './has.js'", "export * from './other.js'", "none"),
    "the default of another module": ("import any from './has.js'", "export * from './other.js'", "any"),
    "modules that export each other": ("import { none } from './has.js'", "export * from './a.js'", "none"),
}


def files(script: str, other: str, **more: str) -> Files:
    return {
        "manifest.json": manifest(options_ui={"page": "p.html"}),
        "p.html": "<script type=module src=a.js></script>",
        "a.js": script,
        "has.js": other,
        "has.json": "{}",
        "other.js": "export const a = 1; export default a",
        **more,
    }


@pytest.mark.parametrize(("script", "other"), VALID.values(), ids=VALID.keys())
def test_existing_export_is_not_reported(script: str, other: str) -> None:
    assert lint(files(script, other), RULES) == []


@pytest.mark.parametrize(("script", "other", "name"), INVALID.values(), ids=INVALID.keys())
def test_missing_export_is_reported(script: str, other: str, name: str) -> None:
    package = files(script, other)
    assert [text_under(package, each) for each in lint(package, RULES)] == [name]


UNCERTAIN_LOADS: dict[str, Files] = {
    "in a classic script": {"p.html": "<script src=a.js></script>"},
    "in a script that nothing loads": {"p.html": ""},
    "in a page with an import map": {
        "p.html": "<script type=importmap>{}</script><script type=module src=a.js></script>"
    },
    "where a build has sources": {"b.ts": "export const none = 1"},
}


@pytest.mark.parametrize("more", UNCERTAIN_LOADS.values(), ids=UNCERTAIN_LOADS.keys())
def test_modules_not_loaded_directly_by_browsers_are_skipped(more: Files) -> None:
    assert lint({**files("import { none } from './has.js'", EXPORTS), **more}, RULES) == []


def test_message_wording() -> None:
    (found,) = lint(files("import { greting } from './has.js'", "export let greeting, b"), RULES)
    assert found.message == "`has.js` does not export `greting`; did you mean `greeting`?"
    assert found.help == "it exports `b` and `greeting`"
    (found,) = lint(files("import { a } from './has.js'", ""), RULES)
    assert found.help == "it exports nothing"


def test_name_is_reported_once_per_statement() -> None:
    package = files("import { none } from './has.js'; export { none } from './has.js'", EXPORTS)
    assert len(lint(package, RULES)) == 2


TEXTUALLY_VALID = {
    "several statements": ("import './other.js'; import f, { a, b as c } from './has.js'; f(a, c);", EXPORTS),
    "a name beyond ASCII": ("import { µb } from './has.js'", "const µb = 1; export { µb }"),
    "a function beyond ASCII": ("import { größe } from './has.js'", "export function größe() {}"),
    "a name with a keyword in it": ("import { importAll } from './has.js'", "export const importAll = 1"),
}


@pytest.mark.parametrize(("script", "other"), TEXTUALLY_VALID.values(), ids=TEXTUALLY_VALID)
def test_apparently_valid_modules_are_not_parsed(
    script: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("extlint.analysis.modules.module_names.module_names")
    assert lint(files(script, other), RULES) == []
