from __future__ import annotations

from typing import Any

import pytest

from extlint_facts.chrome.manifest import manifest, required_only_permissions
from extlint_facts.chrome.syntax import parse

SOURCE = """
declare namespace chrome {
  export namespace runtime {
    interface ManifestIcons { [size: number]: string; }
    interface ManifestAction { default_title?: string | undefined; default_state?: "enabled" | "disabled"; }
    interface SearchProvider { search_url: string; }
    type ManifestPermission = | "tabs" | "debugger" | "alarms";
    type ManifestOptionalPermission = Exclude<ManifestPermission, | "debugger">;
    interface ManifestBase {
      manifest_version: number;
      name: string;
      icons?: ManifestIcons | undefined;
      commands?: { [name: string]: { global?: boolean } } | undefined;
      [key: string]: any;
    }
    interface ManifestV2 extends ManifestBase {
      manifest_version: 2;
      browser_action?: Omit<ManifestAction, "default_state"> | undefined;
      web_accessible_resources?: string[] | undefined;
      content_scripts?: Array<{ run_at?: extensionTypes.RunAt; other?: unheard.Of }> | undefined;
    }
    interface ManifestV3 extends ManifestBase {
      manifest_version: 3;
      permissions?: ManifestPermission[] | undefined;
      web_accessible_resources?:
        | Array<& { resources: string[] } & (| { ids: string[] } | { matches: string[] })>
        | undefined;
    }
  }
}"""


@pytest.fixture(scope="module")
def types() -> dict[str, Any]:
    found = manifest(parse(SOURCE), ["extensionTypes.RunAt"], ["dns"])
    assert found["namespace"] == "manifest"
    return {each["id"]: each for each in found["types"]}


ANY = {"additionalProperties": {"type": "any"}}
STRINGS = {"type": "array", "items": {"type": "string"}}
RESOURCES = {
    "type": "object",
    "properties": {
        "resources": STRINGS,
        "ids": {**STRINGS, "optional": True},
        "matches": {**STRINGS, "optional": True},
    },
    **ANY,
}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param("name", {"type": "string"}, id="a required key"),
        pytest.param("icons", {"$ref": "ManifestIcons", "optional": True}, id="a named part"),
        pytest.param("manifest_version", {"type": "integer", "minimum": 2, "maximum": 3}, id="the version"),
        pytest.param(
            "browser_action",
            {"$ref": "ManifestAction", "optional": True, "max_manifest_version": 2},
            id="Manifest V2 only",
        ),
        pytest.param(
            "permissions",
            {"type": "array", "items": {"$ref": "Permission"}, "optional": True, "min_manifest_version": 3},
            id="Manifest V3 only",
        ),
        pytest.param(
            "web_accessible_resources",
            {
                "choices": [
                    {**STRINGS, "max_manifest_version": 2},
                    {"type": "array", "items": RESOURCES, "min_manifest_version": 3},
                ],
                "optional": True,
            },
            id="of another type in each version",
        ),
        pytest.param(
            "content_scripts",
            {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "run_at": {"$ref": "extensionTypes.RunAt", "optional": True},
                        "other": {"type": "any", "optional": True},
                    },
                    **ANY,
                },
                "optional": True,
                "max_manifest_version": 2,
            },
            id="API types and undefined types",
        ),
    ],
)
def test_manifest_keys_are_converted(types: dict[str, Any], key: str, expected: dict[str, Any]) -> None:
    assert types["WebExtensionManifest"]["properties"][key] == expected


def test_permissions_come_from_the_manifest_and_the_api(types: dict[str, Any]) -> None:
    assert types["Permission"]["enum"] == ["alarms", "debugger", "dns", "tabs"]
    assert types["OptionalPermission"]["enum"] == ["alarms", "dns", "tabs"]
    assert required_only_permissions(parse(SOURCE)) == ["debugger"]


def test_other_manifest_keys_are_accepted(types: dict[str, Any]) -> None:
    assert types["WebExtensionManifest"]["additionalProperties"] == {"type": "any"}
