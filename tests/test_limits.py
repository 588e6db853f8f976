"""Each bound on what is read, followed or shown has a name that begins with `MAX_` (or `MIN_`)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

OTHER_WORDS = re.compile(
    r"_?(?:BIGGEST|BOUND|BUDGET|CAP|DEEPEST|LARGEST|LIMIT|LONGEST|MOST)(?:_|\Z)|\w+_(?:BUDGET|LIMIT|MAX)\Z"
)
ROOTS = [Path(__file__).parent.parent / root for root in ("linter/extlint", "rules/extlint_rules")]


def limits_by_other_names(text: str) -> Iterator[str]:
    for part in ast.parse(text).body:
        targets = part.targets if isinstance(part, ast.Assign) else [getattr(part, "target", None)]
        for target in targets:
            if isinstance(target, ast.Name) and target.id.isupper() and OTHER_WORDS.match(target.id):
                yield target.id


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MOST_STEPS = 3", ["MOST_STEPS"]),
        ("_DEEPEST: int = 3", ["_DEEPEST"]),
        ("DEPTH_LIMIT = 3", ["DEPTH_LIMIT"]),
        ("MAX_DEPTH = 3\n_MIN_SHARE = 0.5\nCAPTURE = 1\nmost = 3", []),
    ],
)
def test_other_names_are_found(text: str, expected: list[str]) -> None:
    assert list(limits_by_other_names(text)) == expected


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: str(root.name))
def test_limits_have_one_prefix(root: Path) -> None:
    found = {
        str(path.relative_to(root)): names
        for path in sorted(root.rglob("*.py"))
        if (names := list(limits_by_other_names(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
