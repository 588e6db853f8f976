"""Configuration errors are reported at their positions, in every supported file format."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness import manifest

from extlint.cli.main import main
from extlint.linting.configuration.toml import TomlPlaces

TOML = """\
# a comment
title = "é" # another
list = ["a", 'b', # and one here
  "c"]
table = { a.b = 1, "x y" = { z = [ { q = 2 } ] } }
a."b.c".d = 3
[tool.x]
k = 4
[tool.x.sub]
m = 5
[[entry]]
n = 6
[entry.sub]
o = 7
[[entry]]
n = 8
[[entry.inner]]
p = 9
[[entry.inner]]
p = 10
"""

VALUES = {
    "list.1": "'b'",
    "list.2": '"c"',
    "table.a.b": "1",
    "table.x y.z.0.q": "2",
    "a.b\0c.d": "3",
    "tool.x.k": "4",
    "tool.x.sub.m": "5",
    "entry.0": "[[entry",
    "entry.0.n": "6",
    "entry.0.sub.o": "7",
    "entry.1.n": "8",
    "entry.1.inner.0.p": "9",
    "entry.1.inner.1.p": "10",
    "tool.x.sub": "sub",
    "tool.y": None,
    "entry.2": None,
}


@pytest.mark.parametrize("path", VALUES)
def test_toml_value_positions(path: str) -> None:
    data = TOML.encode()
    steps = [int(each) if each.isdecimal() else each.replace("\0", ".") for each in path.split(".")]
    span = TomlPlaces(data).value(steps)
    assert (None if span is None else data[slice(*span)].decode()) == VALUES[path]


def test_toml_key_positions() -> None:
    data = TOML.encode()
    places = TomlPlaces(data)
    cases: list[tuple[list[str | int], str]] = [
        (["list"], "list"),
        (["table", "x y"], '"x y"'),
        (["entry", 1, "n"], "n"),
        (["z"], ""),
    ]
    for steps, key in cases:
        span = places.key(steps)
        assert (b"" if span is None else data[slice(*span)]).decode() == key


NO_RULE = "no such rule: missing-ky; did you mean missing-key?"

MISTAKES = {
    "in a list": (
        "extlint.toml",
        'target = "chrome"\nignore = [\n  "uses",\n  "missing-ky",\n]',
        "4:4",
        NO_RULE,
    ),
    "in a text": ("extlint.toml", 'ignore = "uses, missing-ky"', "1:17", NO_RULE),
    "after a byte order mark": ("extlint.toml", '\ufeffignore = "missing-ky"', "1:11", NO_RULE),
    "after CRLF and umlauts": ("extlint.toml", '# ä\r\nignore = ["uses", "missing-ky"]', "2:20", NO_RULE),
    "a key": ("extlint.toml", '[severity]\nstores = "info"\nmissing-ky = "info"', "3:1", NO_RULE),
    "in a table": (
        ".extlint.toml",
        'severity = { stores = "warn" }',
        "1:23",
        "no such severity: warn; did you mean warning?",
    ),
    "in pyproject.toml": (
        "pyproject.toml",
        '[project]\nname = "a"\n[tool.extlint.per-file-ignores]\n"a.js" = "missing-ky"',
        "4:11",
        NO_RULE,
    ),
    "in an entry": (
        "pyproject.toml",
        '[[tool.extlint.extension]]\npath = "a"\n[[tool.extlint.extension]]\npath = "b"\n'
        'ignore = "missing-ky"',
        "5:11",
        NO_RULE,
    ),
    "an entry": (
        "extlint.toml",
        '[[extension]]\npath = "a"\n\n[[extension]]\ntarget = "chrome"',
        "4:1",
        "an extension entry requires path or manifest",
    ),
    "in package.json": (
        "package.json",
        '{\n  "extlint": {\n    "ignore": ["uses", "missing-ky"]\n  }\n}',
        "3:25",
        NO_RULE,
    ),
    "a key of package.json": (
        "package.json",
        '{"extlint": {"gitignore": true, "ignor": "uses"}}',
        "1:33",
        "no such key: ignor; did you mean ignore?",
    ),
    "broken TOML": ("extlint.toml", 'ignore = "uses"\nselect = [', "2:11", "invalid TOML: invalid value"),
    "no table": (
        "pyproject.toml",
        "[tool]\nextlint = 3",
        "2:11",
        "the configuration must be a table of keys",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("passed", [False, True], ids=["found", "given"])
def test_mistake_is_reported_at_its_position(
    name: str,
    passed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("manifest.json").write_text(manifest())
    file, text, place, sentence = MISTAKES[name]
    Path(file).write_bytes(text.encode())
    assert main(["check", *(["--config", file] if passed else [])]) == 2
    assert capsys.readouterr() == ("", f"extlint: {file}:{place}: {sentence}\n")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["a"], 0),
        (["a", "--config", "strict.toml"], 1),
        (["a", "b", "--config", "strict.toml"], 1),
        (["b", "--config", "a/extlint.toml"], 0),
    ],
)
def test_config_option_applies_to_all_extensions(
    arguments: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (Path("a"), Path("b")):
        folder.mkdir()
        (folder / "manifest.json").write_text(manifest(permissions=["managment"]))
    Path("a/extlint.toml").write_text('ignore = "unknown-permission"')
    Path("b/extlint.toml").write_text('fail-level = "warning"')
    Path("strict.toml").write_text('fail-level = "info"')
    assert main(["check", *arguments]) == status


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("none.toml", None, "no such file or folder: none.toml"),
        ("package.json", "{}", "package.json does not have the key extlint"),
        ("pyproject.toml", "[project]", "pyproject.toml does not have the key tool.extlint"),
    ],
)
def test_config_option_requires_a_configuration(
    file: str,
    text: str | None,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("manifest.json").write_text(manifest())
    if text is not None:
        Path(file).write_text(text)
    assert main(["check", "--config", file]) == 2
    assert capsys.readouterr() == ("", f"extlint: {sentence}\n")
