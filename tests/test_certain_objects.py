"""Code that never runs after a function, a class or a refused `import()`, in scripts of service workers."""

from __future__ import annotations

import pytest
from harness import manifest, reported

MODULE = {"service_worker": "b.js", "type": "module"}
EXPORTS = "export class A {} export const n = Math.random(); export let later; later = () => 1;"


def found(script: str, **others: str) -> list[str]:
    """Returns the globals that a service worker uses and does not have."""
    files = {"manifest.json": manifest(background=MODULE), "b.js": script}
    files |= {f"{name}.js": text for name, text in others.items()}
    return [text for _, text in reported(files, ("missing-global",), "chrome")]


@pytest.mark.parametrize(
    ("script", "count"),
    [
        pytest.param("class A {} export const b = A || window.A;", 0, id="a class"),
        pytest.param("function a() {} export const b = a || window.a;", 0, id="a function"),
        pytest.param("const a = () => 1; export const b = a ? a() : window.a;", 0, id="an arrow function"),
        pytest.param("function a() {} if (!a) window.a();", 0, id="a test that never succeeds"),
        pytest.param("function a() {} if (a) window.a();", 1, id="a test that always succeeds"),
        pytest.param("function a() {} a = null; export const b = a || window.a;", 1, id="written again"),
        pytest.param("let A; A = f(); export const b = A || window.A;", 1, id="a variable"),
        pytest.param("import { A } from './a.js'; export const b = A || window.A;", 0, id="an import"),
        pytest.param("import * as m from './a.js'; export const b = m.A || window.A;", 0, id="a namespace"),
        pytest.param("import * as m from './a.js'; export const b = m.B || window.B;", 1, id="no export"),
        pytest.param("import { n } from './a.js'; export const b = n || window.n;", 1, id="a number"),
        pytest.param(
            "import { later } from './a.js'; export const b = later || window.b;", 1, id="set later"
        ),
    ],
)
def test_alternative_to_what_always_exists(script: str, count: int) -> None:
    assert found(script, a=EXPORTS) == ["window"] * count


@pytest.mark.parametrize(
    ("script", "count"),
    [
        pytest.param("import('./a.js').then(() => window.a()).catch(f);", 0, id="then"),
        pytest.param("import('./a.js').then(g).then(() => window.a()).catch(f);", 0, id="the second one"),
        pytest.param("import('./a.js').finally(g).then(() => window.a()).catch(f);", 0, id="after finally"),
        pytest.param("function h() { window.a() } import('./a.js').then(h).catch(f);", 0, id="by its name"),
        pytest.param("import('./a.js').catch(f).then(() => window.a());", 1, id="after the handler"),
        pytest.param("import('./a.js').catch(f); window.a();", 1, id="next to it"),
        pytest.param("load('./a.js').then(() => window.a()).catch(f);", 1, id="another promise"),
        pytest.param("function h() { window.a() } import('./a.js').then(h).catch(f); h();", 1, id="called"),
    ],
)
def test_code_after_an_import_that_workers_refuse(script: str, count: int) -> None:
    assert found(script, a=EXPORTS) == ["window"] * count
