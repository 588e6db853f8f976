"""API results: their types, unknown fields, and impossible values."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness import Files, lint, manifest, reported
from packages import package_of

from extlint.analysis.facts.script_facts import Comparison, FieldRead, ScriptFacts
from extlint.analysis.facts.values import UNKNOWN, ApiResult, Delivery, Kind, Literal, Typed, Union, Value
from extlint.checks.calls.types import possible_types
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.manifest.manifest import Manifest
from extlint.registry import load
from extlint.schema.model import SchemaSet
from extlint.schema.targets import schema_set
from extlint.schema.words.types import type_text
from extlint.text.json.reader import read_json
from extlint.text.positions import TextIndex
from extlint_schemas import browsers_with_part

RULES = ("unknown-result-field", "impossible-comparison")

CALLBACK, LISTENER, PROMISE, RETURN = Delivery.CALLBACK, Delivery.LISTENER, Delivery.PROMISE, Delivery.RETURN

SHOP: dict[str, Any] = {
    "namespace": "shop",
    "types": [
        {"id": "Color", "type": "string", "enum": ["red", "green"]},
        {"id": "Alias", "$ref": "Color"},
        {"id": "Loop", "$ref": "Loop"},
        {"id": "Deep", "choices": [{"type": "null"}, {"$ref": "Deep"}]},
        {
            "id": "Item",
            "type": "object",
            "properties": {
                "color": {"$ref": "Color", "optional": True},
                "alias": {"$ref": "Alias"},
                "price": {"type": "number"},
                "size": {"choices": [{"type": "integer"}, {"$ref": "Color"}]},
                "label": {"choices": [{"type": "string"}, {"type": "any"}]},
                "part": {"$ref": "Item", "optional": True},
                "maker": {"choices": [{"type": "null"}, {"$ref": "Maker"}]},
                "like": {"choices": [{"$ref": "Item"}, {"$ref": "Maker"}]},
                "note": {"choices": [{"type": "string"}, {"$ref": "Maker"}]},
                "box": {"type": "object", "properties": {"width": {"type": "integer"}}},
                "plain": {"type": "object"},
                "extra": {"type": "object", "additionalProperties": {"type": "string"}},
                "port": {"$ref": "Port"},
                "made": {"type": "object", "isInstanceOf": "Date", "additionalProperties": True},
                "loop": {"$ref": "Loop"},
                "deep": {"$ref": "Deep"},
            },
        },
        {"id": "Maker", "type": "object", "properties": {"name": {"type": "string"}}},
        {
            "id": "Port",
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "functions": [{"name": "close", "type": "function", "parameters": []}],
        },
    ],
    "functions": [
        {
            "name": "item",
            "type": "function",
            "async": "callback",
            "parameters": [
                {"name": "callback", "type": "function", "parameters": [{"name": "item", "$ref": "Item"}]}
            ],
        },
        {
            "name": "pair",
            "type": "function",
            "async": "callback",
            "parameters": [
                {
                    "name": "callback",
                    "type": "function",
                    "parameters": [{"name": "one", "$ref": "Item"}, {"name": "other", "$ref": "Maker"}],
                }
            ],
        },
        {"name": "color", "type": "function", "parameters": [], "returns": {"$ref": "Color"}},
        {"name": "later", "type": "function", "async": True, "parameters": []},
        {"name": "nothing", "type": "function", "parameters": []},
        {
            "name": "done",
            "type": "function",
            "async": "callback",
            "parameters": [{"name": "callback", "type": "function", "parameters": []}],
        },
    ],
    "events": [
        {
            "name": "onSale",
            "type": "function",
            "parameters": [{"name": "item", "$ref": "Item"}, {"name": "color", "$ref": "Color"}],
        },
        {"name": "onMystery", "type": "function"},
    ],
}


def extension(facts: ScriptFacts | None = None, schemas: SchemaSet | None = None) -> Extension:
    text = json.dumps({"manifest_version": 3}).encode()
    return Extension(
        package_of({"manifest.json": text}),
        Manifest("manifest.json", text, read_json(text)),
        [Script("a.js", facts or ScriptFacts(), TextIndex(b" " * 99))],
        schemas or SchemaSet("reference", [SHOP]),
    )


def result(api: str, delivery: Delivery, steps: str = "", index: int = 0) -> ApiResult:
    return ApiResult(tuple(api.split(".")), delivery, index, tuple(steps.split()))


def types(of: ApiResult, schemas: SchemaSet | None = None) -> list[str]:
    found = possible_types(extension(schemas=schemas), of)
    return [type_text(each.name or each.type) for each in found]


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        pytest.param(result("management.getSelf", RETURN), [], id="a promise"),
        pytest.param(result("management.getSelf", PROMISE), ["management.ExtensionInfo"], id="awaited"),
        pytest.param(
            result("management.getSelf", CALLBACK), ["management.ExtensionInfo"], id="of a callback"
        ),
        pytest.param(result("management.getSelf", CALLBACK, index=1), [], id="a surplus parameter"),
        pytest.param(
            result("management.getAll", PROMISE), ["array of management.ExtensionInfo"], id="an array"
        ),
        pytest.param(result("management.getAll", PROMISE, "[]"), ["management.ExtensionInfo"], id="an item"),
        pytest.param(
            result("management.getSelf", PROMISE, "icons [] size"), ["integer"], id="an optional field"
        ),
        pytest.param(
            result("management.getSelf", PROMISE, "type"), ["management.ExtensionType"], id="an enum"
        ),
        pytest.param(result("management.getSelf", PROMISE, "tpye"), [], id="an unknown field"),
        pytest.param(result("management.getSelf", PROMISE, "tpye x"), [], id="a field of an unknown field"),
        pytest.param(result("management.getSelf", PROMISE, "[]"), [], id="an item of no array"),
        pytest.param(result("management.getSelf", PROMISE, "name at"), [], id="a method of a string"),
        pytest.param(
            result("management.getSelf", PROMISE, "name length"),
            ["integer, at least 0"],
            id="the length of a string",
        ),
        pytest.param(
            result("management.getSelf", PROMISE, "constructor"), [], id="an inherited object member"
        ),
        pytest.param(result("management.uninstallSelf", PROMISE), [], id="nothing"),
        pytest.param(result("test.onMessage", LISTENER), ["string"], id="of a listener"),
        pytest.param(result("test.onMessage", LISTENER, index=1), ["any value"], id="any"),
        pytest.param(result("test.onMessage", LISTENER, index=2), [], id="of a listener, surplus"),
        pytest.param(result("test.assertRejects", PROMISE), [], id="a promise of no known type"),
        pytest.param(result("test.assertThrows", CALLBACK), [], id="a function other than a callback"),
        pytest.param(result("management.onEnabled", LISTENER), [], id="an event that is not described"),
        pytest.param(result("management.getSelf", LISTENER), [], id="a listener of a function"),
        pytest.param(result("test.onMessage", PROMISE), [], id="a promise of an event"),
        pytest.param(result("management.getSlef", PROMISE), [], id="an unknown function"),
        pytest.param(result("tabs.query", PROMISE), [], id="an unknown namespace"),
        pytest.param(result("manifest.name", PROMISE), [], id="no namespace of scripts"),
        pytest.param(result("management", PROMISE), [], id="a namespace"),
        pytest.param(result("management.getSelf.name", RETURN), [], id="deeper than a member"),
    ],
)
def test_result_types_of_the_reference_target(of: ApiResult, expected: list[str]) -> None:
    assert types(of, schema_set("reference")) == expected


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        pytest.param(result("shop.color", RETURN), ["shop.Color"], id="a return value"),
        pytest.param(result("shop.color", PROMISE), ["shop.Color"], id="an awaited return value"),
        pytest.param(result("shop.color", CALLBACK), [], id="a callback that does not exist"),
        pytest.param(result("shop.nothing", RETURN), [], id="nothing returned"),
        pytest.param(result("shop.later", PROMISE), [], id="a promise of what is not described"),
        pytest.param(result("shop.done", PROMISE), [], id="a promise of nothing"),
        pytest.param(result("shop.pair", CALLBACK, index=1), ["shop.Maker"], id="a second parameter"),
        pytest.param(result("shop.pair", PROMISE), [], id="a promise of two values"),
        pytest.param(result("shop.onSale", LISTENER, index=1), ["shop.Color"], id="of a listener"),
        pytest.param(result("shop.onMystery", LISTENER), [], id="a listener that is not described"),
        pytest.param(result("shop.item", PROMISE, "alias"), ["shop.Alias"], id="a reference to a reference"),
        pytest.param(result("shop.item", PROMISE, "part part price"), ["number"], id="a type in itself"),
        pytest.param(result("shop.item", PROMISE, "size"), ["integer", "shop.Color"], id="choices"),
        pytest.param(result("shop.item", PROMISE, "maker name"), ["string"], id="an object or null"),
        pytest.param(result("shop.item", PROMISE, "like price"), ["number"], id="only one choice has it"),
        pytest.param(result("shop.item", PROMISE, "note name"), [], id="a string or an object"),
        pytest.param(result("shop.item", PROMISE, "extra x"), ["string"], id="any key of an object"),
        pytest.param(result("shop.item", PROMISE, "loop"), [], id="a circular reference"),
        pytest.param(result("shop.item", PROMISE, "deep"), [], id="circular choices"),
    ],
)
def test_result_types(of: ApiResult, expected: list[str]) -> None:
    assert types(of) == expected


def found(facts: ScriptFacts, schemas: SchemaSet | None = None) -> list[Finding]:
    whole = extension(facts, schemas)
    return [finding for rule in RULES for finding in load(rule).check(whole)]


def field_is_unknown(steps: str, name: str) -> bool:
    return bool(
        found(ScriptFacts(field_reads=(FieldRead(result("shop.item", PROMISE, steps), name, (1, 5)),)))
    )


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        pytest.param("", "colour", id="of an object"),
        pytest.param("part", "colour", id="of an optional object"),
        pytest.param("box", "height", id="of an object without a name"),
        pytest.param("maker", "age", id="of an object or null"),
        pytest.param("like", "age", id="missing in two objects"),
        pytest.param("note", "age", id="of a string or an object"),
        pytest.param("color", "lenght", id="of a string"),
        pytest.param("price", "toFxied", id="of a number"),
    ],
)
def test_unknown_field_is_reported(steps: str, name: str) -> None:
    assert field_is_unknown(steps, name)


@pytest.mark.parametrize(
    ("steps", "name"),
    [
        pytest.param("", "price", id="it is there"),
        pytest.param("", "hasOwnProperty", id="a member inherited by every object"),
        pytest.param("", "__proto__", id="its prototype"),
        pytest.param("like", "price", id="one of two objects has it"),
        pytest.param("label", "age", id="of any"),
        pytest.param("color", "length", id="of a string"),
        pytest.param("plain", "x", id="of an object that lists no fields"),
        pytest.param("extra", "x", id="of an open object"),
        pytest.param("port", "close", id="of an object with methods"),
        pytest.param("made", "getTime", id="of an instance"),
        pytest.param("colour", "x", id="of a field that is unknown"),
        pytest.param("loop", "x", id="of a type that is not understood"),
    ],
)
def test_possible_field_is_not_reported(steps: str, name: str) -> None:
    assert not field_is_unknown(steps, name)


def string(text: str) -> Literal:
    return Literal(Kind.STRING, text, (1, 5))


NUMBER = Literal(Kind.NUMBER, 1.0, (1, 5))
TRUE = Literal(Kind.BOOLEAN, True, (1, 5))
NULL = Literal(Kind.NULL, None, (1, 5))
UNDEFINED = Literal(Kind.UNDEFINED, None, (1, 5))


def is_impossible(steps: str, value: Value, strict: bool) -> bool:
    comparison = Comparison(result("shop.item", PROMISE, steps), value, strict)
    return bool(found(ScriptFacts(comparisons=(comparison,))))


@pytest.mark.parametrize(
    ("steps", "value", "strict", "loose"),
    [
        pytest.param("color", string("blue"), True, True, id="a string outside of an enum"),
        pytest.param("alias", string("blue"), True, True, id="through references"),
        pytest.param("color", string("red"), False, False, id="a string of the enum"),
        pytest.param("color", NUMBER, True, False, id="a string and a number"),
        pytest.param("color", TRUE, True, False, id="a string and a boolean"),
        pytest.param("price", string("1"), True, False, id="a number and a string"),
        pytest.param("price", NUMBER, False, False, id="a number and a number"),
        pytest.param("price", Literal(Kind.BIGINT, 1, (1, 5)), True, False, id="a number and a bigint"),
        pytest.param("price", NULL, False, False, id="null"),
        pytest.param("color", UNDEFINED, False, False, id="undefined"),
        pytest.param("color", string(""), False, False, id="nothing in an enum"),
        pytest.param("price", string(""), False, False, id="nothing in place of a number"),
        pytest.param("color", string(" "), True, True, id="a blank is something"),
        pytest.param("size", NUMBER, False, False, id="one of two choices"),
        pytest.param("size", string("blue"), True, True, id="neither of two choices"),
        pytest.param("label", TRUE, False, False, id="any among the choices"),
        pytest.param("maker", string("x"), True, False, id="an object and a string"),
        pytest.param("", NUMBER, True, False, id="an object without steps and a number"),
        pytest.param("color", UNKNOWN, False, False, id="an unknown value"),
        pytest.param("color", Typed(Kind.NUMBER, (1, 5)), False, False, id="no literal"),
        pytest.param(
            "color", Union((string("blue"), string("pink")), (1, 5)), True, True, id="either is outside"
        ),
        pytest.param(
            "color", Union((string("blue"), string("red")), (1, 5)), False, False, id="one of two is right"
        ),
        pytest.param("color", Union((string("blue"), NULL), (1, 5)), False, False, id="null is one of two"),
        pytest.param("color", Union((), (1, 5)), False, False, id="no value at all"),
        pytest.param("color", Literal(Kind.STRING, "blue"), False, False, id="no position in the source"),
        pytest.param("colour", string("blue"), False, False, id="of an unknown field"),
    ],
)
def test_impossible_comparison(steps: str, value: Value, strict: bool, loose: bool) -> None:
    assert (is_impossible(steps, value, True), is_impossible(steps, value, False)) == (strict, loose)


def finding_texts(of: ApiResult, what: str | Value) -> tuple[str, str | None, str | None]:
    """Returns the message, the help and the member of the only finding about a field or a value."""
    if isinstance(what, str):
        facts = ScriptFacts(field_reads=(FieldRead(of, what, (1, 5)),))
    else:
        facts = ScriptFacts(comparisons=(Comparison(of, what),))
    reference = schema_set("reference")
    (finding,) = found(facts, reference if reference.namespace(of.path[0]) else None)
    return finding.message, finding.help, finding.api


SPECIFICATION_HELP = "the target `reference` follows the specification, which does not list it; use"


@pytest.mark.parametrize(
    ("of", "what", "message", "help"),
    [
        pytest.param(
            result("management.getSelf", PROMISE),
            "instalType",
            "`management.getSelf` returns an `ExtensionInfo`, which has no field `instalType`; "
            "did you mean `installType`?",
            None,
            id="near miss",
        ),
        pytest.param(
            result("management.getSelf", PROMISE),
            "frobnicated",
            "`management.getSelf` returns an `ExtensionInfo`, which has no field `frobnicated`",
            None,
            id="no near miss",
        ),
        pytest.param(
            result("management.getAll", PROMISE, "[]"),
            "isApp",
            "each item of the result of `management.getAll` is an `ExtensionInfo`, which has no field "
            "`isApp`; it is available in Chrome",
            f"it is available in today's Chrome; {SPECIFICATION_HELP} --target chrome to check for a browser",
            id="known to a browser",
        ),
        pytest.param(
            result("management.getSelf", PROMISE, "icons []"),
            "height",
            "each item of `icons` in the result of `management.getSelf` is an `IconInfo`, "
            "which has no field `height`; it has `size` and `url`",
            None,
            id="of an inner object",
        ),
        pytest.param(
            result("shop.onSale", LISTENER),
            "colr",
            "`shop.onSale` passes an `Item`, which has no field `colr`; did you mean `color`?",
            None,
            id="of a listener",
        ),
        pytest.param(
            result("shop.item", PROMISE, "like"),
            "age",
            "`like` in the result of `shop.item` is an `Item` or a `Maker`, which has no field `age`",
            None,
            id="of one of two types",
        ),
        pytest.param(
            result("shop.item", PROMISE, "box"),
            "height",
            "`box` in the result of `shop.item` is an object, which has no field `height`; it has `width`",
            None,
            id="of a type without a name",
        ),
    ],
)
def test_messages_about_fields(of: ApiResult, what: str, message: str, help: str | None) -> None:
    assert finding_texts(of, what) == (message, help, ".".join(of.path))


@pytest.mark.parametrize(
    ("of", "what", "message", "help"),
    [
        pytest.param(
            result("management.getSelf", PROMISE, "installType"),
            string("developement"),
            '`installType` in the result of `management.getSelf` is one of "development", "normal", '
            '"sideload" or "other", never the string "developement"',
            "did you mean `development`?",
            id="near miss",
        ),
        pytest.param(
            result("management.getAll", PROMISE, "[] type"),
            string("theme"),
            '`type` in the result of `management.getAll` is always "extension", never the string "theme"',
            f"it is a value in today's Chrome and Firefox; {SPECIFICATION_HELP} "
            "--target chrome or --target firefox to check for a browser",
            id="known to both browsers",
        ),
        pytest.param(
            result("management.getSelf", PROMISE, "type"),
            Union((string("plugin"), string("hosted_app")), (1, 5)),
            '`type` in the result of `management.getSelf` is always "extension", never the string "plugin" '
            'or the string "hosted_app"',
            f"it is a value in today's Chrome; {SPECIFICATION_HELP} --target chrome to check for a browser",
            id="one of two is known to a browser",
        ),
        pytest.param(
            result("management.getSelf", PROMISE, "enabled"),
            string("true"),
            '`enabled` in the result of `management.getSelf` is a boolean, never the string "true"',
            None,
            id="another type",
        ),
        pytest.param(
            result("test.onMessage", LISTENER),
            NUMBER,
            "what `test.onMessage` passes is a string, never the number 1",
            None,
            id="of a listener",
        ),
        pytest.param(
            result("shop.item", PROMISE, "size"),
            TRUE,
            '`size` in the result of `shop.item` is an integer or "red" or "green", never true',
            None,
            id="of choices",
        ),
    ],
)
def test_messages_about_comparisons(of: ApiResult, what: Value, message: str, help: str | None) -> None:
    assert finding_texts(of, what) == (message, help, ".".join(of.path))


@pytest.mark.parametrize(
    ("part", "browsers"),
    [
        ("ExtensionInfo.isApp", ("chrome",)),
        ("ExtensionInfo.hostPermissions", ("chrome", "firefox")),
        ("ExtensionType.theme", ("chrome", "firefox")),
        ("ExtensionInstallType.admin", ("chrome", "firefox")),
        ("ExtensionType.hosted_app", ("chrome",)),
        ("ExtensionType.plugin", ()),
        ("UnknownType.id", ()),
    ],
)
def test_browsers_with_a_field_or_value(part: str, browsers: tuple[str, ...]) -> None:
    assert browsers_with_part("management", *part.split(".")) == browsers


def background(source: str) -> Files:
    return {
        "manifest.json": manifest(background={"service_worker": "a.js"}, optional_permissions=["management"]),
        "a.js": source,
    }


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("(await browser.management.getSelf()).instalType;", ["instalType"], id="await"),
        pytest.param("browser.management.getSelf().then((me) => me['nmae']);", ["'nmae'"], id="then"),
        pytest.param("chrome.management.getSelf(({ id, vresion }) => {});", ["vresion"], id="a callback"),
        pytest.param(
            "browser.management.getAll((all) => all.filter((one) => one.isOn));", ["isOn"], id="an array"
        ),
        pytest.param(
            "for (const one of await chrome.management.getAll()) if (one.type === 'theme') log();",
            ["'theme'"],
            id="a loop",
        ),
        pytest.param(
            "browser.management.getSelf((me) => { switch (me.installType) { case 'usual': } });",
            ["'usual'"],
            id="a case",
        ),
        pytest.param(
            "if (browser.management.getAll) browser.management.getAll((all) => all[0].isOn);",
            [],
            id="a branch that never runs, as the target has no such function",
        ),
        pytest.param(
            "if (browser.management.getSelf) browser.management.getSelf((me) => me.isOn);",
            ["isOn"],
            id="a guard excuses no field",
        ),
        pytest.param(
            "browser.management.getSelf((me) => ['normal', 'usual'].includes(me.installType));",
            ["'usual'"],
            id="an item of a list",
        ),
        pytest.param("browser.management.getSelf((me) => me.enabled !== 'yes');", ["'yes'"], id="a boolean"),
        pytest.param("browser.management.getSelf((me) => me.enabled != 'yes');", [], id="a loose one"),
        pytest.param(
            "if (browser.management.getSelf) browser.management.getSelf((me) => me.nmae);",
            ["nmae"],
            id="a guard excuses no field",
        ),
        pytest.param("browser.management.getSelf((me) => me.disabledReason == null);", [], id="null"),
        pytest.param(
            "browser.management.getSelf((me) => { me = own(me); log(me.x); });", [], id="reassigned"
        ),
    ],
)
def test_results_are_followed_to_their_use(source: str, expected: list[str]) -> None:
    assert [text for _, text in reported(background(source), RULES)] == expected


def test_listener_arguments_are_checked_without_the_namespace() -> None:
    source = "browser.test.onMessage.addListener((text) => { if (text === 5) console.log(); });"
    assert [(each.rule, each.api) for each in lint(background(source))] == [
        ("wrong-context", "test.onMessage"),
        ("impossible-comparison", "test.onMessage"),
    ]


@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "edge", "firefox_android", "safari"])
@pytest.mark.parametrize(
    ("value", "expected"), [("ios", False), ("mac", False), ("win", False), ("openbsd", False), ("iso", True)]
)
def test_comparison_with_a_platform_of_any_browser_is_accepted(
    value: str, expected: bool, target: str
) -> None:
    script = f"chrome.runtime.getPlatformInfo().then((info) => info.os === '{value}');"
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}
    found = lint(files, ("impossible-comparison",), target)
    assert [each.rule for each in found] == ["impossible-comparison"] * expected


@pytest.mark.parametrize("target", ["reference", "firefox", "chrome", "safari"])
@pytest.mark.parametrize(
    ("value", "is_reported"),
    [("local", False), ("managed", False), ("session", False), ("sync", False), ("Local", True)],
)
def test_comparison_with_an_unknown_storage_area_is_reported(
    value: str, is_reported: bool, target: str
) -> None:
    script = f"chrome.storage.onChanged.addListener((changes, area) => area === '{value}');"
    package = {
        "manifest.json": manifest(permissions=["storage"], background={"service_worker": "a.js"}),
        "a.js": script,
    }
    assert [each.message for each in lint(package, ("impossible-comparison",), target)] == [
        'the second value that `storage.onChanged` passes is one of "sync", "local", "managed" or "session", '
        'never the string "Local"'
    ] * is_reported


@pytest.mark.parametrize(
    ("value", "count"),
    [
        pytest.param("x86-64", 0, id="a listed value"),
        pytest.param("x86-46", 1, id="a misspelling of a listed value"),
        pytest.param("riscv", 0, id="a value that Firefox may have, as it lists none"),
    ],
)
def test_browser_that_lists_no_values_has_no_misspelled_value(value: str, count: int) -> None:
    script = f"chrome.runtime.getPlatformInfo((info) => {{ if (info.nacl_arch === '{value}') f(); }})"
    files = {"manifest.json": manifest(background={"service_worker": "a.js"}), "a.js": script}
    assert len(lint(files, ("impossible-comparison",), "chrome")) == count
