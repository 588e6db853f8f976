"""The target `reference`: the specification, and what every browser rejects or ignores."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import Files, lint, manifest, reported
from packages import package_of

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.finding import Severity
from extlint.project.target_detection.choice import Origin
from extlint.registry import RULES
from extlint.report.report import Report

OPTIONS = {"options_ui": {"page": "p.html"}}
PAGE = "<script src='p.js'></script>"


def with_page(script: str, **keys: object) -> Files:
    """Returns an extension whose only script runs in a page of it."""
    return {"manifest.json": manifest(**OPTIONS, **keys), "p.html": PAGE, "p.js": script}


def report_of(files: Files, rules: Sequence[str] = tuple(RULES)) -> Report:
    """Returns the report of a package that names no targets."""
    return check_package(package_of(files), None, rules)


IN_EVERY_BROWSER = {
    "missing-await": with_page("console.log(chrome.tabs.query({}).length);"),
    "ignored-callback": with_page("chrome.tabs.query({}, (tabs) => 1).then(console.log);"),
    "string-code": with_page("eval(name);"),
    "inline-script": {**with_page(""), "p.html": "<script>run()</script>"},
    "remote-script": {**with_page(""), "p.html": "<script src='https://example.com/a.js'></script>"},
    "misplaced-import": {**with_page("import './a.js';"), "a.js": ""},
    "lost-variable": with_page(
        "const n = 1; chrome.scripting.executeScript({target: {tabId: 1}, func: () => alert(n)});",
        permissions=["scripting"],
        host_permissions=["<all_urls>"],
    ),
}


@pytest.mark.parametrize(("rule", "files"), IN_EVERY_BROWSER.items(), ids=IN_EVERY_BROWSER.keys())
def test_rules_about_browsers_run(rule: str, files: Files) -> None:
    report = report_of(files, [rule])
    assert [each.rule for each in report.findings] == [rule]
    assert {each.targets for each in report.findings} == {("reference",)}
    assert report.only_in == ()


ONLY_IN = {
    "a key": ({"manifest.json": manifest(background={"scripts": ["b.js"]}), "b.js": ""}, {"chrome": 1}),
    "another key": (
        {
            "manifest.json": manifest(content_scripts=[{"matches": ["<all_urls>"], "css": ["a.css"]}]),
            "a.css": "",
        },
        {},
    ),
    "an argument": (with_page("chrome.tabs.create({selected: true});"), {"firefox": 1}),
    "both": (
        with_page("chrome.tabs.create({selected: true}); chrome.tabs.create({discarded: true});"),
        {"chrome": 1, "firefox": 1},
    ),
    "Chrome 138 loads version 2": (
        {"manifest.json": manifest(manifest_version=2, background={"scripts": ["b.js"]}), "b.js": ""},
        {},
    ),
}


@pytest.mark.parametrize(("files", "expected"), ONLY_IN.values(), ids=ONLY_IN.keys())
def test_findings_of_one_browser_are_counted(files: Files, expected: dict[str, int]) -> None:
    report = report_of(files, [name for name in RULES if RULES[name].group.name != "stores"])
    assert report.choice.names == ("reference",)
    assert report.findings == ()
    counts = [target.partition("<")[0] for each in report.only_in for target in each.targets]
    assert {each: counts.count(each) for each in counts} == expected


def test_counts_are_those_of_runs_for_one_browser() -> None:
    files = with_page("chrome.tabs.create({selected: true}); chrome.tabs.create({discarded: true, x: 1});")
    report = report_of(files)
    shared = {(each.span, each.rule) for each in report.findings}
    for target in ("chrome", "firefox"):
        found = [each for each in lint(files, None, target) if (each.span, each.rule) not in shared]
        assert len(found) == sum(each.targets == (target,) for each in report.only_in) > 0


def closing_line(capsys: pytest.CaptureFixture[str], folder: Path, files: Files) -> list[str]:
    """Returns the last lines of the output of a run without targets."""
    for path, content in files.items():
        (folder / path).write_text(str(content))
    main(["check", str(folder)])
    return [each.replace(str(folder), "ext") for each in capsys.readouterr().out.splitlines()[-2:]]


def test_closing_line_has_the_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = with_page("chrome.tabs.create({selected: true}); chrome.tabs.create({discarded: true});")
    assert closing_line(capsys, tmp_path, files) == [
        "Each browser reports errors, but none in common, in 1 extension (3 files).",
        "checked for reference: nothing names a browser; --target chrome reports 1 more, --target firefox 1",
    ]
    main(["check", str(tmp_path), "--output-format", "json"])
    (extension,) = json.loads(capsys.readouterr().out)["extensions"]
    assert extension["only_in"] == {"chrome": 1, "firefox": 1}


def test_closing_line_names_the_last_chrome_for_version_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = with_page("chrome.tabs.create({discarded: true});", manifest_version=2)
    assert closing_line(capsys, tmp_path, files) == [
        "No findings in 1 extension (3 files).",
        "checked for reference: nothing names a browser; Chrome 139 and newer do not load Manifest V2; "
        '--target "chrome<=138" reports 1 more',
    ]


def test_suppressed_findings_are_not_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = with_page("chrome.tabs.create({selected: true}); // extlint-disable-line invalid-argument")
    assert closing_line(capsys, tmp_path, files)[-1] == "checked for reference: nothing names a browser"


def test_missing_member_is_one_finding_whatever_the_reasons() -> None:
    (finding,) = lint(with_page("chrome.tabs.getSelected(null, console.log);"))
    assert finding.message == (
        "Chrome: `tabs.getSelected` was removed in Manifest V3; Firefox: `tabs.getSelected` does not exist"
    )


def test_severity_is_the_lowest_of_the_browsers() -> None:
    found = lint({"manifest.json": manifest(permissions=["telemetry"])}, ["unknown-permission"])
    assert [each.severity for each in found] == [Severity.INFO]


def test_specification_decides_about_its_namespaces() -> None:
    use = "browser.management.getPermissionWarningsById(1);"
    assert reported(with_page(use, permissions=["management"])) == [
        ("unknown-api", "browser.management.getPermissionWarningsById")
    ]


WITHOUT_VERDICT = {
    "a namespace that only one browser has": "if (chrome.tts) chrome.tts.speak(1);",
    "code that one browser does not run": (
        "if (!navigator.userAgent.includes('Firefox')) chrome.tabs.query({status: 'done'});"
    ),
}


@pytest.mark.parametrize("script", WITHOUT_VERDICT.values(), ids=WITHOUT_VERDICT.keys())
def test_browser_that_does_not_run_the_code_has_no_verdict(script: str) -> None:
    assert reported(with_page(script, permissions=["tts"]), ["invalid-argument"]) != []


MARKS = {
    "a function": ("chrome.management.launchApp('a');", ("chrome",), "`management.launchApp`"),
    "a namespace": ("chrome.tts.speak('a');", ("chrome",), "`tts`"),
    "of Firefox": ("browser.sidebarAction.open();", ("firefox",), "`sidebarAction`"),
    "without its permission": ("chrome.fontSettings.clearFont({});", ("chrome",), "`fontSettings`"),
    "of both": (
        "chrome.tts.speak('a'); browser.sidebarAction.open();",
        ("firefox", "chrome"),
        "`sidebarAction`",
    ),
    "only if it exists": ("if (chrome.tts) chrome.tts.speak('a');", ("reference",), ""),
    "a name that no browser has": ("chrome.tts2.speak('a');", ("reference",), ""),
    "an API of both browsers": ("chrome.tabs.query({}); browser.tabs.query({});", ("reference",), ""),
    "removed in version 3": ("chrome.tabs.getSelected(1, f);", ("reference",), ""),
}


@pytest.mark.parametrize(("script", "targets", "name"), MARKS.values(), ids=MARKS.keys())
@pytest.mark.parametrize("rules", [tuple(RULES), ("unused-permission",)], ids=["every rule", "one rule"])
def test_api_of_one_browser_names_it(
    script: str, targets: tuple[str, ...], name: str, rules: Sequence[str]
) -> None:
    choice = report_of(with_page(script, permissions=["tts"]), rules).choice
    assert choice.names == targets
    assert choice.origin is (Origin.SCRIPTS if name else Origin.DEFAULT)
    assert name in choice.reason


def test_user_who_names_reference_gets_it() -> None:
    assert {each.targets for each in lint(with_page("chrome.management.launchApp('a');"))} == {("reference",)}
