"""Whether all code of an extension is known (a closed world), so that what no script uses is unused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from posixpath import basename

from msgspec import Struct

from extlint.analysis.facts.context import OWN_CONTEXTS, WEB_PAGE_CONTEXTS, ContextKind
from extlint.analysis.facts.script_facts import ApiPath, Load, LoadKind
from extlint.analysis.syntax.prefilter import POLYFILLS
from extlint.checks.api.manifest_requests import may_have_unknown_namespaces
from extlint.checks.reachability.possible_loads import may_run, running_scripts
from extlint.extension import Extension, Script
from extlint.manifest.manifest import Manifest
from extlint.package.references import folder_of, paths_of
from extlint.package.suffixes import ASSETS, CODE, OTHER_LANGUAGES, has_suffix, is_page, is_xhtml
from extlint.project.build_tools import is_test_path
from extlint.project.builds import is_copied_by_build
from extlint.project.contexts.called_files import files_injected_by
from extlint.project.contexts.words import words_of
from extlint.project.resolution.resolver import ImportKind, ModuleResolver, import_kind
from extlint.project.tools import is_tool_script
from extlint.queries.query import query
from extlint.text.patterns import lazy

_GIVING_PAGES = frozenset({"getBackgroundPage", "getViews"})
"""Functions that give the globals of other pages."""

_REMOTE_PREFIXES = ("http://", "https://", "//")
_REMOTE_SCRIPT = lazy(rb"(?i)<script\b[^>]{0,500}?\ssrc\s*=\s*[\"']?\s*((?:https?:)?//[^\s\"'>]*)")
_MODULES = frozenset({LoadKind.IMPORT, LoadKind.DYNAMIC_IMPORT, LoadKind.REQUIRE})
_POLYFILLS = frozenset(name.decode() for name in POLYFILLS)
_PATTERN_OF_NAMES = lazy(r"(?:.*[/,*])?\.\w+")
"""A text that is only a suffix, or a list of suffixes."""


class UnresolvedLoad(Struct, frozen=True):
    """The name of a script or page that a script loads and that is not known to be in the package.

    An import may name an npm package. An injected script runs in web pages, and a page of the extension does
    not, even if a content script names it.
    """

    name: str
    is_import: bool = False
    is_injected: bool = False
    is_page: bool = False


@query(is_kept=True)
def is_closed_world(extension: Extension) -> bool:
    """Whether every script that runs is in the package and was analyzed completely."""
    return has_all_loaded_files(extension) and is_understood(extension)


@query(is_kept=True)
def has_all_code_that_exists(extension: Extension) -> bool:
    """Whether every script that runs was analyzed completely, or certainly does not exist.

    Nothing adds a missing file if the project has no build, no program writes it, and its folder is there.
    """
    if not has_known_scripts(extension) or not is_understood(extension):
        return False
    folders = frozenset(map(folder_of, extension.package.paths))
    named = ((each.path, each.source) for each in extension.named_files)
    missing = {each for each in named if not has_file(extension, each[0])}
    for script in extension.scripts:
        if _has_missing_files(extension, script, of_web_pages=True):
            loads = [*unresolved_loads(extension, script)]
            if any(each.is_import for each in loads):
                return False
            missing.update((path, script.path) for each in loads for path in paths_of(each.name))
    return not any(folder_of(each[0]) not in folders or _may_be_added(extension, *each) for each in missing)


def _may_be_added(extension: Extension, path: str, source: str) -> bool:
    """Whether a build, a program, Git or npm may add a missing file that another file names."""
    from extlint.project.supplied_files import has_known_origin, may_be_generated

    return may_be_generated(extension, path, source) or has_known_origin(extension, path)


@query(is_kept=True)
def has_all_own_code(extension: Extension) -> bool:
    """Whether every script is in the package and was analyzed that may run outside of web pages.

    Most of the API exists only there. Also true of a complete package without scripts.
    """
    if extension.scripts:
        return _has_all_files(extension, of_web_pages=False) and is_understood(extension, of_web_pages=False)
    package = extension.package
    return package.complete and all(each.path in package for each in extension.named_files)


@query(is_kept=True)
def has_all_loaded_files(extension: Extension) -> bool:
    """Whether all files that the manifest and the scripts load exist, so that no build has to add any.

    What a script loads that certainly does not run is ignored, except its imports: a build may resolve them.
    """
    return _has_all_files(extension, of_web_pages=True)


def _has_all_files(extension: Extension, *, of_web_pages: bool) -> bool:
    return (
        has_known_scripts(extension)
        and has_all_named_files(extension)
        and not any(_has_missing_files(extension, each, of_web_pages) for each in extension.scripts)
    )


def is_understood(extension: Extension, *, of_web_pages: bool = True) -> bool:
    """Whether every script that runs was analyzed completely, and none is remote."""
    return (
        not may_have_unknown_namespaces(extension.manifest)
        and not _loads_remote_code(extension)
        and all(
            _is_fully_analyzed(each) or (not of_web_pages and _runs_in_web_pages(each))
            for each in running_scripts(extension)
        )
    )


def _runs_in_web_pages(script: Script) -> bool:
    """Whether a script is known to run, and only in web pages."""
    kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
    return bool(kinds) and kinds <= WEB_PAGE_CONTEXTS


def _has_missing_files(extension: Extension, script: Script, of_web_pages: bool) -> bool:
    missing = unresolved_loads(extension, script)
    if not of_web_pages and _runs_in_web_pages(script):
        return any(each.is_page for each in missing)
    if not any(of_web_pages or not each.is_injected for each in missing):
        return False
    if may_run(extension, script):
        return True
    return not (is_test_path(script.path) or is_tool_script(script)) and any(
        each.is_import for each in unresolved_loads(extension, script)
    )


def has_all_named_files(extension: Extension) -> bool:
    """Whether all files that the manifest and the pages name exist."""
    return all(has_file(extension, named.path) for named in extension.named_files)


@query(is_kept=True)
def has_known_scripts(extension: Extension) -> bool:
    """Whether all code is in read files, some is loaded, and no build copies any into the package."""
    package = extension.package
    return (
        package.complete
        and any(script.contexts for script in extension.scripts)
        and not any(has_suffix(path, OTHER_LANGUAGES) for path in package.paths)
        and not package.failed
        and not package.failures
        and not is_copied_by_build(extension)
    )


def _is_fully_analyzed(script: Script) -> bool:
    facts = script.facts
    return facts.complete and facts.problem is None and not facts.dynamic_accesses


def _loads_remote_code(extension: Extension) -> bool:
    """Whether pages or scripts may load remote code: in Manifest V2, if the policy allows it.

    The policy of the manifest does not apply to scripts in web pages.
    """
    manifest = extension.manifest
    if extension.manifest_version != 2:
        return False
    names: set[str] = set()
    for script in running_scripts(extension):
        loads = (load.name for load in script.facts.loads if load.kind is not LoadKind.SCRIPT_ELEMENT)
        remote = {name for name in loads if name.startswith(_REMOTE_PREFIXES)}
        kinds = {each.kind for each in (*script.contexts, *script.all_contexts)}
        if remote and (not kinds or not kinds <= OWN_CONTEXTS):
            return True
        names |= remote
    for path, (text, _) in words_of(extension).texts.items():
        if is_page(path):
            names.update(each.decode("utf-8", "replace") for each in _REMOTE_SCRIPT.findall(text))
    return bool(names) and (not manifest.is_clear or _may_load_any(manifest, names))


def _may_load_any(manifest: Manifest, addresses: Collection[str]) -> bool:
    """Whether the policy of a manifest may allow pages to load a script at one of some addresses."""
    from extlint.checks.blocked_code import policy_of_pages
    from extlint.schema.engine import Engine
    from extlint.text.formats.csp_policy import may_allow_address

    policies = {policy_of_pages(manifest, each) for each in (Engine.CHROMIUM, Engine.GECKO)}
    return any(may_allow_address(policy, each) for policy in policies for each in addresses)


def may_be_named(extension: Extension, path: ApiPath, files: Collection[str] | None = None) -> bool:
    """Whether code that is not followed, in some files or any, may use a member of the API.

    Any words may name it if unknown code gets an object of the API, and the keys of members if the object
    may be the value of an expression that is not followed. Code in a text also names the root, and a build
    may give the API to a variable that no script declares.
    """
    words = words_of(extension) if files is None else words_of(extension).within(files)
    exposed = (each for script in extension.scripts for each in script.facts.exposed)
    return (
        any(all(map(words.has_unresolved, rest)) for rest in _rests(path, exposed))
        or any(
            all(words.has_unresolved(part, only_keys=True) for part in rest)
            for rest in _rests(path, _held_objects(extension))
        )
        or words.has_path(path)
        or (
            all(words.has_unresolved(part, only_keys=True) for part in path)
            and _is_of_undeclared(extension, path[0], files)
        )
    )


def _is_of_undeclared(extension: Extension, namespace: str, files: Collection[str] | None) -> bool:
    from extlint.checks.reachability.undeclared_objects import is_member_of_undeclared

    return is_member_of_undeclared(extension, namespace, files)


@query
def _held_objects(extension: Extension) -> frozenset[ApiPath]:
    """Returns the objects of the API that an expression may be that is not followed."""
    facts = [each.facts for each in extension.scripts]
    found = {owner for each in facts for owner in each.held}
    named = (each.path[-1] for of in facts for each in (*of.references, *of.possible_references))
    if words_of(extension).may_hold_root() or not _GIVING_PAGES.isdisjoint(named):
        found.add(())
    return frozenset(found)


def _rests(path: ApiPath, owners: Iterable[ApiPath]) -> Iterator[ApiPath]:
    """Yields the rest of a path below each object that contains the member."""
    return (path[len(each) :] for each in owners if path[: len(each)] == each)


def has_file(extension: Extension, path: str) -> bool:
    """Whether a file is in the package, or is of a kind without code."""
    package = extension.package
    is_code = has_suffix(path, CODE) or "." not in path.rpartition("/")[2]
    return not is_code or path in package or package.other_case(path) is not None


def unresolved_loads(extension: Extension, script: Script) -> Iterator[UnresolvedLoad]:
    """Yields the loads of a script that are not known to be in the package.

    A page that the script only reads is not loaded, so its scripts do not run. Scripts that
    make books have texts that name nothing: only a suffix, or one of XHTML in a package without such pages.
    """
    resolver, names = module_resolver(extension), _file_names(extension)
    loads = script.facts.loads
    is_module = any(load.kind in _MODULES and load.on_load for load in loads)
    kinds = {each.kind for each in script.all_contexts or script.contexts}
    is_of_web_pages = kinds == {ContextKind.MAIN_WORLD}
    for load in loads:
        # Libraries may try to `require` modules that do not exist.
        is_real = load.kind is not LoadKind.REQUIRE or is_module
        if load.kind is LoadKind.PAGE and is_of_web_pages:
            continue
        if load.is_fetched and is_page(load.name):
            continue
        if load.kind not in _MODULES and _PATTERN_OF_NAMES.fullmatch(load.name):
            continue
        if load.kind is LoadKind.PAGE and is_xhtml(load.name) and not _has_xhtml(extension):
            continue
        is_found = _is_found(resolver, script, load, names) and not _is_itself(extension, script, load)
        if is_real and not is_found:
            is_import = load.kind in _MODULES
            may_be_page = load.kind in (LoadKind.ADDRESS, LoadKind.PAGE)
            yield UnresolvedLoad(load.name, is_import=is_import, is_page=may_be_page)
    for injected in files_injected_by(script.facts.calls):
        if not _is_known(injected.name, names):
            yield UnresolvedLoad(injected.name, is_injected=injected.kind in WEB_PAGE_CONTEXTS)


@query(is_kept=True)
def _has_xhtml(extension: Extension) -> bool:
    return any(map(is_xhtml, extension.package.paths))


@query
def module_resolver(extension: Extension) -> ModuleResolver:
    """Returns the resolver of the modules that the scripts of an extension import."""
    return ModuleResolver(extension.package)


@query(is_kept=True)
def _file_names(extension: Extension) -> frozenset[str]:
    """The names of the files without folders, in lowercase: a wrong letter case is a mistake of its own."""
    return frozenset(path.rpartition("/")[2].lower() for path in extension.package.paths)


def _is_found(resolver: ModuleResolver, script: Script, load: Load, names: frozenset[str]) -> bool:
    if load.kind not in _MODULES:
        return _is_known(load.name, names)
    plain = load.name.partition("?")[0].lower()
    return (
        import_kind(load.name) is ImportKind.TEXT
        or load.name in _POLYFILLS
        or plain.endswith(ASSETS)
        or (is_page(plain) and _is_known(load.name, names))
        or resolver.find(load.name, script.path) is not None
    )


def _is_itself(extension: Extension, script: Script, load: Load) -> bool:
    """Whether a worker imports a script from another folder, and is the only file of that name itself."""
    package, name = extension.package, basename(script.path)
    if load.kind is not LoadKind.IMPORT_SCRIPTS or basename(load.name) != name:
        return False
    is_there = any(each in package for each in paths_of(load.name, folder_of(script.path)))
    return not is_there and sum(basename(each) == name for each in package.paths) == 1


def _is_known(name: str, names: frozenset[str]) -> bool:
    """Whether a name is that of a file in any folder of the package, or of a kind without code."""
    found = paths_of(name)
    return not found or any(
        path.rpartition("/")[2].lower() in names or not has_suffix(path, CODE) for path in found
    )
