"""Finds source files that are named where a browser requires the file built from them.

## What it does

Checks the files that the manifest and the extension's pages name, and those that scripts inject or register,
and reports files in TypeScript, JSX, Sass or Less, and components of Vue and Svelte, if the file exists and
is written in that language. In a project that has a build nothing is reported, because bundlers accept such
names and replace them. A packed extension is always checked.

## Why is this bad

Browsers read JavaScript and CSS. A script in another language fails at its first line that is not
JavaScript, and pages do not load a style sheet with such a name.

## Example

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "background": {"service_worker": "background.ts"}
}
```

```ts background.ts
const hours: number = new Date().getHours();
```

## Use instead

```json manifest.json
{
  "manifest_version": 3,
  "name": "Clock",
  "version": "1.0",
  "background": {"service_worker": "background.js"}
}
```

```js background.js
const hours = new Date().getHours();
```
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from extlint.analysis.facts.script_facts import FailureHandling
from extlint.extension import Extension, NamedFile
from extlint.finding import Finding
from extlint.package.references import paths_of
from extlint.package.suffixes import (
    COMPONENT_LANGUAGES,
    SCRIPT_LANGUAGES,
    SOURCES,
    STYLE_LANGUAGES,
    has_suffix,
    suffix_of,
)
from extlint.project.builds import is_build_source
from extlint.registry import RULES
from extlint.text.patterns import lazy
from extlint.text.positions import decode
from extlint.text.wording import did_you_mean, quoted

MAX_SOURCE_BYTES = 1024 * 1024
"""The maximum size in bytes of a file that is checked."""

_ONLY_IN_SOURCES = frozenset(
    {
        *("abstract_class_declaration", "accessibility_modifier", "ambient_declaration", "as_expression"),
        *("enum_declaration", "export_statement", "import_statement", "interface_declaration"),
        *("non_null_expression", "satisfies_expression", "type_alias_declaration", "type_annotation"),
        *("type_arguments", "type_parameters"),
    }
)
"""Syntax that browsers do not run, or only in modules."""

_ONLY_IN_SASS = lazy(
    rb"(?m)^[ \t]*(?:\$[\w-]+[ \t]*:|//|&[-_]\w"
    rb"|@(?:each|extend|for|forward|function|if|include|mixin|use)\b)|#\{"
)
_ONLY_IN_LESS = lazy(rb"(?m)^[ \t]*(?:@[\w-]+[ \t]*:|//|[.#][\w-]+\([^)\n]*\)[ \t]*;)|@\{")


class SourceLanguage(Struct, frozen=True):
    """The language of a source file, and the suffix of the file that is built from it."""

    language: str
    built: str


def source_language_of(path: str, data: bytes) -> SourceLanguage | None:
    """Returns the language of a file that a browser cannot use unless it is built.

    Returns None if that is uncertain.

    Chromium 156 runs a classic script of any name, so the suffix proves nothing by itself.
    """
    suffix = suffix_of(path)
    if len(data) > MAX_SOURCE_BYTES or b"\0" in data[:1000]:
        return None
    text = decode(data)
    if suffix in SCRIPT_LANGUAGES:
        return SourceLanguage(SCRIPT_LANGUAGES[suffix], ".js") if _is_not_classic_script(path, text) else None
    if suffix in COMPONENT_LANGUAGES:
        return SourceLanguage(COMPONENT_LANGUAGES[suffix], ".js") if text.lstrip().startswith(b"<") else None
    if suffix in STYLE_LANGUAGES:
        found = suffix == ".sass" or (_ONLY_IN_SASS if suffix == ".scss" else _ONLY_IN_LESS).search(text)
        return SourceLanguage(STYLE_LANGUAGES[suffix], ".css") if found else None
    return None


def _is_not_classic_script(path: str, text: bytes) -> bool:
    """Whether a program has syntax that no browser accepts in a classic script."""
    from extlint.analysis.syntax.parse import grammar_of, parse

    parsed = parse(text, grammar_of(path))
    if parsed is None or parsed.root_node.has_error:
        return False
    waiting = [parsed.root_node]
    while waiting:
        node = waiting.pop()
        if node.type in _ONLY_IN_SOURCES or node.type.startswith("jsx_"):
            return True
        waiting += node.children
    return False


RULE = RULES["unbuilt-file"]

_INJECTING = frozenset(
    {
        ("scripting", "executeScript"),
        ("scripting", "registerContentScripts"),
        ("scripting", "updateContentScripts"),
        ("tabs", "executeScript"),
    }
)
_HELP = "use the file that is built from it"


def check(extension: Extension) -> Iterator[Finding]:
    """Yields one finding at each name of a source file."""
    known: dict[str, SourceLanguage | None] = {}
    for named in (*extension.named_files, *_injected_files(extension)):
        path = named.path
        if not has_suffix(path, SOURCES) or path not in extension.package or is_build_source(extension):
            continue
        if path not in known:
            known[path] = source_language_of(path, extension.package.read(path))
        source = known[path]
        if source is not None:
            message = f"{quoted(path)} is {source.language}, which no browser reads"
            meant = did_you_mean(_built_file(extension, path, source.built))
            yield RULE.at(named.source, named.span, message + meant, help=None if meant else _HELP)


def _injected_files(extension: Extension) -> Iterator[NamedFile]:
    """Yields the files that scripts inject, or register to be injected."""
    if not any(call.path in _INJECTING for script in extension.scripts for call in script.facts.calls):
        return
    from extlint.checks.availability.unguarded_references import unguarded_calls
    from extlint.project.contexts.called_files import files_named_in_call

    for script, _, call in unguarded_calls(extension, FailureHandling.RECOVERED):
        if call.path not in _INJECTING or has_suffix(script.path, SOURCES):
            continue
        for file in files_named_in_call(call):
            for path in paths_of(file.name)[:1]:
                yield NamedFile(file.name, path, script.path, script.span(file.span))


def _built_file(extension: Extension, path: str, suffix: str) -> str | None:
    """Returns the file probably built from a source: the one next to it, or the only one of its name."""
    sibling = f"{path.rpartition('.')[0]}{suffix}"
    if sibling in extension.package:
        return sibling
    name = f"/{sibling.rpartition('/')[2]}"
    found = [each for each in extension.package.paths if f"/{each}".endswith(name)]
    return found[0] if len(found) == 1 else None
