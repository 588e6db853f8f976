"""Who runs some code: the call graph, upward and on demand.

    class Panel {
      show() { browser.management.getSelf(); }
    }
    export const panel = new Panel();
    button.onclick = () => panel.show();

What leads to `show`?

`callers`         The entry points of a function. Every path to `show` goes through one of each: a place that
                  reads a property `show`, and a place that makes an instance of `Panel`.
`definitions`     The names of a definition: `show` is a member of the class `Panel`, `panel` an export.
`property_uses`   Where a property `show` is read: `panel.show()`, unless `panel` is certainly something else.
`instantiations`  Where the class is instantiated: `new Panel()`, or the same of a class that extends it.
`variable_uses`   Where a variable is used, and the names under which others get it.
`entry_points`    The answer: syntax nodes of this script, and names that other scripts may use.
`holders`         By which member of which object a function is held, and by nothing else.
`object_owners`   Such objects: literals, the instances of a class, what a module of a bundle exports.
`object_flow`     Where their members are read, if no unknown code gets the object.
`method_calls`    All calls of a method, from that.
`unused`          Whether nothing uses the name or the member that holds a function, so that it never runs.

No graph is ever built: `extlint.script.reachability` asks for the callers of one function at a time.
"""
