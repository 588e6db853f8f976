"""The command line. A subcommand's module is imported when the subcommand is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from extlint import __version__
from extlint.cli.click_options import declare_option
from extlint.cli.option import Option
from extlint.cli.process import FAILED, SUCCESS
from extlint.cli.streams import complain, discard_output
from extlint.linting.configuration.usage_error import UsageError, unknown_name_message
from extlint.text.nearest import nearest
from extlint.text.wording import suggestion_question

COMMANDS = {
    "check": "check_command",
    "rule": "rule_command",
    "schema": "schema_command",
    "config": "config_command",
    "init": "init_command",
    "permissions": "permissions_command",
    "lsp": "lsp_command",
    "serve": "serve_command",
    "scan": "scan_command",
    "report": "report_command",
}
"""The subcommands, and the name of each in its module of `extlint.cli.commands`."""

_OPTIONS = ("help", "version")
"""Options that are commands of other programs."""


class _Commands(click.Group):
    def make_context(self, *given: Any, **named: Any) -> click.Context:
        with _ignoring_broken_pipe():
            return super().make_context(*given, **named)

    def invoke(self, ctx: click.Context) -> Any:
        with _ignoring_broken_pipe():
            return super().invoke(ctx)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(f"extlint.cli.commands.{cmd_name}"), COMMANDS[cmd_name]
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from pathlib import Path

            if Path(name).exists():
                raise click.UsageError(
                    f"no such command: {name}; {suggestion_question(f'extlint check {name}')}"
                )
            if name in _OPTIONS:
                raise click.UsageError(f"no such command: {name}; {suggestion_question(f'extlint --{name}')}")
            raise click.UsageError(unknown_name_message("command", name, COMMANDS))
        return super().resolve_command(ctx, args)


@click.command(
    "extlint",
    cls=_Commands,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, message="extlint %(version)s")
@declare_option(Option(("--verbose",), "With --version: also show the age of the facts about browsers."))
@click.pass_context
def extlint(context: click.Context, verbose: bool) -> int:
    """Check browser extensions: the manifest, and every call of an extension API."""
    if verbose:
        raise UsageError("--verbose requires --version, and no other arguments")
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        return FAILED
    return SUCCESS


def run(arguments: Sequence[str]) -> int:
    """Runs a command line and returns the exit status. Raises OSError."""
    try:
        status = extlint.main(list(arguments), prog_name="extlint", standalone_mode=False)
    except click.ClickException as error:
        complain(_sentence(error))
        return FAILED
    except UsageError as error:
        complain(str(error))
        return FAILED
    except click.Abort:
        raise KeyboardInterrupt from None
    return status if isinstance(status, int) else SUCCESS


@contextmanager
def _ignoring_broken_pipe() -> Iterator[None]:
    """Ignores a pipe whose reader has exited after enough help text, which click treats as an error."""
    try:
        yield
    except BrokenPipeError:
        discard_output()
        raise click.exceptions.Exit(0) from None


def _sentence(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        options = (name for each in error.ctx.command.get_params(error.ctx) for name in each.opts)
        near = nearest(error.option_name, options)
        hint = f"see {error.ctx.command_path} --help" if near is None else suggestion_question(near)
        return f"no such option: {error.option_name}; {hint}"
    message = error.format_message().rstrip(".")
    return message[:1].lower() + message[1:]
