"""Scripts analyzed ahead of time by workers: the report is unchanged, and no work is done twice."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import manifest
from packages import package_of
from processes import FORCE_WORKERS, run_extlint

from extlint.analysis.analyze import has_facts
from extlint.analysis.cache.records import Records
from extlint.analysis.cache.store import CanonicalValues, MemoryStore
from extlint.analysis.facts.other_scripts import Demand
from extlint.package.discovery.folder import open_folder
from extlint.package.tolerant import TolerantPackage
from extlint.program import parallel_analysis
from extlint.program.parallel_analysis import PendingScript, Schedule, find_imports, select_scripts
from extlint.program.script_reader import ScriptReader

ALWAYS_PARALLEL = f"""{FORCE_WORKERS}
from extlint.program import parallel_analysis
parallel_analysis.MIN_BYTES, parallel_analysis.MAX_SHARE = 1, 1.0
"""
WITHOUT_FORK = "import extlint.processes.workers as workers\nworkers._may_fork = lambda: False\n"
PRINT_FOLLOWED = """
import extlint.analysis.follow as module
follow = module.follow
def counted(text, path, *rest):
    if os.getpid() == PARENT: print("followed", path, file=sys.stderr)
    return follow(text, path, *rest)
module.follow = counted
"""
"""Prints to standard error the scripts that the main process follows."""

FILES: Mapping[str, str] = {
    "manifest.json": manifest(
        background={"service_worker": "sw.js", "type": "module"},
        content_scripts=[{"matches": ["<all_urls>"], "js": ["one.js", "two.js"]}],
        permissions=["storage"],
    ),
    "sw.js": "import {api, ask} from './api.js'; import './circle.js'; ask(1);"
    "api.tabs.qery({}); chrome.x.y();",
    "api.js": "import {name} from './name'; export const api = globalThis.browser ?? chrome;"
    "export const ask = (a) => api.management[name](a);",
    "name.js": "export const name = 'getSelf'; chrome.runtime.id;",
    "circle.js": "import {two} from './circle2.js'; export const one = chrome.storage; two.sync.gett();",
    "circle2.js": "import {one} from './circle.js'; export const two = one; one.local.gett('a');",
    "one.js": "var shared = chrome.storage;",
    "two.js": "shared.local.gett('a'); chrome.storage.sync.gett(); f('broken.js', 'unused.js');",
    "broken.js": "chrome.tabs.qery({",
    "unused.js": "chrome.tabs.qery({});",
}


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(files: Mapping[str, str]) -> None:
    for path, text in files.items():
        Path("ext", path).parent.mkdir(parents=True, exist_ok=True)
        Path("ext", path).write_text(text)


def check(*options: str, before: str = "", new: bool = False) -> tuple[int, str, str]:
    arguments = ("check", "ext", "--output-format", "json", "--no-cache", *options)
    return run_extlint(*arguments, before=before, new=new)


def test_workers_do_all_work_without_changing_the_report() -> None:
    write(FILES)
    serial = check("--jobs", "1", before=ALWAYS_PARALLEL + PRINT_FOLLOWED)
    assert serial[0] == 1
    assert serial[1].count('"rule"') > 8
    assert {"sw.js", "api.js", "two.js"} <= set(serial[2].split())
    status, output, errors = check("--jobs", "2", before=ALWAYS_PARALLEL + PRINT_FOLLOWED)
    assert (status, output) == serial[:2]
    # The main process follows only scripts in import cycles and those that use the globals of others.
    assert set(errors.split()) <= {"followed", "one.js", "two.js", "circle.js", "circle2.js"}
    assert len(errors) < len(serial[2])


def test_report_is_unchanged_without_fork() -> None:
    write(FILES)
    assert check("--jobs", "2", before=ALWAYS_PARALLEL + WITHOUT_FORK) == check("--jobs", "1")


@pytest.mark.skipif(sys.platform != "linux", reason="only forked workers have what the test has changed")
@pytest.mark.parametrize("statement", ["os.kill(os.getpid(), signal.SIGKILL)", "raise RecursionError"])
def test_report_is_unchanged_if_a_worker_fails(statement: str) -> None:
    write(FILES)
    failing = (
        "import extlint.analysis.follow as module\n"
        "follow = module.follow\n"
        "def instead(text, path, *rest):\n"
        f"    if path == 'api.js' and os.getpid() != PARENT: {statement}\n"
        "    return follow(text, path, *rest)\n"
        "module.follow = instead\n"
    )
    assert check("--jobs", "2", before=ALWAYS_PARALLEL + failing) == check("--jobs", "1")


def test_small_extensions_start_no_worker() -> None:
    write(FILES)
    setup = (
        "import atexit\n"
        "atexit.register(lambda: print('multiprocessing' in sys.modules, file=sys.stderr))\n"
        "sys.setprofile(lambda *_: None)\n"
    )
    assert check("--jobs", "2", before=setup, new=True)[2] == "False\n"


USE = "chrome.management.getSelf();\n"
SELECTED = {
    "two of a size": ({"a.js": USE * 20, "b.js": USE * 20}, "ab"),
    "too little": ({"a.js": USE * 5, "b.js": USE * 5}, ""),
    "one that is nearly all": ({"a.js": USE * 40, "b.js": USE * 2}, ""),
    "one script": ({"a.js": USE * 40}, ""),
    "a script without API names": ({"a.js": USE * 20, "b.js": USE * 20, "c.js": "x" * 9000}, "ab"),
    "a script that only imports another": ({"a.js": USE * 20, "b.js": "import './a.js';" + "x" * 5000}, "ab"),
    "no scripts": ({"a.css": "x" * 9000, "b.d.ts": USE * 90}, ""),
}


@pytest.mark.parametrize(("files", "expected"), SELECTED.values(), ids=SELECTED)
def test_scripts_selected_for_workers(
    files: Mapping[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_analysis, "MIN_BYTES", 1000)
    write(files)
    package = open_folder(Path("ext"), "ext")
    assert "".join(each.path[0] for each in select_scripts(package, None)) == expected


def test_scripts_with_cached_facts_are_not_selected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_analysis, "MIN_BYTES", 1000)
    write({"a.js": USE * 20, "b.js": USE * 21, "c.js": USE * 22})
    package, store = open_folder(Path("ext"), "ext"), MemoryStore()
    assert len(select_scripts(package, store)) == 3
    reader = ScriptReader(TolerantPackage(package), store=store)
    reader.facts(("a.js", None))
    assert [each.path for each in select_scripts(package, store)] == ["b.js", "c.js"]
    reader.facts(("b.js", None), Demand.ALL)
    assert select_scripts(package, store) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a from './b.js'; export * from \"./c\";", {"b.js", "c.ts"}),
        ("import './b.js'; await import('/sub/d.js'); require( './c' )", {"b.js", "c.ts", "sub/d.js"}),
        ("import 'b.js'; import './none.js'; import x from '../../b.js';", {"b.js"}),
        ("import './c.js'", {"c.ts"}),
        ("let a = './b.js'", set[str]()),
    ],
)
def test_imports_resolve_to_listed_paths(text: str, expected: set[str]) -> None:
    listed = frozenset({"a.js", "b.js", "c.ts", "sub/d.js"})
    assert find_imports(text.encode(), "a.js", listed) == expected


def scheduled_order(scripts: Mapping[str, tuple[float, str]], workers: int = 1) -> list[str]:
    """Returns the scripts in the order in which they are started, with `*` after imported ones."""
    order = Schedule(
        [PendingScript(path, cost, frozenset(imports)) for path, (cost, imports) in scripts.items()]
    )
    found: list[str] = []
    running: list[str] = []
    while True:
        task = order.next_task(0) if len(running) < workers else None
        if task is not None:
            running.append(task.path)
            found.append(task.path + ("*" if task.demand else ""))
        elif running:
            order.finish(running.pop(0), {})
        else:
            return found


def test_most_expensive_script_runs_first_after_its_imports() -> None:
    assert scheduled_order({"a": (1, ""), "b": (3, ""), "c": (2, "")}) == ["b", "c", "a"]
    assert scheduled_order({"a": (9, "b"), "b": (1, "c"), "c": (1, ""), "d": (5, "")}) == [
        "d",
        "c*",
        "b*",
        "a",
    ]
    assert scheduled_order({"a": (9, "b"), "b": (1, "a"), "c": (1, "a")}) == ["a*", "b*", "c"]
    assert scheduled_order({"a": (9, "b"), "b": (1, ""), "c": (5, "")}, workers=2) == ["c", "b*", "a"]


def test_each_worker_receives_each_result_once() -> None:
    order = Schedule([PendingScript(path, 1, frozenset()) for path in "abcd"])
    for path, worker, expected in (("a", 0, {}), ("b", 0, {b"a": b"1"}), ("c", 1, {b"a": b"1", b"b": b"2"})):
        task = order.next_task(worker)
        assert task is not None
        assert (task.path, task.updates) == (path, expected)
        order.finish(path, {path.encode(): b"1" if path == "a" else b"2"})
    task = order.next_task(0)
    assert task is not None
    assert task.updates == {b"b": b"2", b"c": b"2"}


def test_has_facts_only_for_stored_demands() -> None:
    store = MemoryStore()
    records = Records(store, CanonicalValues())
    reader = ScriptReader(TolerantPackage(package_of({"a.js": USE})), store=store)
    assert not has_facts(records, USE.encode(), "a.js", Demand.NONE)
    reader.facts(("a.js", None))
    assert has_facts(records, USE.encode(), "a.js", Demand.NONE)
    assert not has_facts(records, USE.encode(), "a.js", Demand.ALL)
    assert not has_facts(records, USE.encode(), "a.ts", Demand.NONE)
