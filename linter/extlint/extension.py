"""One extension as rules see it: everything known, nothing left to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from extlint.contexts.model import Context
from extlint.manifest.manifest import Manifest
from extlint.package.files import Package
from extlint.schema.model import SchemaSet
from extlint.script.facts import ScriptFacts
from extlint.text import Span, TextIndex
from extlint.values import ByteSpan


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that the manifest or a page names, and where the name stands.

    `name` is as written; `path` is what it means relative to the extension's root.
    """

    name: str
    path: str
    source: str
    span: Span


@dataclass(frozen=True, slots=True)
class Script:
    """A script, or one inline script of a page, with its facts and the contexts it runs in.

    `path` is the file that holds it and `base` the byte offset in that file where it begins.
    `contexts` is empty for a script that nothing is known to load.
    """

    path: str
    facts: ScriptFacts
    index: TextIndex
    contexts: tuple[Context, ...] = ()
    base: int = 0

    def span(self, where: ByteSpan) -> Span:
        """The span in the file for a byte range of the script."""
        return self.index.span(where[0] + self.base, where[1] + self.base)


@dataclass(frozen=True, slots=True)
class Extension:
    """The extension that is being checked, against one target's schemas."""

    package: Package
    manifest: Manifest
    scripts: Sequence[Script]
    schemas: SchemaSet
    named_files: Sequence[NamedFile] = field(default=())
