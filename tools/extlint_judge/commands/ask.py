"""Queries a browser about one member of the API: its availability, and the errors of calls."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click
from msgspec.structs import replace

from extlint_judge.browsers.firefox import firefox as running_firefox
from extlint_judge.browsers.processes import version_of
from extlint_judge.extensions import (
    Case,
    files_of,
    full_and_bare_cases,
    full_manifest,
    grantable,
    permission_cases,
)
from extlint_judge.facts import limits_of, permissions_of, schemas_of
from extlint_judge.members import chromium, compare_calls, compare_members, firefox, real_calls
from extlint_judge.members.calls import ADD_LISTENER, MARK, Call, calls, problems
from extlint_judge.members.record import Answer, ContextMembers, Record
from extlint_judge.options import browser_option, command_of, workspace

MAX_SHOWN = 20
"""The maximum number of calls shown, unless `--all` is given."""


def _arguments(_: click.Context, __: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    for each in value:
        if not real_calls.is_argument_list(each):
            raise click.BadParameter(f"`{each}` is not a list of arguments in JavaScript")
    return value


def _name(_: click.Context, __: click.Parameter, value: str) -> str:
    if re.fullmatch(r"[\w$]+(\.[\w$]+)*", value) is None:
        raise click.BadParameter(f"`{value}` is not the name of a member, such as tabs.query")
    return value


@click.command()
@click.argument("member", callback=_name)
@browser_option
@click.option("--permission", "permissions", multiple=True, metavar="NAME", help="Ask an extension with it.")
@click.option(
    "--call", "given", multiple=True, callback=_arguments, metavar="ARGUMENTS", help="Make a call with them."
)
@click.option("--all", "is_whole", is_flag=True, help="Show every call that is made of the facts.")
def ask(
    member: str, browser: str, permissions: tuple[str, ...], given: tuple[str, ...], is_whole: bool
) -> None:
    """Query one MEMBER of the API, such as tabs.hide.

    It is looked up in each context of an extension that requests all permissions, of one that requests none,
    and of one with the given permissions. Then it is called, without side effects: Firefox only validates the
    calls, and Chromium only gets calls that it rejects. With --call it is really called, by an extension that
    requests all permissions, in a new profile. extlint's result is shown where it differs.
    """
    command = command_of(browser)
    known = grantable(browser, permissions_of(browser))
    cases = [*full_and_bare_cases(browser, known), *permission_cases(browser, permissions)]
    member_calls = [] if given else _calls_of(member, browser)
    unseen: list[str] = []
    with workspace() as folder:
        if browser == "chromium":
            places = list(chromium.context_members(command, cases, folder, unseen))
            answers = (
                list(chromium.observe_calls(command, member_calls, full_manifest(browser, 3, known), folder))
                if member_calls
                else []
            )
        else:
            with running_firefox(command, folder) as session:
                places = list(firefox.context_members(session, cases, folder / "extension", unseen))
                answers = list(firefox.observe_calls(session, member_calls))
    with workspace() as folder:
        files = files_of(Case(full_manifest(browser, 3, known), frozenset()))
        results = real_calls.observe(browser, command, folder, files, member, given) if given else []
    record = Record(
        browser, version_of(command), [_restrict_to(member, place) for place in places], answers, unseen
    )
    click.echo(f"{browser} {record.version}")
    for line in (*_presence_lines(member, record, permissions), *_difference_lines(member, record)):
        click.echo(f"  {line}")
    for source, answer in zip(given, results, strict=True):
        click.echo(f"  {member}({source}) {answer}")
    lines = list(_call_lines(member_calls, answers, browser))
    for line in lines if is_whole else lines[:MAX_SHOWN]:
        click.echo(f"  {line}")
    if len(lines) > MAX_SHOWN and not is_whole:
        click.echo(f"  ... and {len(lines) - MAX_SHOWN} more calls (--all)")


def _calls_of(member: str, browser: str) -> list[Call]:
    paths = {member, f"{member}.{ADD_LISTENER}"}
    every = calls(schemas_of(browser), refused_only=browser == "chromium")
    return [each for each in every if each.api in paths]


def _restrict_to(member: str, place: ContextMembers) -> ContextMembers:
    """Returns a context with only the member and its containers."""
    names = member.split(".")
    prefixes = {".".join(names[:length]) for length in range(1, len(names) + 1)}
    return replace(place, members={path: kind for path, kind in place.members.items() if path in prefixes})


def _presence_lines(member: str, record: Record, permissions: Sequence[str]) -> Iterator[str]:
    """Yields a line for each extension: the kind of the member, and the contexts in which it exists."""
    found: dict[str, dict[str, list[str]]] = {}
    for place in record.places:
        kinds = found.setdefault(_describe(place.manifest, permissions), {})
        kind = place.members.get(member, compare_members.ABSENT).partition(":")[0]
        kinds.setdefault(kind, []).append(place.context)
    for extension, kinds in found.items():
        listed = (f"{kind} in {', '.join(sorted(contexts))}" for kind, contexts in sorted(kinds.items()))
        yield f"{extension}: {'; '.join(listed)}"
    yield from (f"not seen: {line}" for line in record.unseen)


def _describe(manifest: Mapping[str, object], permissions: Sequence[str]) -> str:
    """Returns a description of the extension with a manifest."""
    requested = [
        name for key in ("permissions", "optional_permissions") for name in _names(manifest.get(key))
    ]
    is_named = bool(permissions) and set(requested) == set(permissions)
    what = "nothing" if not requested else " and ".join(permissions) if is_named else "everything"
    return f"manifest version {manifest['manifest_version']} with {what}"


def _names(value: object) -> Iterable[str]:
    return (str(each) for each in value) if isinstance(value, list) else ()


def _difference_lines(member: str, record: Record) -> Iterator[str]:
    """Yields the differences between extlint's facts and the browser."""
    schemas = schemas_of(record.browser)
    within = member.partition(".")[0]
    found = compare_members.compare(record, schemas, limits_of(record.browser), within)
    different = [each for each in found.different if each.path == member]
    for each in different:
        yield f"extlint says {each.facts}, not {each.browser} ({each.where})"
    if different:
        return
    is_known = tuple(member.split(".")) in set(compare_members.known_paths(schemas))
    yield "extlint says the same" if is_known else "extlint does not know it"


def _call_lines(member_calls: Sequence[Call], answers: Iterable[Answer], browser: str) -> Iterator[str]:
    """Yields a line for each call that the browser responded to."""
    messages = {(each.call, each.manifest_version): each.message for each in answers}
    schemas = schemas_of(browser)
    for call in member_calls:
        message = messages.get((call.source, call.version))
        if message is None or (call.marked and message == compare_calls.UNEXPLAINED):
            continue
        browser_result, own = compare_calls.browser_error(call, message), problems(call, schemas)
        differs = (browser_result == compare_calls.ACCEPTED) != (not own)
        suffix = f"; extlint: {own[0].message if own else compare_calls.ACCEPTED}" if differs else ""
        accepted = f"is accepted apart from {MARK}" if call.marked else "is accepted"
        verdict = accepted if browser_result == compare_calls.ACCEPTED else f"is refused: {browser_result}"
        yield f"{call.source} {verdict}{suffix}"
