"""Sibling manifests: a use that is valid with another manifest of the same scripts is meant for it."""

from __future__ import annotations

import json

import pytest
from harness import Files, lint, manifest
from packages import package_in, package_of

from extlint.checker import check_package
from extlint.package.files import Package
from extlint.schema.targets import Target

RULES = (
    *("missing-permission", "missing-host-permission", "missing-manifest-key", "wrong-manifest-version"),
    *("too-new-api", "unknown-api", "unsupported-api", "wrong-context"),
)
WORKER = {"background": {"service_worker": "b.js"}}
PAGE = {"background": {"scripts": ["b.js"]}}
GECKO = {"browser_specific_settings": {"gecko": {"id": "a@b.c"}}}


def is_reported(
    own: str, other: str, use: str, name: str = "manifest.other.json", target: str = "chrome"
) -> bool:
    """Whether any rule reports a use in a listener, with another manifest next to the own one."""
    source = f"addEventListener('x', () => {{ {use} }})"
    found = lint({"manifest.json": own, name: other, "b.js": source}, RULES, target)
    assert all(each.path == "b.js" for each in found)
    return bool(found)


VALID_IN_SIBLING = {
    "a permission": (manifest(**WORKER), {"permissions": ["cookies"]}, "chrome.cookies.onChanged"),
    "an optional permission": (
        manifest(**WORKER),
        {"optional_permissions": ["cookies"]},
        "chrome.cookies.onChanged",
    ),
    "a key": (manifest(**WORKER), {"action": {}}, "chrome.action.enable()"),
    "a manifest version": (
        manifest(**WORKER),
        {"manifest_version": 2, "browser_action": {}, **PAGE},
        "chrome.browserAction.enable()",
    ),
    "a member of another browser": (
        manifest(**WORKER),
        {**GECKO, **PAGE, "permissions": ["contextualIdentities", "cookies"]},
        "browser.contextualIdentities.query({})",
    ),
    "where a script runs": (
        manifest(content_scripts=[{"matches": ["*://*/*"], "js": ["b.js"]}]),
        {**WORKER, "permissions": ["tabs"]},
        "chrome.tabs.query({})",
    ),
    "the oldest version": (
        manifest(**WORKER, minimum_chrome_version="88", permissions=["scripting"]),
        {**WORKER, "minimum_chrome_version": "120", "permissions": ["scripting"]},
        "chrome.scripting.registerContentScripts([])",
    ),
    "a permission to block": (
        manifest(**WORKER, permissions=["webRequest"], host_permissions=["*://*/*"]),
        {**WORKER, "permissions": ["webRequest", "webRequestBlocking"], "host_permissions": ["*://*/*"]},
        "chrome.webRequest.onBeforeRequest.addListener(f, {urls: ['*://*/*']}, ['blocking'])",
    ),
}


@pytest.mark.parametrize(("own", "keys", "use"), VALID_IN_SIBLING.values(), ids=VALID_IN_SIBLING.keys())
def test_use_that_a_sibling_permits_is_not_reported(own: str, keys: dict[str, object], use: str) -> None:
    assert not is_reported(own, manifest(**{**WORKER, **keys}), use)
    assert is_reported(own, own, use)
    assert is_reported(own, "{}", use)
    assert is_reported(own, manifest(**{**WORKER, **keys}), use, name="other/manifest.other.json")


@pytest.mark.parametrize(
    "name",
    [
        *("manifest.chrome.json", "manifest-v2.json", "manifest_opera.json", "manifestFirefox.json"),
        *("firefox-manifest.json", "manifest.safari.json", "manifest.json.mv3"),
    ],
)
def test_sibling_manifest_is_recognized_by_name(name: str) -> None:
    assert not is_reported(
        manifest(**WORKER), manifest(permissions=["cookies"]), "chrome.cookies.onChanged", name
    )


INVALID_IN_SIBLING = {
    "no sibling requests it": ("manifest.other.json", manifest(permissions=["tabs"])),
    "a file with a nested manifest": (
        "manifest.test.json",
        json.dumps({"example": {"manifest_version": 3, "permissions": ["cookies"]}}),
    ),
    "a manifest of a web app": ("manifest.web.json", '{"start_url": "/", "display": "standalone"}'),
    "a manifest in another folder": ("other/manifest.json", manifest(permissions=["cookies"])),
    "a file that is not named for one": ("fixture.json", manifest(permissions=["cookies"])),
    "a file that is invalid JSON": ("manifest.other.json", '{"manifest_version": 3, "permissions'),
}


@pytest.mark.parametrize(("name", "other"), INVALID_IN_SIBLING.values(), ids=INVALID_IN_SIBLING.keys())
def test_use_that_no_sibling_permits_is_reported(name: str, other: str) -> None:
    assert is_reported(manifest(**WORKER), other, "chrome.cookies.onChanged", name)


def test_sibling_is_checked_for_its_own_browser() -> None:
    use = "browser.contextualIdentities.query({})"
    keys = {**PAGE, "permissions": ["contextualIdentities", "cookies"]}
    assert not is_reported(manifest(**WORKER), manifest(**keys), use, "manifest.firefox.json")
    assert is_reported(manifest(**WORKER), manifest(**keys), use, "manifest.chrome.json")


@pytest.mark.parametrize("keys", [WORKER, {}, GECKO], ids=["of Chrome", "of any browser", "of Firefox"])
def test_siblings_apply_to_the_reference_target(keys: dict[str, object]) -> None:
    files = {
        "manifest.json": manifest(**WORKER),
        "manifest.b.json": manifest(**keys, permissions=["management"]),
        "b.js": "f(() => browser.management.getAll())",
    }
    assert [each.rule for each in lint(files, RULES)] == ["unsupported-api"]
    del files["manifest.b.json"]
    assert [each.rule for each in lint(files, RULES)] == ["missing-permission", "unsupported-api"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("chrome.cookies.onChanged.addListener(f)", True, id="it fails as soon as it loads"),
        pytest.param("if (on) chrome.cookies.onChanged.addListener(f)", False, id="under a condition"),
        pytest.param("f(() => chrome.cookies.onChanged)", False, id="in a function"),
        pytest.param("chrome.cookeis.onChanged", True, id="no browser has it"),
        pytest.param("f(() => chrome.tabs.qeury({}))", True, id="a misspelling, which no browser has"),
        pytest.param("f(() => chrome.tabs.get('1'))", True, id="an argument"),
    ],
)
def test_use_that_fails_with_any_manifest_is_reported(source: str, expected: bool) -> None:
    files = {
        "manifest.json": manifest(**WORKER),
        "manifest.other.json": manifest(**WORKER, permissions=["cookies"]),
        "b.js": source,
    }
    assert bool(lint(files, [*RULES, "invalid-argument"], "chrome")) is expected


def test_script_loaded_only_by_a_sibling_is_not_reported() -> None:
    files = {
        "manifest.json": manifest(**WORKER),
        "manifest.other.json": manifest(background={"service_worker": "c.js"}, permissions=["cookies"]),
        "b.js": "",
        "c.js": "chrome.cookies.onChanged.addListener(f)",
    }
    assert lint(files, RULES, "chrome") == []


USE = "f(() => chrome.cookies.onChanged)"


def is_reported_in_folder(own: str, other: str, script: str = USE) -> bool:
    """Whether a use is reported in one of two folders, if the other one requests the permission."""
    files: Files = {
        f"{own}/manifest.json": manifest(**WORKER),
        f"{own}/b.js": USE,
        f"{other}/manifest.json": manifest(**WORKER, permissions=["cookies"]),
        f"{other}/b.js": script,
    }
    return has_findings(package_in(files, f"{own}/"))


def has_findings(package: Package) -> bool:
    return bool(check_package(package, [Target("chrome")], RULES).findings)


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        pytest.param("src/chrome-mv3", "src/chrome-mv2", False, id="versions"),
        pytest.param("chrome", "firefox", False, id="browsers"),
        pytest.param("v3", "v2", False, id="only versions"),
        pytest.param("chrome", "notes", True, id="another extension"),
        pytest.param("notes", "chrome", True, id="a folder that is not named for a browser"),
        pytest.param("a/chrome", "b/firefox", True, id="elsewhere"),
        pytest.param("chrome", "chrome/firefox", True, id="inside"),
    ],
)
def test_sibling_may_be_in_a_folder_per_browser(own: str, other: str, expected: bool) -> None:
    assert is_reported_in_folder(own, other) is expected


def test_sibling_folders_must_have_identical_scripts() -> None:
    assert is_reported_in_folder("chrome", "firefox", USE + "// another")


def test_sibling_folder_must_request_the_hosts() -> None:
    files: Files = {
        "chrome/manifest.json": manifest(**WORKER, permissions=["cookies"]),
        "chrome/b.js": "f(() => chrome.cookies.get({url, name: 'a'}))",
    }
    cookies = manifest(**WORKER, permissions=["cookies"])
    sibling: Files = {"edge/manifest.json": cookies, "edge/b.js": files["chrome/b.js"]}
    assert has_findings(package_in({**files, **sibling}, "chrome/"))
    hosts = manifest(**WORKER, permissions=["cookies"], host_permissions=["*://*/*"])
    assert not has_findings(package_in({**files, **sibling, "edge/manifest.json": hosts}, "chrome/"))


def test_archive_has_no_siblings() -> None:
    files = {
        "manifest.json": manifest(**WORKER),
        "manifest.other.json": manifest(permissions=["cookies"]),
        "b.js": USE,
    }
    package = package_of(files)
    assert not has_findings(package)
    package.packed = True
    assert has_findings(package)


CONTEXTS = "f(() => chrome.runtime.getContexts({contextTypes: ['%s']}))"


@pytest.mark.parametrize(
    ("value", "firefox", "expected"),
    [
        pytest.param("OFFSCREEN_DOCUMENT", {}, [], id="the other browser accepts it"),
        pytest.param("OFFSCREEN_DOCUMENT", {"manifest_version": 2}, [], id="in the other manifest version"),
        pytest.param("OFFSCREEN", {"manifest_version": 2}, ["invalid-argument"], id="no browser accepts it"),
    ],
)
def test_argument_in_a_script_of_a_sibling(
    value: str, firefox: dict[str, object], expected: list[str]
) -> None:
    files = {
        "manifest.firefox.json": manifest(background={"scripts": ["a.js"]}, **GECKO, **firefox),
        "manifest.chrome.json": manifest(background={"service_worker": "b.js"}),
        "a.js": "browser.runtime.id",
        "b.js": CONTEXTS % value,
    }
    package = package_of(files)
    package.manifest_path = "manifest.firefox.json"
    found = check_package(package, [Target("firefox")], ["invalid-argument"]).findings
    assert [each.rule for each in found] == expected
