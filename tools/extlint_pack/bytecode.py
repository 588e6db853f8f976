"""Compiles the modules of a program, so that it compiles nothing when it runs."""

from __future__ import annotations

import sys
from importlib.util import cache_from_source
from pathlib import Path
from py_compile import PycInvalidationMode, compile

OWN = ("extlint", "extlint_rules", "extlint_schemas")
"""The packages whose sources stay, because extlint finds its own modules by them and tracebacks show them."""


def compile_modules(root: Path) -> None:
    """Compiles all modules in a folder, and removes the sources of libraries.

    Python does not compare the bytecode with the time of a source, because installers change it.
    """
    for source in sorted(root.rglob("*.py")):
        relative = source.relative_to(root)
        is_own = relative.parts[0] in OWN
        target = cache_from_source(str(source)) if is_own else str(source.with_suffix(".pyc"))
        compile(
            str(source),
            target,
            dfile=relative.as_posix(),
            doraise=True,
            optimize=sys.flags.optimize,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        )
        if not is_own:
            source.unlink()
