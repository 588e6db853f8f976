"""Repeated checks in one process: an edit causes only the affected queries to be computed again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from harness import manifest
from thorough import examples, some

import extlint
from extlint.analysis import follow
from extlint.checking.report_of import observing_extensions
from extlint.extension import Extension
from extlint.queries.memos import Work

MODULES = 12
FILES = {
    "manifest.json": manifest(
        background={"service_worker": "main.js", "type": "module"}, permissions=["tabs", "storage"], action={}
    ),
    "main.js": "".join(
        [
            *(f"import {{ run{each} }} from './m{each}.js';\n" for each in range(MODULES)),
            "chrome.action.onClicked.addListener((tab) => {\n",
            *(f"  run{each}(tab);\n" for each in range(MODULES)),
            "});\n",
        ]
    ),
    "common.js": "export function show(value) {\n  return value;\n}\n",
    "unused.js": "function unused() {\n  chrome.storage.local.clear();\n}\n",
} | {
    f"m{each}.js": "import { show } from './common.js';\n"
    f"export function run{each}(tab) {{\n"
    "  chrome.tabs.query({}, (tabs) => show(tabs));\n"
    f"  chrome.runtime.sendMessage({{ kind: '{each}' }});\n"
    "  chrome.storage.local.get('key');\n"
    "}\n"
    for each in range(MODULES)
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("x").mkdir()
    for name, text in FILES.items():
        Path("x", name).write_text(text)
    return Path("x")


def computed_by(session: extlint.Session) -> Mapping[str, int]:
    """Returns how many results of each query the last check of one extension computed."""
    (store,) = session._cache._stores.values()
    work = store.work
    return {name: work[name, Work.COMPUTED] + work[name, Work.UNCHANGED] for name, _ in work}


PER_SCRIPT = (
    "calls.checked_calls",
    "calls._judged_calls",
    "missing_references._in_script",
    "unguarded_references._reached",
    "lost_message._findings",
    "deprecated_api._findings",
    "absent_globals._words_in",
)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("m3.js", "'key'", "'other'"),
        ("m3.js", "chrome.tabs.query", "chrome.tabs.qeury"),
        ("m3.js", "{ kind", "{ more: 1, kind"),
    ],
    ids=["argument", "mistake", "message"],
)
def test_edit_of_a_script_repeats_only_its_own_queries(path: str, old: str, new: str, folder: Path) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    (folder / path).write_text(FILES[path].replace(old, new))
    report = session.check().report
    computed = computed_by(session)
    assert {name: count for name in PER_SCRIPT if (count := computed.get(name, 0)) > 1} == {}
    assert report == extlint.check(folder, targets="chrome")


def test_edit_of_the_importer_of_all_repeats_only_searches_for_callers(folder: Path) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    (folder / "main.js").write_text(FILES["main.js"].replace("  run0(tab);\n", "  run0(tab);\n  tab.id;\n"))
    session.check()
    computed = computed_by(session)
    repeated = {name for name in PER_SCRIPT if computed.get(name, 0) > 1}
    assert repeated == set()


def test_comment_in_a_module_that_all_import_repeats_only_its_own_queries(folder: Path) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    (folder / "common.js").write_text(FILES["common.js"] + "// the end\n")
    session.check()
    computed = computed_by(session)
    assert {name: count for name in PER_SCRIPT if (count := computed.get(name, 0)) > 1} == {}


def test_changed_export_repeats_the_queries_of_importers(folder: Path) -> None:
    for name in ("m0.js", "m1.js"):
        text = FILES[name].replace("get('key')", "get(show)").replace("show }", "show, DELAY }")
        (folder / name).write_text(text.replace("get(show)", "get(DELAY)"))
    (folder / "common.js").write_text(FILES["common.js"] + "export const DELAY = 'x';\n")
    session = extlint.Session(folder, targets="chrome")
    assert "invalid-argument" not in {each.rule for each in session.check().report.findings}
    (folder / "common.js").write_text(FILES["common.js"] + "export const DELAY = 1;\n")
    report = session.check().report
    assert [each.path for each in report.findings if each.rule == "invalid-argument"] == ["m0.js", "m1.js"]
    assert report == extlint.check(folder, targets="chrome")


ANALYSIS = "script_reader._analysis"


def test_edit_of_a_script_analyzes_only_that_script(folder: Path) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    (folder / "common.js").write_text(FILES["common.js"].replace("value;", "String(value);"))
    session.check()
    assert computed_by(session)[ANALYSIS] == 1


def test_undone_edit_analyzes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    analyzed: list[str] = []
    compute = follow.follow

    def count(text: bytes, path: str, *rest: Any) -> Any:
        analyzed.append(path)
        return compute(text, path, *rest)

    monkeypatch.setattr(follow, "follow", count)
    for at, text in enumerate(("export {};\n", FILES["common.js"])):
        (folder / "common.js").write_text(text)
        (folder / "unused.js").write_text(FILES["unused.js"] + f"// {at}\n")
        analyzed.clear()
        session.check()
    assert analyzed == ["unused.js"]


def test_opened_file_repeats_nothing(folder: Path) -> None:
    session = extlint.Session(folder, targets="chrome")
    session.check()
    session.set_text(folder / "m0.js", FILES["m0.js"])
    checked: list[Extension] = []
    with observing_extensions(checked.append):
        session.check()
    assert checked == []


def test_unchanged_files_repeat_nothing(folder: Path) -> None:
    session = extlint.Session(folder)
    first = session.check().report
    before = computed_by(session)
    assert session.check().report == first
    assert computed_by(session) == before


EDITS = 40
"""The number of random edits of a thorough run."""

INSERTED = (
    "chrome.bookmarks.getTree();\n",
    "import './unused.js';\n",
    "export function more(value) {\n  return chrome.runtime.getURL(value);\n}\n",
    "chrome.runtime.onMessage.addListener(() => {});\n",
    "unused();\n",
    "if (chrome.bookmarks) {\n",
    "}\n",
    "window.shared = chrome;\n",
)


@pytest.mark.parametrize("seed", some(range(3), 3))
def test_random_edits_of_modules_equal_checks_of_the_disk(seed: int, folder: Path) -> None:
    random = Random(seed)
    paths = sorted(folder.iterdir())
    session = extlint.Session(folder)
    for _ in range(examples(EDITS)):
        path = random.choice(paths)
        lines = path.read_text().splitlines(keepends=True)
        at = random.randrange(len(lines) + 1)
        inserted = [random.choice(INSERTED)] if random.random() < 0.6 and path.suffix == ".js" else []
        removed = 0 if inserted else random.randrange(3)
        path.write_text("".join([*lines[:at], *inserted, *lines[at + removed :]]))
        assert session.check().report.to_json() == extlint.Session(folder).check().report.to_json()


def test_an_edit_may_close_an_import_cycle_of_a_script_that_shares_globals(folder: Path) -> None:
    page = "<script src=s.js></script><script type=module src=m0.js></script>"
    files = {
        "manifest.json": manifest(manifest_version=2, background={"page": "p.html"}),
        "p.html": page,
        "s.js": "",
        "m0.js": "export * from './m2.js';\nwindow.app = chrome;\n",
        "m1.js": "import { own } from './m0.js'; own.management.getAll(1);\n",
        "m2.js": "",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    session = extlint.Session(folder)
    session.check()
    (folder / "s.js").write_text("window.app = window.app || {};\n")
    (folder / "m2.js").write_text("export { own } from './m1.js';\n")
    assert session.check().report.to_json() == extlint.Session(folder).check().report.to_json()


SHARING = (
    "window.app = window.app || {};\n",
    "app.api = chrome;\n",
    "var app = chrome;\n",
    "if (app.api) app.api.management.getSelf(1);\n",
    "app.management.getAll();\n",
    "var state = { on: 1 };\n",
    "if (state.on) browser.management.getSelf(1);\n",
    "state.on = false;\n",
    "function show(own) { own.management.getAll(1) }\n",
    "show(chrome);\n",
)
IMPORTING = (
    "import { own } from './m0.js'; own.management.getAll(1);\n",
    "export { own } from './m1.js';\n",
    "export * from './m2.js';\n",
    "export const own = chrome;\n",
    "window.app = chrome;\n",
    "export function show(value) { value.tabs.query(1); }\n",
    "import { show } from './m1.js'; show(chrome);\n",
)


@pytest.mark.parametrize("seed", some(range(3), 3))
def test_random_edits_of_scripts_that_share_values_equal_checks_of_the_disk(seed: int, folder: Path) -> None:
    """Classic scripts share globals, and modules import each other in cycles."""
    random = Random(seed)
    choices = {f"s{at}.js": SHARING for at in range(3)} | {f"m{at}.js": IMPORTING for at in range(3)}
    for name, lines in choices.items():
        (folder / name).write_text("".join(random.choices(lines, k=3)))
    loaded = "".join(f"<script src=s{at}.js></script>" for at in range(3))
    (folder / "p.html").write_text(f"{loaded}<script type=module src=m0.js></script>")
    (folder / "manifest.json").write_text(
        manifest(manifest_version=2, background={"page": "p.html"}, permissions=["management"])
    )
    session = extlint.Session(folder)
    for _ in range(examples(EDITS)):
        name = random.choice(list(choices))
        text = (folder / name).read_text().splitlines(keepends=True)
        if text and random.random() < 0.4:
            text.pop(random.randrange(len(text)))
        else:
            text.insert(random.randrange(len(text) + 1), random.choice(choices[name]))
        (folder / name).write_text("".join(text))
        assert session.check().report.to_json() == extlint.Session(folder).check().report.to_json()
