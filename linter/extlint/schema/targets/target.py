"""The schema sets of the targets: the API that an extension is checked against."""

from __future__ import annotations

from functools import cache

from extlint.schema.engine import Engine
from extlint.schema.model import NO_USER_SCHEMAS, SchemaSet, UserSchemas
from extlint.schema.targets.request import BROWSERS, EDITIONS, FIREFOX, NARROWED, SPECIFICATION, engine_of
from extlint_schemas import load, namespace_loaders, thunderbird_names


@cache
def schema_set(target: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of a target, with the additions of a user.

    User schemas add no namespaces to the reference target: for those that it does not describe, it uses
    the schemas of the browsers. Raises KeyError if the target does not exist.
    """
    if target in NARROWED:
        base = NARROWED[target]
        return SchemaSet(
            target,
            [*load(target), *user_schemas.parts],
            engine=engine_of(base),
            stored=namespace_loaders(base),
            is_complete=target in EDITIONS,
            is_narrowed=True,
            user_schemas=user_schemas,
        )
    if target in BROWSERS:
        return SchemaSet(
            target,
            user_schemas.parts,
            engine=engine_of(target),
            stored=namespace_loaders(target),
            user_schemas=user_schemas,
        )
    own = load(target)
    names = {part["namespace"] for part in own}
    added = (part for part in user_schemas.parts if part["namespace"] in names)
    return SchemaSet(target, [*own, *added], user_schemas=user_schemas)


@cache
def beyond_reference(browser: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of a browser, and of a user, that the reference target does not describe."""
    own = schema_set(SPECIFICATION).names
    additional_loaders = {name: read for name, read in namespace_loaders(browser).items() if name not in own}
    added = (part for part in user_schemas.parts if part["namespace"] not in own)
    return SchemaSet(
        browser,
        added,
        engine=engine_of(browser),
        stored=additional_loaders,
        is_complete=False,
        user_schemas=user_schemas,
    )


@cache
def schema_set_of_thunderbird(target: str, user_schemas: UserSchemas = NO_USER_SCHEMAS) -> SchemaSet:
    """Returns the namespaces of Thunderbird, for the target that is checked in its place.

    Those that it shares with Firefox are Firefox's. Of those that it implements itself, only the names of the
    members are known, in some versions.
    """
    known = thunderbird_names()
    parts = [
        {"namespace": name, "properties": {each: {"type": "any"} for each in members}}
        for name, members in known.namespaces.items()
    ]
    return SchemaSet(
        target,
        [*parts, *user_schemas.parts],
        engine=Engine.GECKO,
        stored={name: read for name, read in namespace_loaders(FIREFOX).items() if name not in known.own},
        is_complete=False,
        may_have_more=True,
        user_schemas=user_schemas,
    )
