"""Code that only a build for development has, which users never get."""

from __future__ import annotations

import pytest
from harness import manifest, reported

USE = "chrome.alarms.getAll(f);"


def count(script: str, **others: str) -> int:
    """Returns the number of uses that require a permission, in a service worker that is a module."""
    files = {
        "manifest.json": manifest(background={"service_worker": "b.js", "type": "module"}),
        "b.js": script,
        **{f"{name}.js": text for name, text in others.items()},
    }
    return len(reported(files, ("missing-permission",), "chrome"))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("if (import.meta.env.DEV) { USE }", 0),
        ("if (!import.meta.env.DEV) { USE }", 1),
        ("if (import.meta.env.PROD) { USE } else { USE }", 1),
        ("if (!import.meta.env.PROD && a) { USE }", 0),
        ("if (import.meta.env.DEV || a) { USE }", 1),
        ("if (import.meta.hot) { USE }", 0),
        ("if (__DEV__) { USE }", 0),
        ("const __DEV__ = f(); if (__DEV__) { USE }", 1),
        ("if (process.env.NODE_ENV === 'development') { USE }", 0),
        ("if (process.env.NODE_ENV !== 'production') { USE }", 0),
        ("if (process.env.NODE_ENV === 'production') { USE }", 1),
        ("if (import.meta.env.MODE === 'development') { USE }", 0),
        ("switch (process.env.NODE_ENV) { case 'development': USE }", 0),
        ("switch (process.env.NODE_ENV) { case 'production': USE }", 1),
        ("const isDev = import.meta.env.DEV; if (isDev) { USE }", 0),
        ("const isDev = process.env.NODE_ENV === 'development'; isDev && f(() => { USE });", 0),
        ("const isProd = process.env.NODE_ENV === 'production'; if (!isProd) { USE }", 0),
        ("const isProd = process.env.NODE_ENV === 'production'; if (isProd) { USE }", 1),
        ("function work() { USE } if (import.meta.env.DEV) work();", 0),
        ("function work() { USE } if (import.meta.env.DEV) work(); else work();", 1),
    ],
)
def test_code_for_development(script: str, expected: int) -> None:
    assert count(script.replace("USE", USE)) == expected


@pytest.mark.parametrize(
    ("exported", "condition", "expected"),
    [
        ("import.meta.env.DEV", "value", 0),
        ("import.meta.env.DEV", "!value", 1),
        ("process.env.NODE_ENV === 'development'", "value", 0),
        ("process.env.NODE_ENV !== 'development'", "value", 1),
    ],
)
def test_constant_of_another_module(exported: str, condition: str, expected: int) -> None:
    script = f"import {{ value }} from './a.js'; if ({condition}) {{ {USE} }}"
    assert count(script, a=f"export const value = {exported};") == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("import.meta.hot", 0),
        ("import.meta.env.DEV", 0),
        ("process.env.NODE_ENV !== 'production'", 0),
        ("import.meta.env.PROD", 1),
        ("import.meta.env.MODE === 'staging'", 1),
    ],
)
@pytest.mark.parametrize("other", ["", "chrome.runtime.id;"])
def test_module_that_only_a_build_for_development_loads(condition: str, expected: int, other: str) -> None:
    page = {"p.html": "<script type='module' src='p.js'></script>", "d.js": USE}
    script = f"{other} if ({condition}) {{ import('./d.js'); }}"
    files = {"manifest.json": manifest(action={"default_popup": "p.html"}), "p.js": script, **page}
    assert len(reported(files, ("missing-permission",), "chrome")) == expected
