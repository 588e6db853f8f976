"""Declarations of chrome-types and their conversion: types, functions, events."""

from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.chrome.namespaces import namespaces
from extlint_facts.chrome.syntax import UnknownFormError, parse


def read(inside: str) -> list[dict[str, Any]]:
    return namespaces(parse(f"declare namespace chrome {{ {inside} }}"))


def only_namespace(inside: str) -> dict[str, Any]:
    """Returns the only namespace of a declaration in namespace `n`, which has a type T and an event."""
    found = read(f"export namespace n {{ {inside} }}")
    assert [each["namespace"] for each in found] == ["n"]
    return found[0]


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param("string", {"type": "string"}, id="a string"),
        pytest.param("number", {"type": "number"}, id="a number, whole or not"),
        pytest.param("any", {"type": "any"}, id="anything"),
        pytest.param("string[]", {"type": "array", "items": {"type": "string"}}, id="an array"),
        pytest.param('"a" | "b"', {"type": "string", "enum": ["a", "b"]}, id="words are an enum"),
        pytest.param(
            "string | number", {"choices": [{"type": "string"}, {"type": "number"}]}, id="a union is a choice"
        ),
        pytest.param(
            'number | "a" | "b"',
            {"choices": [{"type": "number"}, {"type": "string", "enum": ["a", "b"]}]},
            id="words in a union are one of its choices",
        ),
        pytest.param("string | undefined", {"type": "string", "optional": True}, id="undefined is optional"),
        pytest.param(
            "(number | number[])[]",
            {
                "type": "array",
                "items": {"choices": [{"type": "number"}, {"type": "array", "items": {"type": "number"}}]},
            },
            id="an array of a union",
        ),
        pytest.param(
            "[string, ...string[]]",
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
            id="an array that is not empty",
        ),
        pytest.param(
            "[number, number]",
            {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            id="a pair",
        ),
        pytest.param(
            "{[name: string]: any}",
            {"type": "object", "additionalProperties": {"type": "any"}},
            id="any object is a dictionary, which Chromium takes",
        ),
        pytest.param(
            "{}",
            {"type": "object", "additionalProperties": {"type": "any"}},
            id="object type without details",
        ),
        pytest.param(
            "{a: string, b?: number}",
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "number", "optional": True}},
            },
            id="object type without additional properties",
        ),
        pytest.param("ArrayBuffer", {"type": "binary"}, id="binary data"),
        pytest.param(
            "Blob",
            {"type": "object", "isInstanceOf": "Blob", "additionalProperties": {"type": "any"}},
            id="an object of a class",
        ),
        pytest.param("T", {"$ref": "T"}, id="a type of the namespace"),
        pytest.param("chrome.n.T", {"$ref": "T"}, id="a type of the namespace by its whole name"),
        pytest.param(
            "(a: T, b?: string) => void",
            {
                "type": "function",
                "parameters": [{"name": "a", "$ref": "T"}, {"name": "b", "type": "string", "optional": True}],
            },
            id="a function",
        ),
        pytest.param(
            "() => boolean | undefined",
            {"type": "function", "parameters": [], "returns": {"type": "boolean", "optional": True}},
            id="a function that may return something",
        ),
    ],
)
def test_types_are_converted(declared: str, expected: dict[str, Any]) -> None:
    found = only_namespace(f"export interface T {{}} export let value: {declared};")
    assert found["properties"] == {"value": expected}


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param("export const A: 6;", {"A": {"value": 6}}, id="a number"),
        pytest.param("export const A: -1;", {"A": {"value": -1}}, id="a negative number"),
        pytest.param('export const A: "x";', {"A": {"value": "x"}}, id="a text"),
        pytest.param(
            "export const a: string;", {"a": {"type": "string"}}, id="constant with an unknown value"
        ),
        pytest.param("export class A { constructor(a: A); }", {"A": {"type": "function"}}, id="a class"),
    ],
)
def test_constants_are_converted(declared: str, expected: dict[str, Any]) -> None:
    assert only_namespace(declared)["properties"] == expected


CALLBACK = {"name": "callback", "type": "function", "parameters": [{"name": "tab", "$ref": "T"}]}


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        pytest.param(
            """export function f(a: number): Promise<T>;
               export function f(a: number, callback?: (tab: T) => void): void;""",
            {"async": "callback", "parameters": [{"name": "a", "type": "number"}, CALLBACK]},
            id="a promise or a callback",
        ),
        pytest.param(
            """export function f(a: number, b: string): Promise<T>;
               export function f(b: string): Promise<T>;
               export function f(a: number, b: string, callback?: (tab: T) => void): void;
               export function f(b: string, callback?: (tab: T) => void): void;""",
            {
                "async": "callback",
                "parameters": [
                    {"name": "a", "type": "number", "optional": True},
                    {"name": "b", "type": "string"},
                    CALLBACK,
                ],
            },
            id="an optional parameter before a required one",
        ),
        pytest.param(
            """export function f(a: number, callback: (tab: T) => void): number;
               export function f(callback: (tab: T) => void): number;""",
            {
                "returns": {"type": "number"},
                "parameters": [{"name": "a", "type": "number", "optional": True}, CALLBACK],
            },
            id="a callback and no promise",
        ),
        pytest.param(
            "export function f(a?: string): string | undefined;",
            {
                "returns": {"type": "string", "optional": True},
                "parameters": [{"name": "a", "type": "string", "optional": True}],
            },
            id="a result right away",
        ),
        pytest.param("export function f(): void;", {"parameters": []}, id="nothing"),
        pytest.param(
            "export function f(): Promise<void>;",
            {"async": True, "parameters": []},
            id="a promise and no callback",
        ),
    ],
)
def test_functions_are_converted(declared: str, expected: dict[str, Any]) -> None:
    found = only_namespace(f"export interface T {{}} {declared}")
    assert found["functions"] == [{"name": "f", "type": "function", **expected}]


def test_incompatible_overloads_are_rejected() -> None:
    with pytest.raises(ValueError, match="overloads differ"):
        only_namespace("export function f(a: number, b: number): void; export function f(c: string): void;")


def test_reserved_words_get_their_exported_names() -> None:
    found = read(
        """namespace _debugger { function _eval(a: string): void; export {_eval as eval}; }
           export {_debugger as debugger};"""
    )
    assert [(each["namespace"], each["functions"][0]["name"]) for each in found] == [("debugger", "eval")]


EVENTS = "export namespace events { export interface Event<H, C = void, A = void> {} }"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        pytest.param("events.Event<() => void>", {"parameters": []}, id="an event"),
        pytest.param(
            "events.Event<(a: string) => boolean | undefined>",
            {
                "parameters": [{"name": "a", "type": "string"}],
                "returns": {"type": "boolean", "optional": True},
            },
            id="listeners may answer",
        ),
        pytest.param(
            "CustomChromeEvent<(callback: (a: string) => void, filters?: {url: string[]}) => void>",
            {
                "parameters": [{"name": "a", "type": "string"}],
                "extraParameters": [
                    {
                        "name": "filters",
                        "type": "object",
                        "optional": True,
                        "properties": {"url": {"type": "array", "items": {"type": "string"}}},
                    }
                ],
            },
            id="addListener takes more than the listener",
        ),
        pytest.param(
            "events.Event<never, A, B | C>",
            {
                "options": {
                    "supportsListeners": False,
                    "supportsRules": True,
                    "conditions": ["A"],
                    "actions": ["B", "C"],
                }
            },
            id="an event with rules and no listeners",
        ),
    ],
)
def test_events_are_converted(kind: str, expected: dict[str, Any]) -> None:
    types = "export interface A {} export interface B {} export interface C {}"
    found = read(f"{EVENTS} export namespace n {{ {types} export const onX: {kind}; }}")
    assert found[0]["events"] == [{"name": "onX", "type": "function", **expected}]


def test_objects_with_methods_and_events_become_types() -> None:
    found = read(
        f"""{EVENTS} export namespace n {{
          export const local: Area;
          export interface Area {{ size?: number; onChanged: events.Event<() => void>; clear(): void }}
        }}"""
    )
    assert found[0]["types"] == [
        {
            "id": "Area",
            "type": "object",
            "properties": {"size": {"type": "number", "optional": True}},
            "functions": [{"name": "clear", "type": "function", "parameters": []}],
            "events": [{"name": "onChanged", "type": "function", "parameters": []}],
        }
    ]


def test_object_may_add_constants_to_its_type() -> None:
    found = only_namespace("export interface Area { clear(): void } export const sync: Area & { QUOTA: 5 };")
    assert found["properties"] == {"sync": {"$ref": "Area", "properties": {"QUOTA": {"value": 5}}}}


SETTING = """
  export namespace types {
    export type Scope = "regular" | "private";
    export interface Setting<T> { set(details: {value: T, scope: Scope}): void }
  }"""


def test_generic_types_are_instantiated_where_used() -> None:
    found = read(f"{SETTING} export namespace n {{ export const a: types.Setting<boolean>; }}")
    used = next(each for each in found if each["namespace"] == "n")
    assert used["properties"] == {"a": {"$ref": "Setting<boolean>"}}
    assert used["types"][0]["id"] == "Setting<boolean>"
    assert used["types"][0]["functions"][0]["parameters"][0]["properties"] == {
        "value": {"type": "boolean"},
        "scope": {"$ref": "types.Scope"},
    }
    assert [each["id"] for each in found[0]["types"]] == ["Scope"]


def test_object_of_settings_becomes_a_namespace() -> None:
    found = read(
        f"""{SETTING}
        /** @chrome-permission p */
        export namespace privacy {{
          export type Way = "x" | "y";
          export const network: {{ on: types.Setting<boolean>,
            /** @since Chrome 48 */ way: types.Setting<Way> }};
        }}"""
    )
    inner = next(each for each in found if each["namespace"] == "privacy.network")
    assert inner["permissions"] == ["p"]
    assert inner["properties"] == {
        "on": {"$ref": "Setting<boolean>"},
        "way": {"$ref": "Setting<Way>", "since": "48"},
    }
    way = inner["types"][1]["functions"][0]["parameters"][0]
    assert way["properties"]["value"] == {"$ref": "privacy.Way"}


def test_namespaces_without_members_remain_if_their_types_are_used() -> None:
    found = read(
        """export namespace keys { export interface Unused {} }
           export namespace deep { export interface D {} }
           export namespace types { export interface A { d: deep.D } }
           export namespace tabs { export let a: types.A; }"""
    )
    assert [each["namespace"] for each in found] == ["deep", "types", "tabs"]


def test_packaged_app_namespaces_are_omitted_except_used_types() -> None:
    found = read(
        """/** @chrome-platform-apps */
           export namespace usb { export interface Device {} export function f(): void; }
           /** @chrome-platform-apps */ export namespace serial { export function f(): void; }
           export namespace printing { export let device: usb.Device; }"""
    )
    assert [each["namespace"] for each in found] == ["usb", "printing"]
    assert "functions" not in found[0]


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param("export let a: keyof B;", id="an unknown kind of type"),
        pytest.param("export let a: Nowhere;", id="a type that is not declared"),
        pytest.param("export enum E { A }", id="an unknown kind of declaration"),
    ],
)
def test_unknown_form_stops_the_renewal(declared: str) -> None:
    with pytest.raises(UnknownFormError):
        only_namespace(f"export interface B {{}} {declared}")
