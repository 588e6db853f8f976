"""Describes the nodes of a schema file, by their titles in the schema of the dialect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from extlint.schema.validation.mistake import Mistake, Steps
from extlint.schema.validation.schema_path import dereference, schemas_along
from extlint.schema.validation.sentences import Sentences
from extlint.schema.words.types import json_types
from extlint.text.nearest import suggest_name
from extlint.text.wording import listed, quoted
from extlint_schemas import dialect

_INTO_INSTANCE = frozenset({"items", "properties", "additionalProperties"})


class DialectSentences(Sentences):
    """The sentences of an explanation about a schema file."""

    def wrong_value(self, error: ValidationError, steps: Steps) -> Mistake:
        """Returns the mistake of a value that a keyword rejects."""
        return _wrong_value(error, steps)

    def missing(self, error: ValidationError, steps: Steps, keys: Sequence[str]) -> Mistake:
        """Returns the mistake of a node that requires a key, or one of several."""
        message = f"{_titles(error)[0]} requires {listed([*map(quoted, keys)], 'or')}"
        return Mistake("missing-key", steps, message, missing=tuple(keys))

    def rejected_key(
        self, errors: Sequence[ValidationError], steps: Steps, holder: Mapping[str, Any]
    ) -> Mistake:
        """Returns the mistake of a rejected key, by a node's role (a parameter), kind (a string), or both."""
        key: Any = errors[0].instance
        outer, inner = _titles(errors[0])
        allowed = set.intersection(*(set(_allowed_keys(error)) for error in errors)) - holder.keys()
        message = f"{quoted(key)} is not a key of {outer if len(errors) > 1 else inner}"
        return Mistake(
            "unknown-key", (*steps, key), message, at_key=True, suggestion=suggest_name(key, allowed)
        )

    def may_be_misspelled(self, key: str) -> bool:  # noqa: ARG002
        """Whether an unknown key may be a misspelling of a known one: always, because no key is a comment."""
        return True


def _wrong_value(error: ValidationError, steps: Steps) -> Mistake:
    named = [step for step in steps if isinstance(step, str)]
    what = "the file" if not steps else quoted(named[-1]) if named[-1:] == [steps[-1]] else "this"
    limit: Any = error.validator_value
    if error.validator == "enum":
        names = [each for each in limit if isinstance(each, str)]
        near = suggest_name(error.instance, names) if isinstance(error.instance, str) else None
        message = f"{what} cannot be {json.dumps(error.instance, ensure_ascii=False)}"
        accepted = f"it can be {listed([*map(json.dumps, limit)], 'or')}"
        return Mistake("invalid-value", steps, message, suggestion=near, accepted=accepted)
    return Mistake("invalid-value", steps, f"{what}{_reason(error, limit)}")


def _reason(error: ValidationError, limit: Any) -> str:
    match error.validator:
        case "type":
            return f" must be {json_types(limit)}"
        case "const":
            return f" must be {json.dumps(limit)}"
        case "minItems" | "minLength":
            return " must not be empty"
        case "maxItems":
            return " must be an object"
        case "minimum":
            return f" must be at least {limit}"
        case "uniqueItems":
            return " has the same item twice"
    return f": {error.message}"


def _titles(error: ValidationError) -> tuple[str, str]:
    """Returns the titles of a node: by its role (a parameter), and by its kind (a string)."""
    outer = inner = ""
    for step, schema in schemas_along(dialect(), error):
        if step in _INTO_INSTANCE:
            outer = inner = ""
        if "title" in schema:
            outer, inner = outer or schema["title"], schema["title"]
    return outer, inner


def _allowed_keys(error: ValidationError) -> Iterator[str]:
    names = next(schema for step, schema in schemas_along(dialect(), error) if step == "propertyNames")
    for branch in names.get("anyOf", [names]):
        yield from dereference(dialect(), branch)["enum"]
