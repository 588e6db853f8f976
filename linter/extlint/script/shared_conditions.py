"""Conditions that another script of the same world puts into globals: `window.hasMenus = !!browser.menus`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from extlint.script.evaluate import Evaluator
from extlint.script.names import TooManyError
from extlint.script.portable import Porter
from extlint.script.prefilter import candidates
from extlint.script.reached import Reached
from extlint.script.tree import TooMuch
from extlint.script.variables import writes_to_top
from extlint.values import Value, union_of


def conditions_in(evaluator: Evaluator, names: Iterable[str]) -> Mapping[str, Value]:
    """What globals tell as conditions that a script gives a value, as far as that is known."""
    porter = Porter(evaluator, Reached(candidates(evaluator.tree.text)))
    found: dict[str, Value] = {}
    for name in sorted(names):
        try:
            writes = writes_to_top(evaluator, name)
            value = union_of(value for _, value in writes)
            kept = porter.exported(value, writes[0][0]) if writes else None
        except (TooMuch, TooManyError):
            return found
        if kept is not None:
            found[name] = kept
    return found
