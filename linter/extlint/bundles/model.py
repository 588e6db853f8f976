"""Modules that are functions, and the runtimes that call them."""

from __future__ import annotations

from msgspec import Struct, field

from extlint.script.syntax.node import Node


class Roles(Struct, frozen=True):
    """Which parameters of a module's function are `module`, `exports` and `require`, from 0."""

    module: int | None = None
    exports: int | None = None
    require: int | None = None


class Runtime(Struct, eq=False):
    """What calls the modules of a bundle.

    `require` is the function that gives a module's exports for its key; None in a file that only
    brings modules for a runtime elsewhere. `table` is the object or array of modules; None where
    each is handed over by a call, `register("key", function)`. In a `nested` table an entry is an
    array: the function, and a map from the names that it requires to keys.
    """

    require: Node | None
    table: Node | None
    roles: Roles
    nested: bool = False
    functions: dict[str, Node] = field(default_factory=dict)
    read: bool = False


class Module(Struct, eq=False):
    """A module: its function, what its parameters are, and how it is found.

    `wrapping` is the call that makes the module's getter of the function, as esbuild does it.
    """

    function: Node
    roles: Roles
    runtime: Runtime | None = None
    key: str | None = None
    wrapping: Node | None = None
