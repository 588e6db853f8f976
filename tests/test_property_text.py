"""Checks of the text around a property name that rule out a write, a key or a definition."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extlint.analysis.syntax.prefilter import (
    may_be_key,
    may_define_property,
    may_use_property,
    may_write_member,
)

WRITES = (
    "a.x = 1",
    "a.x=b",
    "a . x\n = 1",
    "a.x += 1",
    "a.x **= 2",
    "a.x >>>= 2",
    "a.x <<= 2",
    "a.x ||= b",
    "a.x &&= b",
    "a.x ??= b",
    "a.x /= b",
    "a.x++",
    "a.x--;",
    "++a.x",
    "--a.x;",
    "++ f(b).x;",
    "delete a.x",
    "delete a.x;",
    "delete a.b.c.x;",
    "delete a\n  .x;",
    "delete a().x;",
    "delete a[b].x;",
    "f(delete a.x)",
    "[a.x] = b",
    "[c, a.x, d] = b",
    "[...a.x] = b",
    "({ c: a.x } = b)",
    "({ c: a.x, d } = b)",
    "({ c: a.x = 1 } = b)",
    "for (a.x of b);",
    "for (a.x in b);",
    "a /* c */ . x = 1",
    "a.x /* c */ = 1",
    "delete /* c */ a.x;",
    'a["x"] = 1',
    "a[ 'x' ] = 1",
    "a?.b.x = 1",
    "this.x = 1",
)
READS = (
    "a.x;",
    "a.x.b = 1",
    "a.x?.b",
    "a.x(b)",
    "a.x`b`",
    "a.x[b] = 1",
    "a.x == b",
    "a.x === b",
    "a.x != b",
    "a.x <= b",
    "a.x < b",
    "a.x >> b",
    "a.x && b",
    "a.x ?? b",
    "a.x ? b : c",
    "a.x + b",
    "a.x / b",
    "a.x * b",
    "f(a.x)",
    "f(a.x, b)",
    "b = a.x, c",
    "return a.x}",
    "a.x instanceof B",
    "delete a.x.b",
    "++a.x.b",
    "x = 1",
    "let x = 1",
    "({ x: 1 })",
    '({ "x": 1 })',
    "f('x')",
    "({ x = 1 } = b)",
    "!a.x;",
)


@pytest.mark.parametrize("code", WRITES)
def test_member_write_is_possible(code: str) -> None:
    assert _may_be_written(code)


@pytest.mark.parametrize("code", READS)
def test_member_write_is_ruled_out(code: str) -> None:
    assert not _may_be_written(f"f();\n{code}")


@pytest.mark.parametrize("length", [100, 200, 5_000])
def test_distant_delete_is_not_ruled_out(length: int) -> None:
    assert _may_be_written(f"f();delete {'a.' * (length // 2)}x;")


def _may_be_written(code: str) -> bool:
    at = code.rindex("x")
    return may_write_member(code.encode(), at, at + 1)


DEFINITIONS = (
    "({ x: 1 })",
    "({ x : 1 })",
    "({ 'x': 1 })",
    '({ "x" : 1 })',
    "({ x /* c */ : 1 })",
    "class A { x = 1 }",
    "class A { static x=1 }",
    "class A { x?: B = 1 }",
    "class A { x!: B }",
    "({ get x() {} })",
    "({ get 'x'() {} })",
    "a.x = 1",
    "a. x = 1",
)
NOT_DEFINITIONS = (
    "x()",
    "a.x()",
    "f(x)",
    "f('x')",
    "if (x == 1);",
    "x => 1",
    "x;",
    "a.x;",
    "({ x })",
    "({ x() {} })",
)


@pytest.mark.parametrize("code", DEFINITIONS)
def test_property_definition_is_possible(code: str) -> None:
    assert _is_possible(may_define_property, code)


@pytest.mark.parametrize("code", NOT_DEFINITIONS)
def test_property_definition_is_ruled_out(code: str) -> None:
    assert not _is_possible(may_define_property, f"f();\n{code}")


KEYS = (
    "({ x })",
    "({ x, y })",
    "({ x: 1 })",
    "({ x() {} })",
    "({ 'x': 1 })",
    "f('x')",
    "f(`x`)",
    "({ x /**/ : 1 })",
)
NOT_KEYS = ("a.x, b", "a.x(b)", "x;", "x + 1", "x = 1", "f('x y')", "f(`x ${y}`)")


@pytest.mark.parametrize("code", KEYS)
def test_key_is_possible(code: str) -> None:
    assert _is_possible(may_be_key, code)


@pytest.mark.parametrize("code", NOT_KEYS)
def test_key_is_ruled_out(code: str) -> None:
    assert not _is_possible(may_be_key, f"f();\n{code}")


USES = (
    "a.x",
    "a?.x()",
    "a. x = 1",
    "a. // y\nx",
    "a /* y */ . /* z */ x",
    "a['x']",
    'a[ "x" ]',
    'a["\\\nx"]',
    "a[/**/'x']",
    "({ x } = a)",
    "({ b, x } = a)",
    "({ b, // c\n  x } = a)",
    "({ x = 1 } = a)",
    "({ x: b } = a)",
    "({ x: { b } } = a)",
    "({ x: (b) } = a)",
    "({ x: [b] } = a)",
    "({ x /* c */ : b } = a)",
    "(({ x }) => 1)",
)
UNUSED = (
    "x(1)",
    "let x = 1",
    "({ x: 1 })",
    "({ x: function () {} })",
    "({ x: (a, b) => 1 })",
    "({ x: a => 1 })",
    "({ x: 'a' })",
    "({ x() {} })",
    "({ async x() {} })",
    "({ 'x': 1 })",
    "f('x')",
    "(a, x) => 1",
    "[a, 'x']",
    "x + 1",
)


@pytest.mark.parametrize("code", USES)
def test_property_use_is_possible(code: str) -> None:
    assert _is_possible(may_use_property, f"f();\n{code}")


@pytest.mark.parametrize("code", UNUSED)
def test_property_use_is_ruled_out(code: str) -> None:
    assert not _is_possible(may_use_property, f"f();\n{code}")


@pytest.mark.parametrize("length", [100, 200, 5_000])
def test_property_use_after_a_long_comment_is_possible(length: int) -> None:
    assert _is_possible(may_use_property, f"a. // {'b' * length}\nx")


def _is_possible(may_be: Callable[[bytes, int, int], bool], code: str) -> bool:
    at = code.rindex("x")
    return may_be(code.encode(), at, at + 1)
