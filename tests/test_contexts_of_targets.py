"""Scripts that some targets never run, because the key or function that loads them is unsupported."""

from __future__ import annotations

import pytest
from harness import Files, lint, manifest

from extlint.contexts.ignored_keys import READERS, unread
from extlint.manifest.file_keys import RUN
from extlint.validation.schema_keys import knows
from extlint_schemas import json_schema

RULES = ("invalid-argument", "invalid-syntax", "unknown-api", "wrong-context", "missing-permission")
ALL = "firefox,firefox_android,chrome"
NOWHERE = "browser.runtime.getUrl('')"
ON_CHROME = "chrome.readingList.query({}, f)"
ON_FIREFOX = "browser.sidebarAction.close()"
PAGE = '<script src="a.js"></script>'


def lay(version: int = 3, files: Files | None = None, **keys: object) -> Files:
    """Returns a package with a page `p.html` that loads `a.js`, and a content script for all targets."""
    contents = [{"matches": ["*://a.b/*"], "js": ["c.js"]}]
    text = manifest(manifest_version=version, content_scripts=contents, permissions=["readingList"], **keys)
    return {"manifest.json": text, "p.html": PAGE, "c.js": "", **(files or {})}


NAMED: dict[str, tuple[Files, str]] = {
    "the developer tools": (lay(devtools_page="p.html"), "firefox chrome"),
    "a sidebar": (lay(sidebar_action={"default_panel": "p.html"}), "firefox"),
    "a side panel": (lay(side_panel={"default_path": "p.html"}), "chrome"),
    "a new tab": (lay(chrome_url_overrides={"newtab": "p.html"}), "firefox chrome"),
    "the history": (lay(chrome_url_overrides={"history": "p.html"}), "chrome"),
    "a page action": (lay(page_action={"default_popup": "p.html"}), "firefox firefox_android"),
    "a page action of version 2": (
        lay(2, page_action={"default_popup": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "options": (lay(options_ui={"page": "p.html"}), "firefox firefox_android chrome"),
    "a handler of files": (
        lay(file_handlers=[{"action": "/p.html", "name": "a", "accept": {"text/plain": [".a"]}}]),
        "chrome",
    ),
    "scripts of users": (lay(2, user_scripts={"api_script": "a.js"}), "firefox firefox_android"),
    "a page in one more place": (
        lay(side_panel={"default_path": "p.html"}, sidebar_action={"default_panel": "p.html"}),
        "firefox chrome",
    ),
    "a page that all have in one more place": (
        lay(side_panel={"default_path": "p.html"}, options_ui={"page": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "a background for each": (
        lay(background={"service_worker": "a.js", "scripts": ["b.js"]}, files={"b.js": ""}),
        "chrome",
    ),
    "a background for each, the other way round": (
        lay(background={"service_worker": "b.js", "scripts": ["a.js"]}, files={"b.js": ""}),
        "firefox firefox_android",
    ),
    "a page as the background": (
        lay(background={"service_worker": "b.js", "page": "p.html"}, files={"b.js": ""}),
        "firefox firefox_android",
    ),
    "one background, which a browser refuses": (
        lay(background={"service_worker": "a.js"}),
        "firefox firefox_android chrome",
    ),
    "the other one": (lay(background={"scripts": ["a.js"]}), "firefox firefox_android chrome"),
    "a key of the other version, which nobody reads": (
        lay(browser_action={"default_popup": "p.html"}),
        "firefox firefox_android chrome",
    ),
    "a key that a build keeps": (lay(__chrome__options_ui={"page": "p.html"}), "chrome"),
    "nothing": (lay(), "firefox firefox_android chrome"),
}
CALLED: dict[str, tuple[str, str]] = {
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


def speaking(files: Files, source: str) -> list[str]:
    """Returns the targets of the findings in `a.js`."""
    found = [each for each in lint({**files, "a.js": source}, RULES, ALL) if each.path == "a.js"]
    return [target for target in ALL.split(",") if any(target in each.targets for each in found)]


@pytest.mark.parametrize(("files", "targets"), NAMED.values(), ids=NAMED.keys())
def test_targets_that_read_a_key(files: Files, targets: str) -> None:
    assert speaking(files, NOWHERE) == targets.split()


@pytest.mark.parametrize(("source", "targets"), CALLED.values(), ids=CALLED.keys())
def test_targets_that_have_a_function(source: str, targets: str) -> None:
    files = lay(background={"service_worker": "b.js", "scripts": ["b.js"]}, files={"b.js": f"() => {source}"})
    assert speaking(files, NOWHERE) == targets.split()


@pytest.mark.parametrize(
    "source", [NOWHERE, "() => { browser.runtime.getURL('')", "chrome.tabs.query({ a: 1 })"]
)
def test_every_finding_in_a_script_is_for_those_that_run_it(source: str) -> None:
    assert speaking(lay(devtools_page="p.html"), source) == ["firefox", "chrome"]


IMPORTED = {
    "by a script that all run": ("import './a.js'", "firefox firefox_android chrome"),
    "by nothing else": ("", "firefox chrome"),
}


@pytest.mark.parametrize(("imports", "targets"), IMPORTED.values(), ids=IMPORTED.keys())
def test_a_module_is_also_imported(imports: str, targets: str) -> None:
    files = lay(
        devtools_page="p.html",
        options_ui={"page": "o.html"},
        files={
            "p.html": '<script type="module" src="p.js"></script>',
            "p.js": "import './a.js'",
            "o.html": '<script type="module" src="o.js"></script>',
            "o.js": imports,
        },
    )
    assert speaking(files, NOWHERE) == targets.split()


def test_what_another_target_has_is_right_in_its_own_scripts() -> None:
    both = {"service_worker": "a.js", "scripts": ["b.js"]}
    assert speaking(lay(background=both, files={"b.js": ""}), ON_CHROME) == []
    assert speaking(lay(background=both, files={"b.js": ""}), ON_FIREFOX) == ["chrome"]
    assert speaking(lay(sidebar_action={"default_panel": "p.html"}), ON_FIREFOX) == []
    assert speaking(lay(options_ui={"page": "p.html"}), ON_CHROME) == ["firefox", "firefox_android"]


def test_a_script_lacks_what_only_its_own_context_lacks() -> None:
    both = {"service_worker": "a.js", "scripts": ["a.js"]}
    files = {**lay(background=both), "a.js": "chrome.extension.getViews()"}
    (found,) = [each for each in lint(files, RULES, ALL) if each.path == "a.js"]
    assert (found.rule, found.targets) == ("wrong-context", ("chrome",))


def test_a_permission_is_used_where_a_script_runs_in_another_target() -> None:
    files = lay(sidebar_action={"default_panel": "p.html"})
    source = {"a.js": "browser.readingList.query({})"}
    assert [each.rule for each in lint({**files, **source}, ["unused-permission"], "chrome")] == []


def test_the_reference_runs_all() -> None:
    files = {**lay(devtools_page="p.html"), "a.js": "browser.management.getAll()"}
    assert [each.rule for each in lint(files, ["unsupported-api"])] == ["unsupported-api"]


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize("pattern", RUN)
def test_a_key_is_unread_where_the_schemas_of_some_targets_lack_it(pattern: str, version: int) -> None:
    pointer = "/" + pattern.replace("[]", "0")
    for name in ("bookmarks", "history", "home", "newtab") if "*" in pattern else ("",):
        steps = [0 if each == "0" else each for each in pointer.replace("*", name).split("/")[1:]]
        lacking = {
            target
            for target in READERS
            if not knows(json_schema(f"manifests/{target}_{version}"), tuple(steps))
        }
        if pattern == "background/service_worker":
            lacking |= {"firefox", "firefox_android"}
        expected = lacking if len(lacking) < len(READERS) else set()
        assert set(unread(pointer.replace("*", name), version)[1]) == expected
