"""Bugs that people had in their extensions, each a file of `tests/bugs/`.

A file has a header, the files of the package, and those that a repair changes:

    title: A worker opens a page with window.open
    source: https://github.com/owner/project/issues/1
    target: chrome
    decidable: yes
    rule: missing-global
    words: window, worker

    --- manifest.json
    {"manifest_version": 3, ...}
    --- background.js
    window.open("a.html"); ◀
    --- repaired background.js
    chrome.tabs.create({url: "a.html"});

`source` is the thread in which the bug was reported; the code is rewritten in the same form. `decidable`
states whether a reader of the package by itself can find the bug, with a reason if it is `no`. The mark is at
the end of the line with the mistake, and `words` must be in a message that names the cause. A file whose text
is `48x48` is an image of that size, `(deleted)` one that the repaired package does not have. Files that are
all in one folder are an archive of it, and shown without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from images import png

FOLDER = Path(__file__).parent / "bugs"

MARK = "◀"

_SECTION = re.compile(r"^--- (repaired )?(\S+)\n", re.MULTILINE)
_MARKED = re.compile(rf"[ \t]*{MARK}[ \t]*$", re.MULTILINE)
_SIZE = re.compile(r"(\d+)x(\d+)\s*")

Files = dict[str, str | bytes]


@dataclass(frozen=True)
class Bug:
    """One mistake, its location, and the package with and without it."""

    name: str
    title: str
    source: str
    target: str
    undecidable: str | None
    rule: str
    words: tuple[str, ...]
    also: tuple[str, ...]
    path: str
    line: int
    files: Files
    repaired: Files | None

    @property
    def group(self) -> str:
        """The folder of the bug's file."""
        return self.name.partition("/")[0]


@cache
def bugs() -> tuple[Bug, ...]:
    """Returns all bugs, by name."""
    return tuple(_read(file) for file in sorted(FOLDER.glob("*/*.txt")))


@cache
def missed() -> dict[str, str]:
    """Returns the names of the bugs that are not found, each with the missing capability."""
    lines = (FOLDER / "missed.txt").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if line and not line.startswith("#"))


def _read(file: Path) -> Bug:
    name = file.relative_to(FOLDER).with_suffix("").as_posix()
    head, *sections = _SECTION.split(file.read_text("utf-8"))
    keys = dict(line.split(": ", 1) for line in head.strip().splitlines())
    files: dict[str, str | bytes | None] = {}
    changes: dict[str, str | bytes | None] = {}
    places: list[tuple[str, int]] = []
    for repaired, path, text in zip(sections[::3], sections[1::3], sections[2::3], strict=True):
        places += [(path, text.count("\n", 0, found.start()) + 1) for found in _MARKED.finditer(text)]
        (changes if repaired else files)[path] = _content(_MARKED.sub("", text))
    verdict, _, reason = keys.pop("decidable").partition(", ")
    assert verdict in ("yes", "no"), f"{name}: decidable"
    assert len(places) == 1, f"{name}: one line has the mark {MARK}"
    (path, line) = places[0]
    if "manifest.json" not in files:
        path = path.partition("/")[2]
    bug = Bug(
        name=name,
        title=keys.pop("title"),
        source=keys.pop("source"),
        target=keys.pop("target"),
        undecidable=None if verdict == "yes" else reason,
        rule=keys.pop("rule"),
        words=tuple(keys.pop("words").split(", ")),
        also=tuple(keys.pop("also", "").split(", ")),
        path=path,
        line=line,
        files=_present(files),
        repaired=_present({**files, **changes}) if changes else None,
    )
    assert not keys, f"{name}: {', '.join(keys)}"
    return bug


def _content(text: str) -> str | bytes | None:
    if text.strip() == "(deleted)":
        return None
    if size := _SIZE.fullmatch(text):
        return png(int(size[1]), int(size[2]))
    return text


def _present(files: dict[str, str | bytes | None]) -> Files:
    return {path: content for path, content in files.items() if content is not None}
