"""Target detection for an extension without configured targets, and the last output line."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from harness import manifest
from packages import package_in, package_of

from extlint.checks.manifest_values.known_keys import targets_with_key
from extlint.cli.main import main
from extlint.manifest.manifest import read_manifest
from extlint.package.files import Package
from extlint.project.target_detection.choice import Origin
from extlint.project.target_detection.detect import detect_targets
from extlint.project.target_detection.markers import CHROMIUM_KEYS
from extlint_schemas import support

GECKO: dict[str, object] = {"browser_specific_settings": {"gecko": {"id": "a@example.com"}}}
WORKER: dict[str, object] = {"background": {"service_worker": "b.js"}}
SCRIPTS = {"background": {"scripts": ["b.js"]}}
SETTINGS = "the manifest has settings for Firefox"
NOTHING = "nothing names a browser"

PACKAGES = {
    "a manifest that names no browser": ("ext", {}, "reference: nothing names a browser"),
    "a manifest of version 2 that names no browser": (
        "ext",
        {"manifest_version": 2},
        f"reference: {NOTHING}; Chrome 139 and newer do not load Manifest V2",
    ),
    "a manifest without a version": ("ext", {"manifest_version": "x"}, f"reference: {NOTHING}"),
    "a service worker": ("ext", WORKER, "chrome: the background is a service worker"),
    "settings for Firefox": ("ext", GECKO, f"firefox: {SETTINGS}"),
    "both": (
        "ext",
        GECKO | WORKER,
        f"firefox and chrome: {SETTINGS}, and the background is a service worker",
    ),
    "a background for both": (
        "ext",
        {"background": {"service_worker": "b.js", "scripts": ["b.js"]}},
        "firefox and chrome: the background has a service worker and scripts",
    ),
    "settings for Android": (
        "ext",
        {"browser_specific_settings": {"gecko_android": {}}},
        "firefox and firefox_android: the manifest has settings for Firefox for Android",
    ),
    "settings for Firefox and for Android": (
        "ext",
        {"browser_specific_settings": {"gecko_android": {}, "gecko": {}}},
        f"firefox and firefox_android: {SETTINGS} and Firefox for Android",
    ),
    "a key of Chromium": (
        "ext",
        {"minimum_chrome_version": "120"},
        "chrome: the manifest has `minimum_chrome_version`",
    ),
    "an update address": (
        "ext",
        {"update_url": "https://clients2.google.com/service/update2/crx"},
        "chrome: the update address is that of the Chrome Web Store",
    ),
    "a manifest for one browser": (
        "ext/manifest.firefox.json",
        {},
        "firefox: the manifest is named `manifest.firefox.json`",
    ),
    "a build": ("dist/chrome-mv3", GECKO, "chrome: the folder is named `chrome-mv3`"),
    "an archive of a build": (
        "test-1.0-chrome.zip",
        {},
        "chrome: the archive is named `test-1.0-chrome.zip`",
    ),
    "an add-on of Firefox": ("test.xpi", {}, "firefox: `test.xpi` is an add-on of Firefox"),
}


@pytest.mark.parametrize(("path", "keys", "line"), PACKAGES.values(), ids=PACKAGES.keys())
def test_last_line_names_targets_and_reason(
    path: str,
    keys: dict[str, object],
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    files = {"manifest.json": manifest(**keys), "b.js": ""}
    write(Path(path), files)
    main(["check", path, "--output-format", "concise"])
    assert capsys.readouterr().out.splitlines()[-1] == f"checked for {line}"
    main(["check", path, "--output-format", "json"])
    found = json.loads(capsys.readouterr().out)
    targets = line.partition(":")[0].split(" and ")
    assert [each["targets"] for each in found["extensions"]] == [targets]
    assert found["summary"]["targets"] == sorted(targets)


def write(path: Path, files: dict[str, str]) -> None:
    """Writes files to a folder or an archive; a JSON path names the manifest itself."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".zip", ".xpi"):
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return
    folder = path.parent if path.suffix == ".json" else path
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        actual = path.name if path.suffix == ".json" and name == "manifest.json" else name
        (folder / actual).write_text(content)


MANIFESTS = {
    "scripts without a target": (SCRIPTS, []),
    "a worker and a page": (
        {"background": {"service_worker": "b.js", "page": "b.html"}},
        ["firefox", "chrome"],
    ),
    "a worker and misspelled scripts": (
        {"background": {"service_worker": "b.js", "script": ["b.js"]}},
        ["firefox", "chrome"],
    ),
    "a worker and scripts for Firefox": (
        GECKO | {"background": {"service_worker": "b.js", "scripts": ["b.js"]}},
        ["firefox", "chrome"],
    ),
    "settings under the old key": ({"applications": {"gecko": {"id": "a@b"}}}, ["firefox"]),
    "settings under a misspelled key": ({"browser_specific_setting": {"gecko": {"id": "a@b"}}}, ["firefox"]),
    "settings for Android too": (
        {"browser_specific_settings": {"gecko": {"id": "a@b"}, "gecko_android": {}}},
        ["firefox", "firefox_android"],
    ),
    "settings for Safari": ({"browser_specific_settings": {"safari": {}}}, []),
    "a key that is null": ({"key": None}, []),
    "the key of an id": ({"key": "YQ=="}, ["chrome"]),
    "the key of an id and a background that Chrome refuses": ({**SCRIPTS, "key": "YQ=="}, []),
    "the key of an id and scripts of Manifest V2": (
        {**SCRIPTS, "key": "YQ==", "manifest_version": 2},
        ["chrome"],
    ),
    "a side panel": ({"side_panel": {"default_path": "p.html"}}, ["chrome"]),
    "an app": ({"app": {"background": {"scripts": ["b.js"]}}}, ["chrome"]),
    "a theme without a target": ({"theme": {"colors": {"frame": [1, 2, 3]}}}, []),
    "a theme of Firefox": (GECKO | {"theme": {"colors": {"frame": "red"}}}, ["firefox"]),
    "an update address of one's own": ({"update_url": "https://example.com/u.xml"}, []),
    "a key that Safari reads too": ({"externally_connectable": {"matches": []}, "version_name": "1"}, []),
    "keys for a build": ({"{{chrome}}.action": {}, "{{firefox}}.name": "T"}, ["firefox", "chrome"]),
    "keys of another tool": (
        {"__firefox__browser_specific_settings": {}, "key": "YQ=="},
        ["firefox", "chrome"],
    ),
    "a background for a build": ({"background": {"{{chrome}}.service_worker": "b.js"}}, ["chrome"]),
    "keys for a browser in addition to settings": (
        GECKO | {"__opera__sidebar_action": {}},
        ["firefox", "chrome"],
    ),
    "keys for a mode of a build": ({"__dev__name": "T"}, []),
    "keys for an unsupported target": ({"__thunderbird__name": "T"}, []),
    "text that a build replaces": ({"version": "${version}"}, []),
}


@pytest.mark.parametrize(("keys", "targets"), MANIFESTS.values(), ids=MANIFESTS.keys())
def test_manifest_determines_targets(keys: dict[str, object], targets: list[str]) -> None:
    found = detected(package_of({"manifest.json": manifest(**keys)}))
    assert found == (targets or ["reference"], Origin.MANIFEST if targets else Origin.DEFAULT)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"background": {"service_worker": 1'])
def test_invalid_manifest_leaves_the_default(text: str) -> None:
    assert detected(package_of({"manifest.json": text})) == (["reference"], Origin.DEFAULT)


SHARED = GECKO | {"background": {"service_worker": "b.js", "scripts": ["b.js"]}}
FOR_BOTH: dict[str, object] = {**GECKO, **WORKER}
FIREFOX_MANIFEST = manifest(**GECKO, **SCRIPTS)
SIBLING_MANIFESTS: dict[str, tuple[dict[str, object], dict[str, str], list[str]]] = {
    "one for Firefox": (FOR_BOTH, {"manifest.firefox.json": FIREFOX_MANIFEST}, ["chrome"]),
    "one of Gecko by version": (FOR_BOTH, {"manifest-gecko-mv2.json": FIREFOX_MANIFEST}, ["chrome"]),
    "settings for Android": (
        {**WORKER, "browser_specific_settings": {"gecko": {}, "gecko_android": {}}},
        {"manifest_firefox.json": FIREFOX_MANIFEST},
        ["chrome"],
    ),
    "a background that Firefox runs": (
        {**SHARED},
        {"manifest.firefox.json": FIREFOX_MANIFEST},
        ["firefox", "chrome"],
    ),
    "no background": ({**GECKO}, {"manifest.firefox.json": FIREFOX_MANIFEST}, ["firefox"]),
    "one for another browser": (
        FOR_BOTH,
        {"manifest.chrome.json": manifest(**WORKER)},
        ["firefox", "chrome"],
    ),
    "a part for Firefox": (FOR_BOTH, {"manifest.firefox.json": '{"name": "a"}'}, ["firefox", "chrome"]),
    "one elsewhere": (FOR_BOTH, {"a/manifest.firefox.json": FIREFOX_MANIFEST}, ["firefox", "chrome"]),
}


@pytest.mark.parametrize(
    ("keys", "others", "targets"), SIBLING_MANIFESTS.values(), ids=SIBLING_MANIFESTS.keys()
)
def test_worker_next_to_a_firefox_manifest_is_not_for_firefox(
    keys: dict[str, object], others: dict[str, str], targets: list[str]
) -> None:
    files = {"manifest.json": manifest(**keys), "b.js": "", **others}
    assert detected(package_of(files)) == (targets, Origin.MANIFEST)


BUILD_FOLDERS = {
    ".output/firefox-mv2": ["firefox"],
    ".output/edge-mv3": ["edge"],
    ".output/opera-mv3": ["chrome"],
    ".output/safari-mv2": ["safari"],
    "build/firefox-mv2-prod": ["firefox"],
    "build/chrome-mv3-dev": ["chrome"],
    "build/chromium/unpacked": ["chrome"],
    "dist/firefox": ["firefox"],
    "dist-ff": ["firefox"],
    "dist/Chrome": ["chrome"],
    "dist-chrome": ["chrome"],
    "dist/firefox-android": ["firefox_android"],
    "chrome/dist": ["chrome"],
    "release/chrome/1.2.3": ["chrome"],
    "dist/chrome-firefox": ["chrome", "firefox"],
}


@pytest.mark.parametrize(("folder", "targets"), BUILD_FOLDERS.items())
def test_build_folder_name_overrides_manifest(folder: str, targets: list[str]) -> None:
    for keys in (SHARED, WORKER, GECKO, {}):
        files = {"manifest.json": manifest(**keys)}
        assert detected(package_of(files, folder)) == (targets, Origin.NAME)


PLAIN_FOLDERS = {
    "chrome": "chrome",
    "platform/firefox": "firefox",
    "firefox/src": "firefox",
    "chrome-extension": "chrome",
}


@pytest.mark.parametrize(("folder", "target"), PLAIN_FOLDERS.items())
def test_plain_folder_name_decides_if_manifest_does_not(folder: str, target: str) -> None:
    assert detected(package_of({"manifest.json": manifest()}, folder)) == ([target], Origin.NAME)
    shared = package_of({"manifest.json": manifest(**SHARED)}, folder)
    assert detected(shared) == (["firefox", "chrome"], Origin.MANIFEST)


COUNTERPARTS = {
    "src/chrome next to src/firefox": ("src/chrome", ["src/firefox"], ["chrome"]),
    "src/firefox next to src/chrome": ("src/firefox", ["src/chrome"], ["firefox"]),
    "src/chrome next to src/firefox-android": ("src/chrome", ["src/firefox-android"], ["chrome"]),
    "chrome/src next to firefox": ("chrome/src", ["firefox/src"], ["chrome"]),
    "firefox next to thunderbird": ("firefox", ["thunderbird"], ["firefox"]),
    "only chrome": ("chrome", [], None),
    "chrome next to unrelated folders": ("chrome", ["firefox-notes", "docs"], None),
    "chrome next to other Chrome folders": ("chrome", ["chromium", "chrome-mv2"], None),
    "chrome next to no sibling for another browser": ("src/chrome", ["firefox", "lib/firefox"], None),
    "a folder that is named for nothing": ("src/ext", ["src/firefox"], None),
}


@pytest.mark.parametrize("above", ["", "work/list/"], ids=["in the project", "from outside it"])
@pytest.mark.parametrize(("folder", "others", "targets"), COUNTERPARTS.values(), ids=COUNTERPARTS.keys())
def test_sibling_browser_folders_override_manifest(
    folder: str, others: list[str], targets: list[str] | None, above: str
) -> None:
    """Copied manifests often retain settings for Firefox, but one folder per browser is deliberate."""
    files = {f"{folder}/manifest.json": manifest(**GECKO | WORKER)}
    files |= {f"{each}/manifest.json": manifest() for each in others}
    package = package_in(files, f"{folder}/")
    package.name = above + folder
    assert detected(package) == (
        (["firefox", "chrome"], Origin.MANIFEST) if targets is None else (targets, Origin.NAME)
    )


RELATIVES = {
    "opera": (2, "chrome<=138"),
    "src/Opera": (2, "chrome<=138"),
    "brave-extension": (2, "chrome<=138"),
    "dist/vivaldi": (2, "chrome<=138"),
    "build/opera-mv3": (3, "chrome"),
    "chrome": (2, "chrome"),
    "chromium": (2, "chrome"),
    "chrome-opera": (2, "chrome"),
    "edge": (2, "edge"),
    "opera-firefox": (2, "chrome<=138, firefox"),
}


@pytest.mark.parametrize(("folder", "expected"), RELATIVES.items())
def test_relatives_of_chrome_have_their_own_schedule(folder: str, expected: tuple[int, str]) -> None:
    """Opera, Brave and Vivaldi remove Manifest V2 when they want."""
    version, targets = expected
    package = package_of({"manifest.json": manifest(manifest_version=version)}, folder)
    choice = detect_targets(package, read_manifest("manifest.json", package.read("manifest.json")))
    assert ", ".join(each.text for each in choice.targets) == targets


@pytest.mark.parametrize(
    "folder", [".", "ext", "my-chrome-notes", "chrome/notes", "dist", "chromecast/dist", "firefox/../ext"]
)
def test_other_folder_names_leave_the_default(folder: str) -> None:
    assert detected(package_of({"manifest.json": manifest()}, folder)) == (["reference"], Origin.DEFAULT)


def test_current_folder_is_resolved_to_its_project_path() -> None:
    package = package_in({"build/chrome-mv3-prod/manifest.json": manifest(**GECKO)}, "build/chrome-mv3-prod/")
    package.name = "."
    assert detected(package) == (["chrome"], Origin.NAME)


HANDLER = "path = SafariWebExtensionHandler.swift;"
WITH_XCODE: dict[str, tuple[str, str, dict[str, object], list[str]]] = {
    "the folder of Apple's template": ("App Extension/Resources/", "App.xcodeproj", {}, ["safari"]),
    "the folder of a build": ("web/src/", "App.xcodeproj", WORKER, ["safari"]),
    "settings for Firefox": ("a/", "App.xcodeproj", GECKO, ["firefox", "safari"]),
    "a key of Chromium": ("a/", "App.xcodeproj", {"minimum_chrome_version": "120"}, ["chrome", "safari"]),
    "a background for both": (
        "a/",
        "App.xcodeproj",
        {"background": {"service_worker": "b.js", "scripts": ["b.js"]}},
        ["firefox", "chrome", "safari"],
    ),
    "a project in another folder": ("a/", "safari/App.xcodeproj", WORKER, ["chrome"]),
    "a folder of another name": ("a/", "App.xcode", {}, ["reference"]),
    "the output of a build": ("dist/chrome/", "App.xcodeproj", {}, ["chrome"]),
}


@pytest.mark.parametrize(("folder", "project", "keys", "targets"), WITH_XCODE.values(), ids=WITH_XCODE.keys())
def test_xcode_project_adds_safari(
    folder: str, project: str, keys: dict[str, object], targets: list[str]
) -> None:
    files = {f"{folder}manifest.json": manifest(**keys), f"{project}/project.pbxproj": HANDLER}
    assert detected(package_in(files, folder))[0] == targets


FOLDERS_IN_XCODE = {
    "App/Shared (Extension)/Resources": "safari",
    "App/iOS (Extension)": "safari",
    "App/App Extension/Resources": "safari",
    "App/App Extension": "reference",
    "App/chrome-extension/Resources": "reference",
    "App Extension/Resources": "reference",
}


@pytest.mark.parametrize("is_repository", [True, False], ids=["in a repository", "alone"])
@pytest.mark.parametrize(("folder", "target"), FOLDERS_IN_XCODE.items())
def test_xcode_project_may_include_whole_folders(
    folder: str, target: str, is_repository: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "App" / "App.xcodeproj").mkdir(parents=True)
    if is_repository:
        (tmp_path / ".git").mkdir()
    (tmp_path / folder).mkdir(parents=True)
    (tmp_path / folder / "manifest.json").write_text(manifest())
    main(["check", str(tmp_path), "--output-format", "json"])
    (extension,) = json.loads(capsys.readouterr().out)["extensions"]
    assert extension["targets"] == [target]


def test_xcode_project_of_another_app_does_not_add_safari() -> None:
    text = "path = AppDelegate.swift; path = SafariServices.framework;"
    files = {"a/manifest.json": manifest(), "App.xcodeproj/project.pbxproj": text}
    assert detected(package_in(files, "a/")) == (["reference"], Origin.DEFAULT)


STORE = "https://chromewebstore.google.com/detail/dim/abc"
DESCRIPTIONS = {
    "for a browser": ("name", "Notes for Google Chrome", "", "chrome: the name says `for google chrome`"),
    "an add-on": ("description", "A Firefox add-on.", "", "firefox: the description says `firefox add-on`"),
    "a plug-in": ("description", "My first Edge plugin", "", "edge: the description says `edge plugin`"),
    "two of one engine": (
        "description",
        "For Chrome and Edge",
        "",
        "chrome: the description says `for chrome`",
    ),
    "two browsers": ("description", "For Chrome and Firefox", "", f"reference: {NOTHING}"),
    "another one in a README": ("name", "Notes for Chrome", "Firefox works, too.", f"reference: {NOTHING}"),
    "a browser as the subject": ("description", "Opens Chrome", "", f"reference: {NOTHING}"),
    "a part of a word": ("description", "For Chromecast, on the edges", "", f"reference: {NOTHING}"),
    "half of a character": ("name", "For Chrome \ud83d", "", "chrome: the name says `for chrome`"),
}


@pytest.mark.parametrize(
    ("key", "text", "readme", "expected"), DESCRIPTIONS.values(), ids=DESCRIPTIONS.keys()
)
def test_name_and_description(key: str, text: str, readme: str, expected: str) -> None:
    files = {"manifest.json": manifest(**{key: text}), "README.md": readme}
    assert _choice(package_in(files, "")) == expected


def test_description_does_not_count_next_to_another_manifest() -> None:
    own = manifest(description="For Chrome")
    files = {"manifest.json": own, "manifest.firefox.json": manifest()}
    assert _choice(package_in(files, "")) == f"reference: {NOTHING}"


def _choice(package: Package) -> str:
    found = detect_targets(package, read_manifest("manifest.json", package.read("manifest.json")))
    return f"{' and '.join(each.name for each in found.targets)}: {found.reason}"


READMES = {
    "a page in Chrome's store": ("README.md", f"Install it from {STORE}.", "chrome"),
    "a page in Chrome's former store": (
        "readme.txt",
        "https://chrome.google.com/webstore/detail/dim/abc",
        "chrome",
    ),
    "Chrome's own page": ("README.md", "Open chrome://extensions and load it.", "chrome"),
    "Chrome's page, and that of Edge": ("README.md", "chrome://extensions or edge://extensions", "chrome"),
    "Edge's own page": ("README.md", "Open `edge://extensions` in Microsoft Edge.", "edge"),
    "a page in Firefox's store": (
        "README",
        "https://addons.mozilla.org/en-US/firefox/addon/dim/",
        "firefox",
    ),
    "a page in Firefox's store without a language": (
        "README.rst",
        "https://addons.mozilla.org/firefox/addon/dim",
        "firefox",
    ),
    "Firefox's own page": ("README.md", "about:debugging#/runtime/this-firefox", "firefox"),
    "a page, and another browser's name": ("README.md", f"{STORE}. Firefox is planned.", "reference"),
    "a page of Firefox, and Chrome's name": ("README.md", "about:debugging. Chrome is planned.", "reference"),
    "a page of Firefox, and Thunderbird's name": (
        "README.md",
        "Open about:debugging in Thunderbird.",
        "reference",
    ),
    "the pages of two browsers": ("README.md", f"{STORE} about:debugging", "reference"),
    "only a name": ("README.md", "An extension for Firefox.", "reference"),
    "the front page of a store": ("README.md", "https://addons.mozilla.org/developers/", "reference"),
    "another document": ("INSTALL.md", STORE, "reference"),
    "a translation": ("README.de.md", STORE, "reference"),
}


@pytest.mark.parametrize(("name", "text", "target"), READMES.values(), ids=READMES.keys())
@pytest.mark.parametrize("folder", ["", "src/", "src/extension/"])
def test_readme_decides_if_nothing_else_does(folder: str, name: str, text: str, target: str) -> None:
    origin = Origin.DEFAULT if target == "reference" else Origin.PROJECT
    files = {f"{folder}manifest.json": manifest(), name: text}
    assert detected(package_in(files, folder)) == ([target], origin)


@pytest.mark.parametrize("keys", [GECKO, {"browser_specific_settings": {"gecko_android": {}}}])
def test_manifest_decides_before_the_readme(keys: dict[str, object]) -> None:
    files = {"manifest.json": manifest(**keys), "README.md": STORE}
    assert detected(package_in(files, ""))[1] is Origin.MANIFEST


def test_nearest_readme_with_a_page_decides() -> None:
    files = {"a/manifest.json": manifest(), "README.md": STORE, "a/README.md": "about:debugging"}
    assert detected(package_in(files, "a/")) == (["firefox"], Origin.PROJECT)
    files["a/README.md"] = "How to build it."
    assert detected(package_in(files, "a/")) == (["chrome"], Origin.PROJECT)


@pytest.mark.parametrize(
    ("other", "target"),
    [("manifest-v3.json", "reference"), ("manifest.dev.json", "firefox"), ("a/manifest-v3.json", "firefox")],
)
def test_readme_does_not_decide_between_manifests(other: str, target: str) -> None:
    files = {"manifest.json": manifest(), other: manifest(), "README.md": "about:debugging"}
    assert detected(package_in(files, ""))[0] == [target]


@pytest.mark.parametrize(
    ("others", "text", "target"),
    [
        (["manifest.firefox.json"], f"{STORE} about:debugging", "chrome"),
        (["manifest.firefox.json"], "edge://extensions about:debugging", "edge"),
        (["manifest.firefox.json"], "about:debugging", "reference"),
        (["manifest.firefox.json", "manifest-v3.json"], STORE, "reference"),
        (["manifest.firefox.json", "manifest.chrome.json"], STORE, "reference"),
    ],
)
def test_readme_decides_next_to_a_manifest_for_firefox(others: list[str], text: str, target: str) -> None:
    files = {"manifest.json": manifest(), **dict.fromkeys(others, manifest()), "README.md": text}
    assert detected(package_in(files, ""))[0] == [target]


USES_OF_ONE_BROWSER: dict[str, tuple[str, str, str]] = {
    "through chrome": ("chrome.notifications.update('a', {});", "", "chrome"),
    "through an alias": ("const api = chrome; api.notifications.update('a', {});", "", "chrome"),
    "through browser, as Chrome cannot": ("browser.notifications.update('a', {});", "", "reference"),
    "through either": ("(window.browser ?? chrome).notifications.update('a', {});", "", "reference"),
    "a README of the same browser": ("chrome.notifications.update('a', {});", f"{STORE} Firefox", "chrome"),
    "a README of another": ("chrome.notifications.update('a', {});", "about:debugging, chrome", "reference"),
    "a README of both": ("chrome.notifications.update('a', {});", f"about:debugging {STORE}", "chrome"),
    "of Firefox": ("browser.menus.refresh();", "", "firefox"),
    "of Firefox through chrome": ("chrome.menus.refresh();", "", "firefox"),
}


@pytest.mark.parametrize(
    ("source", "readme", "target"), USES_OF_ONE_BROWSER.values(), ids=USES_OF_ONE_BROWSER.keys()
)
def test_use_of_an_api_of_one_browser_decides(source: str, readme: str, target: str, tmp_path: Path) -> None:
    keys: dict[str, object] = {**SCRIPTS, "permissions": ["menus", "notifications"]}
    write(tmp_path / "ext", {"manifest.json": manifest(**keys), "b.js": source, "README.md": readme})
    output = tmp_path / "found.json"
    main(["check", str(tmp_path / "ext"), "--output-format", "json", "--output-file", str(output)])
    assert json.loads(output.read_text())["extensions"][0]["targets"] == [target]


def test_script_that_nothing_loads_decides_nothing(tmp_path: Path) -> None:
    source = "chrome.notifications.update('a', {});"
    write(tmp_path / "ext", {"manifest.json": manifest(), "old.js": source})
    output = tmp_path / "found.json"
    main(["check", str(tmp_path / "ext"), "--output-format", "json", "--output-file", str(output)])
    assert json.loads(output.read_text())["extensions"][0]["targets"] == ["reference"]


def test_readme_is_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("ext"), {"manifest.json": manifest(), "README.md": STORE})
    main(["check", "ext", "--output-format", "concise"])
    reason = "`README.md` names `chromewebstore.google.com/detail/`"
    assert capsys.readouterr().out.splitlines()[-1] == f"checked for chrome: {reason}"


ARCHIVES = {
    "test-1.0.0-firefox.zip": ["firefox"],
    "test_chrome_v1.2.zip": ["chrome"],
    "test-chrome-mv3-prod.zip": ["chrome"],
    "releases/firefox/test-1.0.zip": ["firefox"],
    "test.crx": ["chrome"],
    "chrome-mask-1.0.xpi": ["firefox"],
    "chrome-mask-1.0.zip": ["reference"],
    "test-1.0.zip": ["reference"],
}


@pytest.mark.parametrize(("name", "targets"), ARCHIVES.items())
def test_archive_name_determines_targets(name: str, targets: list[str]) -> None:
    content = manifest().encode()
    package = Package(name, {"manifest.json": lambda: content}, packed=True)
    assert detected(package)[0] == targets


IGNORED_BY_FIREFOX = ("minimum_chrome_version", "key")
"""Keys that Firefox recognizes as Chromium keys and ignores."""


@pytest.mark.parametrize("key", CHROMIUM_KEYS)
def test_chromium_keys_are_unsupported_in_other_browsers(key: str) -> None:
    known = targets_with_key((key,))
    assert "chrome" in known
    assert ("firefox" in known) == (key in IGNORED_BY_FIREFOX)
    supporting = support("manifest").get(key, {})
    assert not supporting.get("safari")


def test_correct_chrome_extension_is_clean_without_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The specification marks `management.getAll` as unsupported, but Chrome supports it."""
    source = "chrome.management.getAll().then((all) => console.log(all.length));"
    files = {"manifest.json": manifest(**WORKER, permissions=["management"]), "b.js": source}
    write(tmp_path / "ext", files)
    assert main(["check", str(tmp_path / "ext")]) == 0
    assert main(["check", str(tmp_path / "ext"), "--target", "reference"]) == 1
    (tmp_path / "ext" / "manifest.json").write_text(manifest(**SCRIPTS, permissions=["management"]))
    assert main(["check", str(tmp_path / "ext")]) == 1
    assert "checked for reference: nothing names a browser" in capsys.readouterr().out


def detected(package: Package) -> tuple[list[str], Origin]:
    found = detect_targets(package, read_manifest("manifest.json", package.read("manifest.json")))
    return list(found.names), found.origin
