"""What was tested before a place is reached, and what is done about a failure there.

One place, and how its guards are found:

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

`guard_reader`      Outward: from `browser.management.getSelf()` to the root of the tree, and back. Each node
                    around the call may add something that holds inside of it.
`branches`          The call is the consequence of an `if`, so it runs only if that condition is true.
                    (`switch_cases` does this for the cases of a `switch`.)
`early_exits`       It comes after `if (...) return;`, so that condition was false.
`condition_reader`  Has each condition read in the ways that follow, and is imported for the first one.
`conditions`        Takes a condition apart: `!`, `&&`, `?:`. What is left are tests.
`forms`             What a test implies, one module for each form. `"management" in browser` was true, so
                    `management` is there; by the comparison of `typeof`, so is `management.getSelf`.
`indirect_conditions`  `isFirefox` is no test but a name: what stands behind it is read as if it were here.
`constant_conditions`  A condition that always has the same outcome makes code unreachable.
                    (`instance_fields` does this for `this.place === "background"`.) So do two conditions
                    of which one cannot hold where the other does (`equalities`).
`environment`       `isFirefox` names no member of the API. By the words of its name it asks for the browser.
`event_conditions`  It is none on the event, as `message.type === "show"` would be: it may test anything.
`try_catch`         The `catch` does something else instead, so a failure is `RECOVERED`. It would not be if
                    the handler only reported it (`error_handlers`), and would be `INSPECTED` if it took
                    values from the error's text (`error_probes`). `compiled_try` reads one of an
                    asynchronous function that a compiler turned into the cases of a `switch`.
`load_time`         The call does not run for certain when the script loads.
`only_tested`       `browser.management.getSelf` after `typeof` is read only to see whether it is there.
                    `tested_uses` says that of members that are stored first, and `fallbacks` of what a call
                    returns.
`returned_members`  A function that throws if `management` is missing returns only after that test, so
                    what it gives is there.

So at the call `management` and `management.getSelf` are known to be there, a condition asks for the browser,
and a failure is recovered from.

Where does a new guard belong? A test of the API, the manifest, permissions or the user agent is a form: a
module in `forms` and a row in its table. What asks for the browser in some other way is a word or an operand
in `environment`. What combines conditions goes into `conditions`, and what decides whether a statement is
reached at all into `branches` or `early_exits`.
"""
