"""Help that names the browsers which have something that is missing in the target.

If the specification rejects something that a browser accepts, the help names the target to check for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from extlint.analysis.facts.script_facts import ApiPath
from extlint.checks.api.schema_path import is_available, schema_path_of
from extlint.checks.other_browsers import in_other_browsers
from extlint.extension import Extension
from extlint.manifest import vendor_keys
from extlint.schema.model import SchemaSet
from extlint.schema.targets import browser_name
from extlint.schema.types import RefType
from extlint.text.wording import listed, quoted
from extlint_schemas import TARGETS, browsers_with, browsers_with_part, thunderbird_names


def other_browsers_with(extension: Extension, path: ApiPath) -> str | None:
    """Returns the other browsers that have a member, as a phrase, for the target of a browser, or None."""
    found = {other.schemas.target: schema_path_of(other, path) for other in in_other_browsers(extension)}
    return _phrase([name for name, each in sorted(found.items()) if each is not None and not each.rest])


def other_browsers_supporting(extension: Extension, path: ApiPath) -> str | None:
    """Returns the other browsers that have and support a member, as a phrase, or None."""
    return _phrase(
        sorted(other.schemas.target for other in in_other_browsers(extension) if is_available(other, path))
    )


def thunderbird_with_member(schemas: SchemaSet, path: ApiPath) -> str | None:
    """Returns the name of Thunderbird if it has a member that is missing in the target, a browser."""
    if schemas.is_specification or schemas.may_have_more:
        return None
    known = thunderbird_names().namespaces
    *above, name = path
    return vendor_keys.NAME if name in (known.get(".".join(above), ()) if above else known) else None


def browsers_that_have(api: str, schemas: SchemaSet) -> str | None:
    """Returns the browsers that have a member missing in the specification, as a phrase, or None."""
    return _phrase(_member_browsers(api, schemas))


def browsers_whose_type_has(types: Iterable[RefType], part: str, schemas: SchemaSet) -> str | None:
    """Returns the browsers in which one of these types has a field or value, or None.

    The field or value is missing in the specification.
    """
    return _phrase(_part_browsers(types, part, schemas))


def help_for_member(api: str, schemas: SchemaSet, verdict: str) -> str | None:
    """Returns help for such a member.

    Returns None if no browser has it; `verdict` describes the specification's reaction.
    """
    return _help("it is available", _member_browsers(api, schemas), schemas, verdict)


def help_for_part(fact: str, types: Iterable[RefType], part: str, schemas: SchemaSet) -> str | None:
    """Returns help for such a field or value, or None if no browser has it.

    `fact` is true in these browsers.
    """
    return _help(fact, _part_browsers(types, part, schemas), schemas, "does not list it")


def _member_browsers(api: str, schemas: SchemaSet) -> Sequence[str]:
    namespace, _, member = api.partition(".")
    return browsers_with(namespace, member) if schemas.is_specification else ()


def _part_browsers(types: Iterable[RefType], part: str, schemas: SchemaSet) -> Sequence[str]:
    if not schemas.is_specification:
        return ()
    return sorted({name for each in types for name in browsers_with_part(each.namespace, each.name, part)})


def _phrase(browsers: Sequence[str]) -> str | None:
    return listed(list(map(browser_name, browsers)), "and") if browsers else None


def _help(fact: str, browsers: Sequence[str], schemas: SchemaSet, verdict: str) -> str | None:
    names = _phrase(browsers)
    if names is None:
        return None
    targets = [f"--target {name}" for name in browsers if name in TARGETS]
    option = f"; use {listed(targets, 'or')} to check for a browser" if targets else ""
    specification = f"the target {quoted(schemas.target)} follows the specification, which {verdict}"
    return f"{fact} in today's {names}; {specification}{option}"
