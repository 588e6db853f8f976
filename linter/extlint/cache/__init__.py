"""What earlier runs found out, so that it need not be found out again.

An answer is kept with the *questions* that were asked on the way to it, as build systems do, and is taken
again if the same questions have the same answers now. So it depends on nothing that was not compared.

`values`    Values that pass between scripts: equal ones are made one object, and each has a digest.
`records`   The facts of a script, by the digest of its text; the questions are what it imports.
`codec`     From an answer to bytes, and back without running anything that the bytes name.
`store`     Bytes by the digest of their key, in memory.

Who keeps an answer adds what it was worked out from to the key; see `Records.answer`.
"""
