"""What today's browsers have that the reference target denies.

Nobody should learn from a finding that was never about their browser: where the reference target says
no and a browser says yes, the help says so.
"""

from __future__ import annotations

from extlint.wording import listed, quoted
from extlint_schemas import TARGETS, browsers_with

REFERENCE = "reference"

_NAMES = {"chrome": "Chrome", "edge": "Edge", "firefox": "Firefox", "safari": "Safari"}


def browsers_that_have(api: str, target: str) -> str | None:
    """The browsers that have a member which the reference target denies, as a phrase; None if none has."""
    namespace, _, member = api.partition(".")
    found = browsers_with(namespace, member) if target == REFERENCE else ()
    return listed([_NAMES.get(name, name) for name in found], "and") if found else None


def advice(api: str, target: str, verdict: str) -> str | None:
    """Help for such a member, with what the specification says of it; None if no browser has it."""
    browsers = browsers_that_have(api, target)
    if browsers is None:
        return None
    namespace, _, member = api.partition(".")
    targets = [f"--target {name}" for name in browsers_with(namespace, member) if name in TARGETS]
    ask = f"; to check for a browser, use {listed(targets, 'or')}" if targets else ""
    law = f"the target {quoted(target)} follows the specification, which {verdict}"
    return f"it exists in today's {browsers}; {law}{ask}"
