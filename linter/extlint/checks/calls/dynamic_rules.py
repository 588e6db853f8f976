"""Finds the mistakes in the declarativeNetRequest rules that scripts add.

Browsers refuse the call for the reasons for which they refuse a rule of a file, except that session rules may
have `tabIds` and `excludedTabIds`. Verified in Chromium 156 and Firefox 153 by
`extlint_judge ask declarativeNetRequest.updateSessionRules --call`.
"""

from __future__ import annotations

from collections.abc import Iterator

from extlint.analysis.facts.script_facts import CallSite
from extlint.analysis.facts.values import ArrayValue, Kind, Literal, ObjectValue, Value
from extlint.checks.api.enum_constants import with_constant_values
from extlint.extension import Extension
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem
from extlint.schema.validation.mistake import Mistake, Reaction, Steps
from extlint.text.json.values import JsonValue
from extlint.text.positions import ByteSpan

DYNAMIC_RULES = "declarativeNetRequest.updateDynamicRules"
SESSION_RULES = "declarativeNetRequest.updateSessionRules"

_ONLY_IN_SESSIONS = ("tabIds", "excludedTabIds")
_ACCEPTED = ("deprecated-key", "unknown-key")
"""The mistakes in rules that browsers accept: a key that does nothing, and one that has a successor."""


def rule_problems(extension: Extension, call: CallSite, api: str) -> Iterator[CallProblem]:
    """Yields the problems for which the target's browser refuses the rules in `addRules`."""
    added = call.arguments[0] if call.arguments else None
    field = added.fields.get("addRules") if isinstance(added, ObjectValue) else None
    if field is None or not isinstance(field.value, ArrayValue) or extension.schemas.engine is None:
        return
    from extlint.checks.request_rules.check import mistakes_in

    known = _KnownRules(with_constant_values(extension, field.value))
    for mistake in mistakes_in(known.rules, extension.target.name):
        is_for_session = mistake.at_key and mistake.steps[-1] in _ONLY_IN_SESSIONS
        span = known.certain_span(mistake)
        if span is None or mistake.rule in _ACCEPTED or (is_for_session and api == SESSION_RULES):
            continue
        if mistake.reaction is Reaction.IGNORES and extension.schemas.engine is Engine.CHROMIUM:
            continue  # the message is about a rule of a file, which is skipped
        suggestion = mistake.suggestion if isinstance(mistake.suggestion, str) else None
        yield CallProblem(
            "invalid-argument",
            span,
            mistake.sentence,
            "accepts only valid rules",
            mistake.advice,
            None if mistake.at_key else suggestion,
        )


class _KnownRules:
    """The known parts of rules as JSON, and where the script has them."""

    def __init__(self, value: Value) -> None:
        self._values: dict[Steps, ByteSpan | None] = {}
        self._keys: dict[Steps, ByteSpan | None] = {}
        self._partly_unknown: set[Steps] = set()
        items = value.items if isinstance(value, ArrayValue) else ()
        self.rules: list[JsonValue] = []
        for each in items:
            found = self._json(each, (len(self.rules),))
            if found is not None:
                self.rules.append(found)

    def certain_span(self, mistake: Mistake) -> ByteSpan | None:
        """Returns the place of a mistake, or None if an unknown part of its rule may prevent it."""
        place = self._keys.get(mistake.steps) if mistake.at_key else self._values.get(mistake.steps)
        if mistake.steps[:1] not in self._partly_unknown:
            return place
        is_about_value = mistake.rule == "invalid-value" and not (mistake.missing or mistake.at_key)
        return place if is_about_value and mistake.steps not in self._partly_unknown else None

    def _json(self, value: Value, steps: Steps) -> JsonValue:
        """Returns a value as JSON, or None for null, undefined and unknown values."""
        self._values[steps] = value.span
        match value:
            case Literal(kind=Kind.NUMBER, value=float(number)) if number.is_integer():
                return int(number)
            case Literal(kind=Kind.NULL | Kind.UNDEFINED):
                return None
            case Literal(value=str() | bool() | float() as plain):
                return plain
            case ObjectValue():
                return self._object(value, steps)
            case ArrayValue(items=items, open=False):
                found = [self._json(each, (*steps, at)) for at, each in enumerate(items)]
                if None not in found:
                    return found
        self._mark_unknown(steps)
        return None

    def _object(self, value: ObjectValue, steps: Steps) -> JsonValue:
        if value.open:
            self._mark_unknown(steps)
        found: dict[str, JsonValue] = {}
        for name, field in value.fields.items():
            inner = (*steps, name)
            part = None if field.maybe_absent else self._json(field.value, inner)
            if field.maybe_absent:
                self._mark_unknown(inner)
            if part is not None:
                self._keys[inner] = field.key
                found[name] = part
        return found

    def _mark_unknown(self, steps: Steps) -> None:
        self._partly_unknown.update(steps[:length] for length in range(1, len(steps) + 1))
