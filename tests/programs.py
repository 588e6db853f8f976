"""Random programs that use the API and pass its values through all constructs of the language."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

ROOTS = ("browser", "chrome", "globalThis.browser", "window.chrome", "(globalThis.browser ?? chrome)")
CALLS = ("test.log", "test.log", "test.assertEq", "management.get", "runtime.sendMessage")
LISTENERS = ("management.onInstalled", "test.onMessage")
FIELDS = ("id", "name", "type", "enabled", "version")
KEYS = ("a", "b", "c")
KINDS = ("number", "string", "boolean", "object", "array", "function", "null", "any")
SIMPLE = {
    "number": "7",
    "string": '"q"',
    "boolean": "true",
    "object": "({ a: 1 })",
    "array": "[1, 2]",
    "function": "(() => 1)",
    "null": "null",
}


class Scope:
    """The variables in scope at a position: name to the likely kind of its value."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, str] = {}
        self.constants: set[str] = set()

    def visible_names(self) -> dict[str, str]:
        """Returns every visible variable."""
        return {**(self.outer.visible_names() if self.outer else {}), **self.names}

    def visible_constants(self) -> set[str]:
        """Returns the variables that cannot be assigned."""
        return self.constants | (self.outer.visible_constants() if self.outer else set())


class Writer:
    """Writes one program. `random` makes all choices."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._names = 0
        self._budget = 60
        self._function_depth = 0

    def program(self) -> str:
        """Returns an entire program, mostly with one statement per line."""
        scope = Scope()
        lines = ['"use strict";'] if self._chance(0.2) else []
        for _ in range(self.random.randint(3, 14)):
            lines += self._statement(scope, 0)
            if self._chance(0.6):
                lines += self._probe(scope)
        return "\n".join(lines)

    def guard_program(self) -> str:
        """Returns a program with feature tests of the API and uses of it."""
        scope = Scope()
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self._guarded_use(scope)
        return "\n".join(lines)

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _choose(self, choices: tuple[str, ...] | list[str]) -> str:
        return self.random.choice(choices)

    def _new_name(self) -> str:
        self._names += 1
        if self._chance(0.15) and self._names > 2:
            return f"v{self.random.randint(1, self._names - 1)}s{self._names}"
        return f"v{self._names}"

    # ---- Expressions

    def _visible_name(self, scope: Scope, kind: str) -> str | None:
        found = [name for name, each in scope.visible_names().items() if kind == "any" or each == kind]
        return self._choose(found) if found else None

    def value(self, scope: Scope, kind: str = "any", depth: int = 0) -> str:
        """Returns an expression that likely has a value of a kind."""
        if kind == "any":
            kind = self._choose(KINDS[:-1])
        name = self._visible_name(scope, kind)
        if name is not None and self._chance(0.55 if depth else 0.4):
            return name
        if depth > 2:
            return SIMPLE[kind]
        if depth < 2 and self._chance(0.25):
            return self._compound_expression(scope, kind, depth)
        return self._new_expression(scope, kind, depth)

    def _compound_expression(self, scope: Scope, kind: str, depth: int) -> str:
        def value() -> str:
            return self.value(scope, kind, depth + 1)

        def other() -> str:
            return self.value(scope, "any", depth + 1)

        match self.random.randrange(16):
            case 0:
                return f"({self.condition(scope)} ? {value()} : {value()})"
            case 1:
                return f"({other()} && {value()})"
            case 2:
                return f"({other()} || {value()})"
            case 3:
                return f"({other()} ?? {value()})"
            case 4:
                return f"({other()}, {value()})"
            case 5:
                return f"(() => {value()})()"
            case 6:
                return f"[{value()}, {other()}][{self.random.randrange(2)}]"
            case 7:
                return f"({{ a: {value()} }}).{self._choose(KEYS)}"
            case 8:
                target = self._visible_name(scope, "object")
                return f"{target}?.{self._choose(KEYS)}" if target else value()
            case 9:
                target = self._visible_name(scope, "array")
                return f"{target}[{self.random.randrange(3)}]" if target else value()
            case 10:
                writable = self._writable_name(scope)
                return f"({writable} = {value()})" if writable else value()
            case 11:
                function = self._visible_name(scope, "function")
                return (
                    f"{function}({self.arguments(scope)})"
                    if function and not self._function_depth
                    else value()
                )
            case 12:
                target = self._visible_name(scope, "object")
                return f"{target}[{self.key(scope)}]" if target else value()
            case 13:
                return f"(function () {{ {self._choose(['', 'if (0) return 1; '])}return {value()} }})()"
            case 14:
                parameter = self._new_name()
                inner = Scope(scope)
                inner.names[parameter] = kind
                return f"(({parameter}) => {self.value(inner, kind, depth + 1)})({value()})"
            case _:
                return f"Object.freeze({value()})" if kind in {"object", "array"} else value()

    def key(self, scope: Scope) -> str:
        """Returns an expression for a property key."""
        name = self._visible_name(scope, "string")
        return name if name and self._chance(0.5) else f'"{self._choose(KEYS)}"'

    def condition(self, scope: Scope) -> str:
        """Returns an expression for a condition."""
        match self.random.randrange(8):
            case 0:
                return self.value(scope, "boolean", 2)
            case 1:
                return f"{self.value(scope, 'number', 2)} > {self.random.randrange(3)}"
            case 2:
                return f"{self.value(scope, 'any', 2)} === {self.value(scope, 'any', 2)}"
            case 3:
                return f"!{self.value(scope, 'any', 2)}"
            case 4:
                return f'typeof {self.value(scope, "any", 2)} === "{self._choose(KINDS[:6])}"'
            case 5:
                return self._choose(["Math.random() < 2", "Math.random() > 2", "Date.now() > 5"])
            case 6:
                left, operator = self.value(scope, "any", 2), self._choose(["&&", "||"])
                return f"{left} {operator} {self.value(scope, 'any', 2)}"
            case _:
                return self.value(scope, "any", 2)

    def _new_expression(self, scope: Scope, kind: str, depth: int) -> str:
        def one(each: str) -> str:
            return self.value(scope, each, depth + 1)

        match kind:
            case "number":
                writable = self._writable_name(scope, "number")
                return self._choose(
                    [
                        str(self.random.randrange(5)),
                        f"{self.random.randrange(9)} {self._choose(list('+-*%|'))} {one('number')}",
                        f"-{self.random.randrange(5)}",
                        f"({one('array')}).length",
                        f"+{one('string')}",
                        f"{writable}++" if writable else "0x1F",
                    ]
                )
            case "string":
                return self._choose(
                    [
                        f'"{self._choose(("x", "y", "on", *KEYS))}"',
                        f"`t${{{one('number')}}}`",
                        f'{one("string")} + "z"',
                        f"typeof {one('any')}",
                        f"String({one('number')})",
                        f"{one('string')}.toUpperCase()" if depth < 2 else '"s"',
                    ]
                )
            case "boolean":
                writable = self._writable_name(scope)
                return self._choose(["true", "false", f"!{one('any')}", f"{one('number')} < 2", "!0"])
            case "object":
                return self._object(scope, depth)
            case "array":
                return self._array(scope, depth)
            case "function":
                return self._function(scope, depth)
            case "null":
                return self._choose(["null", "undefined", "void 0"])
        return "0"

    def _object(self, scope: Scope, depth: int) -> str:
        if depth > 2:
            return "{}".join("()")
        parts = []
        for _ in range(self.random.randrange(4)):
            key, value = self._choose(KEYS), self.value(scope, "any", depth + 1)
            name = self._visible_name(scope, "any")
            source = self._visible_name(scope, "object") or "{}"
            parts.append(
                self._choose(
                    [
                        f"{key}: {value}",
                        f"{key}: {value}",
                        f'"{key}": {value}',
                        f"...{source}",
                        f"[{self.key(scope)}]: {value}",
                        name if name else f"{key}: 1",
                        f"get {key}() {{ return {value} }}",
                        f"{key}() {{ return {value} }}",
                        f"...({self.condition(scope)} ? {{ {key}: {value} }} : {{}})",
                        f"...({self.condition(scope)} && {{ {key}: {value} }})",
                    ]
                )
            )
        return "({ " + ", ".join(parts) + " })"

    def _array(self, scope: Scope, depth: int) -> str:
        if depth > 2:
            return "[]"
        parts = []
        for _ in range(self.random.randrange(4)):
            source = self._visible_name(scope, "array")
            parts.append(
                f"...{source}" if source and self._chance(0.25) else self.value(scope, "any", depth + 1)
            )
        code = "[" + ", ".join(parts) + "]"
        if self._chance(0.2):
            code += self._choose([".slice()", ".map((x) => x)", ".concat([1])", ".filter(Boolean)"])
        return code

    def _function(self, scope: Scope, depth: int) -> str:
        if depth > 2:
            return "(() => 1)"
        inner = Scope(scope)
        parameters = self.parameters(inner)
        if self._budget < 20 or self._chance(0.7):
            return f"(({parameters}) => {self.value(inner, 'any', depth + 1)})"
        lines = self._function_body(inner, 1)
        head = self._choose(["function ", f"function {self._new_name()}", "async function "])
        return "\n".join((f"({head}({parameters}) {{", *lines, "})"))

    def parameters(self, inner: Scope) -> str:
        """Returns the parameters of a function, and adds their names to `inner`."""
        listed = []
        for _ in range(self.random.randrange(3)):
            name, kind = self._new_name(), self._choose(KINDS[:-1])
            outer = inner.outer or inner
            match self.random.randrange(7):
                case 0:
                    listed.append(f"{name} = {self.value(outer, kind, 1)}")
                case 1:
                    listed.append(f"{{ {self._choose(KEYS)}: {name} = {self.value(outer, kind, 2)} }} = {{}}")
                case 2:
                    listed.append(f"[{name}] = []")
                case _:
                    listed.append(name)
            inner.names[name] = kind
        if self._chance(0.15):
            name = self._new_name()
            listed.append(f"...{name}")
            inner.names[name] = "array"
        return ", ".join(listed)

    def arguments(self, scope: Scope) -> str:
        """Returns the arguments of a call."""
        listed = [self.value(scope, "any", 1) for _ in range(self.random.randrange(3))]
        source = self._visible_name(scope, "array")
        if source and self._chance(0.1):
            listed.append(f"...{source}")
        return ", ".join(listed)

    # ---- The API

    def root(self, scope: Scope) -> str:
        """Returns an expression for the root of the API."""
        name = self._visible_name(scope, "root")
        return name if name and self._chance(0.5) else self._choose(ROOTS)

    def member(self, scope: Scope, path: str) -> str:
        """Returns an expression for a member of the API."""
        names = path.split(".")
        name = self._visible_name(scope, path)
        if name and self._chance(0.5):
            return name
        space = self._visible_name(scope, f"api {names[0]}")
        text = space if space and self._chance(0.5) else f"{self.root(scope)}.{names[0]}"
        for each in names[1:]:
            text += self._choose([f".{each}", f".{each}", f'["{each}"]', f"?.{each}"])
        return text

    def _probe(self, scope: Scope) -> list[str]:
        path = self._choose(CALLS)
        listed = [
            self.value(scope, "any", self.random.choice((0, 1, 1))) for _ in range(self.random.randint(1, 3))
        ]
        names = list(scope.visible_names())
        if names and self._chance(0.7):
            listed.append(self._choose(names))
        callee = self.member(scope, path)
        source = self._visible_name(scope, "array")
        if source and self._chance(0.1):
            listed.append(f"...{source}")
        passed = ", ".join(listed)
        match self.random.randrange(12):
            case 0:
                return [f"{callee}.call(null, {passed});"]
            case 1:
                return [f"{callee}.apply(null, [{passed}]);"]
            case 2:
                return [f"setTimeout(() => {callee}({passed}));"]
            case 3:
                return [f"try {{ {callee}({passed}); }} catch {{}}"]
            case 4:
                return [f"Promise.resolve().then(() => {callee}({passed}));"]
            case 5:
                return [f"{callee}.bind(null, {listed[0]})({', '.join(listed[1:])});"]
            case 6:
                return [f"({self.condition(scope)} ? {callee} : {self.member(scope, path)})({passed});"]
        return [f"{callee}({passed});"]

    def _api_alias(self, scope: Scope, _depth: int = 0) -> list[str]:
        name = self._new_name()
        root = self.root(scope)
        path = self._choose((*CALLS, "management.getAll", "management.getSelf"))
        space, member = path.split(".")
        declare = self._declaration_keyword()
        match self.random.randrange(7):
            case 0:
                scope.names[name] = "root"
                return [f"{declare} {name} = {root};"]
            case 1:
                scope.names[name] = f"api {space}"
                return [f"{declare} {name} = {root}.{space};"]
            case 2:
                scope.names[name] = f"api {space}"
                return [f"{declare} {{ {space}: {name} }} = {root};"]
            case 3:
                scope.names[name] = path
                return [f"{declare} {{ {space}: {{ {member}: {name} }} }} = {root};"]
            case 4:
                scope.names[name] = path
                return [f"{declare} {name} = {self.member(scope, path)};"]
            case 5:
                scope.names[name] = "root"
                return [f"let {name};", f"{name} = {root};"]
            case _:
                scope.names[name] = "root"
                return [
                    f"class K{name} {{",
                    f"  api = {root};",
                    f"  m({name}x) {{ this.api.test.log({name}x, this.api); }}",
                    "}",
                    f"new K{name}().m({self.value(scope, 'any', 1)});",
                    f"var {name} = {root};",
                ]

    def _declaration_keyword(self) -> str:
        return self._choose(["const", "let", "var"])

    def _api_result(self, scope: Scope, _depth: int = 0) -> list[str]:
        name = self._new_name()
        one = self._choose(("management.getSelf", "management.get", "runtime.sendMessage"))
        all_of, one_of = self.member(scope, "management.getAll"), self.member(scope, one)
        rest = f"r{name}"

        def uses(each: str) -> str:
            return "\n".join(self._use_result(Scope(scope), each))

        match self.random.randrange(11):
            case 0:
                return [f"{self.member(scope, one)}().then(({name}) => {{ {uses(name)} }});"]
            case 1:
                return [
                    f"(async () => {{ const {name} = await {self.member(scope, one)}(); {uses(name)} }})();"
                ]
            case 2:
                return [f"(async () => {{ for (const {name} of await {all_of}()) {{ {uses(name)} }} }})();"]
            case 3:
                chain = self._choose(
                    [".filter(Boolean)", ".slice(1)", ".sort()", "", ".map((x) => x)", ".reverse()"]
                )
                call = self._choose(["forEach", "some", "every", "find", "map"])
                return [
                    f"{all_of}().then((all) => {{ all{chain}.{call}(({name}) => {{ {uses(name)} }}); }});"
                ]
            case 4:
                return [f"{self.member(scope, one)}('q', ({name}) => {{ {uses(name)} }});"]
            case 5:
                return [
                    f"{self.member(scope, self._choose(LISTENERS))}"
                    f".addListener(({name}) => {{ {uses(name)} }});"
                ]
            case 6:
                return [
                    f"function f{name}({name}) {{ {uses(name)} }}",
                    f"{self.member(scope, one)}().then(f{name});",
                    *([f"f{name}({{ id: 1 }});"] if self._chance(0.4) else []),
                ]
            case 7:
                return [
                    f"(async () => {{ const [{name}, ...{rest}] = await {all_of}();",
                    f"{uses(name)} {uses(rest)} }})();",
                ]
            case 8:
                return [
                    f"(async () => {{ let {name} = (await {all_of}()).find((x) => x.id); {uses(name)} }})();"
                ]
            case 9:
                return [
                    f"(async () => {{ const {{ id, name: n{name} = 'd', ...{rest} }} = await {one_of}();",
                    f"{uses('id')} {uses('n' + name)} {uses(rest)} }})();",
                ]
            case _:
                return [
                    f"let {name};",
                    f"{self.member(scope, one)}().then((x) => {{ {name} = x; }});",
                    f"setTimeout(() => {{ {uses(name)} }});",
                    *([f"{name} = {self.value(scope, 'object', 1)};"] if self._chance(0.3) else []),
                ]

    def _use_result(self, scope: Scope, name: str) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 4)):
            field, other, value = self._choose(FIELDS), self._new_name(), self.value(scope, "any", 2)
            log = "browser.test.log"
            lines.append(
                self._choose(
                    [
                        f"{log}({name}.{field}, {name});",
                        f"{log}({name});",
                        f"const {other} = {name}.{field}; {log}({other});",
                        f"const {{ {field}: {other} = {value} }} = {name}; {log}({other});",
                        f"if ({name}.{field} === 'extension') {log}({name});",
                        f"{name}.{field} = {value};",
                        f"((x) => {{ x.{field} = 5; }})({name});",
                        f"Object.assign({name}, {{ {field}: 1 }});",
                        f"const {other} = {name}; {other}.{field} = 1;",
                        f"var {other} = {{ ...{name}, {field}: 2 }}; {log}({other}.{field}, {other});",
                        f"const {other} = [{name}]; {log}({other}[0].{field}, {other});",
                        f"let {other} = {name}?.{field}; {other} = {value}; {log}({other});",
                        f"delete {name}.{field};",
                        f"JSON.stringify({name});",
                        f"for (const {other} in {name}) {{ {name}[{other}] = 1; }}",
                        f"switch ({name}.{field}) {{ case 'x': case 1: browser.test.log(1); }}",
                        f"{log}({name}.{field}?.a, [1, {name}.{field}]);",
                    ]
                )
            )
        return lines

    # ---- Statements

    def _writable_name(self, scope: Scope, kind: str = "any") -> str | None:
        fixed = scope.visible_constants()
        found = [
            name
            for name, each in scope.visible_names().items()
            if name not in fixed and each in KINDS and (kind == "any" or each == kind)
        ]
        return self._choose(found) if found else None

    def _function_body(self, scope: Scope, depth: int) -> list[str]:
        self._function_depth += 1
        lines = self.block(scope, depth)
        if self._chance(0.6):
            lines.append(f"return {self.value(scope, 'any', 1)};")
        self._function_depth -= 1
        return lines

    def block(self, scope: Scope, depth: int) -> list[str]:
        """Returns a few statements."""
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self._statement(scope, depth + 1)
            if self._chance(0.3):
                lines += self._probe(scope)
        return lines

    def _statement(self, scope: Scope, depth: int) -> list[str]:
        self._budget -= 1
        simple: list[Callable[[Scope, int], list[str]]] = [
            self._declaration,
            self._declaration,
            self._assignment,
            self._assignment,
            self._mutation,
            self._mutation,
            self._destructuring,
            self._api_alias,
            self._call,
        ]
        nested: list[Callable[[Scope, int], list[str]]] = [
            self._if,
            self._switch,
            self._loop,
            self._try,
            self._function_declaration,
            self._closure,
            self._class,
            self._labeled,
            self._deferred_block,
            self._api_result,
            self._generator,
            self._guarded_use,
        ]
        deep = depth > 2 or self._budget < 0
        return self.random.choice(simple if deep or self._chance(0.55) else nested)(scope, depth)

    def _declaration(self, scope: Scope, _depth: int = 0) -> list[str]:
        declare, name, kind = self._declaration_keyword(), self._new_name(), self._choose(KINDS[:-1])
        value = self.value(scope, kind)
        scope.names[name] = kind
        if declare == "const":
            scope.constants.add(name)
        elif self._chance(0.2):
            return [f"{declare} {name};", f"{name} = {value};"]
        return [f"{declare} {name} = {value};"]

    def _assignment(self, scope: Scope, _depth: int = 0) -> list[str]:
        name = self._writable_name(scope)
        if name is None:
            return self._declaration(scope)
        kind = scope.visible_names()[name]
        operator = self._choose(["=", "=", "=", "=", "||=", "??=", "&&=", "+="])
        if self._chance(0.1):
            return [self._choose([f"{name}++;", f"--{name};", f"[{name}] = [{self.value(scope, kind, 1)}];"])]
        if self._chance(0.1):
            return [f"({{ a: {name} = {self.value(scope, kind, 1)} }} = {self.value(scope, 'object', 1)});"]
        return [f"{name} {operator} {self.value(scope, kind if self._chance(0.7) else 'any')};"]

    def _mutation(self, scope: Scope, _depth: int = 0) -> list[str]:
        target, value = self._visible_name(scope, "object"), self.value(scope, "any", 1)
        array = self._visible_name(scope, "array")
        key = self._choose(KEYS)
        choices = []
        if target:
            choices += [
                f"{target}.{key} = {value};",
                f"{target}.{key} = {value};",
                f"{target}[{self.key(scope)}] = {value};",
                f"delete {target}.{key};",
                f"Object.assign({target}, {{ {key}: {value} }});",
                f"{target}.{key} ??= {value};",
                f"{target}.{key}++;",
                f"Object.defineProperty({target}, '{key}', {{ value: {value}, enumerable: true }});",
                f"[{target}.{key}] = [{value}];",
                f"((o) => {{ o.{key} = {value}; }})({target});",
                f"for ({target}.{key} of [{value}]) {{}}",
                f"Reflect.set({target}, '{key}', {value});",
                f"[{target}].forEach((o) => {{ o.{key} = {value}; }});",
                f"({{ z: {target} }}).z.{key} = {value};",
                f"({self.condition(scope)} ? {target} : {{}}).{key} = {value};",
                f"({target}, {target}).{key} = {value};",
            ]
        if array:
            choices += [
                f"{array}.push({value});",
                f"{array}[{self.random.randrange(3)}] = {value};",
                f"{array}.length = 0;",
                f"{array}.sort();",
                f"{array}.splice(0, 1, {value});",
                f"{array}.unshift({value});",
                f"((o) => {{ o[0] = {value}; }})({array});",
                f"[...{array}].push(3);",
                f"{array}.fill({value});",
            ]
        return [self._choose(choices)] if choices else self._declaration(scope)

    def _destructuring(self, scope: Scope, _depth: int = 0) -> list[str]:
        declare, first, second, third = (
            self._declaration_keyword(),
            self._new_name(),
            self._new_name(),
            self._new_name(),
        )
        source, array = self.value(scope, "object"), self.value(scope, "array")
        default = self.value(scope, "any", 1)
        key = self.key(scope)
        statement_kinds = {
            f"{declare} {{ a: {first}, b: {second} = {default}, ...{third} }} = {source};": "object",
            f"{declare} [{first}, , {second} = {default}, ...{third}] = {array};": "array",
            f"{declare} {{ a: {{ b: {first} }} = {{}}, [{key}]: {second}, c: [{third}] }} = {source};": "any",
            f"{declare} [{{ a: {first} }} = {{}}, [{second}] = [], {third}] = {array};": "any",
        }
        line = self._choose(list(statement_kinds))
        scope.names.update({first: "number", second: "number", third: statement_kinds[line]})
        if declare == "const":
            scope.constants |= {first, second, third}
        return [line]

    def _call(self, scope: Scope, _depth: int = 0) -> list[str]:
        name = self._visible_name(scope, "function")
        if name is None or self._function_depth:
            return self._declaration(scope)
        passed = self.arguments(scope)
        return [
            self._choose(
                [
                    f"{name}({passed});",
                    f"{name}?.({passed});",
                    f"{name}.call(null{', ' if passed else ''}{passed});",
                    f"[1, 2].forEach({name});",
                    f"setTimeout({name});",
                    f"new Promise((resolve) => resolve({name}({passed})));",
                ]
            )
        ]

    def _indented(self, head: str, lines: list[str], tail: str = "}") -> list[str]:
        return [head, *(f"  {each}" for each in lines), tail]

    def _if(self, scope: Scope, depth: int) -> list[str]:
        lines = self._indented(f"if ({self.condition(scope)}) {{", self.block(Scope(scope), depth))
        if self._chance(0.4):
            lines = [*lines[:-1], *self._indented("} else {", self.block(Scope(scope), depth))]
        return lines

    def _switch(self, scope: Scope, depth: int) -> list[str]:
        lines = [f"switch ({self.value(scope, 'any', 1)}) {{"]
        inner = Scope(scope)
        for _ in range(self.random.randint(1, 3)):
            case = self._choose([self.value(scope, "any", 2), "1", '"x"'])
            lines.append(f"  case {case}:")
            lines += [f"    {each}" for each in self.block(Scope(inner), depth)]
            if self._chance(0.5):
                lines.append("    break;")
        if self._chance(0.4):
            lines += ["  default:", *(f"    {each}" for each in self.block(Scope(inner), depth))]
        return [*lines, "}"]

    def _loop(self, scope: Scope, depth: int) -> list[str]:
        inner, name = Scope(scope), self._new_name()
        inner.constants.add(name)
        match self.random.randrange(6):
            case 0:
                inner.names[name] = "number"
                head = f"for (let {name} = 0; {name} < 3; {name}++) {{"
            case 1:
                inner.names[name] = "number"
                head = f"for (const {name} of {self.value(scope, 'array', 1)}) {{"
            case 2:
                inner.names[name] = "string"
                head = f"for (const {name} in {self.value(scope, 'object', 1)}) {{"
            case 3:
                return self._indented(f"let {name} = 0; while ({name}++ < 2) {{", self.block(inner, depth))
            case 4:
                return self._indented(
                    f"var {name} = 0; do {{",
                    self.block(inner, depth),
                    f"}} while ({name}++ < 1 && {self.condition(scope)});",
                )
            case _:
                inner.names[name] = "any"
                head = f"for (const [{name}, w{name}] of Object.entries({self.value(scope, 'object', 1)})) {{"
                inner.names[f"w{name}"] = "number"
                inner.constants.add(f"w{name}")
        lines = self.block(inner, depth)
        if self._chance(0.3):
            lines.insert(
                self.random.randrange(len(lines) + 1)
                if all(not each.startswith((" ", "}")) for each in lines)
                else 0,
                f"if ({self.condition(scope)}) {self._choose(['break', 'continue'])};",
            )
        return self._indented(head, lines)

    def _try(self, scope: Scope, depth: int) -> list[str]:
        body = self.block(Scope(scope), depth)
        if self._chance(0.5):
            body.append(self._choose(["throw 1;", "null.x;", f"if ({self.condition(scope)}) throw 2;"]))
        if self._chance(0.3):
            body += [
                f"{name} = {self.value(scope, 'any', 1)};" for name in [self._writable_name(scope)] if name
            ]
        error = self._new_name()
        inner = Scope(scope)
        inner.names[error] = "number"
        lines = [
            *self._indented("try {", body)[:-1],
            *self._indented(f"}} catch ({error}) {{", self.block(inner, depth)),
        ]
        if self._chance(0.3):
            lines = [*lines[:-1], *self._indented("} finally {", self.block(Scope(scope), depth))]
        return lines

    def _function_declaration(self, scope: Scope, depth: int) -> list[str]:
        name, inner = self._new_name(), Scope(scope)
        parameters = self.parameters(inner)
        if self._chance(0.8):
            scope.names[name] = "function"
            scope.constants.add(name)
        head = self._choose(["function", "function", "async function"])
        lines = self._indented(f"{head} {name}({parameters}) {{", self._function_body(inner, depth))
        calls = [f"{name}({self.arguments(scope)});" for _ in range(self.random.randrange(3))]
        if self._function_depth:
            calls = calls[:1]
        return [*calls[:1], *lines, *calls[1:]] if self._chance(0.3) else [*lines, *calls]

    def _closure(self, scope: Scope, _depth: int = 0) -> list[str]:
        """Returns a closure that assigns a variable, called now, later or never."""
        target = self._writable_name(scope)
        if target is None:
            return self._declaration(scope)
        write = f"{target} = {self.value(scope, 'any', 1)};"
        name = self._new_name()
        scope.names[name] = "function"
        scope.constants.add(name)
        call = self._choose(
            [f"{name}();", f"setTimeout({name});", f"Promise.resolve().then({name});", f"[1].map({name});"]
        )
        return [
            f"const {name} = () => {{ {write} }};",
            *([call] if self._chance(0.7) else []),
            *self._probe(scope),
        ]

    def _class(self, scope: Scope, _depth: int = 0) -> list[str]:
        name, instance, inner = f"C{self._new_name()}", self._new_name(), Scope(scope)

        def value() -> str:
            return self.value(scope, self._choose(("number", "string", "object", "array")), 1)

        parameters = self.parameters(inner)
        members = [
            f"a = {value()};",
            f"static a = {value()};",
            f"#b = {value()};",
            f"constructor({parameters}) {{ this.b = {self.value(inner, 'any', 1)}; this.c ??= {value()}; }}",
            f"get c() {{ return {value()}; }}",
            f"b = {value()};",
            f"m() {{ this.a = {value()}; browser.test.log(this.a, this.b, this); return this.b; }}",
            f"n(x) {{ browser.test.log(this.a, this.b, {name}.a); this.b = x; }}",
            "static s() { browser.test.log(this.a, new this().a); }",
            "p() { setTimeout(() => browser.test.log(this.a, this.b)); }",
            "q() { [1].forEach(() => browser.test.log(this.a)); }",
        ]
        chosen = self.random.sample(members, self.random.randint(2, len(members)))
        if any(each.startswith("get c") for each in chosen):
            chosen = [each.replace("this.c ??= ", "") for each in chosen]
        base = self._choose(["", "", " extends Object", f" extends (class {{ a = {value()}; }})"])
        if base:
            chosen = [each.replace(") { this.b", ") { super(); this.b") for each in chosen]
        lines = self._indented(f"class {name}{base} {{", chosen)
        lines.append(f"const {instance} = new {name}({self.arguments(scope)});")
        uses = [
            f"{instance}.a = {value()};",
            f"{instance}.m?.();",
            f"{instance}.n?.({value()});",
            f"{instance}.p?.();",
            f"{name}.s?.();",
            f"{name}.a = {value()};",
            f"browser.test.log({instance}.a, {instance}.b, {name}.a, {instance});",
            f"Object.assign({instance}, {{ a: {value()} }});",
            f"((o) => {{ o.b = {value()}; }})({instance});",
            f"{instance}[{self.key(scope)}] = {value()};",
            f"delete {instance}.a;",
            f"const {{ a: q{instance} }} = {instance}; browser.test.log(q{instance});",
            f"{name}.prototype.a = 1;",
        ]
        return [*lines, *self.random.sample(uses, self.random.randint(2, 7))]

    def _labeled(self, scope: Scope, depth: int) -> list[str]:
        label = f"L{self._new_name()}"
        lines = self.block(Scope(scope), depth)
        lines.append(f"if ({self.condition(scope)}) break {label};")
        return self._indented(f"{label}: {{", [*lines, *self.block(Scope(scope), depth)])

    def _deferred_block(self, scope: Scope, depth: int) -> list[str]:
        lines = self.block(Scope(scope), depth)
        head, tail = self.random.choice(
            [
                ("setTimeout(() => {", "});"),
                ("Promise.resolve(1).then(() => {", "});"),
                ("(async () => {", "})();"),
                ("(async () => { await 0;", "})();"),
                ("(function () {", "})();"),
                ("(() => {", "})();"),
                ("{", "}"),
                ("[1, 2].forEach((x) => {", "});"),
            ]
        )
        return self._indented(head, lines, tail)

    def _generator(self, scope: Scope, depth: int) -> list[str]:
        name, inner = self._new_name(), Scope(scope)
        got = self._new_name()
        body = self.block(inner, depth)
        body.append(f"const {got} = yield {self.value(inner, 'any', 1)};")
        body.append(f"browser.test.log({got});")
        loop = self._choose(
            [
                f"for (const x of {name}()) browser.test.log(x);",
                f"{{ const i = {name}(); i.next(); i.next({self.value(scope, 'any', 1)}); }}",
                f"const [d{name}] = {name}(); browser.test.log(d{name});",
            ]
        )
        return [*self._indented(f"function* {name}() {{", body), loop]

    def _guarded_use(self, scope: Scope, _depth: int = 0) -> list[str]:
        member = self._choose(
            ("management", "management.getAll", "management.getSelf", "test.log", "runtime")
        )
        path, name = f"{self._choose(('browser', 'chrome'))}.{member}", self._new_name()
        use = self._choose(
            ("browser.management.getAll();", "browser.management.getSelf();", "browser.test.log(1);")
        )
        test = self._choose(
            [
                path,
                f"!{path}",
                f"typeof {path} !== 'undefined'",
                f"{path} != null",
                f"!!{path} && {self.condition(scope)}",
                f"{path} || Math.random() < 2",
                f"'{member.split('.')[0]}' in browser",
                f"!({path})",
                f"{path} === undefined",
            ]
        )
        other = use if self._chance(0.5) else "browser.test.log(2);"
        return [
            self._choose(
                [
                    f"if ({test}) {{ {use} }}",
                    f"if ({test}) {{ {use} }} else {{ {other} }}",
                    f"({test}) && {use}",
                    f"({test}) ? {use[:-1]} : 0;",
                    f"(() => {{ if ({test}) return; {use} }})();",
                    f"const {name} = {test}; if ({name}) {use}",
                    f"for (const {name} of [1, 2]) {{ if ({test}) continue; {use} }}",
                    f"try {{ {use} }} catch {{}}",
                    f"{path.replace('.get', '?.get')}?.(1);",
                    f"switch (true) {{ case {test}: {use} break; default: }}",
                    f"while ({test}) {{ {use} break; }}",
                    f"L{name}: {{ if ({test}) break L{name}; {use} }}",
                    f"function {name}() {{ return {test}; }} if ({name}()) {use}",
                ]
            ).replace("'; ", "'; ")
        ]


def guard_program(seed: int) -> str:
    """Returns the program of feature tests for a seed."""
    return Writer(Random(seed)).guard_program()


def program(seed: int) -> str:
    """Returns the program for a seed."""
    return Writer(Random(seed)).program()
