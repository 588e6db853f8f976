"""Baselines: moved findings stay suppressed, new ones fail, and fixed ones are counted."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from harness import Files, manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from packages import package_of
from thorough import examples

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.finding import Finding
from extlint.linting.suppression.baseline import (
    MAX_LINE_LENGTH,
    Baseline,
    count_findings,
    entries_of,
    format_baseline,
    read_baseline,
    without_baselined,
)
from extlint.package.files import Package
from extlint.registry import RULES
from extlint.schema.targets import Target

SELECTED = [name for name, rule in RULES.items() if not rule.group.only_packed and name != "undefined-name"]
MANIFEST = manifest(background={"service_worker": "a.js"}, permissions=["alarms"])


def check_files(files: Files) -> tuple[Package, list[Finding]]:
    report = check_package(package_of(files), [Target("chrome")], SELECTED)
    return report.package, list(report.findings)


def extension(script: str) -> Files:
    return {"manifest.json": MANIFEST, "a.js": script}


def new_and_fixed(before: Files, after: Files, *, reworded: bool = False) -> tuple[list[str], int]:
    """Returns the messages of findings missing in an earlier baseline, and its number of unused entries."""
    package, findings = check_files(before)
    entries = entries_of(findings, package)
    package, findings = check_files(after)
    new, left = without_baselined(findings, package, entries, reworded=reworded)
    return [each.message for each in new], count_findings(left)


GET = "chrome.alarms.gett();"
CHANGES: dict[str, tuple[str, str, list[str], int]] = {
    "nothing": (GET, GET, [], 0),
    "a line before it": (GET, f"let a = 1;\n{GET}", [], 0),
    "indentation and line ends": (GET, f"\r\n{{\r\n\t  {GET}\r\n}}", [], 0),
    "one more of the same": (GET, f"{GET}\n{GET}", ["`alarms.gett` does not exist; did you mean `get`?"], 0),
    "one less of the same": (f"{GET}\n{GET}", GET, [], 1),
    "all fixed": (f"{GET}\n{GET}", "chrome.alarms.get('a');", [], 2),
    "another mistake": (GET, f"{GET} chrome.alarms.geet();", [GET, "chrome.alarms.geet();"], 1),
    "the same in another line": (
        GET,
        f"let a = {GET}",
        ["`alarms.gett` does not exist; did you mean `get`?"],
        1,
    ),
    "one for another": (
        GET,
        "chrome.alarms.cleer();",
        ["`alarms.cleer` does not exist; did you mean `clear`?"],
        1,
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_script_changes(name: str) -> None:
    before, after, new, fixed = CHANGES[name]
    found, left = new_and_fixed(extension(before), extension(after))
    assert len(found) == len(new)
    assert left == fixed
    if len(new) == 1:
        assert found == new


def test_json_value_is_suppressed_next_to_new_ones() -> None:
    before = {
        "manifest.json": '{"manifest_version": 3, "name": "a", "version": "1", "permissions": ["tabz"]}'
    }
    after = {"manifest.json": before["manifest.json"].replace('["tabz"]', '["alarmz", "tabz"]')}
    new, left = new_and_fixed(before, after)
    assert [each.partition(";")[0] for each in new] == ["unknown permission `alarmz`"]
    assert left == 0


def test_renamed_file_counts_as_new() -> None:
    before = {
        "manifest.json": manifest(permissions=["alarms"]),
        "a.js": GET,
        "b.js": "chrome.alarms.getAll();",
    }
    after = {"manifest.json": before["manifest.json"], "b.js": GET}
    new, fixed = new_and_fixed(before, after)
    assert (len(new), fixed) == (1, 1)


def test_findings_in_long_lines_match_by_surrounding_text() -> None:
    def bundle(start: str) -> Files:
        filling = "var aaaaaaaa=1;" * 20
        return extension(f"{start}{filling}{GET}{filling}chrome.alarms.cleer();{filling}")

    assert len(f"{GET}{'var aaaaaaaa=1;' * 20}") > MAX_LINE_LENGTH
    assert new_and_fixed(bundle(""), bundle("'another start';")) == ([], 0)
    package, findings = check_files(bundle(""))
    assert {len(each.line) for each in entries_of(findings, package)} <= {*range(MAX_LINE_LENGTH + 1)}


def test_missing_keys_of_one_object_are_distinguished() -> None:
    before = {"manifest.json": '{\n"manifest_version": 3, "name": "a"}'}
    assert new_and_fixed(before, {"manifest.json": '{\n"manifest_version": 3, "version": "1"}'}) == (
        ["the manifest is missing the required key `name`"],
        1,
    )


def test_reworded_messages_match_with_reworded_option() -> None:
    package, findings = check_files({"manifest.json": manifest(permissions=["tabz"])})
    (entry,) = (each for each in entries_of(findings, package) if each.rule == "unknown-permission")
    old = [type(entry)(entry.rule, entry.path, "an unknown permission", entry.line, None, entry.targets)]
    found = [each for each in findings if each.rule == "unknown-permission"]
    assert len(without_baselined(found, package, old, reworded=False)[0]) == 1
    assert without_baselined(found, package, old, reworded=True) == ((), [])


LINES = (
    GET,
    "chrome.alarms.create('a', { delay: 1, when: 'now' });",
    "chrome.alarms.clear(1, 2, 3); chrome.alarmz.clear();",
    "document.title = chrome.runtime.lastErrors;",
    "chrome.alarms.clear('a', 1);",
    "let a = 1;",
    "a();",
)


@settings(max_examples=examples(25))
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_moved_lines_are_suppressed(lines: list[str], random: Random) -> None:
    moved = list(lines)
    random.shuffle(moved)
    for _ in range(random.randrange(4)):
        moved.insert(random.randrange(len(moved) + 1), random.choice(["", "// a comment", "b();"]))
    after = "".join(" " * random.randrange(5) + each + random.choice(["\n", "\r\n"]) for each in moved)
    assert new_and_fixed(extension("\n".join(lines)), extension(after)) == ([], 0)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path,
        {f"{name}/{path}": str(text) for name in ("one", "two") for path, text in extension(GET).items()},
    )
    return tmp_path


def summary(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", *arguments, "--target", "chrome", "--output-format", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["summary"]
    return status, found


def test_baseline_life_cycle(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert summary(capsys, ".")[0] == 1
    status, found = summary(capsys, ".", "--baseline", "known.json", "--write-baseline")
    assert (status, found["errors"], found["suppressed"]) == (0, 0, 2)
    first = (project / "known.json").read_bytes()
    status, found = summary(capsys, ".", "--baseline", "known.json")
    assert (status, found["baseline"]) == (0, {"suppressed": 2, "fixed": 0})
    write(project, {"one/a.js": f"// moved\n{GET}\nchrome.alarms.cleer();"})
    status, found = summary(capsys, "one", "two", "--baseline", "known.json")
    assert (status, found["errors"], found["suppressed"]) == (1, 1, 2)
    write(project, {"one/a.js": "chrome.alarms.getAll();"})
    status, found = summary(capsys, "one", "--baseline", "known.json")
    assert (status, found["baseline"]) == (0, {"suppressed": 0, "fixed": 1})
    assert (project / "known.json").read_bytes() == first
    summary(capsys, "one", "--baseline", "known.json", "--write-baseline")
    known = json.loads((project / "known.json").read_text("utf-8"))
    assert list(known["extensions"]) == ["two"], "what was not checked stays"


def test_summary_lines_mention_the_baseline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--target", "chrome", "--baseline", "known.json"]
    main(["check", ".", *options, "--write-baseline"])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "No findings in 2 extensions (4 files).",
        "2 findings were suppressed by the baseline",
        "wrote 2 findings to the baseline known.json",
    ]
    write(
        project,
        {"one/a.js": "chrome.alarms.getAll();\nchrome.alarms.gett(); // extlint-disable-line unknown-api"},
    )
    main(["check", ".", *options])
    assert capsys.readouterr().out.splitlines()[:3] == [
        "No findings in 2 extensions (4 files).",
        "2 findings were suppressed, 1 by the baseline",
        "1 finding of the baseline known.json is no longer found: write it again with --write-baseline",
    ]


def test_unchecked_rules_and_targets_keep_their_entries(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, {"one/a.js": f"{GET}\nchrome.alarms.create(1, 2, 3);"})
    summary(capsys, "one", "--baseline", "known.json", "--write-baseline")
    before = (project / "known.json").read_text("utf-8")
    for options in (["--select", "missing-key"], ["--ignore", "uses"]):
        status, found = summary(capsys, "one", "--baseline", "known.json", *options)
        assert (status, found["baseline"]["fixed"]) == (0, 0)
        summary(capsys, "one", "--baseline", "known.json", "--write-baseline", *options)
        assert (project / "known.json").read_text("utf-8") == before
    write(project, {"one/a.js": ""})
    main(["check", "one", "--target", "firefox", "--baseline", "known.json"])
    assert "of the baseline" not in capsys.readouterr().out
    main(["check", "one", "--target", "chrome,firefox", "--baseline", "known.json"])
    assert "of the baseline known.json are no longer found" in capsys.readouterr().out


def test_configured_baseline_path_is_shared_by_all_extensions(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(project, {"extlint.toml": 'baseline = "lint/known.json"', "lint/a.txt": ""})
    summary(capsys, ".", "--write-baseline")
    text = (project / "lint/known.json").read_text("utf-8")
    assert list(json.loads(text)["extensions"]) == ["../one", "../two"]
    monkeypatch.chdir(project / "one")
    assert summary(capsys, ".")[1]["baseline"] == {"suppressed": 1, "fixed": 0}
    assert summary(capsys, str(project / "two"))[1]["baseline"] == {"suppressed": 1, "fixed": 0}


def test_baseline_does_not_depend_on_jobs_or_cache(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for options in (["--jobs", "1", "--no-cache"], ["--jobs", "2"]):
        (project / "known.json").unlink(missing_ok=True)
        summary(capsys, ".", "--baseline", "known.json", "--write-baseline", *options)
        files.append((project / "known.json").read_bytes())
    assert files[0] == files[1]


def test_deleted_extensions_are_removed_from_baseline(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary(capsys, ".", "--baseline", "known.json", "--write-baseline")
    (project / "two/manifest.json").unlink()
    (project / "two/a.js").unlink()
    (project / "two").rmdir()
    summary(capsys, ".", "--baseline", "known.json", "--write-baseline")
    assert list(json.loads((project / "known.json").read_text("utf-8"))["extensions"]) == ["one"]


BROKEN = {
    "": "Input data was truncated",
    "<<<<<<< HEAD": "JSON is malformed: invalid character (byte 0)",
    "[]": "expected `object`, got `array`",
    '{"version": 2}': "it has version 2, and this extlint reads version 1",
    '{"version": 1, "extlint": "", "extensions": {"a": [{"rule": 1}]}}': (
        "expected `str`, got `int` - at `$.extensions[...][0].rule`"
    ),
}


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("options", [[], ["--write-baseline"]])
def test_broken_baseline_is_reported_and_not_overwritten(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, options: list[str]
) -> None:
    write(project, {"known.json": text})
    assert main(["check", "one", "--baseline", "known.json", *options]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", f"extlint: known.json is not a baseline: {BROKEN[text]}\n")
    assert (project / "known.json").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ["--baseline", "known.json"],
            "the baseline known.json does not exist; write it with --write-baseline",
        ),
        (["--baseline", "."], "cannot read .: it is not a regular file"),
        (
            ["--baseline", "no/known.json", "--write-baseline"],
            "cannot write no/known.json: no such file or directory",
        ),
        (
            ["--write-baseline"],
            "--write-baseline requires a file: add --baseline FILE, or the key baseline to the configuration",
        ),
    ],
)
def test_invalid_options_are_reported(
    project: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    assert main(["check", "one", *options]) == 2
    assert capsys.readouterr().err == f"extlint: {sentence}\n"
    assert sorted(each.name for each in project.iterdir()) == ["one", "two"]


def test_baseline_round_trip(tmp_path: Path) -> None:
    package, findings = check_files(extension(f"{GET} // “ü” \x01"))
    entries = tuple(entries_of(findings, package))
    (tmp_path / "a.json").write_bytes(
        b"\xef\xbb\xbf" + format_baseline({"a": entries, "b": (), "ä": entries}).encode()
    )
    found = read_baseline(str(tmp_path / "a.json"), "a.json")
    assert isinstance(found, Baseline)
    assert found.extensions == {"a": entries, "ä": entries}
    assert json.loads(format_baseline({})) == {"version": 1, "extlint": found.extlint, "extensions": {}}


def test_invalid_utf8_is_replaced_in_baseline() -> None:
    package, findings = check_files({"manifest.json": MANIFEST, "a.js": b"'\xff'; chrome.alarms.gett();"})
    (entry,) = entries_of(findings, package)
    assert entry.line == "'?'; chrome.alarms.gett();"
