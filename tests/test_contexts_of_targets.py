"""Scripts that some targets never run, because the key or function that loads them is unsupported."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

from extlint.manifest.file_keys import CODE_PATHS
from extlint.project.contexts.layout import READERS, ignored_key
from extlint.schema.validation.schema_path import is_known_key
from extlint_schemas import json_schema

RULES = ("invalid-argument", "invalid-syntax", "unknown-api", "wrong-context", "missing-permission")
ALL = "firefox,firefox_android,chrome"
IN_NO_BROWSER = "browser.runtime.getUrl('')"
ON_CHROME = "chrome.readingList.query({}, f)"
ON_FIREFOX = "browser.sidebarAction.close()"
PAGE = '<script src="a.js"></script>'


def package_files(version: int = 3, files: Files | None = None, **keys: object) -> Files:
    """Returns a package with a page `p.html` that loads `a.js`, and a content script for all targets."""
    contents = [{"matches": ["*://a.b/*"], "js": ["c.js"]}]
    text = manifest(manifest_version=version, content_scripts=contents, permissions=["readingList"], **keys)
    return {"manifest.json": text, "p.html": PAGE, "c.js": "", **(files or {})}


LOADED_BY_KEY: dict[str, tuple[Files, str]] = {
    "the developer tools": (package_files(devtools_page="p.html"), "firefox chrome"),
    "a sidebar": (package_files(sidebar_action={"default_panel": "p.html"}), "firefox"),
    "a side panel": (package_files(side_panel={"default_path": "p.html"}), "chrome"),
    "a new tab": (package_files(chrome_url_overrides={"newtab": "p.html"}), "firefox chrome"),
    "the history": (package_files(chrome_url_overrides={"history": "p.html"}), "chrome"),
    "a page action": (package_files(page_action={"default_popup": "p.html"}), "firefox firefox_android"),
    "a page action in Manifest V2": (
        package_files(2, page_action={"default_popup": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "options": (package_files(options_ui={"page": "p.html"}), "firefox firefox_android chrome"),
    "a handler of files": (
        package_files(file_handlers=[{"action": "/p.html", "name": "a", "accept": {"text/plain": [".a"]}}]),
        "chrome",
    ),
    "scripts of users": (package_files(2, user_scripts={"api_script": "a.js"}), "firefox firefox_android"),
    "a page in one more place": (
        package_files(side_panel={"default_path": "p.html"}, sidebar_action={"default_panel": "p.html"}),
        "firefox chrome",
    ),
    "a page that all have in one more place": (
        package_files(side_panel={"default_path": "p.html"}, options_ui={"page": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "a background for each": (
        package_files(background={"service_worker": "a.js", "scripts": ["b.js"]}, files={"b.js": ""}),
        "chrome",
    ),
    "a background for each, the other way round": (
        package_files(background={"service_worker": "b.js", "scripts": ["a.js"]}, files={"b.js": ""}),
        "firefox firefox_android",
    ),
    "a page as the background": (
        package_files(background={"service_worker": "b.js", "page": "p.html"}, files={"b.js": ""}),
        "firefox firefox_android",
    ),
    "one background, which a browser refuses": (
        package_files(background={"service_worker": "a.js"}),
        "firefox firefox_android chrome",
    ),
    "the other one": (package_files(background={"scripts": ["a.js"]}), "firefox firefox_android chrome"),
    "a Manifest V2 key ignored in Manifest V3": (
        package_files(browser_action={"default_popup": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "a key that a build keeps": (package_files(__chrome__options_ui={"page": "p.html"}), "chrome"),
    "nothing": (package_files(), ""),
    "perhaps a script": (package_files(files={"c.js": "f('p.html')"}), "firefox firefox_android chrome"),
}
LOADED_BY_CALL: dict[str, tuple[str, str]] = {
    "an offscreen document": (
        "chrome.offscreen.createDocument({ url: 'p.html', reasons: ['BLOBS'], justification: '' })",
        "chrome",
    ),
    "a side panel": ("chrome.sidePanel.setOptions({ path: 'p.html' })", "chrome"),
    "a sidebar": ("browser.sidebarAction.setPanel({ panel: 'p.html' })", "firefox firefox_android"),
    "a content script": (
        "browser.contentScripts.register({ js: [{ file: 'a.js' }], matches: [] })",
        "firefox firefox_android",
    ),
    "a popup": ("chrome.action.setPopup({ popup: 'p.html' })", "firefox firefox_android chrome"),
    "a tab": ("chrome.tabs.create({ url: 'p.html' })", "firefox firefox_android chrome"),
    "a function of the other version": (
        "chrome.tabs.executeScript({ file: 'a.js' })",
        "firefox firefox_android chrome",
    ),
}


def reporting_targets(files: Files, source: str) -> list[str]:
    """Returns the targets of the findings in `a.js`."""
    found = [each for each in lint({**files, "a.js": source}, RULES, ALL) if each.path == "a.js"]
    return [target for target in ALL.split(",") if any(target in each.targets for each in found)]


@pytest.mark.parametrize(("files", "targets"), LOADED_BY_KEY.values(), ids=LOADED_BY_KEY.keys())
def test_page_of_key_runs_only_in_supporting_targets(files: Files, targets: str) -> None:
    assert reporting_targets(files, IN_NO_BROWSER) == targets.split()


@pytest.mark.parametrize(("source", "targets"), LOADED_BY_CALL.values(), ids=LOADED_BY_CALL.keys())
def test_page_of_call_runs_only_in_supporting_targets(source: str, targets: str) -> None:
    files = package_files(
        background={"service_worker": "b.js", "scripts": ["b.js"]}, files={"b.js": f"() => {source}"}
    )
    assert reporting_targets(files, IN_NO_BROWSER) == targets.split()


@pytest.mark.parametrize(
    "source", [IN_NO_BROWSER, "() => { browser.runtime.getURL('')", "chrome.tabs.query({ a: 1 })"]
)
def test_findings_are_limited_to_targets_that_run_the_script(source: str) -> None:
    assert reporting_targets(package_files(devtools_page="p.html"), source) == ["firefox", "chrome"]


IMPORTED = {
    "by a script that all run": ("import './a.js'", "firefox firefox_android chrome"),
    "by nothing else": ("", "firefox chrome"),
}


@pytest.mark.parametrize(("imports", "targets"), IMPORTED.values(), ids=IMPORTED.keys())
def test_imported_module_runs_in_targets_of_importers(imports: str, targets: str) -> None:
    files = package_files(
        devtools_page="p.html",
        options_ui={"page": "o.html"},
        files={
            "p.html": '<script type="module" src="p.js"></script>',
            "p.js": "import './a.js'",
            "o.html": '<script type="module" src="o.js"></script>',
            "o.js": imports,
        },
    )
    assert reporting_targets(files, IN_NO_BROWSER) == targets.split()


def test_member_of_one_target_is_valid_in_its_scripts() -> None:
    both = {"service_worker": "a.js", "scripts": ["b.js"]}
    assert reporting_targets(package_files(background=both, files={"b.js": ""}), ON_CHROME) == []
    assert reporting_targets(package_files(background=both, files={"b.js": ""}), ON_FIREFOX) == ["chrome"]
    assert reporting_targets(package_files(sidebar_action={"default_panel": "p.html"}), ON_FIREFOX) == []
    assert reporting_targets(package_files(options_ui={"page": "p.html"}), ON_CHROME) == [
        "firefox",
        "firefox_android",
    ]


def test_member_missing_in_one_context_is_reported_per_target() -> None:
    both = {"service_worker": "a.js", "scripts": ["a.js"]}
    files = {**package_files(background=both), "a.js": "chrome.extension.getViews()"}
    (found,) = [each for each in lint(files, RULES, ALL) if each.path == "a.js"]
    assert (found.rule, found.targets) == ("wrong-context", ("chrome",))


def test_script_of_another_target_uses_the_permission() -> None:
    files = package_files(sidebar_action={"default_panel": "p.html"})
    source = {"a.js": "browser.readingList.query({})"}
    assert [each.rule for each in lint({**files, **source}, ["unused-permission"], "chrome")] == []


def test_reference_target_runs_all_scripts() -> None:
    files = {**package_files(devtools_page="p.html"), "a.js": "browser.management.getAll()"}
    assert [each.rule for each in lint(files, ["unsupported-api"])] == ["unsupported-api"]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("pattern", CODE_PATHS)
def test_ignored_keys_match_the_schemas(pattern: str, version: int) -> None:
    pointer = "/" + pattern.replace("[]", "0")
    for name in ("bookmarks", "history", "home", "newtab") if "*" in pattern else ("",):
        steps = [0 if each == "0" else each for each in pointer.replace("*", name).split("/")[1:]]
        targets_without_key = {
            target
            for target in READERS
            if not is_known_key(json_schema(f"manifests/{target}_{version}"), tuple(steps))
        }
        if pattern == "background/service_worker":
            targets_without_key |= {"firefox", "firefox_android"}
        expected = targets_without_key if len(targets_without_key) < len(READERS) else set()
        assert set(ignored_key(pointer.replace("*", name), version)[1]) == expected
