"""`extlint schema`."""

from __future__ import annotations

import click

from extlint.commands.exit_status import SUCCESS
from extlint.commands.streams import write
from extlint.configuration.names import checked_one, format_option, schemas_option
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint_schemas import TARGETS


@click.command("schema", short_help="Look up an extension API.")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--target",
    default=TARGETS[0],
    metavar="NAME",
    callback=checked_one("target", TARGETS),
    help=f"Browser whose API to look up.  [default: {TARGETS[0]}]",
)
@schemas_option
@format_option({"text": "for people", "json": "for programs"})
def schema_command(name: str | None, target: str, schemas: UserSchemas | None, output_format: str) -> int:
    """Look up an extension API: `extlint schema tabs.query --target firefox`.

    Without a NAME, list the namespaces and their members. The target reference describes only the
    specification; for other names it shows what each browser has.
    """
    from extlint.api_lookup.lookup import entries, find
    from extlint.api_lookup.page import overview, page
    from extlint.api_lookup.unknown import unknown_name
    from extlint.targets.request import BROWSERS
    from extlint.targets.target import beyond_reference, schema_set

    added = schemas or NO_USER_SCHEMAS
    own = schema_set(target, added)
    others = [beyond_reference(each, added) for each in BROWSERS] if own.is_specification else []
    if name is None:
        found = entries(own)
    else:
        found = find(own, name) or tuple(entry for each in others for entry in find(each, name))
        if not found:
            raise click.UsageError(unknown_name(own, others, name))
    if output_format == "json":
        import json

        from msgspec import to_builtins

        answer = {"version": 1, "target": target, "entries": to_builtins(found)}
        write(json.dumps(answer, indent=2) + "\n")
    else:
        write(overview(found) if name is None else "\n".join(map(page, found)))
    return SUCCESS
