"""How a place is reached, and where its code runs.

`call_paths`      From a place to the callers of its function, their callers, and so on, with the guards on
                  each path. It is queried only for a potential finding: a guard on every path excuses it.
`destinations`    A function may not run where it is written: `scripting.executeScript({func: f})` runs `f`
                  in a web page. This determines where each function runs.
`serialization`   How the language, browsers and the API use a function: run it, or take its text.
`occasions`       The event that begins a run which leads to a place, and the waits on the way.
`awaits`          The values that a function has certainly awaited when it reaches a place.
`still_assigned`  Whether a variable may still hold the function at a place that reads it.
"""
