"""A folder of the workspace, and what its last check found."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from extlint.checking.report_of import reporting_progress
from extlint.linting.configuration.usage_error import UsageError
from extlint.package.failures import describe_error
from extlint.package.files import MANIFEST
from extlint.package.paths import is_in, with_parents
from extlint.services.api.session import Cancelled
from extlint.services.lsp.diagnostics import Abilities, Found, Texts, diagnostics_of
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
