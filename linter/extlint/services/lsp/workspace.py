"""The folders of the workspace, what their last checks found, and the documents that are open in them."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lsprotocol import types
from msgspec import Struct

from extlint.checking.report_of import reporting_progress
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.disk import is_in, with_parents
from extlint.package.failures import describe_error
from extlint.package.files import MANIFEST
from extlint.services.api.session import Cancelled
from extlint.services.lsp.diagnostics import Abilities, Found, Texts, diagnostics_of
from extlint.services.lsp.documents import Document, Documents
from extlint.services.lsp.session import EditorSession
from extlint.services.lsp.settings import Settings
from extlint.services.lsp.worker import Job, Worker, call_in

_logger = logging.getLogger(__name__)


class Checked(Struct, frozen=True):
    """The result of a check: the revision of the folder, and the diagnostics by the path of their file."""

    revision: int
    found: Mapping[str, Sequence[Found]]
    texts: Texts
    complaints: Sequence[str]
    seconds: float


class Listener(Struct, frozen=True):
    """Functions that are called about a check, in the thread of the event loop."""

    started: Callable[[CheckedFolder], None]
    progressed: Callable[[str], None]
    ended: Callable[[], None]
    checked: Callable[[CheckedFolder], None]


class CheckedFolder:
    """A folder of the workspace, which is checked in the thread of a worker.

    Except for the check itself, everything happens in the thread of the event loop. `path` is absolute.
    """

    def __init__(
        self,
        path: str,
        settings: Settings,
        worker: Worker,
        abilities: Abilities,
        encoding: str,
        listener: Listener,
    ) -> None:
        """Raises UsageError for settings with options that are not valid."""
        self.path = path
        self.last: Checked | None = None
        self._loop = asyncio.get_running_loop()
        self._worker = worker
        self._abilities = abilities
        self._encoding = encoding
        self._listener = listener
        self._session = EditorSession(path, **settings.options(path))
        self._job = Job(self._check, self._session.cancel)
        self._revision = 0
        self._waiting: list[asyncio.Future[Checked]] = []

    def has(self, path: str) -> bool:
        """Whether a file is in the folder."""
        return is_in(path, self.path)

    def set_text(self, path: str, text: bytes | None) -> None:
        """Replaces the text of a file, or, with None, uses that on the disk again."""
        if text is None:
            self._session.remove_text(path)
        else:
            self._session.set_text(path, text)

    def check(self, *, first: bool = False) -> None:
        """Requests a check, as something has changed."""
        self._revision += 1
        self._worker.schedule(self._job, first=first)

    async def current(self) -> Checked:
        """Returns the result of a check of the current state, once there is one."""
        if self.last is not None and self.last.revision == self._revision:
            return self.last
        future: asyncio.Future[Checked] = self._loop.create_future()
        self._waiting.append(future)
        return await future

    @property
    def session(self) -> EditorSession:
        """The session, for requests to the worker."""
        return self._session

    def close(self) -> None:
        """Ends all work on the folder. Those who wait for a check are cancelled."""
        self._worker.drop(self._job)
        for each in self._waiting:
            each.cancel()
        self._waiting.clear()
        self._worker.submit(self._session.close)

    def _check(self) -> None:
        revision = self._revision
        self._call(self._listener.started, self)
        begin = time.perf_counter()
        complaints: list[str] = []
        found: Mapping[str, Sequence[Found]] = {}
        texts = Texts({}, self._encoding)
        try:
            with reporting_progress(lambda what, _: self._call(self._listener.progressed, what)):
                report, unsaved = self._session.check_texts()
            texts = Texts(unsaved, self._encoding)
            found = diagnostics_of(report, texts, self._abilities, complaints.append)
        except UsageError as error:
            complaints.append(str(error))
        except MemoryError:
            complaints.append("not enough memory for a check; raise the limit of the server, or end others")
        except Cancelled:
            raise
        except Exception as error:  # those who wait for the check get an answer
            _logger.exception("internal error")
            complaints.append(f"internal error: {describe_error(error)}")
        finally:
            self._call(self._listener.ended)
        seconds = time.perf_counter() - begin
        self._call(self._accept, Checked(revision, found, texts, complaints, seconds))

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        call_in(self._loop, function, *arguments)

    def _accept(self, checked: Checked) -> None:
        """Accepts a result, unless something has changed since: then the next check is already requested."""
        if checked.revision != self._revision:
            return
        self.last = checked
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(checked)
        self._listener.checked(self)


def nearest_extension(path: str) -> str | None:
    """Returns the nearest folder above a file that has a manifest, for a file outside of the workspace."""
    above = with_parents(os.path.dirname(path))
    return next((each for each in above if os.path.isfile(os.path.join(each, MANIFEST))), None)


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
