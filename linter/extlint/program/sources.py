"""The texts of a package's scripts, their syntax trees, and the scripts in which `eval` runs."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from extlint.analysis.facts.script_facts import ModuleSyntax
from extlint.manifest.manifest import Manifest
from extlint.package.references import paths_of
from extlint.package.suffixes import is_component, is_script
from extlint.package.tolerant import TolerantPackage
from extlint.project.contexts.script import ScriptLocation
from extlint.queries.database import Database
from extlint.queries.query import cached_method, query
from extlint.schema.engine import Engine
from extlint.text.positions import TextIndex, decode

if TYPE_CHECKING:
    from extlint.analysis.syntax.tree_cache import TreeCache
    from extlint.project.auto_imports import AutoImports
    from extlint.text.word_search import WordOffsets


_EVAL = b"eval"


class CodePolicy(Struct, frozen=True):
    """Whether all scripts may run code from strings, or else which may, and the imports that a build adds."""

    everywhere: bool = False
    paths: frozenset[str] = frozenset()
    imports: AutoImports | None = None

    def code_of(self, text: bytes, path: str) -> bytes:
        """Returns a script's text with code in its strings exposed if that may run, and with added imports.

        Each token of the text stays at its position. The imports are at the end.
        """
        if self.imports is not None:
            text = self.imports.added_to(text, path)
        if not (_EVAL in text and (self.everywhere or path in self.paths)):
            return text
        from extlint.analysis.syntax.eval_code import with_eval_code
        from extlint.analysis.syntax.parse import grammar_of

        return with_eval_code(text, grammar_of(path))


def code_policy_of(manifest: Manifest, imports: AutoImports | None = None) -> CodePolicy | None:
    """Returns the policy that a manifest sets in every engine, or None if the code of scripts is their text.

    If the policy blocks `eval`, the code in strings never runs, and `string-code` reports it. Content scripts
    of Manifest V2 run it regardless of the policy of pages; they are identified by their names in the
    manifest. Manifest V3 never allows it.
    """
    if manifest.version == 3:
        return None if imports is None else CodePolicy(imports=imports)
    if _allows_eval(manifest):
        return CodePolicy(everywhere=True, imports=imports)
    entries = manifest.get("content_scripts")
    content = range(0 if entries is None else sum(1 for _ in entries.items()))
    paths = frozenset[str]().union(*(_paths(manifest, "content_scripts", at, "js") for at in content))
    return CodePolicy(paths=paths - _paths(manifest, "background", "scripts"), imports=imports)


def _allows_eval(manifest: Manifest) -> bool:
    policy = manifest.get("content_security_policy")
    if policy is None or not isinstance(policy.value, str):
        return False
    from extlint.checks.blocked_code import policy_of_pages
    from extlint.text.formats.csp_policy import allows_eval

    return all(allows_eval(policy_of_pages(manifest, each)) for each in (Engine.GECKO, Engine.CHROMIUM))


def _paths(manifest: Manifest, *keys: str | int) -> frozenset[str]:
    names = (each for each, _ in manifest.strings(*keys))
    return frozenset(path for name in names for path in paths_of(name)[:1])


_NO_CODE = "strings without code"


class ScriptSources:
    """Returns the texts of script files and of the inline scripts of pages.

    `policy` determines the code that is read in place of a text, if any. `queries` has the results of
    queries about scripts.
    """

    query_scope = "scripts"

    def __init__(self, files: TolerantPackage, queries: Database, policy: CodePolicy | None) -> None:
        self.queries = queries
        self._files = files
        self._policy = policy
        self._eval_code: dict[str, bytes | None] = {}
        queries.register(self.query_scope, lambda: self)
        queries.on_effect(_NO_CODE, self._discard_code)

    @cached_property
    def _trees(self) -> TreeCache:
        """A cache of the last syntax trees of the package, which lives as long as the reader."""
        from extlint.analysis.syntax.tree_cache import MIN_KEPT_BYTES, TreeCache

        sizes = (self._files.size(path) for path in self._files.paths if is_script(path))
        return TreeCache(sum(not 0 < size < MIN_KEPT_BYTES for size in sizes))  # 0 means unknown

    def text(self, location: ScriptLocation) -> bytes:
        """Returns the text of a script, in which strings that it runs are code if the policy allows that."""
        path, body = location
        if body is None:
            from extlint.analysis.syntax.source import source_of

            text = self._eval_code.get(path)
            if text is None:
                text = source_of(self._files.content(path))
                if self._policy is not None and path not in self._eval_code:
                    code = self._policy.code_of(text, path)
                    self._eval_code[path] = None if code is text else code
                    return code
            return text
        data = decode(self._files.content(path))
        from extlint.project.contexts.pages import text_of_component

        if not is_component(path):
            return data[slice(*body)]
        code = text_of_component(data)
        return code if self._policy is None else self._policy.code_of(code, path)

    @query(is_kept=True)
    def source(self, location: ScriptLocation) -> bytes:
        """Returns the text of a script, which is read in each check."""
        self.queries.mark_unrepeatable()
        return self.text(location)

    def has_code_in_strings(self, path: str) -> bool:
        """Whether the text of a script differs from its file, because strings in it are code."""
        return self._eval_code.get(path) is not None

    def discard_code_in_strings(self, path: str) -> None:
        """Reads the strings of a script as strings: a mistake in one of them is not one of the script."""
        self._discard_code(path)
        self.queries.record_effect(_NO_CODE, path)

    def _discard_code(self, path: str) -> None:
        self._eval_code[path] = None

    @cached_method
    def index(self, path: str) -> TextIndex:
        """Returns the index of the text of a file."""
        return TextIndex(decode(self._files.content(path)), self._eval_code.get(path))

    def word_places(self, location: ScriptLocation) -> WordOffsets | None:
        """Returns the positions of words in a script, or None unless its tree is cached."""
        return self._trees.places_in(self.text(location)) if "_trees" in vars(self) else None

    def module_syntax(self, location: ScriptLocation) -> ModuleSyntax | None:
        """Returns the syntax of a script that is only valid in modules, or None."""
        from extlint.analysis.module_syntax import may_have_module_syntax, module_syntax

        text = self.text(location)
        if not may_have_module_syntax(text, self.word_places(location)):
            return None
        return module_syntax(text, location[0], self._trees.parse)
