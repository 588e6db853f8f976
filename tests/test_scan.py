"""`extlint scan`: the rows, their agreement with `extlint check`, and starts after an interruption."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.json import encode

if sys.platform == "win32":
    pytest.skip("scan requires processes that fork", allow_module_level=True)

from scanning import BAD, GOOD, all_rows, rows, run_extlint, scan, write_archive, write_store

import extlint
from extlint.cli.main import main
from extlint.services.scan.checker import COMMAND, close_checker
from extlint.services.scan.output import Output
from extlint.services.scan.run import scan_shard
from extlint.services.scan.settings import CheckSettings, Shard, Source, divided, find_sources

pytestmark = pytest.mark.together


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    close_checker()


@cache
def rows_of_undisturbed_scan() -> list[list[dict[str, Any]]]:
    """Returns the rows about `store`, which has the same packages in each test that calls this."""
    scan("store", "--jobs", "1")
    assert len(list(Path("out/ledger").iterdir())) > 1
    assert {row["status"] for row in rows("packages")} == {"checked"}
    found = all_rows()
    shutil.rmtree("out")
    return found


def test_rows_of_packages() -> None:
    write_archive(Path("store/bad.xpi"), BAD)
    write_archive(Path("store/both.zip"), {f"{name}/{file}": GOOD[file] for name in "ab" for file in GOOD})
    write_archive(Path("store/empty.crx"), {})
    Path("store/broken.zip").write_bytes(b"PK\x03\x04 and nothing else")
    Path("store/folder").mkdir()
    Path("store/folder/manifest.json").write_text(GOOD["manifest.json"])
    Path("store/notes.md").write_text("not a package")

    result = scan("store")
    assert (result.returncode, result.stderr) == (0, "")
    count = len(rows("findings"))
    assert result.stdout == f"6 packages (4 checked, 2 unreadable), {count} findings\n"
    by_id = {row["id"]: row for row in rows("packages")}
    assert list(by_id) == [
        "store/bad.xpi",
        "store/both.zip/a",
        "store/both.zip/b",
        "store/broken.zip",
        "store/empty.crx",
        "store/folder",
    ]
    bad = by_id["store/bad.xpi"]
    assert bad["name"] == "Bad one"
    assert (bad["version"], bad["manifest_version"], bad["files"]) == ("1.0", 3, 3)
    assert (bad["permissions"], bad["optional_permissions"]) == (["bookmarks", "storage"], ["history"])
    assert (bad["used_permissions"], bad["unused_permissions"]) == (
        ["history", "storage"],
        ["bookmarks", "https://a.example/*"],
    )
    assert (bad["hosts"], bad["contexts"], bad["scripts"]) == (["https://a.example/*"], ["service worker"], 1)
    assert bad["script_bytes"] == len(BAD["worker.js"])
    assert bad["size"] == Path("store/bad.xpi").stat().st_size
    assert by_id["store/broken.zip"]["status"] == by_id["store/empty.crx"]["status"] == "unreadable"
    assert "store/broken.zip" in by_id["store/broken.zip"]["reason"]
    assert by_id["store/folder"]["sha256"] is None


def test_findings_are_those_of_check() -> None:
    write_archive(Path("bad.zip"), BAD)
    scan("bad.zip", "--target", "chrome", "--target", "firefox", "--ignore", "unused-permission")
    expected = extlint.check("bad.zip", targets=["chrome", "firefox"], ignore="unused-permission")
    found = rows("findings")
    assert len(found) == len(expected.findings) > 1
    for each in expected.findings:
        assert {
            "id": "bad.zip",
            "rule": each.rule,
            "severity": each.severity,
            "message": each.message,
            "help": each.help,
            "path": each.path,
            "line": each.start.line,
            "column": each.start.column,
            "end_line": each.end.line,
            "end_column": each.end.column,
            "api": each.api,
            "targets": list(each.targets),
            "fix": None if each.fix is None else "safe" if each.fix.safe else "unsafe",
        } in found


def test_hostile_packages_are_rows() -> None:
    """Each of them exceeds a limit, or ends the process that checks it."""
    write_archive(Path("store/large.zip"), {**GOOD, "a.js": b"x" * 3_000_000})
    write_archive(Path("store/slow.zip"), {**BAD, "worker.js": "f();chrome.tabs.qery();" * 40_000})
    write_archive(Path("store/good.zip"), GOOD)
    result = scan("store", "--timeout", "1", "--max-size", "2")
    assert result.returncode == 0
    assert {row["id"]: (row["status"], row["reason"]) for row in rows("packages")} == {
        "store/good.zip": ("checked", None),
        "store/large.zip": ("unreadable", "the archive has more than 2 MiB"),
        "store/slow.zip": ("timeout", "the check takes more than 1 seconds"),
    }


@pytest.mark.parametrize(
    "before",
    [
        "import signal\n"
        "from extlint.services.scan.output import Progress\n"
        "Progress.add = lambda self, entry: os.kill(PARENT, signal.SIGKILL)",
        "import signal\n"
        "from extlint.services.scan.output import Output\n"
        "Output.add = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
        "def replace(*_): raise OSError(28, 'No space left on device')\n"
        "from extlint.services.scan.output import Output\n"
        "begin = Output.begin\n"
        "def begin_and_fail(*args): begin(*args); os.replace = replace\n"
        "Output.begin = begin_and_fail",
    ],
    ids=["the scan is killed", "its workers are killed", "the disk is full"],
)
def test_second_start_completes(before: str) -> None:
    write_store(Path("store"), 8)
    expected = rows_of_undisturbed_scan()
    first = scan("store", "--jobs", "1", before=before)
    assert first.returncode != 0
    assert "Traceback" not in first.stderr
    assert all_rows() != expected
    assert scan("store").returncode == 0
    assert all_rows() == expected
    assert not list(Path("out").rglob("*.tmp"))


def test_killed_workers_are_replaced() -> None:
    write_store(Path("store"), 8)
    expected = rows_of_undisturbed_scan()
    dies_twice = (
        "import pathlib, signal\n"
        "from extlint.services.scan.output import Output\n"
        "add = Output.add\n"
        "def add_third(self, entry, *args):\n"
        "    marks = [pathlib.Path(f'{entry.shard}.{number}') for number in range(2)]\n"
        "    for mark in marks:\n"
        "        if not mark.exists():\n"
        "            mark.touch()\n"
        "            os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return add(self, entry, *args)\n"
        "Output.add = add_third"
    )
    result = scan("store", before=dies_twice)
    assert result.returncode == 0
    assert "Traceback" not in result.stderr
    assert all_rows() == expected


def test_checker_without_a_worker_ends_in_silence() -> None:
    settings = encode(CheckSettings()).decode()
    command = [*COMMAND, settings]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        request = encode({"place": "missing.zip", "address": "missing.zip", "is_folder": False})
        process.stdin.write(len(request).to_bytes(8, "big") + request)
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_full_disk_has_a_sentence() -> None:
    write_store(Path("store"), 1)
    before = (
        "from extlint.services.scan.output import Output\n"
        "def add(*_): raise OSError(28, 'No space left on device')\n"
        "Output.add = add"
    )
    result = scan("store", before=before)
    assert (result.returncode, result.stderr) == (
        2,
        "extlint: cannot write to out: no space left on device\n",
    )


def test_source_that_is_missing_is_tried_again() -> None:
    write_archive(Path("here.zip"), BAD)
    Path("list.txt").write_text("# a list\nhere.zip\n\nlater.zip\n")
    result = scan("list.txt")
    assert result.returncode == 2
    assert result.stderr == "extlint: some sources could not be read; the same command tries them again\n"
    assert {row["id"]: row["reason"] for row in rows("packages")} == {
        "here.zip": None,
        "later.zip": "no such file or directory",
    }
    write_archive(Path("later.zip"), GOOD)
    assert scan("list.txt").returncode == 0
    assert [row["status"] for row in rows("packages")] == ["checked", "checked"]


def test_changed_store_changes_only_its_shards() -> None:
    write_store(Path("store"), 12)
    scan("store")
    before = {path.name: path.stat().st_mtime_ns for path in Path("out/packages").iterdir()}
    Path("store/3.zip").unlink()
    write_archive(Path("store/new.zip"), GOOD)
    scan("store")
    after = {path.name: path.stat().st_mtime_ns for path in Path("out/packages").iterdir()}
    assert len(before.items() & after.items()) >= len(before) - 2
    assert {row["id"] for row in rows("packages")} == {
        *(f"store/{number}.zip" for number in range(12) if number != 3),
        "store/new.zip",
    }


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing"], "missing does not exist"),
        (["*.crx"], "*.crx matches nothing"),
        (["empty"], "the sources have no packages"),
        (["list.csv"], "list.csv has no column address; name it with --column"),
        (["nowhere://a/b"], "cannot read nowhere://a/b: Protocol not known: nowhere"),
        (["a.zip", "--target", "firefix"], "no such target: firefix; did you mean firefox?"),
        (["a.zip", "--config", "missing.toml"], "no such file or folder: missing.toml"),
    ],
)
def test_wrong_arguments(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    write_archive(Path("a.zip"), GOOD)
    Path("empty").mkdir()
    Path("list.csv").write_text("url\na.zip\n")
    assert main(["scan", *arguments, "--output", "out"]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")


def test_folder_with_another_scan() -> None:
    write_archive(Path("a.zip"), GOOD)
    scan("a.zip")
    other = scan("a.zip", "--target", "firefox")
    assert other.returncode == 2
    assert "out has a scan with other settings or by another version" in other.stderr
    Path("out2").mkdir()
    Path("out2/file").touch()
    foreign = run_extlint("scan", "a.zip", "--output", "out2")
    assert (foreign.returncode, foreign.stderr) == (2, "extlint: out2 is not empty, and has no scan\n")


def test_sources() -> None:
    for name in ("b.zip", "c/d.xpi", "c/e.crx", "c/f.txt", "g/manifest.json", "g/h.zip"):
        write_archive(Path("store", name), GOOD)
    Path("list.csv").write_text("id,url\n1,store/b.zip\n2,https://a.example/x.crx\n3,store/g\n")
    every = ["store/b.zip", "store/c/d.xpi", "store/c/e.crx", "store/g"]
    for given, column, expected in [
        (["store"], "address", every),
        (["store/c/*.crx", "store/c"], "address", every[1:3]),
        (["store/**/*.zip"], "address", ["store/b.zip", "store/g/h.zip"]),
        (["list.csv"], "url", ["https://a.example/x.crx", "store/b.zip", "store/g"]),
    ]:
        assert [each.address for each in find_sources(given, column)] == expected
    assert [each.is_folder for each in find_sources(["store"])] == [False, False, False, True]


def test_other_file_systems() -> None:
    """Sources and output are in the memory of this process, as fsspec can keep them."""
    import fsspec

    write_archive(Path("bad.zip"), BAD)
    fsspec.filesystem("memory").pipe_file("/store/bad.zip", Path("bad.zip").read_bytes())
    sources = find_sources(["memory://store"])
    assert [each.address for each in sources] == ["memory:///store/bad.zip"]
    output = Output("memory://out")
    settings = CheckSettings()
    output.begin(settings, 100)
    (shard,) = divided(sources, settings)
    entry = scan_shard(shard, output)
    assert (entry.packages, entry.statuses) == (1, {"checked": 1})
    assert output.entries() == {shard.name: entry}
    output.remove_others([])
    assert output.entries() == {}


def test_name_of_shard_depends_on_what_decides_its_rows() -> None:
    source, settings = Source("a.zip", 10, "1"), CheckSettings()
    variants: list[Shard] = [
        *divided([source], settings),
        *divided([Source("b.zip", 10, "1")], settings),
        *divided([Source("a.zip", 10, "2")], settings),
        *divided([source], CheckSettings(target=("firefox",))),
        *divided([source], CheckSettings(timeout=1)),
    ]
    assert len({each.name for each in variants}) == len(variants)
    assert next(divided([source], settings)).name == variants[0].name


def test_metrics_and_sample() -> None:
    write_store(Path("store"), 5)
    result = scan("store", "--sample", "3", "--metrics", "metrics.prom")
    assert result.returncode == 0
    lines = Path("metrics.prom").read_text().splitlines()
    assert "extlint_scan_sources 3" in lines
    assert 'extlint_scan_packages_total{status="checked"} 3' in lines
    chosen = [row["id"] for row in rows("packages")]
    shutil.rmtree("out")
    scan("store", "--sample", "3")
    assert [row["id"] for row in rows("packages")] == chosen


def test_report() -> None:
    write_store(Path("store"), 2)
    scan("store")
    page = run_extlint("report", "out").stdout
    assert f"2 packages, {len(rows('findings'))} findings; 2 packages were checked" in page
    assert "<script src" not in page
    for heading in ("Outcomes", "Rules", "Permissions", "Manifest versions", "Slowest packages"):
        assert f"<h2>{heading}</h2>" in page
    first = run_extlint("report", "out", "--checksum").stdout

    write_archive(Path("store/2.zip"), BAD)
    Path("out").rename("before")
    scan("store")
    compared = run_extlint("report", "out", "--against", "before").stdout
    assert "Compared with another scan" in compared
    assert "<td>added</td>" in compared
    assert run_extlint("report", "out", "--checksum").stdout != first
    missing = run_extlint("report", "store")
    assert (missing.returncode, missing.stderr) == (2, "extlint: store has no scan\n")


def test_scan_without_its_extra() -> None:
    result = scan("a.zip", before="sys.modules['pyarrow'] = None")
    assert result.returncode == 2
    assert 'pip install "extlint[scan]"' in result.stderr


def test_head_describes_the_scan() -> None:
    write_archive(Path("a.zip"), GOOD)
    scan("a.zip", "--target", "firefox")
    head = json.loads(Path("out/scan.json").read_text())
    assert head["extlint"] == extlint.__version__
    assert {"chromium", "firefox"} <= head["facts"].keys()
    assert head["settings"]["target"] == ["firefox"]
