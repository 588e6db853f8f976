"""The messages of browsers, and the rules that find their causes: the table in `docs/errors/`.

Each file is a topic. Each section of it has a message as its title, in code, with `…` for a part that varies,
the browsers that print it, the rules, an explanation, and examples: the files of an extension that makes the
browsers print it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ERRORS = Path(__file__).parents[2] / "docs" / "errors"

RECORDED = Path(__file__).with_name("printed_errors.json")
"""The lines that browsers print, by browser and message.

`extlint_judge printed-errors --browser B --write` writes them.
"""

TARGETS = {"Chrome": "chrome", "Firefox": "firefox"}
"""The target of each browser, by its name in the table of messages."""

COMMANDS = {"Chrome": "chromium", "Firefox": "firefox"}
"""The names of the browsers for `extlint_judge`."""

ELLIPSIS = "…"

_SECTION = re.compile(r"^## (`+)(.+)\1$", re.MULTILINE)
_HEADER = re.compile(r"\s*Printed by: (.+)\nFound by: (.+)\n")
_BLOCK = re.compile(r"^```(\w+) (\S+)\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"`([a-z-]+)`")
_NOT_IN_ADDRESSES = re.compile(r"[^a-z0-9]+")

MAX_ADDRESS = 80
"""The length of the part of an address that names a message."""

BACKGROUND = "background.js"

KEYS: Mapping[str, Mapping[str, object]] = {
    "Chrome": {"service_worker": BACKGROUND},
    "Firefox": {"scripts": [BACKGROUND]},
}
"""The key `background` of each browser, for examples without a manifest."""


@dataclass(frozen=True)
class Example:
    """An extension that makes a browser print a message. `title` is empty if it is the only one."""

    title: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class ErrorMessage:
    """A message, with the names of browsers and rules, and the examples.

    Without rules, nothing in the code of an extension causes the message, and there are not any examples.
    """

    text: str
    browsers: tuple[str, ...]
    rules: tuple[str, ...]
    about: str
    examples: tuple[Example, ...]
    topic: str

    @cached_property
    def address(self) -> str:
        """The part of the page's address that names the message."""
        words = _NOT_IN_ADDRESSES.sub("-", self.text.lower().replace("'", "")).strip("-")
        return words if len(words) <= MAX_ADDRESS else words[:MAX_ADDRESS].rpartition("-")[0]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A pattern of the message as browsers print it."""
        return re.compile(".*?".join(map(re.escape, self.text.split(ELLIPSIS))))


@dataclass(frozen=True)
class Topic:
    """The messages of one file. `title` and `about` introduce them."""

    name: str
    title: str
    about: str
    messages: tuple[ErrorMessage, ...]


def topics(folder: Path = ERRORS) -> Iterator[Topic]:
    """Yields the topics by name. Raises ValueError if a section has another form."""
    for path in sorted(folder.glob("*.md")):
        start, *sections = _SECTION.split(path.read_text("utf-8"))
        title, _, about = start.removeprefix("# ").partition("\n")
        pairs = zip(sections[1::3], sections[2::3], strict=True)
        messages = tuple(_message(path.stem, each.strip(), body) for each, body in pairs)
        yield Topic(path.stem, title, about.strip(), messages)


def error_messages() -> Iterator[ErrorMessage]:
    """Yields the messages of all topics."""
    for topic in topics():
        yield from topic.messages


def _message(topic: str, title: str, body: str) -> ErrorMessage:
    header = _HEADER.match(body)
    if header is None:
        raise ValueError(f"{topic}: {title}: the browsers and rules are missing")
    browsers = tuple(header[1].split(", "))
    about, *parts = re.split(r"^### (.+)$", body[header.end() :], flags=re.MULTILINE)
    if not parts and "\n```" in about:
        at = about.index("\n```")
        about, parts = about[:at], ["", about[at:]]
    examples = tuple(
        Example(each, files_of(text, browsers)) for each, text in zip(parts[::2], parts[1::2], strict=True)
    )
    return ErrorMessage(title, browsers, tuple(_NAME.findall(header[2])), about.strip(), examples, topic)


def files_of(text: str, browsers: Iterable[str]) -> Mapping[str, str]:
    """Returns the files in a text, with a manifest that names `background.js` if it is missing."""
    files = {name: content for _, name, content in _BLOCK.findall(text)}
    if any(name.endswith("manifest.json") for name in files):
        return files
    background = {name: value for each in browsers for name, value in KEYS[each].items()}
    keys = {"manifest_version": 3, "name": "Example", "version": "1.0", "background": background}
    return {"manifest.json": json.dumps(keys, indent=2) + "\n", **files}


def recorded() -> dict[str, dict[str, str]]:
    """Returns the recorded lines, by browser and message."""
    found: dict[str, dict[str, str]] = json.loads(RECORDED.read_text("utf-8")) if RECORDED.exists() else {}
    return found


def write_recorded(browser: str, lines: Mapping[str, str]) -> None:
    """Writes the lines of a browser, and preserves those of the others."""
    text = json.dumps({**recorded(), browser: dict(lines)}, indent=1, sort_keys=True, ensure_ascii=False)
    RECORDED.write_text(text + "\n", "utf-8", newline="\n")
