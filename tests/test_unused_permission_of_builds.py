"""Permissions that nothing uses in the sources of a build: tables of small projects."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import Files, lint, manifest
from packages import package_in, write

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.finding import Finding
from extlint.schema.targets import target_of

RULE = "unused-permission"
LIBRARIES = {
    "@clock/lib": "1.0.0",
    "chrome-promise": "3.0.8",
    "example-login": "1.0.0",
    "ky": "1.0.0",
    "own-lib": "github:me/own-lib",
    "react": "^18.0.0",
    "uuid": "9.0.0",
    "plasmo": "0.90.0",
    "@plasmohq/messaging": "0.7.0",
    "@plasmohq/storage": "1.15.0",
    "webext-x": "1.0.0",
    "wxt": "0.20.0",
}
IN_SOURCES = "is not used anywhere in the sources of the package"
WITH_LIBRARIES = f"{IN_SOURCES}, which import no library for extensions"


def project(
    source: str,
    others: Files | None = None,
    permission: str = "alarms",
    folder: str = "src",
    **keys: object,
) -> dict[str, str | bytes]:
    """Returns a project in which a bundler makes the background script of the extension in a folder."""
    config = {"name": "clock-crx", "scripts": {"build": "webpack"}, "dependencies": LIBRARIES}
    own = {"background": {"service_worker": "background.bundle.js"}, "permissions": [permission], **keys}
    return {
        "package.json": json.dumps(config),
        f"{folder}/manifest.json": manifest(**own),
        f"{folder}/background.ts": source,
        **(others or {}),
    }


def findings(files: Files, target: str = "chrome", folder: str = "src") -> tuple[Finding, ...]:
    """Returns what is reported for targets (`firefox,chrome`)."""
    targets = [found for each in target.split(",") if (found := target_of(each)) is not None]
    return tuple(check_package(package_in(files, f"{folder}/"), targets, [RULE]).findings)


SOURCE = "chrome.runtime.id"
REACT = f"import React from 'react'; {SOURCE}"

SITE: Files = {
    "site/package.json": json.dumps({"name": "@clock/site"}),
    "site/a.ts": "chrome.alarms.create()",
}

MORE = json.dumps({"name": "more", "dependencies": {"@clock/site": "*"}})

REPORTED: dict[str, tuple[str, Files, str]] = {
    "no library": (SOURCE, {}, IN_SOURCES),
    "a library of web pages": (REACT, {}, WITH_LIBRARIES),
    "a path to a library": (f"import a from '../node_modules/react/a'; {SOURCE}", {}, WITH_LIBRARIES),
    "a part of a library": (f"import {{ a }} from 'react/server'; {SOURCE}", {}, WITH_LIBRARIES),
    "a wrapper of the API": (
        "import browser from 'webextension-polyfill'; browser.runtime.id",
        {},
        IN_SOURCES,
    ),
    "a wrapper of the API, and its class": (
        "import ChromePromise from 'chrome-promise'; new ChromePromise().tabs.create({})",
        {},
        IN_SOURCES,
    ),
    "a library of another one": (
        f"import a from 'deep'; {SOURCE}",
        {"yarn.lock": "\ndeep@^1.0.0:\n"},
        WITH_LIBRARIES,
    ),
    "a module of Node.js": (f"import a from 'events'; {SOURCE}", {}, WITH_LIBRARIES),
    "a module of the project": (f"import './a'; {SOURCE}", {"src/a.ts": "chrome.runtime.id"}, IN_SOURCES),
    "a module in other letters": (f"import './A'; {SOURCE}", {"src/a.ts": ""}, IN_SOURCES),
    "types of the project": (
        f"import {{ A }} from '@/types/a'; {SOURCE}",
        {"types/a.d.ts": "export type A = string"},
        IN_SOURCES,
    ),
    "a style sheet": (f"import './missing.css'; {SOURCE}", {}, IN_SOURCES),
    "an image": (f"import image from './missing.svg'; {SOURCE}", {}, IN_SOURCES),
    "suffixes": (f"input.accept = '.html,.htm'; {SOURCE}", {}, IN_SOURCES),
    "a test": (SOURCE, {"tests/a.test.ts": "chrome.alarms.create()"}, IN_SOURCES),
    "a program of the build": (
        SOURCE,
        {"webpack.config.js": "require('fs'); const chrome = 1; chrome.alarms"},
        IN_SOURCES,
    ),
    "a module of a program of the build": (
        SOURCE,
        {"tasks/pack.js": "import gulp from 'gulp'; import './lib/a'", "tasks/lib/a.js": "chrome.alarms"},
        IN_SOURCES,
    ),
    "a library for extensions that a task is named for": (
        SOURCE,
        {"gulpfile.js": "gulp.task('webext-x', () => {}); gulp.watch('a', ['webext-x'])"},
        IN_SOURCES,
    ),
    "a library for extensions that a program imports": (
        SOURCE,
        {"webpack.config.js": "import pack from 'webext-x'; require('webext-x')"},
        IN_SOURCES,
    ),
    "other code that uses other APIs": (SOURCE, {"lib/a.ts": "chrome.tabs.create()"}, IN_SOURCES),
    "a plugin of the build": (SOURCE, {"webpack.config.js": "require('web-ext-plugin')"}, IN_SOURCES),
    "another extension": (
        SOURCE,
        {"old/manifest.json": manifest(), "old/a.js": "chrome.alarms.create()"},
        IN_SOURCES,
    ),
    "a framework whose API is known": (f"import {{ a }} from 'wxt/utils/a'; {SOURCE}", {}, IN_SOURCES),
    "a separate project": (SOURCE, SITE, IN_SOURCES),
    "a separate project that a command builds": (
        SOURCE,
        {**SITE, "build.sh": "pnpm --filter @clock/site build"},
        IN_SOURCES,
    ),
    "a separate project of another one": (
        SOURCE,
        {**SITE, "more/package.json": MORE, "more/a.ts": ""},
        IN_SOURCES,
    ),
}


@pytest.mark.parametrize("target", ["reference", "chrome", "firefox"])
@pytest.mark.parametrize(("source", "others", "message"), REPORTED.values(), ids=REPORTED.keys())
def test_unused_permission_of_a_build_is_reported(
    source: str, others: Files, message: str, target: str
) -> None:
    (found,) = findings(project(source, others), target)
    assert found.message == f"the permission `alarms` {message}"


SILENT: dict[str, tuple[str, Files]] = {
    "a use": (f"{SOURCE}; chrome.alarms.create()", {}),
    "a use of a wrapper": (
        "import Wrapper from 'chrome-promise'; const api = new Wrapper(); f(await api.alarms.getAll())",
        {},
    ),
    "a use of its only object": (
        "import api from 'chrome-promise'; export const f = () => api.alarms.getAll()",
        {},
    ),
    "a library for extensions": (f"import a from 'webext-x'; {SOURCE}", {}),
    "a path to a library for extensions": (f"import a from '../node_modules/webext-x/a'; {SOURCE}", {}),
    "a part of a library for extensions": (f"import a from 'react/chrome-extension'; {SOURCE}", {}),
    "a library for extensions that the build adds": (SOURCE, {"webpack.config.js": "f('webext-x')"}),
    "a library for extensions that the build copies": (
        SOURCE,
        {"webpack.config.js": "gulp.task('webext-x'); copy('node_modules/webext-x/index.js')"},
    ),
    "a library for extensions of other code": (SOURCE, {"lib/a.ts": "import 'webext-x'"}),
    "a library that is not in the registry": (f"import a from 'own-lib'; {SOURCE}", {}),
    "a library that nothing names": (f"import a from 'unknown'; {SOURCE}", {}),
    "a library of the same authors": (f"import a from '@clock/lib'; {SOURCE}", {}),
    "a module that is missing": (f"import './missing'; {SOURCE}", {}),
    "a module that another folder has": (f"import './a'; {SOURCE}", {"src/lib/a.ts": ""}),
    "a module with an unknown alias": (f"import '@/missing'; {SOURCE}", {}),
    "a remote module": (f"import 'https://example.com/a.js'; {SOURCE}", {}),
    "a page that is missing": (f"open(chrome.runtime.getURL('missing.html')); {SOURCE}", {}),
    "code that is not understood": ("chrome[name].create()", {}),
    "an API object for a library": ("import a from 'react'; a(chrome)", {}),
    "other code of the project": (SOURCE, {"lib/a.ts": "chrome.alarms.create()"}),
    "a source in another language": (SOURCE, {"lib/a.coffee": "f()"}),
    "a project that is copied": (SOURCE, {**SITE, "build.sh": "cp -r site/dist dist"}),
    "a project that the code imports": (f"{SOURCE}; // @ts-ignore\nf('@clock/site/a')", SITE),
    "a project in a path": (f"{SOURCE}; f('../site')", SITE),
    "a project of a connected one": (
        f"{SOURCE}; f('../more')",
        {**SITE, "more/package.json": MORE, "more/a.ts": ""},
    ),
    "a project in the folder of the extension": (
        SOURCE,
        {"src/in/package.json": "{}", "src/in/a.ts": "chrome.alarms.create()"},
    ),
}


@pytest.mark.parametrize(("source", "others"), SILENT.values(), ids=SILENT.keys())
def test_permission_that_a_build_may_use_is_not_reported(source: str, others: Files) -> None:
    assert findings(project(source, others)) == ()


COMPONENTS = {
    "a call in the markup": ("{#await chrome.tabs.query({}) then tabs}{tabs[0].url}{/await}", False),
    "tabs that the markup shows": (
        "<script>let tabs; chrome.tabs.query({}, (all) => { tabs = all })</script>{tabs[0].url}",
        False,
    ),
    "other calls": ("<script>chrome.tabs.create({})</script><p title=a>{url}</p>", True),
}


@pytest.mark.parametrize(("component", "is_reported"), COMPONENTS.values(), ids=COMPONENTS.keys())
def test_markup_of_components_may_read_fields_of_tabs(component: str, is_reported: bool) -> None:
    files = {"src/A.svelte": component}
    assert bool(findings(project(f"import './A.svelte'; {SOURCE}", files, "tabs"))) == is_reported


BY_PERMISSION: dict[str, tuple[str, str, bool]] = {
    "tabs, and a library": ("tabs", REACT, True),
    "tabs that a library gets": (
        "tabs",
        "import show from 'react'; chrome.tabs.query({}, (tabs) => show(tabs))",
        False,
    ),
    "tabs of a global that may be the API": (
        "tabs",
        f"api.tabs.query({{}}).then(([tab]) => f(tab.url)); {SOURCE}",
        False,
    ),
    "a sender of a global that may be the API": (
        "tabs",
        f"api.runtime.onMessage.addListener((_, {{ tab }}) => f(tab.url)); {SOURCE}",
        False,
    ),
    "tabs of the API, and others": (
        "tabs",
        f"chrome.tabs.query({{}}, ([tab]) => f(tab.id, state.tabs)); g(page.title); {SOURCE}",
        True,
    ),
    "tabs of a namespace of the polyfill": (
        "tabs",
        "import { tabs } from 'webextension-polyfill'; tabs.query({}).then(([tab]) => f(tab.url))",
        False,
    ),
    "the storage, and WXT": ("storage", f"import a from 'wxt/utils/a'; {SOURCE}", False),
    "the storage, and Plasmo": ("storage", f"import a from '@plasmohq/storage'; {SOURCE}", False),
    "more storage, and Plasmo": ("unlimitedStorage", f"import a from '@plasmohq/storage'; {SOURCE}", False),
    "the storage, and messages of Plasmo": (
        "storage",
        f"import a from '@plasmohq/messaging'; import b from 'plasmo'; {SOURCE}",
        True,
    ),
    "scripts, and a build of Plasmo": (
        "scripting",
        f"export const config = {{ world: 'MAIN' }}; {SOURCE}",
        False,
    ),
    "scripts, and Plasmo": ("scripting", f"import a from 'plasmo'; {SOURCE}", False),
    "tabs, and messages of Plasmo": (
        "tabs",
        f"import a from '@plasmohq/messaging'; f(a.tab.url); {SOURCE}",
        True,
    ),
    "tabs of a sender, and messages of Plasmo": (
        "tabs",
        f"import a from '@plasmohq/messaging'; export default (a) => f(a.sender.tab.url); {SOURCE}",
        False,
    ),
    "messages of Plasmo, and a listener with a sender": (
        "tabs",
        "import a from '@plasmohq/messaging'; chrome.runtime.onMessage.addListener((m, sender, answer) => "
        f"g(m.url)); {SOURCE}",
        True,
    ),
    "the storage of web pages": ("storage", f"{REACT}; localStorage.a = 1", True),
    "a library for the clipboard": ("clipboardWrite", f"import ky from 'ky'; {SOURCE}", False),
    "a library that only renders, and the clipboard": ("clipboardWrite", REACT, True),
    "no text is copied": ("clipboardWrite", SOURCE, True),
    "the active tab, and a library": ("activeTab", REACT, True),
    "the active tab, and a library for requests": ("activeTab", f"import ky from 'ky'; {SOURCE}", False),
    "hosts, and a library": ("https://example.com/*", f"import ky from 'ky'; {SOURCE}", False),
    "hosts of content scripts, and a library": (
        "https://example.com/*",
        f"import a from 'uuid'; {SOURCE}",
        True,
    ),
    "other hosts, and a library": ("https://other.test/*", f"import a from 'uuid'; {SOURCE}", False),
    "hosts, and a library of their site": (
        "https://example.com/*",
        f"import a from 'example-login'; {SOURCE}",
        False,
    ),
    "hosts, and a library that only renders": ("https://example.com/*", REACT, True),
    "hosts": ("https://example.com/*", SOURCE, True),
}


@pytest.mark.parametrize(
    ("permission", "source", "is_reported"), BY_PERMISSION.values(), ids=BY_PERMISSION.keys()
)
def test_each_permission_has_its_own_possible_users(permission: str, source: str, is_reported: bool) -> None:
    scripts = [{"matches": ["https://example.com/*"], "css": ["a.css"]}]
    build = {"build.sh": "plasmo build"} if "world" in source else {}
    files = project(source, build, permission, action={}, content_scripts=scripts)
    assert bool(findings(files)) == is_reported


OUTER: dict[str, tuple[str, str, bool]] = {
    "types, and the active tab": ("activeTab", "export const a = 1", True),
    "a request, and the active tab": ("activeTab", "export const f = (b) => fetch(b)", False),
    "types, and hosts": ("https://example.com/*", "export const a = 1", True),
    "an address, and hosts": ("https://example.com/*", "export const a = 'https://api.test'", False),
    "the clipboard": ("clipboardWrite", "export const f = (b) => navigator.clipboard.writeText(b)", False),
    "no clipboard": ("clipboardWrite", "export const f = (b) => b + 1", True),
    "the id of a tab": ("tabs", "chrome.tabs.query({}, ([tab]) => f(tab.id))", True),
    "the address of a tab": ("tabs", "chrome.tabs.query({}, ([tab]) => f(tab.url))", False),
}


@pytest.mark.parametrize(("permission", "code", "is_reported"), OUTER.values(), ids=OUTER.keys())
def test_other_code_of_the_project_may_use_a_permission(
    permission: str, code: str, is_reported: bool
) -> None:
    found = findings(project(SOURCE, {"lib/a.ts": code}, permission, action={}))
    assert bool(found) == is_reported


def test_no_library_uses_the_active_tab_if_users_cannot_grant_it() -> None:
    source = f"import a from 'webext-x'; {SOURCE}"
    (found,) = findings(project(source, permission="activeTab"))
    assert found.message == f"the permission `activeTab` {IN_SOURCES}"
    assert findings(project(source, permission="activeTab", action={})) == ()
    assert findings(project(source, permission="activeTab", omnibox={"keyword": "a"})) == ()


def test_plasmo_adds_a_button(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    project = {"manifest": {"permissions": ["activeTab", "alarms"]}, "dependencies": {"plasmo": "1"}}
    files = {
        "package.json": json.dumps({**project, "scripts": {"build": "plasmo build"}}),
        "background.ts": f"{SOURCE}; fetch(address)",
    }
    write(files)
    main(["check", f"--select={RULE}"])
    output = capsys.readouterr().out
    assert "`alarms` is not used" in output
    assert "`activeTab`" not in output


MADE = {
    "a file of the bundler": ("vendor.js", True),
    "a file with a number": ("12.chunk.js", True),
    "a file without a source": ("deps/list.js", False),
    "a file that a program names": ("bundled/all.js", True),
    "a file of a library": ("node_modules/lodash/lodash.js", True),
    "a file of a library for extensions": ("bower_components/webext-x/index.js", False),
}


@pytest.mark.parametrize(("name", "is_reported"), MADE.values(), ids=MADE.keys())
def test_missing_script_must_have_known_sources(name: str, is_reported: bool) -> None:
    scripts = [{"matches": ["https://*/*"], "js": [name]}]
    program = {"gulpfile.js": "bundle('src/own/main.js', 'all.js')"}
    assert bool(findings(project(SOURCE, program, content_scripts=scripts))) == is_reported


def test_folder_that_a_build_copies_requires_its_sources() -> None:
    files = {**project(SOURCE, folder="public"), "public/background.bundle.js": SOURCE}
    assert findings(files, folder="public") == ()


def test_script_next_to_a_manifest_whose_files_are_elsewhere_may_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = {"background": {"page": "b.html"}, "permissions": ["alarms", "downloads"]}
    write(
        {
            "package.json": json.dumps({"scripts": {"build": "sh make.sh"}}),
            "make.sh": "cp -R src/* dist/\ncp platform/chrome/*.js dist/js/\ncp platform/chrome/*.json dist/",
            "platform/chrome/manifest.json": json.dumps(
                {"manifest_version": 2, "name": "Test", "version": "1.0", **keys}
            ),
            "platform/chrome/api.js": "chrome.alarms.create({});",
            "src/b.html": "<script src='js/api.js'></script><script src='js/own.js'></script>",
            "src/js/own.js": SOURCE,
        }
    )
    main(["check", f"--select={RULE}"])
    output = capsys.readouterr().out
    assert "`downloads` is not used" in output
    assert "`alarms`" not in output


def test_key_in_a_part_of_the_manifest_uses_its_permission() -> None:
    part = {"src/manifest-chrome.json": json.dumps({"background": {}, "side_panel": {}})}
    assert findings(project(SOURCE, permission="sidePanel")) != ()
    assert findings(project(SOURCE, part, permission="sidePanel")) == ()


def test_finding_is_the_same_for_all_targets() -> None:
    (found,) = findings(project(REACT), "chrome,firefox,reference")
    assert len(found.targets) == 3


def test_without_a_build_a_missing_library_may_use_it() -> None:
    files = {
        "manifest.json": manifest(permissions=["alarms"], background={"service_worker": "b.js"}),
        "b.js": REACT,
    }
    assert lint(files, [RULE], "chrome") == []
