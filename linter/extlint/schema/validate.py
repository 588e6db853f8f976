"""Checks schema files against the dialect, and says where a mistake stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from extlint.json_text.reader import read_json
from extlint.json_text.values import JsonNode
from extlint.text.nearest import meant
from extlint.text.positions import ByteSpan, Position, TextIndex
from extlint.text.wording import kinds
from extlint_schemas import dialect

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Steps: TypeAlias = tuple[str | int, ...]

_INTO_INSTANCE = frozenset({"items", "properties", "additionalProperties"})


class DialectProblem(Struct, frozen=True):
    """A mistake in a schema file. `pointer` is the JSON pointer of the node that has it."""

    file: str
    position: Position
    pointer: str
    message: str

    def __str__(self) -> str:
        line, column = self.position
        return f"{self.file}:{line}:{column}: {self.pointer or '/'}: {self.message}"


class _Mistake(Struct, frozen=True):
    steps: Steps
    message: str
    where: ByteSpan


def check_dialect(text: bytes, name: str) -> list[DialectProblem]:
    """The mistakes of a schema file in the dialect, in the order of the text; none if it is right.

    `name` is what the file is called in the result.
    """
    index = TextIndex(text)
    document = read_json(text)
    if document.root is None:
        problem = document.problem
        span, message = ((0, 0), "this is not JSON") if problem is None else (problem.span, problem.message)
        return [DialectProblem(name, index.position(span[0]), "", message)]
    mistakes = [_Mistake((), f"duplicate key `{each.name}`", each.second) for each in document.duplicates]
    mistakes += _against_dialect(document.root)
    mistakes += _wrong_callbacks(document.root)
    mistakes.sort(key=lambda each: (each.where, each.message))
    return [
        DialectProblem(name, index.position(each.where[0]), _pointer(each.steps), each.message)
        for each in mistakes
    ]


def _pointer(steps: Steps) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _against_dialect(root: JsonNode) -> Iterator[_Mistake]:
    from jsonschema import Draft7Validator

    errors: dict[Steps, list[ValidationError]] = {}
    for error in Draft7Validator(dialect()).iter_errors(root.plain):
        errors.setdefault(tuple(error.absolute_path), []).append(error)
    for steps, found in errors.items():
        node = root.get(*steps)
        if node is not None:
            yield from _mistakes_of(node, steps, found)


def _mistakes_of(node: JsonNode, steps: Steps, errors: Sequence[ValidationError]) -> Iterator[_Mistake]:
    """The mistakes of one node; a misspelled key is not a missing one as well."""
    refused: dict[str, list[ValidationError]] = {}
    rest = []
    for error in errors:
        if "propertyNames" in error.absolute_schema_path:
            refused.setdefault(str(error.instance), []).append(error)
        else:
            rest.append(error)
    there = set()
    for key, members in node.members():
        if key in refused:
            near, message = _refused_key(key, refused[key], {name for name, _ in node.members()})
            there.add(near)
            yield _Mistake(steps, message, members.key)
    for error in rest:
        missing = _missing_keys(error)
        if missing is None:
            yield _Mistake(steps, _wrong_value(steps, error), node.span)
        elif there.isdisjoint(missing):
            yield _Mistake(steps, f"{_titles(error)[0]} requires {_listed(missing)}", node.span)


def _refused_key(key: str, errors: Sequence[ValidationError], there: set[str]) -> tuple[str | None, str]:
    """The key that was meant, if one is near, and what to say.

    A key can be refused by the role of a node (a parameter), by its kind (a string), or by both.
    """
    outer, inner = _titles(errors[0])
    title = outer if len(errors) > 1 else inner
    allowed = set.intersection(*(set(_allowed_keys(error)) for error in errors)) - there
    near = meant(key, allowed)
    hint = f"; did you mean `{near}`?" if near else ""
    return near, f"`{key}` is not a key of {title}{hint}"


def _missing_keys(error: ValidationError) -> Sequence[str] | None:
    """The keys of which a node needs one, if that is the mistake."""
    wanted: Any = error.validator_value
    if error.validator == "required":
        there: Any = error.instance
        return [key for key in wanted if key not in there][:1]
    if error.validator == "anyOf":
        return [key for branch in wanted for key in branch["required"]]
    return None


def _wrong_value(steps: Steps, error: ValidationError) -> str:
    named = [step for step in steps if isinstance(step, str)]
    what = "the file" if not steps else f"`{steps[-1]}`" if named[-1:] == list(steps[-1:]) else "this"
    limit: Any = error.validator_value
    match error.validator:
        case "type":
            return f"{what} must be {kinds(limit)}"
        case "enum":
            shown = json.dumps(error.instance, ensure_ascii=False)
            near = meant(error.instance, limit) if isinstance(error.instance, str) else None
            hint = f"did you mean {json.dumps(near)}?" if near else f"it can be {_listed(limit, json.dumps)}"
            return f"{what} cannot be {shown}; {hint}"
        case "const":
            return f"{what} must be {json.dumps(limit)}"
        case "minItems" | "minLength":
            return f"{what} must not be empty"
        case "maxItems":
            return f"{what} must be an object"
        case "minimum":
            return f"{what} must be at least {limit}"
        case "uniqueItems":
            return f"{what} has the same item twice"
    return f"{what}: {error.message}"


def _listed(names: Iterable[Any], show: Any = "`{}`".format) -> str:
    shown = [show(name) for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def _schemas_along(error: ValidationError) -> Iterator[tuple[str | int, Any]]:
    """The steps of the dialect's schema to the one that failed, and what each leads to.

    jsonschema leaves `$ref` and `if` out of the path.
    """
    schema: Any = dialect()
    for step in error.absolute_schema_path:
        schema = _followed(schema[step])
        yield step, schema


def _followed(schema: Any) -> Any:
    reference = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(reference, str):
        return schema
    return dialect()["definitions"][reference.rpartition("/")[2]]


def _titles(error: ValidationError) -> tuple[str, str]:
    """What a node is: in its role (a parameter), and most closely (a string)."""
    outer = inner = ""
    for step, schema in _schemas_along(error):
        if step in _INTO_INSTANCE:
            outer = inner = ""
        if isinstance(schema, Mapping) and "title" in schema:
            outer, inner = outer or schema["title"], schema["title"]
    return outer, inner


def _allowed_keys(error: ValidationError) -> Iterator[str]:
    names = next(schema for step, schema in _schemas_along(error) if step == "propertyNames")
    for branch in names.get("anyOf", [names]):
        yield from _followed(branch)["enum"]


def _wrong_callbacks(root: JsonNode) -> Iterator[_Mistake]:
    """Functions whose `async` names no trailing callback."""
    for at, namespace in enumerate(root.items()):
        functions = namespace.get("functions")
        for number, function in enumerate(functions.items() if functions is not None else ()):
            name, parameters = function.get("async"), function.get("parameters")
            if name is None or not isinstance(name.value, str) or parameters is None:
                continue
            last = parameters.get(len(parameters.items()) - 1, "name") if parameters.items() else None
            if last is None or last.value != name.value:
                message = f"`async` must name the last parameter, not `{name.value}`"
                yield _Mistake((at, "functions", number), message, name.span)
