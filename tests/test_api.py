"""The API for programs: `extlint.check`, and the results."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest
from harness import manifest
from thorough import examples, some

import extlint
from extlint.cli.main import main
from extlint.finding import Severity
from extlint.services.api import results
from extlint_schemas import TARGETS

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").iterdir() if path.is_dir())

Outcome = tuple[int, str, str]
CommandLine = Callable[..., Outcome]


@pytest.fixture
def command_line(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """Runs `extlint check`, and returns its status, its JSON and its errors."""

    def run(*arguments: str) -> Outcome:
        status = main(["check", *arguments, "--output-format", "json", "--no-cache"])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def packed(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder))
    return buffer.getvalue()


@pytest.fixture
def extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An extension in the folder `x` of the current folder, with one error and one warning."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "x"
    folder.mkdir()
    (folder / "manifest.json").write_text(manifest(background={"service_worker": "a.js"}, permisions=[]))
    (folder / "a.js").write_text("chrome.tabs.crate({});\n")
    return folder


@pytest.mark.parametrize("name", some([*EXAMPLES, "."], 8))
def test_report_equals_the_json_of_the_command_line(
    name: str, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    status, text, _ = command_line(name)
    report = extlint.check(name)
    assert report.to_json() == text
    assert report.to_dict() == json.loads(text)
    assert report.exit_status == status
    assert len(report.findings) == report.summary.errors + report.summary.warnings + report.summary.infos


OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "targets": ({"targets": ["firefox", "chrome>=120"]}, ["--target", "firefox", "--target", "chrome>=120"]),
    "several targets in a string": ({"targets": "firefox,chrome"}, ["--target", "firefox,chrome"]),
    "select": ({"select": "unknown-api"}, ["--select", "unknown-api"]),
    "a group": ({"select": ["manifest"]}, ["--select", "manifest"]),
    "ignore": ({"ignore": ["unknown-api"]}, ["--ignore", "unknown-api"]),
    "extend_select": ({"extend_select": "stores"}, ["--extend-select", "stores"]),
    "fail_level": ({"fail_level": "info"}, ["--fail-level", "info"]),
    "gitignore": ({"gitignore": False}, ["--no-gitignore"]),
    "jobs": ({"jobs": 2}, ["--jobs", "2"]),
    "any number of jobs": ({"jobs": None}, ["--jobs", "auto"]),
    "config": ({"config": Path("c.toml")}, ["--config", "c.toml"]),
    "schemas": ({"schemas": "*.schema.json"}, ["--schemas", "*.schema.json"]),
    "baseline": ({"baseline": Path("b.json")}, ["--baseline", "b.json"]),
    "foreign files": ({"skip_foreign_files": True}, ["--skip-foreign-files"]),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_mean_the_same_as_on_the_command_line(
    name: str, extension: Path, command_line: CommandLine
) -> None:
    Path("c.toml").write_text('ignore = ["unknown-key"]\n')
    Path("own.schema.json").write_text('[{"namespace": "own"}]')
    assert main(["check", "x", "--baseline", "b.json", "--write-baseline", "--select", "unknown-api"]) == 0
    command_line("x")
    options, arguments = OPTIONS[name]
    status, text, _ = command_line("x", *arguments)
    report = extlint.check("x", **options)
    assert report.to_json() == text
    assert report.exit_status == status


def test_baseline_is_counted(extension: Path) -> None:
    assert main(["check", "x", "--baseline", "b.json", "--write-baseline"]) == 0
    report = extlint.check("x", baseline="b.json")
    assert report.summary.baseline is not None
    assert report.summary.baseline.suppressed > 0
    assert report.findings == ()
    assert extlint.check("x").summary.baseline is None


def test_paths_may_be_several_and_of_any_kind(extension: Path, command_line: CommandLine) -> None:
    Path("y.zip").write_bytes(packed(extension))
    _, text, _ = command_line("x", "y.zip")
    assert extlint.check(["x", Path("y.zip")]).to_json() == text
    assert [each.path for each in extlint.check(("x", "y.zip")).extensions] == ["x", "y.zip"]
    _, text, _ = command_line("x/a.js")
    assert extlint.check(Path("x", "a.js")).to_json() == text
    _, text, _ = command_line(str(extension))
    assert extlint.check(extension).to_json() == text


@pytest.mark.parametrize("name", ["y.zip", "y.xpi"])
def test_archive_as_bytes_is_like_the_archive(name: str, extension: Path, command_line: CommandLine) -> None:
    data = packed(extension)
    Path(name).write_bytes(data)
    _, text, _ = command_line(name)
    Path(name).unlink()
    assert extlint.check(data, filename=name).to_json() == text
    assert [each.path for each in extlint.check(data).extensions] == ["extension.zip"]


def test_crx_as_bytes_is_like_the_file(extension: Path, command_line: CommandLine) -> None:
    data = b"Cr24" + (3).to_bytes(4, "little") + (4).to_bytes(4, "little") + b"head" + packed(extension)
    Path("extension.crx").write_bytes(data)
    _, text, _ = command_line("extension.crx")
    assert extlint.check(data).to_json() == text


def test_damaged_archive_as_bytes(extension: Path) -> None:
    for data in (b"PK\x03\x04", packed(extension)[:-30], b"Cr24"):
        with pytest.raises(extlint.UnreadableError, match="extension"):
            extlint.check(data)
    with pytest.raises(extlint.UnreadableError, match=r"y\.zip is not a zip archive"):
        extlint.check(b"{}", filename="y.zip")


def test_content_of_a_file_replaces_it(
    extension: Path, command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"chrome.tabs.create(1);"
    report = extlint.check(text, filename="x/a.js")
    (extension / "a.js").write_bytes(text)
    assert report.to_json() == command_line("x/a.js")[1]
    data = manifest(icons=1).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert extlint.check(data).to_json() == command_line("-")[1]


def test_usage_errors() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"targets": "fierfox"}, "no such target: fierfox; did you mean firefox?"),
        ({"targets": [""]}, "targets requires at least one name"),
        ({"select": "unknown-apo"}, "no such rule: unknown-apo"),
        ({"fail_level": "worse"}, "no such fail level: worse"),
        ({"jobs": 0}, "jobs must be a number of at least 1"),
        ({"schemas": "none.json"}, "no schema file matches none.json"),
        ({"config": "none.toml"}, "no such file or folder: none.toml"),
        ({"baseline": "none.json"}, "the baseline none.json does not exist"),
        ({"filename": "x"}, "filename requires the content of the file"),
        ({"path": []}, "no path is given"),
    ]
    for options, message in cases:
        with pytest.raises(extlint.UsageError) as found:
            extlint.check(**options)
        assert message in str(found.value)


def test_nothing_readable_is_an_exception_and_a_part_is_not(
    extension: Path, command_line: CommandLine
) -> None:
    with pytest.raises(extlint.UnreadableError, match="no such file or folder: none"):
        extlint.check("none")
    with pytest.raises(extlint.UnreadableError, match="neither an archive nor a manifest"):
        extlint.check(b"let a;")
    status, text, errors = command_line("x", "none")
    report = extlint.check(["x", "none"])
    assert report.to_json() == text
    assert report.unchecked == ("no such file or folder: none",)
    assert errors == f"extlint: {report.unchecked[0]}\n"
    assert report.exit_status == status == 2


def test_results_are_frozen(extension: Path) -> None:
    report = extlint.check("x")
    finding = report.findings[0]
    assert finding.fix is not None
    for item in (report, report.summary, report.extensions[0], finding, finding.start, finding.fix):
        for field in item.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(item, field, None)
            assert not isinstance(getattr(item, field), list)
    assert hash(finding) == hash(extlint.check("x").findings[0])


def test_file_of_a_finding_can_be_opened(extension: Path) -> None:
    for path in ("x", extension, "."):
        assert all(Path(each.file).is_file() for each in extlint.check(path).findings)


def test_names_of_targets_and_severities_are_complete() -> None:
    assert get_args(extlint.Target) == TARGETS
    assert {*get_args(extlint.Severity)} == {str(each) for each in Severity}


def test_all_names_are_exported_and_documented() -> None:
    names = {name for name in vars(results) if name[0].isupper() and name in extlint.__all__}
    assert {"Report", "Finding", "Fix", "Edit", "Related", "Position", "Extension", "Summary"} <= names
    for name in extlint.__all__:
        assert getattr(extlint, name) is not None
        assert name in dir(extlint)
    assert not hasattr(extlint, "chek")
    assert [*extlint.__all__] == sorted(extlint.__all__)


def test_import_is_light() -> None:
    program = "import sys, extlint; print(*(each for each in sys.modules if each.startswith('extlint')))"
    found = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert found.stdout.split() == ["extlint"]


def test_nothing_of_the_process_changes(extension: Path, capfd: pytest.CaptureFixture[str]) -> None:
    signals = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    limit, streams = sys.getrecursionlimit(), (sys.stdin, sys.stdout, sys.stderr)
    extlint.check(["x", "none"], jobs=2)
    assert capfd.readouterr() == ("", "")
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == signals
    assert sys.getrecursionlimit() == limit
    assert streams == (sys.stdin, sys.stdout, sys.stderr)


def test_cache_is_used_only_on_request(extension: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTLINT_CACHE_DIR", str(extension.parent / "default"))
    (extension / "a.js").write_text("chrome.tabs.create({});\n" + "// \n" * 30_000)
    found = extlint.check("x")
    assert sorted(each.name for each in Path().iterdir()) == ["x"]
    assert extlint.check("x", cache=Path("own")) == extlint.check("x", cache="own") == found
    assert sorted(each.name for each in Path().iterdir()) == ["own", "x"]
    assert extlint.check("x", cache=True) == found
    assert sorted(each.name for each in Path().iterdir()) == ["default", "own", "x"]


def test_threads_may_check_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    different = ["every-mistake", "read-later", "stores", "clean"]
    expected = {name: extlint.check(name).to_json() for name in different}
    names = different * examples(10)
    limit = sys.getrecursionlimit()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda name: extlint.check(name).to_json(), names))
    assert found == [expected[name] for name in names]
    assert sys.getrecursionlimit() == limit


USER = """
import extlint
from pathlib import Path

report: extlint.Report = extlint.check(Path("x"), targets=["firefox"], jobs=None)
reveal_type(report.findings[0].fix)
reveal_type(report.to_dict())
with extlint.Session(["x"]) as session:
    reveal_type(session.check().added)
report.findings = ()
extlint.check("x", target="firefox")
"""


def test_types_for_users(tmp_path: Path) -> None:
    """Reads only the API: mypy takes ten times as long for all of extlint."""
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(USER)
    package = ROOT / "linter" / "extlint"
    read = [package / "__init__.py", *sorted((package / "services" / "api").glob("*.py"))]
    options = ["--strict", "--follow-imports=skip", "--explicit-package-bases", "--cache-dir", os.devnull]
    text = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "user.py", *map(str, read)],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "linter")},
        check=False,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    shown = re.findall(r"user\.py:(\d+): \w+: (.*)", text.replace("builtins.", ""))
    assert [(int(line), message) for line, message in shown if '"check" defined in' not in message] == [
        (6, 'Revealed type is "extlint.services.api.results.Fix | None"'),
        (7, 'Revealed type is "dict[str, Any]"'),
        (9, 'Revealed type is "tuple[extlint.services.api.results.Finding, ...]"'),
        (10, 'Property "findings" defined in "Report" is read-only  [misc]'),
        (11, 'Unexpected keyword argument "target" for "check"; did you mean "targets"?  [call-arg]'),
    ]
