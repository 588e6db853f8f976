"""Availability of members, decided from their position, guards and contexts."""

from __future__ import annotations

import json

import pytest
from harness import lint
from msgspec.structs import replace
from packages import package_of

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath, FailureHandling, Guards, Reference, ScriptFacts
from extlint.checks.api.unavailability import Reason
from extlint.checks.availability.missing_references import missing_references
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.schema.targets import schema_set
from extlint.text.json.reader import read_json
from extlint.text.positions import TextIndex

BACKGROUND = ContextKind.BACKGROUND
CONTENT = ContextKind.CONTENT_SCRIPT
POPUP = ContextKind.EXTENSION_PAGE
OFFSCREEN = ContextKind.OFFSCREEN
MAIN = ContextKind.MAIN_WORLD
SANDBOX = ContextKind.SANDBOX
DEVTOOLS = ContextKind.DEVTOOLS_PAGE
ANYWHERE: tuple[ContextKind, ...] = ()


def api_path(name: str) -> ApiPath:
    return tuple(name.split("."))


def reasons(
    reference: Reference,
    contexts: tuple[ContextKind, ...],
    permissions: object = ("management",),
    key: str = "permissions",
) -> list[str]:
    """Returns the names of the reasons why a reference fails in a script with these contexts."""
    text = json.dumps({key: permissions}).encode()
    script = Script(
        "a.js",
        ScriptFacts(references=(reference,)),
        TextIndex(b" " * 99),
        tuple(Context(kind) for kind in contexts),
    )
    extension = Extension(
        package_of({"manifest.json": text}),
        Manifest("manifest.json", text, read_json(text)),
        [script],
        schema_set("reference"),
    )
    return [reason.name for reason in Reason for _ in missing_references(extension, reason)]


def reference_to(name: str, *, tested: tuple[str, ...] = (), missing: tuple[str, ...] = ()) -> Reference:
    guards = Guards(frozenset(map(api_path, tested)), missing=frozenset(map(api_path, missing)))
    return Reference(api_path(name), "browser", (0, 10), guards)


@pytest.mark.parametrize(
    ("name", "contexts", "expected"),
    [
        pytest.param("management.getSelf", ANYWHERE, [], id="a member that is there"),
        pytest.param("management", ANYWHERE, [], id="a namespace that is there"),
        pytest.param("management.getAll", ANYWHERE, ["UNSUPPORTED"], id="an unsupported function"),
        pytest.param("management.getSlef", ANYWHERE, ["UNKNOWN"], id="a misspelled function"),
        pytest.param(
            "management.setEnabled", ANYWHERE, ["UNKNOWN"], id="a browser function outside the specification"
        ),
        pytest.param("management.ExtensionType", ANYWHERE, [], id="an enum is a member"),
        pytest.param("management.ExtensionType.EXTENSION", ANYWHERE, [], id="a constant of an enum"),
        pytest.param("management.ExtensionInfo", ANYWHERE, ["UNKNOWN"], id="an object type is not a member"),
        pytest.param("management.onEnabled", ANYWHERE, [], id="events of management are not shown"),
        pytest.param("management.onenabled", ANYWHERE, ["UNKNOWN"], id="a wrongly capitalized event name"),
        pytest.param("management.getSelf.name", ANYWHERE, [], id="a JavaScript property of a function"),
        pytest.param("management.getSelf.call.bind", ANYWHERE, [], id="at any depth"),
        pytest.param("management.hasOwnProperty", ANYWHERE, [], id="an inherited object method"),
        pytest.param("test.onMessage", ANYWHERE, [], id="an event"),
        pytest.param("test.onMessage.hasListener", ANYWHERE, [], id="a method of an event"),
        pytest.param(
            "test.onMessage.hasListeners", ANYWHERE, ["UNKNOWN"], id="a method of Chromium's events"
        ),
        pytest.param("test.onMessage.toString", ANYWHERE, [], id="an inherited method of an event"),
        pytest.param("test.onMessage.dispatch", ANYWHERE, ["UNKNOWN"], id="no method of an event"),
        pytest.param("test.onMessage.dispatch.call", ANYWHERE, [], id="and what is below it is its own"),
        pytest.param("test.onTestStarted", ANYWHERE, ["UNKNOWN"], id="the events of test are all shown"),
        pytest.param("managment", ANYWHERE, ["UNKNOWN"], id="a near miss of a namespace"),
        pytest.param("managment.getAll", ANYWHERE, [], id="a member of a misspelled namespace"),
        pytest.param("tabs", ANYWHERE, [], id="a namespace that the schemas do not describe"),
        pytest.param("tabs.qeury", ANYWHERE, [], id="and its members"),
        pytest.param("tts", ANYWHERE, [], id="a real namespace is not a near miss"),
        pytest.param("text", ANYWHERE, [], id="nor is a word that looks like one"),
        pytest.param("manifest.ExtensionID", ANYWHERE, [], id="manifest is not a script namespace"),
        pytest.param("toString", ANYWHERE, [], id="an inherited method of the root"),
    ],
)
def test_member_lookup(name: str, contexts: tuple[ContextKind, ...], expected: list[str]) -> None:
    assert reasons(reference_to(name), contexts) == expected


@pytest.mark.parametrize(
    ("name", "contexts", "expected"),
    [
        pytest.param("test.log", (CONTENT,), [], id="test in a content script"),
        pytest.param("test.log", (BACKGROUND,), ["CONTEXT"], id="test in the background"),
        pytest.param("test.log", (ContextKind.SERVICE_WORKER,), ["CONTEXT"], id="test in a worker"),
        pytest.param("test.log", (POPUP,), ["CONTEXT"], id="test in a popup"),
        pytest.param("test.log", (DEVTOOLS,), ["CONTEXT"], id="test in developer tools"),
        pytest.param("test.log", (MAIN,), ["CONTEXT"], id="test in the main world"),
        pytest.param("test.log", (SANDBOX,), ["CONTEXT"], id="test in a sandbox"),
        pytest.param("test.log", ANYWHERE, [], id="the test namespace in unknown contexts"),
        pytest.param("test", (BACKGROUND,), [], id="the namespace without a member"),
        pytest.param("test.assertBool", (BACKGROUND,), ["CONTEXT"], id="nothing else about availability"),
        pytest.param("test.lgo", (BACKGROUND,), ["CONTEXT"], id="nor about a name that does not exist"),
        pytest.param("test.onMessage", (POPUP,), ["CONTEXT"], id="an event"),
        pytest.param("test.onMessage.addListener", (POPUP,), [], id="a method of an event reported once"),
        pytest.param("management.getSelf", (BACKGROUND,), [], id="management in the background"),
        pytest.param("management.getSelf", (POPUP,), [], id="management in a popup"),
        pytest.param("management.getSelf", (DEVTOOLS,), [], id="management in developer tools"),
        pytest.param("management.getSelf", (CONTENT,), ["CONTEXT"], id="management in a content script"),
        pytest.param("management.getSelf", (MAIN,), ["CONTEXT"], id="management in the main world"),
        pytest.param(
            "management.getSelf", (OFFSCREEN,), ["CONTEXT"], id="management in an offscreen document"
        ),
        pytest.param("test.log", (OFFSCREEN,), ["CONTEXT"], id="test in an offscreen document"),
        pytest.param(
            "runtime.getURL", (OFFSCREEN,), [], id="an undescribed function in an offscreen document"
        ),
        pytest.param("management.getSelf", (CONTENT, POPUP), [], id="works in one of two contexts"),
        pytest.param("management.getSelf", (CONTENT, MAIN), ["CONTEXT"], id="works in none of two"),
        pytest.param("management.getAll", (CONTENT, POPUP), ["UNSUPPORTED"], id="or would, if it existed"),
    ],
)
def test_each_context_has_a_subset_of_the_api(
    name: str, contexts: tuple[ContextKind, ...], expected: list[str]
) -> None:
    assert reasons(reference_to(name), contexts) == expected


IN_PAGES = [
    pytest.param("chrome.storage.local", ["CONTEXT"], ["CONTEXT"], id="a namespace of browsers"),
    pytest.param("browser.menus.create", ["CONTEXT"], ["CONTEXT"], id="a namespace of one browser"),
    pytest.param("chrome.runtime.getURL('a')", ["CONTEXT"], ["CONTEXT"], id="runtime, but for messages"),
    pytest.param("chrome.runtime.onMessage", ["CONTEXT"], ["CONTEXT"], id="an event of runtime"),
    pytest.param("chrome.runtime.sendMessage({})", ["CONTEXT"], [], id="messages"),
    pytest.param("chrome.runtime.sendMessage('hello')", ["CONTEXT"], [], id="messages of text"),
    pytest.param("chrome.runtime.connect()", ["CONTEXT"], [], id="connections"),
    pytest.param("chrome.runtime.sendMessage(id, {})", [], [], id="messages to another extension"),
    pytest.param(
        "chrome.runtime.sendMessage('abcdefghijklmnopabcdefghijklmnop', {})", [], [], id="to one by its id"
    ),
    pytest.param("chrome.runtime.connect('a@x.org', {})", [], [], id="to one by Firefox's kind of id"),
    pytest.param(
        "let { sendMessage } = chrome.runtime",
        [],
        [],
        id="a destructured sendMessage with an unknown recipient",
    ),
    pytest.param("chrome.runtime.id", ["CONTEXT"], [], id="the id"),
    pytest.param("chrome.runtime", [], [], id="the runtime namespace itself"),
    pytest.param("chrome.app.getDetails()", [], [], id="the app object of web pages"),
    pytest.param("chrome.loadTimes()", [], [], id="a global function of web pages"),
    pytest.param("chrome.csi().x", [], [], id="another global function of web pages"),
    pytest.param("chrome.webstore.install()", [], [], id="a former global of web pages"),
    pytest.param("chrome.frobnicate.x", [], [], id="a name that no browser has"),
    pytest.param("chrome.storage?.local", [], [], id="with a test"),
    pytest.param("if (chrome.runtime?.id) chrome.storage.local", [], [], id="behind a test of any API"),
    pytest.param("try { chrome.storage.local } catch {}", [], [], id="where it may fail"),
]


@pytest.mark.parametrize(("source", "expected", "connectable"), IN_PAGES)
def test_main_world_has_only_messaging_if_connectable(
    source: str, expected: list[str], connectable: list[str]
) -> None:
    manifest: dict[str, object] = {"content_scripts": [{"js": ["a.js"], "world": "MAIN"}]}
    assert context_reasons(source, manifest) == expected
    connecting = {**manifest, "externally_connectable": {"matches": ["*://x.org/*"]}}
    assert context_reasons(source, connecting) == connectable


@pytest.mark.parametrize("source", ["chrome.runtime.sendMessage({})", "chrome.runtime.connect('a@x.org')"])
def test_sandboxed_pages_are_not_connectable(source: str) -> None:
    manifest: dict[str, object] = {
        "sandbox": {"pages": ["p.html"]},
        "externally_connectable": {"matches": ["*://x.org/*"]},
    }
    assert context_reasons(source, manifest) == ["CONTEXT"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("chrome.storage.local", ["CONTEXT"], id="on load"),
        pytest.param("() => chrome.storage.local", [], id="perhaps where it exists"),
    ],
)
def test_script_in_main_and_isolated_world(source: str, expected: list[str]) -> None:
    manifest: dict[str, object] = {"content_scripts": [{"js": ["a.js"], "world": "MAIN"}, {"js": ["a.js"]}]}
    assert context_reasons(source, manifest) == expected


def context_reasons(source: str, manifest: dict[str, object]) -> list[str]:
    files = {"a.js": source, "p.html": "<script src=a.js></script>", "manifest.json": json.dumps(manifest)}
    return ["CONTEXT" for _ in lint(files, ["wrong-context"])]


def test_code_run_on_load_must_work_in_every_context() -> None:
    reference = replace(reference_to("management.getSelf"), on_load=True)
    assert reasons(reference, (CONTENT, POPUP)) == ["CONTEXT"]


@pytest.mark.parametrize(
    ("name", "permissions", "expected"),
    [
        pytest.param("management.getAll", [], ["UNSUPPORTED", "PERMISSION"], id="two mistakes at once"),
        pytest.param("management.get", ["tabs"], ["UNSUPPORTED", "PERMISSION"], id="another permission"),
        pytest.param("management.get", ["management"], ["UNSUPPORTED"], id="the right permission"),
        pytest.param("management.getSelf", [], [], id="no permission required"),
        pytest.param("management.uninstallSelf", [], [], id="no permission required for another function"),
        pytest.param("management.get", "management", ["UNSUPPORTED", "PERMISSION"], id="no list at all"),
    ],
)
def test_permission_requirements(name: str, permissions: object, expected: list[str]) -> None:
    assert reasons(reference_to(name), (BACKGROUND,), permissions) == expected


@pytest.mark.parametrize(
    ("name", "tested", "contexts", "expected"),
    [
        pytest.param(
            "management.getSlef", ["management.getSlef"], ANYWHERE, ["UNKNOWN"], id="a nonexistent member"
        ),
        pytest.param("management.getSlef", ["management"], ANYWHERE, ["UNKNOWN"], id="its namespace"),
        pytest.param("management.getSlef", ["management.getSelf"], ANYWHERE, ["UNKNOWN"], id="a neighbor"),
        pytest.param("management.getAll", ["management"], ANYWHERE, ["UNSUPPORTED"], id="its namespace too"),
        pytest.param("management.getAll", ["management.getAll"], ANYWHERE, [], id="an unsupported member"),
        pytest.param("management.hideAll", ["management.hideAll"], ANYWHERE, [], id="the member itself"),
        pytest.param("managment", ["managment"], ANYWHERE, ["UNKNOWN"], id="a nonexistent namespace"),
        pytest.param("test.log", ["test"], (POPUP,), [], id="a namespace that is not there"),
        pytest.param("test.log", ["test.fail"], (POPUP,), [], id="another member of that namespace"),
        pytest.param("test.assertBool", ["test.fail"], (POPUP,), [], id="where nothing of it can run"),
        pytest.param("test.log", ["management"], (POPUP,), ["CONTEXT"], id="another namespace"),
        pytest.param("management.getSelf", ["runtime"], (MAIN,), [], id="any API in a context without one"),
        pytest.param(
            "test.onMessage", ["test.onMessage.addListener"], (POPUP,), [], id="a guard on a method below it"
        ),
        pytest.param(
            "test.onMessage.x", ["test.onMessage"], ANYWHERE, ["UNKNOWN"], id="a guard on the event above it"
        ),
        pytest.param("test.onMessage.x", ["test.onMessage.x"], ANYWHERE, [], id="a method of an event"),
    ],
)
def test_guard_covers_the_tested_members(
    name: str, tested: list[str], contexts: tuple[ContextKind, ...], expected: list[str]
) -> None:
    assert reasons(reference_to(name, tested=tuple(tested)), contexts) == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        pytest.param(
            reference_to("management.get", tested=("management.getAll",)),
            [],
            id="an unsupported member as the guard",
        ),
        pytest.param(
            reference_to("management.get", tested=("test",)), [], id="an API of another context as the guard"
        ),
        pytest.param(
            reference_to("management.get", tested=("tabs",)),
            ["UNSUPPORTED"],
            id="a possibly available namespace as the guard",
        ),
        pytest.param(
            reference_to("management.get", missing=("management.getSelf",)), [], id="in spite of what is"
        ),
        pytest.param(
            reference_to("management.get", missing=("management",)), [], id="in spite of its namespace"
        ),
        pytest.param(
            reference_to("management.get", missing=("management.getAll",)),
            ["UNSUPPORTED"],
            id="without what is not",
        ),
        pytest.param(
            reference_to("management.get", missing=("tabs.query",)),
            ["UNSUPPORTED"],
            id="without what may be there",
        ),
    ],
)
def test_unreachable_branch_is_not_reported(reference: Reference, expected: list[str]) -> None:
    assert reasons(reference, (BACKGROUND,)) == expected


def test_tested_or_recovered_reference_is_not_reported() -> None:
    assert reasons(replace(reference_to("management.getAll"), only_tested=True), ANYWHERE) == []
    assert (
        reasons(
            replace(reference_to("management.getAll"), guards=Guards(failure=FailureHandling.RECOVERED)),
            ANYWHERE,
        )
        == []
    )


def test_optional_permission_satisfies_requirement() -> None:
    optional = (["management"], "optional_permissions")
    assert reasons(reference_to("management.getAll"), (BACKGROUND,), *optional) == ["UNSUPPORTED"]
