"""Determines whether a script may hold values that other scripts created."""

from __future__ import annotations

from extlint.analysis.bundles.chunks import is_chunk
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.memo import once_per_script
from extlint.text.patterns import lazy_word

_NO_KEYWORD = rb"\w$.@\-\"'"
_IMPORTING = tuple(lazy_word(each, _NO_KEYWORD, rb"\w$") for each in (b"import", b"require"))


@once_per_script
def may_hold_foreign_values(evaluator: Evaluator) -> bool:
    """Whether anything but a tested global may have a value that another script assigned.

    Most bundles import nothing: everything that would come from elsewhere is a part of them.
    """
    shared, text = evaluator.shared, evaluator.tree.text
    return bool(
        shared.values or shared.parameters or any(each.search(text) for each in _IMPORTING) or is_chunk(text)
    )
