"""After any edits, the diagnostics are the findings of `extlint check` for the same text.

`python tests/test_lsp_random_edits.py 1000` compares them after each of that many edits.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from language_client import PULLING, Client, language_server, run
from lsprotocol import types
from lsprotocol.converters import get_converter

import extlint

EXAMPLE = Path(__file__).parent.parent / "examples" / "every-mistake"
EDITS = 80
COMPARED = 10
"""One edit in this number is compared, as a check of the files on the disk takes longer."""

PIECES = (
    "\n",
    "\r\n",
    "// 😀 é\n",
    "chrome.tabs.create({url: 3});\n",
    "browser.storage.locl.get();\n",
    '"permissions": ["tabs"],\n',
    "{",
    "}",
    "(",
    '"',
    "`",
    "/*",
    "\u2028",
    "\t",
    "extlint-disable-next-line unknown-api",
)
SUFFIXES = (".js", ".json", ".html", ".css", ".scss")
SEVERITIES = {"error": 1, "warning": 2, "info": 3}


def position(text: str, place: dict[str, int]) -> dict[str, int]:
    """Returns the position of the protocol, in UTF-16 code units, for one of the JSON output."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    line = lines[place["line"] - 1] if place["line"] <= len(lines) else ""
    before = line[: place["column"] - 1]
    return {"line": place["line"] - 1, "character": len(before.encode("utf-16-le")) // 2}


def expected(root: Path, texts: dict[str, str]) -> list[Any]:
    """Returns the diagnostics for the findings of a check of the files on the disk."""

    def place(path: str, one: dict[str, Any]) -> dict[str, Any]:
        return {"start": position(texts[path], one["start"]), "end": position(texts[path], one["end"])}

    found = []
    for each in extlint.check(root).to_dict()["findings"]:
        diagnostic = {
            "range": place(each["path"], each),
            "message": each["message"] + ("" if each["help"] is None else f"\nhelp: {each['help']}"),
            "severity": SEVERITIES[each["severity"]],
            "code": each["rule"],
            "codeDescription": {"href": each["url"]},
            "source": "extlint",
        }
        if each["related"]:
            diagnostic["relatedInformation"] = [
                {
                    "location": {"uri": (root / one["path"]).as_uri(), "range": place(one["path"], one)},
                    "message": one["message"],
                }
                for one in each["related"]
            ]
        found.append((each["path"], diagnostic))
    return found


async def shown(client: Client, root: Path, texts: dict[str, str]) -> list[Any]:
    """Returns the diagnostics of all files, sorted as in the JSON."""
    converter = get_converter()
    found = []
    for path in sorted(texts):
        found += [(path, converter.unstructure(each)) for each in await client.pull(root / path)]
    return found


def as_text(found: list[Any]) -> str:
    return json.dumps(found, sort_keys=True, indent=1)


def offset(text: str, place: dict[str, int]) -> int:
    lines = text.replace("\r\n", " \n").replace("\r", "\n").split("\n")
    line = lines[place["line"]]
    units = line.encode("utf-16-le")[: 2 * place["character"]]
    return sum(len(each) + 1 for each in lines[: place["line"]]) + len(units.decode("utf-16-le"))


def some_edit(choose: random.Random, text: str) -> tuple[types.TextDocumentContentChangePartial, str]:
    """Returns a change of a text, and the new text."""
    start = choose.randrange(len(text) + 1)
    end = min(len(text), start + choose.choice((0, 0, 0, 1, 3, 20, 200)))
    if text[start - 1 : start + 1] == "\r\n":  # No editor has a position between these.
        start -= 1
    if text[end - 1 : end + 1] == "\r\n":
        end += 1
    new = choose.choice(PIECES) if choose.random() < 0.8 else text[start:end] * 2

    def place(at: int) -> types.Position:
        before = text[:at].replace("\r\n", " \n").replace("\r", "\n").split("\n")
        return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)

    change = types.TextDocumentContentChangePartial(types.Range(place(start), place(end)), new)
    return change, text[:start] + new + text[end:]


def compare(root: Path, edits: int, every: int, seed: int) -> int:
    """Edits files at random, and compares. Returns the number of diagnostics compared."""
    choose = random.Random(seed)
    files = sorted(each for each in root.rglob("*") if each.suffix in SUFFIXES)
    original = {each.relative_to(root).as_posix(): each.read_bytes().decode() for each in files}
    texts = dict(original)
    count = 0

    async def test() -> None:
        nonlocal count
        async with language_server(root, capabilities=PULLING) as client:
            for path, text in texts.items():
                client.open(root / path, text)
            for number in range(1, edits + 1):
                path = choose.choice(sorted(texts))
                if choose.random() < 0.1:
                    text = original[path]
                    client.change(root / path, number + 1, text)
                else:
                    change, text = some_edit(choose, texts[path])
                    client.change(root / path, number + 1, change)
                texts[path] = text
                (root / path).write_bytes(text.encode())
                if number % every == 0:
                    wanted = expected(root, texts)
                    count += len(wanted)
                    assert as_text(await shown(client, root, texts)) == as_text(wanted), f"edit {number}"

    run(test())
    return count


def test_diagnostics_equal_the_findings_of_a_check(tmp_path: Path) -> None:
    root = tmp_path / "a"
    shutil.copytree(EXAMPLE, root)
    assert compare(root, EDITS, COMPARED, seed=1) > EDITS // COMPARED


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder).resolve() / "a"
        shutil.copytree(EXAMPLE, copy)
        print(compare(copy, int(sys.argv[1]), 1, seed=int((sys.argv[2:] or ["1"])[0])), "diagnostics equal")  # noqa: T201
