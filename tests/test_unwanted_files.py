"""Files that should not be in a package: private keys in folders, and more in archives."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from harness import lint, manifest
from packages import open_archive

from extlint.checker import check_package
from extlint.cli.main import main
from extlint.schema.targets import Target

RULE = "unwanted-file"
KEY = "-----BEGIN {}-----\nMIIEvQ==\n-----END {}-----\n"
PRIVATE = KEY.format(*["PRIVATE KEY"] * 2)


@pytest.mark.parametrize(
    ("path", "text", "is_reported"),
    [
        ("a.pem", PRIVATE, True),
        ("a/B.PEM", PRIVATE, True),
        ("a.pem", KEY.format(*["RSA PRIVATE KEY"] * 2), True),
        ("a.pem", KEY.format(*["PUBLIC KEY"] * 2), False),
        ("a.pem", KEY.format(*["CERTIFICATE"] * 2), False),
        ("a.key", PRIVATE, False),
        ("a.txt", PRIVATE, False),
        (".git/config", "", False),
        ("node_modules/a/a.js", "1;", False),
    ],
)
def test_private_key_in_a_folder(path: str, text: str, is_reported: bool) -> None:
    files = {"manifest.json": manifest(), path: text}
    assert [each.rule for each in lint(files, [RULE], "chrome")] == [RULE] * is_reported
    assert lint(files, [RULE], "firefox") == []


def test_source_of_a_build_may_have_a_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "manifest.json").write_text(manifest())
    (tmp_path / "a.pem").write_text(PRIVATE)
    (tmp_path / "package.json").write_text('{"scripts": {"build": "webpack"}}')
    assert main(["check", str(tmp_path), "--select", RULE, "--target", "chrome"]) == 0
    assert RULE not in capsys.readouterr().out


OWN = "everyone who installs the extension has the"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["a.js", "a.md"], []),
        (["a.key"], [f"warning: the package contains `a.key`: {OWN} private key"]),
        ([".git/HEAD", ".git/a/b"], [f"warning: the package contains `.git`: {OWN} repository"]),
        (["a/.svn/entries"], [f"warning: the package contains `a/.svn`: {OWN} repository"]),
        ([".gitignore"], []),
        (
            ["node_modules/a/a.js"],
            ["warning: the package contains `node_modules`: the extension uses none of its files"],
        ),
        (["node_modules/used/a.js", "node_modules/a/a.js"], []),
        (["a.js~", ".DS_Store"], ["info: the package contains `.DS_Store` and `a.js~`:"]),
        (["bin/a.exe"], ["info: the package contains `bin/a.exe`: browsers do not run such programs"]),
    ],
)
@pytest.mark.parametrize("target", ["chrome", "firefox"])
def test_files_in_an_archive(target: str, paths: list[str], expected: list[str], tmp_path: Path) -> None:
    scripts = ["node_modules/used/a.js"] if "node_modules/used/a.js" in paths else ["b.js"]
    keys = {"content_scripts": [{"matches": ["https://example.org/*"], "js": scripts}]}
    archive = tmp_path / "a.zip"
    with ZipFile(archive, "w") as packed:
        packed.writestr("manifest.json", manifest(**keys))
        for path in ["b.js", *paths]:
            packed.writestr(path, PRIVATE if path.endswith(".key") else "1;")
    found = check_package(open_archive(archive, "a.zip"), [Target(target)], [RULE]).findings
    texts = [f"{each.severity.name.lower()}: {each.message}" for each in found]
    assert len(texts) == len(expected)
    assert all(text.startswith(start) for text, start in zip(texts, expected, strict=True))
