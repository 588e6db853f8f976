"""Checks a package: from its files to its findings, in the order of the data flow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from extlint.analysis.cache.store import Store
from extlint.analysis.facts.script_facts import LoadKind
from extlint.analysis.values.stack import checking_package
from extlint.extension import Extension, Script
from extlint.finding import Finding
from extlint.linting.apply_rules import findings_for_target
from extlint.linting.failures import failure_findings, left_out_findings, unchecked_findings
from extlint.linting.merge import across_targets, mark_unsafe_fixes
from extlint.manifest.manifest import Manifest, read_manifest, with_supported_versions
from extlint.package.files import Package
from extlint.package.suffixes import COMMENTABLE, has_suffix
from extlint.package.tolerant import TolerantPackage
from extlint.program.script_reader import ScriptReader
from extlint.program.searches import PackageSearches
from extlint.program.shared_layout import shared_layout
from extlint.program.sources import code_policy_of
from extlint.project.builds import is_build_source, is_only_input
from extlint.project.resolution.resolver import ModuleResolver
from extlint.project.target_detection.choice import NO_CHOICE, Choice, Origin, chosen_by_option
from extlint.project.target_detection.detect import (
    detect_targets,
    marker_in_manifest,
    marker_in_scripts,
    targets_of_builds,
)
from extlint.queries.database import Database
from extlint.registry import MISSING_FILE, RULES
from extlint.report.report import Report
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint.schema.targets import (
    SPECIFICATION,
    Target,
    browsers_that_load,
    newer_than_facts,
    schema_set,
    schema_set_of_thunderbird,
)
from extlint.text.positions import decode
from extlint_schemas import TARGETS

if TYPE_CHECKING:
    from extlint.linting.common_findings import Comparison
    from extlint.linting.unchecked_code import UncheckedCode

_SUPPRESSION = b"extlint-disable"
_LOADING = (LoadKind.IMPORT, LoadKind.IMPORT_SCRIPTS)


@checking_package
def check_package(
    package: Package,
    targets: Choice | Sequence[Target] | None,
    rules: Sequence[str],
    user_schemas: UserSchemas = NO_USER_SCHEMAS,
    store: Store | None = None,
    jobs: int = 1,
    observe: Callable[[Extension], None] | None = None,
    report_progress: Callable[[str, int], None] = lambda _what, _size: None,
) -> Report:
    """Checks one extension against each target, and the schemas of a user, with these rules.

    Without targets, the extension itself determines the browsers it is checked for. An unreadable file is
    left out, and is named in the report. Results about scripts are stored in `store`, by at most `jobs`
    processes. `observe` receives the extension, as rules see it, for each target. `report_progress` receives
    a description of the next step, and the number of bytes of scripts it covers.
    """
    files = TolerantPackage(package)
    with _revision(store, package, files) as queries, ExitStack() as at_end:
        manifest, choice = _manifest_and_choice(package, files, targets)
        if manifest is None:
            notes = failure_findings(files.failures, files.manifest_path, rules, choice.names, is_fatal=True)
            return Report(files, tuple(notes), 0, choice, files.unreadable, 1)
        if manifest.path in files.failed:
            return Report(files, (), 0, choice, files.unreadable)
        resolver = ModuleResolver(files)
        imports = None
        if package.made:
            from extlint.project.auto_imports import auto_imports_of

            imports = auto_imports_of(files)
        policy = code_policy_of(manifest, imports)
        if jobs > 1:
            from extlint.program.parallel_analysis import analyze_in_parallel

            store = analyze_in_parallel(package, store, jobs, report_progress, policy)
        known = queries if queries.is_incremental else None
        reader = ScriptReader(files, resolver, store, report_progress, policy, known)
        if known is None and observe is None:
            at_end.callback(queries.clear)
            at_end.callback(reader.close)
        layout = shared_layout(files, manifest.for_every_browser, reader, resolver)
        placed = tuple(map(reader.script, layout.scripts))
        scripts = tuple(script for script in placed if not script.is_video)
        named_files = layout.named_files if package.complete else ()
        if not manifest.is_object:
            rules = [name for name in rules if not RULES[name].requires_manifest]
        searches = PackageSearches(package, files, manifest, reader, resolver, layout, placed, queries)
        if queries.is_incremental:
            from extlint.program.revisions import set_program

            set_program(queries, reader, layout, placed)
        names = choice.names
        schemas_of = schema_set_of_thunderbird if choice.is_of_thunderbird else schema_set

        browsers: tuple[Target, ...] = ()
        if SPECIFICATION in names and not _is_for_thunderbird(package, manifest, choice):
            browsers = browsers_that_load(manifest.version)
        checked = tuple(dict.fromkeys((*names, *(each.name for each in browsers))))
        of_builds = targets_of_builds(package) if choice.origin is Origin.PROJECT else ()
        all_requested = tuple(dict.fromkeys((*names, *of_builds)))

        def seen_by(target: Target, requested: Sequence[str] = ()) -> Extension:
            own = manifest.for_target(target)
            return Extension(
                files,
                own,
                _scripts_in_target(target, scripts),
                schemas_of(target.name, user_schemas),
                named_files,
                target=with_supported_versions(target, own),
                requested_targets=requested or all_requested,
                checked_targets=checked,
                searches=searches,
                is_for_thunderbird=choice.is_of_thunderbird,
                unreached_pages=layout.unreached_pages,
                pages=[page.in_target(target.name) for page in layout.pages],
                queries=queries,
            )

        found: list[Finding] = []
        extensions: list[Extension] = []
        comparison = None
        if browsers:
            with files.failures.contained(manifest.path):
                is_open = choice.origin is Origin.DEFAULT
                named, comparison = _compare(browsers, seen_by, rules, report_progress, is_open=is_open)
                if named is not None:
                    choice, names, comparison = named, named.names, None
        for target in choice.targets:
            report_progress(f"checking for {target.name}", 0)
            with files.failures.contained(manifest.path):
                extensions.append(seen_by(target))
                if observe is not None:
                    observe(extensions[-1])
                found += findings_for_target(extensions[-1], rules)
        if comparison is not None:
            found += comparison.common(found)
        found += failure_findings(files.failures, manifest.path, rules, names)
        found += left_out_findings(files.left_out, manifest.path, rules, names)
        found += unchecked_findings(files.unchecked, rules, names)
        incomplete = _incomplete_files(files, searches)
        merged = mark_unsafe_fixes(across_targets(found), names)
        report = Report(files, merged, len(files.used), choice, files.unreadable, len(incomplete))
        if any(each.target.minimum for each in extensions):
            report = replace(report, newer=newer_than_facts(each.target for each in extensions))
        if not manifest.is_clear:
            report = replace(report, unclear_manifests=(manifest.path,))
        if comparison is not None:
            report = replace(report, only_in=comparison.only_in_one(merged, names))
        with files.failures.contained(manifest.path):
            report = replace(report, unchecked_code=_unchecked_code(extensions, merged, rules))
        commented = _with_suppressions(files, {*files.used, *(each.path for each in scripts)})
        if not commented:
            return report
        from extlint.linting.suppression.comments import comments_in
        from extlint.linting.suppression.useless_scopes import Run, mark_useless_scopes

        comments = comments_in(files, commented)
        if (
            package.complete
            and len(extensions) == len(choice.targets)
            and not (files.failures or files.failed)
        ):
            run = Run(extensions, _other_targets(choice), seen_by, rules, incomplete)
            comments = mark_useless_scopes(comments, merged, run)
        return replace(report, comments=comments)


@contextmanager
def _revision(store: Store | None, package: Package, files: TolerantPackage) -> Iterator[Database]:
    """Begins a revision of the package in a process that checks it repeatedly; yields the results so far."""
    if not isinstance(store, Database):
        yield Database()
        return
    from extlint.program.revisions import revision

    with revision(store, package, files) as queries:
        yield queries


def _is_for_thunderbird(package: Package, manifest: Manifest, choice: Choice) -> bool:
    """Whether an extension is for Thunderbird, also if the user names its targets."""
    if choice.origin is Origin.DEFAULT:
        return choice.is_of_thunderbird
    return marker_in_manifest(manifest) is not None or marker_in_scripts(package) is not None


def _compare(
    browsers: Sequence[Target],
    seen_by: Callable[[Target, Sequence[str]], Extension],
    rules: Sequence[str],
    report_progress: Callable[[str, int], None],
    *,
    is_open: bool,
) -> tuple[Choice | None, Comparison]:
    """Returns the extension and its findings in each browser, as if it were the only target.

    If the user left the targets open, the choice has the browsers that its scripts indicate, whichever rules
    are selected.
    """
    from extlint.linting.api_use import RULES_ABOUT_MISSING_API, targets_in_uses
    from extlint.linting.common_findings import Comparison, aligned

    run = tuple(dict.fromkeys((*rules, *RULES_ABOUT_MISSING_API))) if is_open else rules
    extensions: list[Extension] = []
    found: list[Finding] = []
    for target in browsers:
        report_progress(f"checking for {target.name}", 0)
        extensions.append(seen_by(target, (target.name,)))
        found += findings_for_target(extensions[-1], run)
    selected = aligned([each for each in found if each.rule in rules])
    named = targets_in_uses(extensions, found) if is_open else None
    return named, Comparison(extensions, selected)


def _unchecked_code(
    extensions: Sequence[Extension], findings: Sequence[Finding], rules: Sequence[str]
) -> tuple[UncheckedCode, ...]:
    """Returns the code of an extension that was not checked. There is one `Extension` for each target.

    What is missing without a build is mentioned only if a rule reports missing files.
    """
    for extension in extensions[:1]:
        is_whole = all(each.path in extension.package for each in extension.named_files)
        is_ignored = MISSING_FILE not in rules and not is_whole and not is_build_source(extension)
        is_loaded = is_ignored or all(
            script.contexts and not any(each.kind in _LOADING for each in script.facts.loads)
            for script in extension.scripts
        )
        is_known = extension.manifest.is_object and not extension.manifest.is_template
        if not (is_loaded and (is_whole or is_ignored) and is_known) or is_only_input(extension):
            from extlint.linting.unchecked_code import find_unchecked_code

            return tuple(find_unchecked_code(extension, None if is_ignored else findings))
    return ()


def _manifest_and_choice(
    package: Package, files: TolerantPackage, targets: Choice | Sequence[Target] | None
) -> tuple[Manifest | None, Choice]:
    """Returns the manifest, or None if extlint itself fails in it, and the given or detected targets."""
    choice = NO_CHOICE if targets is None else _chosen(targets)
    with files.failures.contained(files.manifest_path):
        manifest = read_manifest(files.manifest_path, files.content(files.manifest_path))
        return manifest, detect_targets(package, manifest) if targets is None else choice
    return None, choice


def _incomplete_files(files: TolerantPackage, searches: PackageSearches) -> set[str]:
    """Returns the files that were not completely analyzed, and the manifest if files were left out."""
    left_out = [files.manifest_path] if files.left_out else []
    return {
        *searches.omissions(),
        *(each.path for each in files.failures),
        *files.unchecked.by_path(),
        *left_out,
    }


def _chosen(targets: Choice | Sequence[Target]) -> Choice:
    return targets if isinstance(targets, Choice) else chosen_by_option(targets)


def _with_suppressions(files: Package, paths: Iterable[str]) -> Sequence[str]:
    """Returns the paths, sorted, of files in which a comment may suppress findings."""
    return [
        path
        for path in sorted(paths)
        if (path == files.manifest_path or has_suffix(path, COMMENTABLE))
        and _SUPPRESSION in decode(files.content(path))
    ]


def _other_targets(choice: Choice) -> Sequence[Target]:
    """Returns the targets that an extension is not checked for, but may be in a run with other options."""
    if choice.is_of_thunderbird:
        return ()
    other_targets = [Target(name) for name in TARGETS if name not in choice.names]
    if choice.origin is Origin.OPTION:
        other_targets += [Target(name, minimum=(1,)) for name in TARGETS if name != SPECIFICATION]
    return other_targets


def _scripts_in_target(target: Target, scripts: Sequence[Script]) -> Sequence[Script]:
    """Returns the scripts as they run in a target."""
    if not any(script.all_contexts for script in scripts):
        return scripts
    return tuple(script.in_target(target.name) for script in scripts)
