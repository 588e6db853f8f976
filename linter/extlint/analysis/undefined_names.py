"""Finds uses of names that a script does not declare, in code that is known to run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from extlint.analysis.facts.script_facts import GlobalUse
from extlint.analysis.reachability.executed_paths import ExecutedPaths
from extlint.analysis.scope.model import Role
from extlint.analysis.values.evaluator import Evaluator

_WITH = "with_statement"


def undeclared_uses(evaluator: Evaluator, paths: ExecutedPaths, names: Iterable[str]) -> Iterator[GlobalUse]:
    """Yields the first use of each of these names that the script does not declare and certainly reads."""
    for name in names:
        for at in evaluator.names.words.occurrences(name):
            use = evaluator.attempt((at, at + 1), partial(_use_at, evaluator, paths, name, at))
            if use is not None:
                yield use
                break


def _use_at(evaluator: Evaluator, paths: ExecutedPaths, name: str, at: int) -> GlobalUse | None:
    leaf = evaluator.tree.leaf_at(at)
    if leaf.start != at or leaf.type != "identifier":
        return None
    found = evaluator.names.classify(at)
    if found is None or found.role is not Role.REFERENCE or evaluator.names.variable(leaf) is not None:
        return None
    if any(each.type == _WITH for each in leaf.ancestors()):
        return None
    executed = paths.to(leaf)
    if not executed:
        return None
    return GlobalUse(name, leaf.span, None, True, executed, paths.on_load(leaf))
