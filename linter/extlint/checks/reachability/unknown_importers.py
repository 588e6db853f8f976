"""Scripts that may run in more contexts than are known, because scripts with unknown contexts load them.

Contexts are followed from the manifest. This does not find a page whose name is computed, or an entry point
in the configuration of a bundler, so a module that they import may run anywhere. A specifier whose alias no
known configuration defines, as in `@/shared/api`, may name several files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import Load, LoadKind
from extlint.checks.reachability.closed_world import has_all_loaded_files, module_resolver
from extlint.extension import Extension, Script
from extlint.package.suffixes import CODE, has_suffix
from extlint.project.resolution.project_files import path_suffixes
from extlint.project.resolution.resolver import ImportKind, ModuleResolver, import_kind
from extlint.project.script_origins import is_test_path, is_test_script
from extlint.project.tools import is_tool_script
from extlint.queries.query import query
from extlint.text.patterns import lazy
from extlint.text.positions import decode, encode_name

_SUFFIX = lazy(r"(?:/index)?(?:\.[cm]?[jt]sx?|\.vue|\.svelte)?$")
_NON_PACKAGE_PREFIXES = ("@/", "~", "#", "$")
"""Prefixes that names of npm packages do not have."""

_PACKAGE = lazy(r"(?:@[\w.-]+/)?[a-zA-Z0-9][\w.-]*(?:/[\w./-]+)?")


def stem(path: str) -> str:
    """Returns a path as specifiers may name it: without its suffix, and the folder of an `index` file."""
    return _SUFFIX.sub("", path)


def path_ends_of_alias(name: str) -> Iterator[str]:
    """Yields the possible ends of the path of a file that a specifier refers to by an alias, if any."""
    if name.startswith((".", "/")) or ":" in name:
        return
    plain = stem(name.partition("?")[0].lstrip("@~#$").lstrip("/"))
    first, _, rest = plain.partition("/")
    if rest or (first and name.startswith(_NON_PACKAGE_PREFIXES)):
        yield plain
    if "/" in rest:
        yield rest


def is_package_name(name: str) -> bool:
    """Whether a specifier may name an npm package, or a file in one."""
    return _PACKAGE.fullmatch(name.partition("?")[0]) is not None


_UNKNOWN_CONTEXT = Context(ContextKind.UNKNOWN, certain=False)
_LOADING_KINDS = frozenset(
    {LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE, LoadKind.IMPORT_SCRIPTS, LoadKind.WORKER}
)
_ONLY_REEXPORTS = lazy(
    rb"(?:\s|;|//[^\n]*(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*\*/"
    rb"|export\s*(?:type\s*)?(?:\*(?:\s*as\s+\w+)?|\{[^{}]*\})\s*from\s*[\"'][^\"'\n]*[\"'])*"
)


def with_unknown_context(extension: Extension, script: Script) -> Script | None:
    """Returns the script with an unknown context added.

    Returns None for a script that has one already, or that nothing unknown may load.
    """
    if any(each.kind is ContextKind.UNKNOWN for each in script.contexts):
        return None
    is_loaded = bool(script.contexts) and (
        script.path in _loaded_in_unknown_contexts(extension)
        or _may_be_loaded_by_failed_script(extension, script)
        or _may_be_opened_elsewhere(extension, script)
    )
    return replace(script, contexts=(*script.contexts, _UNKNOWN_CONTEXT)) if is_loaded else None


def _may_be_opened_elsewhere(extension: Extension, script: Script) -> bool:
    """Whether the pages that load a script may also be panels of developer tools, or opened by unknown code.

    Every page may be a panel if the code of the developer tools page is unknown. A page that the manifest
    lets web pages open may also be opened by the extension.
    """
    has_tools = extension.manifest.get("devtools_page") is not None
    if has_tools and not _runs_in_developer_tools(extension):
        return any(each.kind is ContextKind.EXTENSION_PAGE for each in script.contexts)
    is_unknown = has_tools or not has_all_loaded_files(extension)
    return is_unknown and all(map(_is_for_web_pages, script.contexts))


@query(is_kept=True)
def _runs_in_developer_tools(extension: Extension) -> bool:
    return any(
        each.kind is ContextKind.DEVTOOLS_PAGE for script in extension.scripts for each in script.contexts
    )


def _is_for_web_pages(context: Context) -> bool:
    """Whether a context is only known because the manifest lets web pages open a page."""
    first = None if context.step is None else context.step.first or context.step
    return first is not None and first.may_read and context.kind is ContextKind.EXTENSION_PAGE


def _may_be_loaded_by_failed_script(extension: Extension, script: Script) -> bool:
    """Whether a script or page in which extlint itself failed contains the name of a script."""
    name = encode_name(stem(script.path).rpartition("/")[2])
    return any(name in text for text in _failed_texts(extension))


@query
def _failed_texts(extension: Extension) -> tuple[bytes, ...]:
    """Returns the texts of the scripts and pages in which extlint itself failed."""
    package = extension.package
    paths = {each.path for each in package.failures if each.rule is None and has_suffix(each.path, CODE)}
    return tuple(decode(package.read(path)) for path in sorted(paths) if path in package)


@query(is_kept=True)
def _loaded_in_unknown_contexts(extension: Extension) -> frozenset[str]:
    """Returns the scripts that scripts or pages with unknown contexts load, also indirectly."""
    resolver = module_resolver(extension)
    pages = {page: scripts for page, scripts in extension.unreached_pages if not is_test_path(page)}
    loaded = {script for scripts in pages.values() for script in scripts}
    loaded |= frozenset(_alias_candidates(extension, resolver))
    starts = [*pages, *loaded, *(script.path for script in _unreached_scripts(extension))]
    return _with_loaded(extension, starts, loaded)


def may_get_other_root(extension: Extension, script: Script, root: str) -> bool:
    """Whether a script that is not known to be loaded is loaded by one that gives a root another value.

    Such scripts are in no realm that is known: `window.browser = detect(); require("./script")`.
    """
    return not script.contexts and script.path in _loaded_with_other_root(extension, root)


@query(is_kept=True)
def _loaded_with_other_root(extension: Extension, root: str) -> frozenset[str]:
    starts = (
        script.path
        for script in extension.scripts
        if not script.contexts and root in script.facts.globals and not is_test_script(script)
    )
    return _with_loaded(extension, starts)


def _with_loaded(
    extension: Extension, starts: Iterable[str], known: AbstractSet[str] = frozenset()
) -> frozenset[str]:
    """Returns the scripts that scripts or pages load, also indirectly, and those that are known."""
    resolver = module_resolver(extension)
    loads: dict[str, list[Load]] = {}
    for script in extension.scripts:
        loads.setdefault(script.path, []).extend(script.facts.loads)
    loaded, waiting = {*known}, [*starts]
    while waiting:
        path = waiting.pop()
        for load in loads.get(path, ()):
            found = resolver.find(load.name, path) if load.kind in _LOADING_KINDS else None
            if found is not None and found not in loaded and import_kind(load.name) is ImportKind.MODULE:
                loaded.add(found)
                waiting.append(found)
    return frozenset(loaded)


def _alias_candidates(extension: Extension, resolver: ModuleResolver) -> Iterator[str]:
    """Yields the scripts that an import may refer to if no known configuration defines its alias.

    Example: `@/shared/api`.
    """
    if has_all_loaded_files(extension):
        return
    names = {
        each
        for script in extension.scripts
        if not is_test_path(script.path) and not is_tool_script(script)
        for load in script.facts.loads
        if load.kind in _LOADING_KINDS and resolver.find(load.name, script.path) is None
        for each in path_ends_of_alias(load.name)
    }
    for script in extension.scripts if names else ():
        if not names.isdisjoint(path_suffixes(stem(script.path))):
            yield script.path


def _unreached_scripts(extension: Extension) -> Iterator[Script]:
    """Yields the scripts that nothing is known to load, and that a build of the package may include."""
    if has_all_loaded_files(extension):
        return
    for script in extension.scripts:
        if script.contexts or script.is_for_other_targets or is_test_path(script.path):
            continue
        if not is_tool_script(script) and not _ONLY_REEXPORTS.fullmatch(script.index.text):
            yield script
