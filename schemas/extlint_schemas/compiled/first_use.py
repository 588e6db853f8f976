"""Compiles a schema on first use, and caches the code in a folder that is not tracked: for checkouts.

A file there starts with a hash of everything that its code depends on, followed by the code. A different
schema, compiler, version of fastjsonschema or bytecode format changes the hash, and the schema is compiled
again. Files are replaced atomically, so several processes may do this at the same time. Where writing fails,
each process compiles for itself.
"""

from __future__ import annotations

import marshal
import os
import sys
from _frozen_importlib_external import MAGIC_NUMBER
from _imp import source_hash
from contextlib import suppress
from importlib.machinery import PathFinder
from types import CodeType
from typing import Any

from extlint_schemas import json_schema_texts, schema_name
from extlint_schemas.compiled import Validate, module_name

_HERE = os.path.dirname(__file__)
CACHE = os.path.join(_HERE, ".cache")


def load_compiled(name: str) -> Validate:
    """Returns the compiled form of a schema by its folder and name."""
    name = schema_name(name)
    path = os.path.join(CACHE, f"{module_name(name)}.{sys.implementation.cache_tag}.pyc")
    key = _key(name)
    code = _cached(path, key)
    if code is None:
        from extlint_schemas.compiled.compiler import module_source

        code = compile(module_source(name), f"<{name}.json, compiled>", "exec", dont_inherit=True)
        _store(path, key, code)
    module: dict[str, Any] = {"__name__": f"extlint_schemas.compiled.{module_name(name)}"}
    exec(code, module)
    validate: Validate = module["validate"]
    return validate


def _key(name: str) -> bytes:
    """Returns a hash of everything that the code of a schema depends on, and of the bytecode version."""
    parts = (*json_schema_texts(name), _read(os.path.join(_HERE, "compiler.py")), _version())
    return source_hash(int.from_bytes(MAGIC_NUMBER, "little"), b"\0".join(parts))


def _version() -> bytes:
    """Returns the installed fastjsonschema's version file, empty if not found, without importing it."""
    found = PathFinder.find_spec("fastjsonschema")
    if found is None or found.origin is None:
        return b""
    return _read(os.path.join(os.path.dirname(found.origin), "version.py"))


def _read(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _cached(path: str, key: bytes) -> CodeType | None:
    try:
        content = _read(path)
        code = marshal.loads(content[len(key) :]) if content.startswith(key) else None
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return code if isinstance(code, CodeType) else None


def _store(path: str, key: bytes, code: CodeType) -> None:
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "xb") as file:
            file.write(key + marshal.dumps(code))
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
