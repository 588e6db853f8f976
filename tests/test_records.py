"""Recorded facts of scripts, which are reused only if everything they depend on is unchanged."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping

import pytest
from harness import lint, manifest
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples

from extlint.analysis.cache.codec import decoded, encoded
from extlint.analysis.cache.records import RecordedPackage, Records
from extlint.analysis.cache.store import CanonicalValues, MemoryStore
from extlint.analysis.facts.other_scripts import NO_EXPORTS, Exports, ImportResolver
from extlint.analysis.facts.values import (
    UNKNOWN,
    Api,
    ArrayValue,
    Field,
    FunctionValue,
    Implications,
    InstanceValue,
    Kind,
    Literal,
    ObjectValue,
    Typed,
    Union,
    Value,
    union_of,
)
from extlint.package.discovery.find import stdin_package
from extlint.package.files import Package
from extlint.queries.stored import MAX_ALTERNATIVES

MANAGEMENT = Api(("management",))
TEXT = b"import { api } from './a.js';"


def open_object(**fields: Value) -> ObjectValue:
    return ObjectValue({name: Field(value) for name, value in fields.items()}, True)


def copy_of(value: Value) -> Value:
    """Returns an equal value with distinct parts."""
    found: Value = pickle.loads(pickle.dumps(value))
    return found


VALUES = {
    "a member of the API": MANAGEMENT,
    "an object": open_object(api=MANAGEMENT),
    "a function that returns an object": FunctionValue(None, result=open_object(api=MANAGEMENT)),
    "implications": Typed(Kind.BOOLEAN, None, Implications(frozenset({("a", "b"), ("c",), ("d", "e", "f")}))),
    "a promise": InstanceValue("Promise", fulfillment=ArrayValue((MANAGEMENT, UNKNOWN))),
    "one of several": Union((open_object(a=UNKNOWN), open_object(b=UNKNOWN))),
    "NaN": Literal(Kind.NUMBER, float("nan")),
    "half a character": Literal(Kind.STRING, "\ud800"),
    "a large integer": Literal(Kind.BIGINT, 2**200),
}

DIFFERENT: list[tuple[Value, Value]] = [
    (Literal(Kind.NUMBER, 1.0), Literal(Kind.NUMBER, 1)),
    (Literal(Kind.NUMBER, 1), Literal(Kind.NUMBER, True)),
    (Literal(Kind.NUMBER, 0.0), Literal(Kind.NUMBER, -0.0)),
    (Literal(Kind.STRING, "1"), Literal(Kind.STRING, 1)),
    (Literal(Kind.STRING, "\ud800"), Literal(Kind.STRING, "\\ud800")),
    (Literal(Kind.STRING, "a"), Literal(Kind.STRING, "a", (0, 3))),
    (Api(("a", "b")), Api(("a.b",))),
    (ArrayValue(), ObjectValue()),
    (open_object(a=UNKNOWN, b=MANAGEMENT), open_object(b=MANAGEMENT, a=UNKNOWN)),
    (ArrayValue((ArrayValue(), ArrayValue())), ArrayValue((ArrayValue((ArrayValue(),)),))),
]


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_equal_values_become_one_object(value: Value) -> None:
    values = CanonicalValues()
    assert values.intern(copy_of(value)) is values.intern(value)
    assert union_of([values.intern(value), values.intern(copy_of(value))]) == values.intern(value)
    assert values.digest(copy_of(value)) == CanonicalValues().digest(value)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_values_stay_distinct(one: Value, other: Value) -> None:
    values = CanonicalValues()
    assert values.intern(one) is not values.intern(other)
    assert values.digest(one) != values.digest(other)


def test_no_exports_differ_from_empty_exports() -> None:
    values = CanonicalValues()
    assert values.digest(NO_EXPORTS) != values.digest({})
    assert values.intern(NO_EXPORTS) is NO_EXPORTS
    assert decoded(encoded(NO_EXPORTS) or b"") is NO_EXPORTS


def test_shared_parts_are_visited_once() -> None:
    """As a tree the value would have 2^60 parts."""
    value: Value = MANAGEMENT
    for _ in range(60):
        value = ArrayValue((value, value))
    values = CanonicalValues()
    assert values.digest(value) == CanonicalValues().digest(decoded(encoded(value) or b""))


def test_deep_value_has_a_digest() -> None:
    value: Value = MANAGEMENT
    for _ in range(5_000):
        value = ArrayValue((value,))
    assert CanonicalValues().digest(value) != CanonicalValues().digest(ArrayValue((value,)))
    assert encoded(value) is None


class UnrelatedClass:
    """A class that is not one of extlint's structures."""


UNREADABLE = {
    "nothing": b"",
    "not a record": b"no record",
    "half of one": (encoded(MANAGEMENT) or b"")[:-9],
    "a function of Python": pickle.dumps(print),
    "a function of extlint": pickle.dumps(union_of),
    "another class": pickle.dumps(UnrelatedClass()),
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_invalid_record_is_ignored(data: bytes) -> None:
    assert decoded(data) is None


class Analyses:
    """Counts the analyses of a script that imports `./a.js`."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.count = 0

    def analyze(self, exports: Exports, *, text: bytes = TEXT, key: tuple[object, ...] = ()) -> object:
        def find(imported: ImportResolver) -> object:
            self.count += 1
            return (text, key, dict(imported("./a.js", of_api=True)))

        return Records(self.store, CanonicalValues()).get_or_compute(
            key, text, lambda *_, **__: exports, find
        )


CHANGES: dict[str, Callable[[Analyses], object]] = {
    "another text": lambda run: run.analyze({"api": MANAGEMENT}, text=b"import './a.js';"),
    "another key": lambda run: run.analyze({"api": MANAGEMENT}, key=(".ts",)),
    "another value": lambda run: run.analyze({"api": Api()}),
    "another name": lambda run: run.analyze({"tool": MANAGEMENT}),
    "one more": lambda run: run.analyze({"api": MANAGEMENT, "tool": MANAGEMENT}),
    "nothing": lambda run: run.analyze({}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_record_is_reused_until_a_dependency_changes(change: Callable[[Analyses], object]) -> None:
    run = Analyses()
    first = run.analyze({"api": MANAGEMENT})
    assert run.analyze({"api": copy_of(MANAGEMENT)}) == first
    assert run.count == 1
    assert change(run) != first
    assert run.count == 2
    assert run.analyze({"api": MANAGEMENT}) == first
    assert run.count == 2


def test_only_the_last_records_are_stored() -> None:
    run = Analyses()
    for number in range(MAX_ALTERNATIVES + 1):
        run.analyze({f"api{number}": MANAGEMENT})
    run.analyze({f"api{MAX_ALTERNATIVES}": MANAGEMENT})
    assert run.count == MAX_ALTERNATIVES + 1
    run.analyze({"api0": MANAGEMENT})
    assert run.count == MAX_ALTERNATIVES + 2


def test_failed_analysis_is_not_stored() -> None:
    def fail(_: ImportResolver) -> object:
        raise ValueError("no answer")

    run = Analyses()
    with pytest.raises(ValueError, match="no answer"):
        Records(run.store, CanonicalValues()).get_or_compute((), TEXT, lambda *_, **__: NO_EXPORTS, fail)
    assert not run.store.entries


def test_recorded_package_can_be_sent_to_a_worker_during_its_check() -> None:
    package = stdin_package(text := b'{"manifest_version": 3}')
    assert isinstance(package, Package)
    recorded = RecordedPackage(package, MemoryStore())

    def sent_and_read() -> bytes:
        recorded.read("manifest.json")
        sent: Package = pickle.loads(pickle.dumps(recorded))
        return sent.read("manifest.json")

    assert recorded.result(RecordedPackage.report, b"", sent_and_read) == text


STATEMENTS = (
    "browser.management.getAll();",
    "browser.management.get(1);",
    "chrome.tabs.query({ activ: true });",
    "api.management.getAll(1, 2);",
    "tool().getAll();",
    "m.getAll();",
    "if (canList) { browser.management.getAll(); }",
    "if (check()) { api.management.getAll(); }",
    "browser.management.getSelf().then((info) => info.nmae);",
    "globalThis.api = chrome;",
    "var api = globalThis.browser ?? chrome;",
    "var m = chrome.management;",
    "window.canList = !!browser.management;",
    "var api = 1;",
    "import('./b.js');",
    "importScripts('c.js');",
    "import { api } from './a.js';",
    "import { tool, m } from './b.js';",
    "import * as everything from './c.js'; everything.api.management.getAll();",
    "import './c.js';",
    "export const api = globalThis.browser ?? chrome;",
    "export const tool = () => chrome.management; export const m = tool();",
    "export const check = () => !!browser.management.getAll;",
    "export * from './a.js';",
    "export { api } from './c.js';",
    "export function m(api) { api.getAll(); } m(chrome.management);",
    "const x: any = chrome; (x as any).management.getAll();",
    "",
)

SOURCES = st.lists(st.sampled_from(STATEMENTS), max_size=4).map("\n".join)
MANIFESTS = st.sampled_from(
    [
        manifest(background={"scripts": ["a.js", "b.js", "c.js"]}),
        manifest(background={"scripts": ["c.js", "b.js"]}, permissions=["management"]),
        manifest(background={"scripts": ["a.js"], "type": "module"}),
        manifest(background={"page": "page.html"}),
    ]
)
PAGE = "<script src='a.js'></script><script>{}</script><script src='c.js'></script>"
EDITS = st.one_of(
    st.tuples(st.sampled_from(["a.js", "b.js", "c.js"]), SOURCES),
    st.tuples(st.just("manifest.json"), MANIFESTS),
    st.tuples(st.just("page.html"), SOURCES.map(PAGE.format)),
    st.sampled_from([("move a.js", "a.ts"), ("move b.js", "b.ts")]),
)


def apply_edit(files: Mapping[str, str], edit: tuple[str, str]) -> dict[str, str]:
    path, text = edit
    moved = path.removeprefix("move ")
    if moved != path:
        return {(text if each == moved else each): found for each, found in files.items()}
    return {**files, path: text}


@settings(max_examples=examples(20))
@given(st.tuples(SOURCES, SOURCES, SOURCES), st.lists(EDITS, max_size=5), st.booleans())
def test_records_do_not_change_the_findings(
    sources: tuple[str, str, str], edits: list[tuple[str, str]], browsers: bool
) -> None:
    files = dict(zip(("a.js", "b.js", "c.js"), sources, strict=True))
    files |= {"page.html": PAGE.format(""), "manifest.json": manifest(background={"scripts": list(files)})}
    target = "firefox,chrome" if browsers else "reference"
    store = MemoryStore()
    for edit in (("move nothing", ""), *edits, ("move nothing", "")):
        files = apply_edit(files, edit)
        assert lint(files, target=target, store=store) == lint(files, target=target)
