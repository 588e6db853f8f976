"""`extlint schema`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from extlint.cli.click_options import declare_option, shell_completion
from extlint.cli.option import (
    SCHEMAS,
    Option,
    format_option,
    name_completion,
    names_option,
)
from extlint.cli.process import SUCCESS
from extlint.cli.streams import write
from extlint.linting.configuration.usage_error import UsageError, check_name, split_names
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint.schema.targets import schema_set
from extlint.services.api_lookup.lookup import available_namespaces
from extlint.services.name_lookup import (
    BROWSERS,
    DEFAULT_EDITOR_TARGETS,
    REFERENCE,
    LookupResult,
    all_namespaces,
    find_name,
    result_as_json,
)
from extlint_schemas import TARGETS


def _known_targets(values: Sequence[str]) -> tuple[str, ...]:
    names = split_names(values)
    for name in names:
        check_name("target", name, TARGETS)
    return names


@click.command("schema", short_help="Look up an API, a manifest key or a permission.")
@click.argument(
    "name", required=False, metavar="[NAME]", shell_complete=shell_completion(name_completion("api"))
)
@declare_option(
    names_option(
        "--target",
        "target",
        _known_targets,
        f"Browser to look in; repeatable.  [default: {REFERENCE}, and all browsers]",
        value_name="targets",
    )
)
@declare_option(
    Option(("--manifest",), "Print a JSON Schema of manifests, for editors, and look nothing up.")
)
@declare_option(SCHEMAS)
@declare_option(format_option({"text": "for people", "json": "for programs"}))
def schema_command(
    name: str | None,
    targets: tuple[str, ...],
    manifest: bool,
    schemas: UserSchemas | None,
    output_format: str,
) -> int:
    """Look up an API, a key of the manifest or a permission.

    For instance: `extlint schema tabs.query --target firefox`, `extlint schema background.service_worker`,
    `extlint schema activeTab`.

    Without a NAME, list the namespaces and the browsers that have them. The target reference describes only
    the specification; for other names it shows what each browser has.
    """
    if manifest:
        return _manifest(name, targets)
    return _look_up(name, targets, schemas or NO_USER_SCHEMAS, output_format)


def _manifest(name: str | None, targets: tuple[str, ...]) -> int:
    import json

    from extlint.services.api_lookup.manifest_keys import editor_schema

    if name is not None:
        raise UsageError("--manifest prints the whole schema; it cannot be combined with a NAME")
    if REFERENCE in targets:
        raise UsageError(f"the target {REFERENCE} has no manifest of its own; name a browser")
    write(json.dumps(editor_schema(targets or DEFAULT_EDITOR_TARGETS), indent=1) + "\n")
    return SUCCESS


def _look_up(name: str | None, targets: tuple[str, ...], added: UserSchemas, output_format: str) -> int:
    schema_sets = [schema_set(each, added) for each in targets or (REFERENCE,)]
    if output_format == "json":
        write(
            result_as_json(
                schema_sets,
                all_namespaces(schema_sets) if name is None else find_name(schema_sets, targets, added, name),
            )
        )
    elif name is None:
        from extlint.services.api_lookup.page import overview

        shown = schema_sets if targets else [*schema_sets, *(schema_set(each, added) for each in BROWSERS)]
        write(overview({each.target: available_namespaces(each) for each in shown}))
    else:
        write("\n".join(_pages(find_name(schema_sets, targets, added, name))))
    return SUCCESS


def _pages(found: LookupResult) -> Iterator[str]:
    from extlint.services.api_lookup.page import page

    yield from map(page, found.entries)
    if found.key is not None:
        from extlint.services.api_lookup.page import key_page

        yield key_page(found.key)
    if found.permission is not None:
        from extlint.services.permissions.prompts import permission_page

        yield permission_page(found.permission)
