"""The reason why a text does not match its format."""

from __future__ import annotations

from msgspec import Struct


class Problem(Struct, frozen=True):
    """A problem of a text.

    `message` continues a sentence after a colon ("`htp://x/*` is not a valid match pattern: …"), without a
    period. `suggestion` is the entire text as it was certainly intended, or None if unknown; it matches the
    format itself.
    """

    message: str
    suggestion: str | None = None
