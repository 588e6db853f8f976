"""Diagnostics of the protocol for the findings of a report."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from lsprotocol import types
from msgspec import Struct

from extlint.package.disk import read_file
from extlint.package.files import UnreadableError, path_below
from extlint.queries.query import cached_method
from extlint.services.api.results import Finding, Position, Related, Report
from extlint.services.lsp.documents import Text, uri_of

SOURCE = "extlint"
"""The source of every diagnostic."""

_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}

_TAGS = {
    "deprecated-api": types.DiagnosticTag.Deprecated,
    "unused-permission": types.DiagnosticTag.Unnecessary,
    "unused-suppression": types.DiagnosticTag.Unnecessary,
}
"""The tags of rules. An editor strikes deprecated code through, and fades unnecessary code out."""

_PLACED = re.compile(r"(.+?):(\d+):(\d+): (.+)", re.DOTALL)
"""A sentence about a position in a configuration, with its file, line and column."""


class Abilities(Struct, frozen=True):
    """The optional members of diagnostics that a client can show."""

    related: bool = True
    links: bool = True
    tags: frozenset[types.DiagnosticTag] = frozenset(types.DiagnosticTag)

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> Abilities:
        """Returns those of a client."""
        document = capabilities.text_document
        own = None if document is None else document.publish_diagnostics
        if own is None:
            return cls(False, False, frozenset())
        tags = own.tag_support.value_set if own.tag_support is not None else ()
        return cls(bool(own.related_information), bool(own.code_description_support), frozenset(tags))


class Found(Struct, frozen=True):
    """A diagnostic, and the finding that it shows. Entries of configurations have none."""

    diagnostic: types.Diagnostic
    finding: Finding | None = None


class Texts:
    """The texts of files as a check read them, by absolute path."""

    def __init__(self, unsaved: Mapping[str, bytes], encoding: str) -> None:
        self._unsaved = unsaved
        self._encoding = encoding

    @cached_method
    def of(self, path: str) -> Text:
        """Returns a text, which is empty if the file cannot be read."""
        data = self._unsaved.get(path)
        if data is None:
            try:
                data = read_file(path, path)
            except UnreadableError:
                data = b""
        return Text.of_file(data, self._encoding)


def diagnostics_of(
    report: Report, texts: Texts, abilities: Abilities, log: Callable[[str], None]
) -> Mapping[str, Sequence[Found]]:
    """Returns the diagnostics of a report by the absolute path of their file.

    `log` receives the sentences about files that could not be checked, without those about configurations,
    which become diagnostics, too.
    """
    found: defaultdict[str, list[Found]] = defaultdict(list)
    for finding in report.findings:
        path = os.path.abspath(finding.file)
        found[path].append(Found(_diagnostic(finding, texts.of(path), texts, abilities), finding))
    for entry in report.unused_entries:
        path = os.path.abspath(entry.path)
        place = _word_at(texts.of(path), entry.start.line, entry.start.column)
        tags = _shown([types.DiagnosticTag.Unnecessary], abilities)
        warning = types.DiagnosticSeverity.Warning
        found[path].append(Found(types.Diagnostic(place, entry.message, warning, source=SOURCE, tags=tags)))
    for sentence in report.unchecked:
        placed = _PLACED.fullmatch(sentence)
        if placed is None or not os.path.isabs(placed[1]):
            log(sentence)
            continue
        place = _word_at(texts.of(placed[1]), int(placed[2]), int(placed[3]))
        error = types.Diagnostic(place, placed[4], types.DiagnosticSeverity.Error, source=SOURCE)
        found[placed[1]].append(Found(error))
    return found


def _diagnostic(finding: Finding, text: Text, texts: Texts, abilities: Abilities) -> types.Diagnostic:
    help_line = "" if finding.help is None else f"\nhelp: {finding.help}"
    return types.Diagnostic(
        text.range(_pair(finding.start), _pair(finding.end)),
        finding.message + help_line,
        _SEVERITIES[finding.severity],
        finding.rule,
        types.CodeDescription(finding.url) if abilities.links else None,
        SOURCE,
        _shown([_TAGS[finding.rule]] if finding.rule in _TAGS else [], abilities),
        [_related(finding, each, texts) for each in finding.related] or None if abilities.related else None,
    )


def _related(finding: Finding, related: Related, texts: Texts) -> types.DiagnosticRelatedInformation:
    path = os.path.abspath(path_below(finding.extension, related.path))
    place = texts.of(path).range(_pair(related.start), _pair(related.end))
    return types.DiagnosticRelatedInformation(types.Location(uri_of(path), place), related.message)


def _shown(tags: Sequence[types.DiagnosticTag], abilities: Abilities) -> list[types.DiagnosticTag] | None:
    return [each for each in tags if each in abilities.tags] or None


def _pair(position: Position) -> tuple[int, int]:
    return position.line, position.column


def _word_at(text: Text, line: int, column: int) -> types.Range:
    """Returns the range from a position to the end of its word, or else of the line."""
    rest = text.line(line)[column - 1 :]
    word = re.match(r"\"[^\"]*\"|[\w.-]+|\S+", rest)
    length = len(rest) if word is None else word.end()
    return text.range((line, column), (line, column + length))
