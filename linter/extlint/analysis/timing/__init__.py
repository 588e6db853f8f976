"""Determines when code runs: before a function returns, or later.

`continuations`  The code that may run after a node, until its function returns.
                 Whether a function passed as an argument is called immediately or later.
`early_reads`    Variables that are read before the callback that sets them.
`effects`        The resulting effect of a function call: a parameter is called immediately or later.
`handled_messages`  The messages that a listener handles, if it does nothing with others.
`responses`      The responses of a message listener that are discarded because the sender no longer waits.
"""
