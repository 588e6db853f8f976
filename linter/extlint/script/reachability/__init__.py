"""How a place is reached, and where its code runs.

`call_paths`      From a place to the callers of its function, their callers, and so on, with the guards on
                  each path. It is asked only of what would be a finding: a guard on every path excuses it.
`destinations`    A function may not run where it is written: `scripting.executeScript({func: f})` runs `f`
                  in a web page. Where does each function end up?
`serialization`   What the language, browsers and the API do with a function: run it, or take its text.
`occasions`       With which event does a run begin that leads there, and what does it wait for on its way?
`awaits`          What a function has certainly awaited when it reaches a place.
`still_assigned`  Whether a variable may still hold the function at a place that reads it.
"""
