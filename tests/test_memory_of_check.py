"""A package that may take much memory is checked in a limited process, without the files to blame."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest
from harness import manifest
from packages import write
from processes import run_extlint

from extlint.checking.jobs import MAX_ATTEMPTS, files_to_leave_out, may_take
from extlint.package.files import Package

if sys.platform != "linux":
    pytest.skip("the memory of processes is not limited", allow_module_level=True)

LIMIT = """
from extlint.checking import jobs
jobs.MAX_CHECK_BYTES = 20 * 1024 * 1024
jobs.MAX_BYTES_PER_BYTE = 300
"""
DIVIDED = """
from extlint.program import parallel_analysis
jobs.MIN_WEIGHT_TO_DIVIDE = parallel_analysis.MIN_BYTES = 1
"""
LIMITED = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (100 << 20, 100 << 20))\n"
NO_FORK = "def refuse(): raise AssertionError\nos.fork = refuse"
USE = "chrome.management.foo();"
KEYS = {
    "background": {"service_worker": "good.js", "type": "module"},
    "content_scripts": [{"matches": ["<all_urls>"], "js": ["bad.js"]}],
    "options_ui": {"page": "page.html"},
}
SMALL = {"manifest.json": manifest(**KEYS), "good.js": USE, "bad.js": "", "page.html": "<p>"}
COSTLY: Mapping[str, Mapping[str, str]] = {
    "uses": {"bad.js": "chrome.x.y;" * 30_000},
    "types": {"good.js": f"import './bad.ts'; {USE}", "bad.ts": "f<a,b>(c);" * 40_000 + USE},
    "a script and a page": {
        "bad.js": "chrome.x.y;" * 30_000,
        "page.html": "<p>chrome</p>" * 10 + "<script>chrome.x.y()</script>\n" * 20_000,
    },
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EXTLINT_DEBUG", raising=False)


def check(
    files: Mapping[str, str], *options: str, before: str = LIMIT
) -> tuple[int, dict[str, set[str]], str]:
    """Returns the exit status, the paths with findings by rule, and standard error."""
    write({f"ext/{path}": text for path, text in {**SMALL, **files}.items()})
    arguments = ["check", "--no-cache", "--output-format", "json", "--target", "chrome", *options, "ext"]
    status, output, errors = run_extlint(*arguments, before=before)
    found: dict[str, set[str]] = {}
    for each in json.loads(output)["findings"]:
        found.setdefault(each["rule"], set()).add(each["path"])
    return status, found, errors


@pytest.mark.parametrize("files", COSTLY.values(), ids=COSTLY.keys())
def test_only_the_file_to_blame_is_left_out(files: Mapping[str, str]) -> None:
    status, found, errors = check(files)
    assert (status, errors) == (1, "")
    assert found["incomplete-analysis"] == {path for path in files if path != "good.js"}
    assert found["unknown-api"] == {"good.js"}


def test_scripts_are_analyzed_by_several_processes() -> None:
    status, found, errors = check(COSTLY["uses"], "--jobs=2", before=LIMIT + DIVIDED)
    assert (status, errors) == (1, "")
    assert found["incomplete-analysis"] == {"bad.js"}


def test_costly_manifest_ends_the_check_of_its_package() -> None:
    keys = manifest(**KEYS, x=[{} for _ in range(400_000)])
    status, found, errors = check({"manifest.json": keys})
    assert status == 2
    assert "memory" in errors
    assert found == {}


def test_permissions_name_the_file_that_is_left_out() -> None:
    files = {**SMALL, "bad.js": "chrome.x.y;" * 30_000}
    write({f"ext/{path}": text for path, text in files.items()})
    status, output, errors = run_extlint("permissions", "ext", before=LIMIT)
    assert status == 2
    assert output.startswith("ext: ")
    assert errors == "extlint: ext/bad.js takes more than 20 MiB of memory to check\n"


def test_lower_limit_of_the_process_applies() -> None:
    status, found, errors = check(COSTLY["uses"], before=LIMITED)
    assert (status, errors) == (1, "")
    assert found["incomplete-analysis"] == {"bad.js"}


@pytest.mark.parametrize("error", ["MemoryError", "ImportError('a.so: failed to map segment')"])
def test_shortage_of_memory_ends_the_run(error: str) -> None:
    write({f"ext/{path}": text for path, text in SMALL.items()})
    before = (
        f"{LIMITED}from extlint import checker\ndef fail(*_): raise {error}\nchecker.mark_unsafe_fixes = fail"
    )
    status, output, errors = run_extlint("check", "--no-cache", "ext", before=before)
    assert (status, output) == (2, "")
    assert errors == "extlint: not enough memory; raise the limit of this process, or end others\n"


def test_small_package_is_checked_in_the_same_process() -> None:
    status, found, _ = check({}, before=NO_FORK)
    assert status == 1
    assert found["unknown-api"] == {"good.js"}


def _package(sizes: Mapping[str, int]) -> Package:
    return Package("ext", dict.fromkeys(("manifest.json", *sizes), bytes), size=partial(_size, sizes))


def _size(sizes: Mapping[str, int], path: str) -> int:
    return sizes.get(path, 0)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({"a.js": 1000}, False),
        ({"a.js": 1025}, True),
        ({"a.js": 600, "b.html": 600}, True),
        ({"a.json": 1025}, True),
        ({"a.png": 5000}, False),
    ],
)
def test_package_that_may_take_much_memory(sizes: Mapping[str, int], expected: bool) -> None:
    assert may_take(_package(sizes), 1024 * 1024) == expected


SIZES = {"manifest.json": 1, "a.js": 1, "b.js": 4, "c.js": 3, "d.js": 2, "e.png": 9}


@pytest.mark.parametrize(
    ("last", "left_out", "attempts", "expected"),
    [
        ("a.js", (), 1, ["a.js"]),
        ("", (), 1, ["b.js"]),
        ("manifest.json", (), 1, ["b.js"]),
        ("a.js", ("c.js",), 2, ["c.js", "a.js"]),
        ("a.js", ("b.js",), 5, ["b.js", "a.js", "c.js"]),
        ("manifest.json", ("b.js", "c.js", "d.js"), 4, None),
        ("a.js", ("b.js", "c.js", "d.js"), 4, ["b.js", "c.js", "d.js", "a.js"]),
        ("", ("a.js", "b.js", "c.js", "d.js"), 4, None),
        ("a.js", (), MAX_ATTEMPTS, None),
    ],
)
def test_files_to_leave_out(
    last: str, left_out: tuple[str, ...], attempts: int, expected: list[str] | None
) -> None:
    found = files_to_leave_out(_package(SIZES), last, left_out, attempts)
    assert (None if found is None else [*found]) == expected
