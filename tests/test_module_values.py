"""Values other than the API that pass through modules: functions, classes, constants and results."""

from __future__ import annotations

import pytest
from harness import EXCEPT_IMPORTS, lint, manifest, text_under

MANIFEST = manifest(
    background={"service_worker": "a.js", "type": "module"}, optional_permissions=["management"]
)
PROVIDES_API = {
    "a function that gives the API": (
        "export function getBrowser() { return globalThis.browser ?? chrome; }",
        'import { getBrowser } from "./b"; getBrowser().management.getAll();',
        "getBrowser().management.getAll",
    ),
    "an arrow function": (
        "export const api = () => chrome;",
        'import { api } from "./b"; api().management.getAll();',
        "api().management.getAll",
    ),
    "a function that is given to a variable": (
        "export const api = () => chrome;",
        'import { api } from "./b"; const found = api(); found.management.getAll();',
        "found.management.getAll",
    ),
    "a default function": (
        "export default function find() { return chrome.management; }",
        'import find from "./b"; find().getAll();',
        "find().getAll",
    ),
    "an asynchronous function": (
        "export async function find() { return chrome; }",
        'import { find } from "./b"; const api = await find(); api.management.getAll();',
        "api.management.getAll",
    ),
    "a function with parameters that it does not give back": (
        "export const find = (name) => { log(name); return chrome; };",
        'import { find } from "./b"; find(1).management.getAll();',
        "find(1).management.getAll",
    ),
    "a function that gives an object with the API": (
        "export function tools() { return { api: chrome }; }",
        'import { tools } from "./b"; const { api } = tools(); api.management.getAll();',
        "api.management.getAll",
    ),
    "a method of an object": (
        "export default { root() { return chrome; } };",
        'import tools from "./b"; tools.root().management.getAll();',
        "tools.root().management.getAll",
    ),
    "a field of a class": (
        "export class Api { management = chrome.management; }",
        'import { Api } from "./b"; new Api().management.getAll();',
        "new Api().management.getAll",
    ),
    "a static field of a class": (
        "export class Api { static root = chrome; }",
        'import { Api } from "./b"; Api.root.management.getAll();',
        "Api.root.management.getAll",
    ),
    "a field that the constructor sets": (
        "export default class Api { constructor() { this.root = chrome; } }",
        'import Api from "./b"; const api = new Api(); api.root.management.getAll();',
        "api.root.management.getAll",
    ),
    "a getter of a class": (
        "export class Api { get root() { return chrome; } }",
        'import { Api } from "./b"; new Api().root.management.getAll();',
        "new Api().root.management.getAll",
    ),
    "a method of a class": (
        "export class Api { root() { return chrome; } }",
        'import { Api } from "./b"; new Api().root().management.getAll();',
        "new Api().root().management.getAll",
    ),
    "a property that a parameter declares": (
        "export class Api { constructor(private root = chrome) {} }",
        'import { Api } from "./b"; new Api().root.management.getAll();',
        "new Api().root.management.getAll",
    ),
    "one instance for all": (
        "class Api { root = chrome; } export default new Api();",
        'import api from "./b"; api.root.management.getAll();',
        "api.root.management.getAll",
    ),
    "a module that is imported later": (
        "export const api = chrome;",
        'const { api } = await import("./b"); api.management.getAll();',
        "api.management.getAll",
    ),
    "a module that is imported later, as an object": (
        "export default chrome;",
        'const b = await import("./b"); b.default.management.getAll();',
        "b.default.management.getAll",
    ),
    "a module that is imported in an expression": (
        "export const api = chrome;",
        '(await import("./b")).api.management.getAll();',
        '(await import("./b")).api.management.getAll',
    ),
    "a module that a callback is given": (
        "export const api = chrome;",
        'import("./b").then(b => b.api.management.getAll());',
        "b.api.management.getAll",
    ),
    "parts of a module that a callback is given": (
        "export const api = chrome;",
        'import("./b").then(({ api: x }) => { x.management.getAll(); });',
        "x.management.getAll",
    ),
    "a member of a module returned by a callback": (
        "export const api = chrome;",
        'const x = await import("./b").then(b => b.api); x.management.getAll();',
        "x.management.getAll",
    ),
    "an assignment of TypeScript": (
        "const api = chrome; export = api;",
        'import api from "./b"; api.management.getAll();',
        "api.management.getAll",
    ),
    "a variable that is set later": (
        "export let api; api = chrome;",
        'import { api } from "./b"; api.management.getAll();',
        "api.management.getAll",
    ),
    "a constant as a key": (
        'export const NAME = "management";',
        'import { NAME } from "./b"; chrome[NAME].getAll();',
        "chrome[NAME].getAll",
    ),
    "an enum as a key": (
        'export enum Names { Manage = "management" }',
        'import { Names } from "./b"; chrome[Names.Manage].getAll();',
        "chrome[Names.Manage].getAll",
    ),
    "a member of a constant object as a key": (
        'export const NAMES = { manage: "management" } as const;',
        'import { NAMES } from "./b"; chrome[NAMES.manage].getAll();',
        "chrome[NAMES.manage].getAll",
    ),
    "a frozen object's member as a key": (
        'export default Object.freeze({ manage: "management" });',
        'import names from "./b"; chrome[names.manage].getAll();',
        "chrome[names.manage].getAll",
    ),
    "a module's constant as a key": (
        'export const NAME = "management";',
        'import * as b from "./b"; chrome[b.NAME].getAll();',
        "chrome[b.NAME].getAll",
    ),
    "an overloaded function": (
        "export function f(): any; export function f(x?: any): any { return chrome; }",
        'import { f } from "./b"; f().management.getAll();',
        "f().management.getAll",
    ),
}


@pytest.mark.parametrize(("module", "script", "text"), PROVIDES_API.values(), ids=PROVIDES_API.keys())
def test_api_from_a_module_is_found(module: str, script: str, text: str) -> None:
    files = {"manifest.json": MANIFEST, "a.js": script, "b.ts": module}
    found = [each for each in lint(files, EXCEPT_IMPORTS) if each.path == "a.js"]
    assert [(each.rule, text_under(files, each)) for each in found] == [("unsupported-api", text)]


def test_mutual_imports() -> None:
    files = {
        "manifest.json": MANIFEST,
        "a.js": 'import { list } from "./b.js"; export const api = chrome; list();',
        "b.js": 'import { api } from "./a.js"; export const list = () => api.management.getAll();',
    }
    assert [(each.path, text_under(files, each)) for each in lint(files)] == [
        ("b.js", "api.management.getAll")
    ]


def test_import_cycle_of_three_modules() -> None:
    files = {
        "manifest.json": MANIFEST,
        "a.js": 'export * from "./b.js"; import { api } from "./c.js"; api.management.getAll();',
        "b.js": 'export * from "./c.js"; export const api2 = chrome;',
        "c.js": 'export { api2 as api } from "./a.js";',
    }
    assert [(each.path, text_under(files, each)) for each in lint(files)] == [
        ("a.js", "api.management.getAll")
    ]


def test_aliased_polyfill_is_resolved() -> None:
    files = {
        "manifest.json": MANIFEST,
        "tsconfig.json": '{"compilerOptions": {"paths": {"webextension-polyfill": ["./b.js"]}}}',
        "a.js": 'import browser from "webextension-polyfill"; browser.management.getAll();',
        "b.js": "export default fake();",
    }
    assert lint(files, EXCEPT_IMPORTS) == []
    files["b.js"] = "export default chrome;"
    assert [text_under(files, each) for each in lint(files, EXCEPT_IMPORTS)] == ["browser.management.getAll"]


ARGUMENTS = {
    "a constant": (
        "export const X = 5;",
        'import { X } from "./b"; chrome.management.uninstallSelf(X);',
        "X",
    ),
    "a constant by another name": (
        "const x = 5; export { x as Y };",
        'import { Y } from "./b"; chrome.management.uninstallSelf(Y);',
        "Y",
    ),
    "a constant that is passed on": (
        'export { X } from "./c";',
        'import { X } from "./b"; chrome.management.uninstallSelf(X);',
        "X",
    ),
    "one of two constants": (
        'export const X = now() ? 1 : "a";',
        'import { X } from "./b"; chrome.management.uninstallSelf(X);',
        "X",
    ),
    "some text": (
        "export const X = `a${b}`;",
        'import { X } from "./b"; chrome.management.uninstallSelf(X);',
        "X",
    ),
    "a function where none is right": (
        "export function f() {}",
        'import { f } from "./b"; chrome.management.uninstallSelf({ showConfirmDialog: f });',
        "f",
    ),
    "a constant inside an object": (
        "export const X = 5;",
        'import { X } from "./b"; chrome.management.uninstallSelf({ showConfirmDialog: X });',
        "X",
    ),
    "a member of an enum": (
        "export enum E { A, B }",
        'import { E } from "./b"; chrome.management.uninstallSelf({ showConfirmDialog: E.B });',
        "E.B",
    ),
    "a constant return value": (
        'export const f = () => "yes";',
        'import { f } from "./b"; chrome.management.uninstallSelf({ showConfirmDialog: f() });',
        "f()",
    ),
    "a frozen object": (
        "export const O = Object.freeze({ showConfirmDialog: 1 });",
        'import { O } from "./b"; chrome.management.uninstallSelf(O);',
        "O",
    ),
}


@pytest.mark.parametrize(("module", "script", "text"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_invalid_imported_argument_is_reported_at_the_call(module: str, script: str, text: str) -> None:
    files = {"manifest.json": MANIFEST, "a.js": script, "b.ts": module, "c.ts": "export const X = 5;"}
    found = lint(files)
    assert [(each.rule, each.path, text_under(files, each)) for each in found] == [
        ("invalid-argument", "a.js", text)
    ]


RESULTS = {
    "a function that passes a call on": (
        "export const self = () => chrome.management.getSelf();",
        'import { self } from "./b"; const me = await self(); me.nam;',
    ),
    "an asynchronous function that does": (
        "export async function self(id) { return await chrome.management.getSelf(); }",
        'import { self } from "./b"; const me = await self(); me.nam;',
    ),
    "a method that does": (
        "export default new (class { self() { return chrome.management.getSelf(); } })();",
        'import api from "./b"; api.self().then(me => me.nam);',
    ),
}


@pytest.mark.parametrize(("module", "script"), RESULTS.values(), ids=RESULTS.keys())
def test_results_of_imported_functions_are_followed(module: str, script: str) -> None:
    files = {"manifest.json": MANIFEST, "a.js": script, "b.ts": module}
    found = [(each.rule, each.path, text_under(files, each)) for each in lint(files)]
    assert found == [("unknown-result-field", "a.js", "nam")]


UNCERTAIN = {
    "a function that gives back what it is given": (
        "export const wrap = (api) => api; wrap(chrome);",
        'import { wrap } from "./b"; wrap(fake).management.getAll();',
    ),
    "a function that is made with what another is given": (
        "const make = (api) => () => api; export const find = make(chrome); make(fake);",
        'import { find } from "./b"; find().management.getAll();',
    ),
    "a function that gives a member by name": (
        "export const find = (name) => chrome[name];",
        'import { find } from "./b"; find("management").getAll();',
    ),
    "a function that may give something else": (
        "export function find() { if (testing) return fake; return chrome; }",
        'import { find } from "./b"; find().management.getAll();',
    ),
    "a function that is written again": (
        "export let find = () => chrome; find = () => fake;",
        'import { find } from "./b"; find().management.getAll();',
    ),
    "a generator": (
        "export function* find() { return chrome; }",
        'import { find } from "./b"; find().management.getAll();',
    ),
    "a field that is set to something else": (
        "export class Api { root = chrome; replace(x) { this.root = x; } }",
        'import { Api } from "./b"; new Api().root.management.getAll();',
    ),
    "a class that a function makes": (
        "export const make = (api) => class { root = api; }; make(chrome);",
        'import { make } from "./b"; new (make(fake))().root.management.getAll();',
    ),
    "a private field": (
        "export class Api { #management = chrome.management; }",
        'import { Api } from "./b"; new Api().management.getAll();',
    ),
    "a variable that may hold another key": (
        'export let NAME = "management"; export function rename(x) { NAME = x; }',
        'import { NAME } from "./b"; chrome[NAME].getAll();',
    ),
    "an object whose members others may change": (
        'export const NAMES = { manage: "management" };',
        'import { NAMES } from "./b"; chrome[NAMES.manage].getAll();',
    ),
    "an object as an argument, whose members others may change": (
        "export const O = { showConfirmDialog: 1 };",
        'import { O } from "./b"; chrome.management.uninstallSelf(O);',
    ),
    "a constant that may be right": (
        "export const X = now() ? true : 1;",
        'import { X } from "./b"; chrome.management.uninstallSelf({ showConfirmDialog: X });',
    ),
    "a module's text": (
        "export default chrome;",
        'import text from "./b?raw"; text.management.getAll();',
    ),
    "a result that was changed before it is given": (
        "export async function self() { const s = await chrome.management.getSelf(); s.nam = 1; return s; }",
        'import { self } from "./b"; (await self()).nam;',
    ),
    "a result that others may have changed": (
        "export const me = await chrome.management.getSelf();",
        'import { me } from "./b"; me.nam;',
    ),
    "arguments that a function is bound to": (
        "export const f = chrome.management.uninstallSelf.bind(null, {});",
        'import { f } from "./b"; f(() => {});',
    ),
    "an import of types": (
        "export const api = chrome;",
        'import { other } from "./b"; other.management.getAll();',
    ),
}


@pytest.mark.parametrize(("module", "script"), UNCERTAIN.values(), ids=UNCERTAIN.keys())
def test_uncertain_value_is_not_reported(module: str, script: str) -> None:
    assert lint({"manifest.json": MANIFEST, "a.js": script, "b.ts": module}, EXCEPT_IMPORTS) == []


def test_functions_that_return_each_other_terminate() -> None:
    files = {
        "manifest.json": MANIFEST,
        "a.js": 'import { f } from "./b"; f().f().f().f().f().f().f().f().management.getAll();',
        "b.ts": "export const f = () => ({ f, g, api: chrome }); export const g = () => ({ f, g });",
    }
    assert lint(files) == []
