"""Checking packages in several processes: the output matches that of one, even if a worker fails."""

from __future__ import annotations

import json
import pickle
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest
from harness import manifest
from packages import package_of, write
from processes import FORCE_WORKERS, run_extlint

from extlint.checking import jobs
from extlint.checking.jobs import WEIGHT_OF_PACKAGE, outcomes_in_order, weights_of, worthwhile_workers
from extlint.cli.main import main
from extlint.package.discovery.find import find_packages, stdin_package
from extlint.package.files import Package, UnreadableError
from extlint.processes.resources import available_processors

DUPLICATE_KEY = '{"manifest_version": 3, "name": "a", "version": "1", "version": "2"}'
WITH_SCRIPT = manifest(background={"scripts": ["a.js"]}, permissions=["tabs"])
TREE: Mapping[str, str] = {
    "tree/a/manifest.json": DUPLICATE_KEY,
    "tree/b/manifest.json": WITH_SCRIPT,
    "tree/b/a.js": "chrome.management.getSelf(1);",
    "tree/c/manifest.json": '{"manifest_version": 3',
    "tree/d/manifest.json": WITH_SCRIPT,
    "tree/d/a.js": "browser.tabs.qery({}); chrome.management.getAll();" * 30,
    "tree/e/manifest.json": manifest(),
    "tree/e/extlint.toml": "select = 'missing-key'",
    "tree/f/manifest.json": manifest(),
    "tree/f/extlint.toml": "color = 'always'",
    "tree/b/inner/manifest.json": DUPLICATE_KEY,
}
LARGE = {"manifest.json": manifest(), "a.js": " " * 500_000}
NOT_FORKED = (
    f"{FORCE_WORKERS}import extlint.processes.workers as workers\nworkers._may_fork = lambda: False\n"
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("EXTLINT_DEBUG", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("style", ["text", "json"])
def test_workers_do_not_change_the_output(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(TREE)
    Path("z.zip").write_bytes(b"PK no archive")
    with zipfile.ZipFile("y.zip", "w") as archive:
        archive.writestr("manifest.json", DUPLICATE_KEY)
    arguments = ["tree/d", "y.zip", "nothing", "z.zip", "tree", "--output-format", style, "--statistics"]
    status = main(["check", *arguments, "--jobs", "1"])
    expected = capsys.readouterr()
    assert status == 2
    assert expected.err.count("\n") == 3
    assert run_extlint("check", *arguments, "--jobs", "3", before=FORCE_WORKERS) == (
        status,
        expected.out,
        expected.err,
    )


def test_spawned_workers_do_not_change_the_output(capsys: pytest.CaptureFixture[str]) -> None:
    write(TREE)
    write({"api.json": json.dumps([{"namespace": "own", "functions": [{"name": "f", "type": "function"}]}])})
    arguments = ["tree", "--schemas", "api.json", "--target", "firefox", "--jobs", "2"]
    status = main(["check", *arguments[:-1], "1"])
    expected = capsys.readouterr()
    assert run_extlint("check", *arguments, before=NOT_FORKED) == (status, expected.out, expected.err)


def worker_running(package: str, statement: str) -> str:
    """Returns a program in which a worker runs a statement when it reaches a package."""
    return (
        f"{FORCE_WORKERS}import extlint.checker as checker\n"
        "check = checker.check_package\n"
        "def instead(package, *rest):\n"
        f"    if package.name == {package!r} and os.getpid() != PARENT: {statement}\n"
        "    return check(package, *rest)\n"
        "checker.check_package = instead\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what the test has changed")
@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param(
            "os.kill(os.getpid(), signal.SIGKILL)",
            "cannot check tree/b: its process ended abruptly (killed); the system may have run out of memory",
            id="killed",
        ),
        pytest.param(
            "os.kill(os.getpid(), signal.SIGSEGV)",
            "cannot check tree/b: its process ended abruptly (segmentation fault)",
            id="crashed",
        ),
        pytest.param("os._exit(3)", "cannot check tree/b: its process exited with status 3", id="ended"),
        pytest.param(
            "raise RecursionError('too\\ndeep')",
            "internal error in tree/b: RecursionError: too\\x0adeep",
            id="an internal error",
        ),
    ],
)
def test_failing_worker_loses_one_package(
    statement: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(TREE)
    status, output, errors = run_extlint(
        "check", "tree", "-q", "--jobs", "2", before=worker_running("tree/b", statement)
    )
    main(["check", "tree/a", "tree/b/inner", "tree/c", "tree/d", "tree/e", "-q"])
    assert output == capsys.readouterr().out
    assert status == 2
    first, second = errors.splitlines()
    assert first == f"extlint: {expected}"
    assert second.startswith("extlint: tree/f/extlint.toml:1:1: ")


@pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what the test has changed")
def test_run_continues_without_workers_if_fork_fails(capsys: pytest.CaptureFixture[str]) -> None:
    write(TREE)
    expected = main(["check", "tree"]), *capsys.readouterr()
    no_process = f"{FORCE_WORKERS}def fail():\n    raise BlockingIOError\nos.fork = fail\n"
    assert run_extlint("check", "tree", "--jobs", "4", before=no_process) == expected


def test_little_work_starts_no_worker() -> None:
    write(TREE)
    write({f"two/{name}/{path}": text for name in "ab" for path, text in LARGE.items()})
    for_each = (
        "sys.stderr = sys.stdout = open(os.devnull, 'w')\n"
        "for arguments in 'tree', 'tree --jobs 2', 'two --jobs 1', 'two/a --jobs 2', 'two --jobs 2':\n"
        "    main(['check', *arguments.split()])\n"
        "    print('multiprocessing' in sys.modules, file=sys.__stdout__, flush=True)\n"
    )
    assert run_extlint("check", "tree/e", before=for_each, new=True)[1].split() == [*["False"] * 4, "True"]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        pytest.param([10_000_000], 1, id="one package, however large"),
        pytest.param([WEIGHT_OF_PACKAGE] * 20, 0, id="few, and small"),
        pytest.param([WEIGHT_OF_PACKAGE] * 60, 2, id="many small ones"),
        pytest.param([2_000_000, 20_000], 2, id="two, one of them large"),
        pytest.param([2_000_000] * 5, 5, id="one for each"),
    ],
)
def test_worker_count_depends_on_the_work(weights: list[int], expected: int) -> None:
    assert worthwhile_workers(weights) == expected


def test_package_weight_is_the_size_of_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a/manifest.json": manifest(), "a/a.js": "1" * 1000, "a/b.HTML": "1" * 100, "a/c.css": "1" * 10})
    write({"b/manifest.json": manifest(), "b/a.ts": "1" * 500, "b/b.ts": "1" * 500, "b/c.ts": "1" * 500})
    with zipfile.ZipFile("c.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", manifest())
        archive.writestr("a.js", "1" * 9000)
    packages = [*find_packages(["a", "b", "c.zip", "nothing"])]

    def found() -> list[int]:
        return [weight - WEIGHT_OF_PACKAGE for weight in weights_of(packages)]

    assert found() == [1100, 1500, 9000, 0]
    monkeypatch.setattr(jobs, "MAX_SIZED_FILES", 3)
    assert found() == [1100, 500 + 2 * 533, 533, 0]


@pytest.mark.parametrize("value", ["0", "-1", "abc", "", "1.5", "٣", "9" * 5000])
def test_invalid_job_count_is_rejected(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--jobs", value]) == 2
    expected = f"extlint: --jobs must be a number of at least 1, or auto, not {value}\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("value", ["auto", "1", "04", "999"])
def test_valid_job_count_is_accepted(value: str) -> None:
    write({"manifest.json": manifest()})
    assert main(["check", "--jobs", value]) == 0


def test_packages_can_be_pickled() -> None:
    write(TREE)
    with zipfile.ZipFile("y.zip", "w") as archive:
        archive.writestr("top/manifest.json", DUPLICATE_KEY)
        archive.writestr("top/a.js", "1")
    packages = [
        *find_packages(["tree", "y.zip", "tree/a/manifest.json"]),
        stdin_package(b'{"manifest_version": 3}'),
    ]
    assert len(packages) == 9
    for package, copy in zip(packages, pickle.loads(pickle.dumps(packages)), strict=True):
        assert isinstance(package, Package)
        assert (copy.name, copy.paths, copy.links) == (package.name, package.paths, package.links)
        assert [copy.read(path) for path in copy.paths] == [package.read(path) for path in package.paths]
        assert ("inner/manifest.json" in copy) == ("inner/manifest.json" in package)


def test_number_of_open_packages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_HELD", 3)
    monkeypatch.setattr(jobs, "available_processors", lambda: 8)
    opened: list[str] = []

    def packages() -> Iterator[Package]:
        for name in "abcdefgh":
            opened.append(name)
            yield package_of({}, name)

    checked: list[tuple[str, int]] = []

    def check(package: Package | UnreadableError, jobs: int) -> str:
        assert isinstance(package, Package)
        checked.append((package.name, len(opened)))
        return package.name

    found = outcomes_in_order(packages(), check, lambda _package, how: how, None)
    assert "".join(found) == "abcdefgh"
    assert [count for _, count in checked] == [3, 3, 3, 6, 6, 6, 8, 8]


def test_heaviest_open_package_is_scheduled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MIN_WEIGHT_FOR_WORKER", 1)
    sizes = {"a": 10, "b": 30, "c": 20}
    packages = [Package(name, {"a.js": bytes}, size=partial(_of_size, size)) for name, size in sizes.items()]
    scheduled: list[str] = []

    def divided(items: Sequence[Package | UnreadableError]) -> None:
        scheduled.extend(each.name for each in items if isinstance(each, Package))

    found = outcomes_in_order(
        packages, lambda package, _: str(package), lambda _package, how: how, 1, divided
    )
    assert len(list(found)) == 3
    assert scheduled == []
    names = outcomes_in_order(packages, _name, lambda _package, how: how, 2, divided)
    assert list(names) == ["a", "b", "c"]
    assert scheduled == ["b", "c", "a"]


def _of_size(size: int, _path: str) -> int:
    return size


def _name(package: Package | UnreadableError, _jobs: int) -> str:
    return package.name if isinstance(package, Package) else ""


LIMITS = {
    "none": ({}, 8),
    "of the whole group": ({"cpu.max": "200000 100000"}, 2),
    "not set": ({"cpu.max": "max 100000"}, 8),
    "of the own group": ({"a/b/cpu.max": "300000 100000"}, 3),
    "of a group around it": ({"a/b/cpu.max": "max 100000", "a/cpu.max": "400000 100000"}, 4),
    "the least of several": ({"a/b/cpu.max": "500000 100000", "a/cpu.max": "250000 100000"}, 2),
    "less than one": ({"cpu.max": "1000 100000"}, 1),
    "more than there are": ({"cpu.max": "9900000 100000"}, 8),
    "damaged": ({"cpu.max": "many\n", "a/cpu.max": "1 0"}, 8),
}


@pytest.mark.parametrize(("files", "expected"), LIMITS.values(), ids=LIMITS)
def test_container_limits_the_processor_count(
    files: Mapping[str, str], expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("extlint.processes.resources._schedulable", lambda: 8)
    write(
        {"own": "1:cpuset:/elsewhere\n0::/a/b\n", **{f"groups/{path}": text for path, text in files.items()}}
    )
    assert available_processors("groups", "own") == expected


def test_all_processors_count_without_control_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extlint.processes.resources._schedulable", lambda: 8)
    assert available_processors("nowhere", "nowhere") == 8
