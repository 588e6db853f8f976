"""Finds the paths on which a place is known to run: from the load of the script, or an event, call by call.

`call_paths` finds everything that may lead to a place, so that a guard on every path excuses it. Here only
known calls count: code without a known caller has no path, though it may well run.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property, partial
from itertools import islice
from typing import ClassVar, TypeAlias

from extlint.analysis.bundles.bundle import ScriptBundle, bundle_of
from extlint.analysis.call_graph.definitions import (
    declared_variable,
    member_definition,
    outermost_wrapper,
    owner_of,
    runs_separately,
)
from extlint.analysis.call_graph.entry_points import (
    EntryPoints,
    ExternalName,
    NameKind,
    defining_call,
    uses_of_property,
)
from extlint.analysis.call_graph.variable_uses import external_names, uses_of_variable
from extlint.analysis.facts.other_scripts import GLOBAL_OBJECT
from extlint.analysis.facts.script_facts import Guards
from extlint.analysis.facts.values import FunctionValue, InstanceValue, ObjectValue, options_of
from extlint.analysis.guards.event_conditions import depends_only_on_event, is_event_value
from extlint.analysis.guards.forms.facts import CONDITIONAL, public_guards
from extlint.analysis.guards.guard_reader import GuardReader
from extlint.analysis.reachability.paths import (
    NO_PATH,
    UNGUARDED,
    LeastSolution,
    Paths,
    combined,
    deferred,
    union,
)
from extlint.analysis.scope.model import Binding
from extlint.analysis.syntax.node import LOOPS, Node
from extlint.analysis.syntax.nodes import (
    AccessExpression,
    AssignmentExpression,
    CallExpression,
    CallOrNewExpression,
    Class,
    FieldDefinition,
    Function,
    NewExpression,
    SubscriptExpression,
    SwitchStatement,
    VariableDeclarator,
)
from extlint.analysis.syntax.shapes import (
    call_of,
    call_with_argument,
    conditions_of,
    enclosing_function,
    index_of,
    innermost,
    outermost,
    pattern_and_default,
    pattern_of,
)
from extlint.analysis.values.evaluator import Evaluator
from extlint.analysis.values.functions import calls_of, class_of
from extlint.analysis.values.promise_values import chained_promise
from extlint.analysis.values.property_index import key_of
from extlint.text.patterns import lazy
from extlint.text.positions import encode_name

ExternalPaths: TypeAlias = "Callable[[ExternalName, str | None], Paths]"
"""Returns the paths on which other scripts are known to run the value of a name of this script, or a
member of it.
"""

MAX_DEPTH = 16
"""The maximum number of functions that call one another to follow."""

_MAX_USES = 60
_MAX_PLACES = 20
"""The maximum number of places of a method's name in generated code to search for its uses."""

_MAX_EVALUATIONS = 2_000
_GLOBAL_RUNNERS = frozenset({"queueMicrotask", "setInterval", "setTimeout"})
_METHOD_RUNNERS = frozenset(
    "every filter find findIndex flatMap forEach map reduce reduceRight some sort then".split()
)
_EVENT_METHODS = frozenset({"addEventListener", "addListener"})
_HANDLERS = frozenset(
    """
    onactivate onblur onchange onclick onclose onfetch onfocus oninput oninstall onkeydown onkeyup onload
    onmessage onopen onsubmit
    """.split()
)
_PAGE_EVENTS = frozenset(
    """
    DOMContentLoaded beforeunload blur change click contextmenu dblclick focus hashchange input keydown
    keypress keyup load mousedown mousemove mouseup pagehide pageshow popstate resize scroll storage submit
    unload visibilitychange wheel
    """.split()
)
_IN_PAGES = frozenset({Guards(frozenset({(GLOBAL_OBJECT, "document")}))})
"""The paths of code that runs only where there is a document, or after an `import()`."""

_CASES = frozenset({"switch_case", "switch_default"})
_CONDITIONAL = LOOPS | _CASES | {"catch_clause", "try_statement"}
_EVENT_LISTENING = lazy(r"\.\s*on[A-Z]\w*\s*\??\.\s*addListener\Z")
_API_NAME = lazy(r"(?:(?:globalThis|self|window)\.)?(?:browser|chrome)(?:\.\w+){2,}+\Z")
_CONSTRUCTOR_RUNNERS = frozenset({"Promise"})

_Surroundings: TypeAlias = tuple[Node | None, bool, bool]
"""The function around an expression, whether the expression runs only on a condition there, and in a `catch`.

Instead of a function it may be the field of a class, or None at the top level of the script.
"""


class ExecutedPaths:
    """Finds the paths on which places of one script are known to run."""

    fallback_paths: ClassVar[Paths] = NO_PATH
    """The paths that are assumed if finding them is too much work."""

    def __init__(
        self,
        evaluator: Evaluator,
        external: ExternalPaths,
        solution: LeastSolution[Paths],
        script: Hashable,
        *,
        unconditional: bool = False,
        has_guards: bool = True,
    ) -> None:
        """`solution` is shared by all scripts that run functions of others; `script` names this one in it.

        With `unconditional`, only paths without any condition are searched for, which is much less work.
        Without `has_guards`, the guards on a path are not determined.
        """
        self._evaluator = evaluator
        self._unconditional = unconditional
        self._has_guards = has_guards
        self.guards = GuardReader(evaluator)
        self._external = external
        self._solution = solution
        self._script = script
        self._depth = 0
        self._known_surroundings: dict[int, _Surroundings] = {}
        """The surroundings of nodes, by their ids."""

    @property
    def bundle(self) -> ScriptBundle:
        """The bundle that the script is, or may be."""
        return bundle_of(self._evaluator)

    @property
    def unconditional(self) -> bool:
        """Whether only paths without any condition are searched for."""
        return self._unconditional

    def may_reach(self, item: Node) -> bool:
        """Whether there are paths to an expression, as far as a cheap check without guards can determine."""
        return not self._unconditional or bool(self._without_guards.to(item))

    @cached_property
    def _without_guards(self) -> ExecutedPaths:
        return ExecutedPaths(
            self._evaluator,
            self._external,
            self._solution,
            self._script,
            unconditional=True,
            has_guards=False,
        )

    def to(self, item: Node) -> Paths:
        """Returns the paths to an expression, with the guards on each.

        Returns an empty set if it is not known to run.
        """
        return frozenset(map(public_guards, self._to(item)))

    def on_load(self, item: Node) -> bool:
        """Whether an expression certainly runs when the script loads."""
        return self.guards.certainly_on_load(item)

    def _to(self, item: Node) -> Paths:
        entered, is_conditional, in_handler = self._surroundings(item)
        is_excluded = isinstance(entered, Function) and self._is_unused_default(item, entered)
        if is_excluded or (is_conditional and self._unconditional):
            return NO_PATH
        before = UNGUARDED if entered is None else self._paths_into(entered)
        if not before or not self._has_guards:
            return before
        local, _ = self.guards.within_function(item)
        if in_handler:
            local = Guards(local.tested | {CONDITIONAL}, local.failure, local.missing)
        return combined(frozenset({local}), before)

    def _surroundings(self, item: Node) -> _Surroundings:
        """Returns the surroundings of an expression; no parent is visited twice, whatever is inside of it."""
        known = self._known_surroundings
        passed: list[tuple[Node, Node]] = []
        while item.id not in known:
            up = item.parent
            if up is None or runs_separately(item, up):
                known[item.id] = up, False, False
            else:
                passed.append((item, up))
                item = up
        found = known[item.id]
        for each, up in reversed(passed):
            entered, is_conditional, in_handler = found
            is_conditional = is_conditional or self._is_condition(each, up)
            found = known[each.id] = entered, is_conditional, in_handler or up.type == "catch_clause"
        return found

    def _is_condition(self, child: Node, up: Node) -> bool:
        """Whether a part of a node runs only on a condition, other than one on the event."""
        if up.type in _CASES:
            switch = None if up.parent is None else up.parent.parent
            if not isinstance(switch, SwitchStatement) or not self._is_in_listener(up):
                return True
            return not is_event_value(self._evaluator, switch.value)
        if up.type in _CONDITIONAL:
            return True
        conditions = conditions_of(child, up)
        if not conditions:
            return False
        return not self._is_in_listener(up) or not all(
            depends_only_on_event(self._evaluator, condition) for condition, _ in conditions
        )

    def _is_in_listener(self, item: Node) -> bool:
        """Whether the function around an expression is written where a listener is added."""
        function = enclosing_function(item)
        taker = None if function is None else call_with_argument(outermost(function))
        return isinstance(taker, CallExpression) and self._seems_api(taker.callee)

    def _paths_into(self, entered: Node) -> Paths:
        """Returns the paths on which a function, or the value of a class field, is known to run."""
        is_field = isinstance(entered, FieldDefinition)
        return self._solve(entered, partial(self._paths_of_field if is_field else self._of, entered))

    def _solve(self, node: Node, paths: Callable[[], Paths]) -> Paths:
        """Solves the equation for the paths of a node."""
        key = (self._script, self._unconditional, self._has_guards, node.span)
        is_too_much = self._depth >= MAX_DEPTH or self._solution.evaluations > _MAX_EVALUATIONS
        if is_too_much and not self._solution.is_current(key):
            return self.fallback_paths
        self._depth += 1
        try:
            return self._solution.solve(key, paths)
        finally:
            self._depth -= 1

    def _paths_of_field(self, entered: Node) -> Paths:
        owner = owner_of(entered)
        return self._paths_of_instantiations(owner) if isinstance(owner, Class) else NO_PATH

    def _of(self, function: Node) -> Paths:
        if function.has_token("*"):
            return NO_PATH
        whole = outermost_wrapper(self._evaluator, function)
        defining = defining_call(self._evaluator, whole)
        if defining is not None:
            return self._to(defining)
        found = self._where_used(whole)
        binding = declared_variable(self._evaluator, whole)
        if binding is not None and len(binding.declarations) == 1:
            entry = self._uses_of(binding, function)
            found = union(found, NO_PATH if entry is None else self.through(entry))
            for use in binding.uses[:_MAX_USES]:
                found = union(found, self._where_assigned(use.item))
        member = member_definition(whole)
        if member is not None:
            found = union(found, self._paths_of_member(function, member))
        return union(found, self._paths_of_module(function))

    def _paths_of_module(self, function: Node) -> Paths:
        """Returns the paths on which the `require` of a bundle is known to run a module."""
        module = self.bundle.module_of(function)
        if module is None:
            return NO_PATH
        found = NO_PATH
        for call in islice(self.bundle.calls_requiring(module), _MAX_USES):
            is_getter = module.getter_call is not None and call.same(module.getter_call)
            found = union(found, self._paths_of_getter(call) if is_getter else self._to(call))
        return found

    def _paths_of_getter(self, call: Node) -> Paths:
        """Returns the paths on which the function that a call creates from a module is known to be called."""
        declarator = outermost(call).parent
        name = declarator.name if isinstance(declarator, VariableDeclarator) else None
        binding = None if name is None else self._evaluator.names.variable(name)
        if binding is None or len(binding.writes) != 1:
            return NO_PATH
        return self.through(EntryPoints(tuple(each.item for each in binding.uses[:_MAX_USES])))

    def _uses_of(self, binding: Binding, function: Node) -> EntryPoints | None:
        """Returns the uses of a function by its name, and by other names unless that is too much work."""
        if self._unconditional:
            return EntryPoints(tuple(each.item for each in binding.uses[:_MAX_USES]), ())
        return uses_of_variable(self._evaluator, binding, function)

    def through(self, entry: EntryPoints) -> Paths:
        """Returns the paths on which one of several uses of a function is known to run it."""
        found = NO_PATH
        for use in entry.uses[:_MAX_USES]:
            found = union(found, self._where_used(use))
        for name in entry.names:
            if name.kind is not NameKind.PROPERTY:
                found = union(found, self._external(name, None))
        return found

    def _where_used(self, item: Node) -> Paths:
        """Returns the paths on which an expression that is a function is known to run where it occurs."""
        whole = outermost(item)
        call = call_of(item)
        up = whole.parent
        if call is not None or (isinstance(up, NewExpression) and whole.is_field("constructor")):
            return self._to(up) if up is not None else NO_PATH
        receiving_call = call_with_argument(whole)
        if receiving_call is not None:
            if self._runs_argument(receiving_call, whole):
                found = deferred(self._to(receiving_call))
                is_in_page = self._adds_page_listener(receiving_call) or self._follows_import(receiving_call)
                return combined(_IN_PAGES, found) if is_in_page else found
            return self._paths_of_argument(receiving_call, whole)
        return self._where_assigned(item)

    def _where_assigned(self, item: Node) -> Paths:
        """Returns the paths on which an event may run a function, if an expression makes it a handler."""
        whole = outermost(item)
        up = whole.parent
        if isinstance(up, AssignmentExpression) and whole.is_field("right") and self._is_handler(up.left):
            return deferred(self._to(up))
        return NO_PATH

    def _paths_of_argument(self, call: CallOrNewExpression, argument: Node) -> Paths:
        """Returns the paths on which a function of the script is known to run a function passed to it."""
        callee = innermost(call.callee)
        if not isinstance(callee, Function) and not self._is_cheap_to_evaluate(callee):
            return NO_PATH
        seeming = callee if isinstance(callee, Function) else self._declared_value(callee)
        function = seeming if isinstance(seeming, Function) else self._definition(callee)
        index = index_of(call.arguments, argument)
        if not isinstance(function, Function) or index is None or index >= len(function.parameters):
            return NO_PATH
        name = pattern_of(function.parameters[index])
        binding = self._evaluator.names.variable(name) if name.type == "identifier" else None
        if binding is None or len(binding.writes) != 1:
            return NO_PATH
        found = self._solve(name, partial(self._paths_of_parameter, binding, function))
        return found if found and self._certainly_is(callee, function) else NO_PATH

    def _declared_value(self, callee: Node) -> Node | None:
        """Returns the apparent value of a variable from its declaration, which is cheap to find, or None."""
        binding = self._evaluator.names.variable(callee) if callee.type == "identifier" else None
        source = None if binding is None or len(binding.writes) != 1 else binding.writes[0].source
        if isinstance(source, VariableDeclarator) and source.name.type == "identifier":
            source = None if source.value is None else innermost(source.value)
        return source

    def _certainly_is(self, callee: Node, function: Node) -> bool:
        """Whether an expression is a function, or certainly holds it."""
        defined = callee if isinstance(callee, Function) else self._definition(callee)
        return defined is not None and defined.same(function)

    def _definition(self, item: Node) -> Node | None:
        return self._evaluator.definition_of(item)

    def _paths_of_parameter(self, binding: Binding, function: Function) -> Paths:
        """Returns the paths on which a function is known to run the value of a parameter."""
        found = NO_PATH
        for use in binding.uses[:_MAX_USES]:
            if function.contains(use.item):
                found = union(found, self._where_used(use.item))
        return found

    def _runs_argument(self, call: CallOrNewExpression, argument: Node) -> bool:
        """Whether a call runs a function that is passed to it, immediately or when something happens."""
        callee = call.callee
        arguments = call.arguments
        if any(each.type == "spread_element" for each in arguments):
            return False
        if isinstance(call, NewExpression):
            return argument.same(arguments[0]) and self._is_global(callee, _CONSTRUCTOR_RUNNERS)
        if self._is_global(callee, _GLOBAL_RUNNERS):
            return argument.same(arguments[0])
        api = self._evaluator.api(callee) if self._may_be_api(callee) else None
        if api is not None and api.path:
            return api.path[-1] in _EVENT_METHODS or argument.same(arguments[-1])
        if not isinstance(callee, AccessExpression):
            return self._is_global(callee, _EVENT_METHODS) and len(arguments) > 1
        name = key_of(self._evaluator, callee)
        if name in _METHOD_RUNNERS:
            return argument.same(arguments[0])
        return name == "addEventListener" and len(arguments) > 1 and argument.same(arguments[1])

    def _adds_page_listener(self, call: CallOrNewExpression) -> bool:
        """Whether a call adds a listener to the global object for an event that only pages have."""
        event = self._evaluator.text(call.arguments[0])
        return event in _PAGE_EVENTS and self._is_global(call.callee, _EVENT_METHODS)

    def _follows_import(self, call: Node | None) -> bool:
        """Whether a call of `then` runs a function only after an `import()`, which workers refuse."""
        while call is not None and (found := chained_promise(self._evaluator, call)) is not None:
            call = innermost(found[0]) if found[1] != "catch" else None
        return isinstance(call, CallExpression) and call.callee.type == "import"

    def _is_unused_default(self, item: Node, function: Function) -> bool:
        """Whether an expression is in the default of a parameter that every call passes."""
        if item.start >= function.body.start:
            return False
        index = next((at for at, each in enumerate(function.parameters) if each.contains(item)), None)
        calls, is_complete = calls_of(self._evaluator, function)
        return (
            index is not None
            and is_complete
            and pattern_and_default(function.parameters[index])[1] is not None
            and all(
                index < len(each.arguments) and all(part.type != "spread_element" for part in each.arguments)
                for each in calls
            )
        )

    def _may_be_api(self, callee: Node) -> bool:
        """Whether to check if a function is one of the API; in generated code, only those that seem to be."""
        return not self._unconditional or self._seems_api(callee)

    def _seems_api(self, callee: Node) -> bool:
        """Whether a function seems to add an event listener, or is named like one of the API."""
        source = self._evaluator.tree.source(callee)
        return _API_NAME.match(source) is not None or _EVENT_LISTENING.search(source) is not None

    def _is_global(self, callee: Node, names: frozenset[str]) -> bool:
        """Whether a callee is one of the given functions of the platform, possibly as a member of `self`."""
        if isinstance(callee, AccessExpression):
            name = key_of(self._evaluator, callee)
            return name in names and self._evaluator.tree.source(callee.object) in {"self", "globalThis"}
        return self._evaluator.names.is_global(callee, names)

    def _is_handler(self, left: Node) -> bool:
        """Whether the target of an assignment is an event handler (`self.onmessage = …`)."""
        if not isinstance(left, AccessExpression):
            return self._evaluator.names.is_global(left, _HANDLERS)
        if isinstance(left, SubscriptExpression) and self._unconditional:
            return False
        return key_of(self._evaluator, left) in _HANDLERS

    def _paths_of_member(self, function: Node, member: Node) -> Paths:
        owner = owner_of(member)
        if isinstance(owner, Class) and class_of(self._evaluator, function) is not None:
            return self._paths_of_instantiations(owner)
        name = key_of(self._evaluator, member)
        if name is None or owner is None or isinstance(member, AccessExpression) or member.has_token("set"):
            return NO_PATH
        if self._unconditional and self._evaluator.tree.places.occurs_more_than(
            encode_name(name), _MAX_PLACES
        ):
            return NO_PATH
        found = NO_PATH
        is_getter = member.has_token("get")
        for use in (uses_of_property(self._evaluator, name) or [])[:_MAX_USES]:
            if not isinstance(use, AccessExpression) or not (is_getter or _may_be_run(use)):
                continue
            if self._is_member_of(use, owner):
                found = union(found, self._to(use) if is_getter else self._where_used(use))
        return found if owner.type != "object" else union(found, self._external_paths_of_method(owner, name))

    def _external_paths_of_method(self, owner: Node, name: str) -> Paths:
        """Returns the paths on which other scripts are known to run a method of an object named there."""
        binding = declared_variable(self._evaluator, owner)
        found = NO_PATH
        for each in () if binding is None else external_names(self._evaluator, binding, owner):
            found = union(found, self._external(each, name))
        return found

    def _is_member_of(self, use: AccessExpression, owner: Node) -> bool:
        """Whether a member expression names a member of a given class or object."""
        if not self._is_cheap_to_evaluate(innermost(use.object)):
            return False
        values = options_of(self._evaluator.partial(use.object, key_of(self._evaluator, use)))
        return bool(values) and all(self._originates_from(each, owner) for each in values)

    def _is_cheap_to_evaluate(self, item: Node) -> bool:
        """Whether to evaluate an expression, which in generated code may be much work."""
        if not self._unconditional or item.type == "this":
            return True
        binding = self._evaluator.names.variable(item) if item.type == "identifier" else None
        if binding is None or len(binding.writes) != 1:
            return False
        source = binding.writes[0].source
        if not isinstance(source, VariableDeclarator) or source.value is None:
            return isinstance(source, Function | Class)
        return isinstance(innermost(source.value), Function | Class | NewExpression) or (
            innermost(source.value).type == "object"
        )

    def _originates_from(self, value: object, owner: Node) -> bool:
        match value:
            case InstanceValue(definition=span):
                return span == owner.span
            case ObjectValue() | FunctionValue():
                definition = self._evaluator.definition(value)
                return definition is not None and definition.same(owner)
        return False

    def _paths_of_instantiations(self, owner: Class) -> Paths:
        binding = declared_variable(self._evaluator, owner)
        if binding is None:
            return NO_PATH
        entry = uses_of_variable(self._evaluator, binding, owner)
        if entry is None:
            return NO_PATH
        instantiations = tuple(
            each for each in entry.uses if isinstance(outermost(each).parent, NewExpression)
        )
        return self.through(EntryPoints(instantiations, entry.names))


def _may_be_run(item: Node) -> bool:
    """Whether an expression that is a function may be run where it occurs, which is cheap to check."""
    whole = outermost(item)
    match whole.parent:
        case CallOrNewExpression():
            return True
        case AssignmentExpression():
            return whole.is_field("right")
    return call_with_argument(whole) is not None
