"""Whether a package throws nothing but errors, so that what its code catches is an error."""

from __future__ import annotations

from extlint.checks.reachability.closed_world import has_all_loaded_files
from extlint.checks.reachability.possible_loads import may_run
from extlint.extension import Extension, Script
from extlint.project.contexts.words import words_of
from extlint.queries.query import query
from extlint.text.patterns import lazy

_NAME = rb"(?:e|ex|exception|\w*[eE]rr(?:or)?)"
_ERROR = (
    rb"new\s+(?:(?:Aggregate|Eval|Range|Reference|Syntax|Type|URI)?Error|DOMException)\b|"
    + _NAME
    + rb"\s*[;)}\n]"
)
_OTHER = (
    lazy(rb"\bthrow\s+(?!" + _ERROR + rb")"),
    lazy(rb"(?<!,)(?<!,\s)\breject\b(?!\s*\(\s*(?:" + _ERROR + rb"))"),
    lazy(rb"\b" + _NAME + rb"\s*(?:\.\s*\w+|\[[^\]\n]*\])\s*=(?!=)"),
    lazy(rb"\b(?:ajax|axios|jQuery|superagent)\b|\bObject\s*\.\s*assign\s*\(\s*new\b"),
    lazy(rb"\bprototype\s*(?:\.\s*|[,[]\s*[\"'`])toJSON\b"),
)
"""Code that throws, or rejects a promise with, anything but an error, or that adds fields to errors.

A promise rejects with what `reject` gets, which may also be passed on: `image.onerror = reject`.
"""


def throws_only_errors(extension: Extension, script: Script) -> bool:
    """Whether all code is there, and only errors are thrown by scripts that may run where a script does."""
    return has_all_loaded_files(extension) and not any(
        _throws_others(extension, each.path)
        for each in extension.scripts
        if may_run(extension, each) and _may_share_context(script, each)
    )


def _may_share_context(one: Script, other: Script) -> bool:
    kinds = {each.kind for each in one.contexts}
    return not other.contexts or any(each.kind in kinds for each in other.contexts)


@query(is_kept=True)
def _throws_others(extension: Extension, path: str) -> bool:
    words = words_of(extension)
    text = words.without_comments(path) if path in words.texts else b""
    return any(each.search(text) for each in _OTHER)
