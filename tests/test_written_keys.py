"""Keys of manifests that projects write in JavaScript or `package.json`: findings at their places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from packages import write

import extlint
from extlint.cli.main import main
from extlint.manifest.manifest import REQUESTS, read_manifest
from extlint.package.discovery.frameworks import made_files

PACKAGE = '{"scripts": {"build": "wxt build"}, "devDependencies": {"wxt": "1"}}'
SCRIPT = "export default defineBackground(() => { chrome.alarms.create('a', { when: 1 }); });"
WXT = {"package.json": PACKAGE, "entrypoints/background.ts": SCRIPT}


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def config(text: str) -> dict[str, str]:
    return {**WXT, "wxt.config.ts": text}


def wxt(manifest: str, rest: str = "") -> dict[str, str]:
    return config(f"export default defineConfig({{{rest} manifest: {manifest} }});")


def plasmo(manifest: str, dependencies: str = '"plasmo": "1"') -> dict[str, str]:
    package = f'{{"dependencies": {{{dependencies}}},\n"manifest": {manifest}}}'
    return {"package.json": package, "background.ts": "chrome.alarms.create('a', { when: 1 });"}


def module(text: str) -> dict[str, str]:
    return {"package.json": PACKAGE.replace("wxt", "vite"), "b.ts": "", "manifest.config.ts": text}


ENTRY = "manifest_version: 3, background: { service_worker: 'b.ts' }"
NO_ALARMS = (
    "entrypoints/background.ts:1:41: error[missing-permission] `alarms.create` requires the permission"
)

FOUND: Mapping[str, tuple[dict[str, str], str]] = {
    "an unknown permission": (
        wxt("{ permissions: ['alarms', 'storag'] }"),
        "wxt.config.ts:1:67: warning[unknown-permission] unknown permission `storag`",
    ),
    "a permission after other letters": (
        config("// é\nexport default defineConfig({ manifest: { name: 'ü', permissions: ['storag'] } });"),
        "wxt.config.ts:2:68: warning[unknown-permission]",
    ),
    "a permission in a function": (
        wxt("({ browser }) => ({ permissions: [...more(browser), 'storag'] })"),
        "wxt.config.ts:1:93: warning[unknown-permission]",
    ),
    "a permission in the body of a function": (
        wxt("async ({ mode }) => { const a = mode; return { permissions: [a, 'storag'] }; }"),
        "wxt.config.ts:1:105: warning[unknown-permission]",
    ),
    "a permission in a constant": (
        config("const keys = { permissions: ['storag'] };\nexport default defineConfig({ manifest: keys });"),
        "wxt.config.ts:1:30: warning[unknown-permission]",
    ),
    "what version 3 removed": (
        wxt("{ permissions: ['webRequestBlocking'] }"),
        "warning[wrong-manifest-version] the permission `webRequestBlocking` was removed",
    ),
    "a host among the permissions": (
        plasmo('{"permissions": ["alarms", "https://a.example/*"]}'),
        "package.json:2:40: warning[wrong-manifest-version] match patterns in `permissions`",
    ),
    "an invalid pattern": (
        wxt("{ host_permissions: ['https:/a/*'] }"),
        "wxt.config.ts:1:62: warning[invalid-value] `https:/a/*` is not a valid match pattern",
    ),
    "an unknown key": (wxt("{ action: { default_titel: x } }"), "unknown key `default_titel` in `action`"),
    "a wrong type": (wxt("{ minimum_chrome_version: 116 }"), "`minimum_chrome_version` must be a string"),
    "a missing permission": (wxt("{ name: 'a' }"), NO_ALARMS),
    "a missing permission without any keys": (config("export default defineConfig({});"), NO_ALARMS),
    "an unused permission": (
        plasmo('{"permissions": ["alarms", "cookies"]}'),
        "package.json:2:40: warning[unused-permission] the permission `cookies`",
    ),
    "an unhandled command": (
        wxt("{ permissions: ['alarms'], commands: { go: { description: 'a' } } }"),
        "wxt.config.ts:1:80: warning[unhandled-command]",
    ),
    "a pattern in a module": (
        module(
            f"const m: A = {{ {ENTRY}, content_scripts: [{{ js: ['b.ts'], matches: ['*.a/*'] }}] }};\n"
            "export default m;"
        ),
        "manifest.config.ts:1:121: error[invalid-value]",
    ),
    "a key in a module of CommonJS": (
        module(f"module.exports = {{ {ENTRY}, permisions: [] }};"),
        "manifest.config.ts:1:81: warning[unknown-key]",
    ),
    "a key in a module that changes others": (
        module(
            f"const m = {{ {ENTRY}, permisions: [], key: 'a' }};\n"
            "if (isDev) { delete m.key; m.permissions?.push('tabs'); }\nexport default m;"
        ),
        "manifest.config.ts:1:74: warning[unknown-key]",
    ),
    "a key in a call": (
        module(f"export default defineManifest({{ {ENTRY}, permisions: [] }})"),
        "manifest.config.ts:1:94: warning[unknown-key]",
    ),
    "a key in a call that adds others": (
        module(f"const m = deepmerge({{ {ENTRY}, permisions: [] }}, isDev && MORE); export default m;"),
        "manifest.config.ts:1:84: warning[unknown-key]",
    ),
}


@pytest.mark.parametrize(("files", "expected"), FOUND.values(), ids=FOUND.keys())
def test_mistakes_are_reported_at_their_places(
    files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    main(["check", "--output-format", "concise"])
    out = capsys.readouterr().out
    assert expected in out, out
    assert "manifest.json" not in out


ALARMS = "permissions: ['alarms']"
SILENT: Mapping[str, dict[str, str]] = {
    "computed permissions": wxt("{ permissions: [...OTHERS, 'cookies'] }"),
    "permissions of another module": wxt("{ permissions: PERMISSIONS }"),
    "a spread of keys": wxt("{ ...OTHERS, permissions: ['cookies'] }"),
    "a hook": wxt("{ permissions: ['cookies'] }", "hooks: { 'build:manifestGenerated': f },"),
    "a module of WXT": wxt("{}", "modules: ['@wxt-dev/analytics/module'],"),
    "a module of the project": {**wxt("{}"), "modules/a.ts": ""},
    "a manifest from elsewhere": wxt("getManifest"),
    "two results": wxt("() => { if (a) return { permissions: ['storag'] }; return {}; }"),
    "a changed constant": config(
        "const keys = { permissions: ['storag'] };\nkeys.permissions = [];\ndefineConfig({ manifest: keys });"
    ),
    "a version for other browsers": wxt("{ permissions: ['<all_urls>'] }", "manifestVersion: 2,"),
    "keys that WXT removes": wxt(f"{{ manifest_version: 2, {ALARMS}, browser_action: {{}} }}"),
    "names of the output": wxt(f"{{ {ALARMS}, options_page: 'options.html' }}"),
    "images and messages of the output": wxt(
        f"{{ {ALARMS}, name: '__MSG_a__', default_locale: 'en', icons: {{ 16: 'a.png' }} }}"
    ),
    "a condition": wxt(f"{{ {ALARMS}, minimum_chrome_version: a ? 1 : '2', name: `${{b}}` }}"),
    "keys for other browsers": plasmo('{"permissions": ["alarms"], "overrides": {"firefox": {}}}'),
    "a variable of the environment": plasmo('{"permissions": ["alarms"], "key": "$KEY"}'),
    "a permission that Plasmo adds": plasmo(
        '{"permissions": ["alarms"]}', '"plasmo": "1", "@plasmohq/storage": "1"'
    ),
    "a module with another variable": module(f"const a = 1; let b = {{ {ENTRY}, permisions: [] }};"),
    "a background that a build makes for Firefox": module(
        f"export default {{ {ENTRY}, browser_specific_settings: {{ gecko: {{ id: 'a@b.c' }} }} }}"
    ),
    "a permission that a call may add": {
        **module(f"export default merge({{ {ENTRY} }}, MORE);"),
        "b.ts": "chrome.alarms.create('a', { when: 1 });",
    },
    "a module without any name": module(f"({{ {ENTRY}, permisions: [] }})"),
    "a module with two manifests": module(f"x ? {{ {ENTRY}, permisions: [] }} : {{ manifest_version: 2 }}"),
    "a module that changes a key": module(
        f"const m = {{ {ENTRY}, permissions: ['cookies'], homepage_url: 1 }};\n"
        "m.homepage_url = url; m.permissions.push('tabs'); export default m;"
    ),
    "a module that ends in a change": module(f"const m = {{ {ENTRY}, permissions: ['cookies'] }}; m?."),
    "a module that changes the manifest": module(
        f"const m = {{ {ENTRY}, permisions: [] }}; write({{ ...m }});"
    ),
}


@pytest.mark.parametrize("files", SILENT.values(), ids=SILENT.keys())
def test_what_is_not_certain_is_not_reported(
    files: Mapping[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    write(files)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith("No findings in the checked part of 1 extension")


CLOSING = {
    "all keys": (wxt(f"{{ {ALARMS} }}"), "and the keys in wxt.config.ts were checked: run"),
    "computed values": (
        wxt(f"{{ {ALARMS}, version: V }}"),
        "and the keys in wxt.config.ts were checked, but not all of `version`: run",
    ),
    "computed keys": (
        wxt("{ ...OTHERS, name: b }"),
        "and the keys in wxt.config.ts were checked, but not those that code adds: run",
    ),
    "no known keys": (wxt("getManifest"), "so only the code was checked: run"),
}


@pytest.mark.parametrize(("files", "expected"), CLOSING.values(), ids=CLOSING.keys())
def test_closing_line(files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(files)
    assert main(["check"]) == 0
    assert expected in capsys.readouterr().out


GECKO = f"{{ {ALARMS}, browser_specific_settings: {{ gecko: {{ id: 'a@b.c' }} }} }}"
TARGETS = {
    "version 3 and settings for Firefox": (wxt(GECKO, "manifestVersion: 3,"), "chrome and firefox: "),
    "the version that WXT chooses": (wxt(GECKO), "chrome: WXT builds"),
    "no settings for Firefox": (wxt(f"{{ {ALARMS} }}", "manifestVersion: 3,"), "chrome: WXT builds"),
}


@pytest.mark.parametrize(("files", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_targets(files: Mapping[str, str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(files)
    assert main(["check"]) == 0
    assert f"checked for {expected}" in capsys.readouterr().out


def test_places_are_those_of_the_text() -> None:
    text = "defineConfig({ manifest: { name: 'a', permissions: ['tabs', X], 'commands': {} } })"
    files = config(text)
    found = made_files(files.keys(), lambda path: files[path].encode())
    made = found.files["manifest.json"]
    pairs = {
        made[a:b].decode(): text[c:d] for (a, b), (c, d) in found.key_places["manifest.json"].spans.items()
    }
    assert {key: value.strip("'") for key, value in pairs.items() if key != "{\n}"} == {
        f'"{each}"': each for each in ("a", "name", "tabs", "permissions", "commands")
    }


def test_computed_requests_are_open() -> None:
    files = wxt("{ permissions: [X], commands: {} }")
    data = made_files(files.keys(), lambda path: files[path].encode()).files["manifest.json"]
    manifest = read_manifest("manifest.json", data)
    assert manifest.may_be_filled_in(*REQUESTS)
    assert not manifest.may_be_filled_in("commands")
    assert json.loads(data)["permissions"] == ["{{computed}}"]


def test_no_fix_edits_the_source() -> None:
    files = wxt("{ permissions: ['storag'] }")
    write(files)
    main(["check", "--fix", "--unsafe-fixes"])
    assert Path("wxt.config.ts").read_text() == files["wxt.config.ts"]
    assert not Path("manifest.json").exists()


def test_table_of_permissions(capsys: pytest.CaptureFixture[str]) -> None:
    write(wxt("{\npermissions: ['alarms',\n'storag', X] }"))
    main(["check", "--output-format", "html"])
    rows = capsys.readouterr().out
    assert "Permissions: 2 requested" in rows
    assert "<code>permissions</code><small> line 3</small>" in rows
    assert "computed" not in rows.partition("Permissions: ")[2].partition("</table>")[0]


def test_places_follow_edits() -> None:
    first = wxt("{ permissions: ['alarms', 'storag'] }")
    write(first)
    with extlint.Session(".") as session:
        for text in ("{0}", "// é\n\n{0}", "{0} // end", "f();\n{0}"):
            source = text.replace("{0}", first["wxt.config.ts"])
            session.set_text("wxt.config.ts", source)
            found = session.check().report.findings
            write({"wxt.config.ts": source})
            assert found == extlint.check(".").findings
            assert [each.start.line for each in found] == [source[: source.index("'storag'")].count("\n") + 1]


def test_comment_suppresses_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    write(wxt("{\n// extlint-disable-next-line unknown-permission\npermissions: ['alarms', 'storag'] }"))
    assert main(["check"]) == 0
    assert "No findings" in capsys.readouterr().out
