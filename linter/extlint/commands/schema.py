"""`extlint schema`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from extlint.commands.exit_status import SUCCESS
from extlint.commands.options.click_options import declare_option, shell_completion
from extlint.commands.options.option import Option, name_completion, names_option
from extlint.commands.options.shared import SCHEMAS, format_option
from extlint.commands.streams import write
from extlint.configuration.names import check_name, split_names
from extlint.configuration.usage_error import UsageError
from extlint.schema.model import NO_USER_SCHEMAS, UserSchemas
from extlint_schemas import TARGETS

if TYPE_CHECKING:
    from extlint.api_lookup.entry import Entry
    from extlint.api_lookup.manifest_keys import ManifestKey
    from extlint.permissions.lookup import KnownPermission
    from extlint.schema.model import SchemaSet

REFERENCE, *BROWSERS = TARGETS
DEFAULT_EDITOR_TARGETS = ("chrome", "firefox")
"""The targets of a JSON Schema for editors if none is named."""


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

    from extlint.api_lookup.editor_schema import editor_schema

    if name is not None:
        raise UsageError("--manifest prints the whole schema; it cannot be combined with a NAME")
    if REFERENCE in targets:
        raise UsageError(f"the target {REFERENCE} has no manifest of its own; name a browser")
    write(json.dumps(editor_schema(targets or DEFAULT_EDITOR_TARGETS), indent=1) + "\n")
    return SUCCESS


class _LookupResult(Struct, frozen=True):
    """The meanings of a name: members and types of the API, a key of the manifest, a permission."""

    entries: tuple[Entry, ...]
    key: ManifestKey | None
    permission: KnownPermission | None


def _look_up(name: str | None, targets: tuple[str, ...], added: UserSchemas, output_format: str) -> int:
    from extlint.targets.target import schema_set

    schema_sets = [schema_set(each, added) for each in targets or (REFERENCE,)]
    if output_format == "json":
        write(
            _json(
                schema_sets,
                _all_namespaces(schema_sets) if name is None else _find(schema_sets, targets, added, name),
            )
        )
    elif name is None:
        from extlint.api_lookup.lookup import available_namespaces
        from extlint.api_lookup.page import overview

        shown = schema_sets if targets else [*schema_sets, *(schema_set(each, added) for each in BROWSERS)]
        write(overview({each.target: available_namespaces(each) for each in shown}))
    else:
        write("\n".join(_pages(_find(schema_sets, targets, added, name))))
    return SUCCESS


def _all_namespaces(schema_sets: Sequence[SchemaSet]) -> _LookupResult:
    from extlint.api_lookup.lookup import namespace_entries

    return _LookupResult(
        tuple(entry for each in schema_sets for entry in namespace_entries(each)), None, None
    )


def _find(
    schema_sets: Sequence[SchemaSet], targets: Sequence[str], added: UserSchemas, name: str
) -> _LookupResult:
    from extlint.api_lookup.lookup import find_entries
    from extlint.api_lookup.manifest_keys import find_key, known_keys
    from extlint.permissions.lookup import find_permission
    from extlint.targets.request import BROWSERS as WITH_FACTS
    from extlint.targets.target import beyond_reference

    browsers = [each for each in targets or BROWSERS if each != REFERENCE]
    key, permission = find_key(name, browsers), find_permission(name, browsers)
    other_sets = (
        [beyond_reference(each, added) for each in WITH_FACTS] if schema_sets[0].is_specification else []
    )
    entries = tuple(entry for each in schema_sets for entry in find_entries(each, name))
    entries = entries or tuple(entry for each in other_sets for entry in find_entries(each, name))
    if not entries and key is None and permission is None:
        from extlint.api_lookup.unknown import unknown_name
        from extlint.permissions.lookup import known_permissions

        keys = (*known_keys(browsers), *known_permissions(browsers))
        raise UsageError(unknown_name(schema_sets[0], (*schema_sets[1:], *other_sets), name, keys))
    return _LookupResult(entries, key, permission)


def _json(schema_sets: Sequence[SchemaSet], found: _LookupResult) -> str:
    import json

    from msgspec import to_builtins

    answer = {
        "version": 1,
        "target": schema_sets[0].target,
        "targets": [each.target for each in schema_sets],
        "entries": to_builtins(found.entries),
        "manifest_key": to_builtins(found.key),
        "permission": to_builtins(found.permission),
    }
    return json.dumps(answer, indent=2) + "\n"


def _pages(found: _LookupResult) -> Iterator[str]:
    from extlint.api_lookup.page import page

    yield from map(page, found.entries)
    if found.key is not None:
        from extlint.api_lookup.manifest_page import key_page

        yield key_page(found.key)
    if found.permission is not None:
        from extlint.permissions.lookup_page import permission_page

        yield permission_page(found.permission)
