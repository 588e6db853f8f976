"""Guards around the instantiations of classes that are functions, and around similar objects."""

from __future__ import annotations

import pytest
from test_guarded_callers import is_reported

GUARDED = {
    "constructor with a prototype and a static member": (
        "function C(){USE} C.prototype = {}; C.max=1; if (TEST) new C()"
    ),
    "constructor with a method": "function C(){USE} C.prototype.m = function(){}; if (TEST) new C()",
    "constructor in a variable": "var C = function(){USE}; C.prototype.m = function(){}; if (TEST) new C()",
    "constructor in an object": (
        "const ns = {}; ns.C = function(){USE}; ns.C.prototype.m = function(){}; if (TEST) new ns.C()"
    ),
    "method in a prototype": (
        "function C(){} C.prototype = {m: function() {USE}}; function make() {return TEST ? new "
        "C() : null} make()?.m()"
    ),
    "prototype in a variable": (
        "function C(){} var p = C.prototype; p.m = function() {USE}; function make() {return TEST "
        "? new C() : null} make()?.m()"
    ),
    "added by Object.assign": (
        "function C(){} Object.assign(C.prototype, {m: function() {USE}}); function make() "
        "{return TEST ? new C() : null} make()?.m()"
    ),
    "defined property": (
        "function C(){} Object.defineProperty(C.prototype, 'm', {value: function() {USE}}); "
        "function make() {return TEST ? new C() : null} make()?.m(1).value"
    ),
    "base class by Object.create": (
        "function S(){} S.prototype = {m() {USE}}; function C(){} C.prototype = "
        "Object.create(S.prototype); C.prototype.constructor = C; function make() {return TEST ? "
        "new C() : null} make()?.m(); x.constructor"
    ),
    "base class by inherits": (
        "function S(){} S.prototype = {m() {USE}}; function C(){} util.inherits(C, S); function "
        "make() {return TEST ? new C() : null} make()?.m()"
    ),
    "constructor in a function that is called at once": (
        "var C = (function(){ function C(){USE} C.prototype.m = function() {}; return C; })(); if "
        "(TEST) new C()"
    ),
    "class in such a function": (
        "var C = (function(){ class C {m() {USE}} return C; })(); function make() {return TEST ? "
        "new C() : null} make()?.m()"
    ),
    "compiled subclass": (
        "var A = (function() { function A() {} A.prototype.m = function() {USE}; return A })(); "
        "var B = (function(_super) { __extends(B, _super); function B() { return _super !== null "
        "&& _super.apply(this, arguments) || this } return B })(A); function make() {return TEST "
        "? new B() : null} make()?.m()"
    ),
    "class in an object": (
        "const ns = {}; ns.C = class { m() {USE}}; function make() {return TEST ? new ns.C() : "
        "null} make()?.m()"
    ),
    "class with a property in its prototype": (
        "class C { m() {USE}} C.prototype.x = 1; function make() {return TEST ? new C() : null} make()?.m()"
    ),
    "class whose prototype is read": "class C { constructor() {USE}} C.prototype.x; if (TEST) new C()",
    "factory": "function make() { return {m() {USE}} } const o = TEST ? make() : null; o?.m()",
    "Object.create": "const p = {m() {USE}}; const o = TEST ? Object.create(p) : null; o?.m()",
    "factory with Object.assign": (
        "const p = {m() {USE}}; function make() { return Object.assign({}, p) } const o = TEST ? "
        "make() : null; o?.m()"
    ),
    "__proto__ of a literal": "const p = {m() {USE}}; const o = TEST ? {__proto__: p} : null; o?.m()",
    "object with a property that is added": "const o = {m() {USE}}; o.x = 1; if (TEST) register(o)",
    "removed listener": "function f() {USE} if (TEST) addEventListener('x', f); removeEventListener('x', f)",
    "typeof": "function f() {USE} if (typeof f === 'function' && TEST) f()",
    "constructor of a base class that is called": (
        "function S() {USE} function C() { S.call(this) } C.prototype = "
        "Object.create(S.prototype); if (TEST) new C()"
    ),
    "method of such a constructor": (
        "var C = exports.C = function(){}; C.prototype.m = function() {USE}; function make() "
        "{return TEST ? new C() : null} make()?.m()"
    ),
    "constructor in a global": (
        "window.C = function(){}; window.C.prototype = {m() {USE}}; function make() {return "
        "TEST ? new window.C() : null} make()?.m()"
    ),
    "constructor in a global by its name": (
        "window.C = function(){}; C.prototype = {m() {USE}}; function make() {return TEST ? new "
        "C() : null} make()?.m()"
    ),
    "chosen class": (
        "function C(){} C.prototype.m = function() {USE}; function D(){} D.prototype.m = "
        "function(){}; const K = TEST ? C : D; new K().m()"
    ),
    "method that creates": (
        "function C(){} C.getInstance = function() { return new C() }; C.prototype.m = "
        "function() {USE}; function make() {return TEST ? C.getInstance() : null} make()?.m()"
    ),
    "static method that creates": (
        "class C { static get() { return new C() } m() {USE} } function make() {return TEST ? "
        "C.get() : null} make()?.m()"
    ),
    "function in a variable for this": (
        "function X() { var self = this; self.m = function() {USE}; } const o = TEST ? new X() "
        ": {m(){}}; o.m()"
    ),
    "object in a table": (
        "const impls = { a: { m() {USE} }, b: { m() {} } }; const o = TEST ? impls.a : impls.b; o.m()"
    ),
    "function that is assigned to an object": (
        "const a = {}; a.m = function() {USE}; const b = { m() {} }; const o = TEST ? a : b; o.m()"
    ),
    "constructor that is extended": (
        "function C(){} extend(C, Base); C.prototype.m = function() {USE}; function make() "
        "{return TEST ? new C() : null} make()?.m()"
    ),
    "method of a compiled class": (
        "var C = function() { function C() {} _createClass(C, [{ key: 'm', value: function() "
        "{USE} }]); return C }(); function make() {return TEST ? new C() : null} make()?.m()"
    ),
    "compiled class that is returned": (
        "var C = /*#__PURE__*/function() { function C() {USE} return _createClass(C, [{ key: "
        "'m', value: function() {} }]) }(); if (TEST) new C()"
    ),
    "getter of a prototype": (
        "function C(){} Object.defineProperties(C.prototype, {m: {get() {USE}}}); function "
        "make() {return TEST ? new C() : null} make()?.m"
    ),
    "added after another object": (
        "function C(){} Object.assign(C.prototype, Base, {m: function() {USE}}); function "
        "make() {return TEST ? new C() : null} make()?.m()"
    ),
    "function in a global": "window.f = function () { USE }; if (TEST) f()",
}


@pytest.mark.parametrize("source", GUARDED.values(), ids=GUARDED.keys())
def test_guard_at_the_instantiation_covers_the_class(source: str) -> None:
    assert not is_reported(source)


UNGUARDED = {
    "other instance": "function C(){USE} C.prototype = {}; if (TEST) new C(); new C()",
    "apply": "function C(){USE} C.prototype = {}; if (TEST) new C(); C.apply(this)",
    "bind": "function C(){USE} C.prototype = {}; if (TEST) new C(); setTimeout(C.bind(null))",
    "unknown method of the constructor": "function C(){USE} C.prototype = {}; if (TEST) new C(); C[x]()",
    "method of an unknown object": (
        "function C(){} C.prototype = {m() {USE}}; if (TEST) new C().m(); make(new C()); x.m()"
    ),
    "method of the prototype that is called": (
        "function C(){} C.prototype = {m() {USE}}; if (TEST) new C().m(); C.prototype.m.call(x)"
    ),
    "instance by Object.create": (
        "function C(){} C.prototype = {m() {USE}}; if (TEST) new C().m(); Object.create(C.prototype).m()"
    ),
    "copied method": (
        "function C(){} C.prototype = {m() {USE}}; if (TEST) new C().m(); function D() {} "
        "D.prototype.m = C.prototype.m; new D().m()"
    ),
    "instance of a subclass": (
        "function S(){} S.prototype = {m() {USE}}; function C(){} C.prototype = "
        "Object.create(S.prototype); if (TEST) new S(); new C().m()"
    ),
    "instance of a subclass by an instance": (
        "function S(){} S.prototype = {m() {USE}}; function C(){} C.prototype = new S(); if "
        "(TEST) new S(); new C().m()"
    ),
    "instance of a subclass by inherits": (
        "function S(){} S.prototype = {m() {USE}}; function C(){} inherits(C, S); if (TEST) new "
        "S(); new C().m()"
    ),
    "instance by another constructor": (
        "var $ = function() { return new $.fn.init() }; $.fn = $.prototype = {m() {USE}}; "
        "$.fn.init = function() {}; $.fn.init.prototype = $.fn; $().m(); if (TEST) new $()"
    ),
    "prototype with two names": (
        "function C(){}; C.fn = C.prototype = {m() {USE}}; if (TEST) new C(); C.fn.m()"
    ),
    "literal that is used itself": (
        "function C(){} const p = {m() {USE}}; C.prototype = p; if (TEST) new C(); p.m()"
    ),
    "other instance in a function that is called at once": (
        "var C = (function(){ function C(){USE} return C; })(); if (TEST) new C(); new C()"
    ),
    "instance in the same function": (
        "var C = (function(){ function C(){USE} new C(); return C; })(); if (TEST) new C()"
    ),
    "other instance of a class in such a function": (
        "var C = (function(){ function C(){} C.prototype.m = function() {USE}; return C; })(); if "
        "(TEST) new C(); new C().m()"
    ),
    "other instance of a constructor in an object": (
        "const ns = {}; ns.C = function(){}; ns.C.prototype = {m() {USE}}; if (TEST) new ns.C(); "
        "new ns.C().m()"
    ),
    "property of what a getter returns": "const o = {get m() { USE; return {} }}; if (TEST) o.m; o.m.x",
    "setter of a registered object": "const o = {set m(v) { USE }}; if (TEST) register(o); o.m = 1",
    "constructor that is passed on": (
        "function C(){} C.prototype = {m() {USE}}; if (TEST) new C(); register(C)"
    ),
    "literal of two prototypes": (
        "function C(){} function D() {} const p = {m() {USE}}; C.prototype = p; D.prototype = p; "
        "if (TEST) new C(); new D().m()"
    ),
    "added listener": "function f() {USE} addEventListener('x', f); if (TEST) removeEventListener('x', f)",
    "Reflect.construct": "function C(){USE} C.prototype = {}; if (TEST) new C(); Reflect.construct(C, [])",
    "function in a global": "window.f = function () { USE }; if (TEST) window.f(); f()",
    "constructor in a variable and an export": (
        "var C = exports.C = function () { USE }; if (TEST) new C(); new exports.C()"
    ),
    "constructor in a variable and an export, by the variable": (
        "var C = exports.C = function () { USE }; if (TEST) new exports.C(); new C()"
    ),
    "object in a table": (
        "const all = { a: { m() { USE } }, b: {} }; if (TEST) register(all.a); register(all)"
    ),
    "object in a table with a method": (
        "const all = { a: { m() { USE } }, b() { register(this.a) } }; if (TEST) register(all.a); all.b()"
    ),
    "function that is assigned to an object": (
        "const a = {}; a.m = function () { USE }; if (TEST) register(a); register(a)"
    ),
    "static method that creates": (
        "class C { static get() { return new C() } m() { USE } } if (TEST) register(C.get()); "
        "register(C.get())"
    ),
    "compiled class": (
        "var C = function () { function C() {} _createClass(C, [{ key: 'm', value: function () "
        "{ USE } }]); return C }(); if (TEST) register(new C()); register(new C())"
    ),
    "constructor that a call returns": (
        "function C() {} C.prototype = { m() { USE } }; if (TEST) register(new C()); register(extend(C, A))"
    ),
}


@pytest.mark.parametrize("source", UNGUARDED.values(), ids=UNGUARDED.keys())
def test_other_way_to_the_code_is_reported(source: str) -> None:
    assert is_reported(source)
