"""Members that a variable holds until they are tested: `const f = api.x; if (f) f();`."""

from __future__ import annotations

from extlint.script.evaluate import Evaluator
from extlint.script.facts import Path
from extlint.script.functions import outermost
from extlint.script.guards import GuardReader
from extlint.script.names import Binding, Role
from extlint.script.testing import is_alternative, only_tested
from extlint.script.tree import Item

MOST_USES = 100
"""Uses of one variable that are looked at; one with more is taken to use what it holds."""


def used_where_tested(evaluator: Evaluator, guards: GuardReader, item: Item, path: Path) -> bool:
    """Whether a member is put into a variable, each use of which tests it or is reached after a test."""
    name = _variable(item)
    binding = None if name is None else _only_variable(evaluator, name)
    return binding is not None and all(_is_safe(evaluator, guards, use.item, path) for use in binding.uses)


def _variable(item: Item) -> Item | None:
    """The name that is given to the value of an expression or to a part of a pattern."""
    if item.type == "shorthand_property_identifier_pattern":
        return item
    if item.type == "pair_pattern":
        name = item.field("value")
    else:
        whole = outermost(item)
        declarator = whole.parent
        if declarator is None or declarator.type != "variable_declarator" or not whole.is_field("value"):
            return None
        name = declarator.field("name")
    return name if name is not None and name.type == "identifier" else None


def _only_variable(evaluator: Evaluator, name: Item) -> Binding | None:
    """The variable that is declared there and never written again, if the script uses it and keeps it."""
    binding = evaluator.names.variable(name)
    if binding is None or len(binding.declarations) != 1 or not 0 < len(binding.uses) <= MOST_USES:
        return None
    if not binding.declarations[0].item.same(name) or any(use.role is Role.WRITE for use in binding.uses):
        return None
    return None if any(up.type == "export_statement" for up in name.ancestors()) else binding


def _is_safe(evaluator: Evaluator, guards: GuardReader, use: Item, path: Path) -> bool:
    if only_tested(evaluator, use) or is_alternative(use):
        return True
    around = guards.around(use)
    return around.caught or any(tested[: len(path)] == path for tested in around.tested)
