"""Receives the bodies of requests into files without names, as far as the limits allow."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from typing import IO, Any
from urllib.parse import unquote

from msgspec import Struct
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.types import Receive

from extlint.services.serve.answers import ProblemError
from extlint.services.serve.settings import MAX_IDLE_SECONDS, MAX_SECONDS_OF_BODY, MAX_UPLOADS

MAX_FORM_FIELDS = 8
"""Fields of a form."""

MAX_FIELD_BYTES = 16_384
"""Bytes of a field of a form that is not a file."""

MAX_NAME_LENGTH = 200
"""Characters of the name of an upload."""

MAX_FORM_OVERHEAD = 65_536
"""Bytes of a form besides its files."""

_FORM = "multipart/form-data"
_FILE_FIELDS = ("package", "against")


class ClientGoneError(Exception):
    """The client has closed the connection."""


class Received(Struct):
    """A body: the files in it by field, each with its name."""

    files: dict[str, tuple[str, IO[bytes]]]

    def close(self) -> None:
        """Removes the files."""
        for _, file in self.files.values():
            file.close()


class Bodies:
    """Receives bodies, some at a time."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.count = 0

    async def receive(self, headers: Mapping[str, str], receive: Receive) -> Received:
        """Returns the files of a request. Raises ProblemError, and ClientGoneError."""
        encoding = headers.get("content-encoding", "identity").lower()
        if encoding != "identity":
            raise ProblemError("unsupported-type", f"the body has the encoding {encoding}; send it as it is")
        if self.count >= MAX_UPLOADS:
            raise ProblemError(
                "queue-full",
                f"{self.count} packages are being received; try again later",
                "uploads",
                {"Retry-After": "2"},
            )
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        most = self._max_bytes if kind != _FORM else 2 * self._max_bytes + MAX_FORM_OVERHEAD
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            raise self._too_large()
        self.count += 1
        try:
            parts = self._parts(receive, most)
            if kind == _FORM:
                return await self._form(headers, parts)
            return await self._plain(headers, kind, parts)
        except OSError:
            raise ProblemError("no-space", "the package cannot be stored", "disk") from None
        finally:
            self.count -= 1

    def _too_large(self) -> ProblemError:
        return ProblemError("too-large", f"a package has at most {self._max_bytes} bytes", "upload")

    async def _parts(self, receive: Receive, most: int) -> AsyncGenerator[bytes, None]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + MAX_SECONDS_OF_BODY
        left = most
        while True:
            try:
                async with asyncio.timeout_at(min(loop.time() + MAX_IDLE_SECONDS, deadline)):
                    message = await receive()
            except TimeoutError:
                raise ProblemError(
                    "slow-client",
                    f"the body must arrive within {MAX_SECONDS_OF_BODY} seconds, and each part of it within "
                    f"{MAX_IDLE_SECONDS}",
                    "time",
                ) from None
            if message["type"] == "http.disconnect":
                raise ClientGoneError
            part = message.get("body", b"")
            left -= len(part)
            if left < 0:
                raise self._too_large()
            yield part
            if not message.get("more_body", False):
                return

    async def _plain(
        self, headers: Mapping[str, str], kind: str, parts: AsyncGenerator[bytes, None]
    ) -> Received:
        name = _safe_name(unquote(headers.get("x-filename", "")))
        if not name and kind in ("application/json", "text/json"):
            name = "manifest.json"
        file = tempfile.TemporaryFile(prefix="extlint-serve-")  # noqa: SIM115
        try:
            async for part in parts:
                file.write(part)
            file.flush()
        except BaseException:
            with suppress(OSError):  # what could not be written is written again
                file.close()
            raise
        return Received({"package": (name, file)})

    async def _form(self, headers: Mapping[str, str], parts: AsyncGenerator[bytes, None]) -> Received:
        parser = MultiPartParser(
            Headers(headers), parts, max_files=2, max_fields=MAX_FORM_FIELDS, max_part_size=MAX_FIELD_BYTES
        )
        try:
            form = await parser.parse()
        except (MultiPartException, KeyError, ValueError) as error:
            text = error.message if isinstance(error, MultiPartException) else "it is malformed"
            raise ProblemError("invalid-request", f"the form cannot be read: {text}") from None
        received = Received({})
        try:
            for field, value in form.multi_items():
                self._add(received, field, value)
        except BaseException:
            received.close()
            raise
        finally:
            await form.close()
        if "package" not in received.files:
            raise ProblemError("invalid-request", "the form has no file in the field package")
        return received

    def _add(self, received: Received, field: str, value: Any) -> None:
        if not isinstance(value, UploadFile) or field not in _FILE_FIELDS:
            raise ProblemError(
                "invalid-request", "a form has the files package and against, and nothing else"
            )
        if field in received.files:
            raise ProblemError("invalid-request", f"the form has several files in the field {field}")
        if (value.size or 0) > self._max_bytes:
            raise self._too_large()
        spooled: Any = value.file
        spooled.rollover()
        spooled.flush()
        copy = os.fdopen(os.dup(spooled.fileno()), "rb")
        received.files[field] = (_safe_name(value.filename or ""), copy)


def _safe_name(name: str) -> str:
    """Returns the last part of a path, without characters that are not visible."""
    last = name.replace("\\", "/").rpartition("/")[2]
    return "".join(each for each in last if each.isprintable())[-MAX_NAME_LENGTH:].lstrip(".")
