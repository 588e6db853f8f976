"""Loads modules: extlint's own, whose locations are known, msgspec, and the libraries of extras.

A check loads hundreds of small modules. Python lists folders for them, and tries each kind of file that a
module may be, which takes a seventh of a short run. Unusual cases, such as a module without bytecode, are
left to Python.
"""

from __future__ import annotations

import os
import sys
from _frozen_importlib_external import MAGIC_NUMBER
from _imp import _fix_co_filename  # type: ignore[attr-defined]
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from marshal import loads
from types import CodeType, ModuleType

_PACKAGE_PREFIX = "extlint"
"""The prefix of the names of all import packages."""

_HEADER = len(MAGIC_NUMBER) + 12
_TIMESTAMPED_MAGIC = MAGIC_NUMBER + bytes(4)
"""The start of bytecode for a source whose time and size follow."""

_UNCHECKED_MAGIC = MAGIC_NUMBER + (1).to_bytes(4, "little")
"""The start of bytecode that is valid for any source: installers of programs change the times of files."""

_CHUNK = 1 << 16
_READ = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def find_own_modules() -> None:
    """Makes this process find modules of extlint's packages this way, if the usual folder has bytecode."""
    if sys.implementation.cache_tag and not (sys.pycache_prefix or sys.flags.optimize):
        sys.meta_path.insert(0, _OwnModules)


class _OwnModules:
    """A finder for `sys.meta_path`."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Returns the location of a module in a package of extlint.

        Returns None for all others, and without a source.
        """
        if path is None or not name.startswith(_PACKAGE_PREFIX):
            return None
        folder = path[0]
        stem = name.rpartition(".")[2]
        source = f"{folder}{os.sep}{stem}.py"
        found = _stat(source)
        is_package = found is None
        if is_package:
            folder, stem = f"{folder}{os.sep}{stem}", "__init__"
            source = f"{folder}{os.sep}{stem}.py"
            found = _stat(source)
        if found is None:
            return None
        bytecode = f"{folder}{os.sep}__pycache__{os.sep}{stem}.{sys.implementation.cache_tag}.pyc"
        spec = ModuleSpec(name, _Loader(name, source, bytecode, found), origin=source)
        spec.has_location = True
        spec.cached = bytecode
        if is_package:
            spec.submodule_search_locations = [folder]
        return spec


class _Loader(SourceFileLoader):
    """Python's loader, except that it first looks for bytecode that is valid for the source."""

    def __init__(self, name: str, source: str, bytecode: str, found: os.stat_result) -> None:
        super().__init__(name, source)
        time, size = int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF
        self._header = _TIMESTAMPED_MAGIC + time.to_bytes(4, "little") + size.to_bytes(4, "little")
        self._bytecode = bytecode

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns the module, still empty."""
        return _Module(spec.name)

    def get_code(self, fullname: str) -> CodeType | None:
        """Returns the code of the module."""
        try:
            data = _read(self._bytecode)
        except OSError:
            return super().get_code(fullname)
        if data[:_HEADER] == self._header or data.startswith(_UNCHECKED_MAGIC):
            code = loads(memoryview(data)[_HEADER:])
            if isinstance(code, CodeType):
                _fix_co_filename(code, self.path)
                return code
        return super().get_code(fullname)


class _Module(ModuleType):
    """A module that quickly reports a missing attribute, as each `from` statement reads `__path__` from it.

    Other modules also build a message for the error, which no code reads.
    """

    __getattribute__ = object.__getattribute__


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


def _read(path: str) -> bytes:
    """Returns the content of a file; `open` would make twice as many system calls."""
    descriptor = os.open(path, _READ)
    try:
        data = os.read(descriptor, _CHUNK)
        while len(data) % _CHUNK == 0 and (more := os.read(descriptor, _CHUNK)):
            data += more
        return data
    finally:
        os.close(descriptor)


def load_msgspec() -> None:
    """Loads msgspec with Python's own `typing`, which has everything that it uses from typing_extensions.

    Loading that as well, for older Pythons, takes a tenth of a short run. Other importers still load it.
    """
    if sys.modules.keys().isdisjoint(("msgspec", "typing_extensions")):
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        try:
            import_module("msgspec")
        finally:
            del sys.modules["typing_extensions"]


def can_load(*libraries: str) -> bool:
    """Whether libraries of an extra are installed. Loads them; raises the error of a broken one."""
    try:
        for each in libraries:
            import_module(each)
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in libraries:
            raise
        return False
    return True


def missing_library(user: str, libraries: str, extra: str) -> str:
    """Returns the sentence about a command or an option whose libraries are not installed."""
    return f'{user} requires {libraries}, which the extra `{extra}` installs: pip install "extlint[{extra}]"'
