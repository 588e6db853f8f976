"""The environment of a match, in addition to the value and the type, and its three verdicts."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Literal, TypeAlias

from msgspec import Struct, field

from extlint.schema.engine import Engine
from extlint.schema.model import SchemaSet
from extlint.schema.types import RefType, Type
from extlint.text.positions import ByteSpan
from extlint.text.wording import available_names, name_suggestion, quoted, suggestion_question


class Environment(Struct, frozen=True):
    """The schemas that references refer to, the engine whose rules apply, and the manifest version.

    `clones_messages` is true if the manifest makes Chrome clone messages instead of sending JSON.
    """

    schemas: SchemaSet
    engine: Engine = Engine.GECKO
    manifest_version: int = 2
    clones_messages: bool = False
    _targets: dict[RefType, Type | None] = field(default_factory=dict)

    @property
    def is_gecko(self) -> bool:
        """Whether Gecko's rules apply."""
        return self.engine is Engine.GECKO

    def resolve(self, kind: Type) -> Type | None:
        """Returns the type itself, or the target of a reference, or None if that is missing or circular."""
        if not isinstance(kind, RefType):
            return kind
        if kind not in self._targets:
            self._targets[kind] = self._follow(kind)
        return self._targets[kind]

    def _follow(self, ref: RefType) -> Type | None:
        visited = {ref}
        found = self.schemas.resolve(ref)
        while isinstance(found, RefType):
            if found in visited:
                return None
            visited.add(found)
            found = self.schemas.resolve(found)
        return found


Path: TypeAlias = tuple[str | int, ...]


class Answer(Enum):
    """The verdicts that cause no report."""

    YES = "fits whatever it is"
    MAYBE = "unknown"


YES = Answer.YES
MAYBE = Answer.MAYBE


class Problem(Struct, frozen=True):
    """A wrong value, a missing property or a forbidden one.

    `span` is that of the wrong value, of the key of an unexpected property, or of the object with the missing
    one, or None if unknown. `path` leads from the outermost value to it. `expected` and `found` are phrases
    ("a boolean", "the number 5") for a wrong value; `why` explains why a known property is forbidden, or None
    if the property is unknown. `suggestion` is the name or string that was probably intended, `is_required`
    whether that is a missing required property, and `known` are the valid names for an unexpected property.
    """

    span: ByteSpan | None
    what: Literal["value", "missing", "unexpected"]
    path: Path = ()
    expected: str = ""
    found: str = ""
    why: str | None = None
    suggestion: str | None = None
    is_required: bool = False
    known: tuple[str, ...] = ()

    def message(self, root: str) -> str:
        """Returns one sentence without its full stop; `root` is the name of the outermost value."""
        from extlint.schema.words.values import path_text

        if self.what == "value":
            return f"{path_text(root, self.path)} must be {self.expected}, not {self.found}"
        if self.what == "missing":
            return f"{path_text(root, self.path)} is required"
        if self.why is not None:
            return f"{path_text(root, self.path)} {self.why}"
        return f"unknown property {quoted(str(self.path[-1]))}"

    @property
    def refusal(self) -> str:
        """The rejection as a predicate of the function, in wording that holds in every browser.

        Browsers may differ in the names of parameters and in the expected values.
        """
        if self.what == "value":
            return f"does not accept {self.found} here"
        key = quoted(str(self.path[-1])) if self.path else "an argument"
        return f"requires {key} here" if self.what == "missing" else f"does not accept {key} here"

    @property
    def help(self) -> str | None:
        """The suggestion, or else the valid names if they are few."""
        if self.is_required and self.suggestion is not None:
            return suggestion_question(f"{quoted(self.suggestion)}, which is required")
        return name_suggestion(self.suggestion) or available_names(self.known, "the object can have")


class No(Struct, frozen=True):
    """The verdict that every possible value is rejected. It has at least one problem."""

    problems: tuple[Problem, ...]


Verdict: TypeAlias = Answer | No


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Returns the verdict on a value that matches only if every part of it matches."""
    problems: list[Problem] = []
    certain = True
    for verdict in verdicts:
        if isinstance(verdict, No):
            problems += verdict.problems
        else:
            certain = certain and verdict is YES
    if problems:
        return No(tuple(problems))
    return YES if certain else MAYBE


def unless_omitted(verdict: Verdict) -> Verdict:
    """Returns the verdict on a value that may also be omitted, if that is valid."""
    return MAYBE if isinstance(verdict, No) else verdict
