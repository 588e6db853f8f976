from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from extlint.package import limits
from extlint.package.discovery.find import NoExtensionError, find_packages, stdin_package
from extlint.package.files import Package, UnreadableError

EXTENSION = '{"manifest_version": 3}'
NO_EXTENSION = '{"name": "part"}'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the current folder, which is not part of an extension."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*paths: str, text: str | None = None) -> None:
    """Writes files: extension manifests, except in a folder `pwa`, and any other files."""
    for path in paths:
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        usual = (
            (NO_EXTENSION if file.parent.name == "pwa" else EXTENSION)
            if file.name == "manifest.json"
            else path
        )
        file.write_text(usual if text is None else text)


def found(*paths: str) -> list[object]:
    """Returns the name and files of each package, and the message of each error."""
    return [
        str(each) if isinstance(each, UnreadableError) else (each.name, " ".join(each.paths))
        for each in find_packages(paths)
    ]


def names(*paths: str) -> list[str]:
    return [str(each) if isinstance(each, UnreadableError) else each.name for each in find_packages(paths)]


def single_package(*paths: str) -> Package:
    [package] = find_packages(paths)
    assert isinstance(package, Package)
    return package


@pytest.mark.parametrize(
    ("files", "path", "expected"),
    [
        pytest.param(
            ["ext/manifest.json", "ext/js/a.js"], "ext", [("ext", "js/a.js manifest.json")], id="an extension"
        ),
        pytest.param(["manifest.json"], ".", [(".", "manifest.json")], id="the current folder"),
        pytest.param(["a/manifest.json"], ".", [("a", "manifest.json")], id="below the current folder"),
        pytest.param(["pwa/manifest.json"], "pwa", [("pwa", "manifest.json")], id="any manifest at the path"),
        pytest.param(
            ["tree/b/manifest.json", "tree/a/manifest.json", "tree/a-b/manifest.json", "tree/readme.md"],
            "tree",
            [("tree/a", "manifest.json"), ("tree/a-b", "manifest.json"), ("tree/b", "manifest.json")],
            id="a flat tree, sorted by name",
        ),
        pytest.param(
            ["repo/package.json", "repo/src/manifest.json", "repo/src/a.js", "repo/dist/manifest.json"],
            "repo",
            [("repo/dist", "manifest.json"), ("repo/src", "a.js manifest.json")],
            id="source and built package of a repository",
        ),
        pytest.param(
            ["ext/manifest.json", "ext/a.js", "ext/test/fixture/manifest.json", "ext/test/fixture/b.js"],
            "ext",
            [("ext", "a.js manifest.json"), ("ext/test/fixture", "b.js manifest.json")],
            id="one inside another, each with its own files",
        ),
        pytest.param(
            ["ext/manifest.json", "ext/a/manifest.json", "ext/a/b/c/manifest.json", "ext/a/b/x.js"],
            "ext",
            [("ext", "manifest.json"), ("ext/a", "b/x.js manifest.json"), ("ext/a/b/c", "manifest.json")],
            id="three inside each other",
        ),
        pytest.param(
            ["ext/manifest.json", "ext/pwa/manifest.json", "ext/pwa/a.js"],
            "ext",
            [("ext", "manifest.json pwa/a.js pwa/manifest.json")],
            id="a web app's manifest does not count",
        ),
        pytest.param(
            ["ext/manifest.json", "ext/node_modules/x/manifest.json", "ext/.git/manifest.json"],
            "ext",
            [("ext", "manifest.json")],
            id="nor do those of dependencies",
        ),
        pytest.param(
            ["tree/a/manifest.json", "tree/b/manifest.json/x"],
            "tree",
            [("tree/a", "manifest.json")],
            id="nor a folder of that name",
        ),
    ],
)
def test_folder(files: Sequence[str], path: str, expected: list[object]) -> None:
    write(*files)
    assert found(path) == expected


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ("ext", "ext"),
        ("ext/", "ext"),
        ("./ext", "ext"),
        ("ext/js/..", "ext"),
        ("other/../ext", "ext"),
        ("../{here}/ext", "ext"),
        ("ext/js/a.js", "ext"),
        ("./ext/js/../js/a.js", "ext"),
        ("ext/manifest.json", "ext"),
        ("{absolute}/ext", "{absolute}/ext"),
        ("{absolute}/ext/js/a.js", "{absolute}/ext"),
    ],
)
def test_package_name_is_the_path_a_user_would_type(here: Path, passed: str, expected: str) -> None:
    write("ext/manifest.json", "ext/js/a.js", "other/x")
    place = {"here": here.name, "absolute": here.as_posix()}
    assert names(passed.format(**place)) == [expected.format(**place)]


@pytest.mark.parametrize(
    ("passed", "expected"), [(".", "."), ("b/c.js", ".."), ("..", ".."), ("../a.js", "..")]
)
def test_extension_above_the_current_folder(
    monkeypatch: pytest.MonkeyPatch, passed: str, expected: str
) -> None:
    write("ext/manifest.json", "ext/a.js", "ext/js/b/c.js", "ext/js/manifest.json")
    Path("ext/js/manifest.json").write_text(NO_EXTENSION)
    monkeypatch.chdir("ext/js")
    assert names(passed) == [expected]


def test_dots_after_a_link_are_resolved_on_disk() -> None:
    write("ext/manifest.json", "ext/js/deep/a.js", "work/x")
    Path("work/link").symlink_to("../ext/js/deep")
    assert names("work/link/../../manifest.json") == ["ext"]


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        pytest.param("ext/a.js", "ext", id="next to the manifest"),
        pytest.param("ext/_locales/en/messages.json", "ext", id="deeper"),
        pytest.param("ext/inner/b.js", "ext/inner", id="the nearest extension"),
        pytest.param("ext/pwa/c.js", "ext", id="a folder whose manifest does not count"),
        pytest.param("ext/node_modules/d.js", "ext", id="a file that is not listed"),
    ],
)
def test_file_resolves_to_its_extension(passed: str, expected: str) -> None:
    write("ext/manifest.json", "ext/inner/manifest.json", "ext/pwa/manifest.json", passed)
    package = single_package(passed)
    assert package.name == expected
    assert passed.removeprefix(expected + "/") in package


@pytest.mark.parametrize(
    ("path", "text", "manifest"),
    [
        pytest.param("ext/manifest.json", "[]", "manifest.json", id="by its name, whatever it holds"),
        pytest.param("ext/manifest.firefox.json", EXTENSION, "manifest.firefox.json", id="for one browser"),
        pytest.param("ext/manifest.firefox.json", "[]", "manifest.firefox.json", id="by a name like it"),
        pytest.param("ext/v3.manifest.json", "[]", "v3.manifest.json", id="by another name like it"),
        pytest.param("ext/firefox.json", EXTENSION, "firefox.json", id="only by its content"),
    ],
)
def test_manifest_resolves_to_its_folder(path: str, text: str, manifest: str) -> None:
    write(path, text=text)
    write("ext/a.js")
    package = single_package(path)
    assert (package.name, package.manifest_path) == ("ext", manifest)
    assert package.paths == ("a.js", manifest)


@pytest.mark.parametrize(
    ("path", "text", "manifest"),
    [
        pytest.param("ext/manifest.v2.json", EXTENSION, "manifest.v2.json", id="a second manifest"),
        pytest.param("ext/manifest.base.json", NO_EXTENSION, "manifest.json", id="a part of a manifest"),
        pytest.param("ext/data.json", '{"x": {"manifest_version": 3}}', "manifest.json", id="other data"),
    ],
)
def test_second_manifest_is_recognized_by_its_content(path: str, text: str, manifest: str) -> None:
    write("ext/manifest.json")
    write(path, text=text)
    assert single_package(path).manifest_path == manifest


def test_each_extension_is_found_once(here: Path) -> None:
    write("ext/manifest.json", "ext/a.js", "ext/b.js", "tree/x/manifest.json", "tree/y/manifest.json")
    Path("link").symlink_to("ext")
    paths = ["ext/b.js", "tree/y", "ext/a.js", "ext", str(here / "ext"), "link", "tree", "ext/manifest.json"]
    assert names(*paths) == ["ext", "tree/y", "tree/x"]


def test_two_manifests_in_one_folder_are_two_extensions() -> None:
    write("ext/manifest.json")
    write("ext/manifest.v2.json", text=EXTENSION)
    manifests = [
        each.manifest_path
        for each in find_packages(["ext", "ext/manifest.v2.json"])
        if isinstance(each, Package)
    ]
    assert manifests == ["manifest.json", "manifest.v2.json"]


@pytest.mark.parametrize("path", ["inner/b.js", "node_modules/x.js"])
def test_unlisted_files_can_be_read(path: str) -> None:
    write("ext/manifest.json", "ext/inner/manifest.json", f"ext/{path}")
    package = next(iter(find_packages(["ext"])))
    assert isinstance(package, Package)
    assert path not in package.paths
    assert package.read(path) == f"ext/{path}".encode()


def test_extension_has_the_same_files_in_a_tree() -> None:
    write("tree/a/manifest.json", "tree/a/x.js", "tree/shared/y.js", "tree/b/manifest.json")
    Path("tree/a/inside.js").symlink_to("x.js")
    Path("tree/a/shared.js").symlink_to("../shared/y.js")
    files = "inside.js manifest.json x.js"
    assert found("tree")[0] == found("tree/a")[0] == ("tree/a", files)
    for package in find_packages(["tree", "tree/a"]):
        assert isinstance(package, Package)
        assert "../shared/y.js" not in package


def write_zip(path: str, *files: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for file in files:
            archive.writestr(file, EXTENSION if file.endswith("manifest.json") else file)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(["manifest.json", "a.js"], [("x.zip", "a.js manifest.json")], id="an extension"),
        pytest.param(["top/manifest.json"], [("x.zip", "manifest.json")], id="in one top folder"),
        pytest.param(
            ["top/a/manifest.json", "top/b/manifest.json", "top/b/node_modules/c/manifest.json"],
            [("x.zip/top/a", "manifest.json"), ("x.zip/top/b", "manifest.json node_modules/c/manifest.json")],
            id="several extensions",
        ),
        pytest.param(["a.js"], ["no manifest.json in or below x.zip"], id="no manifest"),
        pytest.param([], ["x.zip is empty"], id="nothing"),
        pytest.param(
            ["../a.js", "manifest.json"],
            [("x.zip", "manifest.json")],
            id="a name that climbs out",
        ),
    ],
)
def test_archive(files: Sequence[str], expected: list[object]) -> None:
    write_zip("x.zip", *files)
    assert found("x.zip") == expected


def test_archives_in_a_tree_are_not_opened() -> None:
    write("tree/a/manifest.json")
    write_zip("tree/x.zip", "manifest.json")
    write_zip("tree/a/y.xpi", "manifest.json")
    assert found("tree", "tree/x.zip") == [("tree/a", "manifest.json y.xpi"), ("tree/x.zip", "manifest.json")]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        pytest.param("nothing", "no such file or folder: nothing", id="no such path"),
        pytest.param("nothing.zip", "no such file or folder: nothing.zip", id="no such archive"),
        pytest.param("some/a.js/x", "no such file or folder: some/a.js/x", id="below a file"),
        pytest.param("dangling", "no such file or folder: dangling", id="a link to nothing"),
        pytest.param("", "no such file or folder: the path is empty", id="an empty path"),
        pytest.param("a\0b", "cannot read a\0b: the name is not valid", id="a NUL"),
        pytest.param("x" * 5000, f"cannot read {'x' * 5000}: file name too long", id="a very long name"),
        pytest.param("empty", "empty is empty", id="an empty folder"),
        pytest.param("some", "no manifest.json in or below some", id="a folder without manifest"),
        pytest.param("sub", "no manifest.json in sub has a manifest_version", id="only other manifests"),
        pytest.param("alike", "no manifest.json in or below alike", id="a file named like a manifest"),
        pytest.param(
            "linked",
            "linked/manifest.json is a symbolic link to a file outside its folder",
            id="a linked manifest",
        ),
        pytest.param(
            "some/a.js",
            "some/a.js belongs to no extension: no folder above it has a manifest.json",
            id="a file of no extension",
        ),
        pytest.param(
            "sub/pwa/a.js",
            "sub/pwa/a.js belongs to no extension: no folder above it has a manifest.json",
            id="a file of a web app",
        ),
        pytest.param("random.zip", "random.zip is not a zip archive", id="no archive"),
    ],
)
def test_unreadable_path_is_one_error(path: str, sentence: str) -> None:
    Path("empty").mkdir()
    write(
        "some/a.js",
        "sub/pwa/manifest.json",
        "sub/pwa/a.js",
        "alike/.release-manifest.json",
        "random.zip",
        "good/manifest.json",
    )
    Path("dangling").symlink_to("nowhere")
    Path("linked").mkdir()
    Path("linked/manifest.json").symlink_to("../good/manifest.json")
    assert found(path, "good", path) == [sentence, ("good", "manifest.json")]


def test_foreign_file_has_its_own_error_type() -> None:
    write("tools/build.js")
    kinds = [type(each) for each in find_packages(["tools/build.js", "nothing.js"])]
    assert kinds == [NoExtensionError, UnreadableError]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
@pytest.mark.parametrize("name", ["pipe", "pipe.js", "pipe.zip", "manifest.json"])
def test_fifo_is_one_error(name: str) -> None:
    os.mkfifo(name)
    assert found(name) == [f"{name} is neither a file nor a folder"]


@pytest.mark.skipif(
    os.name == "nt" or os.geteuid() == 0, reason="permissions do not stop this user from reading"
)
@pytest.mark.parametrize("name", ["ext/a.js", "ext/manifest.json", "ext/x.zip", "ext/closed"])
def test_missing_read_permission_is_one_error(name: str) -> None:
    write("ext/manifest.json", "ext/a.js", "ext/x.zip", "ext/closed/x")
    Path(name).chmod(0)
    try:
        assert found(name) == [f"cannot read {name}: permission denied"]
    finally:
        Path(name).chmod(0o700)


def test_unreadable_manifest_is_an_error_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("tree/a/manifest.json", "tree/b/x.js", "tree/c/manifest.json")
    write("tree/b/manifest.json", text=EXTENSION * 10)
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 100)
    assert names("tree") == ["tree/a", "tree/b/manifest.json is larger than 100 bytes", "tree/c"]
    assert names("tree/b/x.js") == ["tree/b/manifest.json is larger than 100 bytes"]


def test_unlistable_folder_does_not_lose_the_extension(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("ext/manifest.json", "ext/data/x")
    real = os.scandir

    def scandir(path: str) -> object:
        if Path(path).name == "data":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    expected = ["cannot read ext/data: permission denied", ("ext", "manifest.json")]
    assert found("ext") == found("ext/manifest.json") == expected


def test_tree_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    write("tree/a/manifest.json", "tree/a/js/x.js", "tree/b/manifest.json", "tree/c/d/e.js")
    listed: list[str] = []
    real = os.scandir

    def scandir(path: str) -> object:
        listed.append(os.path.relpath(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert names("tree") == ["tree/a", "tree/b"]
    assert sorted(listed) == ["tree", "tree/a", "tree/a/js", "tree/b", "tree/c", "tree/c/d"]


def test_many_files_of_one_extension_take_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [f"ext/{number}.js" for number in range(20)]
    write("ext/manifest.json", *files)
    listed: list[str] = []
    real = os.scandir

    def scandir(path: str) -> object:
        listed.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert names(*files) == ["ext"]
    assert len(listed) == 1


def test_folders_do_not_import_zipfile() -> None:
    code = "import sys, extlint.package.discovery.find; sys.exit('zipfile' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


class TestStandardInput:
    def test_script_replaces_the_file_on_disk(self) -> None:
        write("ext/manifest.json", "ext/a.js", "ext/b.js")
        package = stdin_package(b"new", "ext/a.js")
        assert isinstance(package, Package)
        assert (package.name, package.complete) == ("ext", True)
        assert package.paths == ("a.js", "b.js", "manifest.json")
        assert (package.read("a.js"), package.read("b.js")) == (b"new", b"ext/b.js")

    def test_unsaved_file_is_added_to_its_extension(self) -> None:
        write("ext/manifest.json")
        package = stdin_package(b"new", "ext/js/new.js")
        assert isinstance(package, Package)
        assert package.paths == ("js/new.js", "manifest.json")
        assert package.read("js/new.js") == b"new"

    @pytest.mark.parametrize("name", ["manifest.json", "manifest.v2.json"])
    def test_manifest_is_checked_with_surrounding_files(self, name: str) -> None:
        write("ext/manifest.json", "ext/a.js")
        package = stdin_package(EXTENSION.encode() + b" ", f"ext/{name}")
        assert isinstance(package, Package)
        assert (package.name, package.manifest_path, package.complete) == ("ext", name, True)
        assert package.read(name).endswith(b" ")
        assert "a.js" in package

    def test_invalid_manifest_on_disk_is_not_read(self) -> None:
        write("ext/manifest.json", text="")
        package = stdin_package(EXTENSION.encode(), "ext/manifest.json")
        assert isinstance(package, Package)
        assert package.read("manifest.json") == EXTENSION.encode()

    @pytest.mark.parametrize(
        ("filename", "name", "manifest"),
        [
            ("manifest.json", ".", "manifest.json"),
            ("nowhere/manifest.json", "nowhere", "manifest.json"),
            ("x/manifest.firefox.json", "x", "manifest.firefox.json"),
            ("any.json", ".", "any.json"),
            (None, ".", "manifest.json"),
        ],
    )
    def test_manifest_outside_any_extension_is_checked_separately(
        self, filename: str | None, name: str, manifest: str
    ) -> None:
        write("unrelated.js")
        package = stdin_package(EXTENSION.encode(), filename)
        assert isinstance(package, Package)
        assert (package.name, package.manifest_path, package.complete) == (name, manifest, False)
        assert package.paths == (manifest,)

    @pytest.mark.parametrize(
        ("filename", "sentence"),
        [
            ("a.js", "a.js belongs to no extension: no folder above it has a manifest.json"),
            ("", "no such file or folder: the path is empty"),
            ("a\0.js", "a\0.js belongs to no extension: no folder above it has a manifest.json"),
            (".", ". is a folder; --stdin-filename requires the name of a file"),
            ("x.zip", "x.zip cannot be read from standard input; give its path as an argument"),
            (None, "standard input is not a manifest; name the file with --stdin-filename"),
        ],
    )
    def test_other_input_is_one_error(self, filename: str | None, sentence: str) -> None:
        error = stdin_package(b"let a;", filename)
        assert isinstance(error, UnreadableError)
        assert str(error) == sentence
