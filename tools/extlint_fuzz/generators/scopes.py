"""The names that generated code uses: locals in scope, globals, and members of the API."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from extlint_fuzz.generators.api import api_names, random_function

ROOTS = (
    "browser",
    "chrome",
    "browser",
    "chrome",
    "messenger",
    "window.browser",
    "globalThis.chrome",
    "self.browser",
)
SHARED = ("api", "core", "shared", "App", "$")
"""Globals that several scripts assign and read."""


class Scopes:
    """Generates names and literals, and tracks the locals in scope.

    Locals are called `local1`, `local2` and so on, to distinguish them from all other names.
    """

    def __init__(self, chance: Random, *, typed: bool = False, module: bool = False) -> None:
        self.chance = chance
        self.typed = typed
        self.module = module
        self.scopes: list[list[str]] = [[]]
        self.in_async = 0
        self.in_function = 0
        self._count = 0

    def new_name(self) -> str:
        """Returns a new local, which is in scope from now on."""
        self._count += 1
        name = f"local{self._count}"
        self.scopes[-1].append(name)
        return name

    def reference(self) -> str:
        """Returns a local in scope, or a global."""
        known = [name for scope in self.scopes for name in scope]
        if known and self.chance.random() < 0.85:
            return self.chance.choice(known[-8:] if self.chance.random() < 0.7 else known)
        return self.chance.choice(
            (*SHARED, "browser", "chrome", "document", "undefined", "window", "console")
        )

    def root(self) -> str:
        """Returns a root of the API, or a local that may be one."""
        if self.chance.random() < 0.6:
            return self.chance.choice(ROOTS[:4] if self.chance.random() < 0.8 else ROOTS)
        if self.typed and self.chance.random() < 0.2:
            return f"({self.chance.choice(ROOTS)} as any)"
        return self.reference()

    def path(self, path: str) -> str:
        """Returns the members of a path, with each access in a random notation."""
        parts = path.split(".")
        return "".join(self._part(part) for part in parts)

    def _part(self, part: str) -> str:
        luck = self.chance.random()
        if luck < 0.8:
            return f".{part}"
        if luck < 0.9:
            return f"?.{part}"
        return f'["{part}"]' if luck < 0.97 else f"[`{part}`]"

    def api(self) -> str:
        """Returns a member of the API, a namespace, or a part of one."""
        luck = self.chance.random()
        if luck < 0.6:
            return self.root() + self.path(random_function(self.chance))
        if luck < 0.8:
            return self.root() + self.path(self.chance.choice(api_names().namespaces))
        return f"{self.reference()}{self.path(random_function(self.chance).rpartition('.')[2])}"

    def literal(self) -> str:
        """Returns a literal."""
        chance = self.chance
        return chance.choice(
            (
                lambda: str(chance.choice((0, 1, 2, -1, 0.5, 2**31, 2**53, 1e999)).__repr__()).replace(
                    "inf", "Infinity"
                ),
                lambda: f'"{chance.choice(api_names().strings)}"',
                lambda: f'"{chance.choice(api_names().properties)}"',
                lambda: chance.choice(
                    ("true", "false", "null", "undefined", "NaN", "void 0", "!0", "1n", "/a/g")
                ),
                lambda: chance.choice(
                    ('""', '"*://*/*"', '"https://a.example/"', '"\\u{1F600}"', "'\\x41'", '"a.html"')
                ),
            )
        )()

    def shorthand_field(self) -> str:
        """Returns a shorthand field: the name of a local."""
        known = [name for scope in self.scopes for name in scope]
        return self.chance.choice(known) if known else "api"

    def in_new_scope(self, make: Callable[[], str], *, is_async: bool = False) -> str:
        """Returns the output of `make`, called in a new function scope."""
        self.scopes.append([])
        before, self.in_async = self.in_async, int(is_async)
        self.in_function += 1
        output = make()
        self.in_function -= 1
        self.in_async = before
        self.scopes.pop()
        return output
