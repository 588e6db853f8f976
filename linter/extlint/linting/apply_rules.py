"""Runs the rules on an extension for one target."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

from msgspec.structs import replace

from extlint.analysis.facts.context import EXTENSION_PAGES, ContextKind
from extlint.analysis.facts.platform_globals import WEBASSEMBLY
from extlint.analysis.facts.script_facts import ApiPath, ScriptFacts
from extlint.checks.api.absent_globals import absent_globals
from extlint.extension import Extension, Script, uses_api
from extlint.finding import Finding
from extlint.linting.json_findings import has_mistakes
from extlint.manifest.file_keys import FileUse, file_references
from extlint.manifest.manifest import REQUESTS
from extlint.package.suffixes import PRIVATE_KEYS, has_suffix
from extlint.project.builds import is_build_source, is_only_input, may_be_completed, may_be_stale
from extlint.project.contexts.json_files import has_locales
from extlint.project.copied_files import keys_in_parts
from extlint.project.tools import manifest_tools
from extlint.queries.query import query
from extlint.registry import RULES, load
from extlint.rule import AnyOf, Assumption, Rule, When
from extlint.schema.engine import Engine


def findings_for_target(extension: Extension, rules: Sequence[str]) -> Iterator[Finding]:
    """Yields the findings of an extension for its target; for `reference`, those of the specification.

    Chrome apps have a different API, whose uses are not checked for browsers.
    """
    able = sorted(_applicable(extension, rules), key=lambda rule: rule.comes_last)
    is_unlike = _is_app(extension) and not extension.schemas.is_specification
    own = [rule for rule in able if not (is_unlike and is_about_any_use(rule))]
    if sum(rule.prefetches for rule in own) > 1:
        from extlint.linting.script_by_script import prefetch_queries

        prefetch_queries(extension, own)
    found = [finding for rule in own for finding in _findings_of_rule(extension, rule)]
    if found and _may_get_other_version(extension):
        found = _in_both_versions(extension, found)
    if found:
        found = _in_package(extension, found)
    if found and extension.package.made:
        from extlint.linting.written_places import at_written_places

        found = [*at_written_places(extension, found)]
    return (replace(finding, targets=(extension.schemas.target,)) for finding in found)


def _may_get_other_version(extension: Extension) -> bool:
    """Whether a tool of the project writes the manifest version, so that either may be right for the code."""
    with _failure_boundary(extension, "wrong-manifest-version"):
        from extlint.project.rewritten_keys import may_rewrite

        return may_rewrite(extension, "manifest_version")
    return False


def _in_both_versions(extension: Extension, found: Sequence[Finding]) -> list[Finding]:
    """Returns the findings that do not depend on the manifest version."""
    manifest = extension.manifest.as_version(2 if extension.manifest_version == 3 else 3)
    other = extension.with_manifest(manifest)
    rules = _applicable(other, [*dict.fromkeys(each.rule for each in found)])
    places = {(each.rule, each.path, each.span) for rule in rules for each in _findings_of_rule(other, rule)}
    return [each for each in found if (each.rule, each.path, each.span) in places]


def _in_package(extension: Extension, found: Sequence[Finding]) -> list[Finding]:
    """Returns the findings in files that are in the package, and that something there reads.

    The files that the user names are always among these, and so is a manifest that cannot be stale, or that a
    build makes.
    """
    manifest, left_out = extension.manifest, frozenset[str]()
    is_kept = manifest.path in extension.package.made or not may_be_stale(extension)
    paths = {each.path for each in found if each.path != manifest.path or not is_kept}
    with _failure_boundary(extension, found[0].rule):
        if paths:
            from extlint.checks.reachability.packaged_files import is_left_out

            package = extension.package
            left_out = frozenset(
                path for path in paths if is_left_out(extension, path) and not package.is_given(path)
            )
    return [each for each in found if each.path not in left_out]


def rules_that_run(extension: Extension, rules: Sequence[str]) -> frozenset[str]:
    """Returns those of some rules that run for the target of an extension with anything for them to check."""
    is_unlike = _is_app(extension) and not extension.schemas.is_specification
    return frozenset(
        name
        for name in rules
        for rule in [RULES[name]]
        if _concerns_target(rule, extension)
        and not (rule.assumption is not None and _may_be_completed(extension, rule))
        and not (is_unlike and is_about_any_use(rule))
    )


def is_about_any_use(rule: Rule) -> bool:
    """Whether a rule is about the use of APIs, on which the specification has a verdict."""
    return rule.group.name == "uses" and not rule.requires(When.BROWSER)


def _is_app(extension: Extension) -> bool:
    return extension.manifest.get("app") is not None


def _findings_of_rule(extension: Extension, rule: Rule) -> Sequence[Finding]:
    """Returns the findings of a rule, which are only computed again if something has changed for it.

    A rule that comes last reports what happened while the others ran.
    """
    return _compute_findings(extension, rule) if rule.comes_last else findings_of(extension, rule.name)


@query(is_kept=True)
def findings_of(extension: Extension, name: str) -> tuple[Finding, ...]:
    """Returns the findings of a rule."""
    return _compute_findings(extension, RULES[name])


def _compute_findings(extension: Extension, rule: Rule) -> tuple[Finding, ...]:
    """Returns the findings of a rule that may come true in code that runs.

    Empty if a tool of the project may rewrite the keys in question.
    """
    found = _findings_until_failure(extension, rule)
    must_be_sent = rule.requires(When.SENT)
    if found and (must_be_sent or any(each.must_run for each in found)):
        from extlint.checks.availability.dead_events import without_dead_code

        found = without_dead_code(extension, found, must_be_sent=must_be_sent)
    if not found or not rule.written_keys:
        return found
    with _failure_boundary(extension, rule.name):
        from extlint.project.rewritten_keys import may_add, may_rewrite

        is_open = may_add if rule.assumption is Assumption.REQUESTS else may_rewrite
        return () if is_open(extension, *rule.written_keys) else found
    return ()


def _findings_until_failure(extension: Extension, rule: Rule) -> tuple[Finding, ...]:
    """Returns the findings of a rule, until extlint itself fails in it."""
    found: list[Finding] = []
    with _failure_boundary(extension, rule.name):
        found.extend(load(rule.name).check(extension))
    return tuple(found)


def _failure_boundary(extension: Extension, rule: str) -> AbstractContextManager[None]:
    """Returns a context in which an error costs only one rule."""
    return extension.package.failures.contained(extension.manifest.path, rule)


def _applicable(extension: Extension, rules: Sequence[str]) -> Iterator[Rule]:
    """Yields the rules that may have findings in an extension, as far as their rows determine it."""
    unmet = {each for each in (*_OF_TARGET, When.BROWSER) if not _CONDITIONS[each](extension)}
    known: dict[Hashable, bool] = {}
    failures, path = extension.package.failures, extension.manifest.path
    for name in rules:
        rule = RULES[name]
        if rule.requires_findings or not unmet.isdisjoint(rule.when):
            continue
        with failures.contained(path, name):
            if _is_applicable(rule, extension, known):
                yield rule


def _concerns_target(rule: Rule, extension: Extension) -> bool:
    """Whether a rule concerns the target, as far as its row in the registry determines it."""
    return all(_CONDITIONS[each](extension) for each in _OF_TARGET if each in rule.when)


def _is_applicable(rule: Rule, extension: Extension, known: dict[Hashable, bool]) -> bool:
    """Whether the conditions of a rule hold. `known` has those that other rules share."""
    for each in rule.when:
        holds = known.get(each)
        if holds is None:
            holds = _holds(each, rule, extension)
            if each is not When.MISTAKES:
                known[each] = holds
        if not holds:
            return False
    assumed = (rule.assumption, rule.written_keys)
    if rule.assumption is not None and assumed not in known:
        known[assumed] = not _may_be_completed(extension, rule)
    return rule.assumption is None or known[assumed]


def _holds(condition: When | AnyOf, rule: Rule, extension: Extension) -> bool:
    if isinstance(condition, AnyOf):
        return not _NAMES[condition.condition](extension).isdisjoint(condition.names)
    if condition is When.MISTAKES:
        return has_mistakes(extension, rule)
    return _CONDITIONS[condition](extension)


def _may_have_unwanted_files(extension: Extension) -> bool:
    """Whether the package is an archive, or may have a private key."""
    package = extension.package
    return package.packed or any(has_suffix(path, PRIVATE_KEYS) for path in package.paths)


def _has_underscores(extension: Extension) -> bool:
    """Whether a name at the top of the package begins with `_`, except the folder of its locales."""
    return any(path[:1] == "_" and not path.startswith("_locales/") for path in extension.package.paths)


@query(is_kept=True, is_of_package=True)
def _has_page_code(extension: Extension) -> bool:
    """Whether a page contains code or loads it from other hosts, or a script may add some to it."""
    return bool(extension.pages) or any(
        script.facts.written_markup or any(each.is_remote for each in script.facts.loads)
        for script in extension.scripts
    )


@query(is_kept=True)
def _affects_web_pages(extension: Extension) -> bool:
    """Whether a script or style sheet is injected into web pages, or rules may redirect their requests."""
    keys = ("content_scripts", "declarative_net_request")
    return any(extension.manifest.get(key) is not None for key in keys) or any(
        context.kind is ContextKind.CONTENT_SCRIPT
        for script in extension.scripts
        for context in script.contexts
    )


@query(is_kept=True, is_of_package=True)
def _may_import(extension: Extension) -> bool:
    """Whether a script that runs may import or export something, or be one of Node."""
    return any(
        any(word in script.index.text for word in (b"import", b"export", b"require", b"process.env"))
        for script in extension.scripts
        if script.contexts or script.all_contexts
    )


@query(is_kept=True)
def _names_http(extension: Extension) -> bool:
    """Whether a script of Manifest V3 that is loaded has an address over HTTP, or the same for sockets."""
    return extension.manifest_version == 3 and any(
        script.contexts and any(each in script.index.text for each in (b"http://", b"ws://"))
        for script in extension.scripts
    )


@query(is_kept=True)
def _may_set_timers(extension: Extension) -> bool:
    """Whether a script in a service worker may set a timer."""
    workers = frozenset({ContextKind.SERVICE_WORKER})
    return any(True for _ in _scripts_with(extension, (b"setTimeout", b"setInterval"), workers))


@query(is_kept=True)
def _adds_listeners(extension: Extension) -> bool:
    """Whether a script adds a listener to an event of the API, or one in a service worker another one."""
    workers = frozenset({ContextKind.SERVICE_WORKER})
    return "addListener" in _used_names(extension) or any(
        True for _ in _scripts_with(extension, (b"addEventListener",), workers)
    )


@query(is_kept=True)
def _may_look_up_elements(extension: Extension) -> bool:
    """Whether a script of an extension page may look up an element."""
    return any(True for _ in _scripts_with(extension, (b"getElementById", b"querySelector"), EXTENSION_PAGES))


@query(is_kept=True, is_of_package=True)
def _may_run_strings(extension: Extension) -> bool:
    """Whether a script may run a string as code."""
    named = [*_scripts_with(extension, (b"eval", b"Function", b"setTimeout", b"setInterval"))]
    if not named:
        return False
    from extlint.checks.blocked_code import may_run_strings

    return any(may_run_strings(extension, *script.location) for script in named)


@query(is_kept=True, is_of_package=True)
def _may_compile(extension: Extension) -> bool:
    """Whether a script may use WebAssembly."""
    return any(True for _ in _scripts_with(extension, (WEBASSEMBLY.encode(),)))


def _scripts_with(
    extension: Extension, words: Sequence[bytes], kinds: frozenset[ContextKind] | None = None
) -> Iterator[Script]:
    """Yields the scripts that run, in one of these kinds of contexts if given, and may have a word."""
    searches = extension.script_searches
    for script in extension.scripts:
        runs = (
            bool(script.contexts or script.all_contexts)
            if kinds is None
            else any(each.kind in kinds for each in script.contexts)
        )
        if runs and any(searches.may_have_word(script, word) for word in words):
            yield script


@query(is_kept=True, is_of_package=True)
def _used_names(extension: Extension) -> frozenset[str]:
    """Returns the names of the namespaces and members that scripts use."""
    return frozenset(name for script in extension.scripts for path in _paths(script.facts) for name in path)


_RARE_EVENTS = frozenset(
    {"onAlarm", "onButtonClicked", "onClicked", "onSuspend", "onSuspendCanceled", "setPanelBehavior"}
)
_PAGE_IS_PARSED = b"DOMContentLoaded"


def _has_rare_events(extension: Extension) -> bool:
    return not _RARE_EVENTS.isdisjoint(_used_names(extension)) or any(
        script.is_only_content_script and extension.script_searches.may_have_word(script, _PAGE_IS_PARSED)
        for script in extension.scripts
    )


def _may_be_completed(extension: Extension, rule: Rule) -> bool:
    """Whether the manifest is a template or in parts, so that a build may break an assumption of a rule.

    Only the keys that the rule depends on count, if these are known. It is also true if no build reads the
    manifest.
    """
    manifest = extension.manifest
    is_made = manifest.path in extension.package.made
    if rule.assumption in (Assumption.KEYS, Assumption.VERSION) and is_made:
        return False
    if rule.assumption is Assumption.BACKGROUND and is_made:
        return not _has_default_background(extension)
    if is_only_input(extension) and not is_made:
        return True
    if rule.assumption is Assumption.VERSION:
        stated = manifest.get("manifest_version")
        return stated is not None and isinstance(stated.value, str) and manifest.is_template
    keys = REQUESTS if rule.assumption is Assumption.REQUESTS else rule.written_keys
    if is_made and (not keys or not _MADE_KEYS.isdisjoint(keys)):
        return True
    if keys:
        return may_be_completed(extension, *keys)
    is_replaced = (manifest.is_template or manifest.has_vendor_keys) and _has_tool(extension)
    return is_replaced or manifest.may_be_filled_in() or bool(keys_in_parts(extension))


def _has_default_background(extension: Extension) -> bool:
    """Whether it is certain which background a manifest that a build makes has in the target."""
    from extlint.package.discovery.frameworks import keeps_background

    manifest, package = extension.manifest, extension.package
    if extension.target.engine is Engine.GECKO and manifest.get("background", "scripts") is None:
        return False
    kept = keeps_background(frozenset(package.paths), package.peek)
    return not may_be_completed(extension, "background") if kept is None else kept


_MADE_KEYS = frozenset(
    {
        *("action", "background", "browser_action", "content_scripts", "description", "icons"),
        *("manifest_version", "page_action", "web_accessible_resources"),
    }
)
"""Keys that frameworks add to the manifests that they make."""


def _has_tool(extension: Extension) -> bool:
    """Whether the project has a build, or a program that mentions the manifest."""
    return is_build_source(extension) or any(True for _ in manifest_tools(extension))


def _paths(facts: ScriptFacts) -> Iterator[ApiPath]:
    yield from (reference.path for reference in facts.references)
    yield from (call.path for call in facts.calls)
    yield from (read.of.path for read in facts.field_reads)
    yield from (comparison.of.path for comparison in facts.comparisons)


def _has_comparisons(extension: Extension) -> bool:
    return any(script.facts.comparisons for script in extension.scripts)


def _reads_results(extension: Extension) -> bool:
    return any(
        facts.field_reads or facts.comparisons or facts.unawaited
        for script in extension.scripts
        for facts in [script.facts]
    )


def _has_images(extension: Extension) -> bool:
    is_named = any(each.use is FileUse.IMAGE for each in file_references(extension.manifest))
    return is_named or not {"notifications", "setIcon"}.isdisjoint(_used_names(extension))


def _keys(extension: Extension) -> frozenset[str]:
    root = extension.manifest.get()
    return frozenset() if root is None else frozenset(key for key, _ in root.members())


_OF_TARGET = (When.OLDEST, When.VERSION_2, When.ALL_USES)

_CONDITIONS: Mapping[When, Callable[[Extension], bool]] = {
    When.OLDEST: lambda extension: extension.target.minimum is not None,
    When.VERSION_2: lambda extension: extension.manifest_version == 2,
    When.ALL_USES: lambda extension: not extension.is_for_thunderbird,  # its API has a root `messenger`
    When.BROWSER: lambda extension: not extension.target.is_specification,
    When.CHROMIUM_OR_GECKO: lambda extension: extension.target.engine in (Engine.CHROMIUM, Engine.GECKO),
    When.USES: uses_api,
    When.USES_OR_RULES: lambda extension: (
        "declarative_net_request" in _keys(extension) or uses_api(extension)
    ),
    When.RARE_EVENTS: _has_rare_events,
    When.LISTENERS: _adds_listeners,
    When.READS: _reads_results,
    When.COMPARISONS: _has_comparisons,
    When.GLOBALS: lambda extension: bool(absent_globals(extension)),
    When.SCRIPTS: lambda extension: any(each.contexts or each.all_contexts for each in extension.scripts),
    When.IMPORTS: _may_import,
    When.TIMERS: _may_set_timers,
    When.HTTP: _names_http,
    When.STRING_CODE: _may_run_strings,
    When.WEBASSEMBLY: _may_compile,
    When.PAGE_CODE: _has_page_code,
    When.LOOKUPS: _may_look_up_elements,
    When.WEB_PAGES: _affects_web_pages,
    When.IMAGES: _has_images,
    When.LOCALES: has_locales,
    When.CONTENT_SCRIPTS: lambda extension: any(each.is_only_content_script for each in extension.scripts),
    When.IDLE_BUTTONS: lambda extension: any(extension.manifest.idle_buttons),
    When.TOP_FOLDER: lambda extension: bool(extension.package.top_folder),
    When.UNDERSCORES: _has_underscores,
    When.UNWANTED: _may_have_unwanted_files,
    When.RUNS: lambda _: True,
    When.SENT: lambda _: True,
}
_NAMES: Mapping[When, Callable[[Extension], frozenset[str]]] = {When.NAMES: _used_names, When.KEYS: _keys}
