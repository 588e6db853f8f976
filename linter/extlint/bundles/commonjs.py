"""What a file exports as CommonJS does it: `module.exports`, `exports.name`."""

from __future__ import annotations

from extlint.bundles.exported import filled_value
from extlint.bundles.filled import Filled
from extlint.bundles.filling import Filling
from extlint.script.facts.values import UNKNOWN, Value
from extlint.script.scope.bindings import TooManyOccurrencesError
from extlint.script.scope.identifiers import Role
from extlint.script.values.evaluator import Evaluator
from extlint.text.patterns import lazy

_EXPORTS = lazy(rb"\bexports\b")


def file_exports(evaluator: Evaluator) -> tuple[Value, Filled]:
    """What `require` of the file gives, as far as it is known, and what it is made of."""
    filling = Filling(evaluator)
    if _EXPORTS.search(evaluator.tree.text) is None:
        return UNKNOWN, filling.found
    for name, is_module in (("module", True), ("exports", False)):
        try:
            free = evaluator.names.free(name)
        except TooManyOccurrencesError:
            return UNKNOWN, Filled()
        filling.uses([use.item for use in free if use.role is not Role.DECLARATION], module=is_module)
    return filled_value(evaluator, filling.found) or UNKNOWN, filling.found
