"""The folders of the workspace, and the documents that are open in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lsprotocol import types

from extlint.linting.configuration.usage_error import UsageError
from extlint.package.paths import is_in
from extlint.services.lsp.diagnostics import Abilities
from extlint.services.lsp.documents import Document, Documents
from extlint.services.lsp.folder import CheckedFolder, Listener, nearest_extension
from extlint.services.lsp.settings import Settings
from extlint.services.lsp.worker import Worker


class Workspace:
    """Keeps the folders that are checked.

    These are the folders of the workspace. A document outside of them opens the folder of its extension until
    it is closed. `complain` receives a sentence for the user.
    """

    def __init__(self, listener: Listener, complain: Callable[[str], None]) -> None:
        self.documents = Documents()
        self.worker = Worker()
        self.abilities = Abilities()
        self._listener = listener
        self._complain = complain
        self._folders: dict[str, CheckedFolder] = {}
        self._own: set[str] = set()
        self._settings: dict[str, Settings] = {}

    @property
    def folders(self) -> Sequence[CheckedFolder]:
        """The folders that are checked."""
        return tuple(self._folders.values())

    def configure(self, paths: Iterable[str], settings_of: Callable[[str], Settings]) -> None:
        """Makes these the folders of the workspace. Checks those that are new, or that have new settings."""
        wanted = dict.fromkeys(paths)
        self._own = set(wanted)
        for document in self.documents.all():
            wanted.update(dict.fromkeys(self._required_folder(document)))
        for path in [each for each in self._folders if each not in wanted]:
            self._remove(path)
        for path in wanted:
            settings = settings_of(path)
            if self._settings.get(path) != settings:
                self._remove(path)
                self._add(path, settings)

    def open(self, document: Document, settings: Settings) -> None:
        """Makes an open document part of the checks.

        `settings` are those for a folder outside of the workspace.
        """
        for path in self._required_folder(document):
            if path not in self._folders:
                self._add(path, settings)
                return
        self.update(document)

    def update(self, document: Document) -> None:
        """Uses the new text of a document."""
        for folder in self.with_file(document.path):
            folder.set_text(document.path, document.data)
            folder.check(first=True)

    def close(self, path: str) -> None:
        """Uses the text of a file on the disk again, as its document was closed."""
        for folder in self.with_file(path):
            folder.set_text(path, None)
            folder.check()
        required = {each for document in self.documents.all() for each in self._required_folder(document)}
        for extra in [each for each in self._folders if each not in self._own and each not in required]:
            self._remove(extra)

    def with_file(self, path: str) -> Iterator[CheckedFolder]:
        """Yields the folders with a file, the innermost first."""
        yield from sorted((each for each in self.folders if each.has(path)), key=lambda each: -len(each.path))

    def shut_down(self) -> None:
        """Ends all work."""
        for folder in self.folders:
            folder.close()
        self._folders.clear()
        self.worker.close()

    def _required_folder(self, document: Document) -> Iterator[str]:
        """Yields the folder outside of the workspace that a document requires, if any."""
        if not any(is_in(document.path, each) for each in self._own):
            found = nearest_extension(document.path)
            if found is not None:
                yield found

    def _add(self, path: str, settings: Settings) -> None:
        self._settings[path] = settings
        if not settings.enable:
            return
        try:
            folder = CheckedFolder(
                path, settings, self.worker, self.abilities, self.documents.encoding, self._listener
            )
        except UsageError as error:
            self._complain(f"cannot check {path}: {error}")
            return
        self._folders[path] = folder
        for document in self.documents.all():
            if folder.has(document.path):
                folder.set_text(document.path, document.data)
        folder.check()

    def _remove(self, path: str) -> None:
        self._settings.pop(path, None)
        folder = self._folders.pop(path, None)
        if folder is not None:
            folder.close()
            self._listener.checked(folder)

    def diagnostics(self) -> Mapping[str, Sequence[types.Diagnostic]]:
        """Returns all diagnostics by the absolute path of their file. Folders in one another share theirs."""
        found: dict[str, list[types.Diagnostic]] = {}
        for folder in self.folders:
            if folder.last is None:
                continue
            for path, each in folder.last.found.items():
                found.setdefault(path, []).extend(one.diagnostic for one in each)
        return {path: _distinct(each) if len(self._folders) > 1 else each for path, each in found.items()}


def _distinct(diagnostics: Sequence[types.Diagnostic]) -> Sequence[types.Diagnostic]:
    found: list[types.Diagnostic] = []
    for each in diagnostics:
        if each not in found:
            found.append(each)
    return found
