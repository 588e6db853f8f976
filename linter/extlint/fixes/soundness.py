"""Checks whether the syntax of a changed file is still valid."""

from __future__ import annotations

from extlint.json_text.reader import read_json
from extlint.package.suffixes import SCRIPTS, has_suffix
from extlint.text.positions import decode


def is_sound(path: str, before: bytes, after: bytes, *, is_json: bool) -> bool:
    """Whether a changed file has no syntax errors that it did not have before.

    Returns True for pages and components: the next check shows whether their scripts still parse.
    """
    if is_json:
        return _is_sound_json(decode(before), decode(after))
    return not has_suffix(path, SCRIPTS) or _errors_in(path, after) <= _errors_in(path, before)


def _is_sound_json(before: bytes, after: bytes) -> bool:
    old, new = read_json(before), read_json(after)
    if new.problem is not None:
        return old.problem is not None and old.problem.span[0] < new.problem.span[0]
    return old.problem is not None or len(new.duplicates) <= len(old.duplicates)


def _errors_in(path: str, text: bytes) -> float:
    """Returns the number of parse errors; infinity if the parser gives up."""
    from extlint.script.syntax.parse import grammar_of, parse
    from extlint.script.syntax.source import parsable

    tree = parse(parsable(decode(text)), grammar_of(path))
    if tree is None:
        return float("inf")
    found, waiting = 0, [tree.root_node] if tree.root_node.has_error else []
    while waiting:
        node = waiting.pop()
        found += node.is_error or node.is_missing
        waiting += [each for each in node.children if each.has_error or each.is_missing]
    return found
