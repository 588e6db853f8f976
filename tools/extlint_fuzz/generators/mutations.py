"""Mutates real files: changes bytes and words, and combines pieces of several files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from extlint_fuzz.case import FOLDER, Case
from extlint_fuzz.generators.extensions import target
from extlint_fuzz.generators.texts import WORDS

MAX_FILE_BYTES = 60_000
MAX_EXTENSION_BYTES = 200_000
MAX_CORPUS_FILES = 20_000
SUFFIXES = frozenset({".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".html", ".json", ".vue", ".svelte"})
WORD = re.compile(rb"\w+|\s+|[^\w\s]")


class Corpus:
    """The real files below some folders: scripts, pages and data, and the folders of extensions."""

    def __init__(self, folders: tuple[Path, ...]) -> None:
        found = [path for folder in folders for path in _files(folder)]
        self.files = sorted(path for path in found if path.suffix in SUFFIXES)[:MAX_CORPUS_FILES]
        self.manifests = [path for path in self.files if path.name == "manifest.json"]

    def read(self, path: Path) -> bytes:
        """Returns the first bytes of a file, up to `MAX_FILE_BYTES`, or none if it cannot be read."""
        try:
            with path.open("rb") as file:
                return file.read(MAX_FILE_BYTES)
        except OSError:
            return b""


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path


def mutated_case(chance: Random, corpus: Corpus) -> Case:
    """Returns a mutated real file, in its own extension or in the original one."""
    luck = chance.random()
    if luck < 0.4 and corpus.manifests:
        return _mutated_extension(chance, corpus)
    path = chance.choice(corpus.files)
    data = _mutate(chance, corpus.read(path), corpus)
    name = f"a{path.suffix}"
    keys = {"manifest_version": 3, "name": "Test", "version": "1", "background": {"service_worker": name}}
    if path.suffix in {".html", ".vue", ".svelte"}:
        keys["action"] = {"default_popup": name}
    files = {f"{FOLDER}/manifest.json": json.dumps(keys).encode(), f"{FOLDER}/{name}": data}
    if path.suffix == ".json":
        files[f"{FOLDER}/manifest.json"] = data
    return Case(files, (FOLDER, *target(chance)), "mutation")


def _mutated_extension(chance: Random, corpus: Corpus) -> Case:
    """Returns a real extension with one mutated file."""
    folder = chance.choice(corpus.manifests).parent
    files: dict[str, bytes] = {}
    size = 0
    for path in corpus.files:
        if path.is_relative_to(folder) and size < MAX_EXTENSION_BYTES:
            files[f"{FOLDER}/{path.relative_to(folder).as_posix()}"] = data = corpus.read(path)
            size += len(data)
    name = chance.choice(sorted(files))
    files[name] = _mutate(chance, files[name], corpus)
    return Case(files, (FOLDER, *target(chance)), "mutation")


def _mutate(chance: Random, data: bytes, corpus: Corpus) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        data = chance.choice((mutate_bytes, _mutate_words, _mutate_words, mutate_lines))(chance, data)
    if chance.random() < 0.2:
        other = corpus.read(chance.choice(corpus.files))
        at = chance.randrange(len(data) + 1)
        start, end = sorted(chance.randrange(len(other) + 1) for _ in range(2))
        data = data[:at] + other[start:end] + data[at:]
    return data


def mutate_bytes(chance: Random, data: bytes) -> bytes:
    """Returns the bytes with some of them removed, repeated or replaced."""
    start = chance.randrange(len(data) + 1)
    end = min(len(data), start + chance.choice((0, 1, 2, 8, 64, 1024)))
    piece = chance.choice(
        (
            b"",
            data[start:end] * 2,
            chance.randbytes(1),
            chance.randbytes(8),
            b"\0",
            b"\xff",
            b"`",
            b"${",
            b"(" * 50,
            b"'",
        )
    )
    return data[:start] + piece + data[end:]


def _mutate_words(chance: Random, data: bytes) -> bytes:
    """Returns the bytes with a word of the file or of JavaScript inserted, replaced or removed."""
    at = chance.randrange(len(data) + 1)
    found = WORD.search(data, at)
    if found is None:
        return data + chance.choice(WORDS).encode()
    other = WORD.search(data, chance.randrange(len(data)))
    word = other.group() if other is not None and chance.random() < 0.5 else chance.choice(WORDS).encode()
    prefix = chance.choice((b"", found.group() + b" ", b" " + found.group()))
    return data[: found.start()] + prefix + word + data[found.end() :]


def mutate_lines(chance: Random, data: bytes) -> bytes:
    """Returns the bytes with some lines removed or repeated elsewhere."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    start, end, to = sorted(chance.randrange(len(lines) + 1) for _ in range(3))
    end = min(end, start + 40)
    luck = chance.random()
    if luck < 0.4:
        return b"".join(lines[:start] + lines[end:])
    moved = lines[start:end]
    return b"".join(lines[:to] + moved + lines[to:])
