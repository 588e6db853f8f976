"""The specification, row by row: valid code is silent, and each mistake is reported at its position.

A case is a script and its findings: the rule and the source text of each.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from harness import Files, manifest, told

from extlint.registry import RULES

Told = list[tuple[str, str]]

BACKGROUND = {"background": {"service_worker": "a.js"}}
CONTENT = {"content_scripts": [{"matches": ["https://example.com/*"], "js": ["a.js"]}]}
PERMISSION = {"permissions": ["management"]}

GET_ALL = ("unsupported-api", "browser.management.getAll")
GET = ("unsupported-api", "browser.management.get")
ASSERT_BOOL = ("unsupported-api", "browser.test.assertBool")
CHECK_DEEP_EQ = ("unsupported-api", "browser.test.checkDeepEq")
ASSERT_NO_LAST_ERROR = ("unsupported-api", "browser.test.assertNoLastError")
ASSERT_LAST_ERROR = ("unsupported-api", "browser.test.assertLastError")

ABOUT_USES = [rule for rule in RULES if rule != "unused-permission"]
"""All rules except `unused-permission`, for packages that may not use the permission they request."""

COUNT = "wrong-argument-count"
ARGUMENT = "invalid-argument"


def case(source: str, *expected: tuple[str, str], what: str) -> object:
    return pytest.param(source, list(expected), id=what)


def in_background(source: str, **keys: object) -> Files:
    return {"manifest.json": manifest(**BACKGROUND, **keys), "a.js": source}


def in_content(source: str) -> Files:
    return {"manifest.json": manifest(**CONTENT), "a.js": source}


MANAGEMENT = [
    # getAll: callback (function, optional); marked unsupported
    case("browser.management.getAll();", GET_ALL, what="getAll without a callback"),
    case("browser.management.getAll((result) => {});", GET_ALL, what="getAll with a callback"),
    case("browser.management.getAll(null);", GET_ALL, what="getAll with null for the optional callback"),
    case("browser.management.getAll(undefined);", GET_ALL, what="getAll with an explicit undefined"),
    case("browser.management.getAll(5);", (ARGUMENT, "5"), GET_ALL, what="getAll with a number"),
    case(
        "browser.management.getAll(() => {}, 1);",
        (COUNT, "(() => {}, 1)"),
        GET_ALL,
        what="getAll with too many arguments",
    ),
    case(
        "browser.management.getAll((result, more) => more);",
        ("callback-parameters", "more"),
        GET_ALL,
        what="getAll with a callback that takes too much",
    ),
    # get: id (manifest.ExtensionID, required), callback (function, optional); marked unsupported
    case('browser.management.get("a@b");', GET, what="get without a callback"),
    case('browser.management.get("a@b", (result) => {});', GET, what="get with a callback"),
    case('browser.management.get("a@b", null);', GET, what="get with null for the optional callback"),
    case('browser.management.get("");', GET, what="get with any string"),
    case("browser.management.get();", (COUNT, "()"), GET, what="get without its id"),
    case("browser.management.get(5);", (ARGUMENT, "5"), GET, what="get with a number"),
    case("browser.management.get(undefined);", (ARGUMENT, "undefined"), GET, what="get with undefined"),
    case("browser.management.get(null);", (ARGUMENT, "null"), GET, what="get with null"),
    case("browser.management.get({});", (ARGUMENT, "{}"), GET, what="get with an object"),
    case('browser.management.get("a", 5);', (ARGUMENT, "5"), GET, what="get with a number for its callback"),
    case(
        'browser.management.get("a", () => {}, 1);',
        (COUNT, '("a", () => {}, 1)'),
        GET,
        what="get with too many arguments",
    ),
    case(
        'browser.management.get("a", (result, more) => more);',
        ("callback-parameters", "more"),
        GET,
        what="get with a callback that takes too much",
    ),
    # getSelf: callback (function, optional)
    case("browser.management.getSelf();", what="getSelf without a callback"),
    case("browser.management.getSelf((result) => {});", what="getSelf with a callback"),
    case("browser.management.getSelf(function () {});", what="getSelf with a callback that takes nothing"),
    case("browser.management.getSelf(null);", what="getSelf with null for the optional callback"),
    case("browser.management.getSelf(undefined);", what="getSelf with an explicit undefined"),
    case('browser.management.getSelf("x");', (ARGUMENT, '"x"'), what="getSelf with a string"),
    case("browser.management.getSelf({});", (ARGUMENT, "{}"), what="getSelf with an object"),
    case(
        "browser.management.getSelf(() => {}, 1);",
        (COUNT, "(() => {}, 1)"),
        what="getSelf with too many arguments",
    ),
    case(
        "browser.management.getSelf((result, more, most) => more);",
        ("callback-parameters", "more"),
        what="getSelf with a callback that takes too much",
    ),
    # uninstallSelf: options (object, optional), callback (function, optional)
    case("browser.management.uninstallSelf();", what="uninstallSelf without arguments"),
    case("browser.management.uninstallSelf({});", what="uninstallSelf with empty options"),
    case("browser.management.uninstallSelf(() => {});", what="uninstallSelf with a callback alone"),
    case("browser.management.uninstallSelf({}, () => {});", what="uninstallSelf with both"),
    case("browser.management.uninstallSelf(null, () => {});", what="uninstallSelf with null options"),
    case(
        "browser.management.uninstallSelf(undefined, undefined);", what="uninstallSelf with undefined twice"
    ),
    case(
        'browser.management.uninstallSelf({showConfirmDialog: true, dialogMessage: "Sure?"});',
        what="uninstallSelf with every option",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialog: null, dialogMessage: undefined});",
        what="uninstallSelf with null and undefined for optional properties",
    ),
    case(
        'browser.management.uninstallSelf({showConfirmDialog: "yes"});',
        (ARGUMENT, '"yes"'),
        what="showConfirmDialog that is no boolean",
    ),
    case(
        "browser.management.uninstallSelf({dialogMessage: 5}, () => {});",
        (ARGUMENT, "5"),
        what="dialogMessage that is no string",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialog: 1, dialogMessage: true});",
        (ARGUMENT, "1"),
        (ARGUMENT, "true"),
        what="two wrong options",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialogue: true});",
        (ARGUMENT, "showConfirmDialogue"),
        what="an unknown option",
    ),
    case('browser.management.uninstallSelf("x");', (ARGUMENT, '"x"'), what="options that are a string"),
    case(
        "browser.management.uninstallSelf(5, () => {});",
        (ARGUMENT, "5"),
        what="options that are a number, and a callback",
    ),
    case(
        "browser.management.uninstallSelf({}, 5);",
        (ARGUMENT, "5"),
        what="uninstallSelf with a number for its callback",
    ),
    case(
        "browser.management.uninstallSelf({}, () => {}, 1);",
        (COUNT, "({}, () => {}, 1)"),
        what="uninstallSelf with too many arguments",
    ),
    case(
        "browser.management.uninstallSelf((result) => result);",
        ("callback-parameters", "result"),
        what="uninstallSelf gives its callback nothing",
    ),
    # the types of section 2
    case("browser.management.ExtensionDisabledReason;", what="ExtensionDisabledReason is an enum"),
    case("browser.management.ExtensionType;", what="ExtensionType is an enum"),
    case("browser.management.ExtensionInstallType.DEVELOPMENT;", what="ExtensionInstallType is an enum"),
    case(
        "browser.management.ExtensionInfo;",
        ("unknown-api", "browser.management.ExtensionInfo"),
        what="ExtensionInfo is no member",
    ),
    case(
        "browser.management.IconInfo;",
        ("unknown-api", "browser.management.IconInfo"),
        what="IconInfo is no member",
    ),
    # section 6: events of management are not shown
    case("browser.management.onInstalled.addListener(() => {});", what="an event that is not shown"),
    # names that are missing from the complete lists
    case(
        "browser.management.getslef();",
        ("unknown-api", "browser.management.getslef"),
        what="a misspelled function",
    ),
    case(
        'browser.management.setEnabled("a", true);',
        ("unknown-api", "browser.management.setEnabled"),
        what="a function that only browsers have",
    ),
    case("browser.managment.getSelf();", ("unknown-api", "browser.managment"), what="a misspelled namespace"),
]


@pytest.mark.parametrize(("source", "expected"), MANAGEMENT)
def test_management_in_the_background(source: str, expected: Told) -> None:
    found = told(in_background(source, **PERMISSION), ABOUT_USES)
    assert in_any_order(found) == in_any_order(expected)


TEST = [
    # notifyFail: message: string (required)
    case('browser.test.notifyFail("a");', what="notifyFail with a string"),
    case("browser.test.notifyFail(`a ${1}`);", what="notifyFail with a template"),
    case("browser.test.notifyFail();", (COUNT, "()"), what="notifyFail without its message"),
    case("browser.test.notifyFail(5);", (ARGUMENT, "5"), what="notifyFail with a number"),
    case("browser.test.notifyFail(undefined);", (ARGUMENT, "undefined"), what="notifyFail with undefined"),
    case("browser.test.notifyFail(null);", (ARGUMENT, "null"), what="notifyFail with null"),
    case('browser.test.notifyFail("a", "b");', (COUNT, '("a", "b")'), what="notifyFail with too much"),
    # notifyPass: message: string (optional)
    case("browser.test.notifyPass();", what="notifyPass without a message"),
    case('browser.test.notifyPass("a");', what="notifyPass with a string"),
    case("browser.test.notifyPass(undefined);", what="notifyPass with undefined"),
    case("browser.test.notifyPass(null);", what="notifyPass with null"),
    case("browser.test.notifyPass(true);", (ARGUMENT, "true"), what="notifyPass with a boolean"),
    case('browser.test.notifyPass("a", 1);', (COUNT, '("a", 1)'), what="notifyPass with too much"),
    # log: message: string (required)
    case('browser.test.log("a");', what="log with a string"),
    case("browser.test.log();", (COUNT, "()"), what="log without its message"),
    case("browser.test.log({});", (ARGUMENT, "{}"), what="log with an object"),
    case("browser.test.log(null);", (ARGUMENT, "null"), what="log with null"),
    case('browser.test.log("a", () => {});', (COUNT, '("a", () => {})'), what="log with too much"),
    # sendMessage: arg1: any (optional); arg2: any (optional); ambiguous
    case("browser.test.sendMessage();", what="sendMessage with nothing"),
    case('browser.test.sendMessage("a", {b: 1});', what="sendMessage with two arguments"),
    case("browser.test.sendMessage(1, 2, 3);", what="sendMessage is not judged: it is ambiguous"),
    # fail, succeed: message: any (optional)
    case("browser.test.fail();", what="fail with nothing"),
    case("browser.test.fail(undefined);", what="fail with undefined"),
    case("browser.test.fail({a: [1]});", what="fail with anything"),
    case('browser.test.fail("a", "b");', (COUNT, '("a", "b")'), what="fail with too much"),
    case("browser.test.succeed();", what="succeed with nothing"),
    case("browser.test.succeed(null);", what="succeed with null"),
    case("browser.test.succeed(5);", what="succeed with anything"),
    case("browser.test.succeed(1, 2);", (COUNT, "(1, 2)"), what="succeed with too much"),
    # assertTrue, assertFalse: test: any (optional); message: string (optional); ambiguous
    case("browser.test.assertTrue();", what="assertTrue with nothing"),
    case('browser.test.assertTrue(true, "a");', what="assertTrue with both"),
    case("browser.test.assertTrue(1, 2, 3);", what="assertTrue is not judged: it is ambiguous"),
    case('browser.test.assertFalse(false, "a");', what="assertFalse with both"),
    case("browser.test.assertFalse(1, 2, 3);", what="assertFalse is not judged: it is ambiguous"),
    # assertBool: test: string or boolean; expected: boolean; message: string (optional); unsupported
    case("browser.test.assertBool(true, true);", ASSERT_BOOL, what="assertBool with a boolean"),
    case('browser.test.assertBool("true", true, "a");', ASSERT_BOOL, what="assertBool with a string"),
    case("browser.test.assertBool(true, true, null);", ASSERT_BOOL, what="assertBool with a null message"),
    case(
        "browser.test.assertBool(1, true);",
        (ARGUMENT, "1"),
        ASSERT_BOOL,
        what="assertBool with a number to test",
    ),
    case(
        'browser.test.assertBool(true, "true");',
        (ARGUMENT, '"true"'),
        ASSERT_BOOL,
        what="assertBool that expects a string",
    ),
    case(
        "browser.test.assertBool(true, undefined);",
        (ARGUMENT, "undefined"),
        ASSERT_BOOL,
        what="assertBool that expects undefined",
    ),
    case(
        "browser.test.assertBool(true, true, 5);",
        (ARGUMENT, "5"),
        ASSERT_BOOL,
        what="assertBool with a number for its message",
    ),
    case("browser.test.assertBool(true);", (COUNT, "(true)"), ASSERT_BOOL, what="assertBool with too little"),
    case(
        'browser.test.assertBool(true, true, "a", 1);',
        (COUNT, '(true, true, "a", 1)'),
        ASSERT_BOOL,
        what="assertBool with too much",
    ),
    # checkDeepEq: expected: any; actual: any; unsupported; ambiguous
    case("browser.test.checkDeepEq(1, 2);", CHECK_DEEP_EQ, what="checkDeepEq with both"),
    case("browser.test.checkDeepEq(1);", CHECK_DEEP_EQ, what="checkDeepEq is not judged: it is ambiguous"),
    # assertEq: expected: any (optional); actual: any (optional); message: string (optional); ambiguous
    case('browser.test.assertEq(1, 1, "a");', what="assertEq with everything"),
    case("browser.test.assertEq(1, 2, 3, 4);", what="assertEq is not judged: it is ambiguous"),
    # assertNoLastError: no parameters; unsupported
    case("browser.test.assertNoLastError();", ASSERT_NO_LAST_ERROR, what="assertNoLastError"),
    case(
        "browser.test.assertNoLastError(1);",
        (COUNT, "(1)"),
        ASSERT_NO_LAST_ERROR,
        what="assertNoLastError with too much",
    ),
    # assertLastError: expectedError: string; unsupported
    case('browser.test.assertLastError("a");', ASSERT_LAST_ERROR, what="assertLastError with a string"),
    case(
        "browser.test.assertLastError(/a/);",
        (ARGUMENT, "/a/"),
        ASSERT_LAST_ERROR,
        what="assertLastError with an expression",
    ),
    case(
        "browser.test.assertLastError();",
        (COUNT, "()"),
        ASSERT_LAST_ERROR,
        what="assertLastError with too little",
    ),
    case(
        'browser.test.assertLastError("a", "b");',
        (COUNT, '("a", "b")'),
        ASSERT_LAST_ERROR,
        what="assertLastError with too much",
    ),
    # assertRejects: promise: test.Promise; expectedError: test.ExpectedError (optional); message (optional)
    case("browser.test.assertRejects(Promise.reject());", what="assertRejects with a promise"),
    case("browser.test.assertRejects(new Promise(() => {}));", what="assertRejects with a new promise"),
    case("browser.test.assertRejects(fetch('/'));", what="assertRejects with what may be a promise"),
    case("browser.test.assertRejects({then() {}});", what="assertRejects with an object that has then"),
    case("browser.test.assertRejects({then() {}, more: 1});", what="and that has other properties"),
    case('browser.test.assertRejects(Promise.reject(), "a");', what="assertRejects that expects a text"),
    case("browser.test.assertRejects(Promise.reject(), /a/);", what="assertRejects that expects a match"),
    case('browser.test.assertRejects(Promise.reject(), RegExp("a"));', what="a match made by RegExp"),
    case("browser.test.assertRejects(Promise.reject(), (e) => true);", what="assertRejects with a function"),
    case('browser.test.assertRejects(Promise.reject(), "a", "b");', what="assertRejects with everything"),
    case('browser.test.assertRejects(Promise.reject(), null, "b");', what="assertRejects that expects null"),
    case("browser.test.assertRejects();", (COUNT, "()"), what="assertRejects without a promise"),
    case('browser.test.assertRejects("a");', (ARGUMENT, '"a"'), what="assertRejects with a string"),
    case("browser.test.assertRejects(null);", (ARGUMENT, "null"), what="assertRejects with null"),
    case(
        "browser.test.assertRejects({});", (ARGUMENT, "{}"), what="assertRejects with an object without then"
    ),
    case(
        "browser.test.assertRejects(async () => {});",
        (ARGUMENT, "async () => {}"),
        what="assertRejects with a function that gives a promise",
    ),
    case(
        "browser.test.assertRejects(Promise.reject(), 5);",
        (ARGUMENT, "5"),
        what="assertRejects that expects a number",
    ),
    case(
        'browser.test.assertRejects(Promise.reject(), "a", 5);',
        (ARGUMENT, "5"),
        what="assertRejects with a number for its message",
    ),
    case(
        'browser.test.assertRejects(Promise.reject(), "a", "b", () => {});',
        (COUNT, '(Promise.reject(), "a", "b", () => {})'),
        what="assertRejects takes no callback",
    ),
    # assertThrows: func: function; expectedError: test.ExpectedError (optional); message (optional)
    case("browser.test.assertThrows(() => {});", what="assertThrows with a function"),
    case('browser.test.assertThrows(function () {}, "a");', what="assertThrows that expects a text"),
    case("browser.test.assertThrows(() => {}, /a/);", what="assertThrows that expects a match"),
    case("browser.test.assertThrows(() => {}, Error);", what="assertThrows that expects what a class makes"),
    case("browser.test.assertThrows(() => {}, () => {});", what="assertThrows that expects a function"),
    case('browser.test.assertThrows(() => {}, /a/, "b");', what="assertThrows with everything"),
    case('browser.test.assertThrows(() => {}, undefined, "b");', what="assertThrows that expects undefined"),
    case("browser.test.assertThrows();", (COUNT, "()"), what="assertThrows without a function"),
    case('browser.test.assertThrows("a");', (ARGUMENT, '"a"'), what="assertThrows with a string"),
    case("browser.test.assertThrows(null);", (ARGUMENT, "null"), what="assertThrows with null"),
    case(
        "browser.test.assertThrows(() => {}, 5);", (ARGUMENT, "5"), what="assertThrows that expects a number"
    ),
    case(
        "browser.test.assertThrows(() => {}, {});",
        (ARGUMENT, "{}"),
        what="assertThrows that expects a plain object",
    ),
    case(
        'browser.test.assertThrows(() => {}, new Error("a"));',
        (ARGUMENT, 'new Error("a")'),
        what="assertThrows that expects an error",
    ),
    case(
        "browser.test.assertThrows(() => {}, /a/, 5);",
        (ARGUMENT, "5"),
        what="assertThrows with a number for its message",
    ),
    case(
        'browser.test.assertThrows(() => {}, /a/, "b", 1);',
        (COUNT, '(() => {}, /a/, "b", 1)'),
        what="assertThrows with too much",
    ),
    # section 6: onMessage: message: string; argument: any
    case("browser.test.onMessage.addListener((message, argument) => {});", what="a listener that takes both"),
    case("browser.test.onMessage.addListener(() => {});", what="a listener that takes nothing"),
    case("browser.test.onMessage.removeListener(listener);", what="removeListener"),
    case("browser.test.onMessage.hasListener(listener);", what="hasListener"),
    case(
        "browser.test.onMessage.addListener((message, argument, more) => more);",
        ("callback-parameters", "more"),
        what="a listener that takes too much",
    ),
    case("browser.test.onMessage.addListener();", (COUNT, "()"), what="addListener without a listener"),
    case("browser.test.onMessage.removeListener();", (COUNT, "()"), what="removeListener without a listener"),
    case("browser.test.onMessage.hasListener();", (COUNT, "()"), what="hasListener without a listener"),
    case('browser.test.onMessage.addListener("a");', (ARGUMENT, '"a"'), what="addListener with a string"),
    case("browser.test.onMessage.addListener(null);", (ARGUMENT, "null"), what="addListener with null"),
    case(
        "browser.test.onMessage.removeListener({});", (ARGUMENT, "{}"), what="removeListener with an object"
    ),
    case(
        "browser.test.onMessage.addListener(() => {}, {});",
        (COUNT, "(() => {}, {})"),
        what="addListener with too much",
    ),
    case(
        "browser.test.onMessage.addListner(() => {});",
        ("unknown-api", "browser.test.onMessage.addListner"),
        what="a misspelled method of an event",
    ),
    # names that are missing from the complete lists, and types
    case("browser.test.assertEqual(1, 1);", ("unknown-api", "browser.test.assertEqual"), what="a near miss"),
    case("browser.test.onMesage;", ("unknown-api", "browser.test.onMesage"), what="a misspelled event"),
    case("browser.test.Promise;", ("unknown-api", "browser.test.Promise"), what="a type is no member"),
    case(
        "browser.test.ExpectedError;",
        ("unknown-api", "browser.test.ExpectedError"),
        what="another type is none either",
    ),
]


@pytest.mark.parametrize(("source", "expected"), TEST)
def test_test_in_a_content_script(source: str, expected: Told) -> None:
    assert in_any_order(told(in_content(source))) == in_any_order(expected)


PERMISSIONS = [
    case(
        "browser.management.getAll();",
        GET_ALL,
        ("missing-permission", "browser.management.getAll"),
        what="getAll needs the permission",
    ),
    case(
        'browser.management.get("a");',
        GET,
        ("missing-permission", "browser.management.get"),
        what="get needs the permission",
    ),
    case("browser.management.getSelf();", what="getSelf needs none"),
    case("browser.management.uninstallSelf();", what="uninstallSelf needs none"),
    case("browser.management.ExtensionType;", what="an enum needs none"),
]


@pytest.mark.parametrize(("source", "expected"), PERMISSIONS)
def test_permissions(source: str, expected: Told) -> None:
    assert in_any_order(told(in_background(source))) == in_any_order(expected)
    assert told(in_background(source, optional_permissions=["management"])) == [
        each for each in expected if each[0] != "missing-permission"
    ]


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        pytest.param(["management"], [], id="the permission of the specification"),
        pytest.param(["storage", "tabs"], [], id="other permissions are left alone"),
        pytest.param(["managment"], [("unknown-permission", '"managment"')], id="a misspelled one"),
        pytest.param(["Management"], [("unknown-permission", '"Management"')], id="other letter case"),
    ],
)
def test_the_permission_in_the_manifest(permissions: Sequence[str], expected: Told) -> None:
    assert told({"manifest.json": manifest(permissions=permissions)}) == expected


POPUP = "<!doctype html><script src=a.js></script>"

CONTEXTS = [
    pytest.param({"background": {"service_worker": "a.js"}}, False, id="a service worker"),
    pytest.param({"background": {"scripts": ["a.js"]}}, False, id="a background script"),
    pytest.param({"background": {"page": "a.html"}}, False, id="a background page"),
    pytest.param({"action": {"default_popup": "a.html"}}, False, id="a popup"),
    pytest.param({"options_ui": {"page": "a.html"}}, False, id="an options page"),
    pytest.param(CONTENT, True, id="a content script"),
]


@pytest.mark.parametrize(("keys", "is_content"), CONTEXTS)
def test_contexts(keys: dict[str, object], is_content: bool) -> None:
    """`test` exists only in content scripts, and `management` everywhere else."""
    source = 'browser.test.log("a"); browser.management.getSelf();'
    files = {"manifest.json": manifest(**keys), "a.html": POPUP, "a.js": source}
    wrong = "browser.management.getSelf" if is_content else "browser.test.log"
    assert told(files) == [("wrong-context", wrong)]


def test_an_event_in_the_wrong_context_is_told_once() -> None:
    files = in_background("browser.test.onMessage.addListener(() => {});")
    assert told(files) == [("wrong-context", "browser.test.onMessage")]


def test_chrome_is_the_same_api() -> None:
    assert told(in_background("chrome.management.getSelf(1);")) == [(ARGUMENT, "1")]


def in_any_order(found: Told) -> Told:
    return sorted(found)
