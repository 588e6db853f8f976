"""The cache between runs: its location, its size, and when its entries are reused."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import processes
import pytest
from harness import Files, manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from packages import package_of
from packed_program import COMMAND
from thorough import examples

from extlint.analysis.cache import disk
from extlint.analysis.cache.cache import MIN_BYTES, VARIABLE, Cache, cache_folder, prepare_folder
from extlint.analysis.cache.codec import decoded, encoded
from extlint.analysis.cache.disk import DiskStore
from extlint.analysis.cache.store import MemoryStore, Store
from extlint.checking.report_of import Settings, report_of
from extlint.finding import Edit, Finding, Fix, Severity
from extlint.package.files import Package, UnreadableError
from extlint.project.target_detection.choice import chosen_by_option
from extlint.registry import RULES
from extlint.schema.model import NO_USER_SCHEMAS
from extlint.schema.targets import Target

KEY = b"key"
USE = "browser.management.getAll();"
FILES = {
    "manifest.json": manifest(background={"scripts": ["a.js", "b.js"]}),
    "a.js": "var api = globalThis.browser ?? chrome;",
    "b.js": "api.management.getAll();",
}


@pytest.fixture
def store(tmp_path: Path) -> DiskStore:
    return DiskStore(tmp_path / "kept", b"this version")


def files_in(path: Path) -> list[Path]:
    return sorted(each for each in path.rglob("*") if each.is_file())


def findings(
    files: Files | Package,
    store: Store | None,
    *targets: str,
    rules: tuple[str, ...] = tuple(RULES),
) -> tuple[Finding, ...]:
    package = files if isinstance(files, Package) else package_of(files)
    choice = chosen_by_option([Target(each) for each in targets or ("reference",)])
    return report_of(package, Settings(choice, rules, NO_USER_SCHEMAS, Severity.ERROR), store).findings


# Store


def test_store_returns_stored_values(store: DiskStore) -> None:
    assert store.get(KEY) is None
    store.put(KEY, b"one")
    store.put(KEY, b"two" * 10_000)
    store.put(b"other", b"")
    assert store.get(KEY) == b"two" * 10_000
    assert store.get(b"other") == b""


def test_other_version_has_separate_entries(store: DiskStore, tmp_path: Path) -> None:
    store.put(KEY, b"one")
    assert DiskStore(tmp_path / "kept", b"another version").get(KEY) is None
    assert DiskStore(tmp_path / "kept", b"this version").get(KEY) == b"one"


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "truncated": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "one bit": lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:],
    "no digest": lambda data: data[16:],
    "zeros": lambda data: bytes(len(data)),
    "another's": lambda _: Path(__file__).read_bytes(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_entry_is_ignored(damage: Callable[[bytes], bytes], store: DiskStore, tmp_path: Path) -> None:
    store.put(KEY, b"one" * 100)
    (file,) = files_in(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    assert store.get(KEY) is None
    store.put(KEY, b"two")
    assert store.get(KEY) == b"two"


def test_entry_under_wrong_file_name_is_ignored(store: DiskStore, tmp_path: Path) -> None:
    store.put(KEY, b"one")
    (file,) = files_in(tmp_path)
    store.put(b"other", b"two")
    (other,) = set(files_in(tmp_path)) - {file}
    other.write_bytes(file.read_bytes())
    assert store.get(b"other") is None


def test_least_recently_used_entries_are_evicted(
    store: DiskStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "FOLDERS", 1)
    monkeypatch.setattr(disk, "_UNCOUNTED", 1)
    monkeypatch.setattr(disk, "_SHARE", 10 * 4096)
    for number in range(30):
        store.put(b"%d" % number, b"some")
        for age, file in enumerate(sorted(files_in(tmp_path), key=lambda each: -each.stat().st_mtime)):
            os.utime(file, ns=(10**18 - 10**9 * age,) * 2)
        assert store.get(b"0") == b"some"
        assert len(files_in(tmp_path)) <= 10
    assert store.get(b"29") is not None
    assert store.get(b"1") is None


def test_folders_are_trimmed_periodically(store: DiskStore, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []
    monkeypatch.setattr(disk, "_trim", lambda folder, _: counted.append(folder))
    for number in range(1_000):
        store.put(b"%d" % number, b"some")
    assert 1_000 / 32 / 2 < len(counted) < 1_000 / 32 * 2
    assert len(set(counted)) > 1
    before = len(counted)
    store.put(b"much", random.Random(1).randbytes(100_000))
    assert len(counted) == before + 1


def test_too_large_entry_is_not_stored(store: DiskStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_SHARE", 10_000)
    store.put(KEY, random.Random(1).randbytes(6_000))
    assert store.get(KEY) is None
    monkeypatch.setattr(disk, "MAX_ANSWER_BYTES", 100)
    store.put(KEY, bytes(101))
    assert store.get(KEY) is None


def test_entry_that_expands_beyond_the_limit_is_ignored(
    store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(KEY, bytes(10_000))
    monkeypatch.setattr(disk, "MAX_ANSWER_BYTES", 100)
    assert store.get(KEY) is None


def test_interrupted_write_leaves_no_file(
    store: DiskStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        store.put(KEY, b"one")
    assert files_in(tmp_path) == []


# Folder


def file_instead_of_folder(place: Path) -> None:
    place.write_text("")


def symlink_to_folder(place: Path) -> None:
    (place.parent / "real").mkdir()
    place.symlink_to(place.parent / "real")


def world_writable_folder(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


def file_instead_of_parent(place: Path) -> None:
    place.parent.rmdir()
    place.parent.write_text("")


UNUSABLE = [file_instead_of_folder, symlink_to_folder, world_writable_folder, file_instead_of_parent]


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")
@pytest.mark.parametrize("make", UNUSABLE, ids=lambda make: make.__name__)
def test_untrusted_folder_is_not_used(make: Callable[[Path], None], tmp_path: Path) -> None:
    place = tmp_path / "inner" / "cache"
    place.parent.mkdir()
    make(place)
    assert not prepare_folder(place)


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")
def test_folder_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert prepare_folder(tmp_path / "cache")
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert not prepare_folder(tmp_path / "cache")


@pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are those of POSIX")
def test_new_folder_is_private(tmp_path: Path) -> None:
    place = tmp_path / "a" / "b"
    assert prepare_folder(place)
    assert prepare_folder(place)
    assert place.stat().st_mode & 0o777 == 0o700
    assert (place / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="the folders of other platforms")
@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"EXTLINT_CACHE_DIR": "/x/y"}, "/x/y"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/extlint"),
        ({"XDG_CACHE_HOME": "x", "HOME": "/"}, "/.cache/extlint"),
        ({"EXTLINT_CACHE_DIR": "", "HOME": "/"}, "/.cache/extlint"),
        ({"HOME": "/does/not/exist"}, None),
    ],
)
def test_folder_location(
    environment: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EXTLINT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == expected


def test_engine_digest_depends_on_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    source = tmp_path / "own" / "__init__.py"
    source.write_text("1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(disk, "_OWN", ("own",))
    first = disk.engine_digest(tmp_path / "kept")
    assert disk.engine_digest(tmp_path / "kept") == first
    os.utime(source, (1, 1))
    assert disk.engine_digest(tmp_path / "kept") == first
    source.write_text("2")
    os.utime(source, (1, 1))
    assert disk.engine_digest(tmp_path / "kept") != first
    source.write_text("1")
    assert disk.engine_digest(tmp_path / "kept") == first


# When caching pays off


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        (USE * (MIN_BYTES // len(USE) + 1), True),
        (USE, False),
        ("other();" * MIN_BYTES, False),
        (USE + " " * (MIN_BYTES - len(USE) - 1), False),
    ],
)
def test_small_package_is_not_cached(text: str, pays: bool, tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(text)
    package = Package(
        ".", {"a.js": (tmp_path / "a.js").read_bytes}, size=lambda _: (tmp_path / "a.js").stat().st_size
    )
    cache = Cache(tmp_path / "kept")
    assert (cache.store_for(package) is not None) == pays
    assert (tmp_path / "kept").exists() == pays


def test_many_small_packages_are_cached(tmp_path: Path) -> None:
    text = USE.encode() * 1_000
    package = Package(".", {"a.js": lambda: text}, size=lambda _: len(text))
    cache = Cache(tmp_path / "kept")
    opened = [cache.store_for(package) is not None for _ in range(10)]
    assert opened == sorted(opened)
    assert 3 <= opened.count(False) <= 7


def test_small_package_is_cached_together_with_large_ones(tmp_path: Path) -> None:
    """Every process caches the package. One that sees only it would otherwise analyze it each time."""
    texts = {"large": USE.encode() * MIN_BYTES, "little": USE.encode()}
    large, little = (
        Package(name, {"a.js": lambda text=text: text}, size=lambda _, text=text: len(text))  # type: ignore[misc]
        for name, text in texts.items()
    )
    shared, own = Cache(tmp_path / "kept"), Cache(tmp_path / "kept")
    shared.open_for([UnreadableError("unreadable"), large, little])
    assert shared.store_for(little) is not None
    own.open_for([little])
    assert own.store_for(little) is None


def test_nothing_is_cached_without_a_folder() -> None:
    text = USE.encode() * MIN_BYTES
    assert Cache(None).store_for(Package(".", {"a.js": lambda: text}, size=lambda _: len(text))) is None


# Reports


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns the packages that were checked, without those whose report was cached."""
    from extlint import checker

    original, found = checker.check_package, list[str]()

    def check_package(package: Package, *arguments: object) -> object:
        found.append(package.name)
        return original(package, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(checker, "check_package", check_package)
    return found


CHANGES: dict[str, Callable[[dict[str, str]], object]] = {
    "a script": lambda files: files.update({"b.js": "api.management.getSelf();"}),
    "a script that another one depends on": lambda files: files.update({"a.js": "var api = {};"}),
    "the manifest": lambda files: files.update({"manifest.json": manifest(background={"scripts": ["a.js"]})}),
    "one more file": lambda files: files.update({"c.js": ""}),
    "one file less": lambda files: files.pop("b.js"),
    "another name": lambda files: files.update({"b.ts": files.pop("b.js")}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_report_is_reused_until_a_file_changes(
    change: Callable[[dict[str, str]], object], checks: list[str]
) -> None:
    store, files = MemoryStore(), dict(FILES)
    first = findings(files, store)
    assert first == findings(files, store) != ()
    assert len(checks) == 1
    change(files)
    assert findings(files, store) == findings(files, None)
    assert len(checks) == 3
    assert findings(FILES, store) == first
    assert len(checks) == 3


def test_comments_are_cached_with_the_report(checks: list[str]) -> None:
    store, text = (
        MemoryStore(),
        "// extlint-disable-next-line unknown-api -- so\nchrome.tabs.gett(); // extlint-disable-line",
    )
    package = package_of({**FILES, "b.js": text})
    settings = Settings(chosen_by_option([Target("chrome")]), tuple(RULES), NO_USER_SCHEMAS, Severity.ERROR)
    first, second = (report_of(package, settings, store).comments for _ in range(2))
    assert first == second
    assert [each.reason for each in first] == ["so", None]
    assert len(checks) == 1


def test_report_is_cached_per_targets_and_rules(checks: list[str]) -> None:
    store = MemoryStore()
    for targets in (("reference",), ("chrome",), ("firefox", "chrome")):
        assert findings(FILES, store, *targets) == findings(FILES, None, *targets)
    some = ("missing-permission",)
    assert findings(FILES, store, rules=some) == findings(FILES, None, rules=some)
    assert len(checks) == 8
    findings(FILES, store, "firefox", "chrome")
    assert len(checks) == 8


class ProjectSurroundings:
    """A project with these files around an extension in its folder `extension/`."""

    folder = "extension/"

    def __init__(self, files: dict[str, bytes]) -> None:
        self.project_files = files

    def has(self, path: str) -> bool:
        return path in self.project_files

    def read(self, path: str) -> bytes:
        if path not in self.project_files:
            raise UnreadableError(path)
        return self.project_files[path]

    def folders(self, folder: str) -> list[str]:
        below = folder and folder.rstrip("/") + "/"
        return sorted(
            {
                each[len(below) :].split("/")[0]
                for each in self.project_files
                if each.startswith(below) and "/" in each[len(below) :]
            }
        )

    def files(self, folder: str) -> list[str]:
        below = folder and folder.rstrip("/") + "/"
        return sorted(
            each for each in self.project_files if each.startswith(below) and "/" not in each[len(below) :]
        )


def test_report_depends_on_surrounding_project(checks: list[str]) -> None:
    files = {
        "manifest.json": manifest(background={"scripts": ["a.js"], "type": "module"}),
        "a.js": "import { api } from '@/b.js'; api.management.getAll();",
        "b.js": "export const api = globalThis.browser ?? chrome;",
    }
    readers = {path: text.encode for path, text in files.items()}
    store, project = MemoryStore(), dict[str, bytes]()

    def found(store: Store | None) -> tuple[Finding, ...]:
        return findings(Package("extension", readers, around=ProjectSurroundings(project)), store)

    before = found(store)
    assert found(store) == before
    assert len(checks) == 1
    project["tsconfig.json"] = b'{"compilerOptions": {"paths": {"@/*": ["./extension/*"]}}}'
    after = found(store)
    assert len(checks) == 2
    assert after == found(None) != before


def test_report_depends_on_unreadable_files(checks: list[str]) -> None:
    def package(*, broken: bool) -> Package:
        def broken_file() -> bytes:
            raise UnreadableError("b.js: it is broken")

        readers = {path: text.encode for path, text in FILES.items()}
        return Package(".", {**readers, "b.js": broken_file} if broken else readers)

    store = MemoryStore()
    whole, part = findings(package(broken=False), store), findings(package(broken=True), store)
    assert whole != part
    assert len(checks) == 2
    assert findings(package(broken=True), store) == part
    assert len(checks) == 2


def test_fix_is_cached_with_its_finding() -> None:
    (found,) = findings(
        {"manifest.json": '{"manifest_version": 3, "name": "n"}'}, None, rules=("missing-key",)
    )
    fix = Fix(False, (Edit("manifest.json", found.span, "{}"),), "Empty it")
    data = encoded((replace(found, fix=fix),))
    assert data is not None
    assert decoded(data) == (replace(found, fix=fix),)


class _PickledAttribute:
    """Pickled like an enum member in Python before 3.11.4: as an attribute of its class."""

    def __init__(self, of: object, name: str) -> None:
        self.of, self.name = of, name

    def __reduce__(self) -> tuple[object, ...]:
        return getattr, (self.of, self.name)


def test_enum_members_of_older_pythons_are_decoded() -> None:
    data = encoded([Severity.ERROR, _PickledAttribute(Severity, "WARNING")])
    assert data is not None
    assert decoded(data) == [Severity.ERROR, Severity.WARNING]


@pytest.mark.parametrize(
    ("of", "name"), [(Severity, "__subclasses__"), (Severity, "mro"), (Finding, "rule"), ("text", "encode")]
)
def test_other_attributes_are_not_decoded(of: object, name: str) -> None:
    data = encoded([_PickledAttribute(of, name)])
    assert data is not None
    assert decoded(data) is None


def test_only_changed_scripts_are_analyzed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from extlint.analysis import follow

    original, followed = follow.follow, list[str]()

    def counted(text: bytes, path: str, *rest: object) -> object:
        followed.append(path)
        return original(text, path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(follow, "follow", counted)
    names = [f"{number}.js" for number in range(10)]
    files = {name: f"browser.management.getAll({name[0]});" for name in names}
    files["manifest.json"] = manifest(background={"scripts": names})
    store = MemoryStore()
    first = findings(files, store)
    assert followed == names
    findings({**files, "moved.js": files.pop("3.js")}, store)
    assert followed == names
    files["3.js"] = USE
    assert findings(files, store) != first
    assert followed == [*names, "3.js"]


@settings(max_examples=examples(25))
@given(data=st.data())
def test_damaged_cache_does_not_change_findings(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    place = tmp_path_factory.mktemp("kept")
    store = DiskStore(place, b"")
    plain = findings(FILES, None)
    assert findings(FILES, store) == plain
    for file in files_in(place):
        content = bytearray(file.read_bytes())
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=30))
        file.write_bytes(content)
    assert findings(FILES, store) == plain


# Command


def run(*arguments: str, cache: Path) -> tuple[int, str]:
    found = processes.run(
        [*COMMAND, "check", "--output-format", "json", *arguments],
        capture_output=True,
        env=processes.environment(**{VARIABLE: str(cache)}),
    )
    return found.returncode, found.stdout.decode() + found.stderr.decode()


@pytest.fixture
def large(tmp_path: Path) -> str:
    """Returns an extension large enough for the cache."""
    extension = tmp_path / "extension"
    extension.mkdir()
    for name, text in FILES.items():
        (extension / name).write_text(text + "\n" * MIN_BYTES)
    return str(extension)


def test_cache_does_not_change_the_output(large: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    plain = run(large, "--no-cache", cache=cache)
    assert plain[0] == 1
    assert not cache.exists()
    assert run(large, cache=cache) == plain
    assert len(files_in(cache)) > 2
    assert run(large, cache=cache) == plain


def test_concurrent_runs_share_the_cache(large: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    command = [*COMMAND, "check", "--output-format", "json", large]
    environment = processes.environment(**{VARIABLE: str(cache)})
    runs = [processes.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(4)]
    assert {each.communicate()[0].decode() for each in runs} == {run(large, "--no-cache", cache=cache)[1]}
    assert all(each.name == "CACHEDIR.TAG" or each.suffix == ".answer" for each in files_in(cache))


SHARING = """
import random, sys
from pathlib import Path
from extlint.analysis.cache import disk
disk.FOLDERS, disk._UNCOUNTED, disk._SHARE = 1, 1, int(sys.argv[2])
store, chance = disk.DiskStore(Path(sys.argv[1]), b"this version"), random.Random(sys.argv[3])
for _ in range(300):
    number = chance.randrange(60)
    found = store.get(b"%d" % number)
    assert found in (None, b"%d" % number * 100)
    if found is None:
        store.put(b"%d" % number, b"%d" % number * 100)
assert store._is_writable
"""
"""Reads and stores results in a cache that has room for a third of them."""


def test_eight_runs_share_a_cache_of_bounded_size(tmp_path: Path) -> None:
    runs, blocks, cache = 8, 20, tmp_path / "cache"
    python = [sys.executable, "-c", SHARING, str(cache), str(blocks * 4096)]
    environment = processes.environment()
    started = [
        processes.Popen([*python, str(number)], stderr=subprocess.PIPE, env=environment)
        for number in range(runs)
    ]
    assert [each.communicate()[1] for each in started] == [b""] * runs
    left = files_in(cache)
    assert {each.suffix for each in left} == {".answer"}
    assert len(left) <= blocks + runs


def test_unusable_cache_is_silently_ignored(large: str, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("")
    assert run(large, cache=cache) == run(large, "--no-cache", cache=cache)
