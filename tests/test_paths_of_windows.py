"""Paths of Windows in outputs and in the language server: drives, shared folders and separators."""

from __future__ import annotations

import ntpath
from pathlib import PureWindowsPath
from types import SimpleNamespace

import pytest
from packages import package_of

from extlint.report import paths
from extlint.report.paths import Paths

CURRENT = r"C:\work\app"


@pytest.fixture
def _on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaces what the module of paths takes from the system."""
    system = SimpleNamespace(
        path=ntpath, sep=ntpath.sep, curdir=ntpath.curdir, pardir=ntpath.pardir, getcwd=lambda: CURRENT
    )
    monkeypatch.setattr(paths, "os", system)
    monkeypatch.setattr(paths, "Path", PureWindowsPath)
    monkeypatch.setattr(ntpath, "isfile", lambda path: path.endswith(".zip"))


PLACES = {
    "in the repository": ("dist", "app/dist/"),
    "of two levels": (r"dist\chrome", "app/dist/chrome/"),
    "the folder itself": (".", "app/"),
    "the repository": ("..", ""),
    "outside the repository": (r"..\..\other", "C:/other/"),
    "on another drive": (r"D:\ext", "D:/ext/"),
    "with a drive in lower case": (r"c:\work\app\dist", "app/dist/"),
    "a shared folder": (r"\\server\share\ext", "//server/share/ext/"),
    "an archive": ("ext.zip", "app/ext.zip/"),
}


@pytest.mark.usefixtures("_on_windows")
@pytest.mark.parametrize(("name", "expected"), PLACES.values(), ids=PLACES)
def test_outputs_have_paths_with_slashes(name: str, expected: str) -> None:
    package = package_of({"manifest.json": "{}"}, name)
    assert Paths(r"C:\work", CURRENT).folder(package) == expected


@pytest.mark.usefixtures("_on_windows")
@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("app/dist/a b.js", "app/dist/a%20b.js"),
        ("D:/ext/a b.js", "file:///D:/ext/a%20b.js"),
        ("//server/share/a.js", "file://server/share/a.js"),
    ],
)
def test_addresses_name_drives_and_servers(path: str, expected: str) -> None:
    assert paths.uri(path) == expected


@pytest.mark.usefixtures("_on_windows")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dist", "file:///C:/work/app/dist/a.js"),
        (r"D:\ext", "file:///D:/ext/a.js"),
        (r"\\server\share\ext", "file://server/share/ext/a.js"),
        ("ext.zip", None),
    ],
)
def test_links_lead_to_files_on_drives(name: str, expected: str | None) -> None:
    assert paths.address_of(package_of({"manifest.json": "{}"}, name), "a.js") == expected


DOCUMENTS = {
    "a drive as Visual Studio Code writes it": (
        "file:///c%3A/work/a%20b.js",
        "c:\\work\\a b.js",
        "file:///c:/work/a%20b.js",
    ),
    "a drive as other editors write it": ("file:///C:/work/a.js", "c:\\work\\a.js", "file:///c:/work/a.js"),
    "a shared folder": ("file://server/share/a.js", "\\\\server\\share\\a.js", "file://server/share/a.js"),
}


@pytest.mark.parametrize(("address", "path", "own"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_language_server_reads_and_writes_addresses_of_drives(
    address: str, path: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    uris = pytest.importorskip("pygls.uris")
    from extlint.services.lsp import documents

    monkeypatch.setattr(uris, "IS_WIN", True)
    monkeypatch.setattr(documents, "os", SimpleNamespace(path=ntpath))
    assert documents.path_of(address) == path
    assert documents.uri_of(path) == own
    assert documents.path_of(own) == path
