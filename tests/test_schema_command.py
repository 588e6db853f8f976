"""`extlint schema`: full outputs, compared byte for byte with `snapshots/schema/`, and its errors.

EXTLINT_SNAPSHOTS=write updates the snapshots.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from test_cli_snapshots import UPDATE_HINT

from extlint.cli.main import main
from extlint.cli.program import extlint
from extlint.schema.engine import Engine
from extlint.schema.model import SchemaSet
from extlint.schema.targets import schema_set
from extlint.services.api_lookup.lookup import find_entries
from extlint.services.api_lookup.page import page
from extlint.services.name_lookup import unknown_name

SNAPSHOTS = Path(__file__).parent / "snapshots" / "schema"

COMMANDS = {
    "everything": "",
    "a-namespace": "management",
    "an-unsupported-function": "management.getAll",
    "a-function-with-options": "management.uninstallSelf",
    "an-ambiguous-function": "test.sendMessage",
    "a-function-without-parameters": "test.assertNoLastError",
    "a-promise": "test.assertRejects",
    "an-event": "test.onMessage",
    "an-object-type": "management.ExtensionInfo",
    "an-enum": "management.ExtensionInstallType",
    "a-choice-of-types": "test.ExpectedError",
    "a-permission": "manifest.Permission",
    "json": "management.get --output-format json",
    "of-every-browser": "tabs.query",
    "firefox-alone": "sidebarAction.open",
    "chrome-alone": "sidePanel.open",
    "a-nested-namespace": "devtools.panels --target firefox",
    "a-namespace-of-namespaces": "devtools --target chrome",
    "a-function-of-an-object": "storage.local.get --target chrome",
    "an-object-with-functions": "storage.session --target firefox",
    "a-type-with-functions": "runtime.Port --target chrome",
    "a-function-of-a-type": "runtime.Port.postMessage --target chrome",
    "a-setting": "privacy.network.webRTCIPHandlingPolicy --target firefox",
    "permissions-of-calls": "downloads.open --target chrome",
    "not-in-service-workers": "tabCapture.capture --target chrome",
    "gone-with-version-2": "tabs.executeScript --target chrome",
    "a-namespace-of-version-2": "browserAction.setTitle --target chrome",
    "a-manifest-key": "action.setIcon --target firefox",
    "an-event-with-more-arguments": "webRequest.onBeforeRequest --target firefox",
    "an-enum-of-a-browser": "runtime.PlatformOs --target firefox",
    "a-property-of-a-type": "tabs.Tab.favIconUrl --target firefox",
    "not-in-that-browser": "sidePanel.open --target safari",
    "a-constant": "tabs.TAB_ID_NONE --target chrome",
    "platforms": "enterprise.deviceAttributes.getDeviceHostname --target chrome",
    "a-browser-as-json": "cookies.get --target chrome --output-format json",
    "everything-of-a-browser": "--target firefox",
    "several-targets": "cookies.getPartitionKey --target chrome,edge",
    "a-key-of-the-manifest": "background.service_worker",
    "a-key-of-one-manifest-version": "manifest.host_permissions --target firefox",
    "a-key-with-keys": "content_scripts --target chrome,firefox",
    "a-permission-that-asks": "topSites",
    "a-permission-without-api": "activeTab --target chrome",
    "help": "--help",
}


def output(*arguments: str) -> str:
    runner = CliRunner(env={"COLUMNS": "80"})
    result = runner.invoke(extlint, ["schema", *arguments], prog_name="extlint", standalone_mode=False)
    assert result.exit_code == 0
    return result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_output_matches_its_snapshot(name: str) -> None:
    command = f"extlint schema {COMMANDS[name]}".rstrip()
    text = f"$ {command}\n{output(*COMMANDS[name].split())}"
    snapshot = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("EXTLINT_SNAPSHOTS") == "write":
        snapshot.write_text(text, "utf-8", newline="\n")
    assert snapshot.exists(), f"{name}.txt does not exist; {UPDATE_HINT}"
    assert snapshot.read_bytes().decode() == text, (
        f"{name}.txt (left) differs from the output (right); {UPDATE_HINT}"
    )


def test_every_snapshot_has_a_command() -> None:
    found = {path.stem for path in SNAPSHOTS.glob("*.txt")}
    assert found == set(COMMANDS), (
        "each command has a file, and each file a command; delete a file that has none"
    )


@pytest.mark.parametrize(
    ("name", "same_as"),
    [
        pytest.param("browser.management.getSelf", "management.getSelf", id="with the root browser"),
        pytest.param("chrome.management.getSelf", "management.getSelf", id="with the root chrome"),
        pytest.param("management.getSelf()", "management.getSelf", id="with parentheses"),
        pytest.param("chrome.management.getSelf(self => {})", "management.getSelf", id="a whole call"),
        pytest.param("test.onMessage.addListener", "test.onMessage", id="a method of an event"),
        pytest.param("browser.test", "test", id="a namespace with its root"),
    ],
)
def test_name_with_root_has_the_same_output(name: str, same_as: str) -> None:
    assert output(name) == output(same_as)


def test_json_without_a_name_lists_all_members() -> None:
    listed: dict[str, Any] = json.loads(output("--output-format", "json"))
    assert (listed["version"], listed["target"]) == (1, "reference")
    members = {entry["name"]: {each["name"] for each in entry["members"]} for entry in listed["entries"]}
    assert set(members) == {"management", "manifest", "test"}
    assert {"management.getAll", "management.ExtensionInfo"} < members["management"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(
            ["managment"],
            "no such API, manifest key or permission: managment; did you mean management?",
            id="a misspelled namespace",
        ),
        pytest.param(
            ["browser.management.getall"],
            "no such API, manifest key or permission: browser.management.getall; "
            "did you mean management.getAll?",
            id="letter case",
        ),
        pytest.param(
            ["mangement.gteSelf()"],
            "no such API, manifest key or permission: mangement.gteSelf(); did you mean management.getSelf?",
            id="a mistake in each part",
        ),
        pytest.param(
            ["assertEq"],
            "no such API, manifest key or permission: assertEq; did you mean test.assertEq?",
            id="a member without its namespace",
        ),
        pytest.param(
            ["management.ExtensionInfo.instalType"],
            "no such API, manifest key or permission: management.ExtensionInfo.instalType; "
            "did you mean management.ExtensionInfo.installType?",
            id="a property of a type",
        ),
        pytest.param(
            ["management.ExtensionInfo.size.width"],
            "no such API, manifest key or permission: management.ExtensionInfo.size.width; "
            "did you mean management.ExtensionInfo?",
            id="a member missing from a type",
        ),
        pytest.param(
            ["management.setEnabled"],
            "no such API in the target reference: management.setEnabled; "
            "it is available in today's Chrome and Firefox",
            id="a member that browsers have",
        ),
        pytest.param(
            ["frobnicate.get.set"],
            "no such API, manifest key or permission: frobnicate.get.set; "
            "extlint schema lists the namespaces",
            id="an unknown namespace",
        ),
        pytest.param(
            ["tabs.qurey"],
            "no such API, manifest key or permission: tabs.qurey; did you mean tabs.query?",
            id="a misspelled member of another namespace, which browsers have",
        ),
        pytest.param(
            ["storage.lcoal.get"],
            "no such API, manifest key or permission: storage.lcoal.get; did you mean storage.local.get?",
            id="a mistake in the middle",
        ),
        pytest.param(
            ["devtools.panel.create", "--target", "firefox"],
            "no such API in the target firefox: devtools.panel.create; did you mean devtools.panels.create?",
            id="a misspelled nested namespace",
        ),
        pytest.param(
            ["runtime.executeScript", "--target", "chrome"],
            "no such API in the target chrome: runtime.executeScript; "
            "did you mean scripting.executeScript or tabs.executeScript?",
            id="a member of other namespaces",
        ),
        pytest.param(
            ["tabs.frobnicate", "--target", "chrome"],
            "no such API in the target chrome: tabs.frobnicate; extlint schema --target chrome lists all",
            id="nothing like it",
        ),
        pytest.param(
            ["--target", "refrence"],
            "no such target: refrence; did you mean reference?",
            id="a misspelled target",
        ),
        pytest.param(
            ["--output-format", "jso"],
            "no such output format: jso; did you mean json?",
            id="a misspelled format",
        ),
    ],
)
def test_unknown_name_has_a_one_sentence_error(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["schema", *arguments]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")


@pytest.mark.parametrize("name", ["", ".", "..", "(", "management.", "a." * 2_000, "\N{SNOWMAN}", "test.\0"])
@pytest.mark.parametrize("target", ["reference", "firefox", "chrome"])
def test_malformed_names_are_unknown(target: str, name: str) -> None:
    schemas = schema_set(target)
    assert find_entries(schemas, name) == ()
    assert "no such API" in unknown_name(schemas, (), name)


ADDRESSES = {
    "a namespace": ("firefox", "tabs", "tabs"),
    "a nested namespace": ("firefox", "devtools.panels", "devtools/panels"),
    "a function": ("firefox", "devtools.panels.create", "devtools/panels/create"),
    "the other name of menus": ("firefox", "contextMenus.create", "menus/create"),
    "a function of a type": ("firefox", "storage.sync.set", "storage/StorageArea/set"),
    "a setting on the page of its namespace": (
        "firefox",
        "privacy.network.networkPredictionEnabled",
        "privacy/network",
    ),
    "an API without a page": ("firefox", "activityLog.onExtensionActivity", None),
    "Chrome's function": ("chrome", "tabs.query", "tabs#method-query"),
    "Chrome's event": ("chrome", "tabs.onUpdated", "tabs#event-onUpdated"),
    "Chrome's type": ("chrome", "tabs.Tab", "tabs#type-Tab"),
    "Chrome's enum": ("chrome", "tabs.TabStatus", "tabs#type-TabStatus"),
    "Chrome's property": ("chrome", "tabs.TAB_ID_NONE", "tabs#property-TAB_ID_NONE"),
    "a nested page": ("chrome", "devtools.network.getHAR", "devtools/network#method-getHAR"),
    "a type with its own page": (
        "chrome",
        "storage.local.get",
        "storage/StorageArea#method-StorageArea-get",
    ),
    "a setting": (
        "chrome",
        "privacy.network.webRTCIPHandlingPolicy",
        "privacy#property-network-webRTCIPHandlingPolicy",
    ),
}
SITES = {
    "firefox": "https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/API/",
    "chrome": "https://developer.chrome.com/docs/extensions/reference/api/",
}


@pytest.mark.parametrize(("target", "name", "page_name"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_documentation_url_matches_the_browser_site(target: str, name: str, page_name: str | None) -> None:
    found = {each.documentation for each in find_entries(schema_set(target), name)}
    assert found == {None if page_name is None else SITES[target] + page_name}


def test_lookup_reads_only_the_requested_namespace() -> None:
    def fail_on_read() -> list[dict[str, Any]]:
        raise AssertionError("read without need")

    api = {"namespace": "api.inner", "functions": [{"name": "f", "type": "function", "parameters": []}]}
    stored = {"other": fail_on_read, "api": fail_on_read, "api.inner": lambda: [api]}
    schemas = SchemaSet("firefox", engine=Engine.GECKO, stored=stored)
    assert [each.signature for each in find_entries(schemas, "api.inner.f")] == ["api.inner.f()"]


def invented_schemas(**keys: Any) -> SchemaSet:
    return SchemaSet("made up", [{"namespace": "api", **keys}])


def test_function_has_one_page_per_manifest_version() -> None:
    schemas = invented_schemas(
        permissions=["a"],
        allowedContexts=["content"],
        defaultContexts=["content", "devtools"],
        functions=[
            {
                "name": "paint",
                "type": "function",
                "permissions": ["b", "c"],
                "deprecated": "Use draw.",
                "max_manifest_version": 2,
                "parameters": [{"name": "size", "type": "integer", "minimum": 1, "maximum": 9}],
                "returns": {"type": "boolean"},
            },
            {"name": "paint", "type": "function", "min_manifest_version": 3, "parameters": []},
        ],
    )
    old, new = map(page, find_entries(schemas, "api.paint"))
    assert (
        old
        == """\
api.paint(size)

Target      made up
Status      deprecated
Permission  a, and b or c
Contexts    content scripts
Manifest    V2 only
Parameters
  size  integer, at least 1, at most 9
Result      boolean; returned
"""
    )
    assert "Manifest    V3 only\n" in new


def test_page_describes_types_briefly() -> None:
    kinds = {
        "a": {"type": "null"},
        "b": {"type": "boolean", "enum": [True]},
        "c": {"type": "number"},
        "d": {"type": "binary"},
        "e": {"type": "function"},
        "f": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "string"}}}},
        "g": {"choices": [{"type": "string", "enum": ["on", "off"]}, {"type": "any"}]},
        "h": {"type": "object", "properties": {name: {"type": "any"} for name in "wxyz"}},
    }
    properties = {"MAX": {"value": 3}, "box": {"$ref": "Box"}}
    schemas = invented_schemas(
        types=[{"id": "Box", "type": "object", "properties": kinds}], properties=properties
    )
    (box,), (most,), (own,) = (find_entries(schemas, name) for name in ("api.Box", "api.MAX", "api.box"))
    assert [(each.name, each.type) for each in box.properties] == [
        ("a", "null"),
        ("b", "true"),
        ("c", "number"),
        ("d", "binary data"),
        ("e", "function"),
        ("f", "array of object with x"),
        ("g", '"on" or "off" or any value'),
        ("h", "object"),
    ]
    assert [each.name for each in box.properties[5].parts] == ["x"]
    assert (most.kind, most.type, own.type) == ("property", None, "api.Box")
