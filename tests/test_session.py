"""`extlint.Session`: repeated checks with unsaved texts, cancelled at any step."""

from __future__ import annotations

import gc
import shutil
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from harness import manifest
from thorough import examples, is_thorough

import extlint
from extlint.package import failures
from extlint.package.failures import CancelToken
from extlint.services.api.session import Cancelled, _without
from extlint.services.lsp.session import EditorSession

ROOT = Path(__file__).parents[1]

WORKER = {"service_worker": "a.js", "type": "module"}
FILES = {
    "manifest.json": manifest(background=WORKER, permissions=["tabs"]),
    "a.js": "import './b.js';\nchrome.tabs.crate({});\n",
    "b.js": "chrome.storage.local.get('a');\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "x", FILES)
    return Path("x")


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True, parents=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_text(text)


def rules(findings: tuple[extlint.Finding, ...]) -> list[str]:
    return [each.rule for each in findings]


def test_check_reports_what_has_changed(folder: Path) -> None:
    with extlint.Session(folder) as session:
        first = session.check()
        assert first.added == first.report.findings == extlint.check(folder).findings
        assert first.removed == ()
        assert session.check() == extlint.Changes(first.report, (), ())
        session.set_text("x/a.js", "import './b.js';\nchrome.tabs.create({});\n")
        second = session.check()
        assert (rules(second.added), rules(second.removed)) == ([], ["unknown-api"])
        session.set_text(folder / "manifest.json", manifest(background=WORKER, permissions=["storage"]))
        third = session.check()
        assert (rules(third.added), rules(third.removed)) == ([], ["missing-permission", "unused-permission"])
        session.remove_text("x/a.js")
        assert rules(session.check().added) == ["unknown-api"]
        session.remove_text("x/manifest.json")
        session.remove_text("x/other.js")
        assert session.check().report == first.report


def test_equal_findings_are_counted(folder: Path) -> None:
    one, other = extlint.check(folder).findings[:2]
    assert _without([one, one, other], [one]) == (one, other)
    assert _without([one, other], [other, other, one]) == ()


OVERLAYS: dict[str, dict[str, str]] = {
    "a script": {"a.js": "browser.tabs.query({ activ: true });"},
    "a script with an error of syntax": {"a.js": "let ="},
    "an imported script": {"b.js": "export let a; chrome.foo.bar();"},
    "a new imported script": {"a.js": "import './c/d.js';", "c/d.js": "chrome.tabs.gett(1);"},
    "an empty script": {"a.js": ""},
    "a byte order mark": {"a.js": "\ufeffchrome.tabs.crate();"},
    "the manifest": {"manifest.json": manifest(permissions=["storag"], icons={"1": "a.png"})},
    "a broken manifest": {"manifest.json": "{"},
    "a manifest for another product": {"manifest.json": '{"name": "App", "start_url": "/"}'},
    "a new page": {
        "manifest.json": manifest(options_page="p/o.html"),
        "p/o.html": "<script src=o.js></script><script>chrome.tabs.crate()</script>",
        "p/o.js": "chrome.tabs.crate()",
    },
    "a new locale": {"_locales/en/messages.json": '{"a": {"message": "$B$"}}'},
    "a new configuration": {"extlint.toml": 'ignore = ["unknown-api"]\ntarget = "firefox"'},
    "an invalid configuration": {"extlint.toml": "ignore = 1"},
    "a configuration above": {"../extlint.toml": 'select = ["unknown-api"]\nexclude = ["y"]'},
    "a configuration in package.json": {"package.json": '{"extlint": {"fail-level": "info"}}'},
    "a configuration of an extension": {
        "../extlint.toml": '[[extension]]\nmanifest = "other/*.json"\nroot = "x"',
        "../other/m.json": manifest(background=WORKER),
    },
    "a new extension inside": {"inner/manifest.json": manifest(nam="x")},
    "another manifest": {"manifest.firefox.json": manifest(manifest_version=2, foo=1)},
    "ignored files": {"../.gitignore": "inner/\n", "inner/manifest.json": manifest()},
    "a module of Node": {"a.js": "import 'lib/x.js';", "node_modules/lib/x.js": "chrome.tabs.crate();"},
    "a project": {"../package.json": '{"scripts": {"build": "webpack"}}', "../tsconfig.json": "{}"},
}


@pytest.mark.parametrize("name", OVERLAYS)
def test_unsaved_text_is_like_a_file(name: str, folder: Path, tmp_path: Path) -> None:
    texts = OVERLAYS[name]
    with extlint.Session(".") as session:
        session.check()
        for path, text in texts.items():
            session.set_text(folder / path, text)
        with_texts = session.check().report
        write(folder, texts)
        saved = extlint.Session(".").check().report
        assert with_texts.to_json() == saved.to_json()
        assert with_texts == saved
        for path in texts:
            session.remove_text(folder / path)
        assert session.check() == extlint.Changes(saved, (), ())


def test_extension_may_exist_only_as_unsaved_texts(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder)
    with extlint.Session(folder) as session:
        assert session.check().report.unchecked == ("no such file or folder: x",)
        for path, text in FILES.items():
            session.set_text(folder / path, text)
        unsaved = session.check().report
        write(folder, FILES)
        assert unsaved.to_json() == extlint.check(folder).to_json()


def test_links_lead_to_unsaved_texts(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder, target_is_directory=True)
    (folder / "c.js").symlink_to("b.js")
    with extlint.Session("link") as session:
        session.check()
        session.set_text(tmp_path / "link" / "b.js", "chrome.tabs.crate();")
        by_link = session.check()
        session.remove_text("link/b.js")
        session.set_text(tmp_path / "x" / "b.js", "chrome.tabs.crate();")
        assert session.check().report == by_link.report
        assert "unknown-api" in rules(by_link.added)
        assert session.check().report == by_link.report


def test_files_come_and_go(folder: Path) -> None:
    with extlint.Session(folder) as session:
        first = session.check()
        (folder / "b.js").unlink()
        second = session.check()
        assert {each.path for each in second.report.findings}.isdisjoint({"b.js"})
        assert "missing-permission" in rules(second.removed)
        assert second.report == extlint.check(folder)
        (folder / "b.js").write_text(FILES["b.js"])
        assert session.check().report == first.report
        shutil.rmtree(folder)
        last = session.check()
        assert (last.report.findings, last.report.extensions) == ((), ())
        assert last.removed == first.report.findings


def test_random_edits_equal_checks_of_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples" / "every-mistake", tmp_path / "x")
    monkeypatch.chdir(tmp_path)
    random = Random(37)
    paths = sorted(each for each in Path("x").rglob("*") if each.suffix in (".js", ".json", ".html"))
    originals = {path: path.read_text() for path in paths}
    found: Counter[extlint.Finding] = Counter()
    with extlint.Session("x") as session:
        for _ in range(examples(25)):
            path = random.choice(paths)
            lines = originals[path].splitlines(keepends=True)
            at = random.randrange(len(lines) + 1)
            text = "".join(lines[:at] + lines[at + random.randrange(3) :])
            session.set_text(path, text)
            changes = session.check()
            found.update(changes.added)
            found.subtract(changes.removed)
            path.write_text(text)
            assert changes.report.to_json() == extlint.Session("x").check().report.to_json()
            assert +found == Counter(changes.report.findings)


def test_cancelled_check_raises_soon_and_leaves_nothing(folder: Path) -> None:
    """Cancels at every kind of step: the signal is not contained as an error of extlint itself."""
    expected = extlint.check(folder).to_json()
    for steps in [*range(0, 40, 3), *range(40, 400, 17)]:
        with extlint.Session(folder) as session:
            if cancel_after(steps, session):
                assert session.check().report.to_json() == expected
    assert extlint.check(folder).to_json() == expected


def cancel_after(steps: int, session: extlint.Session) -> bool:
    """Cancels a check at one of its steps, and returns whether it had that many."""
    count = 0
    test = failures.raise_if_cancelled

    class Counting(CancelToken):
        is_counting = True

        @property
        def is_cancelled(self) -> bool:
            nonlocal count
            count += 1
            return count > steps

        @is_cancelled.setter
        def is_cancelled(self, value: bool) -> None:
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extlint.services.api.session.CancelToken", Counting)
        try:
            session.check()
        except extlint.Cancelled:
            assert count == steps + 1, "the check went on after it was cancelled"
            return True
    assert test is failures.raise_if_cancelled
    return False


def test_cancelled_check_keeps_only_valid_results(folder: Path) -> None:
    with extlint.Session(folder) as session:
        first = session.check()
        session.set_text("x/a.js", "chrome.tabs.create(1);")
        assert cancel_after(30, session)
        session.set_text("x/a.js", FILES["a.js"])
        assert session.check() == extlint.Changes(first.report, (), ())


SLOW = "".join(
    f"function f{n}(a) {{ if (a) chrome.tabs.create({{}}, f{n + 1}); g(f{n}); }}\n" for n in range(9_000)
)


def in_thread(do: Callable[[], object]) -> tuple[threading.Thread, list[BaseException]]:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            do()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, errors


def begin(session: extlint.Session) -> tuple[threading.Thread, list[BaseException]]:
    """Checks in another thread, and returns once the check is in the middle of a script, or waits.

    A check that waits for another one tests again and again whether it is cancelled.
    """
    is_under_way = threading.Event()

    class Noticed(CancelToken):
        tests, value = 0, False

        @property
        def is_cancelled(self) -> bool:
            self.tests += 1
            if self.tests == 40:
                is_under_way.set()
            return self.value

        @is_cancelled.setter
        def is_cancelled(self, value: bool) -> None:
            self.value = value

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("extlint.services.api.session.CancelToken", Noticed)
        found = in_thread(session.check)
        assert is_under_way.wait(60)
    return found


@pytest.mark.parametrize("how", ["cancel", "close"])
def test_another_thread_cancels_a_check(how: str, folder: Path) -> None:
    (folder / "a.js").write_text(SLOW)
    session = extlint.Session(folder)
    session.cancel()
    thread, errors = begin(session)
    getattr(session, how)()
    thread.join()
    assert [type(each) for each in errors] == [extlint.Cancelled]


def test_check_that_waits_for_another_session_is_cancelled(folder: Path) -> None:
    (folder / "a.js").write_text(SLOW)
    one, other = extlint.Session(folder), extlint.Session(folder)
    running, waiting = begin(one), begin(other)
    other.cancel()
    waiting[0].join()
    assert running[0].is_alive()
    one.cancel()
    running[0].join()
    assert [type(each) for _, errors in (waiting, running) for each in errors] == [extlint.Cancelled] * 2


def test_closed_session_is_not_usable(folder: Path) -> None:
    with extlint.Session(folder) as session:
        session.check()
    with pytest.raises(ValueError, match="the session is closed"):
        session.check()
    session.close()
    session.cancel()


def test_closed_session_of_an_editor_counts_as_cancelled(tmp_path: Path) -> None:
    session = EditorSession(tmp_path)
    session.close()
    assert session.fixed(str(tmp_path / "a.js"), whole=True) == {}
    with pytest.raises(Cancelled), session.view(str(tmp_path / "a.js")):
        pass


def test_invalid_options_of_a_session(folder: Path) -> None:
    with pytest.raises(extlint.UsageError, match="no such rule: unknown-apo"):
        extlint.Session(folder, select="unknown-apo")
    with pytest.raises(extlint.UsageError, match="no path is given"):
        extlint.Session([])
    Path("c.toml").write_text("")
    session = extlint.Session(folder, config="c.toml")
    session.set_text("c.toml", "selec = 1")
    with pytest.raises(extlint.UsageError, match="did you mean select"):
        session.check()
    session.remove_text("c.toml")
    assert session.check().report.to_json() == extlint.check(folder, config="c.toml").to_json()


CHECKS = 240 if is_thorough() else 24


@pytest.fixture
def no_older_objects() -> None:
    """Exempts the objects of earlier tests from garbage collection, which would traverse them each time."""
    gc.collect()
    gc.freeze()


@pytest.mark.usefixtures("no_older_objects")
def test_memory_does_not_grow(folder: Path) -> None:
    counts = []
    with extlint.Session(folder) as session:
        for number in range(CHECKS):
            session.set_text("x/b.js", f"export let a{number}; chrome.storage.local.get('{number}');\n")
            session.check()
            if (number + 1) % (CHECKS // 4) == 0:
                gc.collect()
                counts.append(len(gc.get_objects()))
    assert counts[-1] < counts[1] + CHECKS, counts


@pytest.mark.usefixtures("no_older_objects")
def test_memory_of_cancelled_checks_does_not_grow(folder: Path) -> None:
    counts = []
    with extlint.Session(folder) as session:
        session.check()
        for number in range(CHECKS):
            session.set_text("x/b.js", f"export let a{number}; chrome.storage.local.get('{number}');\n")
            assert cancel_after(30, session)
            if (number + 1) % (CHECKS // 3) == 0:
                gc.collect()
                counts.append(len(gc.get_objects()))
    assert counts[-1] < counts[0] + 20 * CHECKS, counts
