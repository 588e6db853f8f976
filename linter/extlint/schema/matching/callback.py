"""The parameters of callbacks and listeners."""

from __future__ import annotations

from extlint.analysis.facts.values import FunctionValue
from extlint.text.positions import ByteSpan


def first_surplus_parameter(function: FunctionValue, passed: int) -> ByteSpan | None:
    """Returns the first parameter that a callback reads and the API never passes, or None.

    `passed` is the number of arguments that the API passes. Returns None as well if this is unknown: the
    parameters are unknown, or the function may read `arguments` or has a rest parameter. A class cannot be
    called, and is not checked.
    """
    if function.parameters is None or function.is_class or function.has_rest or function.uses_arguments:
        return None
    return next((each for each in function.parameters[passed:] if each in function.read), None)
