"""The texts of the files that may use a script, and the scripts whose exports escape as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from extlint.analysis.facts.script_facts import LoadKind
from extlint.extension import ANALYZED_SCRIPTS, FILES
from extlint.package.files import Package
from extlint.package.suffixes import CODE, DECLARATIONS, has_suffix
from extlint.program.script_reader import ScriptReader
from extlint.program.searched_scripts import SearchedScripts
from extlint.project.build_tools import is_test_script
from extlint.project.contexts.page_code import code_text
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import decode, encode_name
from extlint.text.word_search import WordSearch

_NAMESPACE = lazy(rb"\b(im|ex)port\s*\*\s*as\s+([\w$]+)\s+from\s*[\"']([^\"'\n]+)[\"']")
_ALL = lazy(rb"\bexport\s*\*\s*from\s*[\"']([^\"'\n]+)[\"']")
_GLOB_IMPORT = lazy(rb"\bimport\.meta\.glob|\brequire\.context\b")
_AT_RUN_TIME = frozenset({LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE})


class CodeTexts:
    """The texts of the code of one package, without tests."""

    query_scope = "code texts"

    def __init__(self, scripts: SearchedScripts, reader: ScriptReader, files: Package) -> None:
        self.queries = scripts.queries
        self._scripts = scripts
        self._reader = reader
        self._files = files

    @cached_property
    def _by_path(self) -> dict[str, bytes]:
        """The text of each file that may use a script, by path, without tests."""
        found, of_tests = dict[str, bytes](), set[str]()
        for script, _ in self._scripts.locations:
            if is_test_script(script):
                of_tests.add(script.path)
            elif script.path not in found:
                found[script.path] = code_text(script.path, script.index.text)
        for path in self._files.paths:
            is_read = has_suffix(path, CODE) and not has_suffix(path, DECLARATIONS)
            if is_read and path not in found and path not in of_tests:
                found[path] = code_text(path, decode(self._files.content(path)))
        return found

    @cached_property
    def _words(self) -> tuple[Sequence[str], WordSearch]:
        """The paths of the texts, and a search that returns their indexes."""
        return tuple(self._by_path), WordSearch(tuple(self._by_path.values()))

    def text(self, path: str) -> bytes:
        """Returns the text of one of these files, on which the caller depends otherwise."""
        return self._by_path[path]

    def by_path(self) -> Mapping[str, bytes]:
        """Returns the text of each file that may use a script, on which a search then depends."""
        self.queries.depend_on(ANALYZED_SCRIPTS, None)
        self.queries.depend_on(FILES, None)
        return self._by_path

    @query(is_kept=True)
    def paths_with_word(self, name: str) -> tuple[str, ...]:
        """Returns the paths of the files that contain a name, with which a search begins."""
        self.by_path()
        paths, words = self._words
        return tuple(map(paths.__getitem__, words.texts_with(encode_name(name))))

    @query(is_kept=True)
    def exports_escape(self, path: str) -> bool:
        """Whether the exports of a script may escape as a whole, to code that does not name them."""
        self.by_path()
        return any(self._escapes(self._with_re_exporters(path)))

    def _with_re_exporters(self, path: str) -> frozenset[str]:
        """Returns a script and those that re-export all of its exports."""
        found, waiting = {path}, [path]
        while waiting:
            of = waiting.pop()
            for other, module in self._re_exports:
                if other not in found and self._reader.imports(other, module, of):
                    found.add(other)
                    waiting.append(other)
        return frozenset(found)

    def _escapes(self, paths: frozenset[str]) -> Iterator[bool]:
        """Yields whether each expression that uses a module's exports as a whole refers to these scripts."""
        yield self._loads_by_pattern
        for other, module in self._namespace_uses:
            yield any(self._reader.imports(other, module, each) for each in paths)

    @cached_property
    def _re_exports(self) -> tuple[tuple[str, str], ...]:
        """The scripts with `export * from`, each with the specifier of the module."""
        return tuple(
            (path, _decode_specifier(found[1]))
            for path, text in self._by_path.items()
            for found in _ALL.finditer(text)
        )

    @cached_property
    def _loads_by_pattern(self) -> bool:
        return any(_GLOB_IMPORT.search(text) for text in self._by_path.values())

    @cached_property
    def _namespace_uses(self) -> tuple[tuple[str, str], ...]:
        """The scripts from which the namespace object of a module escapes, each with its specifier."""
        at_run_time = (
            (script.path, load.name)
            for script, _ in self._scripts.locations
            for load in script.facts.loads
            if load.kind in _AT_RUN_TIME and not is_test_script(script)
        )
        namespaces = (
            (path, _decode_specifier(found[3]))
            for path, text in self._by_path.items()
            for found in _NAMESPACE.finditer(text)
            if found[1] == b"ex" or _namespace_escapes(text[: found.start()] + text[found.end() :], found[2])
        )
        return (*at_run_time, *namespaces)


def _decode_specifier(module: bytes) -> str:
    return module.decode("utf-8", "replace")


def _namespace_escapes(text: bytes, namespace: bytes) -> bool:
    """Whether a namespace object is used for anything other than accessing its members."""
    word = re.escape(namespace)
    return re.search(rb"(?<![\w$.])%b(?![\w$]|\s*\??\.\s*[A-Za-z_$])" % word, text) is not None
