"""The page of `extlint serve` in real browsers; skipped if none is installed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from shutil import copytree
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from page_service import Service, serving
from page_user import User, using, wait
from thorough import some

import extlint
from extlint.cli.main import main
from extlint_judge.browsers.processes import find

EXAMPLES = Path(__file__).parents[2] / "examples"

AXE = os.environ.get("EXTLINT_AXE")
"""The path of `axe.min.js` of axe-core, which is not part of the repository."""

CHROMIUM_FIRST = pytest.mark.parametrize("browser", some(["chromium", "firefox"], 2))
FIREFOX_FIRST = pytest.mark.parametrize("browser", some(["firefox", "chromium"], 2))

SHOWN = "document.querySelectorAll('.finding').length"
IS_DONE = "!document.getElementById('result').hidden && document.getElementById('progress').hidden"
FOCUSED = (
    "document.activeElement.id || document.activeElement.textContent.trim() || document.activeElement.name"
)


@contextmanager
def visit(browser: str, folder: Path) -> Iterator[tuple[User, Service]]:
    """Opens the page. The browser must not report any error about it."""
    command = find(browser)
    if command is None:
        pytest.skip(f"there is no {browser}")
    home = folder / "browser"
    home.mkdir()
    with serving() as service, using(browser, command, home, f"{service.address}/") as user:
        user.resize(1200, 900)
        yield user, service
        assert user.complaints() == []


def pack(path: Path, files: Mapping[str, str | bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def pack_folder(path: Path, folder: Path) -> Path:
    files = sorted(each for each in folder.rglob("*") if each.is_file() and each.name != "extlint.toml")
    return pack(path, {each.relative_to(folder).as_posix(): each.read_bytes() for each in files})


def check(user: User, path: Path) -> int:
    """Chooses a package, and returns the number of findings that are shown."""
    user.choose("package", path)
    wait(user, IS_DONE)
    found: int = user.evaluate(SHOWN)
    return found


def tab_to(user: User, identifier: str) -> None:
    for _ in range(60):
        if user.evaluate("document.activeElement.id") == identifier:
            return
        user.press("Tab")
    raise AssertionError(f"{identifier} cannot be reached")


@FIREFOX_FIRST
def test_findings_can_be_filtered(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, _):
        package = pack_folder(tmp_path / "every.zip", EXAMPLES / "every-mistake")
        report = extlint.check(str(package))
        assert check(user, package) == len(report.findings) > 20
        choose = f"""(name, value) => {{
            const field = document.getElementById("filter").elements[name];
            field.value = value;
            field.dispatchEvent(new Event("input", {{bubbles: true}}));
            return {SHOWN};
        }}"""
        for rule in {each.rule for each in report.findings}:
            expected = sum(each.rule == rule for each in report.findings)
            assert user.evaluate(f"({choose})('rule', {json.dumps(rule)})") == expected
        user.evaluate(f"({choose})('rule', '')")
        for path in {each.path for each in report.findings}:
            expected = sum(each.path == path for each in report.findings)
            assert user.evaluate(f"({choose})('path', {json.dumps(path)})") == expected
        user.evaluate(f"({choose})('path', '')")
        assert user.evaluate(f"({choose})('text', 'instalType')") == 1
        user.evaluate("document.querySelector('#filter [type=reset]').click()")
        wait(user, f"{SHOWN} === {len(report.findings)}")
        user.evaluate("document.querySelector('#filter [value=error]').click()")
        assert user.evaluate(SHOWN) == report.summary.warnings + report.summary.infos


@CHROMIUM_FIRST
def test_fixed_package_is_that_of_the_command_line(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, service):
        package = pack_folder(tmp_path / "every.zip", EXAMPLES / "every-mistake")
        folder = tmp_path / "every"
        ZipFile(package).extractall(folder)
        main(["check", str(folder), "--fix", "--quiet"])
        check(user, package)
        name = "every"
        while user.evaluate("document.getElementById('check-fixed')?.disabled === false"):
            name += "-fixed"
            user.evaluate("document.getElementById('check-fixed').click()")
            wait(user, f"document.querySelector('#result h2').textContent === '{name}.zip'")
        assert name == "every-fixed-fixed"
        with ZipFile(BytesIO(service.uploads[-1])) as archive, ZipFile(package) as before:
            assert archive.testzip() is None
            assert archive.namelist() == before.namelist()
            fixed = {each: archive.read(each) for each in archive.namelist()}
        assert fixed == {each: (folder / each).read_bytes() for each in fixed}


@FIREFOX_FIRST
def test_packages_are_compared(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, _):
        check(user, pack_folder(tmp_path / "new.zip", EXAMPLES / "read-later"))
        user.choose("older", pack_folder(tmp_path / "old.zip", EXAMPLES / "clean"))
        wait(user, "document.getElementById('compared').children.length")
        text = user.evaluate("document.getElementById('compared').textContent")
        assert "Compared with old.zip" in text
        assert "Permissions added: " in text
        assert "turns the extension off" in text
        assert user.evaluate("document.activeElement.textContent") == "Compared with old.zip"


@CHROMIUM_FIRST
def test_manifest_is_checked_with_the_keyboard_only(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, _):
        user.evaluate("document.querySelector('header a').focus()")
        for _ in range(10):
            user.press("Tab")
            if user.evaluate("document.activeElement.textContent") == "Paste a manifest":
                break
        user.press("Enter")
        user.press("Tab")
        assert user.evaluate("document.activeElement.id") == "manifest"
        user.press(*'{"manifest_version": 3, "name": "x", "version": "1", "permisions": []}')
        user.press("Control+Enter")
        wait(user, IS_DONE)
        assert user.evaluate("document.activeElement.id") == "result"
        assert "did you mean permissions" in user.evaluate("document.getElementById('result').textContent")
        tab_to(user, "save-fixed")
        tab_to(user, "check-fixed")
        user.press("Enter")
        wait(user, "document.querySelector('#result h2').textContent === 'manifest-fixed.json'")
        assert "did you mean permissions" not in user.evaluate(
            "document.getElementById('result').textContent"
        )


@FIREFOX_FIRST
def test_all_controls_of_a_result_work_with_the_keyboard(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, _):
        user.evaluate("document.querySelector('header a').focus()")
        tab_to(user, "choose-package")
        tab_to(user, "choose-folder")
        tab_to(user, "example")
        user.press("Enter")
        wait(user, IS_DONE)
        all_shown = user.evaluate(SHOWN)
        while user.evaluate("document.activeElement.value") != "warning":
            user.press("Tab")
        user.press("Space")
        assert user.evaluate(SHOWN) < all_shown
        user.press("Space")
        tab_to(user, "filter-text")
        user.press(*"sendmesage")
        assert user.evaluate(SHOWN) == 1
        while user.evaluate("document.activeElement.localName") != "summary":
            user.press("Tab")
        user.press("Enter")
        assert user.evaluate("document.querySelector('.fix').open") is True
        user.press("Tab")
        user.press("Space")
        before, after = user.evaluate(
            "document.querySelector('#check-fixed').parentElement.textContent"
        ).split(" of ")
        assert before[-1] == "0" or after
        tab_to(user, "choose-older")


@pytest.mark.parametrize(
    ("browser", "how"), some([("chromium", "drop"), ("chromium", "choose"), ("firefox", "choose")], 2)
)
def test_folder_is_checked(browser: str, how: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, service):
        folder = copytree(EXAMPLES / "read-later", tmp_path / "later")
        (folder / "node_modules/left").mkdir(parents=True)
        (folder / "node_modules/left/index.js").write_text("browser.nothing()")
        expected = len(
            extlint.check(str(pack_folder(tmp_path / "later.zip", EXAMPLES / "read-later"))).findings
        )
        if how == "drop":
            user.drop(folder)  # type: ignore[attr-defined]
        else:
            user.choose_folder("folder", folder)
        wait(user, IS_DONE)
        assert user.evaluate(SHOWN) == expected
        assert not any("node_modules" in each for each in ZipFile(BytesIO(service.uploads[0])).namelist())
        assert user.evaluate("document.querySelector('#result h2').textContent") == "later.zip"


@CHROMIUM_FIRST
def test_problems_are_shown(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, service):
        user.choose("package", pack(tmp_path / "empty.zip", {"<b>a</b>.txt": ""}))
        wait(user, "!document.getElementById('problem').hidden")
        assert "manifest" in user.evaluate("document.getElementById('problem').textContent")
        service.busy = 1
        assert check(user, pack_folder(tmp_path / "later.zip", EXAMPLES / "read-later")) > 0
        assert user.evaluate("document.getElementById('problem').hidden")
        user.choose("package", pack(tmp_path / "other.zip", {"a.txt": ""}))
        wait(user, "!document.getElementById('problem').hidden")
        assert user.evaluate("document.getElementById('result').hidden")
        service.token = "open sesame"
        user.evaluate("document.getElementById('example').click()")
        wait(user, "document.activeElement.id === 'token'")
        user.press(*"open sesame", "Enter")
        wait(user, f"{IS_DONE} && document.querySelector('#result h2').textContent === 'example.zip'")


@FIREFOX_FIRST
def test_kept_result_has_an_address(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, service):
        service.keep = True
        count = check(user, pack_folder(tmp_path / "later.zip", EXAMPLES / "read-later"))
        assert user.evaluate("location.search") == f"?result={0:024}"
        user.evaluate("setTimeout(() => location.reload()), document.body.remove()")
        wait(user, "document.body !== null && document.getElementById('result') !== null")
        wait(user, IS_DONE)
        assert user.evaluate(SHOWN) == count
        user.evaluate("document.getElementById('save-fixed').click()")
        wait(user, "document.getElementById('status').textContent.startsWith('Downloaded')")


ATTACK = "<img src=x onerror=hacked=1>"
ATTACKS = {
    "manifest.json": json.dumps(
        {
            "manifest_version": 3,
            "name": "<script>hacked=1</script>",
            "version": "1",
            "permissions": [ATTACK, "storag", "tabs"],
            "host_permissions": ["https://*.<b>example.com/*"],
            "</script><script>hacked=1</script>": ATTACK,
            "`</code><svg onload=hacked=1>`": 1,
            "background": {"service_worker": "<svg onload=hacked=1>.js"},
            "content_scripts": [{"js": ["javascript:hacked=1"], "matches": [ATTACK]}],
            "\u202eevil\u2066": 1,
        }
    ),
    "<svg onload=hacked=1>.js": f"chrome.runtime['{ATTACK}'];\n// {ATTACK}</pre><script>hacked=1</script>\n"
    "chrome.tabs.qery({}); /* \u202e</code> */",
    f"{ATTACK}.html": f"<script src='{ATTACK}'></script><script>chrome.tabs.qery()</script>",
    "__proto__": "x",
    "constructor/prototype.js": "chrome.tabs.qery()",
}


@CHROMIUM_FIRST
def test_package_with_markup_changes_nothing(browser: str, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, _):
        elements = "[...document.querySelectorAll('body *')]"
        outside = f"{elements}.filter(e => !e.closest('#result')).map(e => e.localName).join()"
        before = user.evaluate(outside)
        package = pack(tmp_path / f"{ATTACK}.zip", ATTACKS)
        older = pack(tmp_path / "<script>hacked=1<|script>.zip", {"manifest.json": '{"manifest_version": 3}'})
        assert check(user, package) > 5
        user.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        user.choose("older", older)
        wait(user, "document.getElementById('compared').children.length")
        assert user.evaluate("typeof hacked") == "undefined"
        assert user.evaluate(outside) == before
        inside = "[...new Set([...document.querySelectorAll('#result *')].map(e => e.localName))].join(' ')"
        assert set(user.evaluate(inside).split()) <= set(
            "a article b button code del details div fieldset form h2 h3 h4 h5 input ins label legend li "
            "mark nav option output p pre section select small span strong summary table tbody td th thead "
            "tr ul".split()
        )
        attributes = "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
        assert (
            user.evaluate(f"{attributes}.filter(a => a.name.startsWith('on') || a.name === 'style').length")
            == 0
        )
        assert (
            user.evaluate(f"{attributes}.filter(a => /^\\s*(javascript|data):/i.test(a.value)).length") == 0
        )
        text = user.evaluate("document.getElementById('result').textContent")
        assert ATTACK in text
        assert "\u202e" not in text
        loaded = user.evaluate("performance.getEntriesByType('resource').map(e => new URL(e.name).origin)")
        assert set(loaded) == {user.evaluate("location.origin")}


@FIREFOX_FIRST
@pytest.mark.parametrize("width", some([360, 1200], 2))
def test_page_fits_and_is_accessible(browser: str, width: int, tmp_path: Path) -> None:
    with visit(browser, tmp_path) as (user, service):
        service.keep = True
        user.resize(width, 800)
        assert wait(user, f"Math.abs(innerWidth - {width}) < 20 && innerWidth") <= 1200
        long_line = "x".join("chrome.tabs.qery({});" for _ in range(50))
        files = {
            each.name: each.read_bytes() for each in (EXAMPLES / "read-later").iterdir() if each.is_file()
        }
        check(user, pack(tmp_path / "later.zip", {**files, "content.js": long_line}))
        user.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert user.evaluate(overflow) == 0
        if AXE is None:
            return
        user.evaluate(f"(() => {{ {Path(AXE).read_text('utf-8')}; window.axe = axe; return 1; }})()")
        for scheme in ("light", "dark"):
            user.use_scheme(scheme)
            run = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map("
            run += (
                "each => `${each.id}: ${each.nodes.map(node => node.html + node.failureSummary).join(' ')}`))"
            )
            assert user.evaluate(run) == []
