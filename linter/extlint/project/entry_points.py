"""Finds the sources of a build whose entry points, scripts and pages in the manifest, are missing.

There must be evidence for a source: a build program that mentions it, outside of comments; an existing page;
a missing script with its name, unless a build program mentions other sources with that name; or another input
that loads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from posixpath import basename, dirname

from tree_sitter import Node

from extlint.analysis.facts.context import WEB_PAGE_CONTEXTS
from extlint.extension import Extension
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import CODE, PROGRAMS, has_suffix, is_page
from extlint.project.contexts.called_files import files_injected_by
from extlint.project.contexts.pages import scan_page
from extlint.project.resolution.project_files import ProjectFiles, path_suffixes
from extlint.project.resolution.resolver import ModuleResolver
from extlint.project.tools import Tool, code_of, project_programs
from extlint.queries.query import query
from extlint.text.nearest import nearest
from extlint.text.patterns import lazy
from extlint.text.positions import decode

MAX_NAMES = 5_000
"""Paths in the build programs of a project that are compared with sources."""

_SUFFIX = lazy(r"\.(?:[cm]?[jt]s|[jt]sx|vue|svelte|coffee|es6)\Z", re.IGNORECASE)
_BEFORE = lazy(r"(?:\.{0,2}/|[@~]/|\$\{[^}]*\}/?|\$\w+/|\$\(\w+\)/|file:)+")
_PATH = lazy(r"[\w@$~./*{}()-]*[\w*]")
_SPOKEN = lazy(r"(?im)^[ \t@]*(?:echo|printf|write-host)\b[^\n>|&;]*$")
"""A command that only shows a text, in which words are not paths."""

_PATTERNS_ARE_READ = lazy(rb"\bentryPoints\b|\bglob(?:by|[Ss]ync)?\b|\b[Gg](?:runt|ulp)\b|\bfast-glob\b")
_LISTING = lazy(rb"\breaddir(?:Sync)?\Z")
_BUILDS_NOTHING = lazy(
    r"(?:\A|/)\.?(?:babel|commitlint|cypress|eslint|jest|karma|playwright|postcss|prettier|stylelint|tailwind"
    r"|vitest|wdio)[\w.-]*\Z|\A\.(?:circleci|github|gitlab|travis)"
)
_CHECKS = lazy(
    rb"\s*(?:npx |yarn |pnpm )?(?:ava|eslint|jest|mocha|prettier|stylelint|tsc|vitest|web-ext|zip)\b"
)
_SEPARATORS = lazy(r"[^a-z0-9]")
_UNKNOWN_PART = lazy(r"\$?\{[^{}]*\}")
_LISTED = "***"
"""Represents the files of a folder that a program lists."""

_NO_NAMES = frozenset({"app", "bundle", "dist", "entry", "index", "main", "script", "src"})
_MIN_COMMON_PREFIX = 4
"""Letters that one name must share with a longer one as its prefix, so that one may be built from the
other.
"""


def misses_entry_points(extension: Extension) -> bool:
    """Whether a script or page that the manifest or a page names is missing."""
    return any(True for _ in missing_entry_points(extension))


def missing_entry_points(extension: Extension) -> Iterator[str]:
    """Yields the paths of the missing scripts and pages that the manifest or a page names."""
    lost = [each for each in extension.named_files if each.path not in extension.package]
    yield from (each.path for each in lost if has_suffix(each.path, CODE))


def _missing_content_scripts(extension: Extension) -> Iterator[str]:
    """Yields the missing scripts that calls inject into web pages."""
    for script in extension.scripts:
        if script.contexts:
            for each in files_injected_by(script.facts.calls):
                if each.kind in WEB_PAGE_CONTEXTS:
                    yield from (path for path in paths_of(each.name) if path not in extension.package)


@query(is_kept=True)
def build_inputs(extension: Extension) -> frozenset[str]:
    """Returns the paths of the sources that are inputs of the build, including scripts that are loaded."""
    package = extension.package
    project, resolver = ProjectFiles(package), ModuleResolver(package)
    names = _ProgramPaths(extension)
    lost = (*missing_entry_points(extension), *_missing_content_scripts(extension))
    output_names = frozenset(filter(None, map(_name_of, lost)))
    scripts = {script.path: script for script in extension.scripts}
    by_name = [path for path in scripts if names.match(project.full(path))]
    waiting = [path for path, script in scripts.items() if script.contexts or is_page(path)] + by_name
    for each in output_names:
        if not any(_name_of(path) == each for path in by_name):
            waiting += (path for path in scripts if _may_be_built_from(each, path))
    waiting += (path for page in package.paths if is_page(page) for path in _loaded_by(extension, page))
    found = set[str]()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path in scripts:
            for load in scripts[path].facts.loads:
                target = resolver.find(load.name, path)
                named = (*paths_of(load.name, folder_of(path)), *paths_of(load.name))
                waiting += [each for each in (target, *named) if each in scripts]
    return frozenset(found)


def _loaded_by(extension: Extension, page: str) -> Iterator[str]:
    data = decode(extension.package.read(page))
    for script in scan_page(data, page).scripts:
        if script.src is not None:
            yield from paths_of(script.src, folder_of(page, script.base))


def _name_of(path: str) -> str:
    """Returns the name of a file in lower case, or that of its folder if the file's name is generic."""
    for part in (basename(path), basename(dirname(path))):
        name = part.partition(".")[0].lower()
        if name not in _NO_NAMES:
            return _SEPARATORS.sub("", name)
    return ""


def _may_be_built_from(output: str, source: str) -> bool:
    own = _name_of(source)
    if output == own or nearest(output, (own,)) is not None:
        return True
    return min(len(output), len(own)) >= _MIN_COMMON_PREFIX and (
        output.startswith(own) or own.startswith(output)
    )


class _ProgramPaths:
    """The paths in the build programs of a project, outside of comments."""

    def __init__(self, extension: Extension) -> None:
        self._exact = set[str]()
        self._patterns = set[str]()
        for program in building_programs(extension):
            has_patterns = not program.path.endswith(PROGRAMS) or _PATTERNS_ARE_READ.search(program.text)
            for text in texts_of(extension, program):
                self._add(text, bool(has_patterns))

    def _add(self, text: str, has_patterns: bool) -> None:
        if len(self._exact) + len(self._patterns) > MAX_NAMES:
            return
        before = _BEFORE.match(text)
        path = text if before is None else text[before.end() :]
        if "*" in path:
            if path.strip("*/.{}") and (has_patterns or path.endswith(_LISTED)):
                self._patterns.add(re.sub(r"\*\*/?|\{[^}]*\}|\([^)]*\)", "*", path))
            return
        bare = _SUFFIX.sub("", path)
        if ("/" in bare or bare != path) and basename(bare) and bare != "index":
            self._exact.add(bare)

    def match(self, path: str) -> bool:
        """Whether one of them is a script's path in the project, or a suffix of it."""
        bare = _SUFFIX.sub("", path)
        names = (bare, dirname(bare)) if basename(bare) == "index" else (bare,)
        for name in names:
            if not self._exact.isdisjoint(path_suffixes(name)):
                return True
        return any(fnmatchcase(f"/{path}", f"*/{pattern}") for pattern in self._patterns)


def building_programs(extension: Extension) -> Iterator[Tool]:
    """Yields the programs of a project, except those that only test or check it."""
    for each in project_programs(extension):
        if not _BUILDS_NOTHING.search(each.path) and not _CHECKS.match(each.text):
            yield each


@query(is_of_package=True)
def texts_of(extension: Extension, program: Tool) -> tuple[str, ...]:
    """Returns the strings in a program that may be paths. It is parsed once for all targets."""
    return tuple(_texts(extension, program))


def with_wildcards(text: str) -> str:
    """Returns a string of a program with a wildcard for each part whose value is not known: `${name}`."""
    return _UNKNOWN_PART.sub("*", text)


def _texts(extension: Extension, program: Tool) -> Iterator[str]:
    """Yields a program's strings that may be paths, and each call's string arguments joined to one path."""
    if not program.path.endswith(PROGRAMS):
        yield from _PATH.findall(_SPOKEN.sub("", code_of(extension, program)))
        return
    from extlint.analysis.syntax.parse import grammar_of, parse

    tree = parse(program.text, grammar_of(program.path))
    waiting = [] if tree is None else [tree.root_node]
    while waiting:
        node = waiting.pop()
        if node.type in {"string", "template_string"}:
            yield (node.text or b"")[1:-1].decode("utf-8", "replace")
        elif node.type == "arguments":
            path = _joined(node)
            if "/" in path:
                yield path
        elif node.type == "call_expression":
            function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
            if function is not None and arguments is not None and _LISTING.search(function.text or b""):
                inner = [each for each in _descendants(arguments) if each.type == "arguments"]
                yield f"{_joined(inner[-1] if inner else arguments)}/{_LISTED}"
        waiting += node.named_children


def _descendants(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting += each.named_children


def _joined(arguments: Node) -> str:
    """Returns the path whose parts are the strings in a list of arguments."""
    strings = (each for each in arguments.named_children if each.type == "string")
    texts = ((each.text or b"")[1:-1].decode("utf-8", "replace").strip("/") for each in strings)
    return "/".join(text for text in texts if text not in ("", ".", ".."))
