"""The kinds of files by name, and a check that one module has all lists of suffixes."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from extlint.package import suffixes
from extlint.package.suffixes import is_component, is_importable, is_page, is_script, is_xhtml, suffix_of

ROOTS = [Path(__file__).parent.parent / root for root in ("linter/extlint", "rules/extlint_rules")]
SUFFIXES = {*suffixes.CODE, *suffixes.ASSETS, *suffixes.ARCHIVES, *suffixes.CHROME_IMAGES}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.js", ".js"),
        ("folder.d/A.JS", ".js"),
        ("types.d.ts", ".ts"),
        (".js", ".js"),
        ("a.", "."),
        ("js", ""),
        ("folder.js/a", ""),
    ],
)
def test_suffix_of_a_path(path: str, expected: str) -> None:
    assert suffix_of(path) == expected


KINDS = {
    "script": is_script,
    "module": is_importable,
    "page": is_page,
    "XHTML": is_xhtml,
    "component": is_component,
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a.js", {"script", "module"}),
        ("A.TSX", {"script", "module"}),
        ("a.d.ts", set[str]()),
        ("d.ts", {"script", "module"}),
        ("a.es6", {"module"}),
        ("bin/cli", {"module"}),
        ("a.vue", {"module", "component"}),
        ("a.htm", {"page"}),
        ("a.XHTML", {"page", "XHTML"}),
        ("a.json", set[str]()),
    ],
)
def test_file_kinds_by_name(path: str, expected: set[str]) -> None:
    assert {kind for kind, holds in KINDS.items() if holds(path)} == expected


def suffix_lists(text: str) -> Iterator[str]:
    if sum(f'"{each}"' in text for each in SUFFIXES) < 2:
        return
    for part in ast.walk(ast.parse(text)):
        if isinstance(part, ast.Tuple | ast.List | ast.Set):
            texts = [each.value for each in part.elts if isinstance(each, ast.Constant)]
            found = [each for each in texts if each in SUFFIXES]
            if len(found) > 1:
                yield ast.unparse(part)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('_SCRIPTS = (".js", ".mjs")', 1),
        ('path.endswith((".htm", ".html"))', 1),
        ('A = frozenset({".png", ".svg"})', 1),
        ('path.endswith(".js")', 0),
        ('A = {".js": "JavaScript", ".ts": "TypeScript"}', 0),
        ('A = (".pathname", ".href")', 0),
    ],
)
def test_suffix_lists_are_found(text: str, count: int) -> None:
    assert len(list(suffix_lists(text))) == count


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: str(root.name))
def test_suffix_lists_are_in_one_module(root: Path) -> None:
    found = {
        str(path.relative_to(root)): lists
        for path in sorted(root.rglob("*.py"))
        if path.name != "suffixes.py"
        if (lists := list(suffix_lists(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
