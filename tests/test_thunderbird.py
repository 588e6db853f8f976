"""Add-ons for Thunderbird: which packages are recognized, and which findings they have."""

from __future__ import annotations

import pytest
from harness import manifest
from packages import package_of

from extlint.checker import check_package
from extlint.checks.manifest_values.known_keys import targets_with_key, targets_with_permission
from extlint.manifest import vendor_keys
from extlint.manifest.manifest import read_manifest
from extlint.package.files import Package
from extlint.project.target_detection.choice import Origin
from extlint.project.target_detection.detect import detect_targets
from extlint.registry import RULES
from extlint.schema.targets import Target
from extlint_schemas import thunderbird_names

GECKO: dict[str, object] = {"browser_specific_settings": {"gecko": {"id": "a@example.com"}}}
CHROME: dict[str, object] = {"minimum_chrome_version": "120"}
READS = GECKO | {"permissions": ["messagesRead"]}

ADD_ONS: dict[str, tuple[str, dict[str, object], str, str | None]] = {
    "a permission": ("ext", READS, "", "the manifest requests `messagesRead`"),
    "a key": ("ext", GECKO | {"compose_action": {}}, "", "the manifest has `compose_action`"),
    "a key inside of a shared one": (
        "ext",
        GECKO | {"action": {"allowed_spaces": ["mail"]}},
        "",
        "the manifest has `action.allowed_spaces`",
    ),
    "a folder": ("src/thunderbird/extension", GECKO, "", "the folder is named `thunderbird`"),
    "a build": ("dist/tb", {}, "", "the folder is named `tb`"),
    "a manifest": (
        "ext/manifest.thunderbird.json",
        {},
        "",
        "the manifest is named `manifest.thunderbird.json`",
    ),
    "an archive": ("ext-1.0-thunderbird.xpi", GECKO, "", "the archive is named `ext-1.0-thunderbird.xpi`"),
    "an archive that could be of Firefox": ("ext-1.0.xpi", READS, "", "the manifest requests `messagesRead`"),
    "a namespace": ("ext", GECKO, "browser.mailTabs.query({});", "`b.js` uses `browser.mailTabs.query`"),
    "the other root": (
        "ext",
        GECKO,
        "messenger.storage.local.get();",
        "`b.js` uses `messenger.storage.local`",
    ),
    "its own code": ("ext", GECKO, "f('chrome://messenger/a')", "`b.js` uses `chrome://messenger/`"),
    "a part of Firefox": ("ext", GECKO, "f('chrome://browser/content/'); f('resource://MailServices')", None),
    "an id": (
        "ext",
        {"browser_specific_settings": {"gecko": {"id": "a@examples.thunderbird.net"}}},
        "",
        "`browser_specific_settings.gecko.id` is an address at thunderbird.net",
    ),
    "a home": (
        "ext",
        {"homepage_url": "https://addons.thunderbird.net/addon/a"},
        "",
        "`homepage_url` is an address at thunderbird.net",
    ),
    "a home elsewhere": ("ext", {"homepage_url": "https://thunderbird.net.example.org/"}, "", None),
    "an id with the word in it": (
        "ext",
        {"browser_specific_settings": {"gecko": {"id": "from-thunderbird@example.com"}}},
        "",
        None,
    ),
    "a build for Firefox": ("dist/firefox", READS, "", None),
    "a folder whose name has more words": ("from-thunderbird-notes", GECKO, "", None),
    "a namespace of all browsers": ("ext", GECKO, "browser.tabs.query({});", None),
    "a namespace in an object": ("ext", GECKO, "my.browser.mailTabs.query({});", None),
    "an unknown member": ("ext", GECKO, "browser.messages.whatever();", None),
    "a variable of that name": ("ext", GECKO, "const messenger = f(); messenger.tabs.add(1);", None),
    "a script for Chrome": ("ext", GECKO | CHROME, "browser.mailTabs.query({});", None),
}


@pytest.mark.parametrize(("name", "keys", "script", "mark"), ADD_ONS.values(), ids=ADD_ONS.keys())
def test_thunderbird_package_is_recognized(
    name: str, keys: dict[str, object], script: str, mark: str | None
) -> None:
    path = name.rpartition("/")[2] if name.endswith(".json") else "manifest.json"
    files = {path: manifest(**keys).encode(), "b.js": script.encode()}
    readers = {path: (lambda content=content: content) for path, content in files.items()}
    package = Package(name, readers, path, packed=name.endswith(".xpi"))
    found = detect_targets(package, read_manifest(path, package.read(path)))
    assert found.is_of_thunderbird == (mark is not None)
    if mark is not None:
        assert (found.names, found.origin) == (("reference",), Origin.DEFAULT)
        assert found.reason == f"Thunderbird is not a target, and {mark}"


SCRIPTS: dict[str, tuple[str, list[str]]] = {
    "a member that Thunderbird adds": ("browser.windows.openDefaultBrowser(u);", []),
    "a namespace of its own": ("browser.messages.onNewMailReceived.addListener(f);", []),
    "a namespace inside of another": ("browser.addressBooks.contacts.query({});", []),
    "an addition to a shared namespace": ("browser.scripting.messageDisplay.registerScripts([]);", []),
    "an argument that it adds": ("browser.tabs.query({ mailTab: true, type: 'mail' });", []),
    "a value that it adds": ("browser.menus.create({ id: 'a', contexts: ['message_list'] });", []),
    "a field that it adds": ("browser.tabs.get(1).then((tab) => tab.spaceId);", []),
    "supported by Thunderbird, but not by the specification": ("browser.management.getAll();", []),
    "a possible addition in a newer Thunderbird": ("browser.mailTabs.somethingNewer();", []),
    "an unknown namespace": ("browser.legacyPrefs.getPref('a');", []),
    "a misspelled member": (
        "browser.windows.openDefaultBrowsr(u);",
        ["`windows.openDefaultBrowsr` does not exist; did you mean `openDefaultBrowser`?"],
    ),
    "a misspelled member of its own namespace": (
        "browser.messages.lst(f);",
        ["`messages.lst` does not exist; did you mean `list`?"],
    ),
    "a misspelled namespace": (
        "browser.mailTab.query({});",
        ["the API `mailTab` does not exist; did you mean `mailTabs`?"],
    ),
    "a misspelled member of a shared namespace": (
        "browser.storage.local.gett('a');",
        ["`storage.local.gett` does not exist; did you mean `get`?"],
    ),
    "a wrong argument of a shared namespace": (
        "browser.storage.local.set(1);",
        ["`items` must be an object, not the number 1"],
    ),
}


@pytest.mark.parametrize(("source", "messages"), SCRIPTS.values(), ids=SCRIPTS.keys())
def test_findings_about_api_uses(source: str, messages: list[str]) -> None:
    permissions = ["messagesRead", "storage", "management", "scripting"]
    assert (
        reported(GECKO | {"background": {"scripts": ["b.js"]}, "permissions": permissions}, source)
        == messages
    )


MANIFESTS: dict[str, tuple[dict[str, object], list[str]]] = {
    "keys and permissions of its own": (
        {"cloud_file": {}, "permissions": ["compose", "messengerSettings"], "message_display_action": {}},
        [],
    ),
    "keys inside of shared ones": (
        {"action": {"allowed_spaces": ["mail"], "default_label": "", "type": "menu", "default_windows": []}},
        [],
    ),
    "a value of its own": (
        {"manifest_version": 2, "browser_action": {"default_area": "maintoolbar"}},
        [],
    ),
    "experiments": ({"experiment_apis": {"X": {"schema": "b.js", "parent": {"script": "b.js"}}}}, []),
    "keys and permissions that a newer Thunderbird may have": (
        {"calendar_something": {}, "permissions": ["calendarRead"]},
        [],
    ),
    "a misspelled key": (
        {"compose_actoin": {}},
        ["unknown key `compose_actoin` in the manifest; did you mean `compose_action`?"],
    ),
    "a misspelled key inside of another": (
        {"action": {"allowed_space": ["mail"]}},
        ["unknown key `allowed_space` in `action`; did you mean `allowed_spaces`?"],
    ),
    "a misspelled permission": (
        {"permissions": ["mesagesRead"]},
        ["unknown permission `mesagesRead`; did you mean `messagesRead`?"],
    ),
    "a misspelled key of a shared one": (
        {"options_ui": {"page": "p.html", "open_in_tap": True}},
        ["unknown key `open_in_tap` in `options_ui`; did you mean `open_in_tab`?"],
    ),
    "a wrong type": (
        {"background": {"scripts": "b.js"}},
        ["`scripts` must be a list, not a string"],
    ),
    "a missing file": ({"background": {"scripts": ["c.js"]}}, ["the package has no file `c.js`"]),
}


@pytest.mark.parametrize(("keys", "messages"), MANIFESTS.values(), ids=MANIFESTS.keys())
def test_findings_about_manifests(keys: dict[str, object], messages: list[str]) -> None:
    assert reported(GECKO | keys, "messenger.runtime.getURL('');") == messages


@pytest.mark.parametrize(
    ("keys", "in_thunderbird"),
    [
        pytest.param({"version": "1.0b1"}, "warning", id="a version that only Chrome rejects"),
        pytest.param({"version": 1}, "error", id="a version that both reject"),
        pytest.param({"background": {"scripts": "b.js"}}, "error", id="a background that both reject"),
    ],
)
def test_severity_is_that_of_firefox(keys: dict[str, object], in_thunderbird: str) -> None:
    for name, severity in (("thunderbird", in_thunderbird), ("a", "error")):
        files = {"manifest.json": manifest(**keys), "b.js": ""}
        found = check_package(package_of(files, name), None, ("invalid-value",)).findings
        assert [str(each.severity) for each in found] == [severity], name


def test_required_key_is_reported_as_missing() -> None:
    files = {"manifest.json": '{"manifest_version": 3, "name": "Test"}'}
    found = check_package(package_of(files, "thunderbird"), None, tuple(RULES)).findings
    assert [each.rule for each in found] == ["missing-key"]


def test_invalid_json_is_reported() -> None:
    files = {"manifest.json": '{"manifest_version": 3,', "b.js": ""}
    found = check_package(package_of(files, "thunderbird"), None, tuple(RULES)).findings
    assert [each.rule for each in found] == ["invalid-json"]


EXPLICIT_TARGET = {
    "an API": ({}, "browser.windows.openDefaultBrowser(u);", ["unknown-api"]),
    "a key": ({"action": {"allowed_spaces": []}}, "", ["unknown-key"]),
    "an experiment": ({"experiment_apis": {}}, "", ["unknown-key"]),
}


@pytest.mark.parametrize(("keys", "source", "rules"), EXPLICIT_TARGET.values(), ids=EXPLICIT_TARGET.keys())
def test_explicit_target_overrides_thunderbird(
    keys: dict[str, object], source: str, rules: list[str]
) -> None:
    files = {"manifest.json": manifest(**READS, **keys, background={"scripts": ["b.js"]}), "b.js": source}
    package = package_of(files, "thunderbird")
    found = check_package(package, [Target("firefox")], ("unknown-api", "unknown-key")).findings
    assert [each.rule for each in found] == rules


def test_permission_is_not_reported_as_unused() -> None:
    assert (
        reported(GECKO | {"permissions": ["storage", "messagesRead"]}, "messenger.storage.local.get();") == []
    )


def reported(keys: dict[str, object], script: str) -> list[str]:
    files = {"manifest.json": manifest(**keys), "b.js": script, "p.html": "<!doctype html>"}
    found = check_package(package_of(files, "thunderbird"), None, tuple(RULES))
    assert found.choice.is_of_thunderbird
    return [each.message for each in found.findings]


def test_detection_names_are_exclusive_to_thunderbird() -> None:
    names = thunderbird_names()
    for steps in vendor_keys.key_paths():
        assert targets_with_key(steps) == ()
    own = {key for key in names.keys[""] if not targets_with_key((key,))}
    assert own - {"telemetry"} <= vendor_keys.KEYS, "Firefox reads `telemetry` in Mozilla's own add-ons"
    for key, marks in vendor_keys.INNER_KEYS.items():
        assert {each for each in names.keys[key] if not targets_with_key((key, each))} == marks
    listed = {each for each in names.permissions if not targets_with_permission(each, "permissions")}
    permissions = {each for each in listed if not targets_with_permission(each, "optional_permissions")}
    assert permissions == vendor_keys.PERMISSIONS
