"""The scripts of the page that edit texts and archives, run with Node.js and compared with Python."""

from __future__ import annotations

import json
import subprocess
from io import BytesIO
from pathlib import Path
from random import Random
from shutil import which
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from extlint.text.positions import TextIndex

PAGE = Path(__file__).parents[1] / "linter/extlint/services/serve/page"
NODE = which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node")


def run(module: str, names: str, expression: str, value: Any) -> Any:
    """Returns the value of an expression with `value`, and names that a module exports."""
    source = f"import {{ {names} }} from {json.dumps((PAGE / module).as_uri())};\n"
    source += f"const value = {json.dumps(value)};\n"
    source += f"process.stdout.write(JSON.stringify(await (async () => {expression})()));"
    command = [str(NODE), "--input-type=module", "--no-warnings", "-e", source]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    return json.loads(done.stdout)


CHARACTERS = ("a", " ", "\t", "\n", "\r", "\r\n", "é", "😀", "e\u0301", "\u2028", "\x0b", "\ufeff")


def test_positions_are_those_of_reports() -> None:
    chance = Random(1)
    texts = ["".join(chance.choices(CHARACTERS, k=chance.randrange(12))) for _ in range(500)]
    cases = []
    expected = []
    for text in texts:
        data = text.encode()
        index = TextIndex(data)
        body = text.removeprefix("\ufeff")
        ends = [each for each in range(len(body) + 1) if body[each - 1 : each + 1] != "\r\n"]
        skipped = len(data) - len(body.encode())
        places = [index.position(skipped + len(body[:end].encode())) for end in ends]
        cases.append([text, [{"line": each.line, "column": each.column} for each in places]])
        expected.append([len(body[:end].encode("utf-16-le")) // 2 for end in ends])
    located = "value.map(([text, places]) => places.map((each) => new Text(text).offset(each)))"
    assert run("texts.js", "Text", located, cases) == expected


Edits = list[tuple[int, int, str]]

CHANGED: list[tuple[str, Edits, list[Any]]] = [
    ("a\nb\nc\n", [(2, 3, "B")], [[2, ["b"], ["B"]]]),
    ("a\nb\nc\n", [(2, 4, "")], [[2, ["b"], []]]),
    ("a\nb\nc\n", [(2, 2, "x\n")], [[2, [], ["x"]]]),
    ("a\nb\nc\n", [(0, 1, "A"), (4, 5, "C")], [[1, ["a"], ["A"]], [3, ["c"], ["C"]]]),
    ("aa bb\n", [(0, 2, "A"), (3, 5, "B")], [[1, ["aa bb"], ["A B"]]]),
    ("a\r\nb\r\n", [(3, 4, "B")], [[2, ["b"], ["B"]]]),
    ("a", [(1, 1, "\nb")], [[2, [], ["b"]]]),
    ("", [(0, 0, "a")], [[1, [], ["a"]]]),
    ("a\nb", [(1, 2, "")], [[1, ["a", "b"], ["ab"]]]),
]
"""A text, edits, and the number of the first changed line, the removed lines and the added ones."""


def as_objects(edits: Edits) -> list[dict[str, object]]:
    return [{"start": a, "end": b, "text": new} for a, b, new in edits]


def test_changed_lines() -> None:
    value = [(text, as_objects(edits)) for text, edits, _ in CHANGED]
    each_changed = "value.map(([text, edits]) => changedLines(new Text(text), edits))"
    found = run("texts.js", "Text, changedLines", each_changed, value)
    shown = [[[each["first"], each["removed"], each["added"]] for each in lines] for lines in found]
    assert shown == [expected for _, _, expected in CHANGED]


COMPATIBLE: list[tuple[Edits, Edits, bool]] = [
    ([(0, 2, "x")], [(2, 4, "y")], True),
    ([(0, 2, "x")], [(1, 3, "y")], False),
    ([(0, 2, "x")], [(0, 2, "x")], True),
    ([(0, 2, "x")], [(0, 2, "y")], False),
    ([(1, 1, "x")], [(1, 1, "y")], False),
    ([(1, 1, "x")], [(1, 3, "y")], True),
    ([(0, 4, "x")], [(2, 2, "y")], False),
    ([], [(0, 2, "x"), (1, 3, "y")], False),
]
"""Accepted edits, more of them, and whether they are compatible."""


def test_edits_conflict_as_on_the_command_line() -> None:
    value = [(as_objects(accepted), as_objects(added)) for accepted, added, _ in COMPATIBLE]
    found = run("texts.js", "areCompatible", "value.map((each) => areCompatible(...each))", value)
    assert found == [expected for _, _, expected in COMPATIBLE]


PATCH = """{
    const blob = new Blob([Buffer.from(value.data, "hex")]);
    const before = (path) => ({ text: value.before[path] });
    const made = await patched(blob, new Map(Object.entries(value.after)), before);
    const data = Buffer.from(await made.blob.arrayBuffer()).toString("hex");
    return { data, unchanged: made.unchanged };
}"""


def patch(data: bytes, before: dict[str, str], after: dict[str, str]) -> tuple[dict[str, bytes], list[str]]:
    value = {"data": data.hex(), "before": before, "after": after}
    found = run("fixes.js", "patched", PATCH, value)
    with ZipFile(BytesIO(bytes.fromhex(found["data"]))) as archive:
        assert archive.testzip() is None
        return {each: archive.read(each) for each in archive.namelist()}, found["unchanged"]


def zipped(files: dict[str, bytes], prefix: bytes = b"") -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
        archive.comment = b"a comment"
    return prefix + buffer.getvalue()


@pytest.mark.parametrize("prefix", [b"", b"Cr24\x03\x00\x00\x00\x00\x00\x00\x00"])
@pytest.mark.parametrize("folder", ["", "top/", "./"])
def test_patched_archive_keeps_other_files(prefix: bytes, folder: str) -> None:
    files = {
        "manifest.json": b"{}",
        "a.js": b"\xef\xbb\xbfold",
        "b.js": bytes(range(256)) * 50,
        "META-INF/mozilla.rsa": b"x",
        "é.js": b"1",
    }
    named = {folder + name: data for name, data in files.items()}
    found, unchanged = patch(
        zipped(named, prefix), {"a.js": "old", "é.js": "1"}, {"a.js": "new ü", "é.js": "2"}
    )
    assert unchanged == []
    expected = {**files, "a.js": "\ufeffnew ü".encode(), "é.js": b"2"}
    del expected["META-INF/mozilla.rsa"]
    assert found == {folder + name: data for name, data in expected.items()}


def test_files_that_differ_from_the_checked_text_are_not_changed() -> None:
    data = zipped({"manifest.json": b"{}", "a.js": b"\xff\xfea\x00", "b.js": b"other"})
    found, unchanged = patch(
        data, {"a.js": "a", "b.js": "b", "c.js": "c"}, {"a.js": "x", "b.js": "x", "c.js": "x"}
    )
    assert unchanged == ["a.js", "b.js", "c.js"]
    assert found["b.js"] == b"other"


@pytest.mark.parametrize("size", [0, 5, 21, 60])
def test_damaged_archive_is_rejected(size: int) -> None:
    attempt = """readZip(new Blob([Buffer.from(value, "hex")])).catch((error) => error.constructor.name)"""
    data = zipped({"manifest.json": b"{}"})
    assert run("zip.js", "readZip", attempt, data[:size].hex()) == "ZipError"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a/manifest.json", "a/b.js"], ["a", ["b.js", "manifest.json"]]),
        (["manifest.json", "x/manifest.json"], ["", ["manifest.json", "x/manifest.json"]]),
        (
            ["README", "src/x.js", "dist/x/manifest.json", "dist/x/é.js"],
            ["dist/x", ["manifest.json", "é.js"]],
        ),
    ],
)
def test_folder_is_that_of_the_nearest_manifest(paths: list[str], expected: list[Any]) -> None:
    make = """{
        const files = value.map((path) => ({ path, file: new Blob([path]) }));
        const { blob, folder } = await archived(files);
        return [folder, Buffer.from(await blob.arrayBuffer()).toString("hex")];
    }"""
    folder, data = run("folders.js", "archived", make, paths)
    with ZipFile(BytesIO(bytes.fromhex(data))) as archive:
        assert [folder, archive.namelist()] == expected
        prefix = f"{folder}/" if folder else ""
        assert all(archive.read(each) == (prefix + each).encode() for each in archive.namelist())
