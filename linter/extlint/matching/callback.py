"""The parameters of callbacks and listeners."""

from __future__ import annotations

from extlint.script.facts.values import FunctionValue
from extlint.text.positions import ByteSpan


def surplus_parameters(function: FunctionValue, passed: int) -> ByteSpan | None:
    """The first parameter that a callback reads and that the API, passing so many arguments, never fills.

    None if there is none, and if it cannot be told: the parameters are not known, or the function
    may read `arguments` or takes the rest of them. A class cannot be called, and is not judged.
    """
    if function.parameters is None or function.is_class or function.has_rest or function.uses_arguments:
        return None
    return next((each for each in function.parameters[passed:] if each in function.read), None)
