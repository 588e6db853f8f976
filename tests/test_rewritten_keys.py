"""Manifest keys that a tool of the project writes, so that browsers read other values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from harness import Files
from packages import package_in

from extlint.checker import check_package
from extlint.project.rewritten_keys import touching_places
from extlint.schema.targets import Target, target_of

WORKER = {
    "manifest_version": 3,
    "name": "List",
    "version": "1.0",
    "background": {"service_worker": "worker.js"},
}
READ = "const fs = require('fs'); const res = JSON.parse(fs.readFileSync('manifest.json'));"


def reported(files: Files, target: str = "firefox", folder: str = "") -> list[str]:
    package = package_in(files, folder)
    rules = [
        *("missing-key", "invalid-value", "unknown-permission", "missing-permission"),
        *("missing-manifest-key", "unused-permission"),
    ]
    return [each.rule for each in check_package(package, [Target(target)], rules).findings]


def project(tool: str, text: str, script: str = "", **keys: object) -> Files:
    return {"manifest.json": json.dumps({**WORKER, **keys}), "worker.js": script, tool: text}


@pytest.mark.parametrize(
    ("programs", "is_reported"),
    [
        pytest.param({"scripts/web/build.js": "EDIT"}, False, id="a folder in a folder of programs"),
        pytest.param(
            {"package.json": "node release/a/make.js", "release/a/make.js": "EDIT"}, False, id="npm"
        ),
        pytest.param({"package.json": "node release/make", "release/make.js": "EDIT"}, False, id="no suffix"),
        pytest.param(
            {"Makefile": "all:\n\tnode release/make.mjs --prod", "release/make.mjs": "EDIT"}, False, id="make"
        ),
        pytest.param(
            {".github/workflows/a.yml": "run: node release/make.js", "release/make.js": "EDIT"},
            False,
            id="CI",
        ),
        pytest.param(
            {
                "package.json": "node release/make.js",
                "release/make.js": "require('./edit')",
                "release/edit.js": "EDIT",
            },
            False,
            id="a module of a program",
        ),
        pytest.param(
            {
                "package.json": "node release/make.js",
                "release/make.js": "import {a} from '../lib/edit.js'",
                "lib/edit.js": "export {a} from './b'",
                "lib/b.js": "EDIT",
            },
            False,
            id="a module of a module",
        ),
        pytest.param(
            {"package.json": "sh release/make.sh", "release/make.sh": "jq 'del(.background)' manifest.json"},
            False,
            id="a shell script",
        ),
        pytest.param(
            {
                "package.json": "eslint src/a.js; .bin/b c.d.e && node  x && bash 'release/make.sh'",
                "release/make.sh": "jq 'del(.background)' manifest.json",
            },
            False,
            id="the last of several commands",
        ),
        pytest.param(
            {
                "package.json": "b -release/make.sh --release/make.sh c@release/make.sh release/make.sh.c",
                "release/make.sh": "jq 'del(.background)' manifest.json",
            },
            True,
            id="a part of a word",
        ),
        pytest.param({"release/make.js": "EDIT"}, True, id="a program that nothing runs"),
        pytest.param(
            {"tools/facts/keys.py": "manifest = {'background': {}}"}, True, id="a table in another language"
        ),
        pytest.param({"package.json": "node release/make.js", "release/edit.js": "EDIT"}, True, id="another"),
        pytest.param(
            {"scripts/build.js": "// require('x')", "scripts/node_modules/a/b.js": "EDIT"},
            True,
            id="npm packages",
        ),
    ],
)
def test_programs_that_the_project_runs(programs: dict[str, str], is_reported: bool) -> None:
    edit = "module.exports = (manifest) => { manifest.background = {scripts: []}; };"
    files: dict[str, str] = {}
    for path, text in programs.items():
        command = json.dumps({"scripts": {"release": text}})
        files[path] = command if path == "package.json" else text.replace("EDIT", edit)
    extension = {"src/manifest.json": json.dumps(WORKER), "src/worker.js": ""}
    assert reported({**files, **extension}, folder="src/") == ["missing-key"] * is_reported


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        pytest.param("firefox.js", f"{READ} res.background = {{scripts: []}}", id="a script for Node"),
        pytest.param("firefox.js", f"{READ} res['background'].scripts = [];", id="a key in brackets"),
        pytest.param("firefox.js", f"{READ} const b = res.background; b.scripts = [];", id="by a variable"),
        pytest.param("scripts/manifest.mjs", "export default (m) => ({...m, background})", id="a copy"),
        pytest.param("tools/manifest.ts", "(m as any).background!.scripts = [];", id="TypeScript"),
        pytest.param(
            "gulpfile.js", "merge(require('./manifest.json'), {background: {scripts: []}})", id="a merge"
        ),
        pytest.param(
            "webpack.config.js", "const manifest = {background: {scripts: []}}", id="a manifest in full"
        ),
        pytest.param("build.js", "x('manifest.json').replace(/\"service_worker\": (.*)/, '')", id="as text"),
        pytest.param("build.sh", "jq '.background = {scripts: []}' manifest.json > a.json", id="jq"),
        pytest.param("Makefile", '\tsed -i \'s/"service_worker"/"scripts"/\' manifest.json', id="sed"),
        pytest.param(
            "build.sh",
            "jq '\n  del(.key)\n  | .background |= {scripts: []}\n' manifest.json > out",
            id="jq over several lines",
        ),
        pytest.param("make.py", "m = load('manifest.json')\nm['background']['scripts'] = []", id="Python"),
        pytest.param("pack.py", "manifest.update({'background': {'scripts': []}})", id="a literal"),
        pytest.param("pack.rb", "manifest['background'].delete('service_worker')", id="Ruby"),
        pytest.param(
            "package.json",
            json.dumps({"scripts": {"build": "jq '.background={}' manifest.json > a.json"}}),
            id="a script of npm",
        ),
        pytest.param(
            ".github/workflows/a.yml", "  run: jq 'del(.background)' manifest.json | sponge a.json", id="CI"
        ),
    ],
)
def test_key_written_by_a_tool_is_not_reported(tool: str, text: str) -> None:
    assert reported(project(tool, text)) == []
    assert reported({**project(tool, text), "manifest.json": json.dumps({**WORKER, "icons": ["a"]})}) == [
        "invalid-value"
    ]


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        pytest.param("firefox.js", f"{READ} res.version = '2';", id="another key"),
        pytest.param("firefox.js", f"{READ} // res.background = {{}}", id="a comment"),
        pytest.param("firefox.js", f"{READ} console.log(res.background);", id="a read"),
        pytest.param("firefox.js", f"{READ} if (res.background === 1) {{}}", id="a comparison"),
        pytest.param("a.js", "let manifest, res; res.background = {};", id="no tool"),
        pytest.param("build.js", "const res = {}; res.background = {};", id="nothing of a manifest"),
        pytest.param(
            "webpack.config.js",
            "module.exports = {entry: {background: './a.js'}, plugins: [copy('manifest.json', m => "
            "({...m, name, version}))]};",
            id="an entry",
        ),
        pytest.param(
            "webpack.config.js",
            "config.entry.background = 'a.js'; copy('manifest.json')",
            id="an entry added",
        ),
        pytest.param("build.js", "x('manifest.json'); paths.scripts = [];", id="a name of much else"),
        pytest.param("build.sh", "jq -r .background manifest.json", id="jq reads"),
        pytest.param("build.sh", "# jq '.background = 1' manifest.json > a", id="a comment of a shell"),
        pytest.param("build.sh", "cp manifest.json out/; zip -r background.zip out > log", id="a copy"),
        pytest.param("make.py", "if load('manifest.json')['background'] == 1: pass", id="Python compares"),
        pytest.param("manifest.md", "jq '.background = 1' manifest.json > a", id="a text for people"),
    ],
)
def test_key_not_written_by_a_tool_is_reported(tool: str, text: str) -> None:
    assert reported(project(tool, text)) == ["missing-key"]


def test_loaded_script_is_not_a_tool() -> None:
    files = project("a.js", f"{READ} res.background = {{}};", "importScripts('a.js');")
    assert reported(files) == ["missing-key"]


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        pytest.param('sed -i "s/LIST_VERSION/$1/" out/manifest.json', False, id="in place"),
        pytest.param('sed "s/@LIST_VERSION@/$1/" manifest.json > out/manifest.json', False, id="to a file"),
        pytest.param('sed -i "s/LIST_NAME/$1/" out/manifest.json', True, id="another word"),
        pytest.param('echo "LIST_VERSION" > manifest.txt', True, id="nothing is replaced"),
    ],
)
@pytest.mark.parametrize(
    "tool", ["p/release.sh", "p/Scripts/release.sh", ".github/workflows/a.yml", "p/a.mk"]
)
def test_version_placeholder_filled_in_by_a_tool(tool: str, text: str, is_reported: bool) -> None:
    files = {f"p/ext/{path}": text for path, text in project("b.txt", "", version="LIST_VERSION").items()}
    assert reported({**files, tool: text}, "chrome", "p/ext/") == (["invalid-value"] if is_reported else [])


def test_version_with_a_digit_is_not_a_placeholder() -> None:
    files = project("release.sh", "sed -i s/v1.x/$1/ manifest.json", version="v1.x")
    assert reported(files, "chrome") == ["invalid-value"]


@pytest.mark.parametrize(
    "tool", ["build.js", "scripts/a.js", "p/Scripts/a.js", "p/webpack.config.js", "p/tools/make.py"]
)
def test_tools_above_the_extension_count(tool: str) -> None:
    files = {f"p/ext/{path}": text for path, text in project("b.txt", "").items()}
    assert reported(files, folder="p/ext/") == ["missing-key"]
    assert reported({**files, tool: "manifest['background']['scripts'] = [];"}, folder="p/ext/") == []


@pytest.mark.parametrize(
    ("folder", "tool", "is_reported"),
    [
        pytest.param("p/ext/", "p/checks/test_manifest.py", True, id="a Python test"),
        pytest.param("p/ext/", "p/checks/conftest.py", True, id="fixtures of pytest"),
        pytest.param("p/ext/", "p/tests/manifest.py", True, id="a folder of tests"),
        pytest.param("p/ext/", "p/checks/latest_manifest.py", False, id="part of another word"),
        pytest.param("p/tests/ext/", "p/tests/make.py", False, id="the extension belongs to tests"),
        pytest.param("", "checks/test_manifest.py", True, id="in the extension"),
    ],
)
def test_programs_that_test_do_not_write_the_manifest(folder: str, tool: str, is_reported: bool) -> None:
    files = {f"{folder}{path}": text for path, text in project("b.txt", "").items()}
    files[".github/workflows/a.yml"] = f"run: python {tool}\nrun: extlint check p/ext/manifest.json"
    files[tool] = "manifest['background']['scripts'] = []"
    assert reported(files, folder=folder) == (["missing-key"] if is_reported else [])


@pytest.mark.parametrize(
    ("script", "keys", "text", "rule"),
    [
        ("chrome.alarms.create({});", {}, "res.permissions.push('alarms');", "missing-permission"),
        ("chrome.alarms.create({});", {}, "res.permissions = p;", "missing-permission"),
        ("chrome.action.getTitle({});", {}, "res.action = {};", "missing-manifest-key"),
        ("", {"permissions": ["alarms"]}, "res.permissions = p;", "unused-permission"),
        ("", {"permissions": ["alrams"]}, "res.permissions = p;", "unknown-permission"),
        ("", {"version": "a.b"}, "res.version = v;", "invalid-value"),
    ],
)
def test_findings_that_depend_on_a_written_key(
    script: str, keys: dict[str, object], text: str, rule: str
) -> None:
    rest = "res.short_name = 'a';"
    assert reported(project("a.js", f"{READ} {rest}", script, **keys), "chrome") == [rule]
    assert reported(project("a.js", f"{READ} {rest} {text}", script, **keys), "chrome") == []


@pytest.mark.parametrize(
    ("edit", "is_reported"),
    [
        ("res.host_permissions = res.host_permissions.filter(isNarrow)", False),
        ("res.optional_host_permissions = []", False),
        ("res.host_permissions.push('https://a.org/*')", True),
        ("res.permissions = res.permissions.filter(isNarrow)", True),
    ],
)
def test_tool_may_resolve_a_conflict_at_either_key(edit: str, is_reported: bool) -> None:
    hosts: dict[str, Any] = {key: ["*://*/*"] for key in ("host_permissions", "optional_host_permissions")}
    package = package_in(project("scripts/build.js", f"{READ} {edit};", **hosts), "")
    findings = check_package(package, [Target("chrome")], ["conflicting-keys"]).findings
    assert [each.rule for each in findings] == ["conflicting-keys"] * is_reported


def test_writing_one_key_does_not_affect_its_siblings() -> None:
    background = {"service_worker": "worker.js", "type": "modul"}
    text = f"{READ} res.background.scripts = [];"
    assert reported(project("a.js", text, background=background)) == ["invalid-value"]
    assert reported(project("a.js", f"{text} res.background.type = 'module';", background=background)) == []


def test_items_of_an_extended_list_are_checked() -> None:
    keys = {"permissions": ["alrams"]}
    files = project("a.js", f"{READ} res.permissions.push('tabs');", "", **keys)
    assert reported(files, "chrome") == ["unknown-permission"]


ADDED = {
    "the permission": ("res.permissions.push('tabs', 'alarms');", True),
    "a spread list": ("res.permissions.push(...['alarms']);", True),
    "a copy with the permission": ("res.permissions = [...res.permissions, 'alarms'];", True),
    "an unknown permission": ("res.permissions.push(name);", True),
    "another list": ("res.permissions = list;", True),
    "another permission": ("res.permissions.push('tabs');", False),
    "nothing, as it is filtered": ("res.permissions = res.permissions.filter(f);", False),
    "nothing, as it is deleted": ("delete res.permissions;", False),
    "a filtered list, which another line replaces": (
        "res.permissions = res.permissions.filter(f); res.permissions = list;",
        True,
    ),
    "another permission, in a copy": ("res.permissions = [...res.permissions, 'tabs'];", False),
    "hosts": ("res.permissions = res.permissions.concat(res.host_permissions ?? []);", False),
    "hosts, spread": ("res.permissions.push(...res.host_permissions);", False),
}


@pytest.mark.parametrize(("text", "is_added"), ADDED.values(), ids=ADDED.keys())
def test_tool_that_adds_requests_excuses_only_these(text: str, is_added: bool) -> None:
    files = project("a.js", f"{READ} {text}", "chrome.alarms.create({});")
    assert reported(files, "chrome") == ([] if is_added else ["missing-permission"])


KEPT = {
    "items are added": ("res.permissions = res.permissions.concat(res.host_permissions);", True),
    "items are added to a copy": ("res.permissions = [...(res.permissions || []), 'tabs'];", True),
    "items are removed": ("res.permissions = res.permissions.filter(f);", False),
    "a new list": ("res.permissions = [...list, 'tabs'];", False),
}


@pytest.mark.parametrize(("text", "is_told"), KEPT.values(), ids=KEPT.keys())
def test_items_that_a_tool_keeps_are_checked(text: str, is_told: bool) -> None:
    files = project("a.js", f"{READ} {text}", permissions=["alrams"])
    assert reported(files, "chrome") == (["unknown-permission"] if is_told else [])


@pytest.mark.parametrize(
    ("path", "text", "is_touched"),
    [
        ("a.ts", "m.a.key = 1", True),
        ("a.ts", "m['key'][i] ??= 1", True),
        ("a.ts", "delete m.key", True),
        ("a.ts", "m.key += 1", True),
        ("a.ts", "m.key.push(1)", True),
        ("a.ts", "_.set(m, 'a.key', 1)", True),
        ("a.ts", "f({...m, key})", True),
        ("a.ts", "manifest = {key: 1}", True),
        ("a.ts", "manifest = {'{{x}}.key': 1}", True),
        ("a.ts", "m = {key: 1}; m = {a: 'manifest {\"key\": 1}'}", False),
        ("a.ts", "key = 1; a.keys = 1; a.key_ = 1; f(key)", False),
        ("a.ts", "m.key != 1; m.key => 1; m.key === 1", False),
        ("a.ts", "m = {key: './a.js'}; m = {key: resolve('a')}; m = {key: {import: 'a'}}", False),
        ("a.ts", "log('remove key')", False),
        ("a.ts", "for (const k in m) n[k] = k === 'key' ? f(m[k]) : m[k];", True),
        ("a.ts", "for (const k in m) switch (k) { case 'key': n[k] = f(m[k]); }", True),
        ("a.ts", "fromEntries(entries(m).map(([k, v]) => [k, 'key' == k ? f(v) : v]))", True),
        ("a.ts", "JSON.parse(read('manifest'), (k, v) => (k === 'key' ? f(v) : v))", True),
        ("a.ts", "JSON.parse(text, function (k, v) { return k === 'key' ? f(v) : v; })", True),
        ("a.ts", "entries(m).reduce((all, [k, v]) => ({...all, [k]: k === 'key' ? f(v) : v}), {})", True),
        ("a.py", "for k, v in m.items(): n[k] = f(v) if k == 'key' else v", True),
        ("a.ts", "for (const k in m) if (k === 'key') check(m[k]);", False),
        ("a.ts", "for (const k in m) n[k] = k === 'other' ? f(m[k]) : m[k]; log('key');", False),
        ("a.sh", "jq '.a.key |= 1'", True),
        ("a.sh", "sed -i 's/key/b/' c.json", True),
        ("a.sh", "jq .key m.json > a.json", True),
        ("a.sh", "jq .key m.json 2> /dev/null", False),
        ("a.yml", "key: 1", False),
        ("a.py", "m['key'].append(1)", True),
        ("a.py", "m = {'a_b': 1, 'key': 1}", True),
        ("build.xml", "<replaceregexp match='\"key\"'/>", True),
    ],
)
def test_places_where_a_program_touches_a_key(path: str, text: str, is_touched: bool) -> None:
    assert any(touching_places(path, text, "key")) is is_touched


@pytest.mark.parametrize(
    ("version", "text", "is_reported"),
    [
        (0, "res.manifest_version = 3;", False),
        (99, "res.manifest_version = Number(process.argv[2]);", False),
        (0, "res.name = 'a';", True),
        (0, "", True),
        (3, "res.manifest_version = 2;", True),
        (1, "res.manifest_version = 2;", True),
    ],
)
def test_file_of_a_manifest_that_gets_its_version_is_elsewhere(
    version: int, text: str, is_reported: bool
) -> None:
    scripts = [{"matches": ["https://a.example/*"], "js": ["lost.js"]}]
    files = project("dev.js", f"{READ} {text}", content_scripts=scripts, manifest_version=version)
    found = check_package(package_in({**files, "out/lost.js": ""}, ""), [Target("firefox")], ["missing-file"])
    assert [each.rule for each in found.findings] == ["missing-file"] * is_reported


WRITTEN = {
    "the same list": ("{permissions: ['tabs', 'alrams']}", True),
    "the same list, assigned": ("res.permissions = [\n  'tabs',\n  'alrams',\n];", True),
    "also a list for another manifest": (
        "a = {permissions: ['tabs', 'alrams']}; b = {permissions: ['tabs']};",
        True,
    ),
    "another list": ("{permissions: ['tabs', 'alarms']}", False),
    "a list that is changed": ("{permissions: ['tabs', 'alrams']}; res.permissions = list;", False),
    "a list with something unknown": ("{permissions: ['tabs', 'alrams', ...list]}", False),
}


@pytest.mark.parametrize(("text", "is_reported"), WRITTEN.values(), ids=WRITTEN)
def test_list_that_a_tool_writes_as_it_is(text: str, is_reported: bool) -> None:
    files = project("a.js", f"{READ} manifest = {text}", permissions=["tabs", "alrams"])
    expected = ["unused-permission", "unknown-permission"]
    assert reported(files, "chrome") == expected * is_reported


SITES = [{"matches": ["DOMAIN/*"], "js": ["worker.js"]}]
COPY = "const copy = (m) => { const n = {}; for (const k in m) n[k] = k === 'KEY' ? f(m[k]) : copy(m[k]); };"
PLACEHOLDERS = {
    "a copy that changes the key": ("scripts/a.js", f"{READ} {COPY.replace('KEY', 'matches')}", False),
    "a copy that changes another key": ("scripts/a.js", f"{READ} {COPY.replace('KEY', 'js')}", True),
    "nothing of a manifest": ("scripts/a.js", COPY.replace("KEY", "matches"), True),
    "a replaced word": ("a.js", f"{READ} write(JSON.stringify(res).replaceAll('DOMAIN', host));", False),
    "a replaced pattern": ("a.js", f"{READ} write(text.replace(/DOMAIN/g, host));", False),
    "another replaced word": ("a.js", f"{READ} write(text.replace(/DOMAINS/g, host));", True),
    "a replaced word in a shell": ("a.sh", "sed 's#DOMAIN#https://a.example#' manifest.json > out", False),
    "a replaced word in a call of several lines": (
        "a.js",
        f"{READ} mix.replaceInFile({{\n files: 'dist/manifest.json',\n from: /DOMAIN/g,\n to: env.X,\n}});",
        False,
    ),
    "a replaced word in settings": (
        "a.js",
        f"{READ} const options = {{\n files: 'dist/manifest.json',\n from: [/DOMAIN/g],\n to: x,\n}};",
        False,
    ),
    "a replaced word in a rule of a plugin": (
        "a.js",
        f"{READ} new Plugin([{{ dir: 'dist', rules: [{{ search: 'DOMAIN', replace: x }}] }}]);",
        False,
    ),
    "a replaced word as a name": ("a.js", f"{READ} replace({{\n a: f(1),\n DOMAIN: x,\n}});", False),
    "another replaced word in settings": ("a.js", f"{READ} x({{ from: /DOMAINS/g, to: x }});", True),
    "a word after a replacement": ("a.js", f"{READ} t.replace(/A/, b);\nlog('DOMAIN');", True),
    "a word that is only written": ("a.js", f"{READ} log('DOMAIN');", True),
}


@pytest.mark.parametrize(("tool", "text", "is_reported"), PLACEHOLDERS.values(), ids=PLACEHOLDERS)
def test_value_that_a_tool_replaces(tool: str, text: str, is_reported: bool) -> None:
    assert reported(project(tool, text, content_scripts=SITES), "chrome") == ["invalid-value"] * is_reported


BOTH_VERSIONS = {
    "action": {},
    "browser_action": {},
    "content_scripts": [{"matches": ["*://*/*"], "js": ["content.js"]}],
}
SOURCES = {"source/worker.ts": "", "source/content.ts": "", "deno.json": "{}"}


@pytest.mark.parametrize(
    ("keys", "files", "expected"),
    [
        pytest.param(BOTH_VERSIONS, {}, [], id="a key for each version"),
        pytest.param(
            {**BOTH_VERSIONS, "browser_action": None}, {}, ["missing-key"], id="a key for one version"
        ),
        pytest.param(
            BOTH_VERSIONS,
            {"source/worker.js": "", "source/content.js": ""},
            ["missing-key", "wrong-manifest-version"],
            id="with the scripts that are loaded",
        ),
        pytest.param(
            {**BOTH_VERSIONS, "permissions": ["storag"]},
            {},
            ["unknown-permission"],
            id="a key of both versions",
        ),
    ],
)
def test_build_that_filters_keys_by_manifest_version(
    keys: dict[str, object], files: Files, expected: list[str]
) -> None:
    keys = {name: value for name, value in {**WORKER, **keys}.items() if value is not None}
    package = package_in({"source/manifest.json": json.dumps(keys), **SOURCES, **files}, "source/")
    rules = ["missing-key", "wrong-manifest-version", "unknown-permission"]
    assert [each.rule for each in check_package(package, [Target("firefox")], rules).findings] == expected


REGISTER = "chrome.userScripts.register([{id: 'a', matches: ['*://*/*'], js: [{code: '1'}]}]);"
VERSIONED = ("invalid-argument", "unknown-api", "wrong-argument-count", "wrong-manifest-version")


@pytest.mark.parametrize(
    ("use", "before", "after"),
    [
        pytest.param(
            f"if (chrome.userScripts) {REGISTER}", [], [], id="the form of Manifest V3, if it exists"
        ),
        pytest.param("chrome.action.setIcon({});", ["wrong-manifest-version"], [], id="a member of V3"),
        pytest.param("chrome.tabs.creat({});", ["unknown-api"], ["unknown-api"], id="a misspelling"),
        pytest.param("chrome.tabs.create(1);", ["invalid-argument"], ["invalid-argument"], id="both forms"),
    ],
)
@pytest.mark.parametrize("target", ["chrome<=138", "firefox"])
def test_findings_hold_in_the_version_that_a_tool_writes(
    use: str, before: list[str], after: list[str], target: str
) -> None:
    keys = {"manifest_version": 2, "background": {"scripts": ["worker.js"]}}
    files = project("b.txt", "", use, **keys)
    wanted = target_of(target)
    assert wanted is not None
    tool = {"gulpfile.js": f"{READ} if (a) res.manifest_version = 3;"}
    for more, expected in (({}, before), (tool, after)):
        report = check_package(package_in({**files, **more}, ""), [wanted], VERSIONED)
        assert [each.rule for each in report.findings] == expected


def test_arguments_that_are_wrong_in_both_versions_are_reported() -> None:
    keys = {"manifest_version": 2, "background": {"scripts": ["worker.js"]}}
    files = project("b.txt", "", "if (chrome.userScripts) chrome.userScripts.register(1);", **keys)
    report = check_package(package_in(files, ""), [Target("firefox")], VERSIONED)
    assert [each.rule for each in report.findings] == ["invalid-argument"]


LISTED = '{"content_scripts": [{"matches": ["https://*/*"], "js": ["worker.js"]}]}'
MERGE = f"{READ} write(JSON.stringify(Object.assign({{}}, res, part)))"


@pytest.mark.parametrize(
    ("tool", "part", "is_reported"),
    [
        pytest.param(MERGE, LISTED, False, id="assigned"),
        pytest.param(f"{READ} write({{...res, ...part}})", LISTED, False, id="spread"),
        pytest.param(f"{READ} write(merge(res, await load(name)))", LISTED, False, id="merged"),
        pytest.param(f"{READ} write(res)", LISTED, True, id="not merged"),
        pytest.param(f"{READ} write({{...res, name}})", LISTED, True, id="merged with a known key"),
        pytest.param(MERGE, '{"permissions": []}', True, id="a part with other keys"),
        pytest.param(MERGE, '{"content_scripts": {}}', True, id="a part with the same value"),
        pytest.param(
            MERGE, LISTED.replace("{", '{"manifest_version": 3, ', 1), True, id="a manifest of its own"
        ),
    ],
)
def test_value_that_a_part_of_the_manifest_replaces(tool: str, part: str, is_reported: bool) -> None:
    files = {**project("build.js", tool, content_scripts={}), "manifest-firefox.json": part}
    assert ("invalid-value" in reported(files, "chrome")) is is_reported


FILLING = {
    "a merge": "merge(res, require(path))",
    "a merge with a file that may be missing": "merge(res, exists(path) ? require(path) : {}, {name: 'A'})",
    "an assignment with an optional object": "Object.assign({}, res, options.manifest || {})",
    "a spread of an optional object": "({...res, ...(options.manifest ?? {})})",
    "a spread under a condition": "({...res, ...(isTest && secret)})",
}
NOT_FILLING = {
    "no merge": "write(res)",
    "a merge with known keys": "merge(res, {name: 'A'})",
}
NULLS: Mapping[str, object] = {"key": None, "oauth2": {"client_id": None, "scopes": ["a"]}}


@pytest.mark.parametrize("key", NULLS)
@pytest.mark.parametrize("tool", FILLING.values(), ids=FILLING.keys())
def test_null_may_be_filled_in_by_merged_object(tool: str, key: str) -> None:
    assert reported(project("build.js", f"{READ} {tool}", "", **{key: NULLS[key]}), "chrome") == []


@pytest.mark.parametrize("key", NULLS)
@pytest.mark.parametrize("tool", NOT_FILLING.values(), ids=NOT_FILLING.keys())
def test_null_that_nothing_fills_in_is_reported(tool: str, key: str) -> None:
    assert reported(project("build.js", f"{READ} {tool}", "", **{key: NULLS[key]}), "chrome") == [
        "invalid-value"
    ]


@pytest.mark.parametrize("tool", FILLING.values(), ids=FILLING.keys())
def test_merged_object_excuses_no_other_value(tool: str) -> None:
    assert reported(project("build.js", f"{READ} {tool}", key=1), "chrome") == ["invalid-value"]


@pytest.mark.parametrize(
    ("rule", "text", "is_reported"),
    [
        pytest.param({"value": ""}, "", True, id="in Firefox"),
        pytest.param({"value": ""}, "if (browser === 'firefox') delete res.KEY;", False, id="removed"),
        pytest.param({"value": ""}, "delete res.permissions;", True, id="another key is removed"),
        pytest.param({"value": 1}, "delete res.KEY;", True, id="in each browser"),
    ],
)
def test_rule_file_of_a_removed_key(rule: dict[str, object], text: str, is_reported: bool) -> None:
    change = {"operation": "set", "header": "a", **rule}
    action = {"type": "modifyHeaders", "requestHeaders": [change]}
    listed = [{"id": "a", "enabled": True, "path": "rules.json"}]
    keys: dict[str, object] = {
        "permissions": ["declarativeNetRequest"],
        "declarative_net_request": {"rule_resources": listed},
        "background": {"scripts": ["worker.js"]},
    }
    tool = f"{READ} {text.replace('KEY', 'declarative_net_request')}"
    rules = json.dumps([{"id": 1, "condition": {"urlFilter": "a"}, "action": action}])
    files = {**project("a.js", tool, "", **keys), "rules.json": rules}
    assert reported(files) == ["invalid-value"] * is_reported


@pytest.mark.parametrize(
    ("edit", "version", "is_found"),
    [
        ("delete res.background.service_worker;", 3, True),
        ("delete res['background']['service_worker'];", 3, True),
        ("res.background = { scripts: [res.background.service_worker] };", 3, True),
        ("res.background = { scripts: ['a.js'], service_worker: 'b.js' };", 3, False),
        ("res.background = { ...other };", 3, False),
        ("res.background = { service_worker: 'b.js' };", 3, False),
        ("delete res.background.scripts;", 3, False),
        ("delete res.background;", 3, False),
        ("res.background = { page: 'a.html' };", 2, False),
    ],
)
def test_background_for_another_browser_replaces_none(edit: str, version: int, is_found: bool) -> None:
    event_page = {"scripts": ["worker.js"], "persistent": False}
    background = WORKER["background"] if version == 3 else event_page
    menu = "chrome.contextMenus.create({ id: 'a', title: 'A' });"
    keys = {"manifest_version": version, "background": background, "permissions": ["contextMenus"]}
    files = project("build.js", f"{READ} {edit}", menu, **keys)
    found = check_package(package_in(files, ""), [Target("chrome")], ["duplicate-menu"]).findings
    assert bool(found) is is_found
