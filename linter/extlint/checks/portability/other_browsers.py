"""The same extension as other browsers see it, and code that is meant for one of them.

This applies only to the targets of browsers: the specification is one API, not a choice among several.
"""

from __future__ import annotations

from collections.abc import Callable

from extlint.analysis.facts.context import ContextKind
from extlint.analysis.facts.script_facts import Guards
from extlint.checks.portability.source_searches import assigns_global
from extlint.extension import Extension, Script
from extlint.project.script_origins import is_generated
from extlint.queries.query import query
from extlint.schema.targets import BROWSERS, NARROWED, engine_of, schema_set
from extlint.text.patterns import lazy
from extlint_schemas import schema_files

_BACKGROUND = "background"
_FIREFOX = lazy(rb"(?i)firefox|gecko|\bmoz")


@query
def in_other_browsers(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension as each other browser sees it, or an empty tuple for the specification."""
    if extension.schemas.is_specification:
        return ()
    return tuple(
        extension.with_schemas(schema_set(name, extension.schemas.user_schemas))
        for name in BROWSERS
        if extension.schemas.is_narrowed or engine_of(name) is not extension.schemas.engine
    )


def is_only_in_chromium(extension: Extension, script: Script) -> bool:
    """Whether a script is a service worker, which Firefox does not run, and nothing else may run it there.

    Another manifest or a build may give it the script, and code that mentions Firefox may be shared.
    """
    if {each.kind for each in script.contexts} != {ContextKind.SERVICE_WORKER} or is_generated(script):
        return False
    from extlint.checks.portability.other_manifests import may_have_in_other_manifest
    from extlint.project.builds import may_be_completed
    from extlint.project.contexts.words import words_of
    from extlint.project.rewritten_keys import may_rewrite
    from extlint.project.target_detection.markers import has_background_of_firefox

    return not (
        extension.package.made
        or has_background_of_firefox(extension.manifest)
        or may_have_in_other_manifest(extension, _BACKGROUND)
        or may_be_completed(extension, _BACKGROUND)
        or may_rewrite(extension, _BACKGROUND)
        or any(_FIREFOX.search(text) for text, _ in words_of(extension).texts.values())
        or any(extension.searches.siblings(extension, script))
    )


@query
def in_other_targets(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension as each other target sees it, even those that only narrow another's schemas."""
    if extension.schemas.is_specification:
        return ()
    own = (name for name in NARROWED if schema_files(name) and name != extension.schemas.target)
    return (
        *in_other_browsers(extension),
        *(extension.with_schemas(schema_set(name, extension.schemas.user_schemas)) for name in own),
    )


@query
def in_other_manifest_version(extension: Extension) -> tuple[Extension, ...]:
    """Returns the extension in the other manifest version, as each browser sees it.

    The tuple is empty for the specification.
    """
    if extension.schemas.is_specification:
        return ()
    manifest = extension.manifest.as_version(2 if extension.manifest_version == 3 else 3)
    return tuple(each.with_manifest(manifest) for each in (extension, *in_other_browsers(extension)))


def is_right_in_another_browser(extension: Extension, is_right: Callable[[Extension], bool]) -> bool:
    """Whether a predicate holds for the extension as some other browser sees it."""
    return any(is_right(other) for other in in_other_browsers(extension))


def is_browser_specific(extension: Extension, guards: Guards) -> bool:
    """Whether a condition around the code tests for a browser, so that the code may be for another one.

    A constant that the package never assigns gets its value when a build generates a browser's version. A
    test of the user agent is decided by the target, unless the target is a browser with an unknown one.
    """
    if extension.schemas.is_specification:
        return False
    if guards.user_agent and extension.schemas.is_narrowed:
        return True
    return guards.browser_tested or not all(map(assigns_global(extension), guards.constants))


def is_for_another_build(extension: Extension, guards: Guards, is_right: Callable[[Extension], bool]) -> bool:
    """Whether a condition tests for a browser or a build, and a predicate holds for one of these.

    These are the other browsers, and all browsers with the other manifest version.
    """
    return is_browser_specific(extension, guards) and any(
        is_right(other) for other in (*in_other_browsers(extension), *in_other_manifest_version(extension))
    )
