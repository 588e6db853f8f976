"""Keys whose value is null, which some browsers take for keys that are not there."""

from __future__ import annotations

from extlint.manifest.json_values import Plain
from extlint.validation.mistake import Mistake
from extlint.wording import quoted


def with_null(mistake: Mistake, holder: Plain) -> Mistake:
    """A mistake about a missing key as one about a wrong value, if the key is there and null.

    `holder` is the object at the place of the mistake as its author wrote it.
    """
    key = next((key for key in mistake.missing if isinstance(holder, dict) and key in holder), None)
    if key is None:
        return mistake
    return Mistake("invalid-value", (*mistake.steps, key), f"{quoted(key)} must not be null")
