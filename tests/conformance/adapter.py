"""Turns the browsers' own test cases into call sites, and runs extlint on them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from extlint.analysis.analyze import analyze
from extlint.schema.engine import Engine
from extlint.schema.matching.call import CallProblem, judge_call, judge_listener_call
from extlint.schema.matching.environment import Environment
from extlint.schema.model import Event, Function, Namespace, SchemaSet

CASES = Path(__file__).resolve().parents[3] / "shared" / "conformance" / "dialect"

ONE_PARAMETER = "oneParameter"
"""The namespace of functions that take one value of a type, generated for cases about types."""

SIGNATURES = "signatures"


class Case(Struct, frozen=True):
    """A call, or the name of a member, and the browser's verdict."""

    id: str
    kind: Literal["call", "exists"]
    target: str
    arguments: str
    expect: Literal["accept", "reject"]
    schemas: SchemaSet
    engine: Engine
    manifest_version: int
    granted: frozenset[str] | None = None


def read(name: str) -> Any:
    return json.loads((CASES / name).read_text("utf-8"))


def firefox_cases() -> Iterator[Case]:
    for name in ("firefox_schemas.json", "firefox_async.json", "firefox_versioned.json"):
        data = read(name)
        sets = {key: SchemaSet(key, parts) for key, parts in data["schemas"].items()}
        for each in data["cases"]:
            key = each.get("schema", "main")
            kind = each.get("kind", "call")
            version = each.get("manifest_version", 2)
            if kind == "call":
                yield Case(
                    each["id"],
                    "call",
                    each["target"],
                    each["args_js"].strip()[1:-1],
                    each["expect"],
                    sets[key],
                    Engine.GECKO,
                    version,
                )
            elif kind == "normalize_type":
                schemas = _with_function(data["schemas"][key], each["target"])
                text = json.dumps(each["value"])
                target = f"{ONE_PARAMETER}.f"
                yield Case(each["id"], "call", target, text, each["expect"], schemas, Engine.GECKO, version)
            elif kind == "exists":
                granted = each.get("granted_permissions")
                yield Case(
                    each["id"],
                    "exists",
                    each["target"],
                    "",
                    "accept" if each["expect"] == "available" else "reject",
                    sets[key],
                    Engine.GECKO,
                    version,
                    None if granted is None else frozenset(granted),
                )


def _with_function(parts: list[dict[str, Any]], name: str) -> SchemaSet:
    function = {"name": "f", "parameters": [{"name": "value", "$ref": name}]}
    return SchemaSet("types", [*parts, {"namespace": ONE_PARAMETER, "functions": [function]}])


def chromium_cases() -> Iterator[Case]:
    specs = read("chromium_argument_spec.json")
    functions = [
        {"name": name, "parameters": [{**spec, "name": "value"}]} for name, spec in specs["specs"].items()
    ]
    namespace = {"namespace": ONE_PARAMETER, "types": specs["types"], "functions": functions}
    schemas = SchemaSet("chromium", [namespace])
    for each in specs["cases"]:
        target = f"{ONE_PARAMETER}.{each['spec']}"
        yield Case(each["id"], "call", target, each["value_js"], each["expect"], schemas, Engine.CHROMIUM, 3)
    data = read("chromium_api_signature.json")
    for each in data["cases"]:
        if each.get("kind", "call") != "call":
            continue
        signature = _signature(data["signatures"][each["signature"]], each)
        namespace = {"namespace": SIGNATURES, "types": data["types"], "functions": [signature]}
        arguments = each["args_js"].strip()[1:-1]
        target = f"{SIGNATURES}.f"
        schemas = SchemaSet("chromium", [namespace])
        yield Case(each["id"], "call", target, arguments, each["expect"], schemas, Engine.CHROMIUM, 3)


def _signature(signature: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    """Returns the function of a case; whether it returns promises depends on its schema and on the case."""
    function = {"name": "f", **signature}
    if "returns_async" in signature:
        returns = dict(signature["returns_async"])
        if not (returns.pop("promise", False) and case.get("context_allows_promises")):
            returns["does_not_support_promises"] = "in this context"
        function["returns_async"] = returns
    return function


def problems(case: Case) -> tuple[CallProblem, ...]:
    """Returns the problems that extlint reports for the call of a case."""
    facts = analyze(f"browser.{case.target}({case.arguments});".encode(), "case.js")
    if facts.problem is not None or len(facts.calls) != 1:
        raise AssertionError(f"{case.id} is no single call: {facts}")
    call = facts.calls[0]
    env = Environment(case.schemas, case.engine, case.manifest_version)
    namespace, rest = _namespace(case, call.path)
    found = [
        each
        for each in namespace.members.get(rest[0], ())
        if case.manifest_version in each.availability.versions
    ]
    member = found[-1]
    if isinstance(member, Event):
        name = ".".join(call.path)
        return judge_listener_call(name, member, rest[1], call.arguments, call.open, env)
    if not isinstance(member, Function):
        raise AssertionError(f"{case.id} calls what is no function")
    return judge_call(
        ".".join(call.path), member.parameters, call.arguments, call.open, env, ambiguous=member.ambiguous
    )


def exists(case: Case) -> bool:
    """Whether the member of a case exists for its manifest version and permissions."""
    namespace, rest = _namespace(case, tuple(case.target.split(".")))
    members = namespace.members.get(rest[0], ())
    gates = [[namespace.availability], [each.availability for each in members]]
    if len(rest) > 1:
        kind = namespace.type(rest[0])
        values = [value.upper() for value in getattr(kind, "enum", None) or ()]
        if rest[1] not in values:
            return False
    return all(
        any(
            case.manifest_version in each.versions
            and not each.unsupported
            and (case.granted is None or all(case.granted & set(group) for group in each.permissions))
            for each in gate
        )
        for gate in gates
    )


def _namespace(case: Case, path: tuple[str, ...]) -> tuple[Namespace, tuple[str, ...]]:
    """Returns the namespace with the longest name that is a prefix of the path, and the rest of the path."""
    for length in range(len(path) - 1, 0, -1):
        found = case.schemas.namespace(".".join(path[:length]))
        if found is not None:
            return found, path[length:]
    raise AssertionError(f"{case.id} names no namespace")
