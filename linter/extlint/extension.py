"""One extension as rules see it: everything known, nothing left to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.schema.model import SchemaSet
from extlint.script.facts.context import Context, open_to
from extlint.script.facts.context import NamedFile as NamedFile
from extlint.script.facts.script_facts import Guards, Reference, ScriptFacts
from extlint.targets.request import SPECIFICATION, Target
from extlint.text.positions import ByteSpan, Span, TextIndex

Derived = TypeVar("Derived")


class Script(Struct, frozen=True):
    """A script, or one inline script of a page, with its facts and the contexts it runs in.

    `path` is the file that holds it and `base` the byte offset in that file where it begins.
    `contexts` are one of each kind in which it runs in the target; there are none for a script that nothing
    is known to load. `laid_out` are those in all targets, where they differ from one to another.
    """

    path: str
    facts: ScriptFacts
    index: TextIndex
    contexts: tuple[Context, ...] = ()
    base: int = 0
    laid_out: tuple[Context, ...] = ()

    @property
    def is_closed(self) -> bool:
        """Whether a script is loaded in other targets alone."""
        return bool(self.laid_out) and not self.contexts

    def as_in(self, target: str) -> Script:
        """The script as it runs in a target."""
        return replace(self, contexts=open_to(target, self.laid_out)) if self.laid_out else self

    def span(self, where: ByteSpan) -> Span:
        """The span in the file for a byte range of the script."""
        return self.index.span(where[0] + self.base, where[1] + self.base)


def no_callers(script: Script, reference: Reference) -> frozenset[Guards]:  # noqa: ARG001
    """The ways to a place where nothing is known of who calls it."""
    return frozenset()


def always_called(script: Script, reference: Reference) -> bool:  # noqa: ARG001
    """Whether nothing calls the code of a place, where nothing is known of who does."""
    return False


def no_siblings(extension: Extension, script: Script) -> tuple[()]:  # noqa: ARG001
    """The siblings of an extension that has the only manifest."""
    return ()


class Extension(Struct, frozen=True):
    """The extension that is being checked, against one target's schemas.

    `target` has the versions of the browser in which the extension may run, as far as they are stated;
    `asked` are the names of all targets of the run.
    `is_of_thunderbird` is true where the reference target is chosen for an add-on of Thunderbird.
    `callers` tells what holds on each of the ways that lead to a reference, nothing if none is seen.
    `uncalled` tells of a reference whether nothing in the package calls the code around it.
    `siblings` gives the extensions that a build makes of a script with other manifests, each with the script
    as it runs there.
    `loose_pages` are the pages that nothing is known to open, each with the script files that it loads.
    `derived` keeps what several rules work out together; see `once_per_extension`.
    """

    package: Package
    manifest: Manifest
    scripts: Sequence[Script]
    schemas: SchemaSet
    named_files: Sequence[NamedFile] = ()
    target: Target = Target(SPECIFICATION)
    asked: Sequence[str] = ()
    callers: Callable[[Script, Reference], frozenset[Guards]] = no_callers
    uncalled: Callable[[Script, Reference], bool] = always_called
    siblings: Callable[[Extension, Script], Iterable[tuple[Extension, Script]]] = no_siblings
    is_of_thunderbird: bool = False
    loose_pages: Sequence[tuple[str, Sequence[str]]] = ()
    derived: dict[Callable[[Extension], Any], Any] = field(default_factory=dict)


def once_per_extension(derive: Callable[[Extension], Derived]) -> Callable[[Extension], Derived]:
    """Makes a function of an extension run once for each extension, however many rules ask."""

    @wraps(derive)
    def derived(extension: Extension) -> Derived:
        if derive not in extension.derived:
            extension.derived[derive] = derive(extension)
        found: Derived = extension.derived[derive]
        return found

    return derived
