"""Makes a store of many packages for scans: `python benchmarks/store.py SOURCE... --output FOLDER`.

Each package is an archive of an extension below a SOURCE (a folder of extensions, or of archives), slightly
changed, so that no two are equal. One in a hundred is hostile: damaged, deep, dense, or slow to check. The
same seed makes the same packages of the same sources.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

Files = dict[str, bytes]

MAX_BYTES = 20_000_000
"""Bytes of the files of an extension; larger ones are left out."""

_SKIPPED = {".git", "node_modules"}
_MANIFEST = b'{"manifest_version": 3, "name": "a", "version": "1", "background": {"service_worker": "a.js"}}'

HOSTILE: Mapping[str, Callable[[random.Random], bytes]] = {
    "damaged": lambda chance: _archive(_with("a();"))[: chance.randint(10, 200)],
    "not an archive": lambda chance: chance.randbytes(1000),
    "deep folders": lambda _: _archive(_with("", **{"a/" * 3000 + "b.js": b""})),
    "many files": lambda _: _archive(_with("", **{f"{number}.js": b"" for number in range(20_000)})),
    "expanding": lambda _: _archive(_with("", **{"zeros.js": bytes(50_000_000)})),
    "deep conditions": lambda _: _archive(_with("if (a)" * 50_000 + "chrome.tabs.create({})")),
    "nested templates": lambda _: _archive(_with("chrome;" + "`${" * 50_000)),
    "many uses": lambda _: _archive(_with("chrome.tabs.create({ url: 'a.html' });\n" * 150_000)),
    "many commas": lambda _: _archive(_with("chrome.tabs," + "1," * 1_000_000 + "1")),
    "mutual calls": lambda _: _archive(_with("".join(_mutual(2000)))),
}
"""Contents that end, slow down or exhaust a checker, by what they are."""


def _mutual(count: int) -> Iterator[str]:
    for number in range(count):
        others = (number + 1) % count, number * 7 % count
        calls = "".join(f"f{other}(a);" for other in others)
        yield f"function f{number}(a) {{ {calls} chrome.tabs.create(a); }}\n"


def _with(script: str, **files: bytes) -> Files:
    return {"manifest.json": _MANIFEST, "a.js": script.encode(), **files}


def _archive(files: Mapping[str, bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in files.items():
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return buffer.getvalue()


def extensions(sources: Sequence[Path]) -> Iterator[Files]:
    """Yields the files of each extension below some folders."""
    for source in sources:
        for path in sorted(source.rglob("manifest.json")):
            if _SKIPPED.isdisjoint(path.parts):
                yield _files_in(path.parent)
        for path in sorted(source.glob("*.zip")):
            try:
                with ZipFile(path) as archive:
                    yield {name: archive.read(name) for name in archive.namelist() if name[-1:] != "/"}
            except BadZipFile:
                continue


def _files_in(folder: Path) -> Files:
    paths = (each for each in sorted(folder.rglob("*")) if _SKIPPED.isdisjoint(each.parts))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def changed(files: Files, number: int, chance: random.Random) -> Files:
    """Returns an extension with another version, and a comment at the end of each script."""
    found = {}
    for name, data in files.items():
        if name.endswith((".js", ".mjs", ".ts")):
            data += f"\n// {number} {chance.random()}\n".encode()
        found[name] = data
    try:
        manifest = json.loads(files["manifest.json"])
        manifest["version"] = f"{number}.{chance.randint(0, 9)}"
        found["manifest.json"] = json.dumps(manifest).encode()
    except (KeyError, TypeError, ValueError):
        pass
    return found


def write_store(folder: Path, known: Sequence[Files], count: int, seed: int) -> None:
    """Writes packages into folders of a thousand."""
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        if number % 100 == 99:
            kind = chance.choice(sorted(HOSTILE))
            data = HOSTILE[kind](chance)
        else:
            data = _archive(changed(chance.choice(known), number, chance))
        path = folder / f"{number // 1000:04}" / f"{number:07}.zip"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    known = [each for each in extensions(options.sources) if sum(map(len, each.values())) <= MAX_BYTES]
    write_store(options.output, known, options.count, options.seed)


if __name__ == "__main__":
    main()
