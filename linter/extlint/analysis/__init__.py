"""Analyzes how a script uses the extension APIs: from its text to its facts.

One small script, and how each package processes it:

    import browser from "webextension-polyfill";
    const { management: api } = browser;
    if (api.getSelf) {
      api.getSelf().then((info) => show(info.nmae));
    }

`syntax`    The prefilter finds the bytes that may name the API: `"webextension-polyfill"` is such a
            position. A script without any in its code is not parsed: its loads are read from its text. This
            one becomes a tree of nodes that know their ancestors.
`modules`   The loads are read: one import, of a module that represents a root of the API.
`trace`     Forward. The root flows into `browser`, from there into the pattern, and its member `management`
            into `api`. Each read of `api` is visited, and each name after it: `api.getSelf` is named
            twice, and called once.
`scope`     To visit them, names are looked up one at a time: `api` is a `const` binding of the module with
            two references. No table of all names is ever built.
`values`    Backward, on demand. To compute the value of `browser`, the evaluator queries the node, which
            queries the binding, which queries its writes. The result is a value of `facts.values`: the root,
            the member `management`, or, for `info`, the fulfillment value of the promise of
            `management.getSelf`. Queries that depend on themselves (`x = x || y`) reach a fixpoint.
            Other results about a script are cached with the function that computes them: `once_per_script`.
`expressions`  How the evaluator handles each kind of expression: names, calls, members, classes, ...
`guards`    `api.getSelf()` is guarded by a test of `api.getSelf`, so `management.getSelf` exists.
`call_graph`, `reachability`
            Queried only for potential findings: the callers of the enclosing function, and the guards on
            each of those paths. Does the function run here at all, or is its text injected elsewhere?
`timing`    Queried only for message listeners: does a function call `sendResponse` at once, or later?
`repairs`   Queried only for findings: edits of the code that fix a mistake, if it shows what to write.
`facts`     The result, and all that a rule ever sees: two references to `management.getSelf`, the first
            of which only tests it; a call site without arguments; and a field `nmae`, read from the result.
`modules`   Finally, the values that other scripts receive from this one: exports and globals with the API.
`bundles`   A bundler wraps modules in functions. Its code is recognized, so an import is an import again.
`cache`     What was found is stored with the text and with the queries about other scripts that led to it.

Code that is not understood evaluates to `UNKNOWN`, and no rule reports it.
"""
