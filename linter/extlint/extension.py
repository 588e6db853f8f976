"""An extension as rules see it: everything is computed, and no file remains to be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.analysis.facts.context import Context, ContextKind, contexts_in_target
from extlint.analysis.facts.context import NamedFile as NamedFile
from extlint.analysis.facts.listeners import ListenerResponses
from extlint.analysis.facts.omissions import Reason
from extlint.analysis.facts.page_code import PageWithCode
from extlint.analysis.facts.script_facts import (
    ArgumentTest,
    CallSite,
    GlobalUse,
    Guards,
    ModuleSyntax,
    Reference,
    ScriptFacts,
    SyntaxProblem,
    Verdict,
)
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.package.suffixes import VIDEOS, has_suffix
from extlint.schema.model import SchemaSet
from extlint.schema.targets.request import SPECIFICATION, Target
from extlint.text.patterns import spans_of
from extlint.text.positions import ByteSpan, Span, TextIndex

if TYPE_CHECKING:
    from extlint.text.edits import TextEdit

Derived = TypeVar("Derived")


class Script(Struct, frozen=True):
    """A script, or an inline script of a page, with its facts and the contexts in which it runs.

    `path` is its file and `base` the byte offset in that file at which it begins. `contexts` has one context
    of each kind in which it runs in the target, and is empty for a script that is not known to be loaded.
    `all_contexts` are those in all targets, empty if all targets have the same.
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

    @property
    def is_video(self) -> bool:
        """Whether the file is not loaded as a script, and is a video with the same suffix."""
        problem = self.facts.problem
        is_loaded = self.contexts or self.all_contexts
        return problem is not None and problem.is_binary and not is_loaded and has_suffix(self.path, VIDEOS)

    def in_target(self, target: str) -> Script:
        """Returns the script with the contexts in which it runs in a target."""
        return (
            replace(self, contexts=contexts_in_target(target, self.all_contexts))
            if self.all_contexts
            else self
        )

    def span(self, where: ByteSpan) -> Span:
        """Returns the span in the file for a byte range of the script."""
        return self.index.span(where[0] + self.base, where[1] + self.base)


class FileOmission(Struct, frozen=True):
    """The reason why a file was only partly analyzed, and the locations that were given up, if any."""

    reason: Reason
    places: tuple[Span, ...] = ()


class Searches:
    """Queries of rules about the whole program. This class finds nothing, as if each script were isolated."""

    def call_paths(self, script: Script, reference: Reference) -> frozenset[Guards] | None:  # noqa: ARG002
        """Returns the guards on each call path that leads to a reference, or None if the search failed.

        Empty if no path is known. After a failed search nothing is certain.
        """
        return frozenset()

    def injected_into(self, script: Script, reference: Reference) -> frozenset[ContextKind] | None:  # noqa: ARG002
        """Returns the contexts into which all code that leads to a reference is injected, or None on failure.

        Empty if some of it runs in the script's own context, or that is unknown.
        """
        return frozenset()

    def is_uncalled(self, script: Script, reference: Reference) -> bool:  # noqa: ARG002
        """Whether the package never calls the function that contains a reference, or the search failed."""
        return False

    def delegated_uses(
        self,
        script: Script,  # noqa: ARG002
        reference: Reference,  # noqa: ARG002
    ) -> Sequence[tuple[Script, Reference]] | None:
        """Returns the uses of the function that only delegates to a reference, by their scripts.

        They may be in any script. Returns None if the function around the reference does something else, or
        if not all its uses are known.
        """
        return None

    def certainly_runs(self, script: Script, span: ByteSpan) -> bool:  # noqa: ARG002
        """Whether an expression runs whenever its script is loaded, or whenever some known event occurs."""
        return False

    def is_known_to_run(self, script: Script, span: ByteSpan, watched: frozenset[str]) -> bool:  # noqa: ARG002
        """Whether calls and events that are known lead to a place, without a condition in generated code.

        `watched` are the globals in `watched_globals`.
        """
        return True

    def global_uses(
        self,
        script: Script,  # noqa: ARG002
        names: frozenset[str],  # noqa: ARG002
        watched: frozenset[str],  # noqa: ARG002
        matters: ArgumentTest | None = None,  # noqa: ARG002
    ) -> Sequence[GlobalUse]:
        """Returns the uses of some globals of the platform in a script that are known to run.

        Tests of the globals `watched` are among their guards. `matters`, if given, selects the relevant uses;
        call paths are searched only for those.
        """
        return ()

    def assigned_globals(self, script: Script, names: frozenset[str]) -> frozenset[str]:  # noqa: ARG002
        """Returns those of some globals to which a script assigns, or all of them if that is unknown."""
        return frozenset()

    def may_have_word(self, script: Script, word: bytes) -> bool:
        """Whether a word may occur in a script; false only if it does not."""
        return word in script.index.text

    def spans_of(self, script: Script, patterns: Mapping[bytes, re.Pattern[bytes]]) -> list[ByteSpan]:
        """Returns the byte ranges after the start of a script that match patterns.

        Each match begins with the pattern's word, which may be part of a longer one.
        """
        return spans_of(patterns.values(), script.index.text, script.base)

    def unquoted_words(self, script: Script, wanted: Iterable[bytes]) -> frozenset[bytes]:
        """Returns the words that occur in a script other than directly next to a quote, as strings do."""
        from extlint.text.word_offsets import unquoted_words

        text = script.index.text
        return unquoted_words(text[script.base :] if script.base else text, wanted)

    def module_syntax(self, script: Script) -> ModuleSyntax | None:  # noqa: ARG002
        """Returns the first syntax in a script that only modules may have."""
        return None

    def syntax_verdict(self, script: Script, *, is_module: bool) -> SyntaxProblem | Verdict:  # noqa: ARG002
        """Returns what an exact parser finds in a script as a module or as a classic script."""
        return Verdict.UNKNOWN

    def listener_answers(
        self,
        script: Script,  # noqa: ARG002
        call: CallSite,  # noqa: ARG002
    ) -> tuple[Script, ListenerResponses] | None:
        """Returns the responses of the listener that a call adds, and the script that defines it.

        The listener is resolved through all modules.
        """
        return None

    def once_for_objects(
        self,
        script: Script,  # noqa: ARG002
        name: str,  # noqa: ARG002
        inputs: tuple[object, ...],  # noqa: ARG002
        compute: Callable[[], Derived],
    ) -> Derived:
        """Returns the result of `compute` about a script, which may depend only on `inputs`.

        Repeated checks in one process compute it once for the same objects. `name` identifies the function.
        """
        return compute()

    def uses_globals(self, script: Script, names: Iterable[str]) -> bool:  # noqa: ARG002
        """Whether a script may use a global with one of these names, which it does not declare."""
        return True

    def edits_keeping_open(
        self,
        script: Script,  # noqa: ARG002
        call: CallSite,  # noqa: ARG002
    ) -> tuple[Script, Sequence[TextEdit]] | None:
        """Returns edits after which the listener that a call adds returns `true` before it responds later.

        They are edits of the script that is returned, which defines the listener. Returns None if it is not
        certain what to write.
        """
        return None

    def edits_awaiting(
        self,
        script: Script,  # noqa: ARG002
        span: ByteSpan,  # noqa: ARG002
        *,
        at_top_level: bool,  # noqa: ARG002
        before_listeners: bool,  # noqa: ARG002
    ) -> Sequence[TextEdit] | None:
        """Returns edits of a script that await a promise of the API.

        `span` is where a property of the promise is read, or the value it is compared with. `at_top_level` is
        true if the script may wait outside of functions, and `before_listeners` if it may wait before it adds
        listeners to events. Returns None if it is not certain what to write.
        """
        return None

    def siblings(
        self,
        extension: Extension,  # noqa: ARG002
        script: Script,  # noqa: ARG002
    ) -> Iterable[tuple[Extension, Script]]:
        """Returns the extensions that a build makes from a script with other manifests, and their scripts."""
        return ()

    def omissions(self) -> Mapping[str, FileOmission]:
        """Returns the omissions so far in the analysis of files, by their paths."""
        return {}


NO_SEARCHES = Searches()


class Extension(Struct, frozen=True):
    """The extension that is checked, for one target.

    * `target`: the target, with the versions of the browser that the manifest supports, as far as stated
    * `requested_targets`: the names of all targets of the run
    * `checked_targets`: the same, and for `reference` also the browsers whose common findings it reports
    * `searches`: searches in the whole program, which run only on request of a rule
    * `is_for_thunderbird`: the reference target is chosen for an add-on of Thunderbird
    * `pages`: the pages with code that their content security policy allows or blocks
    * `unreached_pages`: the pages that are not known to be opened, each with the script files that it loads
    * `derived`: the results of functions that are `once_per_extension`
    """

    package: Package
    manifest: Manifest
    scripts: Sequence[Script]
    schemas: SchemaSet
    named_files: Sequence[NamedFile] = ()
    target: Target = Target(SPECIFICATION)
    requested_targets: Sequence[str] = ()
    checked_targets: Sequence[str] = ()
    searches: Searches = NO_SEARCHES
    is_for_thunderbird: bool = False
    unreached_pages: Sequence[tuple[str, Sequence[str]]] = ()
    pages: Sequence[PageWithCode] = ()
    derived: dict[Any, Any] = field(default_factory=dict)


def once_per_extension(derive: Callable[[Extension], Derived]) -> Callable[[Extension], Derived]:
    """Decorates a function so that it runs once for each extension, however many rules use it."""

    @wraps(derive)
    def derived(extension: Extension) -> Derived:
        return once(extension.derived, derive, lambda: derive(extension))

    return derived


def once_per_package(derive: Callable[[Extension], Derived]) -> Callable[[Extension], Derived]:
    """Decorates a function of the files and of the scripts' facts so that it runs once for all targets.

    The function depends neither on the target nor on the manifest, schemas and contexts for the target.
    """

    @wraps(derive)
    def derived(extension: Extension) -> Derived:
        return once(extension.package.derived, derive, lambda: derive(extension))

    return derived


def once(known: dict[Any, Any], key: object, derive: Callable[[], Derived]) -> Derived:
    """Returns the result of a function that runs once for each key."""
    if key not in known:
        known[key] = derive()
    found: Derived = known[key]
    return found


@once_per_extension
def uses_api(extension: Extension) -> bool:
    """Whether a script uses the API in a way that a rule may report."""
    return any(
        facts.references
        or facts.calls
        or facts.field_reads
        or facts.comparisons
        or facts.ambiguous_references
        for script in extension.scripts
        for facts in [script.facts]
    )
