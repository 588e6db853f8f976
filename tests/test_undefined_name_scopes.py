"""Names that are declared only in other scopes, and assignments to names that nothing declares."""

from __future__ import annotations

import json

import pytest
from harness import Files, reported
from test_undefined_name import LISTENER, RULES, extension

from extlint.analysis.scope.unbound_words import script_names

ELSEWHERE = {
    "a constant of another function": (
        "function one() { const btn = 1; return btn; } one();" + LISTENER.format("console.log(btn);")
    ),
    "a constant of an inner block": "if (navigator.onLine) { let btn = 1; } console.log(btn.id);",
    "a parameter": "((btn) => { btn.id; })({}); console.log([btn.id]);",
    "a variable of a loop": "{ for (const btn of []) { btn.id; } } console.log('a' + btn);",
    "an error that another block catches": "try { chrome.runtime.id; } catch (btn) { } console.log(btn.id);",
    "a key of an object": "const all = {btn: 1}; console.log(all, btn.id);",
    "a member of an object": "const all = {}; all.btn = 1; console.log(all, btn.id);",
    "a member of a class": "class A { constructor() { this.btn = 1; } } new A(); console.log(btn.id);",
    "prose in a comment": "/* the btn is gone */ console.log(btn.id);",
    "prose in a text": "console.log('no btn here', btn.id);",
    "a label": "btn: for (;;) break btn; console.log(btn.id);",
    "a shorthand key": "console.log({btn});",
    "a default value": "const {id = btn} = {}; console.log(id);",
}


@pytest.mark.parametrize("script", ELSEWHERE.values(), ids=ELSEWHERE)
def test_name_of_another_scope_is_undefined(script: str) -> None:
    assert reported(extension(script), RULES, "chrome") == [(RULES[0], "btn")]


DEFINED = {
    "a constant of a function around it": "function one() { const btn = 1; [1].map(() => btn.id); } one();",
    "a variable of an inner block": "if (navigator.onLine) { var btn = 1; } console.log(btn.id);",
    "a function of an inner block": "{ function btn() {} } console.log(btn.id);",
    "a key of an object that becomes global": "Object.assign(self, {btn: 1}); console.log(btn.id);",
    "a member of an alias": "const all = self; all.btn = 1; console.log(btn.id);",
    "a computed member": "const all = {btn: 1}; for (const k in all) self[k] = all[k]; console.log(btn.id);",
    "a directive": "/* global btn */ console.log(btn.id);",
    "the identifier of an element": "console.log('<p id=btn>', btn.id);",
    "the text of an identifier": "document.body.id = 'btn'; console.log(btn.id);",
    "a test": "if (typeof btn !== 'undefined') console.log(1); console.log(btn.id);",
    "a test in parentheses": "console.log(typeof (btn));",
    "a use in code that nothing runs": "function one() { console.log(btn.id); }",
}


@pytest.mark.parametrize("script", DEFINED.values(), ids=DEFINED)
def test_name_that_may_be_global_is_not_reported(script: str) -> None:
    assert reported(extension(script), RULES, "chrome") == []


ELEMENT = "const s = document.createElement('script'); s.textContent = all.map((f) => f.toString()).join();"


def test_function_whose_text_may_run_elsewhere_is_not_reported() -> None:
    script = "function start() { later(); } const all = [start];"
    assert reported(extension("", c_js=script + "all.map((f) => f());"), RULES, "chrome") != []
    assert reported(extension("", c_js=script + ELEMENT), RULES, "chrome") == []


IN_STRICT_CODE = {
    "an assignment": "later = 1;",
    "an assignment in parentheses": "(later) = 1;",
    "an array": "(() => { [later] = [1]; })(); later.id;",
    "an object": "(() => { ({later} = {}); })(); later.id;",
    "a part of an object": "(() => { ({a: later = 2} = {}); })(); later.id;",
    "the rest of an array": "(() => { [...later] = [1]; })(); later.id;",
    "a loop over keys": "for (later in navigator) navigator[later];",
    "a loop over items": "for (later of [1]) { }",
}
ANYWHERE = {
    "a sum": "later += 1;",
    "a default": "later ??= 1;",
    "an increment": "later++;",
    "a decrement": "--later;",
}
STRICT = {
    "a directive of the script": "'use strict'; {}",
    "a second directive": "'use other'; \"use strict\"; {}",
    "a directive of a function": "(function () {{ 'use strict'; {} }})();",
    "a class": "class A {{ static {{ {} }} }} new A();",
    "the method of a class": "class A {{ run() {{ {} }} }} new A().run();",
    "a function in a class": "class A {{ run() {{ [1].forEach(() => {{ {} }}); }} }} new A().run();",
}
SLOPPY = {
    "a script": "{}",
    "a directive that is not the first statement": "chrome.runtime.id; 'use strict'; {}",
    "a directive of another function": "(() => {{ 'use strict'; }})(); {}",
    "a text in a function": "(function () {{ const a = 'use strict'; {} }})();",
}


def as_script(code: str, outer: str) -> str:
    return outer.format(code) if "{{" in outer else outer.replace("{}", code)


@pytest.mark.parametrize("outer", STRICT.values(), ids=STRICT)
@pytest.mark.parametrize("code", [*IN_STRICT_CODE.values(), *ANYWHERE.values()])
def test_assignment_in_strict_code_fails(code: str, outer: str) -> None:
    assert reported(extension(as_script(code, outer)), RULES, "chrome") == [(RULES[0], "later")]


@pytest.mark.parametrize("outer", SLOPPY.values(), ids=SLOPPY)
def test_assignment_in_sloppy_code_fails_only_if_it_reads(outer: str) -> None:
    for code in IN_STRICT_CODE.values():
        assert reported(extension(as_script(code, outer)), RULES, "chrome") == [], code
    for code in ANYWHERE.values():
        assert reported(extension(as_script(code, outer)), RULES, "chrome") == [(RULES[0], "later")], code


@pytest.mark.parametrize(("kind", "code"), [("module", ""), ("module", "export {};"), ("classic", "")])
def test_module_is_strict(kind: str, code: str) -> None:
    files = dict(extension(code + "later = 1; console.log(later);"))
    config = json.loads(str(files["manifest.json"]))
    config["background"] |= {"type": kind}
    expected = [(RULES[0], "later")] if kind == "module" else []
    assert reported({**files, "manifest.json": json.dumps(config)}, RULES, "chrome") == expected


MODULES: dict[str, tuple[Files, bool]] = {
    "an export of another module that is not imported": (
        {"b.js": "export function info() {} export function later() {}"},
        True,
    ),
    "a module that is missing": ({"b.js": "export {info} from './gone.js';"}, True),
    "a module that is missing, and only runs": ({"b.js": "import './gone.js'; export let info;"}, False),
    "a module that makes it global": ({"b.js": "export const info = 1; self.later = 1;"}, False),
}


@pytest.mark.parametrize(("files", "is_reported"), MODULES.values(), ids=MODULES)
def test_name_of_another_module_is_undefined(files: Files, is_reported: bool) -> None:
    own = dict(extension("import {info} from './b.js'; info(); later();"))
    config = json.loads(str(own["manifest.json"]))
    config["background"] |= {"type": "module"}
    found = reported({**own, "manifest.json": json.dumps(config), **files}, RULES, "chrome")
    assert found == ([(RULES[0], "later")] if is_reported else [])


NAMES = {
    "a use": ("one(); two.a; three[0]; four + five", "one two three four five"),
    "a declaration": (
        "let one = two; function three() {} const {four, five} = one; three(four, five)",
        "two",
    ),
    "a declaration around a block": (
        "function one(two) { if (two) { let three = two; } return three; }",
        "three",
    ),
    "a pattern in parameters": ("const f = ({one, two}) => one + two; f()", ""),
    "an import": (
        "import one, {two as three} from ''; import * as four from ''; four(one, three, two.a)",
        "",
    ),
    "members, keys and methods": ("const a = {one: 1, two() {}}; a.three.four; class B { five() {} }", ""),
    "the parameter of an arrow": ("const a = async one => one.two; a.b", ""),
    "a caught error": ("try { } catch (one) { one.two; } one.three", "one"),
}


@pytest.mark.parametrize(("code", "expected"), NAMES.values(), ids=NAMES)
def test_words_that_may_be_names_without_a_declaration(code: str, expected: str) -> None:
    known = frozenset(b"as async catch class const from function if import let return try".split())
    found = script_names(code.encode(), known).unbound
    assert found == frozenset(each.encode() for each in expected.split())
