"""When code runs: before a function returns, or later.

`continuations`  What may run in a function after a place in it, until the function returns.
`deferral`       Whether what takes a function as an argument calls it at once, or later.
`effects`        What a call of a function does by that: a parameter is called at once, or later.
`answers`        Which answers of a message listener are lost, as nobody waits for them.
"""
