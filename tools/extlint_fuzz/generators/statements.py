"""Generates scripts of JavaScript and TypeScript: statements, declarations, imports and exports."""

from __future__ import annotations

from random import Random

from extlint_fuzz.generators.api import random_function
from extlint_fuzz.generators.expressions import Expressions
from extlint_fuzz.generators.scopes import SHARED

MAX_DEPTH = 4
MODULES = (
    "./a.js",
    "./b.js",
    "./c.js",
    "webextension-polyfill",
    "wxt/browser",
    "./missing.js",
    "/a.js",
    "react",
)
EXPORTS = ("api", "run", "core", "default")


class Statements(Expressions):
    """Generates entire scripts."""

    def script(self, statements: int) -> str:
        """Returns a script or module with this number of statements."""
        lines = [self._import() for _ in range(self.chance.randint(0, 3))] if self.module else []
        lines += [self.statement(0) for _ in range(statements)]
        if self.module:
            lines += self._exports()
        return "\n".join(lines) + "\n"

    def statement(self, depth: int) -> str:
        """Returns a statement of any kind."""
        if depth >= MAX_DEPTH:
            return f"({self.expression(2)});"
        makers = (
            (8, self._expression),
            (7, self._declaration),
            (3, self._if),
            (2, self._function),
            (2, self._try),
            (1, self._loop),
            (1, self._switch),
            (1, self._class),
            (1, self._global),
            (1, self._block),
            (1, self._early_return),
        )
        make = self.chance.choices([each for _, each in makers], [weight for weight, _ in makers])[0]
        return make(depth + 1)

    def statements(self, depth: int) -> str:
        """Returns a block of some statements in a new scope."""
        self.scopes.append([])
        lines = [self.statement(depth) for _ in range(self.chance.randint(0, 3))]
        self.scopes.pop()
        return "{\n" + "\n".join(lines) + "\n}"

    def _expression(self, _depth: int) -> str:
        return f"({self.expression(1)});" if self.chance.random() < 0.5 else f";{self.call(1)};"

    def _declaration(self, _depth: int) -> str:
        word = self.chance.choice(("const", "const", "let", "var"))
        value = self.expression(1)
        typed = ": any" if self.typed and self.chance.random() < 0.3 else ""
        pattern = self.pattern()
        return f"{word} {pattern}{typed} = {value};"

    def _if(self, depth: int) -> str:
        text = f"if ({self.condition(2)}) {self.statements(depth)}"
        if self.chance.random() < 0.3:
            text += f" else {self.statements(depth)}"
        return text

    def _function(self, _depth: int) -> str:
        is_async = self.chance.random() < 0.4
        name = self.new_name()
        return (
            f"{'async ' if is_async else ''}function {name}({self._parameters_and_body(2, is_async=is_async)}"
        )

    def _try(self, depth: int) -> str:
        text = f"try {self.statements(depth)}"
        self.scopes.append([])
        binding = f" ({self.new_name()})" if self.chance.random() < 0.7 else ""
        text += f" catch{binding} {self.statements(depth)}"
        self.scopes.pop()
        return text

    def _loop(self, depth: int) -> str:
        iterated = self.expression(2)
        self.scopes.append([])
        luck = self.chance.random()
        if luck < 0.5:
            text = f"for (const {self.pattern()} of [{iterated}]) {self.statements(depth)}"
        elif luck < 0.7:
            text = f"for (const {self.new_name()} in {iterated}) {self.statements(depth)}"
        elif luck < 0.85:
            text = f"for (let {self.new_name()} = 0; {self.condition(3)}; ) {self.statements(depth)}"
        else:
            text = f"while ({self.condition(3)}) {self.statements(depth)}"
        self.scopes.pop()
        return text

    def _switch(self, depth: int) -> str:
        cases = "".join(
            f"case {self.literal()}: {self.statement(depth)} break;\n"
            for _ in range(self.chance.randint(0, 3))
        )
        return (
            f"switch ({self.expression(2)}) {{\n{cases.replace('const ', 'var ').replace('let ', 'var ')}}}"
        )

    def _class(self, _depth: int) -> str:
        name = self.new_name()
        extends = f" extends {self.reference()}" if self.chance.random() < 0.3 else ""
        return f"class {name}{extends} {{ {self.class_body(2)} }}"

    def _global(self, _depth: int) -> str:
        name = self.chance.choice(SHARED)
        luck = self.chance.random()
        if luck < 0.4 and not self.module:
            return f"var {name} = {self.expression(2)};"
        return f"{self.chance.choice(('window', 'self', 'globalThis'))}.{name} = {self.expression(2)};"

    def _block(self, depth: int) -> str:
        label = "outer: " if self.chance.random() < 0.2 else ""
        return f"{label}{self.statements(depth)}"

    def _early_return(self, _depth: int) -> str:
        tested = f"{self.root()}.{random_function(self.chance).partition('.')[0]}"
        return f"(() => {{ if (!{tested}) return; {self.call(2)}; }})();"

    def _import(self) -> str:
        source = self.chance.choice(MODULES)
        luck = self.chance.random()
        if luck < 0.35:
            return f'import {self.new_name()} from "{source}";'
        if luck < 0.7:
            return f'import {{ {self.chance.choice(EXPORTS)} as {self.new_name()} }} from "{source}";'
        if luck < 0.9:
            return f'import * as {self.new_name()} from "{source}";'
        return f'import "{source}";'

    def _exports(self) -> list[str]:
        top = self.scopes[0]
        lines = []
        for name in EXPORTS:
            luck = self.chance.random()
            if luck < 0.3 and top:
                lines.append(f"export {{ {self.chance.choice(top)} as {name} }};")
            elif luck < 0.45 and name == "default":
                lines.append(f"export default {self.expression(2)};")
            elif luck < 0.5:
                lines.append(f'export {{ {name} }} from "{self.chance.choice(MODULES)}";')
        if self.chance.random() < 0.15:
            lines.append(f'export * from "{self.chance.choice(MODULES)}";')
        return lines


def script(
    chance: Random, *, typed: bool = False, module: bool = False, statements: int | None = None
) -> str:
    """Returns the text of a script."""
    number = chance.choice((1, 3, 6, 12, 30)) if statements is None else statements
    return Statements(chance, typed=typed, module=module).script(number)
