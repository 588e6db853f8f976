"""Recognizes wrong calls that fit an older signature of the function, or that of a similar API.

This module finds no mistakes: it only rewords those of such a call to show how to write it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from extlint.analysis.facts.values import ObjectValue, Value
from extlint.checks.calls.legacy_signature_table import TABLE
from extlint.schema.matching.bases import bases
from extlint.schema.matching.call import CallProblem
from extlint.schema.matching.environment import Environment
from extlint.text.wording import quoted

_KINDS: Mapping[str, frozenset[str]] = {
    "a": frozenset({"array"}),
    "b": frozenset({"boolean"}),
    "f": frozenset({"function"}),
    "n": frozenset({"integer", "number"}),
    "o": frozenset({"object"}),
    "s": frozenset({"string"}),
}


class ParameterShape(Struct, frozen=True):
    """A parameter of a signature: its types, and keys that an object has at least one of, or none of."""

    kinds: frozenset[str]
    required_keys: frozenset[str] = frozenset()
    excluded_keys: frozenset[str] = frozenset()

    def may_be(self, value: Value, env: Environment) -> bool:
        """Whether a value may be such an argument; its keys must be certain."""
        if not bases(value, env) & self.kinds:
            return False
        if not self.required_keys and not self.excluded_keys:
            return True
        if not isinstance(value, ObjectValue):
            return "object" not in bases(value, env)
        has_no_excluded_key = not value.open and self.excluded_keys.isdisjoint(value.fields)
        return has_no_excluded_key and (
            not self.required_keys or not self.required_keys.isdisjoint(value.fields)
        )


def parse_signature(shape: str) -> tuple[ParameterShape, ...]:
    """Parses a signature of the table into its parameters: `n s/a o+file-target`.

    `a` is an array, `b` a boolean, `f` a function, `n` a number, `o` an object, `s` a string, `_` any of
    these. `+` precedes keys that the object has at least one of, `-` keys that it does not have.
    """
    return tuple(map(_parse_parameter, shape.split()))


def _parse_parameter(text: str) -> ParameterShape:
    rest, *excluded = text.split("-")
    names, *required = rest.split("+")
    kinds = _KINDS.values() if names == "_" else [_KINDS[name] for name in names.split("/")]
    return ParameterShape(frozenset().union(*kinds), frozenset(required), frozenset(excluded))


def as_legacy_call(
    api: str, arguments: Sequence[Value], env: Environment, problems: tuple[CallProblem, ...]
) -> tuple[CallProblem, ...]:
    """Returns the problems of a call, or only one, with the way to write it, if a legacy signature fits.

    A callback may follow each signature.
    """
    family, *_, name = api.split(".")
    for shape, takes, write in TABLE.get(api) or TABLE.get(f"{family}.*.{name}") or ():
        if _fits(arguments, parse_signature(shape), env):
            return (
                replace(
                    problems[0],
                    message=f"{quoted(api)} {takes}",
                    refusal="cannot be called like this",
                    help=f"write {quoted(write.replace('@', api))}",
                ),
            )
    return problems


def _fits(arguments: Sequence[Value], shape: Sequence[ParameterShape], env: Environment) -> bool:
    more = len(arguments) - len(shape)
    ends = more == 0 or (more == 1 and "function" in bases(arguments[-1], env))
    return ends and all(part.may_be(value, env) for part, value in zip(shape, arguments, strict=False))
