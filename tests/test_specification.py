"""The specification, row by row: valid code is silent, and each mistake is reported at its position.

A case is a script and its findings: the rule and the source text of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from _pytest.mark.structures import ParameterSet
from harness import Files, lint, manifest, reported, text_under

from extlint.registry import RULES

Reported = list[tuple[str, str]]

BACKGROUND = {"background": {"service_worker": "a.js"}}
CONTENT = {"content_scripts": [{"matches": ["https://example.com/*"], "js": ["a.js"]}]}
PERMISSION = {"permissions": ["management"]}

GET_ALL = ("unsupported-api", "browser.management.getAll")
GET = ("unsupported-api", "browser.management.get")
ASSERT_BOOL = ("unsupported-api", "browser.test.assertBool")
CHECK_DEEP_EQ = ("unsupported-api", "browser.test.checkDeepEq")
ASSERT_NO_LAST_ERROR = ("unsupported-api", "browser.test.assertNoLastError")
ASSERT_LAST_ERROR = ("unsupported-api", "browser.test.assertLastError")

USE_RULES = [rule for rule in RULES if rule != "unused-permission"]
"""All rules except `unused-permission`, for packages that may not use the permission they request."""

COUNT = "wrong-argument-count"
ARGUMENT = "invalid-argument"


def case(source: str, *expected: tuple[str, str], name: str) -> ParameterSet:
    return pytest.param(source, list(expected), id=name)


def background_files(source: str, **keys: object) -> Files:
    return {"manifest.json": manifest(**BACKGROUND, **keys), "a.js": source}


def content_files(source: str) -> Files:
    return {"manifest.json": manifest(**CONTENT), "a.js": source}


@cache
def found(*, in_background: bool) -> dict[object, Reported]:
    """Returns the findings of each case in the background or in a content script, which has all cases."""
    sources = [each.values[0] for each in (MANAGEMENT if in_background else TEST)]
    text = "\n".join(map(str, sources))
    files = background_files(text, **PERMISSION) if in_background else content_files(text)
    by_source: dict[object, Reported] = {each: [] for each in sources}
    for each in lint(files, USE_RULES):
        by_source[sources[each.span.start.line - 1]].append((each.rule, text_under(files, each)))
    return by_source


MANAGEMENT = [
    # getAll: callback (function, optional); marked unsupported
    case("browser.management.getAll();", GET_ALL, name="getAll without a callback"),
    case("browser.management.getAll((result) => {});", GET_ALL, name="getAll with a callback"),
    case("browser.management.getAll(null);", GET_ALL, name="getAll with null for the optional callback"),
    case("browser.management.getAll(undefined);", GET_ALL, name="getAll with an explicit undefined"),
    case("browser.management.getAll(5);", (ARGUMENT, "5"), GET_ALL, name="getAll with a number"),
    case(
        "browser.management.getAll(() => {}, 1);",
        (COUNT, "(() => {}, 1)"),
        GET_ALL,
        name="getAll with too many arguments",
    ),
    case(
        "browser.management.getAll((result, more) => more);",
        ("callback-parameters", "more"),
        GET_ALL,
        name="getAll with a callback that takes too much",
    ),
    # get: id (manifest.ExtensionID, required), callback (function, optional); marked unsupported
    case('browser.management.get("a@b");', GET, name="get without a callback"),
    case('browser.management.get("a@b", (result) => {});', GET, name="get with a callback"),
    case('browser.management.get("a@b", null);', GET, name="get with null for the optional callback"),
    case('browser.management.get("");', GET, name="get with any string"),
    case("browser.management.get();", (COUNT, "()"), GET, name="get without its id"),
    case("browser.management.get(5);", (ARGUMENT, "5"), GET, name="get with a number"),
    case("browser.management.get(undefined);", (ARGUMENT, "undefined"), GET, name="get with undefined"),
    case("browser.management.get(null);", (ARGUMENT, "null"), GET, name="get with null"),
    case("browser.management.get({});", (ARGUMENT, "{}"), GET, name="get with an object"),
    case('browser.management.get("a", 5);', (ARGUMENT, "5"), GET, name="get with a number for its callback"),
    case(
        'browser.management.get("a", () => {}, 1);',
        (COUNT, '("a", () => {}, 1)'),
        GET,
        name="get with too many arguments",
    ),
    case(
        'browser.management.get("a", (result, more) => more);',
        ("callback-parameters", "more"),
        GET,
        name="get with a callback that takes too much",
    ),
    # getSelf: callback (function, optional)
    case("browser.management.getSelf();", name="getSelf without a callback"),
    case("browser.management.getSelf((result) => {});", name="getSelf with a callback"),
    case("browser.management.getSelf(function () {});", name="getSelf with a callback that takes nothing"),
    case("browser.management.getSelf(null);", name="getSelf with null for the optional callback"),
    case("browser.management.getSelf(undefined);", name="getSelf with an explicit undefined"),
    case('browser.management.getSelf("x");', (ARGUMENT, '"x"'), name="getSelf with a string"),
    case("browser.management.getSelf({});", (ARGUMENT, "{}"), name="getSelf with an object"),
    case(
        "browser.management.getSelf(() => {}, 1);",
        (COUNT, "(() => {}, 1)"),
        name="getSelf with too many arguments",
    ),
    case(
        "browser.management.getSelf((result, more, most) => more);",
        ("callback-parameters", "more"),
        name="getSelf with a callback that takes too much",
    ),
    # uninstallSelf: options (object, optional), callback (function, optional)
    case("browser.management.uninstallSelf();", name="uninstallSelf without arguments"),
    case("browser.management.uninstallSelf({});", name="uninstallSelf with empty options"),
    case("browser.management.uninstallSelf(() => {});", name="uninstallSelf with a callback alone"),
    case("browser.management.uninstallSelf({}, () => {});", name="uninstallSelf with both"),
    case("browser.management.uninstallSelf(null, () => {});", name="uninstallSelf with null options"),
    case(
        "browser.management.uninstallSelf(undefined, undefined);", name="uninstallSelf with undefined twice"
    ),
    case(
        'browser.management.uninstallSelf({showConfirmDialog: true, dialogMessage: "Sure?"});',
        name="uninstallSelf with every option",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialog: null, dialogMessage: undefined});",
        name="uninstallSelf with null and undefined for optional properties",
    ),
    case(
        'browser.management.uninstallSelf({showConfirmDialog: "yes"});',
        (ARGUMENT, '"yes"'),
        name="showConfirmDialog that is no boolean",
    ),
    case(
        "browser.management.uninstallSelf({dialogMessage: 5}, () => {});",
        (ARGUMENT, "5"),
        name="dialogMessage that is no string",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialog: 1, dialogMessage: true});",
        (ARGUMENT, "1"),
        (ARGUMENT, "true"),
        name="two wrong options",
    ),
    case(
        "browser.management.uninstallSelf({showConfirmDialogue: true});",
        (ARGUMENT, "showConfirmDialogue"),
        name="an unknown option",
    ),
    case('browser.management.uninstallSelf("x");', (ARGUMENT, '"x"'), name="options that are a string"),
    case(
        "browser.management.uninstallSelf(5, () => {});",
        (ARGUMENT, "5"),
        name="options that are a number, and a callback",
    ),
    case(
        "browser.management.uninstallSelf({}, 5);",
        (ARGUMENT, "5"),
        name="uninstallSelf with a number for its callback",
    ),
    case(
        "browser.management.uninstallSelf({}, () => {}, 1);",
        (COUNT, "({}, () => {}, 1)"),
        name="uninstallSelf with too many arguments",
    ),
    case(
        "browser.management.uninstallSelf((result) => result);",
        ("callback-parameters", "result"),
        name="uninstallSelf gives its callback nothing",
    ),
    # the types of section 2
    case("browser.management.ExtensionDisabledReason;", name="ExtensionDisabledReason is an enum"),
    case("browser.management.ExtensionType;", name="ExtensionType is an enum"),
    case("browser.management.ExtensionInstallType.DEVELOPMENT;", name="ExtensionInstallType is an enum"),
    case(
        "browser.management.ExtensionInfo;",
        ("unknown-api", "browser.management.ExtensionInfo"),
        name="ExtensionInfo is no member",
    ),
    case(
        "browser.management.IconInfo;",
        ("unknown-api", "browser.management.IconInfo"),
        name="IconInfo is no member",
    ),
    # section 6: events of management are not shown
    case("browser.management.onInstalled.addListener(() => {});", name="an event that is not shown"),
    # names that are missing from the complete lists
    case(
        "browser.management.getslef();",
        ("unknown-api", "browser.management.getslef"),
        name="a misspelled function",
    ),
    case(
        'browser.management.setEnabled("a", true);',
        ("unknown-api", "browser.management.setEnabled"),
        name="a function that only browsers have",
    ),
    case("browser.managment.getSelf();", ("unknown-api", "browser.managment"), name="a misspelled namespace"),
]


@pytest.mark.parametrize(("source", "expected"), MANAGEMENT)
def test_findings_about_management_in_the_background(source: str, expected: Reported) -> None:
    assert sorted_findings(found(in_background=True)[source]) == sorted_findings(expected)


TEST = [
    # notifyFail: message: string (required)
    case('browser.test.notifyFail("a");', name="notifyFail with a string"),
    case("browser.test.notifyFail(`a ${1}`);", name="notifyFail with a template"),
    case("browser.test.notifyFail();", (COUNT, "()"), name="notifyFail without its message"),
    case("browser.test.notifyFail(5);", (ARGUMENT, "5"), name="notifyFail with a number"),
    case("browser.test.notifyFail(undefined);", (ARGUMENT, "undefined"), name="notifyFail with undefined"),
    case("browser.test.notifyFail(null);", (ARGUMENT, "null"), name="notifyFail with null"),
    case('browser.test.notifyFail("a", "b");', (COUNT, '("a", "b")'), name="notifyFail with too much"),
    # notifyPass: message: string (optional)
    case("browser.test.notifyPass();", name="notifyPass without a message"),
    case('browser.test.notifyPass("a");', name="notifyPass with a string"),
    case("browser.test.notifyPass(undefined);", name="notifyPass with undefined"),
    case("browser.test.notifyPass(null);", name="notifyPass with null"),
    case("browser.test.notifyPass(true);", (ARGUMENT, "true"), name="notifyPass with a boolean"),
    case('browser.test.notifyPass("a", 1);', (COUNT, '("a", 1)'), name="notifyPass with too much"),
    # log: message: string (required)
    case('browser.test.log("a");', name="log with a string"),
    case("browser.test.log();", (COUNT, "()"), name="log without its message"),
    case("browser.test.log({});", (ARGUMENT, "{}"), name="log with an object"),
    case("browser.test.log(null);", (ARGUMENT, "null"), name="log with null"),
    case('browser.test.log("a", () => {});', (COUNT, '("a", () => {})'), name="log with too much"),
    # sendMessage: arg1: any (optional); arg2: any (optional); ambiguous
    case("browser.test.sendMessage();", name="sendMessage with nothing"),
    case('browser.test.sendMessage("a", {b: 1});', name="sendMessage with two arguments"),
    case("browser.test.sendMessage(1, 2, 3);", name="sendMessage is not judged: it is ambiguous"),
    # fail, succeed: message: any (optional)
    case("browser.test.fail();", name="fail with nothing"),
    case("browser.test.fail(undefined);", name="fail with undefined"),
    case("browser.test.fail({a: [1]});", name="fail with anything"),
    case('browser.test.fail("a", "b");', (COUNT, '("a", "b")'), name="fail with too much"),
    case("browser.test.succeed();", name="succeed with nothing"),
    case("browser.test.succeed(null);", name="succeed with null"),
    case("browser.test.succeed(5);", name="succeed with anything"),
    case("browser.test.succeed(1, 2);", (COUNT, "(1, 2)"), name="succeed with too much"),
    # assertTrue, assertFalse: test: any (optional); message: string (optional); ambiguous
    case("browser.test.assertTrue();", name="assertTrue with nothing"),
    case('browser.test.assertTrue(true, "a");', name="assertTrue with both"),
    case("browser.test.assertTrue(1, 2, 3);", name="assertTrue is not judged: it is ambiguous"),
    case('browser.test.assertFalse(false, "a");', name="assertFalse with both"),
    case("browser.test.assertFalse(1, 2, 3);", name="assertFalse is not judged: it is ambiguous"),
    # assertBool: test: string or boolean; expected: boolean; message: string (optional); unsupported
    case("browser.test.assertBool(true, true);", ASSERT_BOOL, name="assertBool with a boolean"),
    case('browser.test.assertBool("true", true, "a");', ASSERT_BOOL, name="assertBool with a string"),
    case("browser.test.assertBool(true, true, null);", ASSERT_BOOL, name="assertBool with a null message"),
    case(
        "browser.test.assertBool(1, true);",
        (ARGUMENT, "1"),
        ASSERT_BOOL,
        name="assertBool with a number to test",
    ),
    case(
        'browser.test.assertBool(true, "true");',
        (ARGUMENT, '"true"'),
        ASSERT_BOOL,
        name="assertBool that expects a string",
    ),
    case(
        "browser.test.assertBool(true, undefined);",
        (ARGUMENT, "undefined"),
        ASSERT_BOOL,
        name="assertBool that expects undefined",
    ),
    case(
        "browser.test.assertBool(true, true, 5);",
        (ARGUMENT, "5"),
        ASSERT_BOOL,
        name="assertBool with a number for its message",
    ),
    case("browser.test.assertBool(true);", (COUNT, "(true)"), ASSERT_BOOL, name="assertBool with too little"),
    case(
        'browser.test.assertBool(true, true, "a", 1);',
        (COUNT, '(true, true, "a", 1)'),
        ASSERT_BOOL,
        name="assertBool with too much",
    ),
    # checkDeepEq: expected: any; actual: any; unsupported; ambiguous
    case("browser.test.checkDeepEq(1, 2);", CHECK_DEEP_EQ, name="checkDeepEq with both"),
    case("browser.test.checkDeepEq(1);", CHECK_DEEP_EQ, name="checkDeepEq is not judged: it is ambiguous"),
    # assertEq: expected: any (optional); actual: any (optional); message: string (optional); ambiguous
    case('browser.test.assertEq(1, 1, "a");', name="assertEq with everything"),
    case("browser.test.assertEq(1, 2, 3, 4);", name="assertEq is not judged: it is ambiguous"),
    # assertNoLastError: no parameters; unsupported
    case("browser.test.assertNoLastError();", ASSERT_NO_LAST_ERROR, name="assertNoLastError"),
    case(
        "browser.test.assertNoLastError(1);",
        (COUNT, "(1)"),
        ASSERT_NO_LAST_ERROR,
        name="assertNoLastError with too much",
    ),
    # assertLastError: expectedError: string; unsupported
    case('browser.test.assertLastError("a");', ASSERT_LAST_ERROR, name="assertLastError with a string"),
    case(
        "browser.test.assertLastError(/a/);",
        (ARGUMENT, "/a/"),
        ASSERT_LAST_ERROR,
        name="assertLastError with an expression",
    ),
    case(
        "browser.test.assertLastError();",
        (COUNT, "()"),
        ASSERT_LAST_ERROR,
        name="assertLastError with too little",
    ),
    case(
        'browser.test.assertLastError("a", "b");',
        (COUNT, '("a", "b")'),
        ASSERT_LAST_ERROR,
        name="assertLastError with too much",
    ),
    # assertRejects: promise: test.Promise; expectedError: test.ExpectedError (optional); message (optional)
    case("browser.test.assertRejects(Promise.reject());", name="assertRejects with a promise"),
    case("browser.test.assertRejects(new Promise(() => {}));", name="assertRejects with a new promise"),
    case("browser.test.assertRejects(fetch('/'));", name="assertRejects with what may be a promise"),
    case("browser.test.assertRejects({then() {}});", name="assertRejects with an object that has then"),
    case("browser.test.assertRejects({then() {}, more: 1});", name="and that has other properties"),
    case('browser.test.assertRejects(Promise.reject(), "a");', name="assertRejects that expects a text"),
    case("browser.test.assertRejects(Promise.reject(), /a/);", name="assertRejects that expects a match"),
    case('browser.test.assertRejects(Promise.reject(), RegExp("a"));', name="a match made by RegExp"),
    case("browser.test.assertRejects(Promise.reject(), (e) => true);", name="assertRejects with a function"),
    case('browser.test.assertRejects(Promise.reject(), "a", "b");', name="assertRejects with everything"),
    case('browser.test.assertRejects(Promise.reject(), null, "b");', name="assertRejects that expects null"),
    case("browser.test.assertRejects();", (COUNT, "()"), name="assertRejects without a promise"),
    case('browser.test.assertRejects("a");', (ARGUMENT, '"a"'), name="assertRejects with a string"),
    case("browser.test.assertRejects(null);", (ARGUMENT, "null"), name="assertRejects with null"),
    case(
        "browser.test.assertRejects({});", (ARGUMENT, "{}"), name="assertRejects with an object without then"
    ),
    case(
        "browser.test.assertRejects(async () => {});",
        (ARGUMENT, "async () => {}"),
        name="assertRejects with a function that gives a promise",
    ),
    case(
        "browser.test.assertRejects(Promise.reject(), 5);",
        (ARGUMENT, "5"),
        name="assertRejects that expects a number",
    ),
    case(
        'browser.test.assertRejects(Promise.reject(), "a", 5);',
        (ARGUMENT, "5"),
        name="assertRejects with a number for its message",
    ),
    case(
        'browser.test.assertRejects(Promise.reject(), "a", "b", () => {});',
        (COUNT, '(Promise.reject(), "a", "b", () => {})'),
        name="assertRejects takes no callback",
    ),
    # assertThrows: func: function; expectedError: test.ExpectedError (optional); message (optional)
    case("browser.test.assertThrows(() => {});", name="assertThrows with a function"),
    case('browser.test.assertThrows(function () {}, "a");', name="assertThrows that expects a text"),
    case("browser.test.assertThrows(() => {}, /a/);", name="assertThrows that expects a match"),
    case("browser.test.assertThrows(() => {}, Error);", name="assertThrows that expects what a class makes"),
    case("browser.test.assertThrows(() => {}, () => {});", name="assertThrows that expects a function"),
    case('browser.test.assertThrows(() => {}, /a/, "b");', name="assertThrows with everything"),
    case('browser.test.assertThrows(() => {}, undefined, "b");', name="assertThrows that expects undefined"),
    case("browser.test.assertThrows();", (COUNT, "()"), name="assertThrows without a function"),
    case('browser.test.assertThrows("a");', (ARGUMENT, '"a"'), name="assertThrows with a string"),
    case("browser.test.assertThrows(null);", (ARGUMENT, "null"), name="assertThrows with null"),
    case(
        "browser.test.assertThrows(() => {}, 5);", (ARGUMENT, "5"), name="assertThrows that expects a number"
    ),
    case(
        "browser.test.assertThrows(() => {}, {});",
        (ARGUMENT, "{}"),
        name="assertThrows that expects a plain object",
    ),
    case(
        'browser.test.assertThrows(() => {}, new Error("a"));',
        (ARGUMENT, 'new Error("a")'),
        name="assertThrows that expects an error",
    ),
    case(
        "browser.test.assertThrows(() => {}, /a/, 5);",
        (ARGUMENT, "5"),
        name="assertThrows with a number for its message",
    ),
    case(
        'browser.test.assertThrows(() => {}, /a/, "b", 1);',
        (COUNT, '(() => {}, /a/, "b", 1)'),
        name="assertThrows with too much",
    ),
    # section 6: onMessage: message: string; argument: any
    case("browser.test.onMessage.addListener((message, argument) => {});", name="a listener that takes both"),
    case("browser.test.onMessage.addListener(() => {});", name="a listener that takes nothing"),
    case("browser.test.onMessage.removeListener(self.listener);", name="removeListener"),
    case("browser.test.onMessage.hasListener(listener);", name="hasListener"),
    case(
        "browser.test.onMessage.addListener((message, argument, more) => more);",
        ("callback-parameters", "more"),
        name="a listener that takes too much",
    ),
    case("browser.test.onMessage.addListener();", (COUNT, "()"), name="addListener without a listener"),
    case("browser.test.onMessage.removeListener();", (COUNT, "()"), name="removeListener without a listener"),
    case("browser.test.onMessage.hasListener();", (COUNT, "()"), name="hasListener without a listener"),
    case('browser.test.onMessage.addListener("a");', (ARGUMENT, '"a"'), name="addListener with a string"),
    case("browser.test.onMessage.addListener(null);", (ARGUMENT, "null"), name="addListener with null"),
    case(
        "browser.test.onMessage.removeListener({});", (ARGUMENT, "{}"), name="removeListener with an object"
    ),
    case(
        "browser.test.onMessage.addListener(() => {}, {});",
        (COUNT, "(() => {}, {})"),
        name="addListener with too much",
    ),
    case(
        "browser.test.onMessage.addListner(() => {});",
        ("unknown-api", "browser.test.onMessage.addListner"),
        name="a misspelled method of an event",
    ),
    # names that are missing from the complete lists, and types
    case("browser.test.assertEqual(1, 1);", ("unknown-api", "browser.test.assertEqual"), name="a near miss"),
    case("browser.test.onMesage;", ("unknown-api", "browser.test.onMesage"), name="a misspelled event"),
    case("browser.test.Promise;", ("unknown-api", "browser.test.Promise"), name="a type is no member"),
    case(
        "browser.test.ExpectedError;",
        ("unknown-api", "browser.test.ExpectedError"),
        name="another type is none either",
    ),
]


@pytest.mark.parametrize(("source", "expected"), TEST)
def test_findings_about_test_api_in_a_content_script(source: str, expected: Reported) -> None:
    assert sorted_findings(found(in_background=False)[source]) == sorted_findings(expected)


PERMISSIONS = [
    case(
        "browser.management.getAll();",
        GET_ALL,
        ("missing-permission", "browser.management.getAll"),
        name="getAll needs the permission",
    ),
    case(
        'browser.management.get("a");',
        GET,
        ("missing-permission", "browser.management.get"),
        name="get needs the permission",
    ),
    case("browser.management.getSelf();", name="getSelf needs none"),
    case("browser.management.uninstallSelf();", name="uninstallSelf needs none"),
    case("browser.management.ExtensionType;", name="an enum needs none"),
]


@pytest.mark.parametrize(("source", "expected"), PERMISSIONS)
def test_use_without_its_permission_is_reported(source: str, expected: Reported) -> None:
    assert sorted_findings(reported(background_files(source))) == sorted_findings(expected)
    assert reported(background_files(source, optional_permissions=["management"])) == [
        each for each in expected if each[0] != "missing-permission"
    ]


@pytest.mark.parametrize(
    ("permissions", "expected"),
    [
        pytest.param(["management"], [], id="the permission of the specification"),
        pytest.param(["storage", "tabs"], [], id="other permissions are ignored"),
        pytest.param(["managment"], [("unknown-permission", '"managment"')], id="a misspelled one"),
        pytest.param(["Management"], [("unknown-permission", '"Management"')], id="other letter case"),
    ],
)
def test_manifest_permissions_are_checked(permissions: Sequence[str], expected: Reported) -> None:
    assert reported({"manifest.json": manifest(permissions=permissions)}) == expected


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
def test_namespaces_depend_on_the_context(keys: dict[str, object], is_content: bool) -> None:
    """`test` exists only in content scripts, and `management` everywhere else."""
    source = 'browser.test.log("a"); browser.management.getSelf();'
    files = {"manifest.json": manifest(**keys), "a.html": POPUP, "a.js": source}
    wrong = "browser.management.getSelf" if is_content else "browser.test.log"
    assert reported(files) == [("wrong-context", wrong)]


def test_event_in_the_wrong_context_is_reported_once() -> None:
    files = background_files("browser.test.onMessage.addListener(() => {});")
    assert reported(files) == [("wrong-context", "browser.test.onMessage")]


def test_chrome_root_is_the_same_api() -> None:
    assert reported(background_files("chrome.management.getSelf(1);")) == [(ARGUMENT, "1")]


def sorted_findings(found: Reported) -> Reported:
    return sorted(found)
