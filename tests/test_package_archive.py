from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from packages import open_archive
from thorough import examples

from extlint.package import limits
from extlint.package.discovery.find import find_packages
from extlint.package.files import Package, UnreadableError
from extlint.package.limits import LeftOut, Why

FILES = {"manifest.json": b'{"manifest_version": 3}', "js/a.js": b"let a;" * 50}


def zipped(files: Mapping[str, bytes] = FILES, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    return zipped_entries([(zipfile.ZipInfo(name), data) for name, data in files.items()], method)


def zipped_entries(entries: list[tuple[zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for info, data in entries:
            archive.writestr(info, data, method)
    return stream.getvalue()


def crx2(content: bytes) -> bytes:
    return b"Cr24" + struct.pack("<III", 2, 3, 5) + b"keysigna" + content


def crx3(content: bytes) -> bytes:
    return b"Cr24" + struct.pack("<II", 3, 6) + b"header" + content


def with_renamed_entry(archive: bytes, old: bytes, new: bytes) -> bytes:
    """Returns an archive with another entry name of the same length, which no tool would write."""
    assert len(old) == len(new)
    return archive.replace(old, new)


def open_bytes(tmp_path: Path, data: bytes, name: str = "ext.zip") -> Package:
    path = tmp_path / name
    path.write_bytes(data)
    return open_archive(path, name)


def error_message(act: Callable[[], object]) -> str:
    with pytest.raises(UnreadableError) as caught:
        act()
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        pytest.param("ext.zip", zipped(), id="zip"),
        pytest.param("ext.xpi", zipped(), id="xpi"),
        pytest.param("EXT.ZIP", zipped(method=zipfile.ZIP_STORED), id="not compressed"),
        pytest.param("ext.crx", crx2(zipped()), id="crx version 2"),
        pytest.param("ext.crx", crx3(zipped()), id="crx version 3"),
        pytest.param("ext.zip", b"#!/bin/sh\n" + zipped(), id="something before the zip"),
    ],
)
def test_archive_contents_are_read(tmp_path: Path, name: str, data: bytes) -> None:
    package = open_bytes(tmp_path, data, name)
    assert package.name == name
    assert {path: package.read(path) for path in package.paths} == FILES


def test_archive_is_not_kept_open(tmp_path: Path) -> None:
    package = open_bytes(tmp_path, zipped())
    (tmp_path / "ext.zip").unlink()
    assert error_message(lambda: package.read("js/a.js")) == "no such file or folder: ext.zip"


@pytest.mark.parametrize(
    ("names", "paths"),
    [
        pytest.param(["top/manifest.json", "top/a.js"], ("a.js", "manifest.json"), id="one top folder"),
        pytest.param(
            ["top/", "top/manifest.json", "__MACOSX/top/._manifest.json"],
            ("manifest.json",),
            id="with what Finder adds",
        ),
        pytest.param(["manifest.json", "js/._a.js"], ("manifest.json",), id="with what macOS adds"),
        pytest.param(["top/src/manifest.json"], ("top/src/manifest.json",), id="two folders"),
        pytest.param(
            ["top/manifest.json", "b.js"], ("b.js", "top/manifest.json"), id="a file next to the folder"
        ),
        pytest.param(["manifest.json"], ("manifest.json",), id="only a manifest"),
        pytest.param(
            ["./manifest.json", "a//b.js"], ("a/b.js", "manifest.json"), id="odd but harmless names"
        ),
        pytest.param(["top/..a/x..js"], ("top/..a/x..js",), id="two dots inside a name"),
        pytest.param([], (), id="empty"),
    ],
)
def test_root_folder_of_an_archive(tmp_path: Path, names: list[str], paths: tuple[str, ...]) -> None:
    package = open_bytes(tmp_path, zipped(dict.fromkeys(names, b"{}")))
    assert package.paths == paths
    assert all(package.read(path) == b"{}" for path in paths)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_last_duplicate_entry_wins(tmp_path: Path) -> None:
    entries = [(zipfile.ZipInfo("a.js"), b"first"), (zipfile.ZipInfo("a.js"), b"last")]
    package = open_bytes(tmp_path, zipped_entries(entries))
    assert package.read("a.js") == b"last"


@pytest.mark.parametrize(
    ("folder", "packed"),
    [("", True), ("top/", True), ("a/b/", False)],
    ids=["at the top", "below it", "deep"],
)
def test_archive_with_top_level_manifest_is_packed(tmp_path: Path, folder: str, packed: bool) -> None:
    top = folder.partition("/")[0]
    files = {f"{folder}{path}": data for path, data in FILES.items()} | {f"{top}/x".lstrip("/"): b""}
    (tmp_path / "ext.zip").write_bytes(zipped(files))
    (package,) = find_packages([str(tmp_path / "ext.zip")])
    assert isinstance(package, Package)
    assert package.packed == packed


def test_very_deep_folders(tmp_path: Path) -> None:
    deep = "a/" * 3000
    (tmp_path / "some.zip").write_bytes(zipped({**FILES, f"{deep}b.js": b""}))
    (package,) = find_packages([str(tmp_path / "some.zip")])
    assert isinstance(package, Package)
    assert [each.why for each in package.left_out] == [Why.DEPTH]
    (tmp_path / "all.zip").write_bytes(zipped({f"{deep}{path}": data for path, data in FILES.items()}))
    (problem,) = find_packages([str(tmp_path / "all.zip")])
    assert isinstance(problem, UnreadableError)
    assert "not checked" in str(problem)


def test_links_in_archives_are_skipped(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("link.js")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    package = open_bytes(tmp_path, zipped_entries([(link, b"/etc/passwd"), (zipfile.ZipInfo("a.js"), b"")]))
    assert package.paths == ("a.js",)


@pytest.mark.parametrize(
    "name",
    [
        "../a.js",
        "js/../../a.js",
        "js/..",
        "/etc/passwd",
        "C:/a.js",
        "C:a.js",
        "..\\a.js",
        "js\\a.js",
        "\\\\host\\a",
        "a\0/..",
    ],
    ids=ascii,
)
def test_entries_outside_the_root_are_skipped(tmp_path: Path, name: str) -> None:
    harmless = b"n" * len(name)
    data = with_renamed_entry(zipped({**FILES, harmless.decode(): b"evil"}), harmless, name.encode())
    package = open_bytes(tmp_path, data)
    assert {path: package.read(path) for path in package.paths} == FILES
    assert [each.path for each in package.left_out] == [name]
    assert package.complete == (package.left_out[0].why is Why.LEADS_OUT)


def with_flag(flag: int) -> bytes:
    data = bytearray(zipped({"a.js": b"abc"}))
    data[data.index(b"PK\x01\x02") + 8] |= flag
    return bytes(data)


GOOD = zipped()
DIRECTORY = GOOD.index(b"PK\x01\x02")


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        pytest.param("ext.zip", b"", "ext.zip is not a zip archive", id="nothing"),
        pytest.param("ext.zip", b"hello" * 50, "ext.zip is not a zip archive", id="no zip"),
        pytest.param("ext.zip", GOOD[:-10], "ext.zip is truncated or damaged", id="its end is missing"),
        pytest.param("ext.zip", GOOD[:50], "ext.zip is truncated or damaged", id="most is missing"),
        pytest.param(
            "ext.zip",
            GOOD[:DIRECTORY] + b"XX" + GOOD[DIRECTORY + 2 :],
            "ext.zip is truncated or damaged",
            id="a broken directory",
        ),
        pytest.param(
            "e.crx", GOOD, "e.crx is not a .crx file: it does not begin with Cr24", id="a zip named crx"
        ),
        pytest.param("e.crx", b"Cr24\2\0\0", "e.crx is truncated", id="half a crx header"),
        pytest.param(
            "e.crx",
            b"Cr24" + struct.pack("<II", 4, 0) + GOOD,
            "e.crx has version 4 of the .crx format; versions 2 and 3 can be read",
            id="a crx of the future",
        ),
        pytest.param(
            "e.crx",
            b"Cr24" + struct.pack("<II", 3, 2**32 - 1) + GOOD,
            "e.crx is truncated or damaged: no zip follows its header",
            id="a crx header that claims too much",
        ),
        pytest.param(
            "e.crx", crx3(GOOD[:-10]), "e.crx is truncated or damaged", id="a crx that is truncated"
        ),
    ],
)
def test_invalid_archive_error_is_one_sentence(tmp_path: Path, name: str, data: bytes, sentence: str) -> None:
    assert error_message(lambda: open_bytes(tmp_path, data, name)) == sentence


def test_errors_for_missing_archive_and_folder_are_one_sentence(tmp_path: Path) -> None:
    assert error_message(lambda: open_archive(tmp_path / "x.zip", "x.zip")) == "no such file or folder: x.zip"
    assert "not a regular file" in error_message(lambda: open_archive(tmp_path, "x.zip"))


def with_patched_record(offset: int, value: bytes, files: Mapping[str, bytes] = FILES) -> bytes:
    """Returns an archive with different bytes at an offset of the first directory record."""
    data = zipped(files)
    at = data.index(b"PK\x01\x02") + offset
    return data[:at] + value + data[at + len(value) :]


CHECKSUM, PACKED_SIZE, SIZE, OFFSET = 16, 20, 24, 42


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(with_patched_record(CHECKSUM, b"\0\0\0\0"), id="another checksum"),
        pytest.param(with_patched_record(SIZE, b"\5\0\0\0"), id="it contains more than it says"),
        pytest.param(with_patched_record(SIZE, b"\0\4\0\0"), id="it holds less than it says"),
        pytest.param(with_patched_record(PACKED_SIZE, b"\5\0\0\0"), id="packed data that ends too early"),
        pytest.param(
            with_patched_record(PACKED_SIZE, b"\xff\xff\0\0"), id="packed data beyond the end of the file"
        ),
        pytest.param(with_patched_record(OFFSET, b"\xff\xff\0\0"), id="an offset beyond the end of the file"),
        pytest.param(with_patched_record(OFFSET, b"\5\0\0\0"), id="an offset to something else"),
        pytest.param(
            with_renamed_entry(zipped({"manifest.json": b"ab"}, zipfile.ZIP_STORED), b"ab", b"xy"),
            id="other content",
        ),
    ],
)
def test_damaged_entry_does_not_affect_others(tmp_path: Path, data: bytes) -> None:
    package = open_bytes(tmp_path, data)
    assert error_message(lambda: package.read("manifest.json")) == "ext.zip/manifest.json is damaged"
    assert [package.read(path) for path in package.paths if path == "js/a.js"] in ([], [FILES["js/a.js"]])


def test_invalid_compressed_data_is_damaged(tmp_path: Path) -> None:
    packed = zlib.compress(FILES["js/a.js"])[2:6]
    package = open_bytes(
        tmp_path, with_renamed_entry(zipped({"js/a.js": FILES["js/a.js"]}), packed, b"\xff" * 4)
    )
    assert error_message(lambda: package.read("js/a.js")) == "ext.zip/js/a.js is damaged"


def test_oversized_entry_does_not_affect_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 100)
    package = open_bytes(tmp_path, zipped())
    assert package.read("manifest.json") == FILES["manifest.json"]
    assert error_message(lambda: package.read("js/a.js")) == "ext.zip/js/a.js is larger than 100 bytes"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(with_flag(0x01), "is encrypted: it requires a password", id="encrypted"),
        *(
            pytest.param(
                zipped({"a.js": b"a"}, method), "is packed in a way that browsers cannot read", id=str(method)
            )
            for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        ),
    ],
)
def test_unsupported_entry_does_not_affect_others(tmp_path: Path, data: bytes, problem: str) -> None:
    package = open_bytes(tmp_path, data)
    assert package.paths == ("a.js",)
    assert error_message(lambda: package.read("a.js")) == f"ext.zip/a.js {problem}"


@pytest.mark.parametrize(
    ("limit", "value", "paths", "left_out"),
    [
        ("MAX_ENTRIES", 1, ("a/b/c.js", "manifest.json"), [("js/a.js", Why.ENTRIES)]),
        ("MAX_LISTING_BYTES", 60, ("a/b/c.js",), [("…", Why.ENTRIES)]),
        ("MAX_ARCHIVE_BYTES", 300, ("a/b/c.js", "manifest.json"), [("js/a.js", Why.SIZE)]),
        ("MAX_DEPTH", 2, ("js/a.js", "manifest.json"), [("a/b/c.js", Why.DEPTH)]),
    ],
)
def test_entries_beyond_a_limit_are_skipped(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit: str,
    value: int,
    paths: tuple[str, ...],
    left_out: list[tuple[str, Why]],
) -> None:
    monkeypatch.setattr(limits, limit, value)
    package = open_bytes(tmp_path, zipped({"a/b/c.js": b"", **FILES}))
    assert package.paths == paths
    assert [(each.path, each.why) for each in package.left_out] == left_out
    assert not package.complete


def test_excessively_expanding_entry_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"a.js": b"1", "zeros.bin": bytes(100_000), "b.js": b"2"})
    assert open_bytes(tmp_path, data).read("zeros.bin") == bytes(100_000)
    monkeypatch.setattr(limits, "EXPANSION_FROM_BYTES", 1000)
    package = open_bytes(tmp_path, data)
    assert package.paths == ("a.js", "b.js")
    assert package.left_out == [LeftOut("zeros.bin", Why.SIZE)]


def test_small_file_under_many_names_is_skipped(tmp_path: Path) -> None:
    record = GOOD[DIRECTORY : DIRECTORY + 46 + len("manifest.json")]
    claiming = record[:SIZE] + struct.pack("<I", 2**32 - 2) + record[SIZE + 4 :]
    directory = claiming * 2
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2, 2, len(directory), DIRECTORY, 0)
    package = open_bytes(tmp_path, GOOD[:DIRECTORY] + directory + end)
    assert [each.why for each in package.left_out] == [Why.SIZE, Why.SIZE]


@pytest.mark.parametrize(
    ("name", "flags", "expected"),
    [
        pytest.param("é.js".encode(), 0x800, "é.js", id="UTF-8"),
        pytest.param("é.js".encode(), 0, "é.js", id="UTF-8 that the flag does not mention"),
        pytest.param(b"\x82.js", 0, "é.js", id="the code page of the format"),
        pytest.param(b"\xff.js", 0x800, "\udcff.js", id="a flag that is wrong"),
    ],
)
def test_entry_names_are_decoded_as_in_browsers(
    tmp_path: Path, name: bytes, flags: int, expected: str
) -> None:
    data = bytearray(zipped({"n" * len(name): b"1"}).replace(b"n" * len(name), name))
    at = data.index(b"PK\x01\x02") + 8
    data[at : at + 2] = struct.pack("<H", flags)
    package = open_bytes(tmp_path, bytes(data))
    assert package.paths == (expected,)
    assert package.read(expected) == b"1"


def read_everything(path: Path) -> None:
    """Opens an archive and reads all its files. The only allowed error is UnreadableError."""
    try:
        package = open_archive(path, "x")
    except UnreadableError:
        return
    for inner in package.paths:
        try:
            package.read(inner)
        except UnreadableError:
            continue


thorough = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(150))


@thorough
@given(
    data=st.binary(max_size=200),
    suffix=st.sampled_from([".zip", ".crx"]),
    head=st.sampled_from([b"", b"Cr24"]),
)
@example(data=b"PK\5\6" + bytes(18), suffix=".zip", head=b"")
@example(data=b"PK\5\6" + b"\xff" * 18, suffix=".zip", head=b"")
def test_random_bytes_raise_only_unreadable_error(
    tmp_path: Path, data: bytes, suffix: str, head: bytes
) -> None:
    path = tmp_path / f"x{suffix}"
    path.write_bytes(head + data)
    read_everything(path)


ZIP64 = (
    b"PK\6\6"
    + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 1, 1, 60, 0)
    + b"PK\6\7"
    + struct.pack("<LQL", 0, 0, 1)
    + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, 2**32 - 1, 2**32 - 1, 0)
)


@thorough
@given(
    whole=st.sampled_from([GOOD, crx2(GOOD), crx3(GOOD), ZIP64]),
    changes=st.lists(st.tuples(st.floats(0, 0.999), st.binary(min_size=1, max_size=8)), max_size=4),
    cut=st.floats(0.5, 1),
)
@example(whole=ZIP64, changes=[(0.5, b"\xff" * 8)], cut=1)
def test_corrupted_archive_raises_only_unreadable_error(
    tmp_path: Path, whole: bytes, changes: list[tuple[float, bytes]], cut: float
) -> None:
    data = bytearray(whole)
    for where, value in changes:
        at = int(where * len(data))
        data[at : at + len(value)] = value
    path = tmp_path / ("x.crx" if whole.startswith(b"Cr24") else "x.zip")
    path.write_bytes(data[: int(cut * len(data)) or 1])
    read_everything(path)
