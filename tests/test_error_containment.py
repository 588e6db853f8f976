"""Internal errors of extlint: each is reported and affects only one file or one rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from harness import Files, manifest
from packages import package_of

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.registry import RULES, load
from extlint.report.report import Report
from extlint.schema.targets import Target

NOTE = "incomplete-analysis"
MEMORY = MemoryError()
USE = "browser.management.getAll();"
PAGE = "<script src=page.js></script>"
MESSAGES = '{"%s": {"message": 1}}'
REQUEST_RULES = '[{"id": 0, "priority": %d, "condition": {}, "action": {"type": "block"}}]'
FILES: Files = {
    "manifest.json": manifest(
        default_locale="en",
        background={"service_worker": "importer.js", "type": "module"},
        action={"default_popup": "a.html"},
        options_page="b.html",
        icons={"16": "a.png", "32": "b.png"},
        content_scripts=[{"matches": ["<all_urls>"], "js": ["content.js"]}],
        declarative_net_request={
            "rule_resources": [
                {"id": "a", "enabled": True, "path": "a.json"},
                {"id": "b", "enabled": True, "path": "b.json"},
            ]
        },
        permissions=["managment", "declarativeNetRequest"],
    ),
    "importer.js": f"import {{f}} from './library.js'; f(browser); {USE}",
    "library.js": "export function f(api) { api.management.get('a') }",
    "content.js": f"function f() {{ {USE} }} f()",
    "a.html": PAGE,
    "b.html": f"<script>{USE}</script>",
    "page.js": USE,
    "a.png": "no image",
    "b.png": "none either",
    "a.json": REQUEST_RULES % 1,
    "b.json": REQUEST_RULES % 2,
    "_locales/en/messages.json": MESSAGES % "a",
    "_locales/de/messages.json": MESSAGES % "b",
}


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EXTLINT_DEBUG", raising=False)


def make_fail(
    monkeypatch: pytest.MonkeyPatch, name: str, is_met: Callable[..., bool], error: Exception = MEMORY
) -> None:
    """Makes a function, named by module and qualified name, raise an error for some arguments."""
    module, _, function = name.partition(":")
    owner: Any = import_module(module)
    *outer, last = function.split(".")
    for each in outer:
        owner = getattr(owner, each)
    original = getattr(owner, last)

    def replaced(*arguments: Any, **named: Any) -> Any:
        if is_met(*arguments):
            raise error
        return original(*arguments, **named)

    monkeypatch.setattr(owner, last, replaced)


def checked(files: Files = FILES, rules: Sequence[str] = (*RULES,)) -> Report:
    return check_package(package_of(files), (Target("firefox"),), rules)


def findings_of(report: Report) -> set[tuple[str, str]]:
    """Returns the rule and the file of each finding."""
    return {(each.rule, each.path) for each in report.findings}


def contains(text: str) -> Callable[..., bool]:
    return lambda data, *_: text.encode() in data


def always(*_arguments: object) -> bool:
    return True


STAGES: Mapping[str, tuple[str, Callable[..., bool], str, set[str]]] = {
    "a script, with what it passes to others": (
        "extlint.analysis.analyze:analyze",
        contains("f(browser)"),
        "importer.js",
        {"importer.js", "library.js"},
    ),
    "a script that is parsed": (
        "extlint.analysis.follow:follow",
        contains("function f() {"),
        "content.js",
        {"content.js"},
    ),
    "the exports of a script": (
        "extlint.analysis.modules.exports:exports_of",
        lambda evaluator, *_: b"api.management" in evaluator.tree.text,
        "library.js",
        {"library.js"},
    ),
    "the search for callers": (
        "extlint.program.callers:Callers.call_paths",
        lambda _self, script, _reference: script.path == "content.js",
        "content.js",
        {"content.js"},
    ),
    "a page": ("extlint.project.contexts.pages:scan_page", contains(PAGE), "a.html", {"page.js"}),
    "an image": (
        "extlint.checks.manifest_values.named_images:read_image",
        contains("no image"),
        "a.png",
        set(),
    ),
    "a file of messages": (
        "extlint.checks.locales.mistakes:messages_mistakes",
        lambda value, **_: "b" in value,
        "_locales/de/messages.json",
        {"_locales/de/messages.json"},
    ),
    "a file of request rules": (
        "extlint.checks.request_rules:mistakes_in",
        lambda value, *_: value[0]["priority"] == 1,
        "a.json",
        {"a.json"},
    ),
    "JSON": (
        "extlint.project.contexts.json_files:read_json",
        contains('"b":'),
        "_locales/de/messages.json",
        {"_locales/de/messages.json"},
    ),
}
"""A failing function, its failing calls, the affected file, and the files whose findings may be lost."""


@pytest.mark.parametrize(("function", "is_met", "path", "lost"), STAGES.values(), ids=STAGES.keys())
def test_failure_affects_one_file(
    function: str, is_met: Callable[..., bool], path: str, lost: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = findings_of(checked())
    make_fail(monkeypatch, function, is_met)
    report = checked()
    after = findings_of(report)
    assert after - before == {(NOTE, path)}
    assert {each for each in before - after if each[1] not in {*lost, "manifest.json"}} == set()
    assert [each.sentence("ext") for each in report.package.failures] == [
        f"internal error in ext/{path}: MemoryError"
    ]
    assert report.incomplete == 1


FEW_FILES: Files = {name: FILES[name] for name in ("manifest.json", "importer.js")}


@cache
def findings_in_few_files() -> set[tuple[str, str]]:
    """Returns the findings without a failure."""
    return findings_of(checked(FEW_FILES))


@pytest.mark.parametrize("rule", [name for name in RULES if name != NOTE])
def test_failure_in_rule_affects_only_that_rule(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_extension: object) -> Iterator[object]:
        raise KeyError(rule)

    before = findings_in_few_files()
    monkeypatch.setattr(load(rule), "check", check)
    report = checked(FEW_FILES)
    failed = {(NOTE, "manifest.json")} if report.package.failures else set()
    assert findings_of(report) == {each for each in before if each[0] != rule} | failed
    for note in (each for each in report.findings if each.rule == NOTE):
        assert (
            note.message
            == f"extlint failed in the rule `{rule}`, which may have more to say: KeyError: '{rule}'"
        )


def test_findings_before_rule_failure_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    original = load("missing-permission").check

    def check(extension: Any) -> Iterator[Any]:
        yield next(iter(original(extension)))
        raise RecursionError

    monkeypatch.setattr(load("missing-permission"), "check", check)
    assert [each.rule for each in checked(rules=["missing-permission", NOTE]).findings] == [
        "missing-permission",
        NOTE,
    ]


def test_failed_rules_share_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    make_fail(monkeypatch, "extlint.linting.json_findings:manifest_mistakes", always)
    report = checked(rules=["missing-key", "unknown-key", NOTE])
    assert [each.message for each in report.findings] == [
        "extlint failed in the rules `missing-key` and `unknown-key`, which may have more to say: MemoryError"
    ]


@pytest.mark.parametrize(
    "function", ["lay_out", "shared_realms", "findings_for_target", "across_targets"], ids=str
)
def test_failure_outside_files_does_not_lose_the_package(
    function: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_of_layout = function in {"lay_out", "shared_realms"}
    module = "extlint.program.shared_layout" if is_of_layout else "extlint.checker"
    make_fail(monkeypatch, f"{module}:{function}", always)
    if function == "across_targets":
        with pytest.raises(MemoryError):
            checked()
        return
    report = checked()
    assert (NOTE, "manifest.json") in findings_of(report)


UNUSED_PERMISSION = {
    "manifest.json": manifest(
        permissions=["alarms"],
        background={"scripts": ["a.js", "shared.js"]},
        content_scripts=[{"matches": ["<all_urls>"], "js": ["shared.js", "c.js"]}],
    ),
    "a.js": "browser.alarms.get('a'); importScripts('shared.js')",
    "c.js": "1",
    "shared.js": "1",
}


def test_failed_script_suppresses_unused_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {**UNUSED_PERMISSION, "a.js": "browser.runtime.id"}
    assert findings_of(checked(files, ["unused-permission"])) == {("unused-permission", "manifest.json")}
    make_fail(monkeypatch, "extlint.analysis.analyze:analyze", contains("runtime"))
    assert findings_of(checked(files, ["unused-permission"])) == set()


def test_script_named_by_failed_script_may_run_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    files: Files = {
        "manifest.json": manifest(
            background={"service_worker": "a.js"},
            content_scripts=[{"matches": ["<all_urls>"], "js": ["shared.js"]}],
            permissions=["management"],
        ),
        "a.js": "importScripts('shared.js')",
        "shared.js": "function f() { browser.management.getAll() }",
    }
    without = {**files, "a.js": "1"}
    rules = ["wrong-context"]
    assert findings_of(checked(files, rules)) == set()
    assert findings_of(checked(without, rules)) == {("wrong-context", "shared.js")}
    make_fail(monkeypatch, "extlint.analysis.analyze:analyze", contains("importScripts"))
    assert findings_of(checked(files, rules)) == set()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        Path(name).mkdir()
        Path(name, "manifest.json").write_text(manifest(background={"service_worker": "s.js"}, versoin=1))
        Path(name, "s.js").write_text(USE)


def check_packages(capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str, str]:
    status = main(["check", "a", "b", "--no-cache", *options])
    written = capsys.readouterr()
    return status, written.out, written.err


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    "error", [RecursionError("too deep"), MEMORY, KeyError("x"), UnicodeError("x")], ids=repr
)
def test_exit_status_reports_failure(
    error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_fail(monkeypatch, "extlint.analysis.follow:follow", always, error)
    status, text, errors = check_packages(capsys, "--output-format", "concise")
    message = str(error)
    why = f"{type(error).__name__}: {message}" if message else type(error).__name__
    assert status == 2
    assert errors == f"extlint: internal error in a/s.js: {why}\nextlint: internal error in b/s.js: {why}\n"
    assert f"a/s.js:1:1: info[{NOTE}] extlint failed here, so this file is not fully checked: {why}\n" in text
    assert "unknown-key" in text
    assert "2 files were analyzed only in part" in text
    monkeypatch.setenv("EXTLINT_DEBUG", "1")
    with pytest.raises(type(error)):
        check_packages(capsys)


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("wanted", ["text", "concise", "json"])
def test_failure_while_writing_a_finding_affects_only_it(
    wanted: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    function = (
        "json_output:finding_object" if wanted == "json" else "human_readable:HumanReadableReporter.sentence"
    )
    make_fail(
        monkeypatch,
        f"extlint.report.formats.{function}",
        lambda _, finding, *__: finding.rule == "missing-permission",
    )
    status, text, errors = check_packages(capsys, "--output-format", wanted)
    assert status == 2
    assert text.count("unknown key") == 2
    assert (
        errors
        == "extlint: internal error in a/s.js: MemoryError\nextlint: internal error in b/s.js: MemoryError\n"
    )
    if wanted == "json":
        assert {each["rule"] for each in json.loads(text)["findings"]} == {"unknown-key"}


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize(
    ("function", "where"),
    [
        ("extlint.package.discovery.find:FolderTree", "a"),
        ("extlint.package.discovery.tree:names_manifest_version", "a/manifest.json"),
    ],
)
def test_failure_while_listing_files_affects_one_package(
    function: str, where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    met: list[object] = []
    make_fail(monkeypatch, function, lambda *_: not met and not met.append(1))  # type: ignore[func-returns-value]
    status, text, errors = check_packages(capsys, "--output-format", "concise")
    assert status == 2
    assert errors == f"extlint: internal error in {where}: MemoryError\n"
    assert "b/manifest.json" in text
    assert "a/manifest.json" not in text


@pytest.mark.usefixtures("packages")
@pytest.mark.parametrize("function", ["read_manifest", "detect_targets"])
def test_failure_before_target_detection_is_a_finding(
    function: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    met: list[object] = []
    make_fail(monkeypatch, f"extlint.checker:{function}", lambda *_: not met and not met.append(1))  # type: ignore[func-returns-value]
    status, text, errors = check_packages(capsys, "--output-format", "concise")
    assert status == 2
    assert errors == "extlint: internal error in a/manifest.json: MemoryError\n"
    message = "extlint failed here, so the extension is not checked: MemoryError"
    assert text.startswith(f"a/manifest.json:1:1: info[{NOTE}] {message}\nb/manifest.json")
    assert "a/s.js" not in text
    assert "checked for no target (a): extlint failed before it found one\n" in text
