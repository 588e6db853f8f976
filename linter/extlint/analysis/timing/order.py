"""The order of expressions in one function."""

from __future__ import annotations

from extlint.analysis.syntax.shapes import enclosing_function
from extlint.analysis.values.evaluator import Evaluator
from extlint.text.positions import ByteSpan


def is_later(evaluator: Evaluator, earlier: ByteSpan, later: ByteSpan) -> bool:
    """Whether two expressions are in the same function, in this order."""
    first, second = (evaluator.tree.leaf_at(each[0]) for each in (earlier, later))
    return earlier[1] <= later[0] and enclosing_function(first) is enclosing_function(second)
