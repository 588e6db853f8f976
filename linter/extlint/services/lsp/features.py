"""Hovers, completion, definitions, links and code lenses, in the types of the protocol."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

from lsprotocol import types

from extlint.package.files import UnreadableError, path_below
from extlint.services.api.session import Cancelled
from extlint.services.lsp.documents import Document, Text
from extlint.services.lsp.session import View
from extlint.services.lsp.workspace import Workspace
from extlint.text.positions import Span

SHOW_USES = "extlint.showUses"
"""The command of a code lens. Its arguments are those of `editor.action.showReferences` in VS Code: the
address of the file, the position, and the locations of the uses.
"""

TRIGGERS = (".", '"', "'", "`", "/", "$", "_", "{", "(", " ")
"""The characters after which an editor requests completion."""

_KINDS = {
    "constant": types.CompletionItemKind.Constant,
    "directive": types.CompletionItemKind.Keyword,
    "enum": types.CompletionItemKind.EnumMember,
    "event": types.CompletionItemKind.Event,
    "file": types.CompletionItemKind.File,
    "folder": types.CompletionItemKind.Folder,
    "function": types.CompletionItemKind.Function,
    "key": types.CompletionItemKind.Property,
    "message": types.CompletionItemKind.Text,
    "namespace": types.CompletionItemKind.Module,
    "permission": types.CompletionItemKind.EnumMember,
    "placeholder": types.CompletionItemKind.Variable,
    "property": types.CompletionItemKind.Property,
    "rule": types.CompletionItemKind.Constant,
    "ruleset": types.CompletionItemKind.Reference,
    "value": types.CompletionItemKind.EnumMember,
}

_T = TypeVar("_T")


class Features:
    """Answers requests about positions in open documents."""

    def __init__(self, workspace: Workspace, capabilities: types.ClientCapabilities) -> None:
        self._workspace = workspace
        document = capabilities.text_document
        definition = None if document is None else document.definition
        self._has_links = definition is not None and bool(definition.link_support)

    async def _answer(self, uri: str, question: Callable[[Document, View], _T]) -> _T | None:
        """Returns the answer to a question about a document, or None if it is in no extension."""
        document = self._workspace.documents.of(uri)
        folder = None if document is None else next(self._workspace.with_file(document.path), None)
        if document is None or folder is None:
            return None

        def answer() -> _T | None:
            try:
                with folder.session.view(document.path) as view:
                    return None if view is None else question(document, view)
            except (Cancelled, UnreadableError):
                return None

        return await self._workspace.worker.submit(answer)

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """Returns the description of what is at a position."""
        from extlint.services.editor.hover import hover

        def question(document: Document, view: View) -> types.Hover | None:
            position = document.own(params.position)
            found = hover(view.package, view.settings, view.path, document.text, position)
            if found is None:
                return None
            content = types.MarkupContent(types.MarkupKind.Markdown, found.markdown)
            return types.Hover(content, document.range(found.start, found.end))

        return await self._answer(params.text_document.uri, question)

    async def complete(self, params: types.CompletionParams) -> types.CompletionList | None:
        """Returns what may be at a position."""
        from extlint.services.editor.completion import completions
        from extlint.services.editor.name_completion import name_completions

        def question(document: Document, view: View) -> types.CompletionList:
            position = document.own(params.position)
            arguments = view.package, view.settings, view.path, document.text, position
            found = [*completions(*arguments), *name_completions(*arguments)]
            items = [
                types.CompletionItem(
                    each.label,
                    kind=_KINDS.get(each.kind, types.CompletionItemKind.Text),
                    tags=[types.CompletionItemTag.Deprecated] if each.deprecated else None,
                    detail=each.detail or None,
                    documentation=_markdown(each.documentation),
                    sort_text=each.sort or None,
                    text_edit=types.TextEdit(document.range(each.start, each.end), each.insert),
                )
                for each in found
            ]
            return types.CompletionList(any(each.kind == "folder" for each in found), items)

        return await self._answer(params.text_document.uri, question)

    async def define(
        self, params: types.DefinitionParams
    ) -> Sequence[types.LocationLink] | Sequence[types.Location] | None:
        """Returns the file, or the entry of a file, that a name leads to."""
        from extlint.services.editor.definitions import definitions

        def question(
            document: Document, view: View
        ) -> Sequence[types.LocationLink] | Sequence[types.Location]:
            position = document.own(params.position)
            found = definitions(view.package, view.settings, view.path, document.text, position)
            places = [(_file(view, each.path), each) for each in found]
            ranges = [(path, self._text(view, path).range(*each.span), each) for path, each in places]
            uri = self._workspace.documents.uri
            if not self._has_links:
                return [types.Location(uri(path), place) for path, place, _ in ranges]
            return [
                types.LocationLink(uri(path), place, place, document.range(*each.origin))
                for path, place, each in ranges
            ]

        return await self._answer(params.text_document.uri, question)

    async def links(self, params: types.DocumentLinkParams) -> Sequence[types.DocumentLink] | None:
        """Returns the files that a document names."""
        from extlint.services.editor.definitions import links

        def question(document: Document, view: View) -> Sequence[types.DocumentLink]:
            uri = self._workspace.documents.uri
            return [
                types.DocumentLink(
                    document.range(*each.span), uri(_file(view, each.path)), each.tooltip or None
                )
                for each in links(view.package, view.settings, view.path, document.text)
            ]

        return await self._answer(params.text_document.uri, question)

    async def lenses(self, params: types.CodeLensParams) -> Sequence[types.CodeLens] | None:
        """Returns the number of uses of each permission in a manifest."""
        from extlint.services.editor.lenses import lenses

        uri = params.text_document.uri

        def location(view: View, path: str, span: Span) -> types.Location:
            file = _file(view, path)
            return types.Location(self._workspace.documents.uri(file), self._text(view, file).range(*span))

        def question(document: Document, view: View) -> Sequence[types.CodeLens]:
            found = []
            for each in lenses(view.package, view.settings, view.path, document.text, view.store):
                place = document.range(*each.span)
                uses = [location(view, use.path, use.span) for use in each.uses]
                command = types.Command(each.title, SHOW_USES, arguments=[uri, place.start, uses])
                found.append(types.CodeLens(place, command))
            return found

        return await self._answer(uri, question)

    def _text(self, view: View, file: str) -> Text:
        """Returns the text of a file of the extension."""
        document = self._workspace.documents.at(file)
        if document is not None:
            return document
        path = next((each for each in view.package.paths if _file(view, each) == file), view.path)
        try:
            data = view.package.peek(path)
        except (KeyError, UnreadableError):
            data = b""
        return Text.of_file(data, self._workspace.documents.encoding)


def _file(view: View, path: str) -> str:
    return os.path.abspath(path_below(view.package.name, path))


def _markdown(text: str) -> types.MarkupContent | None:
    return types.MarkupContent(types.MarkupKind.Markdown, text) if text else None
