"""Generates sessions of `extlint lsp`: what an editor sends, and mutations of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from extlint_fuzz.case import FOLDER, MESSAGES, Case
from extlint_fuzz.generators.extensions import extension
from extlint_fuzz.generators.mutations import mutate_bytes

ROOT = "file:///ROOT"
"""The address of the folder that has the files of the case, in each message."""

TEXTS = (
    *(
        "",
        "\n",
        "\r\n",
        "\r",
        "\u2028",
        "chrome.",
        "browser.tabs.querry({ actve: 1 });\n",
        '"permissions": ["tab"],',
    ),
    *("// \U0001f600 \u00e9\n", "\ud83d", "\ude00", "{", "}", "(", "`", "/*", "\0", "\ufeff", "a" * 3_000),
    *("// extlint-disable-next-line unknown-api\n", "chrome.storage.locl.get('\U0001f600');"),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        0,
        -1,
        1.5,
        2**31,
        2**53,
        2**64,
        10**400,
        "",
        "a",
        "\ud800",
        "\0",
        [],
        {},
        [[]],
        {"a": None},
    ),
    *(
        "file:///",
        "file://%00",
        "file:///%ed%a0%80",
        "untitled:a",
        "http://other.example/a.js",
        ROOT,
        ":",
        "%",
    ),
    *(f"{ROOT}/ext/../ext/a.js", f"{ROOT}/ext/nothing.js", "x" * 10_000, "utf-8", "utf-32", "verbose", "off"),
)
METHODS = (
    *("textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/codeAction"),
    *(
        "textDocument/codeLens",
        "textDocument/documentLink",
        "textDocument/diagnostic",
        "workspace/diagnostic",
    ),
    *(
        "workspace/executeCommand",
        "workspace/symbol",
        "textDocument/rename",
        "$/setTrace",
        "$/progress",
        "$/nothing",
    ),
    *(
        "completionItem/resolve",
        "codeLens/resolve",
        "textDocument/willSave",
        "notebookDocument/didOpen",
        "exit",
    ),
    *(
        "shutdown",
        "initialize",
        "initialized",
        "no/suchMethod",
        "",
        "window/workDoneProgress/cancel",
        "__init__",
    ),
)
HEADS = (
    *(b"Content-Length: 5\r\n\r\n", b"Content-Length: 0\r\n\r\n", b"Content-Length: -1\r\n\r\n"),
    *(
        b"Content-Length: 999999\r\n\r\n",
        b"Content-Length: %s\r\n\r\n" % (b"9" * 30),
        b"Content-Length: a\r\n\r\n",
    ),
    *(
        b"Content-Length: 5\r\nContent-Length: 7\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"\r\n\r\n",
        b"\n",
        b"",
    ),
    *(
        b"Nonsense\r\n\r\n",
        b"Content-Type: a; charset=utf-16\r\nContent-Length: 2\r\n\r\n",
        b"\0",
        b"X" * 100_000,
    ),
)

Message = dict[str, Any]


def editor_session(chance: Random) -> Case:
    """Returns the messages of a session. Some are mutated, moved, repeated or left out.

    A file is the body of one message. The name of one that is sent without a header of its own ends with
    `.raw`.
    """
    files = dict(extension(chance).files)
    messages = [*_start(chance), *_Editor(chance, files).messages(chance.choice((5, 10, 30)))]
    for _ in range(chance.choice((0, 1, 2, 8))):
        messages = chance.choice((_moved, _repeated, _shortened, _with_other_value, _with_other_value))(
            chance, messages
        )
    bodies = [(json.dumps(each).encode(), "json") for each in messages]
    for _ in range(chance.choice((0, 0, 0, 1, 3))):
        at = chance.randrange(len(bodies))
        bodies[at] = (mutate_bytes(chance, bodies[at][0]), "json")
    if chance.random() < 0.2:
        at = chance.randrange(len(bodies) + 1)
        bodies.insert(at, (chance.choice(HEADS) + chance.choice((b"", b"{}", b"{not JSON")), "raw"))
    named = {f"{MESSAGES}/{number:03}.{kind}": body for number, (body, kind) in enumerate(bodies)}
    return Case({**files, **named}, (), "editor session", program="lsp")


def _message(method: str, params: Any, number: object = None) -> Message:
    message: Message = {"jsonrpc": "2.0", "method": method, "params": params}
    return message if number is None else {**message, "id": number}


def _start(chance: Random) -> Sequence[Message]:
    document: Message = {
        "publishDiagnostics": {"relatedInformation": True, "tagSupport": {"valueSet": [1, 2]}}
    }
    if chance.random() < 0.5:
        document["diagnostic"] = {}
    workspace = {
        "configuration": chance.random() < 0.5,
        "workspaceEdit": {"documentChanges": chance.random() < 0.5},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    }
    encodings = chance.sample(("utf-8", "utf-16", "utf-32", "other"), chance.randint(0, 3))
    params = {
        "processId": None,
        "rootUri": f"{ROOT}/ext",
        "workspaceFolders": [{"uri": f"{ROOT}/ext", "name": "ext"}],
        "initializationOptions": chance.choice((None, {}, {"targets": ["firefox"]})),
        "trace": chance.choice(("off", "messages", "verbose")),
        "capabilities": {
            "textDocument": document,
            "workspace": workspace,
            "window": {"workDoneProgress": chance.random() < 0.5},
            "general": {"positionEncodings": encodings},
        },
    }
    return [_message("initialize", params, 0), _message("initialized", {})]


class _Editor:
    """An editor that opens, changes and closes the files of an extension, and asks about them."""

    def __init__(self, chance: Random, files: Mapping[str, bytes]) -> None:
        self._chance = chance
        self._files = files
        self._versions: dict[str, int] = {}
        self._number = 0

    def messages(self, count: int) -> list[Message]:
        actions: Sequence[Callable[[str], Message]] = (
            *(self._change, self._change, self._change, self._ask, self._ask),
            *(self._look, self._close, self._save, self._command, self._other),
        )
        found = [self._open(path) for path in sorted(self._files)]
        return [
            *found,
            *(self._chance.choice(actions)(self._chance.choice(sorted(self._files))) for _ in range(count)),
        ]

    def _open(self, path: str) -> Message:
        self._versions[path] = 1
        text = self._files[path].decode("utf-8", "replace")
        item = {"uri": f"{ROOT}/{path}", "languageId": "javascript", "version": 1, "text": text}
        return _message("textDocument/didOpen", {"textDocument": item})

    def _change(self, path: str) -> Message:
        if path not in self._versions:
            return self._open(path)
        self._versions[path] += self._chance.choice((1, 1, 1, 1, 0, -5, 1000))
        changes = [self._edit() for _ in range(self._chance.choice((1, 1, 2, 5)))]
        item = {"uri": f"{ROOT}/{path}", "version": self._versions[path]}
        return _message("textDocument/didChange", {"textDocument": item, "contentChanges": changes})

    def _edit(self) -> Message:
        text = self._chance.choice(TEXTS)
        if self._chance.random() < 0.1:
            return {"text": text * self._chance.choice((1, 50))}
        return {"range": self._range(), "text": text}

    def _range(self) -> Message:
        start = self._position()
        if self._chance.random() < 0.1:
            return {"start": start, "end": self._position()}
        return {
            "start": start,
            "end": {**start, "character": start["character"] + self._chance.choice((0, 0, 1, 9))},
        }

    def _position(self) -> dict[str, int]:
        if self._chance.random() < 0.05:
            return {
                "line": self._chance.choice((10**6, 2**31 - 1)),
                "character": self._chance.choice((0, 2**31 - 1)),
            }
        return {"line": self._chance.randrange(12), "character": self._chance.randrange(60)}

    def _request(self, method: str, params: Any) -> Message:
        self._number += 1
        return _message(method, params, self._chance.choice((self._number, f"r{self._number}")))

    def _ask(self, path: str) -> Message:
        document = {"textDocument": {"uri": f"{ROOT}/{path}"}}
        method = self._chance.choice(METHODS[:7])
        params: Message = {**document, "position": self._position()}
        if method == "textDocument/codeAction":
            only = self._chance.choice(([], ["quickfix"], ["source.fixAll"], [""]))
            params = {**document, "range": self._range(), "context": {"diagnostics": [], "only": only}}
        return self._request(method, params)

    def _look(self, path: str) -> Message:
        return self._request(
            "workspace/diagnostic", {"previousResultIds": [{"uri": f"{ROOT}/{path}", "value": "1"}]}
        )

    def _close(self, path: str) -> Message:
        self._versions.pop(path, None)
        return _message("textDocument/didClose", {"textDocument": {"uri": f"{ROOT}/{path}"}})

    def _save(self, path: str) -> Message:
        if self._chance.random() < 0.5:
            return _message("textDocument/didSave", {"textDocument": {"uri": f"{ROOT}/{path}"}})
        change = {"uri": f"{ROOT}/{path}", "type": self._chance.choice((1, 2, 3))}
        return _message("workspace/didChangeWatchedFiles", {"changes": [change]})

    def _command(self, path: str) -> Message:
        uri, place = f"{ROOT}/{path}", self._position()
        arguments = self._chance.choice(
            ([uri], [uri, place, [{"uri": uri, "range": self._range()}]], [], [3], [uri, 1, 2])
        )
        name = self._chance.choice(("extlint.fixAll", "extlint.showUses", "extlint.nothing"))
        return self._request("workspace/executeCommand", {"command": name, "arguments": arguments})

    def _other(self, path: str) -> Message:
        number = self._chance.choice((self._number, f"r{self._number}", 10**9, None))
        folder = {"uri": f"{ROOT}/{FOLDER}", "name": path}
        folders = {
            "added": self._chance.choice(([folder], [])),
            "removed": self._chance.choice(([folder], [])),
        }
        settings = self._chance.choice(
            ({"targets": ["firefox"]}, {"extlint": {"targets": ["opera"]}}, {"select": 3}, None)
        )
        return self._chance.choice(
            (
                _message("$/cancelRequest", {"id": number}),
                _message("$/setTrace", {"value": self._chance.choice(("off", "verbose", "other"))}),
                _message("workspace/didChangeConfiguration", {"settings": settings}),
                _message("workspace/didChangeWorkspaceFolders", {"event": folders}),
                self._request(self._chance.choice(METHODS), self._chance.choice((None, {}, [], [1]))),
                {"jsonrpc": "2.0", "id": self._chance.choice((1, "a", None)), "result": None},
                {"jsonrpc": "2.0", "id": self._number, "error": {"code": -1, "message": "a"}},
            )
        )


def _moved(chance: Random, messages: list[Message]) -> list[Message]:
    found = list(messages)
    message = found.pop(chance.randrange(len(found)))
    found.insert(chance.randrange(len(found) + 1), message)
    return found


def _repeated(chance: Random, messages: list[Message]) -> list[Message]:
    at = chance.randrange(len(messages))
    return [*messages[:at], messages[at], *messages[at:]]


def _shortened(chance: Random, messages: list[Message]) -> list[Message]:
    at = chance.randrange(len(messages))
    return [*messages[:at], *messages[at + 1 :]] if len(messages) > 1 else messages


def _with_other_value(chance: Random, messages: list[Message]) -> list[Message]:
    """Returns the messages. In one of them, a value is replaced or removed."""
    at = chance.randrange(len(messages))
    message = json.loads(json.dumps(messages[at]))
    places = list(_places(message))
    holder, key = chance.choice(places)
    if chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = chance.choice(VALUES)
    return [*messages[:at], message, *messages[at + 1 :]]


def _places(value: Any) -> Sequence[tuple[Any, Any]]:
    """Returns the members of a value, and those within them, each as its container and its key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *_places(value[key]))]
