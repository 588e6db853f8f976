"""What a script does with the extension APIs: from its text to its facts.

One small script, and what happens to it in which room:

    import browser from "webextension-polyfill";
    const { management: api } = browser;
    if (api.getSelf) {
      api.getSelf().then((info) => show(info.nmae));
    }

`syntax`    The prefilter finds in the bytes where the API may be named: `"webextension-polyfill"` is such a
            place. A script without any in its code is not parsed: what it loads is read from its text. This
            one becomes a tree of nodes that know their ancestors.
`modules`   The loads are read: one import, of a module that stands for a root of the API.
`trace`     Forward. The root goes into `browser`, from there into the pattern, and the part `management`
            of it into `api`. Each place where `api` is read is visited, and each name after it:
            `api.getSelf` is named twice, and called once.
`scope`     To visit them, names are looked up one at a time: `api` is a `const` binding of the module with
            two references. No table of all names is ever made.
`values`    Backward, on demand. What is `browser`? The evaluator asks the node, which asks the binding, which
            asks its writes. The answer is a value of `facts.values`: the root, the member `management`, or,
            for `info`, what the promise of `management.getSelf` is fulfilled with.
            Questions that depend on themselves (`x = x || y`) settle at a fixpoint.
            What else is worked out about a script is kept beside the function that does: `once_per_script`.
`expressions`  How the evaluator answers for each kind of expression: names, calls, members, classes, ...
`guards`    `api.getSelf()` stands where `api.getSelf` was tested, so `management.getSelf` is there.
`call_graph`, `reachability`
            Asked only of what would be a mistake: who calls the function around it, and what was tested on
            each of those paths? Does the function run here at all, or is its text injected elsewhere?
`timing`    Asked only of listeners of messages: does a function call `sendResponse` at once, or later?
`facts`     What comes out, and all that a rule ever sees: two references to `management.getSelf`, the first
            of which only tests it; a call site without arguments; and a field `nmae`, read from the result.
`modules`   At last, what other scripts get from this one: exports and globals that hold the API.

A bundler makes functions of modules. `extlint.bundles` recognizes its code, so that an import is an import
again. Whatever is not understood is `UNKNOWN`, and no rule reports it.
"""
