"""Files named `manifest.json` that are not extension manifests, and manifests with other names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from extlint.cli.main import main
from extlint.package.discovery.find import NoExtensionError, find_packages, stdin_package
from extlint.package.files import UnreadableError
from extlint.package.sniff import foreign_manifest

WEB_APP = {"name": "A", "start_url": "/", "display": "standalone", "icons": [{"src": "a.png"}]}
TEAMS_OR_UXP = "a Microsoft Teams app's or Adobe UXP plugin's manifest"
EXTENSION = {"manifest_version": 3, "name": "A", "version": "1"}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: str, value: object) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def found(path: str) -> list[tuple[str, str] | str]:
    """Returns the name and manifest of each package, and the message of each error."""
    return [
        str(each) if isinstance(each, UnreadableError) else (each.name, each.manifest_path)
        for each in find_packages([path])
    ]


@pytest.mark.parametrize(
    ("value", "owner"),
    [
        pytest.param(WEB_APP, "a web app's manifest", id="a web app"),
        pytest.param(
            {"name": "A", "theme_color": "#fff"}, "a web app's manifest", id="a web app by its color"
        ),
        pytest.param(
            {"name": "A", "icons": [{"src": "a.png"}]}, "a web app's manifest", id="a web app by its icons"
        ),
        pytest.param(
            {"id": "a", "name": "A", "version": "1.0", "minAppVersion": "1.0", "isDesktopOnly": False},
            "an Obsidian plugin's or theme's manifest",
            id="Obsidian",
        ),
        pytest.param(
            {"domain": "a", "name": "A", "codeowners": [], "requirements": [], "iot_class": "local_push"},
            "a Home Assistant integration's manifest",
            id="Home Assistant",
        ),
        pytest.param(
            {"src/a.ts": {"file": "assets/a.js", "src": "src/a.ts", "isEntry": True}},
            "a build's table of files",
            id="Vite",
        ),
        pytest.param({"main.js": "/static/main.1f.js"}, "a build's table of files", id="webpack"),
        pytest.param(
            {"files": {"a.js": "b.js"}, "entrypoints": ["b.js"]}, "a build's table of files", id="React"
        ),
        pytest.param(
            {"name": "a", "version": "1.0.0", "engines": {}, "contributes": {}},
            "the manifest of something else",
            id="VS Code",
        ),
        pytest.param(
            {"name": "a", "version": "1.0.0", "main": "a.js"}, "the manifest of something else", id="npm"
        ),
        pytest.param([{"name": "a"}], "the manifest of something else", id="a list of things"),
        pytest.param(
            {
                "$schema": "http://json-schema.org/draft-07/schema#",
                "properties": {"manifest_version": {"type": "integer"}},
            },
            "a JSON Schema",
            id="a JSON Schema of manifests",
        ),
        pytest.param(
            {
                "permissions": [],
                "types": {"Base": {"anyOf": [{"properties": {"manifest_version": {"type": "integer"}}}]}},
                "refs": {"Other": {"max_manifest_version": 2}},
            },
            "a JSON Schema",
            id="a schema of the API",
        ),
        pytest.param(
            {"format_version": 2, "header": {}, "modules": []}, "the manifest of something else", id="a game"
        ),
        pytest.param(
            {"id": "a", "name": "A", "publisher": {}, "actions": [], "privacyUrl": "https://example.com/"},
            "the manifest of something else",
            id="one key that is near one of extensions",
        ),
        pytest.param({}, "an empty object", id="empty"),
        pytest.param({"name": "A", "version": "1.0"}, "the manifest of something else", id="only a name"),
        pytest.param(
            {
                "manifestVersion": "1.16",
                "name": {"short": "A", "full": "A"},
                "permissions": ["identity"],
                "validDomains": [],
            },
            TEAMS_OR_UXP,
            id="Microsoft Teams",
        ),
        pytest.param(
            {"manifestVersion": 5, "id": "a", "host": {"app": "PS"}, "entrypoints": []},
            TEAMS_OR_UXP,
            id="Adobe UXP",
        ),
        pytest.param(
            {"manifest_version": 1, "id": "a", "app_min_version": "3.1", "name": "A", "permissions": []},
            "a Joplin plugin's manifest",
            id="Joplin",
        ),
        pytest.param(
            {"manifest_version": 1, "name": "A", "version": "1", "action": {"title": "A", "popover": "/"}},
            "a manifest of Owlbear Rodeo",
            id="Owlbear Rodeo",
        ),
        pytest.param(
            {"manifest_version": "0.3", "name": "a", "version": "1.0.0", "server": {"type": "node"}},
            "the manifest of something else",
            id="a version in a string",
        ),
        pytest.param(
            {"manifest_version": 1, "name": "a", "version": "1", "main": "a.js"},
            "the manifest of something else",
            id="version 1 of something else",
        ),
    ],
)
def test_foreign_manifest_is_an_error(value: object, owner: str) -> None:
    text = json.dumps(value)
    assert foreign_manifest(text.encode()) == owner
    path = write("a/manifest.json", text)
    reason = "" if '"manifest_version": 1' in text or '"0.3"' in text else ": it has no manifest_version"
    sentence = f"a/manifest.json is {owner}, not an extension's manifest{reason}"
    assert found(path) == [sentence]
    assert found("a") == [sentence]
    assert [type(each) for each in find_packages([path])] == [NoExtensionError]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(EXTENSION, id="an extension"),
        pytest.param({**WEB_APP, "manifest_version": 3}, id="with keys of a web app"),
        pytest.param({**WEB_APP, "manifest_verson": 3}, id="with a misspelled manifest_version"),
        pytest.param({"name": "A", "version": "1.0", "permissions": []}, id="without manifest_version"),
        pytest.param({"manifestVersion": 3, "name": "A", "background": {}}, id="a misspelled version"),
        pytest.param({"manifest_version": 1, "name": "A", "version": "1.0"}, id="version 1"),
        pytest.param(
            {"manifest_version": 1, "name": "A", "background_page": "a.html", "foo": 1},
            id="version 1 with a background",
        ),
        pytest.param({"manifest_version": "3.0", "name": "A", "action": {}}, id="a version in a string"),
        pytest.param(
            {"name": "A", "background": {}, "domain": "a", "codeowners": []}, id="with a background"
        ),
        pytest.param({"name": "A", "content_script": [], "foo": 1}, id="with a misspelled key of extensions"),
        pytest.param([], id="a list"),
        pytest.param("{", id="no JSON"),
        pytest.param({"_comment": "a", "icons": []}, id="with a comment and an empty list"),
    ],
)
def test_possible_extension_manifest_is_checked(value: object) -> None:
    path = write("a/manifest.json", value)
    assert found(path) == [("a", "manifest.json")]
    assert found("a") == [("a", "manifest.json")]


def test_foreign_manifest_in_tree_is_skipped() -> None:
    write("tree/manifest.json", WEB_APP)
    write("tree/extension/manifest.json", EXTENSION)
    assert found("tree") == [("tree/extension", "manifest.json")]


def test_foreign_manifest_below_folder_is_named_in_error() -> None:
    write("a/src/manifest.json", {"manifest_version": 1, "app_min_version": "3.1", "name": "A"})
    write("a/src/index.ts", 'import joplin from "api";')
    assert found("a") == ["a/src/manifest.json is a Joplin plugin's manifest, not an extension's manifest"]
    assert main(["check", "--skip-foreign-files", "a/src/manifest.json", "a/src/index.ts"]) == 0


def test_foreign_manifest_in_extension_is_one_of_its_files() -> None:
    write("extension/manifest.json", EXTENSION)
    path = write("extension/app/manifest.json", WEB_APP)
    assert found(path) == [("extension", "manifest.json")]


def test_hook_skips_foreign_manifests(capsys: pytest.CaptureFixture[str]) -> None:
    foreign = write("a/manifest.json", WEB_APP)
    own = write("b/manifest.json", EXTENSION)
    broken = write("c/manifest.json", {"name": "A", "version": "1", "permissions": []})
    assert main(["check", "--skip-foreign-files", foreign, own]) == 0
    assert capsys.readouterr().err == ""
    assert main(["check", foreign, own]) == 2
    assert "a web app's manifest" in capsys.readouterr().err
    assert main(["check", "--skip-foreign-files", foreign, broken]) == 1


def test_foreign_manifest_on_standard_input() -> None:
    answer = stdin_package(json.dumps(WEB_APP).encode(), "a/manifest.json")
    assert isinstance(answer, NoExtensionError)


LATE_VERSION = {"name": "A", "icons": {"16": "{a}.png"}, "version": "1", "manifest_version": 3}


@pytest.mark.parametrize(
    "name",
    [
        *("manifest.chrome.json", "manifest_v3.json", "manifest-firefox.json", "app.json", "chrome.json"),
        *("manifest.json5", "manifest.json.in", "template", "manifest.webmanifest"),
    ],
)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps(LATE_VERSION), id="the version last"),
        pytest.param('{"name": "A", "manifest_version": {{version}}}', id="a template for the version"),
        pytest.param('{"__chrome__manifest_version": 3, "name": "A"}', id="a version for one browser"),
        pytest.param('{"name": "A", "{{chrome}}.manifest_version": 3}', id="a version for one browser"),
    ],
)
def test_named_manifest_may_have_any_file_name(name: str, text: str) -> None:
    write("extension/manifest.json", EXTENSION)
    path = write(f"extension/{name}", text)
    assert found(path) == [("extension", name)]


def test_partial_manifest_counts_without_manifest_json() -> None:
    path = write("a/base.json", {"name": "A", "background": {}, "permissions": []})
    assert found(path) == [("a", "base.json")]
    other = write("a/data.json", {"name": "A", "permissions": []})
    assert found(other) == ["a/data.json belongs to no extension: no folder above it has a manifest.json"]
    write("a/manifest.json", EXTENSION)
    assert found(path) == [("a", "manifest.json")]


@pytest.mark.parametrize("name", ["manifest.schema.json", "chrome-manifest.json", "asset-manifest.json"])
def test_json_schema_named_like_a_manifest_is_foreign(name: str) -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {}, "permissions": []}
    path = write(f"a/{name}", schema)
    message = f"a/{name} is a JSON Schema, not an extension's manifest: it has no manifest_version"
    assert found(path) == [message]
    write("a/manifest.json", EXTENSION)
    assert found(path) == [("a", "manifest.json")], "a file of the extension"


def test_manifest_with_schema_reference_is_checked() -> None:
    value = {**EXTENSION, "$schema": "https://json.schemastore.org/chrome-manifest"}
    assert found(write("a/manifest.json", value)) == [("a", "manifest.json")]


def test_hook_skips_partial_manifests() -> None:
    path = write("a/manifest.firefox.json", {"background": {}, "permissions": ["tabs"]})
    assert main(["check", "--skip-foreign-files", path]) == 0
    assert found(path) == [("a", "manifest.firefox.json")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", '{"manifest_version": 3}'),
        ("schema.json", '{"manifest_version": {"type": "integer"}}'),
        ("notes.md", '{"manifest_version": 3}'),
    ],
)
def test_file_that_mentions_manifest_version_is_not_a_manifest(name: str, text: str) -> None:
    path = write(f"a/{name}", text)
    assert found(path) == [f"a/{name} belongs to no extension: no folder above it has a manifest.json"]


def test_manifest_paths_are_relative_to_its_folder(capsys: pytest.CaptureFixture[str]) -> None:
    path = write("src/manifest.chrome.json", {**EXTENSION, "icons": {"16": "a.png", "32": "src/a.png"}})
    write("src/a.png", "")
    assert main(["check", path, "--select", "missing-file", "--output-format", "concise"]) == 1
    output = capsys.readouterr().out
    assert "`src/a.png`" in output
    assert output.count("missing-file") == 1


SCRIPT = "chrome.runtime.getUrl('a');"


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        pytest.param("firefox/manifest.json", False, id="a manifest"),
        pytest.param("firefox/manifest.v2.json", False, id="a manifest by another name"),
        pytest.param("firefox/manifest-data.json", True, id="a file other than a manifest"),
        pytest.param("manifest.firefox.json", True, id="a manifest next to the other"),
    ],
)
def test_scripts_below_nested_manifest_belong_to_it(
    inner: str, expected: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a/manifest.json", EXTENSION)
    write("a/firefox/lib/a.js", SCRIPT)
    write(f"a/{inner}", {**EXTENSION, "permissions": ["alarms"]} if "data" not in inner else {"a": 1})
    main(["check", "a", "--target", "chrome", "--select", "unknown-api", "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert any(each["extension"] == "a" for each in found) == expected


@pytest.mark.parametrize(
    ("inner", "script", "expected"),
    [
        pytest.param("platform/firefox/", "platform/common/a.js", False, id="next to another extension"),
        pytest.param("platform/firefox/", "common/a.js", True, id="further away from it"),
        pytest.param("firefox/", "common/a.js", True, id="next to an extension below the top"),
        pytest.param("platform/firefox/", "platform/b.js", True, id="but what the manifest names"),
    ],
)
def test_scripts_next_to_nested_extension_are_excluded_from_outer(
    inner: str, script: str, expected: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a/manifest.json", {**EXTENSION, "background": {"scripts": ["platform/b.js"]}})
    write("a/platform/b.js", f"f('/{script}');")
    write(f"a/{inner}manifest.json", {**EXTENSION, "permissions": ["alarms"]})
    write(f"a/{script}", SCRIPT)
    main(["check", "a", "--target", "firefox", "--select", "unknown-api", "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert any(each["extension"] == "a" for each in found) == expected
