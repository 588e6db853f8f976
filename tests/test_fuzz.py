"""The fuzzer: seeds are deterministic, wrong runs are detected, and failures are minimized."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from extlint_fuzz import oracles
from extlint_fuzz.bounds import memory_for, seconds_for
from extlint_fuzz.campaign import Bench, Plan, case_of
from extlint_fuzz.case import Case, decode_case, encode_case
from extlint_fuzz.command_line import check_options
from extlint_fuzz.generators.mutations import Corpus, mutated_case
from extlint_fuzz.generators.registry import GENERATORS, random_case
from extlint_fuzz.minimize import minimize
from extlint_fuzz.process import Outcome
from extlint_fuzz.trial import Failed, Trial, check

HERE = Path(__file__).parent
REGRESSIONS = sorted((HERE / "regressions").glob("*.json"))
EMPTY = Case({"ext/manifest.json": b"{}", "ext/a.js": b"const local1 = 1;"}, well_formed=True)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    bench = Bench(tmp_path_factory.mktemp("fuzz"), check_options(), None)
    yield bench
    bench.close()


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_former_failure_is_fixed(bench: Bench, path: Path) -> None:
    case = decode_case(path.read_text("utf-8"))
    assert bench.find_failure(case, [oracles.plain, *oracles.applicable_oracles(case)]) is None


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_are_deterministic(name: str) -> None:
    make = GENERATORS[name][1]
    for seed in range(5):
        case = make(Random(seed))
        assert case == make(Random(seed))
        assert case.generator == name
        assert decode_case(encode_case(case)) == case
    assert make(Random(0)) != make(Random(1))


def test_campaign_uses_all_generators(tmp_path: Path) -> None:
    plan = Plan(1, 7, 1, (), (), tmp_path, None, 1)
    assert {case_of(plan, number, None)[0].generator for number in range(150)} == set(GENERATORS)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ((), {*GENERATORS, "mutation"}),
        (("soup", "page"), {"soup", "page"}),
        (("soup", "mutation"), {"soup", "mutation"}),
        (("mutation",), {"mutation"}),
    ],
)
def test_only_selected_generators_are_used(
    names: tuple[str, ...], expected: set[str], tmp_path: Path
) -> None:
    (tmp_path / "a.js").write_text("browser.tabs.query({});")
    corpus = Corpus((tmp_path,))
    generators = {
        random_case(Random(seed), names, corpus).generator for seed in range(200 if not names else 40)
    }
    assert generators == expected


def test_mutations_are_distinct(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("browser.tabs.query({ active: true });\n" * 20)
    corpus = Corpus((tmp_path,))
    cases = [mutated_case(Random(seed), corpus) for seed in range(10)]
    assert len({case.files["ext/a.js"] for case in cases}) == len(cases)


def test_case_passes_every_oracle_in_a_child_process(bench: Bench) -> None:
    case = GENERATORS["extension"][1](Random(3))
    assert bench.find_failure(case, [oracles.plain, *oracles.applicable_oracles(case)]) is None


@pytest.mark.parametrize("name", ["HTTP requests", "editor session"])
def test_service_answers_a_case(bench: Bench, name: str) -> None:
    case = GENERATORS[name][1](Random(3))
    assert bench.find_failure(case, [oracles.required_oracle(case)]) is None
    assert oracles.applicable_oracles(case) == []


def test_dead_child_process_is_replaced(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extlint_fuzz.process.seconds_for", lambda _: 0.001)
    failure = bench.find_failure(GENERATORS["bundle"][1](Random(3)), [oracles.plain])
    assert failure is not None
    assert failure.oracle == "time"
    assert "Current thread" in failure.story
    monkeypatch.undo()
    assert bench.find_failure(EMPTY, [oracles.plain]) is None


def finding(path: str = "a.js", line: int = 1, **keys: Any) -> dict[str, Any]:
    place = {"line": line, "column": 1}
    fixed = {"rule": "unknown-api", "severity": "error", "message": "wrong", "path": path, "extension": "ext"}
    return {**fixed, "start": place, "end": place, "api": None, "targets": ["chrome"], "related": [], **keys}


def output(*findings: Mapping[str, Any], **counts: int) -> str:
    errors = sum(each["severity"] == "error" for each in findings)
    warnings = sum(each["severity"] == "warning" for each in findings)
    summary = {"errors": errors, "warnings": warnings, "infos": 0, **counts}
    return json.dumps({"version": 1, "findings": findings, "summary": summary})


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(Outcome(0, output(), ""), id="nothing found"),
        pytest.param(Outcome(1, output(finding(), finding(line=2)), ""), id="two findings"),
        pytest.param(Outcome(0, output(finding(severity="warning")), ""), id="a warning"),
        pytest.param(Outcome(2, "", "extlint: no such file or folder: ext\n"), id="nothing to check"),
    ],
)
def test_valid_outcome_passes(outcome: Outcome) -> None:
    check(outcome, EMPTY)


ERROR, NEXT_LINE = finding(), finding(line=2)
TRACEBACK = 'Traceback:\n  File "/x/extlint/checker.py", line 3, in check_package\nKeyError: 1\n'


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome(None, "", "", failure=TRACEBACK), "exception: KeyError in extlint/checker.py:check_package"),
        (Outcome(None, "", TRACEBACK, death="SIGPROF"), "time: extlint/checker.py:check_package"),
        (Outcome(None, "", "", death="SIGSEGV"), "crash: SIGSEGV"),
        (Outcome(0, output(), "", cpu=seconds_for(EMPTY.size) + 0.1), "time: in all"),
        (Outcome(0, output(), "", memory=memory_for(EMPTY.size) + 1), "memory: peak"),
        (Outcome(3, output(), ""), "status: status 3"),
        (Outcome(2, "", ""), "status: status 2 without a reason"),
        (Outcome(2, "", "extlint: internal error: 1\n"), "stderr: extlint: internal error: 0"),
        (Outcome(0, output(), "a.py:1: Warning: odd\n"), "stderr: a.py:0: Warning: odd"),
        (Outcome(0, "", ""), "json: JSONDecodeError: Expecting value: line 1 column 1 (char 0)"),
        (Outcome(0, "{}", ""), "json: KeyError: 'findings'"),
        (Outcome(0, output(ERROR), ""), "json: ValueError: an exit status that is not that of the findings"),
        (Outcome(1, output(NEXT_LINE, ERROR), ""), "json: ValueError: findings that are not sorted"),
        (Outcome(1, output(ERROR, ERROR), ""), "json: ValueError: the same finding twice"),
        (Outcome(1, output(ERROR, errors=2), ""), "json: ValueError: a wrong number of errors"),
    ],
)  # fmt: skip
def test_invalid_outcome_fails(outcome: Outcome, expected: str) -> None:
    with pytest.raises(Failed) as caught:
        check(outcome, EMPTY)
    assert f"{caught.value.failure.oracle}: {caught.value.failure.key}" == expected


Program = Callable[[Mapping[str, bytes], tuple[str, ...]], list[dict[str, Any]]]


class FakeProcess:
    """Replaces a process: reports the findings that a function returns for the written files."""

    def __init__(self, program: Program, **differing: Any) -> None:
        self._program = program
        self._differing = differing

    def run(self, root: Path, arguments: tuple[str, ...], _size: int) -> Outcome:
        paths = [path for path in sorted(root.rglob("*")) if path.is_file()]
        files = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
        findings = [{**each, **self._differing} for each in self._program(files, arguments)]
        return Outcome(1 if findings else 0, output(*findings), "")


def trial(program: Program, case: Case, root: Path) -> Trial:
    processes: Any = [FakeProcess(program), FakeProcess(program)]
    return Trial(case, processes, root, frozenset({"--jobs", "--no-cache"}))


def correct_program(files: Mapping[str, bytes], arguments: tuple[str, ...]) -> list[dict[str, Any]]:
    """A correct program: reports each misspelled name once."""
    found = []
    for path, data in files.items():
        for number, line in enumerate(data.split(b"\n"), 1):
            if b"querry" in line:
                found.append(finding(path.removeprefix("ext/"), number, targets=requested_targets(arguments)))
    return found


def requested_targets(arguments: tuple[str, ...]) -> list[str]:
    value = arguments[arguments.index("--target") + 1] if "--target" in arguments else "chrome"
    return value.split(",")


WRONG_PROGRAMS: Mapping[str, Program] = {
    "inert_file": lambda files, _: [finding()] * (len(files) > 2),
    "blank_lines": lambda *_: [finding()],
    "renamed_locals": lambda files, _: [finding()] * any(b"local" in data for data in files.values()),
    "planted_mistake": lambda *_: [],
    "union_of_targets": lambda _, arguments: (
        [finding(targets=requested_targets(arguments))] * ("," in arguments[-1])
    ),
    "packed": lambda files, _: [finding()] * ("ext.zip" in files),
    "workers": lambda _, arguments: [finding()] * ("2" in arguments),
    "cached": lambda _, arguments: [finding()] * ("--no-cache" in arguments),
}


@pytest.mark.parametrize("name", WRONG_PROGRAMS)
def test_oracle_detects_wrong_program(name: str, tmp_path: Path) -> None:
    with pytest.raises(Failed):
        getattr(oracles, name)(trial(WRONG_PROGRAMS[name], EMPTY, tmp_path))


@pytest.mark.parametrize("name", [name for name in WRONG_PROGRAMS if name != "packed"])
def test_oracle_accepts_correct_program(name: str, tmp_path: Path) -> None:
    case = EMPTY.with_files({**EMPTY.files, "ext/b.js": b"x();\nlocal2.querry();\n"})
    getattr(oracles, name)(trial(correct_program, case, tmp_path))


def test_different_output_of_processes_is_detected(tmp_path: Path) -> None:
    processes: Any = [
        FakeProcess(WRONG_PROGRAMS["blank_lines"]),
        FakeProcess(WRONG_PROGRAMS["blank_lines"], message="other"),
    ]
    with pytest.raises(Failed):
        oracles.repeat(Trial(EMPTY, processes, tmp_path, frozenset()))


def test_failing_case_is_minimized() -> None:
    noise = b"let a = 1;\n" * 40
    files = {
        "ext/a.js": noise + b"f(browser . tabs);\n" + noise,
        "ext/b.js": noise,
        "ext/manifest.json": b"{}",
    }
    smallest = minimize(
        Case(files, ("ext", "--target", "chrome")),
        lambda case: b"browser" in case.files.get("ext/a.js", b"") and b"tabs" in case.files["ext/a.js"],
        60,
    )
    assert smallest == Case({"ext/a.js": b"browsertabs"}, ("ext",))
