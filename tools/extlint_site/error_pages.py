"""Generates a page for each message of browsers, with the rules that find its causes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import extlint
from extlint_site.error_messages import COMMANDS, TARGETS, ErrorMessage, Example, Topic, recorded, topics
from extlint_site.markdown import code, code_span, hidden_toctree, table
from extlint_site.search import FORM

_LANGUAGES = {"js": "javascript", "json": "json", "html": "html", "svg": "xml"}

_ABOUT = """\
These messages are printed by Chrome, by browsers that are made of it, such as Edge and Brave, or by Firefox.
Each page has code that causes the message, and the rules that find it."""


def error_pages() -> Iterator[tuple[str, str]]:
    """Yields the name and text of each page."""
    listed = [*topics()]
    lines = recorded()
    yield "errors/index", _index(listed)
    for topic in listed:
        for message in topic.messages:
            yield f"errors/{message.address}", _page(topic, message, lines)


def _index(listed: list[Topic]) -> str:
    parts = ["# Error messages\n", f"{_ABOUT}\n", FORM]
    for topic in listed:
        rows = [
            (f"[{code_span(each.text)}]({each.address}.md)", ", ".join(each.browsers), _rules(each))
            for each in topic.messages
        ]
        parts += [f"## {topic.title}\n", table(("message", "browser", "rules"), rows)]
    names = [each.address for topic in listed for each in topic.messages]
    return "\n".join([*parts, hidden_toctree(names)])


def _page(topic: Topic, message: ErrorMessage, lines: Mapping[str, Mapping[str, str]]) -> str:
    rows = [
        ("printed by", ", ".join(message.browsers)),
        ("found by", _rules(message) or "no rule: nothing in the code of the extension is wrong"),
        ("kind", f"[{topic.title}](index.md#{anchor(topic.title)})"),
    ]
    parts = [f"# {code_span(message.text)}\n", table(("", ""), rows), f"{message.about}\n"]
    for example in message.examples:
        heading = f"Example: {example.title[0].lower()}{example.title[1:]}" if example.title else "Example"
        parts += [f"## {heading}\n", *_files(example), *_findings(message, example)]
    printed = [
        f"{browser} prints:\n\n{_wrapped(line)}\n"
        for browser in message.browsers
        if (line := lines.get(COMMANDS[browser], {}).get(message.text)) is not None
    ]
    return "\n".join([*parts, *(["## The whole line\n", *printed] if printed else [])])


def _files(example: Example) -> Iterator[str]:
    for name, content in example.files.items():
        yield f"{code(content, _LANGUAGES.get(name.rpartition('.')[2], 'text'), name)}\n"


def _findings(message: ErrorMessage, example: Example) -> Iterator[str]:
    """Yields the output of extlint, the same for all browsers or with a heading for each."""
    outputs = {each: output_for(example, TARGETS[each], message.rules) for each in message.browsers}
    for browser, output in outputs.items():
        if len({*outputs.values()}) > 1 or browser == message.browsers[0]:
            yield f"extlint says, with `--target {TARGETS[browser]}`:\n\n{_wrapped(output)}\n"


def _wrapped(text: str) -> str:
    return f"::::::{{container}} wrapped\n{code(text, 'text')}\n::::::"


def output_for(example: Example, target: str, rules: tuple[str, ...]) -> str:
    """Returns the findings of some rules about an example."""
    with TemporaryDirectory() as folder:
        for name, content in example.files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        report = extlint.check(Path(folder, "manifest.json"), targets=[target], select=rules)
    lines = []
    for each in report.findings:
        lines.append(
            f"{each.path}:{each.start.line}:{each.start.column}: {each.severity}[{each.rule}] {each.message}"
        )
        if each.help is not None:
            lines.append(f"  help: {each.help}")
    return "\n".join(lines)


def _rules(message: ErrorMessage) -> str:
    return ", ".join(f"[`{each}`](../rules/{each}.md)" for each in message.rules)


def anchor(title: str) -> str:
    """Returns the anchor of a heading without punctuation."""
    return title.lower().replace(" ", "-")
