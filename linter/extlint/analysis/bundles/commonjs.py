"""CommonJS: the exports of a file through `module.exports` and `exports.name`."""

from __future__ import annotations

from extlint.analysis.bundles.filled_object import FilledObject, filled_value
from extlint.analysis.bundles.model import Bundle, ModuleSystem
from extlint.analysis.facts.values import UNKNOWN, Value
from extlint.analysis.scope.model import Role
from extlint.text.patterns import lazy_word

_EXPORTS = lazy_word(b"exports", rb"\w")


class CommonJs(ModuleSystem):
    """Files as modules, in which `module` and `exports` are undeclared names."""

    def exports_of_file(self, bundle: Bundle) -> tuple[Value, FilledObject] | None:
        """Returns the value of a `require` of the file, as far as it is known."""
        evaluator = bundle.evaluator
        if _EXPORTS.search(evaluator.tree.text) is None:
            return None
        from extlint.analysis.bundles.filling import Filling

        filling = Filling(bundle)
        for name, is_module in (("module", True), ("exports", False)):
            free = evaluator.names.free_uses(name)
            filling.follow_uses(
                [use.item for use in free if use.role is not Role.DECLARATION], module=is_module
            )
        return filled_value(evaluator, filling.found) or UNKNOWN, filling.found
