"""The command line: a group of the subcommands in `commands/`."""

from __future__ import annotations

import click

from extlint_judge.commands.add_on_id import add_on_id
from extlint_judge.commands.ask import ask
from extlint_judge.commands.background_pages import background_pages
from extlint_judge.commands.background_runs import background_runs
from extlint_judge.commands.callbacks import callbacks
from extlint_judge.commands.called_files import called_files
from extlint_judge.commands.clicks import clicks
from extlint_judge.commands.embedded_schemas import embedded_schemas
from extlint_judge.commands.error_texts import error_texts
from extlint_judge.commands.file_names import file_names
from extlint_judge.commands.formats import formats
from extlint_judge.commands.gestures import gestures
from extlint_judge.commands.globals import globals_
from extlint_judge.commands.host_access import host_access
from extlint_judge.commands.html_report import html_report
from extlint_judge.commands.imports import imports
from extlint_judge.commands.injected_functions import injected_functions
from extlint_judge.commands.locales import locales
from extlint_judge.commands.manifests import manifests
from extlint_judge.commands.members import members
from extlint_judge.commands.messages import messages
from extlint_judge.commands.misplaced_manifests import misplaced_manifests
from extlint_judge.commands.objects import objects
from extlint_judge.commands.package_names import package_names
from extlint_judge.commands.permission_prompts import permission_prompts_
from extlint_judge.commands.permissions import permissions
from extlint_judge.commands.policies import policies
from extlint_judge.commands.promises import promises
from extlint_judge.commands.receivers import receivers
from extlint_judge.commands.refused_calls import refused_calls
from extlint_judge.commands.resources import resources
from extlint_judge.commands.rules import rules
from extlint_judge.commands.seen_manifest import seen_manifest
from extlint_judge.commands.session_access import session_access
from extlint_judge.commands.string_code import string_code
from extlint_judge.commands.syntax import syntax
from extlint_judge.commands.user_agent import user_agent
from extlint_judge.commands.user_input import user_input


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Query real browsers about extensions, and compare their behavior with extlint's.

    Browsers run without a window and with a new profile, and connect only to this machine. If a browser is
    not installed, a command reports that and does nothing. The exit code is 2 if a browser fails.
    """


for command in (
    *(
        add_on_id,
        ask,
        background_pages,
        callbacks,
        called_files,
        background_runs,
        clicks,
        embedded_schemas,
        error_texts,
        file_names,
        formats,
        gestures,
        host_access,
        html_report,
        globals_,
        imports,
        injected_functions,
        locales,
        manifests,
        members,
        messages,
        misplaced_manifests,
        objects,
    ),
    *(
        package_names,
        permission_prompts_,
        permissions,
        policies,
        promises,
        receivers,
        refused_calls,
        resources,
        rules,
        seen_manifest,
        session_access,
        string_code,
        syntax,
        user_agent,
        user_input,
    ),
):
    main.add_command(command)
