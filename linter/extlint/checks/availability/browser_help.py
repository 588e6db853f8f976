"""Help that names the browsers which have what the target does not have.

Where the specification says no and a browser says yes, the help says which target to check for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.checks.api.schema_path import is_available, schema_path_of
from extlint.checks.portability.other_browsers import in_other_browsers
from extlint.extension import Extension
from extlint.manifest import thunderbird_keys
from extlint.schema.model import SchemaSet
from extlint.schema.types import RefType
from extlint.script.facts.script_facts import ApiPath
from extlint.targets.request import shown_browser
from extlint.text.wording import listed, quoted
from extlint_schemas import TARGETS, browsers_with, browsers_with_part, thunderbird_names


def other_browsers_with(extension: Extension, path: ApiPath) -> str | None:
    """The other browsers that have a member, as a phrase, for the target of a browser; None if none has."""
    found = {other.schemas.target: schema_path_of(other, path) for other in in_other_browsers(extension)}
    return _phrase([name for name, each in sorted(found.items()) if each is not None and not each.rest])


def other_browsers_supporting(extension: Extension, path: ApiPath) -> str | None:
    """The other browsers that have and support a member, as a phrase; None if none does."""
    return _phrase(
        sorted(other.schemas.target for other in in_other_browsers(extension) if is_available(other, path))
    )


def thunderbird_if_it_has(schemas: SchemaSet, path: ApiPath) -> str | None:
    """The name of Thunderbird if it has a member that the target, a browser, lacks."""
    if schemas.is_specification or schemas.may_have_more:
        return None
    known = thunderbird_names().namespaces
    *above, name = path
    return thunderbird_keys.NAME if name in (known.get(".".join(above), ()) if above else known) else None


def browsers_that_have(api: str, schemas: SchemaSet) -> str | None:
    """The browsers that have a member that the specification lacks, as a phrase; None if none has."""
    return _phrase(_with_member(api, schemas))


def browsers_whose_type_has(types: Iterable[RefType], part: str, schemas: SchemaSet) -> str | None:
    """The browsers in which one of these types has a field or value that the specification lacks."""
    return _phrase(_with_part(types, part, schemas))


def help_for_member(api: str, schemas: SchemaSet, verdict: str) -> str | None:
    """Help for such a member; `verdict` is what the specification does. None if no browser has it."""
    return _help("it is available", _with_member(api, schemas), schemas, verdict)


def help_for_part(fact: str, types: Iterable[RefType], part: str, schemas: SchemaSet) -> str | None:
    """Help for such a field or value; `fact` is true in these browsers. None if no browser has it."""
    return _help(fact, _with_part(types, part, schemas), schemas, "does not list it")


def _with_member(api: str, schemas: SchemaSet) -> Sequence[str]:
    namespace, _, member = api.partition(".")
    return browsers_with(namespace, member) if schemas.is_specification else ()


def _with_part(types: Iterable[RefType], part: str, schemas: SchemaSet) -> Sequence[str]:
    if not schemas.is_specification:
        return ()
    return sorted({name for each in types for name in browsers_with_part(each.namespace, each.name, part)})


def _phrase(browsers: Sequence[str]) -> str | None:
    return listed(list(map(shown_browser, browsers)), "and") if browsers else None


def _help(fact: str, browsers: Sequence[str], schemas: SchemaSet, verdict: str) -> str | None:
    names = _phrase(browsers)
    if names is None:
        return None
    targets = [f"--target {name}" for name in browsers if name in TARGETS]
    option = f"; use {listed(targets, 'or')} to check for a browser" if targets else ""
    specification = f"the target {quoted(schemas.target)} follows the specification, which {verdict}"
    return f"{fact} in today's {names}; {specification}{option}"
