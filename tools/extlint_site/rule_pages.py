"""Generates a page for each rule from the rule's module and its row in the registry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from extlint.cli.commands.rule import how_to_fix, how_to_silence
from extlint.registry import GROUPS, RULES, rules_in
from extlint.report.reporter import documentation, summary
from extlint.rule import Fixable, Group
from extlint_site.error_messages import error_messages
from extlint_site.markdown import code, code_span, escape, hidden_toctree, table, with_captions, with_links
from extlint_site.search import FORM

_NAME = re.compile(r"(?<!`)`([a-z-]+)`(?!`)")
_FIXED = re.compile(r"^(\[[*~]\] \d+ can be fixed .*)$", re.MULTILINE)
_MARK = re.compile(r"\[[*~]\]")
_OPTIONS = re.compile(r"--fix(?: --unsafe-fixes)?")
_FIXABLE = {Fixable.NO: "", Fixable.UNSAFELY: "`--unsafe-fixes`", Fixable.SAFELY: "`--fix`"}
"""The options that fix some findings of a rule."""

_EXAMPLE, _INSTEAD = "\n## Example\n", "\n## Use instead\n"


def rule_pages(outputs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yields the name and text of each page. `outputs` has, for each rule, a command and its output."""
    yield "rules/index", _index()
    for name in RULES:
        yield f"rules/{name}", _page(name, outputs[name])


def _index() -> str:
    parts = [
        "# Rules\n",
        "`extlint rule` lists the rules, and `extlint rule NAME` prints the page of one.\n",
        FORM,
    ]
    for group in GROUPS.values():
        rows = [
            (
                f"[`{name}`]({name}.md)",
                str(RULES[name].severity),
                _FIXABLE[RULES[name].fixable],
                _with_rule_links(name, summary(name).removeprefix("Finds ")),
            )
            for name in rules_in(group.name)
        ]
        parts += [
            f"## {group.name}\n",
            f"{_about(group)}\n",
            table(("rule", "severity", "fixed with", "finds"), rows),
        ]
    return "\n".join([*parts, hidden_toctree(sorted(RULES))])


def _about(group: Group) -> str:
    where = "" if group.runs is None else f" They run {escape(group.runs)}."
    return f"What these rules are about: {group.about}.{where}"


def _page(name: str, output: str) -> str:
    rule = RULES[name]
    rows = [
        ("severity", f"{rule.severity}"),
        ("group", f"[{rule.group.name}](index.md#{rule.group.name})"),
        *([] if rule.group.runs is None else [("runs", escape(rule.group.runs))]),
        ("fixes", how_to_fix(name)),
        *(("fixes of the example", _as_code(each)) for each in _FIXED.findall(output)),
    ]
    before, example, after = documentation(name).partition(_EXAMPLE)
    files, instead, end = after.partition(_INSTEAD)
    first, _, rest = before.partition("\n")
    shown = f"extlint says:\n\n{code(output, 'console')}\n"
    text = f"{first}\n\n{table(('', ''), rows)}{rest}{example}{files}\n{shown}{instead}{end}"
    body = _with_rule_links(name, with_links(with_captions(text)))
    return f"# {name}\n\n{body}\n\n{_messages(name)}## How to silence it\n\n{how_to_silence(name)}"


def _messages(name: str) -> str:
    """Returns a section with the messages of browsers that a rule finds the causes of, or nothing."""
    links = [
        f"* [{code_span(each.text)}](../errors/{each.address}.md) ({', '.join(each.browsers)})\n"
        for each in error_messages()
        if name in each.rules
    ]
    return "".join(["## Error messages\n\nBrowsers print these messages:\n\n", *links, "\n"] if links else [])


def _as_code(line: str) -> str:
    """Returns a closing line whose options and marks are code."""
    return _MARK.sub(r"`\g<0>`", _OPTIONS.sub(r"`\g<0>`", line))


def _with_rule_links(page: str, text: str) -> str:
    """Returns a text in which the names of other rules are links."""

    def link(found: re.Match[str]) -> str:
        return f"[`{found[1]}`]({found[1]}.md)" if found[1] in RULES and found[1] != page else found[0]

    blocks = re.split(r"(^````.*?^````$|^\[.*\]\(.*\)$)", text, flags=re.DOTALL | re.MULTILINE)
    return "".join(each if index % 2 else _NAME.sub(link, each) for index, each in enumerate(blocks))
