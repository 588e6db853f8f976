"""Application of fixes: in rounds, each fix completely or not at all, and never breaking a file."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import manifest
from hypothesis import given
from hypothesis import strategies as st
from packages import package_of

from extlint.checking.fix_composition import ChangedPackage, FileText
from extlint.checking.fix_rounds import NotWrittenError, apply_fixes, write_changes
from extlint.cli.main import main
from extlint.finding import Edit, Finding, Fix, Severity
from extlint.package.files import Package
from extlint.project.target_detection.choice import NO_CHOICE
from extlint.report.report import Change, Report
from extlint.text.positions import Position, Span, TextIndex

MISTAKE = """\
{
  "manifest_version": 3,
  "name": "N", // the name
  "version": "1",
  "permissions": ["managment"]
}
"""
CORRECTED = MISTAKE.replace("managment", "management")


def edit(at: int, end: int, text: str, path: str = "a.js") -> Edit:
    return Edit(path, Span(Position(1, at + 1), Position(1, end + 1)), text)


def finding(*edits: Edit, safe: bool = True, at: int = 1) -> Finding:
    span = Span(Position(1, at), Position(1, at + 1))
    return Finding("rule", Severity.ERROR, "m", "a.js", span, fix=Fix(safe, edits, "Do it"))


class FakeCheck:
    """A check with predetermined findings for each text of `a.js`."""

    def __init__(self, **found: Sequence[Finding]) -> None:
        self.findings = found

    def __call__(self, package: Package) -> Report:
        return Report(package, tuple(self.findings.get(package.read("a.js").decode(), ())), 1, NO_CHOICE)

    def fix(self, text: str, *others: str, unsafe: bool = False) -> tuple[dict[str, bytes], int]:
        package = package_of({"manifest.json": "{}", "a.js": text, **dict.fromkeys(others, "c")})
        report = apply_fixes(package, self(package), self, unsafe=unsafe)
        return {each.path: each.after for each in report.changes}, report.fixed


def test_fixes_at_separate_positions_are_applied_at_once() -> None:
    judge = FakeCheck(abc=[finding(edit(0, 1, "x")), finding(edit(1, 2, "y"), at=2)])
    assert judge.fix("abc") == ({"a.js": b"xyc"}, 2)


def test_overlapping_fix_is_applied_in_the_next_round() -> None:
    judge = FakeCheck(
        abc=[finding(edit(0, 2, "x")), finding(edit(1, 3, "y"), at=2)], xc=[finding(edit(1, 2, "z"), at=2)]
    )
    assert judge.fix("abc") == ({"a.js": b"xz"}, 2)


def test_insertions_at_one_position_take_two_rounds() -> None:
    judge = FakeCheck(
        ab=[finding(edit(1, 1, "x")), finding(edit(1, 1, "y"), at=2)], axb=[finding(edit(1, 1, "y"), at=2)]
    )
    assert judge.fix("ab") == ({"a.js": b"ayxb"}, 2)


def test_same_fix_of_several_findings_is_applied_once() -> None:
    judge = FakeCheck(ab=[finding(edit(1, 1, "x")), finding(edit(1, 1, "x"), at=2)])
    assert judge.fix("ab") == ({"a.js": b"axb"}, 2)


def test_edits_of_a_fix_are_applied_all_or_nothing() -> None:
    both = finding(edit(0, 1, "x"), edit(0, 1, "z", "b.js"))
    judge = FakeCheck(ab=[finding(edit(0, 2, "y")), both])
    assert judge.fix("ab", "b.js") == ({"a.js": b"y"}, 2), "the fix of the first mends the other too"
    judge = FakeCheck(ab=[both])
    assert judge.fix("ab", "b.js") == ({"a.js": b"xb", "b.js": b"z"}, 1)
    assert judge.fix("ab") == ({}, 0)


def test_unsafe_fixes_are_applied_only_on_request() -> None:
    judge = FakeCheck(ab=[finding(edit(0, 1, "x"), safe=False), finding(edit(1, 2, "y"), at=2)])
    assert judge.fix("ab") == ({"a.js": b"ay"}, 1)
    assert judge.fix("ab", unsafe=True) == ({"a.js": b"xy"}, 2)


def test_fix_that_does_not_remove_its_finding_is_reverted() -> None:
    useless, useful = finding(edit(0, 1, "x")), finding(edit(1, 2, "y"), at=2)
    judge = FakeCheck(ab=[useless, useful], xy=[useless], ay=[useless], xb=[useless])
    assert judge.fix("ab") == ({"a.js": b"ay"}, 1)


def test_fixes_that_undo_one_another_terminate() -> None:
    judge = FakeCheck(a=[finding(edit(0, 1, "b"))], b=[finding(edit(0, 1, "a"), at=2)])
    changed, fixed = judge.fix("a")
    assert (changed, fixed) == ({"a.js": b"b"}, 1)


def test_rounds_of_fixes_are_limited() -> None:
    texts = {"a" * length: [finding(edit(0, 0, "a"), at=length)] for length in range(1, 60)}
    assert FakeCheck(**texts).fix("a") == ({"a.js": b"a" * 21}, 20)


def fix_counts(text: str, **found: Sequence[Finding]) -> tuple[int, int, int, int]:
    """Returns how many findings are fixed, appeared only later, are not fixed, and are still fixable."""
    package, judge = package_of({"manifest.json": "{}", "a.js": text}), FakeCheck(**found)
    report = apply_fixes(package, judge(package), judge, unsafe=False)
    left = sum(each.fix is not None for each in report.findings)
    return report.fixed, report.fixed_later, report.unfixed, left


X, Y, Z = (finding(edit(at, at + 1, letter), at=at + 1) for at, letter in enumerate("xyz"))
UNSAFE = finding(edit(2, 3, "z"), safe=False, at=3)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param({"abc": [X, Y]}, (2, 0, 0, 0), id="as many as were announced"),
        pytest.param({"abc": [X], "xbc": [Y, Z]}, (3, 2, 0, 0), id="others come up"),
        pytest.param({"abc": [finding(edit(0, 2, "xy")), Y]}, (2, 0, 0, 0), id="one fix for two findings"),
        pytest.param(
            {"abc": [X, Y], "xyc": [X], "xbc": [X], "ayc": [X]}, (1, 0, 1, 0), id="a fix without effect"
        ),
        pytest.param({"abc": [X, UNSAFE], "xbc": [UNSAFE]}, (1, 0, 0, 1), id="an unsafe one is left"),
    ],
)
def test_fix_counts(found: dict[str, Sequence[Finding]], expected: tuple[int, ...]) -> None:
    assert fix_counts("abc", **found) == expected


def test_fix_that_breaks_a_script_is_not_applied() -> None:
    text = "f(a, b);"
    breaking = finding(edit(1, 2, ""))
    judge = FakeCheck(**{text: [breaking, finding(edit(2, 3, "c"), at=2)], "f(c, b);": [breaking]})
    assert judge.fix(text) == ({"a.js": b"f(c, b);"}, 1)
    broken = "f(a, b; }"
    judge = FakeCheck(**{broken: [finding(edit(2, 3, "c"), at=2)]})
    assert judge.fix(broken) == ({"a.js": b"f(c, b; }"}, 1), "it was broken before"


def test_fix_that_breaks_a_manifest_is_not_applied() -> None:
    for text in ("]", '{"a": 1, "a": 2}'):
        judge = FakeCheck(a=[finding(edit(0, 2, text, "manifest.json"))])
        assert judge.fix("a") == ({}, 0)


def test_linked_file_is_changed_under_both_names() -> None:
    package = Package("ext", {"a": lambda: b"x", "b": lambda: b"x"}, links={"b": "a"})
    changed = ChangedPackage(package, {"b": b"y"})
    assert (changed.read("a"), changed.read("b")) == (b"y", b"y")
    assert package.read("a") == b"x"


# Texts


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_encoding_is_preserved(codec: str) -> None:
    mark = b"\xfe\xff" if codec == "utf-16-be" else b""
    text = FileText(mark + "a 🙂 b\r\nc".encode(codec))
    assert text.can_be_changed
    text.accept(
        [
            Edit("", Span(Position(1, 5), Position(1, 6)), "é"),
            Edit("", Span(Position(2, 2), Position(2, 2)), "d"),
        ]
    )
    assert text.apply_accepted() == mark + "a 🙂 é\r\ncd".encode(codec)


def test_invalid_bytes_are_preserved() -> None:
    text = FileText(b"\xff a \xe9 b")
    text.accept([edit(6, 7, "c")])
    assert text.apply_accepted() == b"\xff a \xe9 c"
    assert not FileText(b"\xff\xfea\x00\x00\xd8").can_be_changed, "broken UTF-16 would not stay as it is"


@given(st.text("a\r\né🙂\ufeff", max_size=12), st.data())
def test_position_and_offset_round_trip(text: str, data: st.DataObject) -> None:
    index = TextIndex(text.encode())
    offset = len(text[: data.draw(st.integers(0, len(text)))].encode())
    position = index.position(offset)
    assert index.position(index.offset(position)) == position


# Files


def change(before: str = "a", after: str = "b", path: str = "manifest.json") -> Change:
    return Change(path, before.encode(), after.encode())


def package_at(folder: Path) -> Package:
    return Package(str(folder), {})


def test_write_keeps_file_mode_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text("a")
    file.chmod(0o640)
    write_changes(package_at(tmp_path), [change()])
    assert file.read_text() == "b"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["manifest.json"]


def test_nothing_is_written_if_one_file_has_changed(tmp_path: Path) -> None:
    for name in ("a.js", "b.js"):
        (tmp_path / name).write_text("a")
    with pytest.raises(NotWrittenError, match=r"b\.js: it was changed while it was checked"):
        write_changes(package_at(tmp_path), [change(path="a.js"), change("z", path="b.js")])
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"a.js": "a", "b.js": "a"}


def test_links_are_followed_only_inside_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "ext"
    folder.mkdir()
    (tmp_path / "out.js").write_text("a")
    (folder / "in.js").write_text("a")
    (folder / "link.js").symlink_to("in.js")
    (folder / "leads-out.js").symlink_to("../out.js")
    write_changes(package_at(folder), [change(path="link.js")])
    assert (folder / "link.js").is_symlink()
    assert (folder / "in.js").read_text() == "b"
    with pytest.raises(NotWrittenError, match="outside of the extension's folder"):
        write_changes(package_at(folder), [change(path="leads-out.js")])
    assert (tmp_path / "out.js").read_text() == "a"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everything")
def test_read_only_file_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("a")
    (tmp_path / "manifest.json").chmod(0o400)
    with pytest.raises(NotWrittenError, match="permission denied"):
        write_changes(package_at(tmp_path), [change()])


# Command line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    found = tmp_path / "ext"
    found.mkdir()
    (found / "manifest.json").write_text(MISTAKE, newline="")
    return found


ONLY = ("--select", "unknown-permission", "--target", "reference")


def check(*arguments: str) -> int:
    return main(["check", "ext", *ONLY, *arguments])


def test_summary_counts_fixable_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check() == 0
    assert "\n[*] 1 can be fixed with --fix\n" in capsys.readouterr().out
    assert (folder / "manifest.json").read_text() == MISTAKE


def test_fix_option_writes_files_and_reports_the_rest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check("--fix", "--fail-level", "warning") == 0
    assert capsys.readouterr() == (
        "No findings in 1 extension (1 file).\nfixed 1 finding\nchecked for reference: --target says so\n",
        "",
    )
    assert (folder / "manifest.json").read_text() == CORRECTED
    assert check("--fix") == 0
    assert "fixed" not in capsys.readouterr().out
    assert (folder / "manifest.json").read_text() == CORRECTED


def test_findings_that_appear_after_fixes_are_counted_separately(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "manifest.json").write_text(MISTAKE.replace("managment", "https://a.b"))

    def reported(*arguments: str) -> str:
        rules = "invalid-value,wrong-manifest-version"
        main(["check", "ext", "--select", rules, "--target", "chrome", *arguments])
        output = capsys.readouterr()
        return output.err or output.out.splitlines()[-2]

    assert reported() == "[*] 1 can be fixed with --fix"
    assert reported("--diff") == "would fix 1 finding, and 1 more that appeared after that\n"
    assert reported("--fix") == "fixed 1 finding, and 1 more that appeared after that"


def test_suppressed_finding_is_not_fixed(folder: Path) -> None:
    comment = "// extlint-disable-next-line unknown-api -- later\n"
    script = f"{comment}browser.tabs.qurey({{}});\nbrowser.tabs.creat({{}});\n"
    (folder / "b.js").write_text(script)
    (folder / "manifest.json").write_text(manifest(background={"scripts": ["b.js"]}))
    assert main(["check", "ext", "--target", "firefox", "--select", "unknown-api", "--fix"]) == 0
    assert (folder / "b.js").read_text() == script.replace("creat(", "create(")


def test_json_counts_fixed_and_fixable_findings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "manifest.json").write_text(MISTAKE.replace('"managment"', '"managment", "https://a.b"'))

    def summary(*arguments: str) -> tuple[int, int, int]:
        main(["check", "ext", "--target", "chrome", "--output-format", "json", *arguments])
        counts = json.loads(capsys.readouterr().out)["summary"]
        assert counts["fixed_later"] == counts["unfixed"] == 0
        return counts["fixed"], counts["fixable"], counts["fixable_unsafely"]

    assert summary("--select", "unknown-permission") == (0, 1, 0)
    assert summary("--select", "unknown-permission", "--fix") == (1, 0, 0)


def test_json_counts_findings_that_appear_after_fixes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "manifest.json").write_text(MISTAKE.replace("managment", "https://a.b"))
    rules = "invalid-value,wrong-manifest-version"
    main(["check", "ext", "--select", rules, "--target", "chrome", "--fix", "--output-format", "json"])
    counts = json.loads(capsys.readouterr().out)["summary"]
    assert (counts["fixed"], counts["fixed_later"], counts["unfixed"]) == (2, 1, 0)


def test_diff_option_changes_no_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--diff") == 1
    assert capsys.readouterr() == (
        """\
--- ext/manifest.json
+++ ext/manifest.json
@@ -2,5 +2,5 @@
   "manifest_version": 3,
   "name": "N", // the name
   "version": "1",
-  "permissions": ["managment"]
+  "permissions": ["management"]
 }
""",
        "would fix 1 finding\n",
    )
    assert (folder / "manifest.json").read_text() == MISTAKE
    (folder / "manifest.json").write_text(CORRECTED)
    assert check("--diff") == 0
    assert capsys.readouterr() == ("", "would fix nothing\n")
    assert check("--diff", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_diff_marks_missing_newline_and_escapes_controls(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = MISTAKE.strip().replace("the name", "the \x1b[2Jname").replace("\n", "\r\n")
    (folder / "manifest.json").write_text(text, newline="")
    assert check("--diff", "--quiet") == 1
    out = capsys.readouterr().out
    assert "the \\x1b[2Jname\r\n" in out
    assert out.endswith(" }\n\\ No newline at end of file\n")


def test_unsafe_fixes_require_fix_or_diff(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check("--unsafe-fixes") == 2
    assert capsys.readouterr().err == "extlint: --unsafe-fixes requires --fix or --diff\n"


def test_archives_are_never_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = folder.parent / "ext.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("manifest.json", MISTAKE)
    before = archive.read_bytes()
    assert main(["check", "ext.zip", *ONLY, "--fix"]) == 2
    output = capsys.readouterr()
    assert output.err == "extlint: cannot fix ext.zip: files in archives are not changed\n"
    assert "[*]" not in output.out
    assert "can be fixed" not in output.out
    assert archive.read_bytes() == before


@pytest.mark.parametrize("text", [MISTAKE, CORRECTED], ids=["a mistake", "no mistake"])
@pytest.mark.parametrize("name", [None, "ext/manifest.json"], ids=["no name", "a name"])
def test_fixed_standard_input_is_written_to_standard_output(
    text: str,
    name: str | None,
    folder: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    named = () if name is None else ("--stdin-filename", name)
    assert main(["check", "-", *ONLY, "--fix", *named]) == 0
    output = capsysbinary.readouterr()
    assert output.out == CORRECTED.encode()
    assert b"No findings" in output.err
    assert (folder / "manifest.json").read_text() == MISTAKE


def test_diff_of_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "a.js").write_text("")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert main(["check", "-", *ONLY, "--diff", "--stdin-filename", "ext/a.js"]) == 0
    output = capsys.readouterr()
    assert (output.out, output.err) == ("", "would fix nothing\n")
