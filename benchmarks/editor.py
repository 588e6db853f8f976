"""Measures the latency of the language server: from an edit to the end of the check that it causes.

`python benchmarks/editor.py [FILES...]` generates extensions with so many modules, each with 36 uses of the
API, and edits them as an editor does; no text occurs twice. Each line has the median and the 95th percentile
in milliseconds, and the memory of the server. It requires Linux, for the memory.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Any

USES = 36
EDITS = 40
MANY_EDITS = 1000

CALLS = (
    "chrome.tabs.query({active: true, currentWindow: true}, () => {});",
    "chrome.storage.local.get('key', (items) => show(items));",
    "chrome.runtime.sendMessage({kind: 'a'}, () => void chrome.runtime.lastError);",
    "chrome.alarms.create('later', {periodInMinutes: 5});",
    "chrome.action.setBadgeText({text: '1'});",
    "chrome.tabs.create({url: 'https://example.com/'});",
)


def module(number: int, mistake: bool = False) -> str:
    """Returns a module that uses the API, and exports a function. A mistake is one misspelled name."""
    lines = ["import {show} from './common.js';", f"export function run{number}(value) {{"]
    lines += [f"  {CALLS[each % len(CALLS)]}" for each in range(USES)]
    lines += ["  chrome.tabs.qurey({});"] if mistake else ["  show(value);"]
    return "\n".join([*lines, "}", ""])


def common(mistake: bool = False) -> str:
    """Returns the module that all others import."""
    return (
        "export function show(value) {\n  "
        + ("chrome.tabs.qurey({});" if mistake else "return value;")
        + "\n}\n"
    )


def manifest(mistake: bool = False, number: int = 0) -> str:
    permissions = ["tabs", "storage", "alarms"]
    return json.dumps(
        {
            "manifest_version": 3,
            "name": "Example",
            "version": f"1.{number}",
            "permissions": permissions[:1] if mistake else permissions,
            "background": {"service_worker": "main.js", "type": "module"},
            "action": {},
        },
        indent=2,
    )


def generate(folder: Path, files: int) -> None:
    """Writes an extension with so many files."""
    names = range(files - 3)
    imports = [f"import {{run{each}}} from './m{each}.js';" for each in names]
    calls = [f"  run{each}(tab);" for each in names]
    main = [*imports, "chrome.action.onClicked.addListener((tab) => {", *calls, "});", ""]
    (folder / "main.js").write_text("\n".join(main))
    (folder / "common.js").write_text(common())
    (folder / "manifest.json").write_text(manifest())
    for each in names:
        (folder / f"m{each}.js").write_text(module(each))


class Editor:
    """A client that waits for the diagnostics of one version of a file."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, "-m", "extlint", "lsp"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._writing: IO[bytes] = self.process.stdin
        self._reading: IO[bytes] = self.process.stdout
        self._version = 1
        params: dict[str, Any] = {
            "processId": None,
            "rootUri": root.as_uri(),
            "trace": "messages",
            "capabilities": {},
        }
        self.send(id=0, method="initialize", params=params)
        self.send(method="initialized", params={})

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._writing.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._writing.flush()

    def receive(self) -> dict[str, Any]:
        size = 0
        while line := self._reading.readline().strip():
            name, _, value = line.partition(b":")
            size = int(value) if name == b"Content-Length" else size
        found: dict[str, Any] = json.loads(self._reading.read(size))
        return found

    def checked(self) -> None:
        """Waits for the end of a check."""
        while "checked" not in self.receive().get("params", {}).get("message", ""):
            pass

    def open(self, path: Path) -> None:
        document = {"uri": path.as_uri(), "languageId": "javascript", "version": 1, "text": path.read_text()}
        self.send(method="textDocument/didOpen", params={"textDocument": document})

    def edit(self, path: Path, text: str) -> float:
        """Changes a file, and returns the seconds until its check ends."""
        self._version += 1
        document = {"uri": path.as_uri(), "version": self._version}
        begin = time.perf_counter()
        self.send(
            method="textDocument/didChange",
            params={"textDocument": document, "contentChanges": [{"text": text}]},
        )
        self.checked()
        return time.perf_counter() - begin

    def memory(self) -> float:
        """Returns the memory of the server, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def _new(text: str, number: int) -> str:
    """Returns a text that did not occur before."""
    return f"{text}// {number}\n"


def report(name: str, seconds: list[float], editor: Editor) -> None:
    found = sorted(1000 * each for each in seconds)
    high = found[min(len(found) - 1, round(0.95 * len(found)))]
    print(
        f"  {name:<28} {statistics.median(found):8.0f} {high:8.0f} ms {editor.memory():8.0f} MiB", flush=True
    )


def measure(files: int, many: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        generate(root, files)
        print(f"{files} files, {USES * (files - 3)} uses", flush=True)
        begin = time.perf_counter()
        editor = Editor(root)
        editor.checked()
        report("first check, with the start", [time.perf_counter() - begin], editor)
        numbers = range(EDITS)
        # Every other version has a mistake, but not the last, so each kind of edit begins without one.
        texts = {
            "leaf edit": (root / "m1.js", [_new(module(1, each % 2 == 0), each) for each in numbers]),
            "manifest edit": (root / "manifest.json", [manifest(each % 2 == 0, each) for each in numbers]),
            "edit of a common module": (
                root / "common.js",
                [_new(common(each % 2 == 0), each) for each in numbers],
            ),
            "unchanged": (root / "m3.js", [module(3)] * EDITS),
        }
        for path, _ in texts.values():
            editor.open(path)
            editor.checked()
        for what, (path, versions) in texts.items():
            seconds = [editor.edit(path, version) for version in versions]
            report(what, seconds, editor)
        path = root / "m1.js"
        for first in range(0, many, many // 4):
            numbers = range(first, first + many // 4)
            seconds = [editor.edit(path, _new(module(1), EDITS + each)) for each in numbers]
            report(f"edits {first + 1} to {first + many // 4}", seconds, editor)
        editor.end()


if __name__ == "__main__":
    for each in [int(each) for each in sys.argv[1:]] or [40, 500, 2000]:
        measure(each, MANY_EDITS)
