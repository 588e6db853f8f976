"""An extension as rules see it: everything is known, and nothing is left to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.schema.model import SchemaSet
from extlint.script.facts.context import Context, contexts_in_target
from extlint.script.facts.context import NamedFile as NamedFile
from extlint.script.facts.omissions import Reason
from extlint.script.facts.page_code import PageWithCode
from extlint.script.facts.script_facts import GlobalUse, Guards, ModuleSyntax, Reference, ScriptFacts
from extlint.targets.request import SPECIFICATION, Target
from extlint.text.positions import ByteSpan, Span, TextIndex

Derived = TypeVar("Derived")


class Script(Struct, frozen=True):
    """A script, or an inline script of a page, with its facts and the contexts in which it runs.

    `path` is its file and `base` the byte offset in that file at which it begins. `contexts` has one context
    of each kind in which it runs in the target, and none for a script that nothing is known to load.
    `all_contexts` are those in all targets, empty where all targets have the same.
    """

    path: str
    facts: ScriptFacts
    index: TextIndex
    contexts: tuple[Context, ...] = ()
    base: int = 0
    all_contexts: tuple[Context, ...] = ()

    @property
    def is_for_other_targets(self) -> bool:
        """Whether the script is loaded only in other targets."""
        return bool(self.all_contexts) and not self.contexts

    def in_target(self, target: str) -> Script:
        """The script with the contexts in which it runs in a target."""
        return (
            replace(self, contexts=contexts_in_target(target, self.all_contexts))
            if self.all_contexts
            else self
        )

    def span(self, where: ByteSpan) -> Span:
        """The span in the file for a byte range of the script."""
        return self.index.span(where[0] + self.base, where[1] + self.base)


def no_call_paths(script: Script, reference: Reference) -> frozenset[Guards]:  # noqa: ARG001
    """The call paths to a reference if no callers are known."""
    return frozenset()


def always_called(script: Script, reference: Reference) -> bool:  # noqa: ARG001
    """Whether a reference is uncalled if no callers are known: no."""
    return False


def no_siblings(extension: Extension, script: Script) -> tuple[()]:  # noqa: ARG001
    """The siblings of an extension with the only manifest."""
    return ()


def no_global_uses(script: Script, names: frozenset[str], watched: frozenset[str]) -> tuple[()]:  # noqa: ARG001
    """The uses of globals if they are not searched for."""
    return ()


def no_module_syntax(script: Script) -> None:
    """What a script has of modules if that is not searched for."""


def none_assigned(script: Script, names: frozenset[str]) -> frozenset[str]:  # noqa: ARG001
    """The globals to which a script assigns if that is not searched for."""
    return frozenset()


class FileOmission(Struct, frozen=True):
    """Why a file was analyzed only in part, and the places in it that were given up, if it was begun."""

    reason: Reason
    places: tuple[Span, ...] = ()


def nothing_omitted() -> Mapping[str, FileOmission]:
    """The omissions if everything was analyzed."""
    return {}


class Extension(Struct, frozen=True):
    """The extension that is checked, for one target.

    * `target`: the target, with the versions of the browser that the manifest supports, as far as it says so
    * `requested_targets`: the names of all targets of the run
    * `call_paths`: the guards on each call path that leads to a reference; empty if no path is known, None if
      the search failed, so that nothing is certain
    * `is_uncalled`: whether nothing in the package calls the function that a reference is in
    * `siblings`: the extensions that a build makes of a script with other manifests, each with the script
      as it runs there
    * `is_of_thunderbird`: the reference target is chosen for an add-on of Thunderbird
    * `pages`: the pages with code on which their content security policy decides
    * `global_uses`: the uses of some globals of the platform in a script that are seen to run, with tests of
      other globals among their guards
    * `module_syntax`: the first that a script has of what only modules may have
    * `assigned_globals`: those of some globals to which a script assigns
    * `omissions`: what the analysis of files left out so far, by their paths
    * `unreached_pages`: the pages that nothing is known to open, each with the script files that it loads
    * `derived`: the results of functions that are `once_per_extension`
    """

    package: Package
    manifest: Manifest
    scripts: Sequence[Script]
    schemas: SchemaSet
    named_files: Sequence[NamedFile] = ()
    target: Target = Target(SPECIFICATION)
    requested_targets: Sequence[str] = ()
    call_paths: Callable[[Script, Reference], frozenset[Guards] | None] = no_call_paths
    is_uncalled: Callable[[Script, Reference], bool] = always_called
    siblings: Callable[[Extension, Script], Iterable[tuple[Extension, Script]]] = no_siblings
    is_of_thunderbird: bool = False
    unreached_pages: Sequence[tuple[str, Sequence[str]]] = ()
    pages: Sequence[PageWithCode] = ()
    global_uses: Callable[[Script, frozenset[str], frozenset[str]], Sequence[GlobalUse]] = no_global_uses
    module_syntax: Callable[[Script], ModuleSyntax | None] = no_module_syntax
    assigned_globals: Callable[[Script, frozenset[str]], frozenset[str]] = none_assigned
    omissions: Callable[[], Mapping[str, FileOmission]] = nothing_omitted
    derived: dict[Callable[[Extension], Any], Any] = field(default_factory=dict)


def once_per_extension(derive: Callable[[Extension], Derived]) -> Callable[[Extension], Derived]:
    """Decorates a function so that it runs once for each extension, however many rules ask."""

    @wraps(derive)
    def derived(extension: Extension) -> Derived:
        return once(extension.derived, derive, lambda: derive(extension))

    return derived


def once_per_package(derive: Callable[[Extension], Derived]) -> Callable[[Extension], Derived]:
    """Decorates a function of the files and of the scripts' facts so that it runs once for all targets.

    It depends neither on the target nor on what that makes of the manifest, the schemas and the contexts.
    """

    @wraps(derive)
    def derived(extension: Extension) -> Derived:
        return once(extension.package.derived, derive, lambda: derive(extension))

    return derived


def once(known: dict[Any, Any], key: object, derive: Callable[[], Derived]) -> Derived:
    """What a function returns, which runs once for each key."""
    if key not in known:
        known[key] = derive()
    found: Derived = known[key]
    return found


@once_per_extension
def uses_api(extension: Extension) -> bool:
    """Whether a script does anything with the API that a rule may report."""
    return any(
        facts.references
        or facts.calls
        or facts.field_reads
        or facts.comparisons
        or facts.ambiguous_references
        for script in extension.scripts
        for facts in [script.facts]
    )
