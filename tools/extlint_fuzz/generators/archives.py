"""Generates archives: intact ones, and ones that no tool would write."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from random import Random

from extlint_fuzz.case import Case
from extlint_fuzz.generators.manifests import around_manifest, manifest_text
from extlint_fuzz.generators.statements import script

NAMES = (
    *(
        "../out.js",
        "/etc/out.js",
        "C:\\a.js",
        "a\\b.js",
        "a//b.js",
        "./a.js",
        "",
        ".",
        "..",
        "a/../b.js",
        "con",
        "a\0b.js",
    ),
    *(
        "x" * 300 + ".js",
        "a/" * 150 + "b.js",
        "\u202egnp.js",
        "\x1b[31m.js",
        "a.js ",
        "A.JS",
        "é.js",
        "META-INF/mozilla.rsa",
    ),
)


def zipped(files: dict[str, bytes], chance: Random) -> bytes:
    """Returns a zip file of these files."""
    stream = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            if chance.random() < 0.02:
                info.external_attr = 0o120777 << 16
            archive.writestr(info, data)
    return stream.getvalue()


def archive(chance: Random) -> Case:
    """Returns an archive that is intact, truncated, corrupted, or has odd entries."""
    files = {
        name.partition("/")[2]: data for name, data in around_manifest(chance, manifest_text(chance)).items()
    }
    if chance.random() < 0.5:
        files["manifest.json"] = json.dumps({"manifest_version": 2, "name": "a", "version": "1"}).encode()
    for _ in range(chance.choice((0, 0, 1, 3))):
        files[chance.choice(NAMES)] = script(chance, statements=1).encode()
    if chance.random() < 0.2:
        files = {f"top/{name}": data for name, data in files.items()}
    if chance.random() < 0.1:
        files["inner.zip"] = zipped(dict(files), chance)
    if chance.random() < 0.1:
        files["big.js"] = chance.choice((b" " * 200_000, b"browser.x;" * 2_000))
    data = _corrupted(chance, zipped(files, chance))
    kind = chance.choice(("ext.zip", "ext.xpi", "ext.crx"))
    if kind == "ext.crx" and chance.random() < 0.9:
        data = b"Cr24" + _header(chance, len(data)) + data
    return Case({kind: data}, (kind,), "archive")


def _header(chance: Random, size: int) -> bytes:
    """Returns the header of a .crx file between its first bytes and the zip, sometimes invalid."""
    if chance.random() < 0.5:
        return struct.pack("<II", 3, 6) + b"header"
    if chance.random() < 0.5:
        return struct.pack("<III", 2, 3, 3) + b"header"
    return struct.pack("<II", chance.choice((1, 2, 3, 4)), chance.choice((0, 7, 2**31, size))) + b"header"


def _corrupted(chance: Random, data: bytes) -> bytes:
    luck = chance.random()
    if luck < 0.6:
        return data
    if luck < 0.7:
        return data[: chance.randrange(len(data))]
    changed = bytearray(data)
    if luck < 0.9:
        directory = data.rfind(b"PK\1\2")
        for _ in range(chance.choice((1, 1, 2, 8))):
            low = 0 if chance.random() < 0.3 or directory < 0 else directory
            at = chance.randrange(low, len(changed))
            changed[at] = chance.choice((0, 255, 1, changed[at] ^ (1 << chance.randrange(8))))
        return bytes(changed)
    at = chance.randrange(len(changed))
    if luck < 0.95:
        return bytes(changed[:at] + chance.randbytes(chance.choice((1, 8, 100))) + changed[at:])
    return bytes(changed[at:] + changed[:at])
