from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from extlint.package import limits
from extlint.package.discovery.folder import SKIPPED, open_folder
from extlint.package.disk import read_file
from extlint.package.files import UnreadableError
from extlint.package.limits import LeftOut, Why

requires_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
as_root = hasattr(os, "geteuid") and os.geteuid() == 0
requires_permissions = pytest.mark.skipif(
    as_root or os.name == "nt", reason="permissions do not stop this user from reading"
)


def write(root: Path, *paths: str) -> None:
    for path in paths:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)


def test_folder_is_read_recursively(tmp_path: Path) -> None:
    write(tmp_path, "manifest.json", "js/a.js", "js/deep/b.js", ".hidden/c.js")
    package = open_folder(tmp_path, "ext")
    assert package.name == "ext"
    assert package.paths == (".hidden/c.js", "js/a.js", "js/deep/b.js", "manifest.json")
    assert package.read("js/deep/b.js") == b"js/deep/b.js"


def test_files_are_read_lazily(tmp_path: Path) -> None:
    write(tmp_path, "a.js")
    package = open_folder(tmp_path, "ext")
    (tmp_path / "a.js").write_text("new")
    assert package.read("a.js") == b"new"


@pytest.mark.parametrize("name", sorted(SKIPPED))
def test_tool_folders_are_not_listed_but_readable(tmp_path: Path, name: str) -> None:
    write(tmp_path, "a.js", f"{name}/x.js", f"deep/{name}/x.js")
    package = open_folder(tmp_path, "ext")
    assert package.paths == ("a.js",)
    assert f"{name}/x.js" in package
    assert package.read(f"deep/{name}/x.js") == f"deep/{name}/x.js".encode()
    assert f"{name}/X2.js" not in package


def test_folder_inside_node_modules_can_be_opened(tmp_path: Path) -> None:
    write(tmp_path, "node_modules/ext/manifest.json")
    assert open_folder(tmp_path / "node_modules" / "ext", "ext").paths == ("manifest.json",)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.js",
        "js/../../secret.js",
        "js/../a.js",
        "./a.js",
        "js//a.js",
        "/etc/passwd",
        "js",
        "js/",
        "",
        ".",
        "a.js\0",
        "\ud800.js",
        "x" * 5000,
        "js\\a.js",
    ],
    ids=ascii,
)
def test_only_plain_paths_inside_the_folder_are_files(tmp_path: Path, path: str) -> None:
    write(tmp_path, "ext/a.js", "ext/js/a.js", "secret.js")
    assert path not in open_folder(tmp_path / "ext", "ext")


def test_link_to_a_file_inside_the_folder_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "ext/a.js", "secret.js")
    (tmp_path / "ext/inside.js").symlink_to("a.js")
    (tmp_path / "ext/outside.js").symlink_to("../secret.js")
    (tmp_path / "ext/dangling.js").symlink_to("nothing.js")
    (tmp_path / "ext/itself.js").symlink_to("itself.js")
    package = open_folder(tmp_path / "ext", "ext")
    assert package.paths == ("a.js", "inside.js")
    assert package.read("inside.js") == b"ext/a.js"
    for left_out in ("outside.js", "dangling.js", "itself.js"):
        assert left_out not in package


def test_link_to_a_folder_inside_the_folder_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "ext/js/a.js", "other/secret.js")
    (tmp_path / "ext/js2").symlink_to("js")
    (tmp_path / "ext/other").symlink_to("../other")
    package = open_folder(tmp_path / "ext", "ext")
    assert package.paths == ("js/a.js", "js2/a.js")
    assert package.read("js2/a.js") == b"ext/js/a.js"
    assert package.links == {"js2/a.js": "js/a.js"}
    assert "other/secret.js" not in package
    assert package.leads_out("other/secret.js")
    assert not package.leads_out("js2/b.js")


@pytest.mark.parametrize(
    "links",
    [
        pytest.param({"again": "."}, id="to the folder itself"),
        pytest.param({"js/up": ".."}, id="to the folder around it"),
        pytest.param({"a": "b", "b": "a"}, id="to each other"),
        pytest.param({"up": ".."}, id="out, and back in"),
        pytest.param({"node_modules": "node_modules"}, id="to itself"),
    ],
)
def test_cyclic_link_is_not_followed(tmp_path: Path, links: dict[str, str]) -> None:
    write(tmp_path, "ext/js/a.js")
    for path, target in links.items():
        (tmp_path / "ext" / path).symlink_to(target)
    assert open_folder(tmp_path / "ext", "ext").paths == ("js/a.js",)


def test_mutually_linked_folders_terminate(tmp_path: Path) -> None:
    write(tmp_path, "ext/a/a.js", "ext/b/b.js")
    (tmp_path / "ext/a/to_b").symlink_to("../b")
    (tmp_path / "ext/b/to_a").symlink_to("../a")
    package = open_folder(tmp_path / "ext", "ext")
    assert package.paths == ("a/a.js", "a/to_b/b.js", "b/b.js", "b/to_a/a.js")


def test_number_of_linked_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_LINKED_FILES", 50)
    names = [f"f{number}" for number in range(8)]
    write(tmp_path, *(f"ext/{name}/{name}.js" for name in names))
    for one in names:
        for other in names:
            (tmp_path / f"ext/{one}/to_{other}").symlink_to(f"../{other}")
    package = open_folder(tmp_path / "ext", "ext")
    assert len(package.paths) <= 8 + 50
    assert "f0/to_f1/to_f2/to_f3/f3.js" in package


def test_link_to_a_nested_extension_is_not_listed(tmp_path: Path) -> None:
    write(tmp_path, "ext/firefox/manifest.json", "ext/firefox/a.js")
    (tmp_path / "ext/chrome").symlink_to("firefox")
    assert open_folder(tmp_path / "ext", "ext").paths == ("firefox/a.js", "firefox/manifest.json")


def test_opened_folder_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path, "real/a.js")
    (tmp_path / "link").symlink_to("real")
    assert open_folder(tmp_path / "link", "link").paths == ("a.js",)


def test_folder_named_like_a_script_is_not_a_file(tmp_path: Path) -> None:
    write(tmp_path, "x.js/inner.txt")
    package = open_folder(tmp_path, "ext")
    assert "x.js" not in package


@requires_fifo
def test_fifo_is_not_a_file(tmp_path: Path) -> None:
    write(tmp_path, "a.js")
    os.mkfifo(tmp_path / "pipe.js")
    package = open_folder(tmp_path, "ext")
    assert package.paths == ("a.js",)
    assert "pipe.js" not in package


@pytest.mark.parametrize(
    ("become", "sentence"),
    [
        pytest.param(lambda _: None, "no such file or folder: ext/a.js", id="vanished"),
        pytest.param(Path.mkdir, "cannot read ext/a.js: it is not a regular file", id="a folder"),
        pytest.param(
            lambda path: os.mkfifo(path),
            "cannot read ext/a.js: it is not a regular file",
            id="a FIFO",
            marks=requires_fifo,
        ),
        pytest.param(
            lambda path: path.symlink_to("nowhere"), "no such file or folder: ext/a.js", id="a dangling link"
        ),
        pytest.param(
            lambda path: path.touch(0),
            "cannot read ext/a.js: permission denied",
            id="not permitted",
            marks=requires_permissions,
        ),
    ],
)
def test_error_for_a_replaced_file_is_one_sentence(
    tmp_path: Path, become: Callable[[Path], None], sentence: str
) -> None:
    write(tmp_path, "a.js")
    package = open_folder(tmp_path, "ext")
    (tmp_path / "a.js").unlink()
    become(tmp_path / "a.js")
    with pytest.raises(UnreadableError) as caught:
        package.read("a.js")
    assert str(caught.value) == sentence


def test_device_is_not_read() -> None:
    with pytest.raises(UnreadableError, match=r"not a regular file|no such file"):
        read_file(os.devnull, "null")


def test_file_size_limit_is_inclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 4)
    (tmp_path / "fits.js").write_bytes(b"1234")
    (tmp_path / "large.js").write_bytes(b"12345")
    package = open_folder(tmp_path, "ext")
    assert package.read("fits.js") == b"1234"
    with pytest.raises(UnreadableError, match=r"^ext/large\.js is larger than 4 bytes$"):
        package.read("large.js")


@pytest.mark.parametrize(
    ("most", "paths", "left_out"),
    [
        (7, ("a", "b/d/e", "b/d/f", "b/g", "c"), []),
        (6, ("a", "b/d/e", "b/g", "c"), ["b/d/…"]),
        (5, ("a", "b/g", "c"), ["b/d/…"]),
        (4, ("a", "c"), ["b/…", "b/d/…"]),
        (2, ("a",), ["…", "b/…"]),
    ],
)
def test_number_of_listed_files_is_bounded(
    most: int, paths: tuple[str, ...], left_out: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "c", "b/g", "b/d/f", "b/d/e", "a")
    monkeypatch.setattr(limits, "MAX_FILES", most)
    package = open_folder(tmp_path, "ext")
    assert package.paths == paths
    assert package.left_out == [LeftOut(each, Why.FILES) for each in left_out]
    assert package.complete == (not left_out)
    assert "b/d/f" in package
    assert "c" in package


def test_too_deep_folders_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a/b/c")
    monkeypatch.setattr(limits, "MAX_DEPTH", 2)
    assert open_folder(tmp_path, "ext").paths == ("a/b/c",)
    monkeypatch.setattr(limits, "MAX_DEPTH", 1)
    package = open_folder(tmp_path, "ext")
    assert package.paths == ()
    assert package.left_out == [LeftOut("a/b", Why.DEPTH)]
    assert not package.complete
    assert "a/b/c" in package


def test_missing_folder_error_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"^no such file or folder: ext$"):
        open_folder(tmp_path / "nothing", "ext")


def deny_listing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.scandir

    def scandir(path: str) -> object:
        if Path(path) == Path(os.path.realpath(folder)):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)


@pytest.mark.parametrize(
    ("refused", "sentence"),
    [
        (".", "cannot read ext: permission denied"),
        ("js", "cannot read ext/js: permission denied"),
    ],
)
def test_unlistable_folder_error_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: str, sentence: str
) -> None:
    write(tmp_path, "manifest.json", "js/a.js")
    deny_listing(tmp_path / refused, monkeypatch)
    with pytest.raises(UnreadableError) as caught:
        open_folder(tmp_path, "ext")
    assert str(caught.value) == sentence


@requires_permissions
def test_file_in_an_unreadable_folder_may_exist(tmp_path: Path) -> None:
    write(tmp_path, "node_modules/a.js")
    package = open_folder(tmp_path, "ext")
    (tmp_path / "node_modules").chmod(0)
    try:
        assert "node_modules/a.js" in package
        with pytest.raises(UnreadableError, match=r"permission denied"):
            package.read("node_modules/a.js")
    finally:
        (tmp_path / "node_modules").chmod(0o700)


def test_vanished_folder_does_not_affect_other_files(tmp_path: Path) -> None:
    write(tmp_path, "a.js", "js/b.js")
    package = open_folder(tmp_path, "ext")
    shutil.rmtree(tmp_path / "js")
    assert package.read("a.js") == b"a.js"
    with pytest.raises(UnreadableError, match=r"^no such file or folder: ext/js/b\.js$"):
        package.read("js/b.js")
