"""A client of the DevTools protocol for Chromium: JSON messages that end with a zero byte."""

from __future__ import annotations

import json
import os
import select
import time
from typing import Any, TypeAlias

from extlint_judge.browsers.processes import BrowserError

Message: TypeAlias = dict[str, Any]


class Connection:
    """Two pipes to Chromium. `timeout` is in seconds, for each response."""

    def __init__(self, reading: int, writing: int, timeout: float = 60) -> None:
        self._reading = reading
        self._writing = writing
        self._timeout = timeout
        self._number = 0
        self._buffer = b""
        self.events: list[Message] = []

    def send(self, method: str, session: str | None = None, **parameters: Any) -> Message:
        """Sends a command and returns the response. Raises BrowserError if it fails or times out."""
        self._number += 1
        message: Message = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self._timeout
        while (answer := self._next(end)) is not None:
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error'].get('message')}")
                result: Message = answer["result"]
                return result
            if "method" in answer:
                self.events.append(answer)
        raise BrowserError(f"{method}: Chromium does not answer")

    def evaluate(
        self, session: str, source: str, context: int | None = None, *, gesture: bool = False
    ) -> Any:
        """Returns the value of an expression in a target, awaiting promises.

        Raises BrowserError if it throws.
        """
        where = {} if context is None else {"contextId": context}
        result = self.send(
            "Runtime.evaluate",
            session,
            expression=source,
            returnByValue=True,
            awaitPromise=True,
            userGesture=gesture,
            **where,
        )
        if "exceptionDetails" in result:
            thrown = result["exceptionDetails"]
            raise BrowserError(thrown.get("exception", {}).get("description", thrown.get("text", "")))
        return result["result"].get("value")

    def _next(self, end: float) -> Message | None:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._reading], [], [], max(0.0, end - time.monotonic()))
            data = os.read(self._reading, 1 << 20) if ready else b""
            if not data:
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: Message = json.loads(line)
        return message
