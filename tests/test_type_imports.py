"""Imports in TypeScript that compilers erase, because the script uses what they import only as types."""

from __future__ import annotations

import pytest
from harness import lint, manifest

from extlint.analysis.facts.other_scripts import NOTHING_SHARED, Demand, no_modules
from extlint.analysis.follow import follow
from extlint.analysis.modules.unparsed import facts_without_parsing
from extlint.analysis.syntax.prefilter import candidates

ERASED = [
    'import { A } from "./b"; let a: A;',
    'import A from "./b"; const a = b as A;',
    'import A, { B } from "./b"; let a: A | B[];',
    'import { A as B } from "./b"; interface C extends B {}',
    'import { A } from "./b"; class B implements A { A = 1; }',
    'import { type A } from "./b";',
    'import { A } from "./b"; let a: A; // A()\nf("A");',
    'import { A } from "./b"; let a: A, b: typeof A;',
    'import * as N from "./b"; let a: N.A;',
    'import A from "./b"; export type B = keyof typeof A.b["c"];',
]
LOADED = [
    'import "./b"; let a: A;',
    'import { A } from "./b";',
    'import { A } from "./b"; let a: A = new A();',
    'import { A, B } from "./b"; let a: A = f(B);',
    'import { A } from "./b"; class B extends A {} let a: A;',
    'import { A } from "./b"; let a: A; f({ A });',
    'import { A } from "./b"; let a: A; export { A };',
    'import * as N from "./b"; let a: N.A = N.A;',
    'import { A } from "./b"; let a: typeof A = typeof A;',
    'import { type A, B } from "./b"; B();',
]


@pytest.mark.parametrize("path", ["a.ts", "a.tsx"])
@pytest.mark.parametrize(
    ("source", "is_loaded"), [*((each, False) for each in ERASED), *((each, True) for each in LOADED)]
)
def test_import_of_types_loads_nothing(source: str, is_loaded: bool, path: str) -> None:
    text = source.encode()
    parsed = follow(text, path, candidates(text), no_modules, NOTHING_SHARED, Demand.OF_API)
    assert [each.name for each in parsed.loads] == (["./b"] if is_loaded else [])
    fast = facts_without_parsing(text, path, candidates(text), no_modules)
    assert fast is None or fast.loads == parsed.loads


@pytest.mark.parametrize("source", ['import { A } from "./b"; A();', 'import A, { B } from "./b"; B.c; A();'])
def test_import_of_a_called_function_is_found_without_parsing(source: str) -> None:
    text = source.encode()
    assert facts_without_parsing(text, "a.ts", candidates(text), no_modules) is not None


@pytest.mark.parametrize(
    ("source", "is_reported"),
    [('import { A } from "./b.ts"; let a: A;', False), ('import { A } from "./b.ts"; let a = A;', True)],
)
def test_module_that_only_provides_types_does_not_run(source: str, is_reported: bool) -> None:
    files = {
        "manifest.json": manifest(background={"service_worker": "a.ts", "type": "module"}),
        "a.ts": source,
        "b.ts": "export type A = 1; document.title = 'b';",
    }
    assert [each.path for each in lint(files, ["missing-global"], "chrome")] == ["b.ts"] * is_reported
