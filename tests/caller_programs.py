"""Random programs whose functions and methods call one another, with tests of the API along the way."""

from __future__ import annotations

from random import Random

MEMBERS = ("management", "management.getAll", "management.getSelf", "test.log")
USES = ("browser.management.getAll();", "browser.management.getSelf();", "browser.test.log(1);")

DECLARED = (
    "function {name}() {{ {body} }}",
    "const {name} = () => {{ {body} }};",
    "const {name} = function () {{ {body} }};",
    "class C{name} {{ m{name}() {{ {body} }} }} const o{name} = new C{name}();",
    "class C{name} {{ m{name} = () => {{ {body} }} }} const o{name} = new C{name}();",
    "class C{name} {{ #p() {{ {body} }} m{name}() {{ this.#p(); }} }} const o{name} = new C{name}();",
    "class C{name} {{ static m{name}() {{ {body} }} }} const o{name} = C{name};",
    "class B{name} {{ m{name}() {{ {body} }} }} class C{name} extends B{name} {{}} "
    "const o{name} = new C{name}();",
    "class C{name} {{ m() {{ {body} }} m{name}() {{ this.m(); }} }} const o{name} = new C{name}();",
    "const o{name} = {{ m{name}() {{ {body} }} }};",
    "const o{name} = {{ m{name}: () => {{ {body} }} }};",
    "function h{name}() {{ {body} }} const o{name} = {{ m{name}: h{name} }};",
    "const o{name} = {{ get m{name}() {{ {body} return () => 1 }} }};",
    "class C{name} {{ constructor() {{ {body} }} }} const {name} = () => new C{name}();",
    "class C{name} {{ x = (() => {{ {body} }})(); }} const {name} = () => new C{name}();",
    "class C{name} {{ run() {{ {body} }} }} const {name} = () => register(new C{name}());",
)
"""Declarations that can be called as `name()`, or as `oname.mname()` if they declare such an object."""

GUARDED = (
    "if ({test}) {{ {call} }}",
    "if ({test}) {{ setTimeout(() => {{ {call} }}); }}",
    "({test}) && {inner};",
    "(() => {{ if (!({test})) return; {call} }})();",
    "const t{number} = {test}; if (t{number}) {call}",
    "if ({test}) setTimeout({reference});",
)
OPEN = ("{call}", "{call}", "setTimeout({reference});")


class CallerWriter:
    """Writes one program. `random` makes all choices."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._numbers = 0

    def program(self) -> str:
        """Returns a program in which the first callee comes last, so that nothing is called before it is
        defined.
        """
        count = self._random.randint(2, 6)
        called_by = [self._random.randrange(at) if self._chance(0.7) else -1 for at in range(1, count)]
        forms = [self._random.choice(DECLARED) for _ in range(count)]
        lines = ["function register(x) { x.run(); }"]
        for at in reversed(range(count)):
            calls = [other + 1 for other, by in enumerate(called_by) if by == at]
            if at + 1 < count and self._chance(0.3):
                calls.append(self._random.randrange(at + 1, count))
            body = [self._call(forms, each) for each in calls]
            if self._chance(0.7) or not body:
                body.append(self._random.choice(USES))
            lines.append(forms[at].format(name=f"f{at}", body=" ".join(body)))
        tops = [0, *(other + 1 for other, by in enumerate(called_by) if by < 0)]
        lines += [self._call(forms, each) for each in tops for _ in range(self._random.choice((1, 1, 2)))]
        return "\n".join(lines)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _call(self, forms: list[str], at: int) -> str:
        self._numbers += 1
        reference = f"of{at}.mf{at}" if "o{name}" in forms[at] else f"f{at}"
        guarded = self._chance(0.75)
        is_bound = any(part in forms[at] for part in ("get m", "m()", "#p"))
        return self._random.choice(GUARDED if guarded else OPEN).format(
            test=f"browser.{self._random.choice(MEMBERS)}",
            call=f"{reference}();",
            inner=f"{reference}()",
            number=self._numbers,
            reference=f"() => {reference}()" if is_bound else reference,
        )


def caller_program(seed: int) -> str:
    """Returns the caller program for a seed."""
    return CallerWriter(Random(seed)).program()


PARAMETERS = (
    "p",
    "p = false",
    "p = 0",
    "{{ p }}",
    "{{ p }} = {{}}",
    "{{ p = false }} = {{}}",
    "{{ q: p }}",
    "x, p",
)
CONDITIONS = (
    "p",
    "!p",
    "p === undefined",
    "p !== undefined",
    "void 0 !== p",
    "p == null",
    "p != null",
    "typeof p !== 'undefined'",
    "p && p.a",
    "p?.a",
    "p === 1",
    "p !== 'a'",
    "!(p || x)",
)
ARGUMENTS = ("", "false", "true", "undefined", "null", "1", "'a'", "v", "c", "{ a: 1 }", "{ p: v }")
OBJECTS = ("{}", "{ p: 1 }", "{ p: c }", "{ q: 0 }", "{ q: v }", "{ p: false }")
CONDITIONAL_USES = (
    "if ({test}) {{ {use} }}",
    "if ({test}) {{ {use} }} else {{ {other} }}",
    "({test}) && {other}",
    "(() => {{ if ({test}) return; {use} }})();",
    "for (;;) {{ if ({test}) break; {use} break; }}",
)


def parameter_program(seed: int) -> str:
    """Returns the program for a seed, in which conditions depend on the arguments of functions."""
    random = Random(seed)
    lines = ["(() => {", "let v; const c = false; const x = 0;"]
    for at in range(random.randint(1, 4)):
        written = random.choice(PARAMETERS)
        tested = random.choice(CONDITIONAL_USES).format(
            test=random.choice(CONDITIONS), use=random.choice(USES), other=random.choice(USES)
        )
        lines.append(f"function f{at}({written}) {{ {tested} }}")
        for _ in range(random.choice((0, 1, 1, 2))):
            argument = random.choice(OBJECTS if "{" in written else ARGUMENTS)
            lines.append(f"f{at}({f'1, {argument}' if written == 'x, p' and argument else argument});")
        if random.random() < 0.2:
            lines.append(random.choice((f"setTimeout(f{at});", f"[1].forEach(f{at});", "v = 1;")))
    lines.append("v = { a: 1 }; })();")
    return "\n".join(lines)
