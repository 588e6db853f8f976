"""Files analyzed only in part are reported, and affect the analysis of no other file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import Files, lint, manifest
from packages import package_of

from extlint.analysis.syntax import parse, source
from extlint.checker import check_package
from extlint.cli.main import main
from extlint.package import limits
from extlint.project.contexts import collector
from extlint.registry import RULES
from extlint.schema.targets import target_of
from extlint_rules import incomplete_analysis

TARGET = target_of("reference")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the step limit of the parser."""
    monkeypatch.setattr(parse, "_STEPS", 100)


MISTAKE = "browser.management.getAll();\n"
"""A call of an API that the target does not support."""

UNPARSABLE = MISTAKE + "<a {{b:>c:d(e f)"
"""TypeScript with JSX that the parser gives up on before the end."""


def notes(files: Files) -> list[tuple[str, str]]:
    """Returns the path and message of each note about a file that was analyzed only in part."""
    return [(each.path, each.message) for each in lint(files, ["incomplete-analysis"])]


def files_with_findings(files: Files) -> set[str]:
    """Returns the paths of the files with findings."""
    return {each.path for each in lint(files, ["unsupported-api"])}


def incomplete_count(files: Files) -> int:
    """Returns the number of incomplete files in the report, which does not depend on the selected rules."""
    assert TARGET is not None
    reports = [
        check_package(package_of(files), [TARGET], rules) for rules in (tuple(RULES), ("missing-key",))
    ]
    assert reports[0].incomplete == reports[1].incomplete
    return reports[0].incomplete


BACKGROUND = {"manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}), "b.js": MISTAKE}


@pytest.fixture
def _small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (parse, source):
        monkeypatch.setattr(module, "MAX_SCRIPT_BYTES", 1024 * 1024)
    for module in (collector, incomplete_analysis):
        monkeypatch.setattr(module, "MAX_PAGE_BYTES", 1024 * 1024)


LARGE = " " * 1024 * 1024

SKIPPED_FILES: dict[str, tuple[Files, str, str]] = {
    "a script that is too large": (
        {**BACKGROUND, "a.js": MISTAKE + LARGE},
        "a.js",
        "this script was not analyzed, because it is larger than 1 MiB",
    ),
    "a script that the parser gives up": (
        {**BACKGROUND, "a.js": "", "c.tsx": UNPARSABLE},
        "c.tsx",
        "this script was not analyzed, because the parser did not get to its end",
    ),
    "a page that is too large": (
        {**BACKGROUND, "a.js": "", "page.html": f"<script>{MISTAKE}</script>{LARGE}"},
        "page.html",
        "the scripts of this page were not analyzed, because it is larger than 1 MiB",
    ),
}


@pytest.mark.usefixtures("_small_limits")
@pytest.mark.parametrize(("files", "path", "message"), SKIPPED_FILES.values(), ids=SKIPPED_FILES.keys())
def test_skipped_file_is_reported_once(files: Files, path: str, message: str) -> None:
    assert notes(files) == [(path, message)]
    assert files_with_findings(files) == {"b.js"}
    assert incomplete_count(files) == 1


def test_complete_extension_has_no_note() -> None:
    files = {**BACKGROUND, "a.js": ""}
    assert notes(files) == []
    assert incomplete_count(files) == 0


def test_each_incomplete_file_has_its_own_note() -> None:
    files = {"manifest.json": manifest(), "a.tsx": UNPARSABLE, "b.tsx": UNPARSABLE}
    assert [path for path, _ in notes(files)] == ["a.tsx", "b.tsx"]
    assert incomplete_count(files) == 2


@pytest.mark.parametrize(
    ("files", "path"),
    [
        pytest.param({**BACKGROUND, "a.js": "x" * 2000}, "a.js", id="a script"),
        pytest.param({**BACKGROUND, "a.js": "", "page.html": "x" * 2000}, "page.html", id="a page"),
        pytest.param(
            {
                "manifest.json": manifest(background={"scripts": ["b.js"]}, default_locale="en"),
                "b.js": MISTAKE,
                "_locales/en/messages.json": "x" * 2000,
            },
            "_locales/en/messages.json",
            id="a catalog",
        ),
    ],
)
def test_oversized_file_does_not_fail_the_run(
    files: Files,
    path: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 1000)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(str(content))
    assert main(["check", str(tmp_path), "--output-format", "json", "--target", "reference"]) == 1
    output = capsys.readouterr()
    assert output.err == ""
    found = json.loads(output.out)
    reported = [(each["path"], each["rule"]) for each in found["findings"]]
    assert (path, "incomplete-analysis") in reported
    assert ("b.js", "unsupported-api") in reported
    assert found["summary"]["incomplete"] == found["extensions"][0]["incomplete"] == 1


def test_notes_affect_the_exit_status(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text(manifest())
    (tmp_path / "a.tsx").write_text(UNPARSABLE)
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith(
        "\n1 file was analyzed only in part, so mistakes in it may be missing\n"
    )
    assert main(["check", str(tmp_path), "--fail-level", "info"]) == 1
    assert main(["check", str(tmp_path), "--fail-level", "info", "--select", "missing-permission"]) == 0
    last = "mistakes in it may be missing (the rule incomplete-analysis names it)\n"
    assert capsys.readouterr().out.endswith(last)


def test_incomplete_script_suppresses_unused_permission() -> None:
    files: Files = {"manifest.json": manifest(permissions=["management"], background={"scripts": ["a.js"]})}
    complete = {**files, "a.js": "browser.test.log(1);"}
    assert [each.rule for each in lint(complete, ["unused-permission"])] == ["unused-permission"]
    assert lint({**complete, "b.tsx": UNPARSABLE}, ["unused-permission"]) == []


EVALUATED_CODE = [
    'eval("chrome.tabs.qury({});");',
    "eval('chrome.tabs.qury({});')",
    "eval(`chrome.tabs.qury({});`)",
    'var code = 1;\neval( "\\n\\nchrome.tabs.qury({});" );',
    'window.eval("const api = globalThis.browser; api.tabs.qury()");',
    '(0, eval)("chrome.tabs.qury({});");',
    'eval(policy.createScript("chrome.tabs.qury({});"));',
    "eval(\"import('webextension-polyfill')\");",
    'eval("\\u0063hrome.tabs.qury({});");',
]

HARMLESS_EVALS = [
    'eval("this");',
    'eval("window.onload = null");',
    "eval(\"// what the chrome object has\\nwindow.x = 'chrome';\");",
    'page.eval("chrome.tabs.qury({});");',
    'chrome.devtools.inspectedWindow.eval("chrome.tabs.qury({});");',
    '// eval("chrome.tabs.qury({});")\nchrome.tabs.query({});',
    "const text = 'eval(\"chrome.tabs.qury({});\")';",
    'retrieval("chrome.tabs.qury({});");',
]


def with_script(text: str) -> Files:
    return {"manifest.json": manifest(background={"scripts": ["a.js"]}), "a.js": text}


@pytest.mark.parametrize("text", EVALUATED_CODE)
def test_evaluated_code_is_reported(text: str) -> None:
    message = "this script was analyzed only in part, without the code in strings that `eval` runs"
    (found,) = lint(with_script(text), ["incomplete-analysis"])
    assert (found.path, found.message) == ("a.js", message)
    assert [each.message for each in found.related] == ["what this runs was not analyzed"]
    assert incomplete_count(with_script(text)) == 1


@pytest.mark.parametrize("text", HARMLESS_EVALS)
def test_eval_without_api_use_is_not_reported(text: str) -> None:
    assert notes(with_script(text)) == []
    assert incomplete_count(with_script(text)) == 0


def test_permission_that_eval_may_use_is_not_unused() -> None:
    manifest_file = manifest(permissions=["management"], background={"scripts": ["a.js"]})
    code = 'browser.test.log(1); eval("browser.management.uninstall()");'
    assert lint({"manifest.json": manifest_file, "a.js": code}, ["unused-permission"]) == []
