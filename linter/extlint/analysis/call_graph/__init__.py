"""The call graph: finds the callers of code, upward and on demand.

    class Panel {
      show() { browser.management.getSelf(); }
    }
    export const panel = new Panel();
    button.onclick = () => panel.show();

The modules that find the callers of `show`:

`callers`         The entry points of a function. Every path to `show` passes through one of each: a read of
                  a property `show`, and an instantiation of `Panel`: `new Panel()`, or the same of a class
                 that extends it.
`definitions`     The names of a definition: `show` is a member of the class `Panel`, `panel` an export.
`variable_uses`   The uses of a variable, and the names by which other scripts access it.
`entry_points`    The result: syntax nodes of this script, and names that other scripts may use. Also the
                  reads of a property `show`: `panel.show()`, unless `panel` is certainly another object.
`holders`         The only object member that holds a function, and how far its object is visible.
`object_owners`   Such objects: literals, and the instances of a class.
`delegation`      The reads of their members, if the object does not escape to unknown code.
`object_flow`     Follows one object to find them: from its origins in `class_family`, through
                  `object_arguments`, and as far as it is visible.
`unused`          Whether the name or the member that holds a function is never used, so that it is dead code.

No graph is ever built: `extlint.analysis.reachability` queries the callers of one function at a time.
"""
