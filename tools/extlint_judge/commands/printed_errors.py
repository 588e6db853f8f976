"""Loads the examples of error messages, and records the lines that browsers print."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

import click

from extlint_judge.browsers.processes import version_of
from extlint_judge.browsers.session import InChromium, session
from extlint_judge.embedded_schemas import executable
from extlint_judge.manifests.browser_verdicts import extensions_page
from extlint_judge.options import browser_option, command_of, report_and_exit, workspace
from extlint_judge.printed_lines import Printed, printed
from extlint_site.error_messages import COMMANDS, ErrorMessage, error_messages, recorded, write_recorded


def messages_of(browser: str, words: Collection[str] = ()) -> list[ErrorMessage]:
    """Returns the messages that a browser prints: all, or those with any of the words."""
    printed_here = [each for each in error_messages() if browser in map(COMMANDS.get, each.browsers)]
    return [each for each in printed_here if not words or any(word in each.text for word in words)]


def answers(
    browser: str, command: str, folder: Path, messages: list[ErrorMessage]
) -> Iterator[tuple[ErrorMessage, Printed]]:
    """Yields what a browser prints for each example of the messages. Raises BrowserError."""
    examples = [(message, example) for message in messages for example in message.examples]
    with session(browser, command, folder) as running:
        if isinstance(running, InChromium):
            with extensions_page(running.connection) as page:
                for message, example in examples:
                    yield message, printed(running, message.pattern, example.files, page)
        else:
            for message, example in examples:
                yield message, printed(running, message.pattern, example.files)


def absent(messages: list[ErrorMessage], data: bytes) -> Iterator[str]:
    """Yields the messages without an example that are not in the executable of a browser."""
    for each in messages:
        if not each.examples and each.text.encode() not in data:
            yield f"it does not contain: {each.text}"


@click.command()
@browser_option
@click.option("--message", "words", multiple=True, metavar="WORDS", help="Ask only about messages with them.")
@click.option("--write", is_flag=True, help="Write the lines into the facts.")
def printed_errors(browser: str, words: tuple[str, ...], write: bool) -> None:
    """Load the examples of error messages.

    The exit code is 1 if the browser does not print one of them.
    """
    command = command_of(browser)
    messages = messages_of(browser, words)
    lines: dict[str, str] = {}
    wrong = []
    with workspace() as folder:
        for message, found in answers(browser, command, folder, messages):
            if found.line is None:
                wrong.append(f"it does not print: {message.text}\n    but: {found.others}")
            else:
                lines.setdefault(message.text, found.line)
        if browser == "chromium" and any(not each.examples for each in messages):
            (home := folder / "executable").mkdir()
            wrong += absent(messages, executable(command, home).read_bytes())
    click.echo(f"{browser} {version_of(command)}")
    for line in lines.values():
        click.echo(f"  {line}")
    if write:
        known = {**recorded().get(browser, {}), **lines}
        kept = {each.text for each in messages_of(browser)}
        write_recorded(browser, {text: line for text, line in known.items() if text in kept})
    report_and_exit(wrong)
