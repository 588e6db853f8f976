"""Why a text is not of its format."""

from __future__ import annotations

from msgspec import Struct


class Problem(Struct, frozen=True):
    """What is wrong with a text.

    `message` goes on after a colon ("`htp://x/*` is not a valid match pattern: …"), without a period.
    `suggestion` is the whole text as it was certainly meant, None where that cannot be told; it is of
    the format itself.
    """

    message: str
    suggestion: str | None = None
