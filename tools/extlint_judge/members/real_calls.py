"""Calls of a member that are really made, in an extension of a browser with a new profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import tree_sitter_javascript
from tree_sitter import Language, Parser

from extlint_judge.browsers.session import session

_TIMEOUT = 5
"""The timeout of a promise in seconds."""

_SCRIPT = """(async () => {
  const root = globalThis.browser ?? chrome;
  const late = () => new Promise((_, reject) => {
    setTimeout(() => reject(new Error("no answer within %d seconds")), %d);
  });
  const found = [];
  for (const call of [%s]) {
    try {
      const value = await Promise.race([call(), late()]);
      found.push(`gives ${JSON.stringify(value)}`);
    } catch (error) {
      found.push(`fails: ${error.message ?? error}`);
    }
  }
  return found;
})()"""


def is_argument_list(arguments: str) -> bool:
    """Whether a text is the arguments of a call in JavaScript, without the parentheses."""
    parser = Parser(Language(tree_sitter_javascript.language()))
    node = parser.parse(f"([{arguments}\n])".encode()).root_node
    if node.has_error:
        return False
    for kind in ("expression_statement", "parenthesized_expression", "array"):
        inner = [each for each in node.named_children if each.type != "comment"]
        if [each.type for each in inner] != [kind]:
            return False
        node = inner[0]
    return True


def observe(
    browser: str,
    command: str,
    folder: Path,
    files: Mapping[str, str],
    member: str,
    argument_lists: Sequence[str],
) -> list[str]:
    """Returns each call's result as JSON (`gives []`), or its error (`fails: …`). Raises BrowserError."""
    call_functions = ", ".join(f"() => root.{member}({each})" for each in argument_lists)
    script = _SCRIPT % (_TIMEOUT, _TIMEOUT * 1000, call_functions)
    with session(browser, command, folder) as running:
        found: list[str] = running.evaluate(files, script)
    return found
