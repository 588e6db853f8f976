"""The reasons why a script cannot use a member of the API."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from extlint.analysis.facts.context import Context, ContextKind
from extlint.analysis.facts.script_facts import ApiPath
from extlint.schema.types import Versions


class Reason(Enum):
    """The reason why a member is not available."""

    UNKNOWN = "nothing of that name exists"
    CONTEXT = "it does not exist where the script runs"
    UNSUPPORTED = "it is marked unsupported"
    PERMISSION = "the manifest does not request its permission"
    MANIFEST_KEY = "the manifest is missing the key that it requires"
    MANIFEST_VERSION = "it does not exist in this manifest version"


class Unavailability(Struct, frozen=True):
    """The unavailability of a member to a script.

    `path` is the shortest path that is missing, empty in contexts without API. `reported_length` is the
    number of names in the path at which the finding is reported: a missing namespace is reported at its
    member. The other fields depend on the reason:

    * UNKNOWN: `nearest` is the name that this is a misspelling of, `candidates` are the names that exist
    * CONTEXT: `contexts` are those without the member, `exists_in` the kinds of those with it, and
      `exists_in_other_contexts` is true if the script also runs in one with it
    * PERMISSION, MANIFEST_KEY: `permissions`, any one of them is enough; keys have the prefix `manifest:`
    * MANIFEST_VERSION: `versions` are those that have the member
    """

    reason: Reason
    path: ApiPath
    reported_length: int
    nearest: str | None = None
    candidates: tuple[str, ...] = ()
    contexts: tuple[Context, ...] = ()
    exists_in: frozenset[ContextKind] = frozenset()
    permissions: tuple[str, ...] = ()
    versions: Versions | None = None
    exists_in_other_contexts: bool = False
