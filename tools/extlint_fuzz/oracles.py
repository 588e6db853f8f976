"""Properties that hold for every case: each oracle runs variants of a case and compares their findings."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from typing import Any

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.process import Outcome
from extlint_fuzz.trial import Failed, Trial, findings_in

SCRIPT_SUFFIXES = (".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".cts")
PLAIN_NAME = re.compile(r"[A-Za-z0-9_./-]+")
LOCAL = re.compile(rb"\blocal(?=\d+\b)")
BROWSERS = ("chrome", "firefox", "reference")
PLANTED = "planted_mistake.ts"
MISTAKE = b"chrome.tabs.querry({});\n"
INERT_LINES = b"\n/* nothing */\n\n"


def plain(trial: Trial) -> None:
    """A run ends normally, within its limits, with consistent output."""
    assert trial.base is not None


def service(trial: Trial) -> None:
    """A service answers what it receives as documented, and the next request correctly."""
    trial.services[trial.case.program].check(trial.case)


def repeat(trial: Trial) -> None:
    """Another process, with a different hash seed and locale, prints the same bytes."""
    _check_same_outcome("repeat", trial.base, trial.run(trial.case, process=1))


def inert_file(trial: Trial) -> None:
    """A file that is never read changes no finding."""
    files = {**trial.case.files, f"{FOLDER}/nothing-reads.txt": b"browser.foo();\n"}
    _check_same_findings("inert file", _base_findings(trial), trial.findings(trial.case.with_files(files)))


def blank_lines(trial: Trial) -> None:
    """Inert lines before each script shift the findings and change nothing else."""
    scripts = [name for name in trial.case.files if name.endswith(SCRIPT_SUFFIXES)]
    if not trial.case.well_formed or not scripts:
        return
    files = {
        name: (INERT_LINES if name in scripts else b"") + data for name, data in trial.case.files.items()
    }
    moved = {name.removeprefix(f"{FOLDER}/") for name in scripts}
    lines = INERT_LINES.count(b"\n")
    expected = [_shifted(each, moved, lines) for each in _base_findings(trial)]
    _check_same_findings("blank lines", expected, trial.findings(trial.case.with_files(files)))


def renamed_locals(trial: Trial) -> None:
    """Renaming locals to names of the same length changes no finding."""
    if not trial.case.well_formed:
        return
    files = {
        name: LOCAL.sub(b"place", data) if name.endswith((*SCRIPT_SUFFIXES, ".html")) else data
        for name, data in trial.case.files.items()
    }
    if files == trial.case.files:
        return
    expected = [_without_messages(each) for each in _base_findings(trial)]
    _check_same_findings(
        "renamed locals",
        expected,
        [_without_messages(each) for each in trial.findings(trial.case.with_files(files))],
    )


def planted_mistake(trial: Trial) -> None:
    """A certain mistake in a separate file is found, whatever the other files are.

    Chrome apps, add-ons for Thunderbird, and those with experiments are skipped because they have a different
    API.
    """
    own = trial.case.files.get(f"{FOLDER}/manifest.json")
    if (
        own is None
        or b'"app"' in own
        or b'"experiment_apis"' in own
        or any(b"messenger" in each for each in trial.case.files.values())
    ):
        return
    files = {**trial.case.files, f"{FOLDER}/{PLANTED}": MISTAKE}
    check_planted(trial.run(trial.case.with_files(files)))


def check_planted(outcome: Outcome) -> None:
    """Raises Failed if a successful run does not find the planted mistake."""
    findings = findings_in(outcome)
    if outcome.status == 2 and not findings:
        return
    if not any(each["path"] == PLANTED and each["rule"] == "unknown-api" for each in findings):
        raise Failed("planted mistake", "not found", outcome.stdout[-4000:] + outcome.stderr)


def union_of_targets(trial: Trial) -> None:
    """A run with several targets finds, for each target, the findings of a run with only that target.

    Unknown keys, permissions in the wrong list, and notes about permissions of another browser are ignored:
    what one target does not read may be for another.
    """
    case = _without_targets(trial.case)
    together = trial.findings(case, "--target", ",".join(BROWSERS))
    for browser in BROWSERS:
        separate = trial.findings(case, "--target", browser)
        own = [each for each in together if browser in each["targets"]]
        _check_same_findings(
            "union of targets",
            _positions(_without_key_findings(separate)),
            _positions(_without_key_findings(own)),
            browser,
        )


def _without_key_findings(findings: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [
        each
        for each in findings
        if each["rule"] not in {"unknown-key", "wrong-manifest-version"}
        and " only in " not in each["message"]
        and (each["rule"], each["severity"]) != ("unknown-permission", "info")
    ]


def packed(trial: Trial) -> None:
    """An archive of the folder has the findings of the folder, whatever the order of its entries."""
    inner = {
        name.partition("/")[2]: data
        for name, data in trial.case.files.items()
        if name.startswith(f"{FOLDER}/")
    }
    if "manifest.json" not in inner or len(inner) != len(trial.case.files):
        return
    if not all(PLAIN_NAME.fullmatch(name) for name in inner):
        return
    options = ("--select", "uses", *(() if "--target" in trial.case.arguments else ("--target", "reference")))
    archives = [
        Case({"ext.zip": zipped(names, inner)}, ("ext.zip", *trial.case.arguments[1:]))
        for names in (sorted(inner), sorted(inner, reverse=True))
    ]
    first, second = (trial.run(archive, *options) for archive in archives)
    _check_same_outcome("order of entries", first, second)
    folder = trial.findings(trial.case, *options)
    _check_same_findings("packed", _without_extensions(folder), _without_extensions(findings_in(first)))


def workers(trial: Trial) -> None:
    """Two worker processes print the same bytes as one."""
    if "--jobs" in trial.options:
        _check_same_outcome(
            "workers", trial.run(trial.case, "--jobs", "1"), trial.run(trial.case, "--jobs", "2")
        )


def cached(trial: Trial) -> None:
    """A cache changes nothing, whether it is being filled or read, or files have changed since."""
    if "--no-cache" not in trial.options:
        return
    without = trial.run(trial.case, "--no-cache")
    for _ in range(2):
        _check_same_outcome("cache", without, trial.run(trial.case))
    for files in _changed_files(trial.case.files):
        other = trial.case.with_files(files)
        _check_same_outcome("cache", trial.run(other, "--no-cache"), trial.run(other))


def _changed_files(files: Mapping[str, bytes]) -> Iterator[Mapping[str, bytes]]:
    """Yields the files with one added, with one longer, with one removed, and with two swapped."""
    yield {**files, f"{FOLDER}/more.txt": b""}
    names = sorted(files)
    for name in sorted({names[0], names[len(names) // 2], names[-1]}) if names else ():
        yield {**files, name: files[name] + b"\nchrome.tabs.querry({});\n"}
        yield {other: data for other, data in files.items() if other != name}
        yield {**files, name: files[names[0]], names[0]: files[name]}


def other_version(trial: Trial) -> None:
    """Another version of extlint has the same findings, except for reports of incomplete analysis."""
    if trial.other is None:
        return
    other = trial.run_in(trial.other, trial.case)
    if other.death is None and other.failure is None:
        first, second = (
            [each for each in found if each["rule"] != "incomplete-analysis"]
            for found in (findings_in(other), _base_findings(trial))
        )
        _check_same_findings("other version", first, second)


SAMPLED: tuple[Callable[[Trial], None], ...] = (
    *(repeat, inert_file, blank_lines, renamed_locals, planted_mistake),
    *(union_of_targets, packed, workers, cached),
)
"""The oracles that are sampled for each case."""

FOLDER_ORACLES = (inert_file, blank_lines, renamed_locals, planted_mistake, union_of_targets, packed)
"""The oracles that apply only to a folder that is checked entirely."""


def required_oracle(case: Case) -> Callable[[Trial], None]:
    """Returns the oracle that is asked about every run of a case."""
    return plain if case.program == "check" else service


def applicable_oracles(case: Case) -> list[Callable[[Trial], None]]:
    """Returns the other oracles that apply to a case."""
    if case.program != "check":
        return []
    return [each for each in SAMPLED if case.is_folder or each not in FOLDER_ORACLES]


def zipped(names: Iterable[str], files: Mapping[str, bytes]) -> bytes:
    """Returns a zip archive of files in this order."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), files[name])
    return stream.getvalue()


def _base_findings(trial: Trial) -> list[dict[str, Any]]:
    return findings_in(trial.base)


def _without_targets(case: Case) -> Case:
    arguments = list(case.arguments)
    if "--target" in arguments:
        at = arguments.index("--target")
        del arguments[at : at + 2]
    return case.with_arguments(*arguments)


def _shifted(finding: Mapping[str, Any], paths: set[str], lines: int) -> dict[str, Any]:
    """Returns a finding, moved as expected after adding this many lines before the scripts at some paths."""
    moved = dict(finding)
    if finding["path"] in paths:
        for key in ("start", "end"):
            moved[key] = {**finding[key], "line": finding[key]["line"] + lines}
    moved["related"] = (
        [_shifted(each, paths, lines) for each in finding.get("related", ())] if "related" in finding else []
    )
    if "related" not in finding:
        del moved["related"]
    fix = finding.get("fix")
    if isinstance(fix, Mapping):
        moved["fix"] = {**fix, "edits": [_shifted(each, paths, lines) for each in fix["edits"]]}
    return moved


def _without_messages(finding: Mapping[str, Any]) -> dict[str, Any]:
    return {key: finding[key] for key in ("rule", "severity", "path", "start", "end", "api", "targets")}


def _positions(findings: Sequence[Mapping[str, Any]]) -> list[Any]:
    places = {(each["path"], each["start"]["line"], each["start"]["column"]) for each in findings}
    return [{"path": path, "line": line, "column": column} for path, line, column in sorted(places)]


def _without_extensions(findings: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the findings without the name of the extension."""
    return [{key: value for key, value in each.items() if key != "extension"} for each in findings]


def _check_same_findings(
    oracle: str, expected: Sequence[Any], found: Sequence[Any], detail: str = ""
) -> None:
    """Raises Failed if the findings are not the same, in any order."""
    first, second = (Counter(repr(_sorted(each)) for each in findings) for findings in (expected, found))
    if first != second:
        lost, more = (_list(first - second), _list(second - first))
        kind = "lost" if lost and not more else "more" if more and not lost else "changed"
        raise Failed(oracle, kind, f"{detail}\nonly expected:\n{lost}\nonly found:\n{more}"[:8000])


def _sorted(value: Any) -> Any:
    return {key: value[key] for key in sorted(value)} if isinstance(value, Mapping) else value


def _list(findings: Mapping[str, int]) -> str:
    return "\n".join(f"  {number} x {each}" for each, number in findings.items())


def _check_same_outcome(oracle: str, one: Outcome, other: Outcome) -> None:
    """Raises Failed if two runs have different output or a different status."""
    if one.status != other.status:
        raise Failed(oracle, "status", f"{one.status} and {other.status}\n{one.stderr}\n{other.stderr}")
    for name, first, second in (("stdout", one.stdout, other.stdout), ("stderr", one.stderr, other.stderr)):
        if first != second:
            raise Failed(
                oracle,
                name,
                "\n".join(unified_diff(first.splitlines(), second.splitlines(), lineterm=""))[:8000],
            )
