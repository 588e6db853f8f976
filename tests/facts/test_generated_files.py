"""Generated files are folded for reviewers: `.gitattributes` covers all of them, and no others."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from extlint_facts import recorded, renewal

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = renewal.SCHEMAS.relative_to(ROOT).as_posix()
RECORDED = Path(recorded.__file__).parent

GENERATED = [f"/{SCHEMAS}/{path}" for path in renewal.committed(renewal.SCHEMAS)]
GENERATED += [f"/{path.relative_to(ROOT).as_posix()}" for path in RECORDED.glob("*.json")]


def covered(path: str, pattern: str) -> bool:
    """Whether a pattern of one folder covers a path; its `*` does not match a slash."""
    folder, _, name = path.rpartition("/")
    of, _, names = pattern.rpartition("/")
    return folder == of and fnmatchcase(name, names)


def patterns() -> list[str]:
    lines = (ROOT / ".gitattributes").read_text().splitlines()
    return [line.split()[0] for line in lines if line.split()[1:] == ["linguist-generated"]]


def test_every_generated_file_is_covered() -> None:
    uncovered = [path for path in GENERATED if not any(covered(path, each) for each in patterns())]
    assert uncovered == []


def test_no_other_file_is_covered() -> None:
    idle = [each for each in patterns() if not any(covered(path, each) for path in GENERATED)]
    sources = (f"/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "tools").rglob("*.json"))
    folded = [path for path in sources if any(covered(path, each) for each in patterns())]
    assert idle == []
    assert set(folded) <= set(GENERATED)
