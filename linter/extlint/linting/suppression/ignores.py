"""Removes findings that comments or `per-file-ignores` cover, and inserts comments that suppress others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from extlint.finding import Edit, Finding, Fix
from extlint.linting.configuration.configuration import PerFileIgnore
from extlint.linting.configuration.usage_error import expand_rule_names
from extlint.linting.suppression.comment import END, Comment, Directive, Removal, Scope, syntax_of
from extlint.linting.suppression.comments import MAX_COMMENTS
from extlint.package.files import Package
from extlint.registry import GROUPS, RULES, UNUSED_SUPPRESSION
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode
from extlint.text.nearest import suggest_name
from extlint.text.patterns import lazy
from extlint.text.positions import ByteSpan, Position, Span, TextIndex, decode
from extlint.text.wording import did_you_mean, listed, quoted


def without_suppressed(findings: Iterable[Finding], comments: Sequence[Comment]) -> tuple[Finding, ...]:
    """Returns the findings that no comment suppresses."""
    scopes: dict[str, list[Scope]] = {}
    for comment in comments:
        scopes.setdefault(comment.path, []).extend(comment.scopes)

    def is_suppressed(finding: Finding) -> bool:
        own = scopes.get(finding.path, ())
        return any(each.covers(finding.rule, finding.span.start) for each in own)

    return tuple(each for each in findings if not is_suppressed(each))


def without_ignored(
    findings: Iterable[Finding], package: Package, ignores: Sequence[PerFileIgnore]
) -> tuple[Finding, ...]:
    """Returns the findings of a package that are not ignored."""
    tests = [_ignore_predicate(each, package) for each in ignores]
    return tuple(each for each in findings if not any(ignores(each) for ignores in tests))


def _ignore_predicate(ignore: PerFileIgnore, package: Package) -> Callable[[Finding], bool]:
    """Returns a predicate: whether an entry ignores a finding."""
    from pathspec import GitIgnoreSpec

    rules = frozenset(expand_rule_names(ignore.rules))
    glob = GitIgnoreSpec.from_lines([ignore.glob])

    @cache
    def span_in(path: str) -> Span | None:
        return value_span(package, path, ignore.steps or ())

    def ignores(finding: Finding) -> bool:
        if finding.rule not in rules or not glob.match_file(finding.path):
            return False
        if not ignore.steps:
            return True
        span = span_in(finding.path)
        return span is not None and span.start <= finding.span.start < span.end

    return ignores


def value_span(package: Package, path: str, steps: Sequence[str]) -> Span | None:
    """Returns the span of a JSON file's key and its value, or of an array item, or None if missing."""
    if path not in package:
        return None
    data = decode(package.read(path))
    root = read_json(data, trailing_commas=True).root
    place = None if root is None else _byte_span(root, steps)
    return None if place is None else TextIndex(data).span(*place)


def _byte_span(node: JsonNode, steps: Sequence[str]) -> ByteSpan | None:
    start, end = node.span
    for step in steps:
        if isinstance(node.value, dict) and step in node.value:
            member = node.value[step]
            node = member.node
            start, end = member.key[0], node.span[1]
        elif step.isascii() and step.isdecimal() and len(step) < 9 and int(step) < len(node.items()):
            node = node.items()[int(step)]
            start, end = node.span
        else:
            return None
    return start, end


_RULE = RULES[UNUSED_SUPPRESSION]
_NAMES = (*RULES, *GROUPS)
_DIRECTIVES = tuple(each.value for each in Directive)


def unused_suppressions(comments: Iterable[Comment], targets: Sequence[str]) -> tuple[Finding, ...]:
    """Returns the findings about these comments in an extension that is checked for these targets."""
    return tuple(
        replace(finding, targets=tuple(targets))
        for comment in comments
        for finding in _comment_findings(comment)
    )


def _comment_findings(comment: Comment) -> Iterator[Finding]:
    if not comment.word:
        message = f"extlint reads {MAX_COMMENTS:,} of its comments in a file, so this one suppresses nothing"
        yield _RULE.at(comment.path, comment.span, message)
        return
    if comment.directive is None:
        near = suggest_name(comment.word, _DIRECTIVES)
        message = f"{quoted(comment.word)} means nothing to extlint, so this comment suppresses nothing"
        yield _RULE.at(comment.path, comment.span, message + did_you_mean(near))
        return
    unknown = [each for each in comment.scopes if not each.rules]
    for each in unknown:
        yield _unknown_name_finding(comment, each)
    if comment.is_useless and not unknown:
        message = "this comment enables nothing: no comment above it disables any of this"
        yield replace(_RULE.at(comment.path, comment.span, message), fix=_comment_removal_fix(comment))
    unused = [each for each in comment.scopes if each.is_decided]
    if unused and len(unused) == len(comment.scopes):
        message = f"this comment suppresses nothing: {_nothing_found_clause(comment, unused)}"
        yield replace(_RULE.at(comment.path, comment.span, message), fix=_comment_removal_fix(comment))
    elif unused:
        them = "it" if len(unused) == 1 else "them"
        message = f"{_nothing_found_clause(comment, unused)}, so this comment does not have to name {them}"
        yield replace(_RULE.at(comment.path, unused[0].span, message), fix=_name_removal_fix(comment, unused))


def _unknown_name_finding(comment: Comment, scope: Scope) -> Finding:
    """Returns the finding for an unknown rule name.

    In a comment without a reason, the word may be the start of one, so it is not removed.
    """
    name = scope.name or ""
    near = suggest_name(name, _NAMES)
    help = None
    if near is not None:
        edit = Edit(comment.path, scope.span, near)
        fix: Fix | None = Fix(safe=False, edits=(edit,), message=f"Write {quoted(near)}")
    elif comment.reason:
        fix = (
            _comment_removal_fix(comment) if len(comment.scopes) == 1 else _name_removal_fix(comment, [scope])
        )
        help = "`extlint rule` lists all rules"
    else:
        fix = None
        help = "write a reason after ` -- `"
    message = f"{quoted(name)} is not a rule, so nothing is suppressed{did_you_mean(near)}"
    return replace(_RULE.at(comment.path, scope.span, message, help=help), fix=fix)


def _nothing_found_clause(comment: Comment, scopes: Sequence[Scope]) -> str:
    """Returns a clause with the rules that find nothing and the location.

    Example: "`unknown-api` finds nothing in the next line".
    """
    names = [quoted(each.name) for each in scopes if each.name is not None] or ["extlint"]
    match comment.directive:
        case Directive.NEXT_LINE:
            where = "in the next line"
        case Directive.LINE:
            where = "in this line"
        case _:
            is_ended = scopes[0].end != END or scopes[0].ends
            where = "between it and `extlint-enable`" if is_ended else "below it"
    return f"{listed(names, 'and')} {'finds' if len(names) == 1 else 'find'} nothing {where}"


def _comment_removal_fix(comment: Comment) -> Fix | None:
    """Returns the fix that removes a comment, and everything that is useless without it."""
    if not comment.removals:
        return None
    edits = tuple(_edit(comment, each) for each in comment.removals)
    return Fix(safe=True, edits=edits, message="Remove the comment")


def _name_removal_fix(comment: Comment, scopes: Sequence[Scope]) -> Fix | None:
    """Returns the fix that removes some of the names in a comment."""
    if comment.names is None:
        return None
    left = ", ".join(each.name for each in comment.scopes if each.name is not None and each not in scopes)
    names = listed([quoted(each.name) for each in scopes if each.name is not None], "and")
    edit = _edit(comment, Removal(comment.names, left))
    return Fix(safe=True, edits=(edit,), message=f"Remove {names} from the comment")


def _edit(comment: Comment, removal: Removal) -> Edit:
    return Edit(comment.path, removal.span, removal.text)


_FORMS = (("// ", ""), ("{/* ", " */}"), ("/* ", " */"), ("<!-- ", " -->"))
"""The beginning and end of a comment in all languages."""

_WORD = Directive.NEXT_LINE.value
_EXISTING = re.compile(rf"{_WORD}[ \t]+((?!--)[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)")
_INDENT = re.compile(r"[ \t]*")
_LINE_END = lazy(rb"\r\n|\n|\r")


def suppressing_edits(
    data: bytes, path: str, rules_by_line: Mapping[int, Sequence[str]], reason: str
) -> Mapping[int, Edit]:
    """Returns the edit of a UTF-8 text that suppresses the findings of rules that begin in a line, by line.

    Extends the comment in the line above if there is one. A line is left out if no comment is possible
    before it, for example in a string of several lines.
    """
    index = TextIndex(data)
    edits: dict[int, Edit] = {}
    left: dict[int, Sequence[str]] = {}
    for line, rules in sorted(rules_by_line.items()):
        above = _EXISTING.search(index.line(line - 1)) if line > 1 else None
        if above is None:
            left[line] = rules
        elif (
            syntax_of(data, path).comment_at(index.offset(Position(line - 1, above.start() + 1))) is not None
        ):
            named = re.split(r"[ \t]*,[ \t]*", above[1])
            text = "".join(f", {rule}" for rule in rules if rule not in named)
            edits[line] = _insertion(path, Position(line - 1, above.end(1) + 1), text)
    for opening, closing in _FORMS:
        if not left:
            break
        comments = {
            line: f"{opening}{_WORD} {', '.join(rules)} -- {reason}{closing}" for line, rules in left.items()
        }
        for line in _valid_lines(index, path, comments):
            place = Position(line, 1)
            edits[line] = _insertion(path, place, _line(index, line, comments[line]))
            del left[line]
    return edits


def _insertion(path: str, place: Position, text: str) -> Edit:
    return Edit(path, Span(place, place), text)


def _line(index: TextIndex, line: int, comment: str) -> str:
    """Returns a comment as a line with the indentation of an existing line, and the line end of the file."""
    end = _LINE_END.search(index.text)
    return f"{_indent(index, line)}{comment}{chr(10) if end is None else end[0].decode()}"


def _indent(index: TextIndex, line: int) -> str:
    found = _INDENT.match(index.line(line))
    return "" if found is None else found[0]


def _valid_lines(index: TextIndex, path: str, comments: Mapping[int, str]) -> Iterable[int]:
    """Returns the lines before which a text is a comment of the language; all are tried at once."""
    text, starts = b"", {}
    end = 0
    for line, comment in comments.items():
        place = index.offset(Position(line, 1))
        text += index.text[end:place]
        starts[line] = len(text) + len(_indent(index, line)) + comment.startswith("{")
        text += _line(index, line, comment).encode("utf-8", "surrogatepass")
        end = place
    text += index.text[end:]
    syntax = syntax_of(text, path)
    valid = []
    for line, start in starts.items():
        found = syntax.comment_at(start)
        written = comments[line].strip("{}").encode("utf-8", "surrogatepass")
        if found is not None and text[found.span[0] : found.span[1]] == written:
            valid.append(line)
    return valid
