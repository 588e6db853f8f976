"""File names that are not valid UTF-8, and lone surrogates in every string of a package."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from thorough import in_turn

from extlint.cli.main import main

LONE = "\ud800"
BYTE = "\udcff"
"""The byte 0xFF in a file name, as Python decodes it."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the names of files are Unicode")

USES = (
    "export function f(a) {{ a.tabs.query({{'{0}': 1}}).then((t) => t[0]['{0}']) }}"
    "export default function () {{ if (chrome['{0}']) chrome['{0}'].x(1) }}"
    "export * from './{0}.js'; import g from './m{0}.js'; import('./{0}.js'); g(chrome); f(browser);"
    "window['{0}'] = browser; window['{0}'].management.getAll(); importScripts('c{0}.js');"
    "chrome.tabs['{0}']({{a: '{0}'}}); chrome.i18n.getMessage('{0}'); chrome.runtime.getURL('{0}.html');"
    "chrome.permissions.request({{permissions: ['{0}'], origins: ['{0}']}}); new Worker('{0}.js');"
    "chrome.scripting.executeScript({{target: {{tabId: 1}}, files: ['{0}.js']}});"
    "chrome.commands.onCommand.addListener((c) => c === '{0}');"
)
RULES = (
    '[{{"id": 1, "{0}": 1, "condition": {{"urlFilter": "{0}", "regexFilter": "{0}(", "domains": ["{0}"]}},'
    '"action": {{"type": "redirect", "redirect": {{"url": "https://{0}/", "extensionPath": "/{0}.js"}}}}}}]'
)
MESSAGES = (
    '{{"a": {{"message": "{0} ${0}$", "placeholders": {{"{0}": {{"content": "{0}"}}}}}},'
    '"{0}": {{"message": 1}}, "{0}b": {{}}}}'
)
PAGE = (
    "<base href='{0}/'><script src='c{0}.js'></script><script type=module src='/m%FF.js'></script>"
    "<a href='/q{0}.html'></a><link rel=stylesheet href='{0}.css'><img src='{0}.png'><script>f{0}()</script>"
)


def manifest_with(odd: str) -> str:
    """Returns a manifest with an odd text in every possible position."""
    return json.dumps(
        {
            "manifest_version": 3,
            "name": f"__MSG_{odd}__",
            "version": "1",
            "default_locale": f"e{odd}n",
            "background": {"service_worker": f"m{odd}.js", "type": "module"},
            "action": {"default_popup": f"p{odd}.html", "default_icon": {odd: odd, "16": f"i{odd}.png"}},
            "content_scripts": [{"matches": [f"*://{odd}/*"], "js": [f"c{odd}.js", f"m{odd}.js"]}],
            "declarative_net_request": {
                "rule_resources": [{"id": odd, "enabled": True, "path": f"r{odd}.json"}]
            },
            "web_accessible_resources": [{"resources": [f"w{odd}*.js", odd], "matches": ["<all_urls>", odd]}],
            "storage": {"managed_schema": f"r{odd}.json"},
            "sandbox": {"pages": [f"q{odd}.html"]},
            "commands": {odd: {"suggested_key": {"default": odd}}},
            "permissions": ["tabs", "alarms", odd, f"*://{odd}/*"],
            "content_security_policy": {"extension_pages": f"script-src {odd}"},
            "browser_specific_settings": {"gecko": {"id": odd, "strict_min_version": odd}},
            "minimum_chrome_version": odd,
            "homepage_url": f"https://{odd}/",
            odd: odd,
        }
    )


def write(name: str, content: str) -> None:
    path = Path("ext", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogateescape"))


@pytest.fixture
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    escape = "\\ud800"
    for odd, inside in ((BYTE, BYTE), ("\n\x1b[31m\u202e\"'%&", escape)):
        for kind in ("m", "c", "w"):
            write(f"{kind}{odd}.js", USES.format(inside))
        write(f"p{odd}.html", PAGE.format(inside))
        write(f"q{odd}.html", PAGE.format(inside))
        write(f"r{odd}.json", RULES.format(inside))
        write(f"i{odd}.png", "GIF89a")
        write(f"_locales/e{odd}n/messages.json", MESSAGES.format(inside))
        write(f"fold{odd}er/sub/index.ts", USES.format(inside))
        write(f"inner{odd}/manifest.json", manifest_with(LONE))


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize(
    ("target", "odd"), in_turn((target, (BYTE, LONE)) for target in ("reference", "firefox", "chrome"))
)
def test_odd_names_do_not_crash_the_check(target: str, odd: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("manifest.json", manifest_with(odd))
    options = ["--target", target, "--extend-select", "stores", "--no-cache"]
    assert main(["check", "ext", "--output-format", "json", *options]) == 1
    written = capsys.readouterr().out
    assert written.isascii()
    findings = json.loads(written)["findings"]
    assert {"missing-file", "unknown-permission"} <= {each["rule"] for each in findings}
    assert any(each["path"].startswith("m\ufffd") for each in findings)


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize("wanted", ["text", "concise"])
def test_output_escapes_control_characters(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    write("manifest.json", manifest_with(LONE))
    main(["check", "ext", "--output-format", wanted, "--no-cache"])
    written = capsys.readouterr().out
    assert not {"\x1b", "\u202e", LONE, BYTE} & {*written}
    assert written.encode()


@pytest.mark.parametrize(
    "name",
    [
        BYTE,
        "a\nb",
        "a\x1b[31m",
        'a"b',
        "a%sb",
        "a.. ",
        "a:b",
        "x" * 250,
        "\u202ea",
        "~",
        "$HOME",
        "*",
        "a\\b",
    ],
)
def test_folder_may_have_any_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    write("manifest.json", '{"manifest_version": 3, "name": "a", "version": "1", "version": "2"}')
    write("a.js", "browser.management.getAll(); browser.tabs.qery({}); import('./b.js');")
    Path("ext").rename(name)
    assert main(["check", f"./{name}", "--output-file", f"out{BYTE}", "--output-format", "json"]) == 1
    assert json.loads(Path(f"out{BYTE}").read_text())["summary"]["errors"] > 0
    assert main(["check", f"{name}/manifest.json", "--output-format", "concise"]) == 1
    assert main(["check", f"{name}/nothing"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
