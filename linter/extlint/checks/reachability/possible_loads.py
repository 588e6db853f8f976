"""Determines which scripts may run although nothing is known to load them.

The names that loaded scripts and pages contain are followed, also through files that are not known to be
loaded. If one of these computes the name of a file that it loads, it may load any script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from posixpath import basename

from extlint.analysis.facts.script_facts import ApiPath, CallSite
from extlint.analysis.facts.values import ArrayValue, Literal, ObjectValue, Value
from extlint.extension import Extension, Script
from extlint.package.files import UnreadableError
from extlint.package.suffixes import JAVASCRIPT, has_suffix, is_page
from extlint.project.build_tools import is_test_path
from extlint.project.builds import is_build_source
from extlint.project.contexts.words import is_inside, merged, words_of
from extlint.project.tools import is_tool_script
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

_FILE = rb"(?:\"[^\"\\\n]*[^\"\\\n/]\"|'[^'\\\n]*[^'\\\n/]'|`[^`$\\\n]*[^`$\\\n/]`)"
"""Matches a text that may be the entire name of a file."""

WHOLE_NAME = (
    rb"\s*(?:/\*[^*]*\*/\s*)?(?:" + _FILE + rb"\s*[,)]"
    rb"|[\w.?]*\bgetURL\(\s*" + _FILE + rb"\s*\)\s*[,)]"
    rb"|new\s+URL\(\s*" + _FILE + rb"\s*,[^()]*\)\s*[,)])"
)
"""Matches the first argument of a call if it is the entire name of a file, or its address."""

IMPORTING = (
    rb"\b(?:import(?<!\$import)(?<!(?<!\.)\.import)|require(?<!\$require)(?<!(?<!\.)\.require))\s*\("
    rb"(?!\s*\w*\s*\)\s*\{)"
)
"""Matches a call of `import` or `require` up to its arguments, but not a method with such a name."""

_COMPUTED = (
    lazy(
        rb"(?:" + IMPORTING + rb"|\b(?:addModule|importScripts|getScript|getURL|serviceWorker\s*\.\s*register"
        rb"|(?:Shared)?Worker)\s*\()(?!" + WHOLE_NAME + rb")"
    ),
    lazy(rb"\bimportScripts\s*\.|\brequire\s*\.\s*context\b|\bimport\.meta\.glob"),
    lazy(rb"[\"'`}]\.(?:[cm]?js|x?html?)[\"'`?#]", needs=(b".js", b".mjs", b".cjs", b".htm", b".xhtm")),
)
"""Code that loads a file by a computed name, or a part of such a name."""

_SCRIPT_ELEMENT = lazy(rb"(?i)\bcreateElement(?:NS)?\s*\([^)]*?[\"'`]script[\"'`]|[\"'`][^\"'`\n]*<script\b")
_COMPUTED_SOURCE = lazy(
    rb"(?i)<script\b|setAttribute(?:NS)?\s*\([^)]*?[\"'`]src[\"'`]"
    rb"|\.\s*src\s*=(?!=)(?!\s*(?:(?:browser|chrome)\.(?:extension|runtime)\.getURL\(\s*)?"
    + _FILE
    + rb"\s*\)?\s*(?:[;,}\n]|\Z))"
)
_NAME = lazy(rb"[\w$@~.-]+")
_QUOTED_NAME = lazy(rb"[\"'`/]([\w$@~.-]+)[\"'`?#]")
_NAME_IN_ATTRIBUTE = lazy(rb"[\"'=/]\s*([\w$@~.-]+)[\"'?#\s>]")
_REMOTE_ADDRESS = lazy(rb"https?://[^\s\"'`<>]*")
_WHOLE_NAME = lazy(rb"[\"'`/][\w$@~-]+\.js[\"'`]")
_PLAIN_NAME = lazy(r"[\w$@~.-]+", re.ASCII)

_INJECTING: frozenset[ApiPath] = frozenset(
    {
        *(("contentScripts", "register"), ("scripting", "executeScript"), ("tabs", "executeScript")),
        *(("scripting", "registerContentScripts"), ("scripting", "updateContentScripts")),
        *(("userScripts", "execute"), ("userScripts", "register"), ("userScripts", "update")),
    }
)
_FILE_FIELDS = ("file", "files", "js")


def running_scripts(extension: Extension) -> Iterator[Script]:
    """Yields the scripts of an extension that run, or that may run."""
    return (script for script in extension.scripts if may_run(extension, script))


def may_run(extension: Extension, script: Script) -> bool:
    """Whether something loads a script, or may load it."""
    if script.contexts or script.all_contexts:
        return True
    if is_test_path(script.path) or is_tool_script(script):
        return False
    if not has_suffix(script.path, JAVASCRIPT) and not is_page(script.path):
        return True
    return script.path in _possibly_loaded(extension) or is_build_source(extension)


@query(is_kept=True)
def unnamed_files(extension: Extension) -> frozenset[str]:
    """Returns the scripts and pages that nothing is known to load and nothing names, if others are loaded.

    Code may compute names of files, but must get their parts from somewhere. A build may name its sources
    differently.
    """
    is_known = extension.package.complete and any(each.contexts for each in extension.scripts)
    if not is_known or is_build_source(extension):
        return frozenset()
    named = _follow_names(extension, through_computed=True)
    return frozenset(
        path for path in _unloaded_files(extension) - named if has_suffix(path, JAVASCRIPT) or is_page(path)
    )


def _unloaded_files(extension: Extension) -> frozenset[str]:
    """Returns the scripts and pages that nothing is known to load, in any target."""
    loaded = {each.path for each in extension.scripts if each.contexts or each.all_contexts}
    pages = {page for page, _ in extension.unreached_pages}
    return frozenset(pages.union(each.path for each in extension.scripts) - loaded)


@query(is_kept=True)
def may_be_injected(extension: Extension, path: str) -> bool:
    """Whether a call may inject a file into web pages: one injects unknown files, and a script names it."""
    name, words = path.rpartition("/")[2], words_of(extension)
    scripts = [*running_scripts(extension)]
    loads = {each.path: merged(load.span for load in each.facts.loads) for each in scripts if not each.base}
    return any(map(_may_inject_any_file, scripts)) and any(
        not is_inside(at, loads.get(each, ()))
        for each in {script.path for script in scripts if not is_page(script.path)}
        for at in words.places_in(each, name)
    )


@query(is_kept=True, is_of_package=True)
def _possibly_loaded(extension: Extension) -> frozenset[str]:
    """Returns the paths of the scripts and pages that are not known to be loaded, but may be."""
    return _follow_names(extension, through_computed=False)


def _follow_names(extension: Extension, *, through_computed: bool) -> frozenset[str]:
    """Returns the paths of the unknown scripts and pages that loaded files name, directly or through others.

    All of them count if code computes a name, unless that is ignored with `through_computed`.
    """
    scripts: dict[str, list[Script]] = {}
    for script in extension.scripts:
        scripts.setdefault(script.path, []).append(script)
    unknown = _unloaded_files(extension)
    words, manifests = words_of(extension), manifest_texts(extension)
    odd = {path for path in unknown if _PLAIN_NAME.fullmatch(path.rpartition("/")[2]) is None}
    by_name, by_stem = _by_name(unknown, str), _by_name(unknown, lambda name: name.rpartition(".")[0])
    waiting = [*manifests, *(path for path in words.texts if path not in unknown), *odd]
    found = set(odd)
    while waiting and len(found) < len(unknown):
        path = waiting.pop()
        text = words.without_comments(path) if path in words.texts else manifests.get(path, b"")
        if not through_computed and _may_load_anything(path, text, scripts.get(path, ())):
            return unknown
        text = _REMOTE_ADDRESS.sub(b"", text)
        quoted_name = _NAME_IN_ATTRIBUTE if is_page(path) else _QUOTED_NAME
        named = {each for name in by_name.keys() & _NAME.findall(text) for each in by_name[name]}
        named |= {each for name in by_stem.keys() & quoted_name.findall(text) for each in by_stem[name]}
        waiting += named - found
        found |= named
    return frozenset(found)


def manifest_texts(extension: Extension) -> dict[str, bytes]:
    """Returns the texts of the manifests in a package: others, and unknown keys, may load scripts."""
    names = {path: basename(path).lower() for path in extension.package.paths}
    return texts_at(
        extension, [each for each, name in names.items() if "manifest" in name and ".json" in name]
    )


def texts_at(extension: Extension, paths: Iterable[str]) -> dict[str, bytes]:
    """Returns the texts of those files that can be read."""
    found = {}
    for path in paths:
        with suppress(UnreadableError):
            found[path] = extension.package.peek(path)
    return found


def _by_name(paths: Iterable[str], name_of: Callable[[str], str]) -> Mapping[bytes, list[str]]:
    """Returns paths by the names of their files, as they are in texts."""
    found: dict[bytes, list[str]] = {}
    for path in paths:
        found.setdefault(encode_name(name_of(path.rpartition("/")[2])), []).append(path)
    return found


def _may_load_anything(path: str, text: bytes, scripts: Iterable[Script]) -> bool:
    """Whether a file computes the name of a script or page that it loads.

    Code with whole names of scripts, and without a part of one or a data file, injects some of these.
    """
    if any(each.search(text) for each in _COMPUTED):
        return True
    writes = not is_page(path) and _SCRIPT_ELEMENT.search(text) is not None
    return (writes and _COMPUTED_SOURCE.search(text) is not None) or (
        (_WHOLE_NAME.search(text) is None or b".json" in text) and any(map(_may_inject_any_file, scripts))
    )


def _may_inject_any_file(script: Script) -> bool:
    """Whether a script injects files whose names are unknown into web pages."""
    facts = script.facts
    return not facts.passed_on.isdisjoint(_INJECTING) or any(
        each.path in _INJECTING and _has_unknown_file(each) for each in facts.calls
    )


def _has_unknown_file(call: CallSite) -> bool:
    listed = [
        each
        for argument in call.arguments
        for each in (argument.items if isinstance(argument, ArrayValue) else (argument,))
    ]
    objects = [each for each in listed if isinstance(each, ObjectValue)]
    return (
        call.open
        or not objects
        or any(each.open for each in objects)
        or not all(
            _is_known(each.fields[key].value)
            for each in objects
            for key in _FILE_FIELDS
            if key in each.fields
        )
    )


def _is_known(value: Value) -> bool:
    """Whether a value is a text, an object with the name of a file, or a list of those."""
    match value:
        case Literal():
            return True
        case ArrayValue(items=items, open=False):
            return all(map(_is_known, items))
        case ObjectValue(fields=fields, open=False):
            return all(_is_known(each.value) for each in fields.values())
    return False
