"""Generates expressions of JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from extlint_fuzz.generators.api import api_names, random_event, random_function
from extlint_fuzz.generators.scopes import ROOTS, SHARED, Scopes

MAX_DEPTH = 5


class Expressions(Scopes):
    """Generates expressions that use the API, the locals in scope, and each other."""

    def __init__(self, chance: Random, *, typed: bool = False, module: bool = False) -> None:
        super().__init__(chance, typed=typed, module=module)
        self._kinds: tuple[tuple[int, Callable[[int], str]], ...] = (
            (8, self.call),
            (7, lambda _: self.reference()),
            (5, self.local_member),
            (5, lambda _: self.literal()),
            (4, lambda _: self.api()),
            (3, self.object),
            (3, self.function),
            (3, self.binary),
            (2, self.array),
            (2, self.ternary),
            (2, self.awaited),
            (2, self.promise),
            (2, self.listener),
            (2, self.guard),
            (1, self.immediate),
            (1, self.template),
            (1, self.assignment),
            (1, self.sequence),
            (1, self.class_expression),
            (1, self.construction),
            (1, self.indirect_call),
            (1, self.rare),
        )

    def expression(self, depth: int = 0) -> str:
        """Returns an expression that can be an argument."""
        if depth >= MAX_DEPTH:
            return self.literal() if self.chance.random() < 0.5 else self.reference()
        weights = [weight for weight, _ in self._kinds]
        _, make = self.chance.choices(self._kinds, weights)[0]
        return make(depth + 1)

    def arguments(self, depth: int) -> str:
        """Returns the arguments of a call, without the parentheses."""
        number = self.chance.choice((0, 1, 1, 1, 2, 2, 3))
        spread = "..." if self.chance.random() < 0.04 else ""
        return ", ".join((spread if not i else "") + self.expression(depth) for i in range(number))

    def object(self, depth: int) -> str:
        """Returns an object with fields, methods, accessors and spreads."""
        fields = [self._field(depth) for _ in range(self.chance.randint(0, 4))]
        return (
            "({ " + ", ".join(fields) + " })"
            if self.chance.random() < 0.2
            else "{ " + ", ".join(fields) + " }"
        )

    def _field(self, depth: int) -> str:
        key = (
            self.chance.choice(api_names().properties)
            if self.chance.random() < 0.8
            else self.chance.choice(SHARED)
        )
        key = key if key.isidentifier() else f'"{key}"'
        luck = self.chance.random()
        if luck < 0.6:
            return f"{key}: {self.expression(depth)}"
        if luck < 0.7:
            return self.shorthand_field()
        if luck < 0.78:
            return f"...{self.expression(depth)}"
        if luck < 0.84:
            return f"[{self.expression(depth)}]: {self.expression(depth)}"
        if luck < 0.9:
            return f"get {key}() {{ return {self.in_new_scope(lambda: self.expression(depth))}; }}"
        return f"{key}({self._parameters_and_body(depth)}"

    def array(self, depth: int) -> str:
        """Returns an array, sometimes with holes and spreads."""
        items = [
            ""
            if self.chance.random() < 0.04
            else ("..." if self.chance.random() < 0.1 else "") + self.expression(depth)
            for _ in range(self.chance.randint(0, 4))
        ]
        return f"[{', '.join(items)}]"

    def call(self, depth: int) -> str:
        """Returns a call of the API or of a local."""
        luck = self.chance.random()
        called = self.api() if luck < 0.75 else self.reference()
        optional = "?." if self.chance.random() < 0.05 else ""
        return f"{called}{optional}({self.arguments(depth)})"

    def local_member(self, depth: int) -> str:
        """Returns a member access on a local or on another expression."""
        base = self.reference() if self.chance.random() < 0.7 else f"({self.expression(depth)})"
        key = self.chance.choice(
            (*api_names().properties[:200], "length", "default", "prototype", "then", "id", "url")
        )
        luck = self.chance.random()
        if luck < 0.15:
            return f"{base}[{self.expression(depth)}]"
        return f"{base}{'?.' if luck < 0.3 else '.'}{key}" if key.isidentifier() else f'{base}["{key}"]'

    def pattern(self, depth: int = 0) -> str:
        """Returns a name or a pattern that declares names."""
        luck = self.chance.random()
        if depth > 2 or luck < 0.6:
            return self.new_name()
        if luck < 0.85:
            parts = [self._pattern_field(depth) for _ in range(self.chance.randint(1, 3))]
            if self.chance.random() < 0.1:
                parts.append(f"...{self.new_name()}")
            return "{ " + ", ".join(parts) + " }"
        items = [self.pattern(depth + 1) for _ in range(self.chance.randint(1, 2))]
        return "[" + ", ".join(items) + "]"

    def _pattern_field(self, depth: int) -> str:
        names = (
            *api_names().namespaces[:60],
            "management",
            "tabs",
            "getAll",
            "query",
            "id",
            "local",
            "runtime",
        )
        key = self.chance.choice([name for name in names if name.isidentifier()])
        default = f" = {self.expression(4)}" if self.chance.random() < 0.2 else ""
        return f"{key}: {self.pattern(depth + 1)}{default}"

    def _parameters_and_body(self, depth: int, *, arrow: bool = False, is_async: bool = False) -> str:
        def make() -> str:
            parameters = []
            for _ in range(self.chance.choice((0, 1, 1, 2, 3))):
                default = f" = {self.expression(4)}" if self.chance.random() < 0.1 else ""
                typed = ": any" if self.typed and self.chance.random() < 0.4 else ""
                parameters.append(self.pattern(1) + typed + default)
            if arrow and self.chance.random() < 0.5:
                return f"{', '.join(parameters)}) => ({self.expression(depth)})"
            sign = " =>" if arrow else ""
            return f"{', '.join(parameters)}){sign} {{ {self.body(depth)} }}"

        return self.in_new_scope(make, is_async=is_async)

    def body(self, depth: int) -> str:
        """Returns the statements of a small function."""
        lines = []
        for _ in range(self.chance.randint(0, 2)):
            expression = self.expression(depth)
            lines.append(
                f"const {self.new_name()} = {expression};"
                if self.chance.random() < 0.4
                else f"({expression});"
            )
        if self.chance.random() < 0.6:
            lines.append(f"return {self.expression(depth)};")
        return " ".join(lines)

    def function(self, depth: int) -> str:
        """Returns a function of any kind."""
        is_async = self.chance.random() < 0.3
        word = "async " if is_async else ""
        if self.chance.random() < 0.7:
            return f"({word}({self._parameters_and_body(depth, arrow=True, is_async=is_async)})"
        star = "*" if self.chance.random() < 0.1 else ""
        return f"({word}function{star} ({self._parameters_and_body(depth, is_async=is_async)})"

    def binary(self, depth: int) -> str:
        """Returns a binary or unary expression."""
        operator = self.chance.choice("+ - === !== == && || in < instanceof , * **".split())
        left, right = self.expression(depth), self.expression(depth)
        luck = self.chance.random()
        if luck < 0.2:
            return f"({left} ?? {right})"
        if luck < 0.4:
            return f"({self.chance.choice(('!', 'typeof ', 'void ', '!!', '-', 'delete '))}({left}))"
        return f"(({left}) {operator} ({right}))"

    def ternary(self, depth: int) -> str:
        """Returns a conditional expression."""
        return f"({self.condition(depth)} ? {self.expression(depth)} : {self.expression(depth)})"

    def condition(self, depth: int) -> str:
        """Returns a condition, usually a feature test."""
        luck = self.chance.random()
        path = random_function(self.chance)
        if luck < 0.3:
            return self.root() + self.path(path)
        if luck < 0.5:
            member = f"{self.chance.choice(ROOTS[:2])}.{path.partition('.')[0]}"
            return f'typeof {member} {self.chance.choice(("===", "!=="))} "undefined"'
        if luck < 0.6:
            return f'"{path.partition(".")[0]}" in {self.chance.choice(ROOTS[:2])}'
        if luck < 0.7:
            return f"!{self.root()}.{path.partition('.')[0]}"
        if luck < 0.75:
            return f'navigator.userAgent.includes("{self.chance.choice(("Firefox", "Chrome", "Edg"))}")'
        return f"({self.expression(depth)})"

    def guard(self, depth: int) -> str:
        """Returns a guarded call."""
        return f"({self.condition(depth)} && {self.call(depth)})"

    def awaited(self, depth: int) -> str:
        """Returns an awaited value where `await` is allowed."""
        return (
            f"(await {self.expression(depth)})"
            if self.in_async or (self.module and not self.in_function)
            else self.call(depth)
        )

    def promise(self, depth: int) -> str:
        """Returns a call with a promise handler."""
        after = self.chance.choice(("then", "then", "catch", "finally"))
        return f"{self.call(depth)}.{after}({self.function(depth)})"

    def listener(self, depth: int) -> str:
        """Returns a call that adds a listener to an event."""
        method = self.chance.choice(
            ("addListener", "addListener", "removeListener", "hasListener", "addRules")
        )
        return f"{self.root()}{self.path(random_event(self.chance))}.{method}({self.function(depth)})"

    def immediate(self, depth: int) -> str:
        """Returns an immediately invoked function."""
        return f"{self.function(depth)}({self.arguments(depth)})"

    def template(self, depth: int) -> str:
        """Returns a template literal."""
        return f"`a${{{self.expression(depth)}}}b`"

    def assignment(self, depth: int) -> str:
        """Returns an assignment to a global, a field, or a local that may be constant."""
        target = self.chance.choice(
            (self.reference(), f"window.{self.chance.choice(SHARED)}", f"{self.reference()}.api")
        )
        if not target.replace(".", "").replace("$", "").isalnum() or target in ("undefined", "window"):
            target = "api"
        operator = self.chance.choice(("=", "=", "=", "||=", "??=", "+="))
        return f"({target} {operator} {self.expression(depth)})"

    def sequence(self, depth: int) -> str:
        """Returns a sequence expression like those of minifiers."""
        return f"(0, {self.expression(depth)})"

    def class_expression(self, depth: int) -> str:
        """Returns a class with a constructor, fields and methods."""
        extends = f" extends ({self.expression(depth)})" if self.chance.random() < 0.3 else ""
        return f"(class{extends} {{ {self.class_body(depth)} }})"

    def class_body(self, depth: int) -> str:
        """Returns the members of a class."""
        members = []
        for _ in range(self.chance.randint(0, 3)):
            static = self.chance.choice(("", "", "static "))
            name = self.chance.choice(("api", "run", "#hidden", "tabs", "get"))
            luck = self.chance.random()
            if luck < 0.4:
                members.append(f"{static}{name} = {self.in_new_scope(lambda: self.expression(depth))};")
            else:
                word, is_async = ("async ", True) if luck > 0.7 else ("", False)
                body = self._parameters_and_body(depth, is_async=is_async)
                members.append(f"{static}{word}{name}({body}")
        return " ".join(members)

    def construction(self, depth: int) -> str:
        """Returns a `new` expression."""
        name = self.chance.choice(("Promise", "Proxy", "Map", "Worker", "Date", "Error", self.reference()))
        return f"new {name}({self.arguments(depth)})"

    def indirect_call(self, depth: int) -> str:
        """Returns a call of a function's `bind`, `call` or `apply`."""
        method = self.chance.choice(("bind", "call", "apply"))
        return f"{self.api()}.{method}({self.arguments(depth)})"

    def rare(self, depth: int) -> str:
        """Returns a rarely used construct."""
        return self.chance.choice(
            (
                lambda: f"Object.keys({self.expression(depth)})",
                lambda: f"Object.assign({self.arguments(depth)})",
                lambda: f"Reflect.get({self.api()}, {self.literal()})",
                lambda: f'import("./{self.chance.choice(("a", "b", "c"))}.js")',
                lambda: f'require("./{self.chance.choice(("a", "b", "c"))}.js")',
                lambda: f"importScripts({self.literal()})",
                lambda: "this",
                lambda: "arguments",
                lambda: f"eval({self.literal()})",
                lambda: f"Promise.all([{self.call(depth)}, {self.call(depth)}])",
                lambda: f"JSON.parse({self.expression(depth)})",
                lambda: f"[{self.arguments(depth)}].map({self.function(depth)})",
                lambda: f"{self.reference()}`a${{{self.expression(depth)}}}`",
            )
        )()
