"""Runs programs in Node.js and compares their behavior with the facts of extlint."""

from __future__ import annotations

import json
import math
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from select import select
from typing import Any, NamedTuple

from condition_programs import ConditionProgram
from tree_sitter import Node

from extlint.analysis.analyze import analyze, exports_of_script
from extlint.analysis.call_graph.entry_points import ExternalName
from extlint.analysis.facts.other_scripts import NO_EXPORTS, Exports, ImportResolver, no_modules
from extlint.analysis.facts.script_facts import ApiPath as MemberPath
from extlint.analysis.facts.script_facts import Guards, ScriptFacts
from extlint.analysis.facts.values import (
    Api,
    ApiResult,
    ArrayValue,
    Delivery,
    FunctionValue,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Unknown,
    Value,
)
from extlint.analysis.follow import evaluator_of
from extlint.analysis.reachability.call_paths import CallPaths
from extlint.analysis.reachability.destinations import unknown_receiver
from extlint.analysis.reachability.paths import NO_PATH, UNGUARDED, LeastSolution, union
from extlint.analysis.syntax.parse import parse
from extlint.text.positions import ByteSpan

_ALTERNATIVE = re.compile(rb"\s*(?:\?\?|\|\||\?\.|=(?!=)|\)*\?\.)")
"""Matches after a member that has a fallback in case it is missing."""

TIMEOUT_SECONDS = 1.5
"""The number of seconds after which a program counts as endless."""

Actual = dict[str, Any]
"""A value as the running program describes it; `t` is its kind."""


class NodeProcess:
    """A process that runs any number of programs in sequence."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        script = Path(__file__).with_name("running.js")
        self._process = subprocess.Popen(
            ["node", "--stack-size=200", str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def run(self, code: str, absent: Sequence[str] = ()) -> tuple[list[Actual], list[str]]:
        """Returns the events of a program and its uncaught errors; `absent` members are missing.

        Returns no events for a program that does not end.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"code": code, "absent": list(absent)}).encode() + b"\n")
        self._process.stdin.flush()
        if not select([self._process.stdout], [], [], TIMEOUT_SECONDS)[0]:
            self._process.kill()
            self.close()
            self._start()
            return [], ["it does not end"]
        answer = json.loads(self._process.stdout.readline())
        return answer["events"], answer["errors"]

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def admits(value: Value, actual: Actual) -> bool:
    """Whether an inferred value is consistent with the value at run time."""
    kind = actual["t"]
    if kind == "deep" or (isinstance(value, ApiResult) and value.steps[-1:] == ("length",)):
        return True
    match value:
        case Unknown():
            return True
        case Union(options=options):
            return any(admits(option, actual) for option in options)
        case Literal(kind=known, value=content):
            return known.value == kind and _same_content(known, content, actual.get("v"))
        case Typed(kind=known):
            return known.value == kind or (known is Kind.OBJECT and kind in {"instance", "result", "api"})
        case ObjectValue():
            return kind == "object" and _admits_fields(value, actual["fields"])
        case ArrayValue(items=items, open=is_open):
            if kind != "array" or len(actual["items"]) < len(items):
                return False
            return all(map(admits, items, actual["items"])) and (
                is_open or len(actual["items"]) == len(items)
            )
        case FunctionValue(is_class=is_class):
            return kind == "function" and actual["cls"] is is_class
        case InstanceValue(class_name="globalThis"):
            return bool(actual.get("global"))
        case InstanceValue(class_name=name, builtin=builtin):
            return kind in {"instance", "result"} and (
                not builtin or kind == "result" or actual["name"] == name
            )
        case Api(path=path, bound=bound):
            return kind == "function" if bound else kind == "api" and tuple(actual["path"]) == path
        case ApiResult(path=path, delivery=Delivery.MEMBER):
            return kind == "api" and tuple(actual["path"]) == path
        case ApiResult():
            return kind == "result" and _is_same_result_part(value, actual)
    return False


def _is_same_result_part(value: ApiResult, actual: Actual) -> bool:
    return (tuple(actual["path"]), actual["given"], tuple(actual["steps"])) == (
        value.path,
        value.delivery.value,
        value.steps,
    ) and actual["index"] == value.index


def _same_content(kind: Kind, content: object, actual: Any) -> bool:
    if kind is Kind.NUMBER and isinstance(content, float):
        number = float(actual)
        return number == content or (math.isnan(number) and math.isnan(content))
    if kind is Kind.BIGINT:
        return bool(str(content) == actual)
    return kind in {Kind.NULL, Kind.UNDEFINED} or bool(content == actual)


def _admits_fields(value: ObjectValue, actual: dict[str, Actual]) -> bool:
    for name, field in value.fields.items():
        if name in actual:
            if not admits(field.value, actual[name]):
                return False
        elif not field.maybe_absent:
            return False
    return value.open or all(name in value.fields for name in actual)


class Discrepancy(NamedTuple):
    """A fact of extlint that the running program refutes."""

    kind: str
    text: str
    claimed: str
    actual: str


class Edits:
    """Insertions and replacements in a text, by byte offset."""

    def __init__(self) -> None:
        self._edits: list[tuple[int, int, int, int, bytes]] = []

    def wrap(self, span: ByteSpan, before: str, after: str = ")") -> None:
        """Adds text before and after a span."""
        start, end = span
        self._edits.append((start, 1, start - end, start, before.encode()))
        self._edits.append((end, 0, end - start, end, after.encode()))

    def replace(self, span: ByteSpan, replacement: str) -> None:
        """Replaces a span with text."""
        self._edits.append((span[0], 2, 0, span[1], replacement.encode()))

    def apply(self, text: bytes) -> str:
        """Returns the edited text."""
        parts, at = [], 0
        for start, _, _, end, by in sorted(self._edits):
            parts += [text[at:start], by]
            at = end
        return b"".join([*parts, text[at:]]).decode()


def _no_callers(name: ExternalName) -> None:
    """Returns no callers in other scripts."""


class Program:
    """A program with the facts that extlint found."""

    def __init__(self, text: str, path: str = "a.js", importing: ConditionProgram | None = None) -> None:
        self.text = text.encode()
        own, imported = self.text, no_modules
        if importing is not None:
            own, imported = _split_pair(importing, len(self.text))
        self._analysis_inputs = own, path, imported
        self.facts: ScriptFacts = analyze(own, path, imported)
        tree = parse(self.text, "javascript")
        assert tree is not None
        self._root = tree.root_node

    @cached_property
    def _path_guards(self) -> list[frozenset[Guards]]:
        """The guards on each call path to each reference."""
        evaluator = evaluator_of(*self._analysis_inputs)
        assert evaluator is not None
        solution = LeastSolution(NO_PATH, UNGUARDED, union)
        ways = CallPaths(evaluator, _no_callers, unknown_receiver, lambda *_: UNGUARDED, solution)
        return [ways.to(evaluator.tree.leaf_at(each.span[1] - 1)) for each in self.facts.references]

    def tested(self, index: int) -> frozenset[MemberPath]:
        """Returns the members that extlint reports as tested on some path to a reference."""
        return frozenset().union(
            self.facts.references[index].guards.tested, *(each.tested for each in self._path_guards[index])
        )

    def is_tested(self, index: int, path: MemberPath) -> bool:
        """Whether extlint reports a member as tested on every path to a reference."""
        if _is_guarded(self.facts.references[index].guards, path):
            return True
        ways = self._path_guards[index]
        return bool(ways) and all(_is_guarded(each, path) for each in ways)

    def source(self, span: ByteSpan) -> str:
        """Returns the text of a span."""
        return self.text[span[0] : span[1]].decode()

    def _node(self, span: ByteSpan) -> Node:
        node = self._root.descendant_for_byte_range(*span)
        assert node is not None
        while (
            node.parent is not None
            and (node.parent.start_byte, node.parent.end_byte) == span
            and node.parent.type != "sequence_expression"
        ):
            node = node.parent
        return node

    def with_value_probes(self) -> str:
        """Returns the program, instrumented to report the values of all facts."""
        edits = Edits()
        for index, call in enumerate(self.facts.calls):
            start, end = call.arguments_span
            edits.replace((start, start + 1), f"(...__site({index},[")
            edits.replace((end - 1, end), "]))")
            if "?." not in self.source(call.span):
                edits.wrap(call.span, f"__r({index},")
        for index, reference in enumerate(self.facts.references):
            self._probe_key(edits, reference.span, "reference", index)
        for index, read in enumerate(self.facts.field_reads):
            self._probe_key(edits, read.span, "field", index)
        for index, comparison in enumerate(self.facts.comparisons):
            if comparison.with_.span is not None:
                self._probe_comparison(edits, comparison.with_.span, index)
        return edits.apply(self.text)

    def _probe_key(self, edits: Edits, span: ByteSpan, kind: str, index: int) -> None:
        node = self._node(span)
        member = node if node.type in {"member_expression", "subscript_expression"} else node.parent
        if member is not None and member.type in {"member_expression", "subscript_expression"}:
            target = member.child_by_field_name("object")
            assert target is not None
            edits.wrap((target.start_byte, target.end_byte), f"__o('{kind}',{index},")
        else:
            self._probe_computed_key(edits, node, f"__k('{kind}',{index},")

    def _probe_computed_key(self, edits: Edits, node: Node, probe: str) -> None:
        span = (node.start_byte, node.end_byte)
        source = self.source(span)
        if node.type == "computed_property_name":
            edits.wrap((span[0] + 1, span[1] - 1), probe)
        elif node.type == "string":
            edits.wrap(span, f"[{probe}", ")]")
        elif node.type == "shorthand_property_identifier_pattern":
            edits.replace(span, f'[{probe}"{source}")]: {source}')
        elif node.type == "object_assignment_pattern":
            left = node.child_by_field_name("left")
            assert left is not None
            self._probe_computed_key(edits, left, probe)
        else:
            edits.replace(span, f'[{probe}"{source}")]')

    def _probe_comparison(self, edits: Edits, span: ByteSpan, index: int) -> None:
        node = self._node(span)
        up = node.parent
        assert up is not None
        other: Node | None = None
        if up.type == "binary_expression":
            left, right = up.child_by_field_name("left"), up.child_by_field_name("right")
            assert left is not None
            other = right if (left.start_byte, left.end_byte) == span else left
        elif up.type == "switch_case":
            return
        if other is None:
            return
        edits.wrap((other.start_byte, other.end_byte), f"__w('compared',{index},")
        edits.wrap(span, f"__w('with',{index},")

    def with_reach_probes(self) -> str:
        """Returns the program, instrumented to report the references that are reached."""
        edits = Edits()
        for index, reference in enumerate(self.facts.references):
            node = self._node(reference.span)
            if node.type == "subscript_expression":
                key = node.child_by_field_name("index")
                assert key is not None
                edits.wrap((key.start_byte, key.end_byte), f"__n({index},")
            elif node.type == "member_expression":
                for child in node.children:
                    if child.type == ".":
                        edits.replace((child.start_byte, child.end_byte), "")
                    elif child.type == "property_identifier":
                        span = (child.start_byte, child.end_byte)
                        edits.replace(span, f'[__n({index},"{self.source(span)}")]')
            else:
                self._probe_computed_key(edits, node, f"__n({index},")
        return edits.apply(self.text)


def find_discrepancies(node: NodeProcess, text: str) -> tuple[list[Discrepancy], int, list[str]]:
    """Returns the facts that a run of a program refutes, the number of facts reached, and the errors."""
    program = Program(text)
    events, errors = node.run(program.with_value_probes())
    found = [each for event in events for each in _event_discrepancies(program, event)]
    return list(dict.fromkeys(found)), len(events), errors


def _event_discrepancies(program: Program, event: Actual) -> Iterator[Discrepancy]:
    facts = program.facts
    match event["e"]:
        case "call":
            call = facts.calls[event["id"]]
            source = program.source(call.span)
            if tuple(event["path"]) != call.path:
                yield Discrepancy("path", source, ".".join(call.path), ".".join(event["path"]))
                return
            passed = event["v"]
            if len(passed) < len(call.arguments) or (len(passed) > len(call.arguments) and not call.open):
                yield Discrepancy("count", source, str(call.arguments), str(passed))
            for value, actual in zip(call.arguments, passed, strict=False):
                if not admits(value, actual):
                    yield Discrepancy("argument", source, str(value), str(actual))
        case "other":
            call = facts.calls[event["id"]]
            yield Discrepancy("callee", program.source(call.span), ".".join(call.path), "another function")
        case "lost":
            yield from _key_discrepancies(program, event["kind"], event["id"], {"t": "something else"})
        case "key":
            yield from _key_discrepancies(program, event["kind"], event["id"], event["v"])
        case "compared":
            comparison = facts.comparisons[event["id"]]
            if event["v"]["t"] not in {"null", "undefined"} and not admits(comparison.of, event["v"]):
                span = comparison.with_.span
                assert span is not None
                yield Discrepancy("compared", program.source(span), str(comparison.of), str(event["v"]))
        case "with":
            comparison = facts.comparisons[event["id"]]
            if not admits(comparison.with_, event["v"]):
                span = comparison.with_.span
                assert span is not None
                yield Discrepancy("with", program.source(span), str(comparison.with_), str(event["v"]))


def _key_discrepancies(program: Program, kind: str, index: int, actual: Actual) -> Iterator[Discrepancy]:
    if actual["t"] in {"null", "undefined"}:
        return
    if kind == "reference":
        reference = program.facts.references[index]
        if program.source(reference.span).startswith(("'", '"')):
            return  # a string that is looked up in an object
        if not (actual["t"] == "api" and tuple(actual["path"]) == reference.path[:-1]):
            yield Discrepancy(
                "reference", program.source(reference.span), ".".join(reference.path), str(actual)
            )
    else:
        read = program.facts.field_reads[index]
        if not admits(read.of, actual):
            yield Discrepancy("field", program.source(read.span), str(read.of), str(actual))


def _split_pair(pair: ConditionProgram, length: int) -> tuple[bytes, ImportResolver]:
    """Returns the importing script, at its offset in the joined program, and a resolver of its imports."""
    exported = f"{pair.module}\nexport {{ {', '.join(pair.names)} }};".encode()
    exports = exports_of_script(exported, "b.js").exports
    own = f"import {{ {', '.join(pair.names)} }} from 'b';".encode()
    text = own.ljust(length - len(pair.own.encode())) + pair.own.encode()

    def imported(name: str, *, of_api: bool = False) -> Exports:
        return NO_EXPORTS if of_api or name != "b" else exports

    return text, imported


def join_pair(pair: ConditionProgram) -> str:
    """Returns a program equivalent to the two scripts of a pair."""
    return f"{pair.module}\n{' ' * 80}\n{pair.own}"


def find_wrong_guards(
    node: NodeProcess, text: str, importing: ConditionProgram | None = None
) -> list[Discrepancy]:
    """Returns the guards that extlint missed, and the reported guards that do not hold."""
    program = Program(text, importing=importing)
    facts = program.facts
    code = program.with_reach_probes()
    present = _reached(node, code, ())
    if present is None:
        return []
    indexes_by_member: dict[str, list[int]] = defaultdict(list)
    for index, reference in enumerate(facts.references):
        for length in range(1, len(reference.path) + 1):
            indexes_by_member[".".join(reference.path[:length])].append(index)
        for path in program.tested(index):
            indexes_by_member[".".join(path)].append(index)
    found = []
    for member, indexes in indexes_by_member.items():
        absent, failed = _reached_without(node, code, member)
        for index in dict.fromkeys(indexes):
            reference = facts.references[index]
            claimed = program.is_tested(index, tuple(member.split(".")))
            source = program.source(reference.span)
            alternative = _ALTERNATIVE.match(program.text, reference.span[1])
            if index in absent and claimed and not alternative:
                found.append(Discrepancy("no such guard", source, f"tested {member}", "reached without it"))
            if (
                index in present
                and index not in absent
                and not failed
                and not claimed
                and not reference.guards.failure
                and not reference.only_tested
                and member
                in {".".join(reference.path[:length]) for length in range(1, len(reference.path) + 1)}
            ):
                found.append(
                    Discrepancy("missed guard", source, f"{member} not tested", "never reached without it")
                )
    for index, reference in enumerate(facts.references):
        if reference.guards.unreachable and index in present:
            found.append(Discrepancy("runs", program.source(reference.span), "never", "reached"))
        if reference.guards.missing and index in present:
            source = program.source(reference.span)
            found.append(Discrepancy("not missing", source, str(reference.guards.missing), "reached with it"))
    return found


def _is_guarded(guards: Guards, path: tuple[str, ...]) -> bool:
    return any(tested[: len(path)] == path for tested in guards.tested)


def _reached(node: NodeProcess, code: str, absent: Sequence[str]) -> set[int] | None:
    events, errors = node.run(code, absent)
    return (
        None
        if any("SyntaxError" in each for each in errors)
        else {each["id"] for each in events if each["e"] == "reached"}
    )


def _reached_without(node: NodeProcess, code: str, member: str) -> tuple[set[int], bool]:
    events, errors = node.run(code, (member,))
    return {each["id"] for each in events if each["e"] == "reached"}, bool(errors)
