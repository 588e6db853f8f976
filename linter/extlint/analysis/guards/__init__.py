"""Finds the tests that precede a place, and determines how a failure there is handled.

Example of a place, and how its guards are found:

    async function show() {
      if (!("management" in browser)) return;
      try {
        if (isFirefox && typeof browser.management.getSelf === "function") {
          await browser.management.getSelf();
        }
      } catch {
        showWithoutName();
      }
    }

`guard_reader`      Walks outward from `browser.management.getSelf()` to the root of the tree, and back. Each
                    node around the call may add a fact that holds inside of it. The call is the consequence
                    of an `if`, so it runs only if that condition is true: `extlint.analysis.syntax.shapes`.
`early_exits`       The call comes after `if (...) return;`, so that condition was false. A call of a function
                    that throws is such an exit, too. After an exit without a condition, nothing runs.
                    So the call does not certainly run when the script loads.
`condition_reader`  Delegates each condition, and each case of a `switch`, to the modules below. It is
                    imported for the first condition.
`conditions`        Splits a condition at `!`, `&&` and `?:` into tests.
`forms`             The implications of a test, by its form. `"management" in browser` was true, so
                    `management` exists; by the comparison of `typeof`, so does `management.getSelf`.
`indirect_conditions`  `isFirefox` is a name and not a test: its value is read as if it were written here.
`constant_conditions`  A condition that always has the same outcome makes code unreachable.
                    (`computed_conditions` does this for `this.place === "background"`, and for a function
                    or a getter that compares constants.) The same is true for two conditions that exclude
                    each other. `known_arguments` finds what the calls of a function pass to its parameters.
`environment_conditions`  `isFirefox` does not name a member of the API, but tests for the browser, by the
                    words of its name (`environment_operands`).
`event_conditions`  It is not a condition on the event, unlike `message.type === "show"`: it may test
                    anything.
`try_catch`         The `catch` does something else instead, so a failure is `RECOVERED`. It would not be if
                    the handler only reported it (`error_handlers`), and would be `INSPECTED` if the handler
                    read values from the error's text. `promise_handlers` reads a `.catch` of
                    the promise that a call returns, and a `try` in an asynchronous function that a compiler
                    turned into the cases of a `switch`.
`certain_success`   The block of a `try` that cannot fail: its `catch` never runs.
`own_tests`         A class or object in a list may have a test for its own code: `isSupported()`.
`compiled_generators`  A compiler may turn an asynchronous function into the cases of a `switch`. A test
                    before a jump to a case holds in that case.
`completions`       The call is in a function that is called only after a test: `check().then(show)`.
`only_tested`       `browser.management.getSelf` after `typeof` is read only to see whether it exists.
                    `tested_uses` determines this for members that are stored first, and `tested_results` for
                    the results of calls. A function that throws if `management` is missing returns only after
                    that test, so its return value exists (`tested_uses`). `tested_results` also looks
                    for tests of an object before one of its fields is read.

So at the call `management` and `management.getSelf` are known to exist, a condition tests for the browser,
and a failure is recovered from.

To add a new guard: a test of the API, the manifest, permissions or the user agent is a form, that is, a
module in `forms` and a row in its table. Any other browser test is a word or an operand
in `environment_operands`. Combinations of conditions belong in `conditions`, and whether a statement is
reached at all in `extlint.analysis.syntax.shapes` or `early_exits`.
"""
