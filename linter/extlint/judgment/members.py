"""Which part of a target's schemas a path of the API leads to."""

from __future__ import annotations

from extlint.extension import Extension
from extlint.schema.model import Member, Namespace, SchemaSet
from extlint.script.facts import Path

MANIFEST_NAMESPACE = "manifest"
"""The namespace that describes manifest.json; no script sees it."""

OF_EVERY_OBJECT = frozenset(
    {
        "__defineGetter__",
        "__defineSetter__",
        "__lookupGetter__",
        "__lookupSetter__",
        "__proto__",
        "constructor",
        "hasOwnProperty",
        "isPrototypeOf",
        "propertyIsEnumerable",
        "toLocaleString",
        "toString",
        "valueOf",
    }
)
"""The members of `Object.prototype`, which every namespace and event inherits."""


def namespace_of(schemas: SchemaSet, path: Path) -> Namespace | None:
    """The namespace that a path of the API leads into, if the schemas have it."""
    return None if not path or path[0] == MANIFEST_NAMESPACE else schemas.namespace(path[0])


def member_of(extension: Extension, namespace: Namespace, path: Path) -> Member | None:
    """The member that a path of the API names, as the extension's manifest version has it."""
    members = namespace.members.get(path[1], ()) if len(path) > 1 else ()
    version = extension.manifest.version
    return next((each for each in members if version in each.availability.versions), None)
