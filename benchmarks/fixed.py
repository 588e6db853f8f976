"""Checks that `--fix` fixes mistakes and nothing else: `python benchmarks/fixed.py EXTENSION...`.

Copies each extension, applies all fixes, plants mistakes based on the text of its manifest and scripts, all
at once, and fixes it again. Each planted mistake must then be reverted, every other byte and file unchanged,
and a third run must change nothing. Prints, for each kind, the number of mistakes that were fixed, left (no
finding there, as in dead code), and changed differently.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from extlint.cli.main import main as extlint
from extlint.text.json.reader import read_json
from extlint.text.json.values import JsonNode

MAX_SCRIPT_BYTES = 200_000
MAX_CALLS = 4
"""The maximum number of mistakes in the scripts of one extension."""

_SCRIPTS = (".js", ".mjs", ".ts")
_IGNORED = shutil.ignore_patterns(".git", "node_modules")
_CALL = re.compile(rb"\b(?:chrome|browser)\.(?:tabs|runtime|storage\.local|windows|alarms)\.([a-z]\w{4,})\(")
_KEY = re.compile(rb"\b(?:chrome|browser)\.tabs\.query\(\s*\{\s*(active|currentWindow|highlighted)\b")
_KEYS = ("web_accessible_resources", "options_ui", "homepage_url", "description", "icons")
"""Keys without other mistakes inside, because a mistake in a misspelled key is only found after the key
is fixed.
"""


class Planted(Struct, frozen=True):
    """A mistake: the bytes from `start` up to `end` of a file become `text`."""

    kind: str
    path: str
    start: int
    end: int
    text: bytes


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("extension", nargs="+", help="a folder with a manifest.json")
    counts: Counter[tuple[str, str]] = Counter()
    tried, unclean = 0, []
    for folder in map(Path, parser.parse_args().extension):
        with TemporaryDirectory() as place:
            copy = Path(place) / "extension"
            shutil.copytree(folder, copy, ignore=_IGNORED, ignore_dangling_symlinks=True)
            fix(copy)
            before = contents(copy)
            if before.get("manifest.json") is None or not (mistakes := plan_mistakes(before)):
                print(f"{folder}: nothing to plant")
                continue
            tried += 1
            plant(copy, before, mistakes)
            outcome = fix(copy)
            found, is_clean = judge(before, contents(copy), mistakes)
            after = contents(copy)
            fix(copy)
            if not is_clean or contents(copy) != after:
                unclean.append(str(folder))
            counts.update(found)
            verdicts = ", ".join(f"{kind} {verdict}" for kind, verdict in found)
            print(f"{folder}: {outcome}; {verdicts}{'' if is_clean else '; OTHER LINES CHANGED'}", flush=True)
    for kind in sorted({kind for kind, _ in counts}):
        summary = ", ".join(
            f"{counts[kind, each]} {each}" for each in ("mended", "left", "changed otherwise")
        )
        print(f"{kind:28} {summary}")
    print(f"{tried} extensions; not clean, or changed again: {', '.join(unclean) or 'none'}")


def fix(folder: Path) -> str:
    """Runs extlint on an extension, and returns its closing line about fixes."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        extlint(["check", str(folder), "--fix", "--output-format", "concise", "--no-cache"])
    found = re.findall(r"^(?:fixed|\d+ can be fixed).*$", out.getvalue(), re.MULTILINE)
    return found[0] if found else "fixed nothing"


def contents(folder: Path) -> Mapping[str, bytes]:
    """Returns the files of a folder."""
    files = (each for each in sorted(folder.rglob("*")) if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


def plan_mistakes(files: Mapping[str, bytes]) -> Sequence[Planted]:
    """Returns the mistakes to plant, at most one per line."""
    planned: dict[tuple[str, int], Planted] = {}
    scripts = b"\n".join(text for path, text in files.items() if path.endswith(_SCRIPTS))
    found = [*manifest_mistakes("manifest.json", files["manifest.json"], scripts), *script_mistakes(files)]
    for each in found:
        planned.setdefault((each.path, files[each.path].count(b"\n", 0, each.start)), each)
    return list(planned.values())


def misspelled(name: bytes) -> bytes:
    """Returns a name with two letters in the middle swapped, or one of them removed."""
    at = len(name) // 2
    if name[at - 1] != name[at]:
        return name[: at - 1] + name[at : at + 1] + name[at - 1 : at] + name[at + 1 :]
    return name[:at] + name[at + 1 :]


def manifest_mistakes(path: str, text: bytes, scripts: bytes) -> Iterator[Planted]:
    root = read_json(text).root
    if root is None:
        return
    members = dict(root.members())
    key = next((each for each in _KEYS if each in members), None)
    if key is not None:
        start, end = members[key].key
        yield Planted("misspelled key", path, start + 1, end - 1, misspelled(key.encode()))
    for item in _strings(root, "permissions")[:-1]:
        start, end = item.span
        if text[start + 1 : end - 1].isalpha() and end - start > 7:
            wrong = misspelled(text[start + 1 : end - 1])
            yield Planted("misspelled permission", path, start + 1, end - 1, wrong)
            break
    permissions = _strings(root, "permissions")
    is_used = permissions and re.search(
        rb"(chrome|browser)\.%s\." % re.escape(str(permissions[-1].value).encode()), scripts
    )
    if is_used and len(permissions) > 1 and _are_neighbors(text, *permissions[-2:]):
        yield Planted("missing permission", path, permissions[-2].span[1], permissions[-1].span[1], b"")
    for at, _ in enumerate(_items(root, "content_scripts")):
        for item in _strings(root, "content_scripts", at, "matches"):
            if re.fullmatch(r"(https?|\*)://[^/*]+\.[a-z]+/\*", str(item.value)):
                yield Planted("pattern without a path", path, item.span[1] - 3, item.span[1] - 1, b"")
                break
        run_at = root.get("content_scripts", at, "run_at")
        if run_at is not None and isinstance(run_at.value, str):
            start, end = run_at.span
            yield Planted("misspelled value", path, start + 1, end - 1, misspelled(text[start + 1 : end - 1]))
    last = max((each.node.span[1] for each in members.values()), default=0)
    if last:
        yield Planted("comma after the last value", path, last, last, b",")


def _are_neighbors(text: bytes, one: JsonNode, other: JsonNode) -> bool:
    return text[one.span[1] : other.span[0]].strip() == b","


def _items(root: JsonNode, *steps: str | int) -> Sequence[JsonNode]:
    found = root.get(*steps)
    return () if found is None else found.items()


def _strings(root: JsonNode, *steps: str | int) -> list[JsonNode]:
    return [each for each in _items(root, *steps) if isinstance(each.value, str)]


def script_mistakes(files: Mapping[str, bytes]) -> Iterator[Planted]:
    count = 0
    for path, text in files.items():
        if not path.endswith(_SCRIPTS) or len(text) > MAX_SCRIPT_BYTES or ".min." in path:
            continue
        for kind, pattern in (("misspelled key in a call", _KEY), ("misspelled member", _CALL)):
            for found in list(pattern.finditer(text))[:2]:
                if count < MAX_CALLS and not text[text.rfind(b"\n", 0, found.start()) :].lstrip().startswith(
                    b"//"
                ):
                    count += 1
                    yield Planted(kind, path, *found.span(1), misspelled(found[1]))


def plant(folder: Path, files: Mapping[str, bytes], mistakes: Sequence[Planted]) -> None:
    """Writes the mistakes."""
    for path in {each.path for each in mistakes}:
        text = files[path]
        for each in sorted(mistakes, key=lambda each: each.start, reverse=True):
            if each.path == path:
                text = text[: each.start] + each.text + text[each.end :]
        (folder / path).write_bytes(text)


def judge(
    before: Mapping[str, bytes], after: Mapping[str, bytes], mistakes: Sequence[Planted]
) -> tuple[list[tuple[str, str]], bool]:
    """Returns the outcome of each mistake, and whether everything else is unchanged."""
    found = []
    is_clean = before.keys() == after.keys()
    for path, text in before.items():
        own = sorted((each for each in mistakes if each.path == path), key=lambda each: each.start)
        rest, at = after.get(path, b""), 0
        for each in own:
            same, at = text[at : each.start], each.end
            if not rest.startswith(same):
                is_clean = False
                break
            rest = rest[len(same) :]
            right, following = text[each.start : each.end], text[each.end : each.end + 12]
            if rest.startswith(right + following):
                found.append((each.kind, "mended"))
                rest = rest[len(right) :]
            elif rest.startswith(each.text + following):
                found.append((each.kind, "left"))
                rest = rest[len(each.text) :]
            else:
                found.append((each.kind, "changed otherwise"))
                is_clean = False
                break
        else:
            is_clean = is_clean and rest == text[at:]
    return found, is_clean


if __name__ == "__main__":
    main()
