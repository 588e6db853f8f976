"""The variable that a name refers to, and all other references to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from harness import manifest, reported
from programs import Writer

from extlint.analysis.follow import evaluator_of
from extlint.analysis.scope.bindings import NameResolver
from extlint.analysis.scope.model import Identifier, Role
from extlint.analysis.syntax.node import Node

SHADOWED = """
function f(e, t) {
  var n = (e) => e + t, r = function e(t) { return e(t) };
  { let e = 1; e + t; { let t = e; t } }
  for (const e of t) { e; function t(n) { return n } }
  try { e() } catch (e) { e; var t = e }
  const o = { e, [e](e) { return e }, t: e => t };
  class A { e = e; static { var e = t; e } m({ e, x: [t] } = e) { return e + t } }
  return { e: function () { e = n; return r }, t };
}
e = f(e);
"""


def classified_names(resolver: NameResolver, root: Node) -> Iterator[Identifier]:
    waiting = [root]
    while waiting:
        each = waiting.pop()
        waiting += each.named()
        is_name = not each.named() and each.type != "property_identifier"
        found = resolver.classify(each.start) if is_name else None
        if found is not None and found.item.same(each):
            yield found


@pytest.mark.parametrize("seed", [None, *range(30)])
def test_variable_has_all_its_references_and_writes(seed: int | None) -> None:
    text = SHADOWED if seed is None else Writer(Random(seed)).program()
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    tree, resolver = evaluator.tree, evaluator.names
    for each in classified_names(resolver, tree.root):
        name = tree.source(each.item)
        if each.role is Role.DECLARATION or text[: each.item.start].endswith("."):
            continue
        binding = resolver.resolve(name, each.item)
        uses = resolver.free_uses(name) if binding is None else binding.uses
        assert [use for use in uses if use.item.same(each.item)], (name, each.item.span)
        assert all(resolver.resolve(name, use.item) is binding for use in uses), name
        if binding is not None and each.role is Role.WRITE:
            assert [write for write in binding.writes if write.item.same(each.item)], (name, each.item.span)


def test_functions_that_redeclare_the_name_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Minified code reuses a few names. Inner functions that declare such a name are not read."""
    inner = "".join(f"function g{at}(e) {{ e(); e = e + 1; return [e, e] }}\n" for at in range(50))
    text = f"function f(e) {{ {inner} return e(1) }}"
    evaluator = evaluator_of(text.encode(), "a.js")
    assert evaluator is not None
    use, looked_at = evaluator.tree.leaf_at(text.index("e(1)")), list[int]()

    def leaf_at(offset: int, find: Callable[[int], Node] = evaluator.tree.leaf_at) -> Node:
        looked_at.append(offset)
        return find(offset)

    monkeypatch.setattr(evaluator.tree, "leaf_at", leaf_at)
    binding = evaluator.names.resolve("e", use)
    assert binding is not None
    assert [each.item.start for each in binding.uses] == [use.start]
    assert len(looked_at) == 52, "the parameters of all functions, and the use"


_MANIFEST = manifest(permissions=["tabs"], background={"service_worker": "b.js"})

SHADOWED_FUNCTIONS = {
    "a variable in it": "function k(api) { var k = 1; api.QUERY } k(chrome)",
    "a parameter": "function k(api, k) { api.QUERY } k(chrome)",
    "a function in it": "function k(api) { api.QUERY; function k() {} } k(chrome)",
}


@pytest.mark.parametrize("source", SHADOWED_FUNCTIONS.values(), ids=SHADOWED_FUNCTIONS.keys())
def test_function_name_may_be_shadowed_inside_the_function(source: str) -> None:
    files = {"manifest.json": _MANIFEST, "b.js": source.replace("QUERY", "tabs.query({ activ: true })")}
    assert reported(files, ("invalid-argument", "unknown-api"), "chrome") == [("invalid-argument", "activ")]
