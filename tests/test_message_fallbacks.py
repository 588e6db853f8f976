"""Missing messages, with and without a fallback in the script."""

from __future__ import annotations

import pytest
from harness import lint, manifest, reported

G = "chrome.i18n.getMessage"

NOT_REPORTED = {
    "or a text": f"e.title = {G}('x') || 'Title'",
    "or a text for a nullish value": f"e.title = {G}('x') ?? 'Title'",
    "or nothing": f"e.title = ({G}('x')) || ''",
    "a condition": f"if ({G}('x')) f()",
    "a condition with more": f"if (a && !{G}('x')) f()",
    "one of two": f"e.title = {G}('x') ? a : b",
    "and then": f"{G}('x') && f()",
    "a comparison": f"if ({G}('x') !== '') f()",
    "its length": f"if ({G}('x').length) f()",
    "a boolean": f"f(Boolean({G}('x')))",
    "after a method": f"e.title = {G}('x').trim() || 'Title'",
    "a replacement of the empty text": f"e.title = {G}('x').replace(/^$/, 'Title')",
    "a replacement of a blank text": f"const m = {G}('x'); e.title = m.replace(/^\\s*$/, 'Title')",
    "a search in it": f"const m = {G}('x'); if (m.search(/a/) < 0) f()",
    "a variable that is tested": f"const m = {G}('x'); if (m) e.title = m",
    "a variable or a text": f"const m = {G}('x'); e.title = m || 'Title'",
    "a variable that is filled": f"let m = {G}('x'); m ||= 'Title'; e.title = m",
    "a variable that is assigned": f"let m; m = {G}('x'); e.title = m ? m : 'Title'",
    "a helper with a default": f"const t = (k, d) => {G}(k) || d; e.title = t('x', 'Title')",
    "a helper that asks": f"function t(k) {{ const m = {G}(k); return m ? m : 'Title' }} e.title = t('x')",
    "a helper that throws": f"function t(k) {{ const m = {G}(k); if (m === '') throw k; return m }} t('x')",
    "a helper with a fallback text": f"const t = (k) => {G}(k); e.title = t('x') || 'Title'",
    "a helper of helpers": f"const t = (k) => {G}(k); const u = (k) => t(k); e.title = u('x') || 'Title'",
    "a method with a fallback text": f"const o = {{ t(k) {{ return {G}(k) }} }}; f(o.t('x') || 'Title')",
    "a function that asks for its parameter": f"function show(m) {{ if (m) e.title = m }} show({G}('x'))",
    "a function that nothing calls": f"(() => {{ function t() {{ return {G}('x') }} }})()",
    "a method that nothing calls": f"(() => {{ const o = {{ t() {{ return {G}('x') }} }}; f(o.u) }})()",
    "a getter that nothing reads": f"(() => {{ const o = {{ get t() {{ return {G}('x') }} }}; f(o.u) }})()",
    "a name of known parts": f"const p = 'menu_'; e.title = {G}(p + (a ? 'x' : 'y'))",
    "a name in a template": f"for (const k of ['x', 'y']) e.title = {G}(`menu_${{k}}`)",
}

REPORTED = {
    "shown": f"e.title = {G}('x')",
    "a default, and no default": f"e.title = {G}('title') || 'Title'; e.title = {G}('x')",
    "on the right": f"e.title = a || {G}('x')",
    "in a text": f"e.title = `${{{G}('x')}}!`; e.title = 'a' + {G}('x')",
    "a variable": f"const m = {G}('x'); e.title = m",
    "another replacement": f"e.title = {G}('x').replace(/%s/, 'Title')",
    "a replacement of a text": f"e.title = {G}('x').replace('^$', 'Title')",
    "another variable is tested": f"const m = {G}('x'), n = f(); if (n) e.title = m",
    "a variable that grows": f"let m = {G}('x'); m += '!'; e.title = m",
    "a helper": f"{{ const t = (k) => {G}(k); e.title = t('x') }}",
    "a helper of two calls": f"(() => {{ function t(k) {{ return {G}(k) }} f(t('y')); f(t('x')) }})()",
    "a method": f"(() => {{ const o = {{ t() {{ return {G}('x') }} }}; f(o.t()) }})()",
    "a getter": f"(() => {{ const o = {{ get t() {{ return {G}('x') }} }}; f(o.t) }})()",
    "a listener": f"chrome.tabs.onCreated.addListener(() => {{ e.title = {G}('x') }})",
    "an unknown function": f"show({G}('x'))",
    "under a condition": f"if (a) e.title = {G}('x')",
    "a branch": f"e.title = a ? {G}('x') : {G}('title')",
    "a constant": f"const k = 'x'; e.title = {G}(k)",
}


@pytest.mark.parametrize("source", NOT_REPORTED.values(), ids=NOT_REPORTED.keys())
def test_message_with_a_fallback_is_not_reported(source: str) -> None:
    assert missing_messages(source) == []


@pytest.mark.parametrize("source", REPORTED.values(), ids=REPORTED.keys())
def test_message_without_a_fallback_is_reported(source: str) -> None:
    assert missing_messages(source)


OF_UNKNOWN_NAME = f"const o = {{}}; o.a = {{ get t() {{ return {G}('x') }} }}; f((n) => o[n])"
IN_CODE_OF_UNKNOWN_USE = {
    "a getter behind an unknown name": OF_UNKNOWN_NAME,
    "a method that is passed on": f"register({{ t() {{ return {G}('x') }} }})",
    "a listener of unknown code": f"on('a', () => {G}('x'))",
}


@pytest.mark.parametrize("source", IN_CODE_OF_UNKNOWN_USE.values(), ids=IN_CODE_OF_UNKNOWN_USE.keys())
def test_message_is_not_reported_in_library_code_that_is_not_known_to_run(source: str) -> None:
    in_function = f"(() => {{ {source} }})()"
    assert missing_messages(in_function)
    assert missing_messages(in_function, "vendor/b.min.js") == []
    assert missing_messages(f"{in_function}; e.title = {G}('x')", "vendor/b.min.js")


def missing_messages(source: str, path: str = "b.js") -> list[tuple[str, str]]:
    files = {
        "manifest.json": manifest(default_locale="en", background={"service_worker": path}),
        "_locales/en/messages.json": '{"title": {"message": "a"}}',
        path: source,
    }
    return reported(files, ["missing-message"], "chrome")


OLD = {"old/time.js": f"export const shown = () => {G}('x')"}
BUILD = {
    "package.json": '{"scripts": {"build": "esbuild src/a.js --bundle --outfile=dist/a.js"}}',
    "src/a.js": "chrome.runtime.onInstalled.addListener(f)",
}


def of_old_sources(files: dict[str, str], worker: str) -> int:
    """Returns how many missing messages are reported in a package with a module that asks for one."""
    found = manifest(default_locale="en", background={"service_worker": worker, "type": "module"})
    package = {"manifest.json": found, "_locales/en/messages.json": "{}", **OLD, **files}
    return len(lint(package, ["missing-message"], "chrome"))


def test_message_of_a_script_that_nothing_loads_is_not_reported() -> None:
    assert of_old_sources({"a.js": "f()"}, "a.js") == 0
    assert of_old_sources(BUILD, "dist/a.js") == 0


def test_message_of_a_script_that_something_may_load_is_reported() -> None:
    assert of_old_sources({"a.js": "import { shown } from './old/time.js'; shown()"}, "a.js") == 1
    imported = {**BUILD, "src/a.js": "import { shown } from '../old/time.js'; shown()"}
    assert of_old_sources(imported, "dist/a.js") == 1
